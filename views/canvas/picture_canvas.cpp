#include "views/canvas/picture_canvas.h"

#include <QtGui/QCursor>
#include <QtGui/QGuiApplication>
#include <QtGui/QKeyEvent>
#include <QtGui/QStyleHints>

#include <algorithm>
#include <cmath>

#include "views/accessible.h"

namespace ls::views {
namespace {

constexpr double kZoomMin = 0.05, kZoomMax = 16;
constexpr double kLinePoints = 48; // scrolled by one notch of the wheel

} // namespace

PictureCanvas::PictureCanvas(QQuickItem* parent) : ImGuiSurface(parent) {
    setAcceptedMouseButtons(Qt::LeftButton | Qt::RightButton | Qt::MiddleButton);
    setAcceptHoverEvents(true);
}

void PictureCanvas::componentComplete() {
    ImGuiSurface::componentComplete();
    set_accessible_role(*this, QStringLiteral("Graphic"));
    set_accessible_text(*this, describe(), {});
}

void PictureCanvas::setPicture(const PictureHandle& picture) {
    if (picture == picture_) return;
    const double was = hovered() ? hoveredId() : std::numeric_limits<double>::quiet_NaN();
    images_.clear();
    hovered_ = -1;
    picture_ = picture;
    hovered_ = region_of(was);
    setImplicitSize(picture_.width() * dp(), picture_.height() * dp());
    setActiveFocusOnTab(region_count() > 0);
    scroll_ = scrolled(scroll_);
    emit pictureChanged();
    emit hoveredChanged();
    redraw();
}

void PictureCanvas::look_changed() {
    images_.clear();
    setImplicitSize(picture_.width() * dp(), picture_.height() * dp());
    scroll_ = scrolled(scroll_);
}

void PictureCanvas::setFit(Fit fit) {
    if (fit == fit_) return;
    fit_ = fit;
    scroll_ = scrolled(scroll_);
    emit fitChanged();
    redraw();
}

void PictureCanvas::setZoom(double zoom) {
    zoom = std::clamp(zoom, kZoomMin, kZoomMax);
    if (zoom == zoom_) return;
    zoom_ = zoom;
    scroll_ = scrolled(scroll_);
    emit placeChanged();
    redraw();
}

void PictureCanvas::setZoomable(bool on) {
    if (on == zoomable_) return;
    zoomable_ = on;
    emit zoomableChanged();
}

void PictureCanvas::setSelectedId(double id) {
    if (id == selected_ || (std::isnan(id) && std::isnan(selected_))) return;
    selected_ = id;
    emit selectedIdChanged();
    redraw();
}

void PictureCanvas::setHighlightedId(double id) {
    if (id == highlighted_ || (std::isnan(id) && std::isnan(highlighted_))) return;
    highlighted_ = id;
    emit highlightedIdChanged();
    redraw();
}

double PictureCanvas::scale() const {
    const double base = zoom_ * dp();
    if (!content() || picture_.width() <= 0 || picture_.height() <= 0) return base;
    const double wide = width() / picture_.width(), high = height() / picture_.height();
    return fit_ == FitWidth ? zoom_ * wide : fit_ == FitAll ? zoom_ * std::min(wide, high) : base;
}

QPointF PictureCanvas::scrolled(QPointF wanted) const {
    const double w = picture_.width() * scale(), h = picture_.height() * scale();
    return {std::clamp(wanted.x(), 0.0, std::max(0.0, w - width())),
            std::clamp(wanted.y(), 0.0, std::max(0.0, h - height()))};
}

QPointF PictureCanvas::corner() const {
    QPointF at = -scroll_;
    if (fit_ == FitAll)
        at += {std::max(0.0, (width() - picture_.width() * scale()) / 2),
               std::max(0.0, (height() - picture_.height() * scale()) / 2)};
    return {std::round(at.x() * dpr()) / dpr(), std::round(at.y() * dpr()) / dpr()}; // or every line would blur
}

QRectF PictureCanvas::placed(const scene::Rect& rect) const {
    return {corner() + QPointF(rect.x, rect.y) * scale(), QSizeF(rect.w, rect.h) * scale()};
}

int PictureCanvas::region_at(QPointF point) const {
    if (!content()) return -1;
    const QPointF p = (point - corner()) / scale();
    const scene::HitRegion* hit = content()->hit({p.x(), p.y()});
    return hit ? static_cast<int>(hit - content()->hits.data()) : -1;
}

int PictureCanvas::region_of(double id) const {
    for (int i = 0; i < region_count(); ++i)
        if (static_cast<double>(region(i).id) == id) return i;
    return -1;
}

QRectF PictureCanvas::regionRect(double id) const {
    const int index = region_of(id);
    return index >= 0 ? placed(region(index).rect) : QRectF();
}

void PictureCanvas::reveal(double id) { reveal_region(region_of(id)); }

void PictureCanvas::reveal_region(int index) {
    if (index < 0) return;
    const QRectF r = placed(region(index).rect);
    const auto shift = [](double low, double high, double seen) {
        return low < 0 ? low : high > seen ? std::min(low, high - seen) : 0.0;
    };
    scroll_to(scroll_ + QPointF(shift(r.left(), r.right(), width()), shift(r.top(), r.bottom(), height())));
}

void PictureCanvas::scroll_to(QPointF scroll) {
    scroll = scrolled(scroll);
    if (scroll == scroll_) return;
    scroll_ = scroll;
    emit placeChanged();
    redraw();
}

void PictureCanvas::set_hovered(int index) {
    if (index == hovered_) return;
    hovered_ = index;
    if (index < 0 || dragging_)
        unsetCursor();
    else
        setCursor(Qt::PointingHandCursor);
    emit hoveredChanged();
    set_accessible_text(*this, describe(), {});
    redraw();
}

void PictureCanvas::build(ImGuiFrame& frame) {
    if (!content()) return;
    ImGuiSheet sheet(fonts(), std::ceil(width() * dpr()), std::ceil(height() * dpr()));
    DrawListPainter painter(sheet, frame, fonts(), theme(), &images_);
    painter.draw(content()->list, {corner().x() / dp(), corner().y() / dp()}, scale() / dp());

    scene::DrawList marks;
    const auto edge = [&](const QRectF& r, scene::Role role, double out) {
        marks.add(scene::StrokeRect{
            {r.x() / dp() - out, r.y() / dp() - out, r.width() / dp() + 2 * out, r.height() / dp() + 2 * out},
            {scene::ColorKey::role(role)},
            2,
            out > 0 ? 3.0 : 0.0});
    };
    for (int i = 0; i < region_count(); ++i) {
        const auto id = static_cast<double>(region(i).id);
        if (id == highlighted_) edge(placed(region(i).rect), scene::Role::HoverEdge, 0);
        if (id == selected_) edge(placed(region(i).rect), scene::Role::Selected, 0);
    }
    if (hasActiveFocus() && by_key_ && hovered()) edge(placed(region(hovered_).rect), scene::Role::Accent, 2);
    painter.draw(marks);
    frame.capture(sheet.list());
}

void PictureCanvas::geometryChange(const QRectF& now, const QRectF& before) {
    scroll_ = scrolled(scroll_);
    ImGuiSurface::geometryChange(now, before);
}

void PictureCanvas::hoverMoveEvent(QHoverEvent* event) {
    if (event->position() == pointer_) return; // sent again after every frame
    pointer_ = event->position();
    by_key_ = false;
    set_hovered(region_at(pointer_));
}

void PictureCanvas::hoverLeaveEvent(QHoverEvent*) {
    pointer_ = {-1, -1};
    if (!by_key_) set_hovered(-1);
}

void PictureCanvas::mousePressEvent(QMouseEvent* event) {
    const int index = region_at(event->position());
    if (event->button() == Qt::RightButton) {
        set_hovered(index);
        emit contextMenuRequested(hoveredId(), event->position());
        return;
    }
    if (index < 0 && !zoomable_) return event->ignore();
    if (activeFocusOnTab()) forceActiveFocus(Qt::MouseFocusReason);
    by_key_ = false;
    pressed_ = true;
    press_ = last_ = event->position();
}

void PictureCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_) return;
    if (!dragging_ && zoomable_ &&
        (event->position() - press_).manhattanLength() >= QGuiApplication::styleHints()->startDragDistance()) {
        dragging_ = true;
        setCursor(Qt::ClosedHandCursor);
    }
    if (dragging_) scroll_to(scroll_ - (event->position() - last_));
    last_ = event->position();
}

void PictureCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const bool click = pressed_ && !dragging_;
    end_drag();
    const int index = region_at(event->position());
    if (!click || index < 0 || index != region_at(press_) || event->button() != Qt::LeftButton) return;
    emit regionClicked(static_cast<double>(region(index).id), static_cast<int>(event->modifiers()));
}

void PictureCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const int index = region_at(event->position());
    if (index >= 0 && event->button() == Qt::LeftButton) emit regionActivated(static_cast<double>(region(index).id));
}

void PictureCanvas::end_drag() {
    pressed_ = false;
    if (std::exchange(dragging_, false)) unsetCursor();
}

void PictureCanvas::wheelEvent(QWheelEvent* event) {
    const QPointF notches = QPointF(event->angleDelta()) / 120.0;
    if (zoomable_ && event->modifiers() & Qt::ControlModifier) {
        const QPointF fixed = (event->position() - corner()) / scale();
        setZoom(zoom_ * std::pow(1.2, notches.y()));
        const QPointF moved = fixed * scale() + corner() - event->position();
        scroll_to(scroll_ + moved);
        return event->accept();
    }
    const bool sideways = event->modifiers() & Qt::ShiftModifier;
    const QPointF by = sideways ? QPointF(notches.y(), notches.x()) : notches;
    const QPointF before = scroll_;
    scroll_to(scroll_ - by * kLinePoints);
    event->setAccepted(scroll_ != before);
}

void PictureCanvas::keyPressEvent(QKeyEvent* event) {
    const int count = region_count();
    if (count == 0 || event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) return event->ignore();
    int next = hovered_;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down: next = (hovered_ + 1) % count; break;
    case Qt::Key_Left:
    case Qt::Key_Up: next = hovered_ <= 0 ? count - 1 : hovered_ - 1; break;
    case Qt::Key_Home: next = 0; break;
    case Qt::Key_End: next = count - 1; break;
    case Qt::Key_Space:
        if (hovered_ < 0) return event->ignore();
        emit regionClicked(hoveredId(), 0);
        return event->accept();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (hovered_ < 0) return event->ignore();
        emit regionActivated(hoveredId());
        return event->accept();
    default: return event->ignore();
    }
    by_key_ = true;
    set_hovered(next);
    reveal_region(hovered_);
    event->accept();
}

void PictureCanvas::focusInEvent(QFocusEvent* event) {
    by_key_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
              event->reason() == Qt::ShortcutFocusReason;
    if (by_key_ && hovered_ < 0 && region_count() > 0) set_hovered(0);
    ImGuiSurface::focusInEvent(event);
    redraw();
}

void PictureCanvas::focusOutEvent(QFocusEvent* event) {
    if (std::exchange(by_key_, false)) set_hovered(region_at(pointer_));
    ImGuiSurface::focusOutEvent(event);
    redraw();
}

} // namespace ls::views
