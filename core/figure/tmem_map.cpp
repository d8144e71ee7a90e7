#include "core/figure/tmem_map.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/figure/k_step_color.h"
#include "core/notation/tirx_text.h"
#include "core/scene/metrics.h"

namespace ls::figure {

namespace {

using namespace scene;
using tirx::GemmBench;
using tirx::TmemRect;

constexpr double kPad = 14, kBudget = 44, kAxis = 18, kFoot = 26, kWarpLanes = 32;

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

class MapPainter {
public:
    MapPainter(const GemmBench& bench, std::span<const TmemRect> rects, const TmemMapOptions& o, const TextMeasure& measure)
        : bench_(bench), rects_(rects), o_(o), measure_(measure), m_(Metrics::builtin()) {}

    TmemMapPicture draw() {
        left_ = kPad + measure_.width("lane", FontFace::Ui, m_.micro) + 12;
        right_ = o_.width - kPad;
        const double notes = 3 * 15.0;
        const double top = kPad + kBudget + kAxis;
        for (const TmemRect& r : rects_) {
            used_begin_ = std::min(used_begin_, r.column);
            used_end_ = std::max(used_end_, r.column + r.columns);
        }
        const double plate_width = plate_room();
        plate_inside_ = x_of(static_cast<double>(kTmemColumns)) - x_of(static_cast<double>(used_end_)) >= plate_width + 24;
        const double bottom = o_.height - kFoot - (plate_inside_ ? 0 : notes + 4);
        grid_ = {left_, top, right_ - left_, std::max(60.0, bottom - top)};
        budget();
        axes();
        area();
        tiles();
        lit();
        words();
        picture_.list.width = o_.width;
        picture_.list.height = o_.height;
        picture_.title = "C in tensor memory";
        return {std::move(picture_), {grid_}};
    }

private:
    double x_of(double column) const { return left_ + (right_ - left_) * column / kTmemColumns; }
    double y_of(double lane) const { return grid_.y + grid_.h * lane / kTmemLanes; }
    Rect rect_of(const TmemRect& r) const {
        const double x = x_of(static_cast<double>(r.column)), y = y_of(static_cast<double>(r.lane));
        return {x, y, x_of(static_cast<double>(r.column + r.columns)) - x, y_of(static_cast<double>(r.lane + r.lanes)) - y};
    }
    void text(Point at, const std::string& s, FontFace face, HAlign h, Paint paint, double size = 0) {
        picture_.list.add(Text{at, s, face, size > 0 ? size : m_.micro, h, VAlign::Middle, paint, ColorKey::role(Role::None)});
    }
    std::vector<std::string> lines() const {
        std::vector<std::string> list;
        if (bench_.c.layout) list.push_back(fmt::format("C is {}", notation::print_tirx(*bench_.c.layout)));
        list.push_back(fmt::format("datapath {}, M = {}, cta_group {}{}", bench_.datapath, bench_.subject.m * bench_.subject.cta_group, bench_.subject.cta_group,
                                   bench_.plan && bench_.plan->weight_stationary ? ", weight-stationary" : ""));
        if (bench_.plan) {
            const auto d = bench_.plan->d_place(Dim(o_.mi), Dim(o_.ni));
            list.push_back(fmt::format("D address = allocated_addr + {} lanes + {} columns", to_string(d.lane), to_string(d.column)));
        }
        return list;
    }
    double plate_room() const {
        double w = 0;
        for (const std::string& s : lines()) w = std::max(w, measure_.width(s, FontFace::Ui, m_.micro));
        return w + 24;
    }

