#include "views/inspector/imgui_node.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QMutex>
#include <QtGui/QMatrix4x4>
#include <QtQuick/QQuickWindow>
#include <QtQuick/QSGGeometryNode>
#include <QtQuick/QSGImageNode>
#include <QtQuick/QSGMaterial>
#include <QtQuick/QSGRendererInterface>
#include <QtQuick/QSGTexture>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "views/inspector/imgui_frame.h"
#include "views/inspector/imgui_raster.h"

namespace ls::views {
namespace {

class AtlasMaterial : public QSGMaterial {
public:
    QSGTexture* texture = nullptr;
    AtlasMaterial() { setFlag(Blending, true); }
    QSGMaterialType* type() const override {
        static QSGMaterialType unique;
        return &unique;
    }
    int compare(const QSGMaterial* other) const override {
        const QSGTexture* theirs = static_cast<const AtlasMaterial*>(other)->texture;
        return texture == theirs ? 0 : std::less<>{}(texture, theirs) ? -1 : 1;
    }
    QSGMaterialShader* createShader(QSGRendererInterface::RenderMode) const override;
};

class AtlasShader : public QSGMaterialShader {
public:
    AtlasShader() {
        setShaderFileName(VertexStage, QStringLiteral(":/layoutscope/shaders/imgui.vert.qsb"));
        setShaderFileName(FragmentStage, QStringLiteral(":/layoutscope/shaders/imgui.frag.qsb"));
    }
    // Block of the shaders, std140: mat4 at byte 0, float at 64.
    bool updateUniformData(RenderState& state, QSGMaterial*, QSGMaterial*) override {
        char* block = state.uniformData()->data();
        if (state.isMatrixDirty()) std::memcpy(block, state.combinedMatrix().constData(), 64);
        if (state.isOpacityDirty()) {
            const float opacity = state.opacity();
            std::memcpy(block + 64, &opacity, 4);
        }
        return state.isMatrixDirty() || state.isOpacityDirty();
    }
    void updateSampledImage(RenderState& state, int binding, QSGTexture** texture, QSGMaterial* material,
                            QSGMaterial*) override {
        if (binding != 1) return;
        *texture = static_cast<AtlasMaterial*>(material)->texture;
        (*texture)->commitTextureOperations(state.rhi(), state.resourceUpdateBatch());
    }
};

QSGMaterialShader* AtlasMaterial::createShader(QSGRendererInterface::RenderMode) const { return new AtlasShader; }

const QSGGeometry::AttributeSet& vertex_layout() {
    static const QSGGeometry::Attribute attributes[] = {
        QSGGeometry::Attribute::createWithAttributeType(0, 2, QSGGeometry::FloatType, QSGGeometry::PositionAttribute),
        QSGGeometry::Attribute::createWithAttributeType(1, 2, QSGGeometry::FloatType, QSGGeometry::TexCoordAttribute),
        QSGGeometry::Attribute::createWithAttributeType(2, 4, QSGGeometry::UnsignedByteType,
                                                        QSGGeometry::ColorAttribute)};
    static const QSGGeometry::AttributeSet set{3, sizeof(ImGuiVertex), attributes};
    return set;
}

/// No custom geometry there: the frame is rasterised here.
bool is_software(const QQuickWindow& window) {
    return window.rendererInterface()->graphicsApi() == QSGRendererInterface::Software;
}

/// One atlas texture a window, shared by all its items.
std::shared_ptr<QSGTexture> atlas_texture(QQuickWindow& window, const AtlasImage& atlas) {
    static QMutex mutex;
    static std::map<std::pair<QQuickWindow*, quint64>, std::weak_ptr<QSGTexture>> known;
    const QMutexLocker lock(&mutex);
    std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
    auto& slot = known[{&window, atlas.serial}];
    std::shared_ptr<QSGTexture> texture = slot.lock();
    if (!texture) {
        texture.reset(window.createTextureFromImage(atlas.rgba, QQuickWindow::TextureHasAlphaChannel));
        texture->setFiltering(QSGTexture::Linear);
        slot = texture;
    }
    return texture;
}

} // namespace

/// A draw command: a clip rectangle with the triangles inside it.
struct ImGuiNode::CommandNode : QSGClipNode {
    QSGGeometryNode content;
    QSGGeometry geometry{vertex_layout(), 0, 0, QSGGeometry::UnsignedShortType};
    QSGGeometry clip_geometry{QSGGeometry::defaultAttributes_Point2D(), 4};
    AtlasMaterial material;

    CommandNode() {
        setFlag(OwnedByParent, false);
        content.setFlag(OwnedByParent, false);
        geometry.setDrawingMode(QSGGeometry::DrawTriangles);
        content.setGeometry(&geometry);
        content.setMaterial(&material);
        setIsRectangular(true);
        setGeometry(&clip_geometry);
        appendChildNode(&content);
    }
    ~CommandNode() override { removeAllChildNodes(); }

