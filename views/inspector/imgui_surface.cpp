#include "views/inspector/imgui_surface.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QScopedValueRollback>
#include <QtQuick/QQuickWindow>

#include <cmath>
#include <utility>

#include "views/inspector/imgui_node.h"

namespace ls::views {
namespace {

/// The item's root node: background first, picture above it. A transform, though it moves nothing: the software
/// renderer remembers the place of transform, clip and opacity nodes only, and would draw the children of others at (0,
/// 0).
struct SurfaceNode : QSGTransformNode {
    QSGNode* background = nullptr;
    ImGuiNode* picture = nullptr;
};

} // namespace

ImGuiSurface::ImGuiSurface(QQuickItem* parent) : QQuickItem(parent) { setFlag(ItemHasContents); }
ImGuiSurface::~ImGuiSurface() = default;

const scene::Theme& ImGuiSurface::theme() const {
    return scene::Theme::builtin(dark_ ? scene::Theme::Kind::Dark : scene::Theme::Kind::Light);
}

void ImGuiSurface::setDark(bool dark) {
    if (dark == dark_) return;
    dark_ = dark;
    look_changed();
    emit darkChanged();
    redraw();
}

void ImGuiSurface::setDp(double dp) {
    if (dp == dp_ || !(dp > 0)) return;
    dp_ = dp;
    fonts_.reset();
    look_changed();
    emit dpChanged();
    redraw();
}

void ImGuiSurface::redraw() {
    dirty_ = true;
    if (!can_draw()) return; // itemChange and geometryChange come back here
    if (!building_) {
        polish();
        update();
    } else if (!std::exchange(queued_, true)) { // polish() from inside updatePolish() would never end
        QMetaObject::invokeMethod(
            this,
            [this] {
                queued_ = false;
                redraw();
            },
            Qt::QueuedConnection);
    }
}

void ImGuiSurface::rebuild_now() {
    dirty_ = true;
    if (!can_draw() || building_) return;
    const int before = frame_count_;
    rebuild();
    if (frame_count_ != before) update();
}

void ImGuiSurface::take_scale() {
    const double scale = window()->effectiveDevicePixelRatio();
    if (fonts_ && scale == dpr_) return;
    dpr_ = scale;
    fonts_ = ImGuiFonts::of(unit());
    look_changed();
}

void ImGuiSurface::rebuild() {
    if (building_ || !std::exchange(dirty_, false)) return;
    const QScopedValueRollback<bool> guard(building_, true);
    QElapsedTimer timer;
    timer.start();
    take_scale();
    // A picture may ask for a size or a character that the atlas lacks; then it is drawn once more with it.
    for (int attempt = 0; attempt < 2; ++attempt) {
        fonts_->prepare();
        next_.clear();
        next_.dpr = dpr();
        next_.atlas = fonts_->image();
        build(next_);
        if (!fonts_->stale()) break;
    }
    build_ms_ = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    if (frame_count_ > 0 && next_.same_as(frame_)) return;
    std::swap(frame_, next_);
    frame_fresh_ = true;
    ++frame_count_;
    emit frameBuilt();
}

void ImGuiSurface::updatePolish() {
    if (can_draw()) rebuild();
}

QPointF ImGuiSurface::snap_offset() const {
    const QPointF corner = mapToScene({0, 0}) * dpr();
    return (QPointF(std::round(corner.x()), std::round(corner.y())) - corner) / dpr();
}

QSGNode* ImGuiSurface::updatePaintNode(QSGNode* old, UpdatePaintNodeData*) {
    auto* root = static_cast<SurfaceNode*>(old);
    if (!can_draw() || !frame_.atlas) {
        delete root;
        frame_fresh_ = true;
        return nullptr;
    }
    if (!root) {
        root = new SurfaceNode;
        root->picture = new ImGuiNode;
        root->appendChildNode(root->picture);
        frame_fresh_ = true;
    }
    QSGNode* background = update_background(root->background);
    if (background != root->background) {
        if (background) root->prependChildNode(background);
        root->background = background;
    }
    if (std::exchange(frame_fresh_, false))
        raster_ms_ = root->picture->update(frame_, *window(), size(), snap_offset());
    else
        root->picture->place(*window(), dpr(), snap_offset());
    return root;
}

void ImGuiSurface::geometryChange(const QRectF& now, const QRectF& before) {
    QQuickItem::geometryChange(now, before);
    redraw();
}

void ImGuiSurface::itemChange(ItemChange change, const ItemChangeData& data) {
    QQuickItem::itemChange(change, data);
    if (change == ItemSceneChange) frame_fresh_ = true; // textures belong to the window that was left
    if (change == ItemSceneChange || change == ItemDevicePixelRatioHasChanged || change == ItemVisibleHasChanged)
        redraw();
}

} // namespace ls::views
