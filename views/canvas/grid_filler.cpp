#include "views/canvas/grid_filler.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QElapsedTimer>
#include <QtCore/QPointer>
#include <QtCore/QThreadPool>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <vector>

namespace ls::views {
namespace {

using namespace std::chrono_literals;

constexpr auto kFrameBudget = 5ms;   // leaves two thirds of a 16 ms frame to lines, labels and the driver
constexpr auto kWorkerBudget = 40ms; // then it shows what it has and goes on
constexpr double kTooSlowMs = 8;     // a first, coarse picture that takes longer belongs on a worker

const scene::ColorLut& lut_of(bool dark) {
    static const scene::ColorLut light(scene::Theme::builtin(scene::Theme::Kind::Light));
    static const scene::ColorLut night(scene::Theme::builtin(scene::Theme::Kind::Dark));
    return dark ? night : light;
}

bool same_view(const scene::GridView& a, const scene::GridView& b) {
    return a.rows == b.rows && a.cols == b.cols && a.cell_aspect == b.cell_aspect && a.width == b.width &&
           a.height == b.height && a.dpr == b.dpr && a.camera == b.camera;
}

/// Nanoseconds that the source spends on a cell, tried on a spread of cells.
double probe_ns(const scene::CellSource& source, const scene::GridView& view) {
    constexpr std::size_t kSide = 48;
    const auto spread = [&](std::int64_t count) {
        std::vector<std::int64_t> at;
        const auto n = static_cast<std::int64_t>(std::min<std::size_t>(kSide, static_cast<std::size_t>(count)));
        for (std::int64_t i = 0; i < n; ++i) at.push_back(count / n * i);
        return at;
    };
    const std::vector<std::int64_t> rows = spread(view.rows), cols = spread(view.cols);
    std::vector<scene::ColorKey> keys(rows.size() * cols.size());
    if (keys.empty()) return 0;
    QElapsedTimer timer;
    timer.start();
    source.colors(rows, cols, keys.data());
    return static_cast<double>(timer.nsecsElapsed()) / static_cast<double>(keys.size());
}

} // namespace

struct GridFiller::Worker {
    scene::GridFill fill;
    scene::GridView view;
    std::shared_ptr<const scene::CellSource> source;
    bool dark = false;
    bool changed = false, more = false;
    double ms = 0;

    void run() {
        QElapsedTimer timer;
        timer.start();
        const scene::GridFill::Outcome outcome = fill.update(view, source, lut_of(dark), kWorkerBudget);
        changed = outcome.changed;
        more = outcome.more;
        ms = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    }
};

GridFiller::GridFiller(QObject* parent) : QObject(parent), shown_(&fill_.image()) {}
GridFiller::~GridFiller() = default; // a worker that still runs owns all it touches

void GridFiller::consider_worker(const scene::GridView& view) {
    // The least that GridFill does before it shows anything is half a sample a texel.
    const double texels = std::min(view.width * view.dpr, static_cast<double>(view.cols)) *
                          std::min(view.height * view.dpr, static_cast<double>(view.rows));
    on_worker_ = source_ && probe_ns(*source_, view) * texels / 2 > kTooSlowMs * 1e6;
    if (on_worker_) {
        worker_ = std::make_shared<Worker>(); // one that still runs for the last source ends unheard
        running_ = false;
        fill_.invalidate();
        worker_image_ = {};
        shown_ = &worker_image_;
    } else {
        shown_ = &fill_.image();
    }
}

void GridFiller::update(const scene::GridView& view, std::shared_ptr<const scene::CellSource> source, bool dark) {
    const bool same_source = source == source_;
    view_ = view;
    source_ = std::move(source);
    dark_ = dark;
    if (!same_source) consider_worker(view);
    if (on_worker_) {
        rect_ = placed(worker_image_.rect, worker_view_, view_);
        outdated_ = outdated_ || !same_source || dark != worker_->dark || !same_view(view_, worker_->view);
        if (outdated_ && !running_) start();
        return;
    }
    QElapsedTimer timer;
    timer.start();
    const scene::GridFill::Outcome outcome = fill_.update(view_, source_, lut_of(dark_), kFrameBudget);
    last_ms_ = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    if (outcome.changed) ++revision_, ++fills_;
    more_ = outcome.more;
    rect_ = fill_.image().rect;
    if (more_) QMetaObject::invokeMethod(this, &GridFiller::refined, Qt::QueuedConnection);
}

void GridFiller::start() {
    running_ = true;
    outdated_ = false;
    worker_->view = view_;
    worker_->source = source_;
    worker_->dark = dark_;
    QThreadPool::globalInstance()->start([worker = worker_, self = QPointer<GridFiller>(this)] {
        worker->run();
        // The receiver is asked for on its own thread only: it may be gone by now.
        QMetaObject::invokeMethod(
            qApp,
            [worker, self] {
                if (self) self->take(worker);
            },
            Qt::QueuedConnection);
    });
}

void GridFiller::take(std::shared_ptr<Worker> worker) {
    if (worker != worker_) return; // of a source that is no longer shown
    running_ = false;
    last_ms_ = worker->ms;
    more_ = worker->more;
    if (worker->changed) {
        worker_image_ = worker->fill.image();
        worker_view_ = worker->view;
        shown_ = &worker_image_;
        rect_ = placed(worker_image_.rect, worker_view_, view_);
        ++revision_;
        ++fills_;
    }
    if (outdated_ || more_) start();
    if (worker->changed) emit refined();
}

scene::Rect GridFiller::placed(const scene::Rect& rect, const scene::GridView& made_for, const scene::GridView& now) {
    if (!(made_for.camera.zoom > 0)) return {};
    const double col = made_for.camera.origin_col + rect.x / made_for.points_per_col();
    const double row = made_for.camera.origin_row + rect.y / made_for.points_per_row();
    const double x = (col - now.camera.origin_col) * now.points_per_col(),
                 y = (row - now.camera.origin_row) * now.points_per_row();
    return {x, y, rect.w * now.points_per_col() / made_for.points_per_col(),
            rect.h * now.points_per_row() / made_for.points_per_row()};
}

} // namespace ls::views
