#include "core/figure/work_timeline.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/scene/metrics.h"

namespace ls::figure {

namespace {

using namespace scene;
using ub::work::Distribution;
using ub::work::kNobody;
using ub::work::Run;

constexpr double kMargin = 12, kAxis = 26, kRow = 23, kThinRow = 7, kGathered = 3, kEdge = 4;

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

class Painter {
public:
    Painter(const Distribution& d, const WorkTimelineOptions& options, const TextMeasure& measure)
        : d_(d), options_(options), measure_(measure), m_(Metrics::builtin()) {}

    WorkTimelinePicture draw() {
        lay_out();
        axis();
        idle();
        clocks_.assign(rows_, 0);
        picture_.list.add(PushClip{{left_, top_, right_ - left_ + 1, bottom_ - top_}});
        gathered_.assign(rows_, {});
        for (const Run& run : d_.runs) draw_run(run);
        for (std::size_t row = 0; row < rows_; ++row) flush(row);
        picture_.list.add(PopClip{});
        // Labels lie over all blocks; the list keeps them apart so that clipping does not cut them.
        for (Text& label : labels_) picture_.list.add(std::move(label));
        names_and_loads();
        limits();
        picture_.title = "Cores";
        picture_.subtitle = fmt::format("{} cores, {} units", d_.input.cores, d_.item_count());
        WorkTimelineGeometry geometry{{left_, top_, right_ - left_, bottom_ - top_}, row_, begin_, end_};
        return {std::move(picture_), geometry};
    }

private:
    double width_of(const std::string& s, FontFace face = FontFace::Ui) const { return measure_.width(s, face, m_.micro); }

    void lay_out() {
        cores_ = static_cast<std::size_t>(d_.input.cores);
        rows_ = cores_ + (d_.unassigned > 0 ? 1 : 0);
        double lost = 0;
        for (const Run& run : d_.runs)
            if (run.core == kNobody) lost += static_cast<double>(run.count) * static_cast<double>(d_.item_length(run.first_item));
        const double done = std::max({static_cast<double>(d_.makespan), static_cast<double>(d_.lower_bound), 1.0});
        const double whole = std::max(done, std::min(lost, 1.5 * done)); // what is lost must not hide what is done
        const double quota = static_cast<double>(d_.quota);
        begin_ = options_.begin;
        end_ = options_.end;
        if (!(end_ > begin_)) {
            begin_ = 0;
            end_ = std::max(whole, quota <= 2 * whole ? quota : 0) * 1.06; // a quota of 2^32 must not hide the work
        }
        const double names = std::max(width_of("nobody"), width_of(fmt::format("core {}", cores_ - 1)));
        left_ = std::round(kMargin + names + 12);
        const double loads = std::max(width_of("load, " + options_.unit), width_of(fmt::format("{}", d_.makespan), FontFace::MonoBold));
        right_ = std::max(left_ + 40, std::round(options_.width - kMargin - loads - 14));
        top_ = kMargin + kAxis;
        const auto n = static_cast<double>(std::max<std::size_t>(1, rows_));
        row_ = kRow;
        if (options_.height > 0) row_ = std::clamp(std::floor((options_.height - top_ - kMargin) / n), kThinRow, kRow);
        else if (rows_ > 24) row_ = std::max(kThinRow, std::floor(24 * kRow / n));
        bottom_ = top_ + row_ * n;
        picture_.list.width = options_.width;
        picture_.list.height = std::max(options_.height, bottom_ + kMargin);
    }

    double x_of(double load) const { return left_ + (right_ - left_) * (load - begin_) / (end_ - begin_); }
    double clamped(double load) const { return std::clamp(x_of(load), left_, right_); }
    double y_of(std::size_t row) const { return top_ + row_ * static_cast<double>(row); }
    Rect bar(std::size_t row, double x0, double x1) const {
        const double pad = row_ >= 16 ? 3 : 1;
        return {x0, y_of(row) + pad, x1 - x0, row_ - 2 * pad};
    }

    void text(Point p, const std::string& s, FontFace face, HAlign h, Paint paint) {
        picture_.list.add(Text{p, s, face, m_.micro, h, VAlign::Middle, paint, ColorKey::role(Role::None)});
    }

