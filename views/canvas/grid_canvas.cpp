#include "views/canvas/grid_canvas.h"

#include <QtCore/QEasingCurve>

#include <algorithm>
#include <array>
#include <cmath>

#include "views/accessible.h"
#include "views/canvas/camera_motion.h"

namespace ls::views {
namespace {

constexpr int kCameraMs = 160;
constexpr double kCellStep = 8; // points of a cell at 100 %
constexpr double kRevealMargin = 24;

QEasingCurve design_curve() {
    QEasingCurve curve(QEasingCurve::BezierSpline);
    curve.addCubicBezierSegment({0.2, 0}, {0, 1}, {1, 1});
    return curve;
}

} // namespace

GridCanvas::GridCanvas(QQuickItem* parent) : ImGuiSurface(parent) {
    setAcceptedMouseButtons(Qt::LeftButton | Qt::RightButton | Qt::MiddleButton);
    setAcceptHoverEvents(true);
    setActiveFocusOnTab(true);
    motion_.setDuration(kCameraMs);
    motion_.setStartValue(0.0);
    motion_.setEndValue(1.0);
    motion_.setEasingCurve(design_curve());
    connect(&motion_, &QVariantAnimation::valueChanged, this,
            [this](const QVariant& t) { show_camera(between(motion_from_, target_, t.toDouble())); });
    connect(&motion_, &QVariantAnimation::stateChanged, this, &GridCanvas::animatingChanged);
    connect(&motion_, &QVariantAnimation::finished, this, [this] {
        if (pointer_inside_ && !cursor_by_key_) hover_at(pointer_);
    });
    connect(&filler_, &GridFiller::refined, this, [this] { redraw(); });
}

GridCanvas::~GridCanvas() = default;

void GridCanvas::componentComplete() {
    ImGuiSurface::componentComplete();
    set_accessible_role(*this, QStringLiteral("Graphic"));
    retell();
}

// Properties
// -----------------------------------------------------------------------------------------------------------

void GridCanvas::setScene(const GridHandle& scene) {
    if (scene == scene_) return;
    const scene::GridScene* before = grid();
    const bool same_size = before && scene.scene() && before->rows == scene.scene()->rows &&
                           before->cols == scene.scene()->cols && before->cell_aspect == scene.scene()->cell_aspect;
    const GridHandle keep_alive = std::exchange(scene_, scene);
    layout_.reset();
    if (!same_size) {
        has_camera_ = false;
        motion_.stop();
        end_drag();
        setSelectedWindow({});
    }
    if (grid() && (hover_.cell().row >= grid()->rows || hover_.cell().col >= grid()->cols)) hover_ = {};
    refresh_hover_links();
    emit sceneChanged();
    emit labelChanged();
    emit hoverCellChanged();
    retell();
    redraw();
}

void GridCanvas::setPatterns(bool on) {
    if (on == options_.patterns) return;
    options_.patterns = on;
    emit optionsChanged();
    redraw();
}

void GridCanvas::setLegend(bool on) {
    if (on == options_.legend) return;
    options_.legend = on;
    layout_.reset();
    emit optionsChanged();
    redraw();
}

void GridCanvas::setAxes(bool on) {
    if (on == options_.axes) return;
    options_.axes = on;
    layout_.reset();
    emit optionsChanged();
    redraw();
}

void GridCanvas::setReduceMotion(bool on) {
    if (on == reduce_motion_) return;
    reduce_motion_ = on;
    emit optionsChanged();
}

GridCanvas::Label GridCanvas::label() const {
    if (label_) return *label_;
    return grid() && !grid()->label_choices.empty() ? static_cast<Label>(grid()->label_choices.front()) : NoLabel;
}

void GridCanvas::setLabel(Label label) {
    if (label_ == label) return;
    label_ = label;
    emit labelChanged();
    redraw();
}

QList<int> GridCanvas::labelChoices() const {
    QList<int> choices;
    if (grid())
        for (const scene::CellLabel choice : grid()->label_choices) choices << static_cast<int>(choice);
    return choices;
}

QString GridCanvas::labelName(int label) {
    static const std::array names{QT_TR_NOOP("None"),    QT_TR_NOOP("Coordinate"), QT_TR_NOOP("Offset"),
                                  QT_TR_NOOP("Address"), QT_TR_NOOP("Index"),      QT_TR_NOOP("Bank"),
                                  QT_TR_NOOP("Block"),   QT_TR_NOOP("Thread")};
    return label >= 0 && static_cast<std::size_t>(label) < names.size() ? tr(names[static_cast<std::size_t>(label)])
                                                                        : QString();
}

void GridCanvas::setPins(const QList<GridPin>& pins) {
    if (pins == pins_) return;
    pins_ = pins;
    emit pinsChanged();
    redraw();
}

void GridCanvas::setSelection(const QList<GridCell>& cells) {
    if (cells == selection_) return;
    selection_ = cells;
    emit selectionChanged();
    redraw();
}

void GridCanvas::setSelectedWindow(const GridWindow& window) {
    if (window == window_) return;
    window_ = window;
    emit selectedWindowChanged();
    redraw();
}

// Hover
// ----------------------------------------------------------------------------------------------------------------

void GridCanvas::setHoverCell(const GridCell& cell) { set_hover(cell.cell()); }

void GridCanvas::set_hover(scene::Cell cell) {
    if (!grid() || cell.row >= grid()->rows || cell.col >= grid()->cols || !cell.valid()) cell = {};
    if (cell == hover_.cell()) return;
    hover_ = cell;
    refresh_hover_links();
    emit hoverCellChanged();
    retell();
    redraw();
}

void GridCanvas::refresh_hover_links() {
    hover_links_.clear();
    if (grid() && grid()->cells && hover_.valid()) hover_links_ = grid()->cells->linked(hover_.cell());
}

QList<GridCell> GridCanvas::hoverLinks() const { return {hover_links_.begin(), hover_links_.end()}; }

void GridCanvas::setLinkedCells(const QList<GridCell>& cells) {
    if (cells == linked_) return;
    linked_ = cells;
    emit linkedCellsChanged();
    retell();
    redraw();
}

void GridCanvas::setPartner(GridCanvas* partner) {
    if (partner == partner_ || partner == this) return;
    disconnect(partner_hover_);
    partner_ = partner;
    if (partner_)
        partner_hover_ = connect(partner_, &GridCanvas::hoverCellChanged, this, &GridCanvas::partner_hover_changed);
    emit partnerChanged();
    partner_hover_changed();
}

void GridCanvas::partner_hover_changed() {
    setLinkedCells(partner_ ? partner_->hoverLinks() : QList<GridCell>());
    if (hover_.valid()) redraw(); // replicas are looked up through the partner
}

scene::Cell GridCanvas::shown_hover() const {
    if (hover_.valid()) return hover_.cell();
    return linked_.isEmpty() ? scene::Cell{} : linked_.front().cell();
}

void GridCanvas::retell() {
    const scene::Cell cell = shown_hover();
    QString text;
    if (grid() && grid()->cells && cell.valid() && cell.row < grid()->rows && cell.col < grid()->cols)
        text = QString::fromStdString(grid()->cells->describe(cell));
    if (text != describe_) {
        describe_ = text;
        emit describeChanged();
    }
    const QString title = scene_.title() + QLatin1Char(' ') + scene_.subtitle();
    set_accessible_text(*this, describe_.isEmpty() ? title.trimmed() : describe_, title.trimmed());
}

// Camera
// ---------------------------------------------------------------------------------------------------------------

const scene::GridLayout& GridCanvas::layout() const {
    if (!layout_) {
        static const scene::GridScene nothing;
        // In design points: what draws the picture knows of no other.
        layout_ = scene::layout_grid(grid() ? *grid() : nothing, width() / dp(), height() / dp(), unit(),
                                     *ImGuiFonts::of(unit()), options_);
    }
    return *layout_;
}

scene::GridView GridCanvas::view() const {
    static const scene::GridScene nothing;
    return layout().view(grid() ? *grid() : nothing, camera_);
}

scene::Point GridCanvas::in_area(QPointF point) const {
    const scene::Point p = design(point);
    return {p.x - layout().area.x, p.y - layout().area.y};
}

QRectF GridCanvas::area() const {
    const scene::Rect& a = layout().area;
    return {item({a.x, a.y}), item({a.right(), a.bottom()})};
}

scene::Camera GridCanvas::fitting_camera() const {
    scene::Camera camera = view().fit();
    if (options_.axes) return camera;
    // A thumbnail: there are no ticks to stand beside.
    const scene::GridView fitted = layout().view(*grid(), camera);
    const scene::Rect picture = fitted.picture();
    camera.origin_row -= (layout().area.h - picture.h) / 2 / fitted.points_per_row();
    camera.origin_col -= (layout().area.w - picture.w) / 2 / fitted.points_per_col();
    return fitted.clamped(camera);
}

void GridCanvas::ensure_camera() {
    if (!grid() || layout().area.w <= 0 || layout().area.h <= 0) return;
    if (has_camera_ && !fitted_) {
        const scene::Camera kept = view().clamped(camera_);
        if (!(kept == camera_) && !animating()) show_camera(kept);
        return;
    }
    if (animating()) return;
    fitted_ = true;
    has_camera_ = true;
    show_camera(fitting_camera());
}

void GridCanvas::show_camera(const scene::Camera& camera) {
    if (camera == camera_) return;
    camera_ = camera;
    emit cameraChanged();
    redraw();
}

void GridCanvas::move_camera(const scene::Camera& wanted, bool glide, bool fitted) {
    has_camera_ = true;
    fitted_ = fitted;
    motion_.stop();
    target_ = wanted;
    if (!glide || reduce_motion_ || !can_draw() || camera_ == wanted) {
        show_camera(wanted);
        if (pointer_inside_ && !cursor_by_key_) hover_at(pointer_);
        return;
    }
    motion_from_ = camera_;
    motion_.start();
}

GridCamera GridCanvas::camera() const {
    return scene::Camera{camera_.origin_row, camera_.origin_col, camera_.zoom * dp()};
}

void GridCanvas::setCamera(const GridCamera& camera) {
    if (!grid() || camera == this->camera()) return;
    scene::Camera wanted = camera.camera();
    wanted.zoom /= dp();
    motion_.stop();
    has_camera_ = true;
    fitted_ = false;
    show_camera(layout().area.w > 0 ? view().clamped(wanted) : wanted);
}

double GridCanvas::zoom() const { return grid() ? view().element_px() * dp() : 0; }

void GridCanvas::setZoom(double zoom) {
    const double now = this->zoom();
    if (!grid() || !(zoom > 0) || !(now > 0) || zoom == now) return;
    const scene::Rect& area = layout().area;
    move_camera(view().zoomed_at({area.w / 2, area.h / 2}, zoom / now), false);
}

GridCell GridCanvas::cellAt(const QPointF& point) const {
    if (!grid() || !has_camera()) return {};
    return view().cell_at(in_area(point)).value_or(scene::Cell{});
}

QRectF GridCanvas::cellRect(const GridCell& cell) const {
    if (!grid() || !cell.valid()) return {};
    const scene::Rect r = view().rect_of(cell.cell());
    const QPointF corner = area().topLeft();
    return {corner + item({r.x, r.y}), QSizeF(r.w, r.h) * dp()};
}

void GridCanvas::fit() {
    if (grid()) move_camera(fitting_camera(), true, true);
}

void GridCanvas::resetZoom() {
    if (!grid()) return;
    const scene::Cell anchor = shown_hover();
    const scene::Rect& area = layout().area;
    scene::Point at{area.w / 2, area.h / 2};
    if (anchor.valid()) {
        const scene::Rect r = view().rect_of(anchor);
        if (r.x >= 0 && r.y >= 0 && r.right() <= area.w && r.bottom() <= area.h) at = {r.x + r.w / 2, r.y + r.h / 2};
    }
    move_camera(view().zoomed_at(at, kCellStep / zoom()), true);
}

void GridCanvas::zoomBy(double factor) { zoomAt(area().center(), factor); }

void GridCanvas::zoomAt(const QPointF& point, double factor) {
    if (!grid() || !(factor > 0)) return;
    scene::GridView from = view();
    if (animating()) from.camera = target_; // quick repeats add up
    move_camera(from.zoomed_at(in_area(point), factor), true);
}

void GridCanvas::panBy(double dx, double dy) {
    if (grid()) move_camera(view().panned(dx / dp(), dy / dp()), false);
}

void GridCanvas::centreOn(const GridCell& cell) {
    if (grid() && cell.valid()) move_camera(view().centred_on(cell.cell()), true);
}

void GridCanvas::reveal(const GridCell& cell) {
    if (!grid() || !cell.valid()) return;
    const scene::Camera wanted = view().revealing(cell.cell(), kRevealMargin);
    if (!(wanted == camera_)) move_camera(wanted, true);
}

void GridCanvas::setLinkSide(scene::LinkSide side) {
    if (side == options_.link) return;
    options_.link = side;
    redraw();
}

void GridCanvas::set_link_point(std::optional<scene::Point> point) {
    const QPointF now = point ? item(*point) : QPointF(-1, -1);
    if (now == link_point_) return;
    link_point_ = now;
    emit linkPointChanged();
}

} // namespace ls::views
