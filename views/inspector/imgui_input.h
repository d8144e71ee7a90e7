// Qt events to Dear ImGui's polled state. ImGui before 1.87 looks at which buttons and keys are down once a frame, so a
// press and its release must fall into different frames: this queue hands out at most one such change a frame.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QPointF>
#include <QtCore/Qt>

#include <deque>

class QKeyEvent;
struct ImGuiIO;

namespace ls::views {

class ImGuiInput {
public:
    /// Tells ImGui which slot of KeysDown stands for which key; once per context.
    static void map_keys(ImGuiIO& io);

    void move(QPointF device_pixels);
    void leave();
    void button(Qt::MouseButton button, bool down);
    void release_buttons();
    void wheel(double lines_x, double lines_y);
    void key(const QKeyEvent& event, bool down);
    void text(const QByteArray& utf8);

    bool empty() const { return queue_.empty(); }
    /// Moves events into `io` up to the first that needs a frame of its own; true when some are left.
    bool apply(ImGuiIO& io);
    /// All keys up and nothing queued: the item lost the focus.
    void drop_keys(ImGuiIO& io);

private:
    struct Event {
        enum class Kind { Move, Leave, Button, Wheel, Modifiers, Key, Text } kind;
        float x = 0, y = 0;
        int code = 0;
        bool down = false;
        QByteArray utf8;
    };
    std::deque<Event> queue_;
};

} // namespace ls::views