    void axis() {
        double free_from = -1e9;
        const auto taken = pills();
        for (const double tick : round_ticks(begin_, end_, std::clamp(static_cast<int>((right_ - left_) / 90), 2, 12))) {
            const double x = std::round(x_of(tick));
            if (x < left_ || x > right_) continue;
            picture_.list.add(FillRect{{x, top_ - 4, 1, bottom_ - top_ + 4}, ink(Role::Grid)});
            const std::string label = fmt::format("{:.0f}", tick);
            const double w = width_of(label, FontFace::Mono);
            const bool under_pill = std::any_of(taken.begin(), taken.end(), [&](const Pill& p) { return x - w / 2 < p.x1 + 4 && p.x0 - 4 < x + w / 2; });
            if (x - w / 2 < free_from || under_pill) continue;
            text({x, kMargin + 8}, label, FontFace::Mono, HAlign::Centre, ink(Role::Text3));
            free_from = x + w / 2 + 10;
        }
        const std::string load = "load, " + options_.unit;
        const double load_from = picture_.list.width - kMargin - width_of(load);
        if (taken.empty() || taken.back().x1 + 6 < load_from)
            text({load_from, kMargin + 8}, load, FontFace::Ui, HAlign::Left, ink(Role::Text3));
    }

    /// From a core's last unit to the end of the batch.
    void idle() {
        for (std::size_t core = 0; core < cores_; ++core) {
            const Rect whole{0, y_of(core), picture_.list.width, row_};
            picture_.hits.push_back({whole, kCoreHit - static_cast<std::int64_t>(core),
                                     fmt::format("core {} · {} units · {} {} · waits {}", core, d_.core_items[core], d_.core_load[core],
                                                 options_.unit, d_.makespan - d_.core_load[core])});
            const double x0 = clamped(static_cast<double>(d_.core_load[core])), x1 = clamped(static_cast<double>(d_.makespan));
            if (x1 - x0 < 1) continue;
            picture_.list.add(HatchRect{bar(core, x0, x1), Pattern::Unused, ink(Role::Unused)});
            if (d_.core_load[core] == 0 && row_ >= 16 && x1 - x0 > 60) {
                const double w = width_of("idle") + 12;
                picture_.list.add(FillRect{{x0 + 8, y_of(core) + 4, w, row_ - 8}, ink(Role::Canvas, 0.92), 3});
                text({x0 + 14, y_of(core) + row_ / 2}, "idle", FontFace::Ui, HAlign::Left, ink(Role::Text2));
            }
        }
    }

    void draw_run(const Run& run) {
        const std::size_t row = run.core == kNobody ? cores_ : static_cast<std::size_t>(run.core);
        if (row >= rows_) return;
        const auto length = static_cast<double>(d_.item_length(run.first_item));
        const double from = clocks_[row], to = from + length * static_cast<double>(run.count);
        clocks_[row] = to;
        if (to <= begin_ || from >= end_) return;
        const double scale = (right_ - left_) / (end_ - begin_);
        if (length * scale >= kEdge) {
            // Only the units in view: a run may hold millions.
            const auto first = static_cast<std::int64_t>(std::max(0.0, std::floor((begin_ - from) / length)));
            const auto last = std::min(run.count - 1, static_cast<std::int64_t>((end_ - from) / length));
            for (std::int64_t i = first; i <= last; ++i) {
                const double t = from + static_cast<double>(i) * length;
                block(row, t, t + length, run.first_item + i, 1, run.batch);
            }
            return;
        }
        if ((to - from) * scale >= kEdge) return block(row, from, to, run.first_item, run.count, run.batch);
        Gathered& g = gathered_[row];
        if (g.units == 0) g = {from, to, run.first_item, 0, 0};
        g.to = to;
        g.units += run.count;
        ++g.runs;
        if ((g.to - g.from) * scale >= kGathered) flush(row);
    }

    bool pending(std::int64_t item) const { return options_.upto && item >= *options_.upto; }

