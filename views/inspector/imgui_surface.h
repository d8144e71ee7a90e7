// A Qt Quick item whose picture is an ImGui draw list. Holds what every such item shares: the atlas of its screen's
// scale, the captured frame, and when to draw. Sub-classes say what to draw.
//
// QML, for every item derived from it:
//   dark          bool   which theme (default false)
//   dp            real   one design point in item units: Theme.dp (default 1). Text, gaps and line widths grow with it
//   frameCount    int    pictures built so far; does not move while idle      (read only, for tests and the status bar)
//   buildMs       real   milliseconds of the last build on the GUI thread     (read only)
//   rasterMs      real   milliseconds of the last software rasterisation, 0 on graphics hardware (read only)
#pragma once

#include <QtQuick/QQuickItem>

#include <memory>

#include "core/scene/theme.h"
#include "views/inspector/imgui_fonts.h"
#include "views/inspector/imgui_frame.h"

namespace ls::views {

/// Classes that derive from this name their base in full: qmllint knows it by the name that moc writes down.
class ImGuiSurface : public QQuickItem {
    Q_OBJECT
    QML_ANONYMOUS
    Q_PROPERTY(bool dark READ dark WRITE setDark NOTIFY darkChanged)
    Q_PROPERTY(double dp READ dp WRITE setDp NOTIFY dpChanged)
    Q_PROPERTY(int frameCount READ frameCount NOTIFY frameBuilt)
    Q_PROPERTY(double buildMs READ buildMs NOTIFY frameBuilt)
    Q_PROPERTY(double rasterMs READ rasterMs NOTIFY frameBuilt)
public:
    explicit ImGuiSurface(QQuickItem* parent = nullptr);
    ~ImGuiSurface() override;

    bool dark() const { return dark_; }
    void setDark(bool dark);
    double dp() const { return dp_; }
    void setDp(double dp);
    int frameCount() const { return frame_count_; }
    double buildMs() const { return build_ms_; }
    double rasterMs() const { return raster_ms_; }
    const scene::Theme& theme() const;

signals:
    void darkChanged();
    void dpChanged();
    void frameBuilt();

protected:
    /// Fills `frame` (lists, commands, images). GUI thread, only while visible; fonts() is ready.
    virtual void build(ImGuiFrame& frame) = 0;
    /// The theme or the screen's scale changed; colours and sizes kept from before are void.
    virtual void look_changed() {}

    /// Builds a new picture before the next frame of the window.
    void redraw();
    /// Builds now, and asks the window for a frame only when something visible changed.
    void rebuild_now();
    bool can_draw() const { return isVisible() && window() && width() >= 1 && height() >= 1; }

    double dpr() const { return dpr_ > 0 ? dpr_ : 1; } ///< device pixels of an item unit
    double unit() const { return dpr() * dp_; }        ///< device pixels of a design point
    ImGuiFonts& fonts() const { return *fonts_; }
    /// What moves this item onto whole device pixels, in points.
    QPointF snap_offset() const;

    void updatePolish() override;
    QSGNode* updatePaintNode(QSGNode* old, UpdatePaintNodeData* data) override;
    void geometryChange(const QRectF& now, const QRectF& before) override;
    void itemChange(ItemChange change, const ItemChangeData& data) override;
    /// Nodes under the picture (a grid's cells); may be null. Render thread, GUI waiting.
    virtual QSGNode* update_background(QSGNode* old) { return old; }

private:
    void rebuild();
    void take_scale();

    std::shared_ptr<ImGuiFonts> fonts_;
    ImGuiFrame frame_, next_;
    double dpr_ = 0, dp_ = 1;
    bool dark_ = false, dirty_ = true, frame_fresh_ = false;
    bool building_ = false, queued_ = false;
    int frame_count_ = 0;
    double build_ms_ = 0, raster_ms_ = 0;
};

} // namespace ls::views
