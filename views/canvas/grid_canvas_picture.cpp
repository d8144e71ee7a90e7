// What a grid canvas shows: the cells' image below, lines, labels and marks above.
#include <QtQuick/QQuickWindow>
#include <QtQuick/QSGImageNode>
#include <QtQuick/QSGNode>
#include <QtQuick/QSGTexture>

#include <cmath>
#include <variant>

#include "core/scene/grid_draw.h"
#include "core/scene/metrics.h"
#include "views/canvas/draw_list_to_imgui.h"
#include "views/canvas/grid_canvas.h"

namespace ls::views {
namespace {

/// The cells' image, cut to the area of the cells.
struct CellsNode : QSGClipNode {
    QSGGeometry clip{QSGGeometry::defaultAttributes_Point2D(), 4};
    QSGImageNode* image = nullptr;
    quint64 revision = 0;
    QSize size;
    CellsNode() {
        setIsRectangular(true);
        setGeometry(&clip);
    }
};

/// Where the curve to the other picture ends: at the pill of the hovered row, which stands left of the cells.
std::optional<scene::Point> beside_pill(const scene::GridDrawing& drawing, scene::LinkSide side) {
    std::optional<scene::Point> link = drawing.geometry.link;
    if (!link || side != scene::LinkSide::Left) return link;
    for (const scene::Mark& mark : drawing.list.marks) {
        const auto* plate = std::get_if<scene::FillRect>(&mark);
        if (!plate || !(plate->fill.color == scene::ColorKey::role(scene::Role::Plate))) continue;
        const scene::Rect& r = plate->rect;
        if (r.right() <= drawing.geometry.picture.x && r.y <= link->y && r.bottom() >= link->y) link->x = r.x;
    }
    return link;
}

} // namespace

void GridCanvas::geometryChange(const QRectF& now, const QRectF& before) {
    layout_.reset();
    ImGuiSurface::geometryChange(now, before);
}

void GridCanvas::look_changed() {
    layout_.reset();
    keep_cell_size();
}

/// Text grows with dp, cells keep their size on the screen.
void GridCanvas::keep_cell_size() {
    const double before = std::exchange(laid_out_dp_, dp());
    if (before == dp() || !has_camera_ || fitted_) return;
    motion_.stop();
    camera_.zoom *= before / dp();
    emit cameraChanged();
}

scene::GridFocus GridCanvas::focus_of_picture() const {
    scene::GridFocus focus;
    focus.hover = shown_hover();
    for (const GridCell& cell : linked_)
        if (cell.cell() != focus.hover) focus.also_hover.push_back(cell.cell());
    // The element's other copies in this very picture: what the partner's cells link back to.
    if (hover_.valid() && partner_ && partner_->grid() && partner_->grid()->cells) {
        for (const scene::Cell& there : hover_links_)
            for (const scene::Cell& back : partner_->grid()->cells->linked(there))
                if (back != focus.hover) focus.also_hover.push_back(back);
    }
    for (const GridPin& pin : pins_) focus.pins.emplace_back(pin.cell.cell(), pin.number);
    for (const GridCell& cell : selection_) focus.selected.push_back(cell.cell());
    focus.label = static_cast<scene::CellLabel>(label());
    focus.keyboard_focus = hasActiveFocus() && focus_by_key_;
    return focus;
}

void GridCanvas::build(ImGuiFrame& frame) {
    if (!grid()) return;
    ensure_camera();
    filler_.update(view(), grid()->cells, dark());
    scene::GridDrawing drawing = scene::draw_grid(*grid(), camera_, layout(), focus_of_picture(), fonts(), options_);
    if (window_.valid()) {
        scene::Rect r = drawing.geometry.view.rect_of(window_.rect());
        r.x += layout().area.x, r.y += layout().area.y;
        drawing.list.add(scene::PushClip{layout().area});
        drawing.list.add(scene::FillRect{r, {scene::ColorKey::role(scene::Role::Accent), 0.12F}});
        drawing.list.add(
            scene::StrokeRect{r, {scene::ColorKey::role(scene::Role::Selected)}, scene::Metrics::builtin().selected});
        drawing.list.add(scene::PopClip{});
    }
    ImGuiSheet sheet(fonts(), std::ceil(width() * dpr()), std::ceil(height() * dpr()));
    DrawListPainter(sheet, frame, fonts(), theme()).draw(drawing.list);
    frame.capture(sheet.list());
    set_link_point(beside_pill(drawing, options_.link));
}

QSGNode* GridCanvas::update_background(QSGNode* old) {
    auto* node = static_cast<CellsNode*>(old);
    const scene::CellImage& cells = filler_.image();
    if (!grid() || cells.pixels.empty() || cells.width <= 0) {
        delete node;
        return nullptr;
    }
    if (!node) node = new CellsNode;
    const QPointF snap = snap_offset();
    const QRectF clip = area().translated(snap);
    if (node->clipRect() != clip) {
        node->setClipRect(clip);
        QSGGeometry::updateRectGeometry(&node->clip, clip);
        node->markDirty(QSGNode::DirtyGeometry);
    }
    if (!node->image) {
        node->image = window()->createImageNode();
        node->image->setOwnsTexture(true);
        node->image->setFiltering(QSGTexture::Nearest);
        node->appendChildNode(node->image);
    }
    const QSize size(cells.width, cells.height);
    if (node->revision != filler_.revision() || node->size != size) {
        const QImage pixels(reinterpret_cast<const uchar*>(cells.pixels.data()), cells.width, cells.height,
                            cells.width * 4, QImage::Format_RGBX8888);
        node->image->setTexture(window()->createTextureFromImage(pixels.copy(), QQuickWindow::TextureIsOpaque));
        node->image->setSourceRect(QRectF(QPointF(), QSizeF(size)));
        node->revision = filler_.revision();
        node->size = size;
    }
    const scene::Rect r = filler_.image_rect();
    node->image->setRect(QRectF(clip.topLeft() + item({r.x, r.y}), QSizeF(r.w, r.h) * dp()));
    return node;
}

} // namespace ls::views
