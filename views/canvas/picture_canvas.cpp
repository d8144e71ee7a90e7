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
    const std::string was = hovered_ >= 0 ? content()->regions[static_cast<std::size_t>(hovered_)].id : std::string();
    images_.clear();
    picture_ = picture;
    hovered_ = was.empty() ? -1 : region_named(was);
    setImplicitSize(picture_.width(), picture_.height());
    setActiveFocusOnTab(content() && !content()->regions.empty());
    scroll_ = scrolled(scroll_);
    emit pictureChanged();
    emit hoveredChanged();
    redraw();
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

void PictureCanvas::setSelectedId(const QString& id) {
    if (id == selectedId()) return;
    selected_ = id.toStdString();
    emit selectedIdChanged();
    redraw();
}

void PictureCanvas::setHighlightedId(const QString& id) {
    if (id == highlightedId()) return;
    highlighted_ = id.toStdString();
    emit highlightedIdChanged();
    redraw();
}

QString PictureCanvas::hoveredId() const {
    return hovered_ >= 0 ? QString::fromStdString(content()->regions[static_cast<std::size_t>(hovered_)].id) : QString();
}

QString PictureCanvas::describe() const {
    return hovered_ >= 0 ? QString::fromStdString(content()->regions[static_cast<std::size_t>(hovered_)].describe) : QString();
}

double PictureCanvas::scale() const {
    if (!content() || content()->list.width <= 0 || content()->list.height <= 0) return zoom_;
    const double wide = width() / content()->list.width, high = height() / content()->list.height;
    return zoom_ * (fit_ == Width ? wide : fit_ == Contain ? std::min(wide, high) : 1);
}

QPointF PictureCanvas::scrolled(QPointF wanted) const {
    const double w = picture_.width() * scale(), h = picture_.height() * scale();
    return {std::clamp(wanted.x(), 0.0, std::max(0.0, w - width())), std::clamp(wanted.y(), 0.0, std::max(0.0, h - height()))};
}

QPointF PictureCanvas::corner() const {
    QPointF at = -scroll_;
    if (fit_ == Contain) at += {std::max(0.0, (width() - picture_.width() * scale()) / 2), std::max(0.0, (height() - picture_.height() * scale()) / 2)};
    const double unit = dpr() > 0 ? dpr() : 1; // whole device pixels, or every line would blur
    return {std::round(at.x() * unit) / unit, std::round(at.y() * unit) / unit};
}

scene::Rect PictureCanvas::placed(const scene::Rect& rect) const {
    const double s = scale();
    return {rect.x * s + corner().x(), rect.y * s + corner().y(), rect.w * s, rect.h * s};
}

int PictureCanvas::region_at(QPointF point) const {
    if (!content()) return -1;
    const QPointF p = (point - corner()) / scale();
    for (std::size_t i = content()->regions.size(); i-- > 0;)
        if (content()->regions[i].rect.contains({p.x(), p.y()})) return static_cast<int>(i);
    return -1;
}

int PictureCanvas::region_named(const std::string& id) const {
    if (!content() || id.empty()) return -1;
    for (std::size_t i = 0; i < content()->regions.size(); ++i)
        if (content()->regions[i].id == id) return static_cast<int>(i);
    return -1;
}

QRectF PictureCanvas::regionRect(const QString& id) const {
    const int index = region_named(id.toStdString());
    if (index < 0) return {};
    const scene::Rect r = placed(content()->regions[static_cast<std::size_t>(index)].rect);
    return {r.x, r.y, r.w, r.h};
}

void PictureCanvas::reveal(const QString& id) {
    const QRectF r = regionRect(id);
    if (r.isNull()) return;
    const auto shift = [](double low, double high, double seen) { return low < 0 ? low : high > seen ? std::min(low, high - seen) : 0.0; };
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
    if (index < 0 || dragging_) unsetCursor();
    else setCursor(Qt::PointingHandCursor);
    emit hoveredChanged();
    set_accessible_text(*this, describe(), {});
    redraw();
}

void PictureCanvas::build(ImGuiFrame& frame) {
    if (!content()) return;
    ImGuiSheet sheet(fonts(), std::ceil(width() * dpr()), std::ceil(height() * dpr()));
    DrawListPainter painter(sheet, frame, fonts(), theme(), &images_);
    painter.draw(content()->list, {corner().x(), corner().y()}, scale());

    scene::DrawList marks;
    const auto edge = [&](int index, scene::Role role, double width, double out) {
        if (index < 0) return;
        const scene::Rect r = placed(content()->regions[static_cast<std::size_t>(index)].rect);
        marks.add(scene::StrokeRect{{r.x - out, r.y - out, r.w + 2 * out, r.h + 2 * out}, {scene::ColorKey::role(role)}, width, out > 0 ? 3.0 : 0.0});
    };
    edge(region_named(highlighted_), scene::Role::HoverEdge, 2, 0);
    edge(region_named(selected_), scene::Role::Selected, 2, 0);
    if (hasActiveFocus() && by_key_) edge(hovered_, scene::Role::Accent, 2, 2);
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
    if (!dragging_ && zoomable_ && (event->position() - press_).manhattanLength() >= QGuiApplication::styleHints()->startDragDistance()) {
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
    emit regionClicked(QString::fromStdString(content()->regions[static_cast<std::size_t>(index)].id), static_cast<int>(event->modifiers()));
}

void PictureCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const int index = region_at(event->position());
    if (index >= 0 && event->button() == Qt::LeftButton) emit regionActivated(QString::fromStdString(content()->regions[static_cast<std::size_t>(index)].id));
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
    const int count = content() ? static_cast<int>(content()->regions.size()) : 0;
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
    reveal(hoveredId());
    event->accept();
}

void PictureCanvas::focusInEvent(QFocusEvent* event) {
    by_key_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason || event->reason() == Qt::ShortcutFocusReason;
    if (by_key_ && hovered_ < 0 && content() && !content()->regions.empty()) set_hovered(0);
    ImGuiSurface::focusInEvent(event);
    redraw();
}

void PictureCanvas::focusOutEvent(QFocusEvent* event) {
    if (std::exchange(by_key_, false)) set_hovered(region_at(pointer_));
    ImGuiSurface::focusOutEvent(event);
    redraw();
}

} // namespace ls::views
