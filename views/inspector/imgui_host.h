// A Qt Quick item that runs one Dear ImGui context: input, focus, clipboard, cursor, caret. Sub-classes draw widgets.
//
// ImGui needs several frames to settle after an event. They are all built at once, and the window draws only when the
// outcome differs from what it shows: an idle panel, or a pointer over nothing, costs no frame.
//
// QML, beside ImGuiSurface's:
//   textInput     bool   a text field has the keyboard: single-key shortcuts must wait (read only)
#pragma once

#include <QtCore/QTimer>

#include <functional>
#include <vector>

#include "views/inspector/imgui_input.h"
#include "views/inspector/imgui_surface.h"

struct ImGuiContext;

namespace ls::views {

class ImGuiHost : public ls::views::ImGuiSurface {
    Q_OBJECT
    QML_ANONYMOUS
    Q_PROPERTY(bool textInput READ textInput NOTIFY textInputChanged)
public:
    explicit ImGuiHost(QQuickItem* parent = nullptr);
    ~ImGuiHost() override;

    bool textInput() const { return text_input_; }
    QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;

signals:
    void textInputChanged();

protected:
    /// ImGui calls, inside a window that fills the item. Runs several times an event; may not emit signals, see
    /// later().
    virtual void widgets() = 0;
    /// Runs `action` once this frame is over and ImGui's state is put away: for emitting signals.
    void later(std::function<void()> action) { actions_.push_back(std::move(action)); }
    /// Design points to device pixels.
    float px(double points) const { return static_cast<float>(points * unit()); }
    /// The keyboard reached the item otherwise than by a click.
    bool keyboard_focus() const { return keyboard_focus_; }
    /// Keys that reach widgets() although no text field is active; others go on to QML.
    virtual bool wants_key(const QKeyEvent& event) const;
    /// A key that the panel handles itself, before ImGui sees it.
    virtual bool handle_key(const QKeyEvent&) { return false; }
    /// The same while a text field is active.
    virtual bool handle_text_key(const QKeyEvent&) { return false; }
    /// Ends an active text field.
    void leave_text() { drop_focus_ = true; }
    /// Builds ImGui's frames soon, before the next frame of the window.
    void tick();

    void build(ImGuiFrame& frame) override;
    void look_changed() override;

    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override { mousePressEvent(event); }
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseUngrabEvent() override;
    void hoverEnterEvent(QHoverEvent* event) override { hoverMoveEvent(event); }
    void hoverMoveEvent(QHoverEvent* event) override;
    void hoverLeaveEvent(QHoverEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    bool run_frame();
    void after_frames();
    QPointF pixels(QPointF item) const { return item * dpr(); }

    ImGuiContext* context_ = nullptr;
    ImGuiInput input_;
    QTimer caret_;
    std::vector<std::function<void()>> actions_;
    QPointF last_hover_{-1, -1};
    qint64 last_frame_ns_ = 0;
    Qt::CursorShape shape_ = Qt::ArrowCursor;
    bool text_input_ = false, tick_queued_ = false, drop_focus_ = false, restyle_ = true, keyboard_focus_ = false;
};

} // namespace ls::views