    void budget() {
        const std::int64_t columns = std::max<std::int64_t>(0, used_end_ - used_begin_);
        const double y = kPad + 8;
        text({left_, y}, "Column budget", FontFace::UiBold, HAlign::Left, ink(Role::Text), m_.small);
        const std::string right = fmt::format("{} of {} columns written by this call", columns, kTmemColumns);
        if (measure_.width(right, FontFace::Ui, m_.micro) < right_ - left_ - measure_.width("Column budget", FontFace::UiBold, m_.small) - 16)
            text({right_, y}, right, FontFace::Ui, HAlign::Right, ink(Role::Text2));
        const Rect bar{left_, y + 12, right_ - left_, 13};
        picture_.list.add(FillRect{bar, ink(Role::Sunken), 3});
        picture_.list.add(HatchRect{bar, Pattern::Unused, ink(Role::Unused)});
        const double allocated = x_of(static_cast<double>(std::min(kTmemColumns, bench_.subject.c_columns)));
        if (columns > 0) {
            const Rect used{x_of(static_cast<double>(used_begin_)), bar.y, x_of(static_cast<double>(std::min(kTmemColumns, used_end_))) - x_of(static_cast<double>(used_begin_)), bar.h};
            picture_.list.add(FillRect{used, {ColorKey::category(kResultCategory)}, 3});
            picture_.list.add(StrokeRect{used, ink(Role::Ink, 0.7), 1, 3});
        }
        picture_.list.add(StrokeRect{{bar.x, bar.y, allocated - bar.x, bar.h}, ink(Role::Field), 1, 3});
    }

    void axes() {
        text({left_ - 10, grid_.y - 10}, "lane", FontFace::Ui, HAlign::Right, ink(Role::Text3));
        const double step = grid_.w >= 360 ? 128 : 256;
        for (double column = 0; column < kTmemColumns; column += step)
            text({x_of(column) + (column == 0 ? 2 : 0), grid_.y - 10}, fmt::format("{}", static_cast<int>(column)), FontFace::Mono, column == 0 ? HAlign::Left : HAlign::Centre, ink(Role::Text3));
        text({right_, grid_.y - 10}, "TCol 511", FontFace::Mono, HAlign::Right, ink(Role::Text3));
        for (int lane = 0; lane < kTmemLanes; lane += 32) text({left_ - 10, y_of(lane) + 6}, fmt::format("{}", lane), FontFace::Mono, HAlign::Right, ink(Role::Text3));
    }

    void area() {
        picture_.list.add(FillRect{grid_, ink(Role::Canvas)});
        const double allocated = x_of(static_cast<double>(std::min(kTmemColumns, bench_.subject.c_columns)));
        const Rect buffer{grid_.x, grid_.y, allocated - grid_.x, grid_.h};
        picture_.list.add(HatchRect{buffer, Pattern::Unused, ink(Role::Unused)});
        for (const TmemRect& r : rects_) {
            const Rect q = rect_of(r);
            picture_.list.add(FillRect{q, {ColorKey::category(kResultCategory)}});
        }
        for (int column = 128; column < kTmemColumns; column += 128) picture_.list.add(FillRect{{std::round(x_of(column)), grid_.y, 1, grid_.h}, ink(Role::Line2, 0.9)});
        for (int lane = 32; lane < kTmemLanes; lane += 32) picture_.list.add(FillRect{{grid_.x, std::round(y_of(lane)), grid_.w, 1}, ink(Role::Line2, 0.9)});
        for (const TmemRect& r : rects_) picture_.list.add(StrokeRect{rect_of(r), ink(Role::Ink, 0.55), 1});
        picture_.list.add(StrokeRect{grid_, ink(Role::Field), 1, 0, m_.unvisited_dash[0], m_.unvisited_dash[1]});
        picture_.list.add(StrokeRect{buffer, ink(Role::Ink, 0.85), 1.25});
        for (int warp = 0; warp < 4; ++warp) {
            const Rect row{grid_.x, y_of(32.0 * warp), grid_.w, grid_.h / 4};
            picture_.hits.push_back({row, warp, fmt::format("warp {} reaches lanes {} to {}", warp, warp * 32, warp * 32 + 31)});
        }
    }

