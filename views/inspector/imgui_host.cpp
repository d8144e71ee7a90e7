#include "views/inspector/imgui_host.h"

#include <QtGui/QClipboard>
#include <QtGui/QCursor>
#include <QtGui/QGuiApplication>
#include <QtGui/QInputMethod>
#include <QtGui/QKeyEvent>

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "views/inspector/imgui_style.h"

namespace ls::views {
namespace {

constexpr int kSettleFrames = 3; // layout and hover follow input by two frames
constexpr int kMaxFrames = 64;   // events beyond that wait for the next turn of the event loop
constexpr int kCaretMs = 400;

/// ImGui keeps its context in one global: never leave ours behind.
class ContextScope {
public:
    explicit ContextScope(ImGuiContext* context) : previous_(ImGui::GetCurrentContext()) {
        ImGui::SetCurrentContext(context);
    }
    ~ContextScope() { ImGui::SetCurrentContext(previous_); }
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;

private:
    ImGuiContext* previous_;
};

qint64 now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Qt::CursorShape shape_of(int cursor) {
    switch (cursor) {
    case ImGuiMouseCursor_TextInput: return Qt::IBeamCursor;
    case ImGuiMouseCursor_ResizeAll: return Qt::SizeAllCursor;
    case ImGuiMouseCursor_ResizeNS: return Qt::SizeVerCursor;
    case ImGuiMouseCursor_ResizeEW: return Qt::SizeHorCursor;
    case ImGuiMouseCursor_ResizeNESW: return Qt::SizeBDiagCursor;
    case ImGuiMouseCursor_ResizeNWSE: return Qt::SizeFDiagCursor;
    case ImGuiMouseCursor_Hand: return Qt::PointingHandCursor;
    case ImGuiMouseCursor_NotAllowed: return Qt::ForbiddenCursor;
    default: return Qt::ArrowCursor;
    }
}

bool is_clipboard_key(const QKeyEvent& event) {
    static constexpr int kKeys[] = {Qt::Key_A, Qt::Key_C, Qt::Key_V, Qt::Key_X, Qt::Key_Y, Qt::Key_Z};
    return std::find(std::begin(kKeys), std::end(kKeys), event.key()) != std::end(kKeys);
}

} // namespace

ImGuiHost::ImGuiHost(QQuickItem* parent) : ImGuiSurface(parent) {
    setFlag(ItemAcceptsInputMethod);
    setActiveFocusOnTab(true);
    setAcceptedMouseButtons(Qt::LeftButton | Qt::RightButton | Qt::MiddleButton);
    setAcceptHoverEvents(true);

    const ContextScope none(nullptr); // CreateContext() makes itself current only when none is
    static ImFontAtlas placeholder;   // a shared atlas: the context must never own, and delete, the one of ImGuiFonts
    context_ = ImGui::CreateContext(&placeholder);
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendPlatformName = "qtquick";
    io.BackendRendererName = "scene graph";
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset | ImGuiBackendFlags_HasMouseCursors;
    io.ConfigInputTextCursorBlink = true;
    io.SetClipboardTextFn = [](void*, const char* text) {
        QGuiApplication::clipboard()->setText(QString::fromUtf8(text));
    };
    io.GetClipboardTextFn = [](void*) -> const char* {
        static QByteArray keep;
        keep = QGuiApplication::clipboard()->text().toUtf8();
        return keep.constData();
    };
    ImGuiInput::map_keys(io);
    caret_.setInterval(kCaretMs);
    connect(&caret_, &QTimer::timeout, this, [this] { rebuild_now(); });
}

ImGuiHost::~ImGuiHost() { ImGui::DestroyContext(context_); }

void ImGuiHost::look_changed() { restyle_ = true; }

void ImGuiHost::tick() {
    if (std::exchange(tick_queued_, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            tick_queued_ = false;
            rebuild_now();
        },
        Qt::QueuedConnection);
}

bool ImGuiHost::run_frame() {
    ImGuiIO& io = ImGui::GetIO();
    const qint64 now = now_ns();
    io.DeltaTime =
        last_frame_ns_ ? std::clamp(static_cast<float>(now - last_frame_ns_) * 1e-9F, 1e-4F, 60.0F) : 1.0F / 60;
    last_frame_ns_ = now;
    const bool more = input_.apply(io);
    ImGui::NewFrame();
    if (std::exchange(drop_focus_, false)) ImGui::SetWindowFocus(nullptr); // also ends an active text field
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("##host", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavInputs |
                     ImGuiWindowFlags_NoScrollWithMouse);
    widgets();
    ImGui::End();
    ImGui::Render();
    return more;
}

void ImGuiHost::build(ImGuiFrame& frame) {
    bool more = false;
    {
        const ContextScope scope(context_);
        ImGuiIO& io = ImGui::GetIO();
        io.Fonts = fonts().atlas();
        io.DisplaySize = {static_cast<float>(std::ceil(width() * dpr())),
                          static_cast<float>(std::ceil(height() * dpr()))};
        if (std::exchange(restyle_, false)) apply_style(theme(), unit());
        int settle = kSettleFrames;
        for (int i = 0; i < kMaxFrames && settle > 0; ++i) {
            more = run_frame();
            settle = more ? kSettleFrames : settle - 1;
        }
        frame.capture(*ImGui::GetDrawData());
        shape_ = shape_of(ImGui::GetMouseCursor());
        const bool wants_text = io.WantTextInput;
        if (wants_text != text_input_)
            later([this, wants_text] {
                text_input_ = wants_text;
                text_input_ ? caret_.start() : caret_.stop();
                QGuiApplication::inputMethod()->update(Qt::ImEnabled);
                emit textInputChanged();
            });
    }
    if (more) tick();
    after_frames();
}

void ImGuiHost::after_frames() {
    if (cursor().shape() != shape_) setCursor(shape_);
    for (const auto& action : std::exchange(actions_, {})) action();
}

bool ImGuiHost::wants_key(const QKeyEvent& event) const {
    return !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
}

bool ImGuiHost::event(QEvent* event) {
    // QML's single-key shortcuts would take what is typed into a text field.
    if (event->type() == QEvent::ShortcutOverride && text_input_) {
        const auto& key = *static_cast<QKeyEvent*>(event);
        const bool command = key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
        if (!command || is_clipboard_key(key)) {
            event->accept();
            return true;
        }
    }
    return ImGuiSurface::event(event);
}

void ImGuiHost::mousePressEvent(QMouseEvent* event) {
    forceActiveFocus(Qt::MouseFocusReason);
    keyboard_focus_ = false;
    input_.move(pixels(event->position()));
    input_.button(event->button(), true);
    tick();
    event->accept();
}

void ImGuiHost::mouseReleaseEvent(QMouseEvent* event) {
    input_.move(pixels(event->position()));
    input_.button(event->button(), false);
    tick();
}

void ImGuiHost::mouseMoveEvent(QMouseEvent* event) {
    input_.move(pixels(event->position()));
    tick();
}

void ImGuiHost::mouseUngrabEvent() {
    input_.release_buttons();
    tick();
}

void ImGuiHost::hoverMoveEvent(QHoverEvent* event) {
    // Qt Quick sends hover again after every frame in which an item changed; answering that would draw for ever.
    if (event->position() == last_hover_) return;
    last_hover_ = event->position();
    input_.move(pixels(last_hover_));
    tick();
}

void ImGuiHost::hoverLeaveEvent(QHoverEvent*) {
    last_hover_ = {-1, -1};
    input_.leave();
    tick();
}

void ImGuiHost::wheelEvent(QWheelEvent* event) {
    input_.move(pixels(event->position()));
    const bool sideways = event->modifiers() & Qt::ShiftModifier;
    const QPointF lines = QPointF(event->angleDelta()) / 120.0;
    input_.wheel(sideways ? lines.y() : lines.x(), sideways ? lines.x() : lines.y());
    tick();
    event->accept();
}

void ImGuiHost::keyPressEvent(QKeyEvent* event) {
    // Tab belongs to QML, or a text field would be a trap for the focus.
    const bool passes_by = event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab ||
                           (event->key() >= Qt::Key_F1 && event->key() <= Qt::Key_F35);
    if (!passes_by && (text_input_ ? handle_text_key(*event) : handle_key(*event))) {
        keyboard_focus_ = true;
        tick();
        event->accept();
        return;
    }
    if (passes_by || (text_input_ ? (event->modifiers() & Qt::ControlModifier) && !is_clipboard_key(*event) &&
                                        event->key() < Qt::Key_Escape
                                  : !wants_key(*event))) {
        event->ignore();
        return;
    }
    input_.key(*event, true);
    tick();
    event->accept();
}

void ImGuiHost::keyReleaseEvent(QKeyEvent* event) {
    input_.key(*event, false);
    tick();
    event->accept();
}

void ImGuiHost::inputMethodEvent(QInputMethodEvent* event) {
    if (!event->commitString().isEmpty()) {
        input_.text(event->commitString().toUtf8());
        tick();
    }
    event->accept();
}

QVariant ImGuiHost::inputMethodQuery(Qt::InputMethodQuery query) const {
    return query == Qt::ImEnabled ? QVariant(text_input_) : ImGuiSurface::inputMethodQuery(query);
}

void ImGuiHost::focusInEvent(QFocusEvent* event) {
    keyboard_focus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                      event->reason() == Qt::ShortcutFocusReason;
    ImGuiSurface::focusInEvent(event);
    tick();
}

void ImGuiHost::focusOutEvent(QFocusEvent* event) {
    {
        const ContextScope scope(context_);
        input_.drop_keys(ImGui::GetIO());
    }
    drop_focus_ = true;
    keyboard_focus_ = false;
    ImGuiSurface::focusOutEvent(event);
    tick();
}

} // namespace ls::views
