#include "views/inspector/imgui_input.h"

#include <QtGui/QKeyEvent>

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <iterator>

namespace ls::views {
namespace {

// Slots of ImGuiIO::KeysDown: letters and digits at their own code, the others from 256 on.
enum Slot {
    kTab = 256,
    kLeft,
    kRight,
    kUp,
    kDown,
    kPageUp,
    kPageDown,
    kHome,
    kEnd,
    kInsert,
    kDelete,
    kBackspace,
    kSpace,
    kEnter,
    kEscape,
    kKeypadEnter
};

int slot_of(int key) {
    switch (key) {
    case Qt::Key_Tab:
    case Qt::Key_Backtab: return kTab;
    case Qt::Key_Left: return kLeft;
    case Qt::Key_Right: return kRight;
    case Qt::Key_Up: return kUp;
    case Qt::Key_Down: return kDown;
    case Qt::Key_PageUp: return kPageUp;
    case Qt::Key_PageDown: return kPageDown;
    case Qt::Key_Home: return kHome;
    case Qt::Key_End: return kEnd;
    case Qt::Key_Insert: return kInsert;
    case Qt::Key_Delete: return kDelete;
    case Qt::Key_Backspace: return kBackspace;
    case Qt::Key_Space: return kSpace;
    case Qt::Key_Return: return kEnter;
    case Qt::Key_Enter: return kKeypadEnter;
    case Qt::Key_Escape: return kEscape;
    default: return key >= Qt::Key_0 && key <= Qt::Key_Z ? key : -1;
    }
}

int button_of(Qt::MouseButton button) {
    return button == Qt::LeftButton ? 0 : button == Qt::RightButton ? 1 : button == Qt::MiddleButton ? 2 : -1;
}

enum Modifier { kCtrl = 1, kShift = 2, kAlt = 4, kSuper = 8 };

} // namespace

void ImGuiInput::map_keys(ImGuiIO& io) {
    static constexpr int kMap[][2] = {{ImGuiKey_Tab, kTab},
                                      {ImGuiKey_LeftArrow, kLeft},
                                      {ImGuiKey_RightArrow, kRight},
                                      {ImGuiKey_UpArrow, kUp},
                                      {ImGuiKey_DownArrow, kDown},
                                      {ImGuiKey_PageUp, kPageUp},
                                      {ImGuiKey_PageDown, kPageDown},
                                      {ImGuiKey_Home, kHome},
                                      {ImGuiKey_End, kEnd},
                                      {ImGuiKey_Insert, kInsert},
                                      {ImGuiKey_Delete, kDelete},
                                      {ImGuiKey_Backspace, kBackspace},
                                      {ImGuiKey_Space, kSpace},
                                      {ImGuiKey_Enter, kEnter},
                                      {ImGuiKey_Escape, kEscape},
                                      {ImGuiKey_KeyPadEnter, kKeypadEnter},
                                      {ImGuiKey_A, 'A'},
                                      {ImGuiKey_C, 'C'},
                                      {ImGuiKey_V, 'V'},
                                      {ImGuiKey_X, 'X'},
                                      {ImGuiKey_Y, 'Y'},
                                      {ImGuiKey_Z, 'Z'}};
    for (const auto& pair : kMap) io.KeyMap[pair[0]] = pair[1];
}

void ImGuiInput::move(QPointF at) {
    queue_.push_back({Event::Kind::Move, static_cast<float>(at.x()), static_cast<float>(at.y()), 0, false, {}});
}
void ImGuiInput::leave() { queue_.push_back({Event::Kind::Leave, 0, 0, 0, false, {}}); }

void ImGuiInput::button(Qt::MouseButton button, bool down) {
    if (const int code = button_of(button); code >= 0) queue_.push_back({Event::Kind::Button, 0, 0, code, down, {}});
}

void ImGuiInput::release_buttons() {
    for (int code = 0; code < 3; ++code) queue_.push_back({Event::Kind::Button, 0, 0, code, false, {}});
}

void ImGuiInput::wheel(double lines_x, double lines_y) {
    queue_.push_back({Event::Kind::Wheel, static_cast<float>(lines_x), static_cast<float>(lines_y), 0, false, {}});
}

void ImGuiInput::key(const QKeyEvent& event, bool down) {
    const Qt::KeyboardModifiers held = event.modifiers();
    const int modifiers = (held & Qt::ControlModifier ? kCtrl : 0) | (held & Qt::ShiftModifier ? kShift : 0) |
                          (held & Qt::AltModifier ? kAlt : 0) | (held & Qt::MetaModifier ? kSuper : 0);
    queue_.push_back({Event::Kind::Modifiers, 0, 0, modifiers, false, {}});
    if (event.isAutoRepeat()) { // the window system repeats; ImGui's own timer never runs in an idle window
        if (down)
            if (const int slot = slot_of(event.key()); slot >= 0)
                queue_.push_back({Event::Kind::Key, 0, 0, slot, false, {}});
        if (!down) return;
    }
    if (const int slot = slot_of(event.key()); slot >= 0) queue_.push_back({Event::Kind::Key, 0, 0, slot, down, {}});
    const QString typed = event.text();
    if (down && !typed.isEmpty() && typed.at(0).isPrint() && !(held & (Qt::ControlModifier | Qt::AltModifier)))
        text(typed.toUtf8());
}

void ImGuiInput::text(const QByteArray& utf8) { queue_.push_back({Event::Kind::Text, 0, 0, 0, false, utf8}); }

bool ImGuiInput::apply(ImGuiIO& io) {
    bool changed = false, wheeled = false, moved = false;
    while (!queue_.empty()) {
        const Event& event = queue_.front();
        const bool transition = event.kind == Event::Kind::Button || event.kind == Event::Kind::Key;
        const bool movement =
            event.kind == Event::Kind::Leave ||
            (event.kind == Event::Kind::Move && (event.x != io.MousePos.x || event.y != io.MousePos.y));
        // A click belongs to where the pointer was; so does a turn of the wheel.
        if (changed &&
            (transition || movement || event.kind == Event::Kind::Modifiers || event.kind == Event::Kind::Text))
            return true;
        if (wheeled && movement) return true;
        // A drag ends where the pointer went before the button rose.
        if (moved && event.kind == Event::Kind::Button && !event.down && io.MouseDown[event.code]) return true;
        switch (event.kind) {
        case Event::Kind::Move: io.MousePos = {event.x, event.y}, moved = moved || movement; break;
        case Event::Kind::Leave: io.MousePos = {-FLT_MAX, -FLT_MAX}; break;
        case Event::Kind::Button: io.MouseDown[event.code] = event.down, changed = true; break;
        case Event::Kind::Wheel: io.MouseWheelH += event.x, io.MouseWheel += event.y, wheeled = true; break;
        case Event::Kind::Key: io.KeysDown[event.code] = event.down, changed = true; break;
        case Event::Kind::Modifiers:
            io.KeyCtrl = event.code & kCtrl, io.KeyShift = event.code & kShift;
            io.KeyAlt = event.code & kAlt, io.KeySuper = event.code & kSuper;
            break;
        case Event::Kind::Text: io.AddInputCharactersUTF8(event.utf8.constData()); break;
        }
        queue_.pop_front();
    }
    return false;
}

void ImGuiInput::drop_keys(ImGuiIO& io) {
    std::erase_if(queue_, [](const Event& e) {
        return e.kind == Event::Kind::Key || e.kind == Event::Kind::Text || e.kind == Event::Kind::Modifiers;
    });
    std::fill(std::begin(io.KeysDown), std::end(io.KeysDown), false);
    io.KeyCtrl = io.KeyShift = io.KeyAlt = io.KeySuper = false;
}

} // namespace ls::views