    /// Columns of each N tile; the chosen instruction's tile is outlined.
    void tiles() {
        if (!bench_.plan) return;
        const auto& plan = *bench_.plan;
        const tirx::MatrixElement first{o_.mi * plan.tile.m, o_.ni * plan.tile.n};
        for (const TmemRect& r : rects_) {
            const std::int64_t m0 = std::max(first.row, r.m), m1 = std::min(first.row + plan.tile.m, r.m + r.lanes);
            const std::int64_t n0 = std::max(first.column, r.n), n1 = std::min(first.column + plan.tile.n, r.n + r.columns);
            if (m0 >= m1 || n0 >= n1) continue;
            const Rect q = rect_of({r.lane + m0 - r.m, m1 - m0, r.column + n0 - r.n, n1 - n0, m0, n0});
            picture_.list.add(StrokeRect{{q.x + 1, q.y + 1, q.w - 2, q.h - 2}, ink(Role::Ink), m_.window});
        }
        for (int warp = 0; warp < 4; ++warp) {
            // The widest block that lies in this warp's lanes carries the word.
            const TmemRect* widest = nullptr;
            for (const TmemRect& r : rects_)
                if (r.lane < (warp + 1) * 32 && r.lane + r.lanes > warp * 32 && (!widest || r.columns > widest->columns)) widest = &r;
            if (!widest) continue;
            const Rect q = rect_of(*widest);
            const double y = (std::max(q.y, y_of(32.0 * warp)) + std::min(q.bottom(), y_of(32.0 * warp + 32))) / 2;
            for (const std::string& s : {fmt::format("warp {} reads", warp), fmt::format("w{}", warp)}) {
                if (measure_.width(s, FontFace::UiBold, m_.small) + 8 > q.w) continue;
                text({q.x + q.w / 2, y}, s, FontFace::UiBold, HAlign::Centre, {ColorKey::ink_on(ColorKey::category(kResultCategory))}, m_.small);
                break;
            }
        }
    }

    void cell(tirx::MatrixElement element, Paint fill, Paint stroke, double least) {
        const auto at = tirx::tmem_cell(rects_, element);
        if (!at.valid()) return;
        Rect r = rect_of({at.lane, 1, at.column, 1, 0, 0});
        if (r.w < least) r = {r.x + r.w / 2 - least / 2, r.y, least, r.h};
        if (r.h < least) r = {r.x, r.y + r.h / 2 - least / 2, r.w, least};
        picture_.list.add(FillRect{r, fill});
        if (stroke.alpha > 0) picture_.list.add(StrokeRect{r, stroke, 1});
    }

    void lit() {
        for (const TmemRect& r : rects_) {
            if (o_.lit_row >= r.m && o_.lit_row < r.m + r.lanes) {
                const Rect q = rect_of({r.lane + o_.lit_row - r.m, 1, r.column, r.columns, 0, 0});
                const double h = std::max(4.0, q.h);
                picture_.list.add(FillRect{{q.x, q.y + q.h / 2 - h / 2, q.w, h}, ink(Role::Hover)});
                picture_.list.add(StrokeRect{{q.x, q.y + q.h / 2 - h / 2, q.w, h}, ink(Role::HoverEdge), 1});
            }
            if (o_.lit_column >= r.n && o_.lit_column < r.n + r.columns) {
                const Rect q = rect_of({r.lane, r.lanes, r.column + o_.lit_column - r.n, 1, 0, 0});
                const double w = std::max(4.0, q.w);
                picture_.list.add(FillRect{{q.x + q.w / 2 - w / 2, q.y, w, q.h}, ink(Role::Hover)});
                picture_.list.add(StrokeRect{{q.x + q.w / 2 - w / 2, q.y, w, q.h}, ink(Role::HoverEdge), 1});
            }
        }
        for (const auto& one : o_.owned) cell(one, ink(Role::Hover, 0.75), ink(Role::HoverEdge, 0), 2);
        if (o_.lit.valid()) cell(o_.lit, ink(Role::Hover), ink(Role::HoverEdge), 6);
    }

