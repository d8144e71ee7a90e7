// Keeps the coloured cells of a canvas up to date without ever holding up the window: on the GUI thread while that
// stays within a few milliseconds, on a worker when the source is slow. Meanwhile the last image is shown where it
// belongs.
#pragma once

#include <QtCore/QObject>

#include <memory>

#include "core/scene/color_lut.h"
#include "core/scene/grid_fill.h"
#include "core/scene/grid_layout.h"

namespace ls::views {

class GridFiller : public QObject {
    Q_OBJECT
public:
    explicit GridFiller(QObject* parent = nullptr);
    ~GridFiller() override;

    /// Brings the image to what `view` sees, or as near as the time allows; refined() follows while more can be done.
    void update(const scene::GridView& view, std::shared_ptr<const scene::CellSource> source, bool dark);

    /// The image to draw under the view of the last update(), in points of its area; empty before the first.
    const scene::CellImage& image() const { return *shown_; }
    scene::Rect image_rect() const { return rect_; }
    quint64 revision() const { return revision_; } ///< grows with every change of the pixels

    int fills() const { return fills_; }
    double last_ms() const { return last_ms_; }
    bool on_worker() const { return on_worker_; }
    bool busy() const { return more_ || running_; } ///< the image is not final yet

signals:
    /// The image can be refined, or a worker brought one: draw again.
    void refined();

private:
    struct Worker;
    void start();
    void take(std::shared_ptr<Worker> worker);
    static scene::Rect placed(const scene::Rect& rect, const scene::GridView& made_for, const scene::GridView& now);
    void consider_worker(const scene::GridView& view);

    scene::GridView view_;
    std::shared_ptr<const scene::CellSource> source_;
    bool dark_ = false;

    scene::GridFill fill_;           ///< on the GUI thread
    std::shared_ptr<Worker> worker_; ///< on a pool thread while running_
    const scene::CellImage* shown_;
    scene::CellImage worker_image_;
    scene::GridView worker_view_;
    scene::Rect rect_;
    quint64 revision_ = 0;
    int fills_ = 0;
    double last_ms_ = 0;
    bool on_worker_ = false, running_ = false, outdated_ = false, more_ = false;
};

} // namespace ls::views