    void block(std::size_t row, double from, double to, std::int64_t item, std::int64_t units, std::int64_t batch) {
        flush(row);
        const double x0 = clamped(from), x1 = clamped(to);
        if (x1 - x0 < 0.5) return;
        const Rect r = bar(row, x0, x1);
        const ColorKey fill = ColorKey::category(static_cast<std::uint32_t>(batch % 10));
        const bool lit = options_.lit && *options_.lit >= item && *options_.lit < item + units;
        const auto unit = d_.item(item);
        const std::string what = units == 1 ? fmt::format("sequence {} · head {}{} · {}", batch, unit.head,
                                                          d_.input.v_tiles > 1 ? fmt::format(" · tile {}", unit.v_tile) : std::string(),
                                                          d_.item_length(item))
                                            : fmt::format("sequence {} · {} heads of {}", batch, units, d_.item_length(item));
        picture_.hits.push_back({r, item, row == cores_ ? what + " · nobody executes it" : fmt::format("{} · core {}", what, row)});
        if (pending(item) && pending(item + units - 1)) {
            picture_.list.add(StrokeRect{r, ink(Role::Text3), 1, 2, m_.unvisited_dash[0], m_.unvisited_dash[1]});
            return;
        }
        const bool round = r.w >= 6 && row_ >= 12;
        picture_.list.add(FillRect{r, lit ? ink(Role::Hover) : Paint{fill}, round ? 2.0 : 0.0});
        if (row == cores_) picture_.list.add(HatchRect{r, Pattern::Finding, ink(Role::Finding)});
        picture_.list.add(StrokeRect{r, row == cores_ ? ink(Role::Finding) : ink(Role::Ink, row_ >= 12 ? 0.8 : 0.3), lit ? 2.0 : 1.0, round ? 2.0 : 0.0});
        const bool shown = row_ >= 15 && width_of(what) + 2 * m_.label_pad <= r.w;
        if (shown && row != cores_)
            labels_.push_back(Text{{r.x + r.w / 2, r.y + r.h / 2}, what, FontFace::Ui, m_.micro, HAlign::Centre, VAlign::Middle,
                                   lit ? ink(Role::OnHover) : Paint{ColorKey::ink_on(fill)}, ColorKey::role(Role::None)});
    }

    /// Runs that are too thin to be told apart, as one block without an edge.
    void flush(std::size_t row) {
        Gathered& g = gathered_[row];
        if (g.units == 0) return;
        const double x0 = clamped(g.from), x1 = std::max(clamped(g.to), x0 + 0.5);
        const Rect r = bar(row, x0, x1);
        const auto batch = d_.item(g.item).batch;
        const bool dashed = pending(g.item);
        // The first sequence's colour stands for all; neighbours differ, so that a grain is seen.
        picture_.list.add(FillRect{r, {ColorKey::category(static_cast<std::uint32_t>(batch % 10)), dashed ? 0.25F : 1.0F}});
        if (row == cores_) picture_.list.add(HatchRect{r, Pattern::Finding, ink(Role::Finding)});
        picture_.hits.push_back({r, g.item, fmt::format("{} units of {} sequences from sequence {}{}", g.units, g.runs, batch,
                                                        row == cores_ ? std::string(" · nobody executes them") : fmt::format(" · core {}", row))});
        g = {};
    }

    void names_and_loads() {
        const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(14 / row_)));
        for (std::size_t row = 0; row < rows_; ++row) {
            if (row % every != 0 && row != cores_) continue;
            const double y = y_of(row) + row_ / 2;
            const bool lost = row == cores_;
            text({left_ - 12, y}, lost ? "nobody" : fmt::format("core {}", row), lost ? FontFace::UiBold : FontFace::Ui, HAlign::Right,
                 ink(lost ? Role::Finding : Role::Text2));
            const bool longest = !lost && d_.core_load[row] == d_.makespan && d_.makespan > 0;
            text({picture_.list.width - kMargin, y}, lost ? fmt::format("{} units", d_.unassigned) : fmt::format("{}", d_.core_load[row]),
                 longest ? FontFace::MonoBold : FontFace::Mono, HAlign::Right, ink(lost ? Role::Finding : longest ? Role::Text : Role::Text2));
        }
    }