    void words() {
        const auto all = lines();
        if (plate_inside_) {
            const double w = plate_room(), h = 15.0 * static_cast<double>(all.size()) + 14;
            const Rect plate{right_ - w - 12, grid_.y + 14, w, h};
            picture_.list.add(FillRect{plate, ink(Role::Panel), 5});
            picture_.list.add(StrokeRect{plate, ink(Role::Line2), 1, 5});
            for (std::size_t i = 0; i < all.size(); ++i)
                text({plate.x + 12, plate.y + 14 + 15.0 * static_cast<double>(i)}, all[i], FontFace::Ui, HAlign::Left, ink(i == 0 ? Role::Text : Role::Text2));
            const std::string slack = bench_.subject.c_columns < kTmemColumns ? "hatched: in the buffer, not touched here" : "in the buffer, not touched here";
            const double sw = measure_.width(slack, FontFace::Ui, m_.micro);
            if (x_of(static_cast<double>(used_end_)) + sw + 24 < right_) {
                const Rect under{x_of(static_cast<double>(used_end_)) + 10, grid_.bottom() - 25, sw + 10, 17};
                picture_.list.add(FillRect{under, ink(Role::Canvas, 0.92), 3});
                text({under.x + 5, under.y + 8.5}, slack, FontFace::Ui, HAlign::Left, ink(Role::Text2));
            }
        } else {
            for (std::size_t i = 0; i < all.size(); ++i)
                if (measure_.width(all[i], FontFace::Ui, m_.micro) <= right_ - left_)
                    text({left_, grid_.bottom() + 14 + 15.0 * static_cast<double>(i)}, all[i], FontFace::Ui, HAlign::Left, ink(Role::Text2));
        }
        std::string foot;
        if (bench_.readback) foot = fmt::format("Readback: {} {}, {} registers a thread", bench_.readback->issues.size() == 1 ? "one" : fmt::format("{}", bench_.readback->issues.size()),
                                                bench_.readback->instruction(), bench_.readback->repeat);
        else if (!bench_.readback_refusal.empty()) foot = "No readback: " + bench_.readback_refusal;
        if (!foot.empty() && measure_.width(foot, FontFace::Ui, m_.micro) <= right_ - left_) text({left_, o_.height - 12}, foot, FontFace::Ui, HAlign::Left, ink(Role::Text2));
    }

