// Turns a captured ImGui frame into scene-graph nodes: one clipped geometry node per draw command, or one image where
// the scene graph has no custom geometry (the software backend).
#pragma once

#include <QtCore/QPointF>
#include <QtCore/QSizeF>
#include <QtQuick/QSGTransformNode>

#include <memory>
#include <vector>

class QQuickWindow;
class QSGImageNode;
class QSGTexture;

namespace ls::views {

struct ImGuiFrame;

/// Render thread only, while the GUI thread waits.
class ImGuiNode : public QSGTransformNode {
public:
    ImGuiNode();
    ~ImGuiNode() override;

    /// `size` in points; `snap` moves the item onto whole device pixels. Returns the milliseconds that the software
    /// backend spent on rasterising, 0 elsewhere.
    double update(const ImGuiFrame& frame, QQuickWindow& window, QSizeF size, QPointF snap);
    /// Moves what is there already.
    void place(QQuickWindow& window, double dpr, QPointF snap);

private:
    struct CommandNode;
    void update_geometry(const ImGuiFrame& frame, QQuickWindow& window);
    double update_raster(const ImGuiFrame& frame, QQuickWindow& window, QSizeF size);

    std::shared_ptr<QSGTexture> atlas_;
    quint64 atlas_serial_ = 0;
    std::vector<std::pair<qint64, std::unique_ptr<QSGTexture>>> images_; ///< by QImage::cacheKey
    std::vector<std::unique_ptr<CommandNode>> pool_;
    std::size_t used_ = 0;
    QSGImageNode* raster_ = nullptr;
};

} // namespace ls::views
