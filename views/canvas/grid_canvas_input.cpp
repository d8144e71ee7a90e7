// What pointer and keyboard do on a grid (design section 5).
#include <QtGui/QGuiApplication>
#include <QtGui/QKeyEvent>
#include <QtGui/QStyleHints>

#include <algorithm>
#include <cmath>

#include "views/canvas/grid_canvas.h"

namespace ls::views {
namespace {

constexpr double kWheelStep = 1.2; // zoom of one notch
constexpr double kWheelJump = 8;   // with Ctrl: about one level of a hierarchy
constexpr double kKeyStep = 1.25;
constexpr double kRevealMargin = 24;

bool is_arrow(int key) {
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

} // namespace

void GridCanvas::hover_at(QPointF point) {
    cursor_by_key_ = false;
    set_hover(cellAt(point).cell());
}

void GridCanvas::hoverMoveEvent(QHoverEvent* event) {
    // Qt sends hover again after every frame in which an item changed, at the same place.
    if (pointer_inside_ && event->position() == pointer_) return;
    pointer_ = event->position();
    pointer_inside_ = true;
    hover_at(pointer_);
}

void GridCanvas::hoverLeaveEvent(QHoverEvent*) {
    pointer_inside_ = false;
    pointer_ = {-1, -1};
    if (!cursor_by_key_) set_hover({});
}

void GridCanvas::mousePressEvent(QMouseEvent* event) {
    focus_by_key_ = false;
    forceActiveFocus(Qt::MouseFocusReason);
    pointer_ = event->position();
    if (event->button() == Qt::RightButton) {
        hover_at(pointer_);
        emit contextMenuRequested(hover_, pointer_);
        return;
    }
    press_ = last_ = pointer_;
    press_cell_ = cellAt(press_).cell();
    drag_ = Drag::Undecided;
}

void GridCanvas::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position();
    if (drag_ == Drag::Undecided) {
        if ((pointer_ - press_).manhattanLength() < QGuiApplication::styleHints()->startDragDistance()) return;
        const bool select =
            event->modifiers() & Qt::ShiftModifier && event->buttons() & Qt::LeftButton && press_cell_.valid();
        drag_ = select ? Drag::Select : Drag::Pan;
        if (drag_ == Drag::Pan) setCursor(Qt::ClosedHandCursor);
    }
    if (drag_ == Drag::Pan) {
        panBy(pointer_.x() - last_.x(), pointer_.y() - last_.y());
    } else if (drag_ == Drag::Select) {
        const QRectF cells = area();
        const QPointF inside(std::clamp(pointer_.x(), cells.left(), cells.right() - 1),
                             std::clamp(pointer_.y(), cells.top(), cells.bottom() - 1));
        const scene::GridView seen = view();
        const scene::Point p = in_area(inside);
        const scene::Cell here = clamped_cell(seen.camera.origin_row + p.y / seen.points_per_row(),
                                              seen.camera.origin_col + p.x / seen.points_per_col());
        setSelectedWindow(snapped_window(press_cell_, here, event->modifiers() & Qt::ControlModifier));
        hover_at(inside);
    }
    last_ = pointer_;
}

void GridCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag was = drag_;
    end_drag();
    pointer_ = event->position();
    if (was == Drag::Select) {
        emit windowSelected(window_);
    } else if (was == Drag::Undecided && event->button() == Qt::LeftButton) {
        const GridCell cell = cellAt(event->position());
        if (!cell.valid()) {
            if (window_.valid() || !selection_.isEmpty()) emit clearRequested();
            setSelectedWindow({});
        } else if (event->modifiers() & Qt::AltModifier) {
            emit cellAsked(cell);
        } else {
            setSelectedWindow({});
            emit cellClicked(cell, static_cast<int>(event->modifiers()));
        }
    }
}

void GridCanvas::end_drag() {
    drag_ = Drag::None;
    unsetCursor();
}

void GridCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return mousePressEvent(event);
    if (const GridCell cell = cellAt(event->position()); cell.valid()) emit pinRequested(cell);
}

void GridCanvas::mouseUngrabEvent() { end_drag(); }

void GridCanvas::wheelEvent(QWheelEvent* event) {
    const double notches = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
    event->accept();
    if (notches == 0 || !grid()) return;
    pointer_ = event->position();
    if (event->modifiers() & Qt::ShiftModifier) return panBy(notches * 48, 0);
    if (event->modifiers() & Qt::ControlModifier) return zoomAt(pointer_, std::pow(kWheelJump, notches));
    scene::GridView from = view();
    if (animating()) from.camera = target_;
    move_camera(from.zoomed_at(in_area(pointer_), std::pow(kWheelStep, notches)), false);
}

scene::CellRect GridCanvas::level_block(std::size_t level, scene::Cell cell) const {
    scene::CellRect block{cell.row, cell.col, 1, 1};
    if (level < grid()->levels.size()) {
        const scene::GridLevel& l = grid()->levels[level];
        block.rows = std::max<std::int64_t>(1, l.rows);
        block.cols = std::max<std::int64_t>(1, l.cols);
        block.row = cell.row / block.rows * block.rows;
        block.col = cell.col / block.cols * block.cols;
    }
    block.rows = std::min(block.rows, grid()->rows - block.row);
    block.cols = std::min(block.cols, grid()->cols - block.col);
    return block;
}