    struct Pill {
        double at, x0, x1;
        std::string label;
        Role tone, tint;
    };
    /// Quota, bound and makespan; equal ones share a line. Labels keep clear of each other.
    std::vector<Pill> pills() const {
        std::vector<Pill> list;
        const auto add = [&](double load, std::string label, Role tone, Role tint) {
            if (load < begin_ || load > end_) return;
            for (Pill& p : list) {
                if (p.at == load && p.tone == tone) {
                    p.label = label.substr(0, label.rfind(' ')) + " = " + p.label;
                    return;
                }
            }
            list.push_back({load, 0, 0, std::move(label), tone, tint});
        };
        add(static_cast<double>(d_.lower_bound), fmt::format("bound {}", d_.lower_bound), Role::Fine, Role::FineTint);
        add(static_cast<double>(d_.quota), fmt::format("quota {}", d_.quota), Role::Fine, Role::FineTint);
        const bool worse = d_.makespan > d_.lower_bound;
        add(static_cast<double>(d_.makespan), fmt::format("makespan {}", d_.makespan), worse ? Role::Finding : Role::Fine, worse ? Role::FindingTint : Role::FineTint);
        std::stable_sort(list.begin(), list.end(), [](const Pill& a, const Pill& b) { return a.at < b.at; });
        double free_from = left_ - 40;
        for (Pill& p : list) {
            const double w = width_of(p.label, FontFace::UiBold) + 14;
            p.x0 = std::max(free_from, std::min(x_of(p.at) - w / 2, right_ + 8 - w));
            p.x1 = p.x0 + w;
            free_from = p.x1 + 4;
        }
        double free_to = options_.width - 6;
        for (auto p = list.rbegin(); p != list.rend(); ++p) {
            const double shift = std::max(0.0, p->x1 - free_to);
            p->x0 -= shift;
            p->x1 -= shift;
            free_to = p->x0 - 4;
        }
        return list;
    }

    void limits() {
        for (const Pill& p : pills()) {
            picture_.list.add(FillRect{{std::round(x_of(p.at)) - 1, top_ - 6, 2, bottom_ - top_ + 8}, ink(p.tone)});
            picture_.list.add(FillRect{{p.x0, kMargin - 1, p.x1 - p.x0, 18}, ink(p.tint), 3});
            text({(p.x0 + p.x1) / 2, kMargin + 8}, p.label, FontFace::UiBold, HAlign::Centre, ink(p.tone));
        }
    }

    struct Gathered {
        double from = 0, to = 0;
        std::int64_t item = 0, units = 0, runs = 0;
    };

    const Distribution& d_;
    const WorkTimelineOptions& options_;
    const TextMeasure& measure_;
    const Metrics& m_;
    Picture picture_;
    std::vector<Text> labels_;
    std::vector<double> clocks_; ///< load of each row so far
    std::vector<Gathered> gathered_;
    std::size_t cores_ = 0, rows_ = 0;
    double begin_ = 0, end_ = 1, left_ = 0, right_ = 0, top_ = 0, bottom_ = 0, row_ = kRow;
};

} // namespace

WorkTimelinePicture draw_work_timeline(const Distribution& distribution, const WorkTimelineOptions& options,
                                       const TextMeasure& measure) {
    return Painter(distribution, options, measure).draw();
}

BarChart compare_work(const Distribution& distribution, const std::vector<ub::work::Alternative>& alternatives) {
    BarChart chart;
    chart.title = "Makespans";
    const auto bound = static_cast<double>(distribution.lower_bound);
    double longest = std::max(1.0, bound);
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
        const ub::work::Alternative& one = alternatives[i];
        const auto makespan = static_cast<double>(one.makespan);
        longest = std::max(longest, makespan);
        // A launch with other cores has a bound of its own.
        const double own = one.cores == distribution.input.cores
                               ? bound
                               : std::ceil(static_cast<double>(distribution.total_work) / static_cast<double>(std::max<std::int64_t>(1, one.cores)));
        Bar bar;
        bar.end = makespan;
        bar.label = fmt::format("{}", one.makespan);
        bar.id = static_cast<std::int64_t>(i);
        bar.describe = fmt::format("{}: {} · makespan {}, {:.2f} times its bound, {} cores idle", one.name, one.what, one.makespan, one.imbalance, one.idle_cores);
        chart.lanes.push_back({one.name, {std::move(bar)}, own});
    }
    chart.max = longest * 1.12;
    chart.ticks = {};
    return chart;
}

} // namespace ls::figure