    void set(const ImGuiFrame& frame, const ImGuiFrame::Command& command, QSGTexture* texture) {
        const QRectF clip(QPointF(command.clip[0], command.clip[1]), QPointF(command.clip[2], command.clip[3]));
        if (clip != clipRect()) {
            setClipRect(clip);
            QSGGeometry::updateRectGeometry(&clip_geometry, clip);
            markDirty(DirtyGeometry);
        }
        // Only this command's vertices are copied, renumbered from 0: a list may be longer than 16-bit indices reach.
        const ImGuiFrame::List& list = frame.lists[static_cast<std::size_t>(command.list)];
        const quint16* source = list.indices.data() + command.first_index;
        const auto [low, high] = std::minmax_element(source, source + command.index_count);
        const quint16 first = *low;
        const int vertices = *high - *low + 1;
        const int indices = static_cast<int>(command.index_count);
        if (geometry.vertexCount() != vertices || geometry.indexCount() != indices)
            geometry.allocate(vertices, indices);
        std::memcpy(geometry.vertexData(), list.vertices.data() + command.first_vertex + first,
                    static_cast<std::size_t>(vertices) * sizeof(ImGuiVertex));
        quint16* target = geometry.indexDataAsUShort();
        for (int i = 0; i < indices; ++i) target[i] = static_cast<quint16>(source[i] - first);
        DirtyState dirty = DirtyGeometry;
        if (material.texture != texture) {
            material.texture = texture;
            dirty |= DirtyMaterial;
        }
        content.markDirty(dirty);
    }
};

ImGuiNode::ImGuiNode() = default;
ImGuiNode::~ImGuiNode() {
    while (used_ > 0) removeChildNode(pool_[--used_].get());
}

void ImGuiNode::place(QQuickWindow& window, double dpr, QPointF snap) {
    QMatrix4x4 wanted;
    wanted.translate(static_cast<float>(snap.x()), static_cast<float>(snap.y()));
    if (!is_software(window)) wanted.scale(static_cast<float>(1 / dpr));
    if (matrix() != wanted) setMatrix(wanted);
}

double ImGuiNode::update(const ImGuiFrame& frame, QQuickWindow& window, QSizeF size, QPointF snap) {
    place(window, frame.dpr, snap);
    if (is_software(window)) return update_raster(frame, window, size);
    update_geometry(frame, window);
    return 0;
}

void ImGuiNode::update_geometry(const ImGuiFrame& frame, QQuickWindow& window) {
    if (atlas_serial_ != frame.atlas->serial) {
        atlas_ = atlas_texture(window, *frame.atlas);
        atlas_serial_ = frame.atlas->serial;
    }
    std::vector<std::pair<qint64, std::unique_ptr<QSGTexture>>> images;
    for (const QImage& image : frame.images) {
        const auto known = std::find_if(images_.begin(), images_.end(), [&](const auto& entry) {
            return entry.second && entry.first == image.cacheKey();
        });
        if (known != images_.end()) {
            images.push_back(std::move(*known));
        } else {
            images.emplace_back(image.cacheKey(),
                                window.createTextureFromImage(image, QQuickWindow::TextureHasAlphaChannel));
            images.back().second->setFiltering(QSGTexture::Nearest);
        }
    }
    const std::size_t count = frame.commands.size();
    while (pool_.size() < count) pool_.push_back(std::make_unique<CommandNode>());
    while (used_ > count) removeChildNode(pool_[--used_].get());
    while (used_ < count) appendChildNode(pool_[used_++].get());
    for (std::size_t i = 0; i < count; ++i) {
        const ImGuiFrame::Command& command = frame.commands[i];
        const bool from_atlas = command.image < 0 || static_cast<std::size_t>(command.image) >= images.size();
        pool_[i]->set(frame, command,
                      from_atlas ? atlas_.get() : images[static_cast<std::size_t>(command.image)].second.get());
    }
    images_ = std::move(images); // drops the textures that no command uses any more
}

double ImGuiNode::update_raster(const ImGuiFrame& frame, QQuickWindow& window, QSizeF size) {
    QElapsedTimer timer;
    timer.start();
    const QSize pixels(std::max(1, static_cast<int>(std::ceil(size.width() * frame.dpr))),
                       std::max(1, static_cast<int>(std::ceil(size.height() * frame.dpr))));
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    rasterize(frame, image);
    if (!raster_) {
        raster_ = window.createImageNode();
        raster_->setOwnsTexture(true);
        appendChildNode(raster_);
    }
    raster_->setTexture(window.createTextureFromImage(image));
    raster_->setSourceRect(QRectF(QPointF(), QSizeF(pixels)));
    raster_->setRect(QRectF(QPointF(), QSizeF(pixels) / frame.dpr));
    return static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

} // namespace ls::views