/// The window from `a` to `b`; snapped outwards to the finest level of which it spans more than one block.
scene::CellRect GridCanvas::snapped_window(scene::Cell a, scene::Cell b, bool free) const {
    const scene::Cell low{std::min(a.row, b.row), std::min(a.col, b.col)},
        high{std::max(a.row, b.row), std::max(a.col, b.col)};
    scene::CellRect window{low.row, low.col, high.row - low.row + 1, high.col - low.col + 1};
    if (free) return window;
    // Runs first; once the window is larger than an inner tile, whole tiles.
    const std::size_t tile = std::min<std::size_t>(1, grid()->levels.empty() ? 0 : grid()->levels.size() - 1);
    const scene::CellRect unit = level_block(tile, low);
    const std::size_t level = window.rows > unit.rows || window.cols > unit.cols ? tile : 0;
    const scene::CellRect first = level_block(level, low), last = level_block(level, high);
    return {first.row, first.col, last.row + last.rows - first.row, last.col + last.cols - first.col};
}

scene::Cell GridCanvas::clamped_cell(double row, double col) const {
    if (!grid() || grid()->rows <= 0 || grid()->cols <= 0) return {};
    const auto clamp = [](double at, std::int64_t count) {
        return static_cast<std::int64_t>(std::clamp(std::floor(at), 0.0, static_cast<double>(count - 1)));
    };
    return {clamp(row, grid()->rows), clamp(col, grid()->cols)};
}

void GridCanvas::moveCursor(double rows, double columns) {
    if (!grid()) return;
    const scene::Cell from = shown_hover();
    const scene::CellRect seen = view().visible();
    // Without a cursor the first key puts one where the picture begins.
    const scene::Cell to =
        from.valid() ? clamped_cell(static_cast<double>(from.row) + rows, static_cast<double>(from.col) + columns)
                     : clamped_cell(static_cast<double>(seen.row), static_cast<double>(seen.col));
    set_hover(to);
    cursor_by_key_ = true;
    const scene::Camera wanted = view().revealing(to, kRevealMargin);
    if (!(wanted == camera_)) move_camera(wanted, true, false);
}

void GridCanvas::step_cursor(int key, Qt::KeyboardModifiers modifiers) {
    double rows = 1, cols = 1;
    const auto& levels = grid()->levels;
    if (modifiers & Qt::ControlModifier && !levels.empty()) {
        rows = static_cast<double>(levels[0].rows);
        cols = static_cast<double>(levels[0].cols);
    } else if (modifiers & Qt::ShiftModifier && !levels.empty()) {
        const scene::GridLevel& tile = levels[std::min<std::size_t>(1, levels.size() - 1)];
        rows = static_cast<double>(tile.rows);
        cols = static_cast<double>(tile.cols);
    }
    moveCursor(key == Qt::Key_Up     ? -rows
               : key == Qt::Key_Down ? rows
                                     : 0,
               key == Qt::Key_Left    ? -cols
               : key == Qt::Key_Right ? cols
                                      : 0);
}

bool GridCanvas::event(QEvent* event) {
    // Keys that the picture uses win over a window's shortcuts while it has the focus.
    if (event->type() == QEvent::ShortcutOverride && grid()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (is_arrow(key->key()) && !(key->modifiers() & Qt::AltModifier)) {
            event->accept();
            return true;
        }
    }
    return ImGuiSurface::event(event);
}

void GridCanvas::keyPressEvent(QKeyEvent* event) {
    if (!grid()) return event->ignore();
    const GridCell cell = shown_hover();
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (is_arrow(event->key()) && !(modifiers & Qt::AltModifier)) {
        focus_by_key_ = true;
        step_cursor(event->key(), modifiers);
        return event->accept();
    }
    if (modifiers & ~Qt::ShiftModifier) return event->ignore();
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus: {
        const double factor = event->key() == Qt::Key_Minus ? 1 / kKeyStep : kKeyStep;
        const QRectF r = cellRect(cell);
        if (cell.valid() && area().contains(r.center()))
            zoomAt(r.center(), factor);
        else
            zoomBy(factor);
        break;
    }
    case Qt::Key_F: fit(); break;
    case Qt::Key_0: resetZoom(); break;
    case Qt::Key_P:
        if (!cell.valid()) return event->ignore();
        emit pinRequested(cell);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (!cell.valid()) return event->ignore();
        emit cellClicked(cell, static_cast<int>(modifiers));
        break;
    case Qt::Key_Menu:
        emit contextMenuRequested(cell, cell.valid() ? cellRect(cell).center() : QPointF(width() / 2, height() / 2));
        break;
    case Qt::Key_Escape:
        if (!window_.valid() && selection_.isEmpty()) return event->ignore();
        setSelectedWindow({});
        emit clearRequested();
        break;
    default: return event->ignore();
    }
    event->accept();
}

void GridCanvas::focusInEvent(QFocusEvent* event) {
    focus_by_key_ = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::ActiveWindowFocusReason &&
                    event->reason() != Qt::PopupFocusReason;
    ImGuiSurface::focusInEvent(event);
    redraw();
}

void GridCanvas::focusOutEvent(QFocusEvent* event) {
    if (std::exchange(cursor_by_key_, false) && !pointer_inside_) set_hover({});
    ImGuiSurface::focusOutEvent(event);
    redraw();
}

} // namespace ls::views