    const GemmBench& bench_;
    std::span<const TmemRect> rects_;
    const TmemMapOptions& o_;
    const TextMeasure& measure_;
    const Metrics& m_;
    Picture picture_;
    Rect grid_;
    double left_ = 0, right_ = 0;
    std::int64_t used_begin_ = kTmemColumns, used_end_ = 0;
    bool plate_inside_ = true;
};

} // namespace

tirx::TmemCell TmemMapGeometry::cell_at(Point at) const {
    if (grid.w <= 0 || !grid.contains(at)) return {};
    return {static_cast<std::int64_t>((at.y - grid.y) / grid.h * kTmemLanes), static_cast<std::int64_t>((at.x - grid.x) / grid.w * kTmemColumns)};
}

TmemMapPicture draw_tmem_map(const GemmBench& bench, std::span<const TmemRect> rects, const TmemMapOptions& options, const TextMeasure& measure) {
    return MapPainter(bench, rects, options, measure).draw();
}

tirx::RegisterPlace RegisterMapGeometry::place_at(Point at) const {
    if (grid.w <= 0 || !grid.contains(at)) return {};
    return {static_cast<std::int64_t>((at.y - grid.y) / grid.h * static_cast<double>(threads)), static_cast<std::int64_t>((at.x - grid.x) / grid.w * static_cast<double>(per_thread))};
}

RegisterMapPicture draw_register_map(const tirx::RegisterOwners& owners, const RegisterMapOptions& o, const TextMeasure& measure) {
    const Metrics& m = Metrics::builtin();
    RegisterMapPicture made;
    Picture& p = made.picture;
    const auto text = [&](Point at, const std::string& s, FontFace face, HAlign h, Paint paint, double size = 0) {
        p.list.add(Text{at, s, face, size > 0 ? size : m.micro, h, VAlign::Middle, paint, ColorKey::role(Role::None)});
    };
    const double left = kPad + measure.width("thread", FontFace::Ui, m.micro) + 10, right = o.width - kPad, top = kPad + 26;
    const Rect grid{left, top, right - left, std::max(40.0, o.height - top - kFoot)};
    made.geometry = {grid, owners.threads(), owners.per_thread()};
    const auto threads = static_cast<double>(owners.threads()), per_thread = static_cast<double>(owners.per_thread());
    const auto x_of = [&](double slot) { return grid.x + grid.w * slot / per_thread; };
    const auto y_of = [&](double thread) { return grid.y + grid.h * thread / threads; };
    text({left - 8, top - 10}, "thread", FontFace::Ui, HAlign::Right, ink(Role::Text3));
    const double step = std::max(1.0, std::pow(2.0, std::ceil(std::log2(std::max(1.0, per_thread / 4)))));
    for (double slot = 0; slot < per_thread; slot += step) text({x_of(slot) + 1, top - 10}, fmt::format("r{}", static_cast<int>(slot)), FontFace::Mono, HAlign::Left, ink(Role::Text3));
    for (double warp = 0; warp * 32 < threads; ++warp) {
        const ColorKey fill = ColorKey::category(static_cast<std::uint32_t>(warp) % 10);
        const Rect r{grid.x, y_of(warp * 32), grid.w, y_of(std::min(threads, warp * 32 + 32)) - y_of(warp * 32)};
        p.list.add(FillRect{r, {fill}});
        p.list.add(StrokeRect{r, ink(Role::Ink, 0.75), 1.25});
        const std::string name = fmt::format("warp {}", static_cast<int>(warp));
        if (measure.width(name, FontFace::UiBold, m.small) + 10 < r.w && r.h > 16) text({r.x + r.w / 2, r.y + r.h / 2}, name, FontFace::UiBold, HAlign::Centre, {ColorKey::ink_on(fill)}, m.small);
        text({left - 8, r.y + 6}, fmt::format("{}", static_cast<int>(warp) * 32), FontFace::Mono, HAlign::Right, ink(Role::Text3));
        p.hits.push_back({r, static_cast<std::int64_t>(warp), fmt::format("warp {}: threads {} to {}, {} registers each", warp, warp * 32, std::min(threads, warp * 32 + 32) - 1, per_thread)});
    }
    for (double slot = step; slot < per_thread; slot += step) p.list.add(FillRect{{std::round(x_of(slot)), grid.y, 1, grid.h}, ink(Role::Ink, 0.14)});
    if (o.lit.valid() && o.lit.thread < owners.threads()) {
        const double y = y_of(static_cast<double>(o.lit.thread)), h = std::max(4.0, grid.h / threads);
        const Rect row{grid.x, y + grid.h / threads / 2 - h / 2, grid.w, h};
        p.list.add(FillRect{row, ink(Role::Hover, 0.6)});
        if (o.lit.slot >= 0 && o.lit.slot < owners.per_thread()) {
            const double w = std::max(6.0, grid.w / per_thread), x = x_of(static_cast<double>(o.lit.slot) + 0.5) - w / 2;
            p.list.add(FillRect{{x, row.y - 1, w, row.h + 2}, ink(Role::Hover)});
            p.list.add(StrokeRect{{x, row.y - 1, w, row.h + 2}, ink(Role::HoverEdge), 1});
        }
    }
    if (!o.note.empty() && measure.width(o.note, FontFace::Ui, m.micro) <= grid.w) text({left, o.height - 12}, o.note, FontFace::Ui, HAlign::Left, ink(Role::Text2));
    p.list.width = o.width;
    p.list.height = o.height;
    p.title = "Registers";
    return made;
}

} // namespace ls::figure
