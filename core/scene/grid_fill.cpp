#include "core/scene/grid_fill.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ls::scene {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFirstPasses = 8;        // fewer would show grain
constexpr std::size_t kPassesAtOnce = 4;       // on one region, while its sums are in the cache
constexpr std::int64_t kRegionTexels = 131072; // keys and sums of a region stay in a second-level cache
constexpr std::size_t kMaxRegions = 64;
constexpr double kMaxTexels = 32768; // along an axis; more than any screen has pixels
constexpr double kShowNs = 3;        // to turn one texel's sum into a colour
constexpr double kIndexNs = 25;      // that a source spends on each row and column of a call

std::int64_t elapsed_ns(Clock::time_point since) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - since).count();
}

} // namespace

/// `scale`: device pixels per cell. Positions are those of GridView::x_of.
GridFill::Axis GridFill::lay_axis(double origin, double scale, double length, double dpr, std::int64_t cells) {
    Axis axis;
    if (!(scale > 0) || cells <= 0 || !(length > 0)) return axis;
    const double start = std::round(origin * scale), pixels = std::min(std::round(length * dpr), kMaxTexels);
    const auto total = static_cast<double>(cells);
    double first = 0, end = 0, unit = 1; // texels, and device pixels of one
    if (scale >= 1) {
        unit = scale;
        first = std::clamp(std::floor((start + 0.5) / scale), 0.0, total);
        end = std::clamp(std::floor((start + pixels - 0.5) / scale) + 1, first, total);
    } else {
        axis.per_texel = 1 / scale;
        first = std::max(0.0, start);
        end = std::max(first, std::min(start + pixels, std::max(1.0, std::round(total * scale))));
    }
    axis.first = static_cast<std::int64_t>(first);
    axis.count = static_cast<int>(end - first);
    axis.at = (std::round(first * unit) - start) / dpr;
    axis.length = (std::round(end * unit) - std::round(first * unit)) / dpr;
    return axis;
}

GridFill::Outcome GridFill::update(const GridView& view, std::shared_ptr<const CellSource> source, const ColorLut& lut,
                                   std::chrono::nanoseconds budget) {
    const Clock::time_point began = Clock::now();
    const Axis rows = lay_axis(view.camera.origin_row, view.pixels_per_row(), view.height, view.dpr, view.rows);
    const Axis cols = lay_axis(view.camera.origin_col, view.pixels_per_col(), view.width, view.dpr, view.cols);

    const Rect before = image_.rect;
    const bool same_grid = source == source_ && &lut == lut_ && view.rows == grid_rows_ && view.cols == grid_cols_;
    Outcome outcome;
    if (same_grid && rows.same_lattice(row_axis_) && cols.same_lattice(col_axis_)) {
        if (rows.first != row_axis_.first || rows.count != row_axis_.count || cols.first != col_axis_.first ||
            cols.count != col_axis_.count) {
            scroll(rows, cols);
            outcome.changed = true;
        }
        row_axis_ = rows;
        col_axis_ = cols;
    } else {
        source_ = std::move(source);
        lut_ = &lut;
        adopt(view, rows, cols);
        outcome.changed = true;
    }
    image_.rect = {col_axis_.at, row_axis_.at, col_axis_.length, row_axis_.length};
    outcome.changed = outcome.changed || !(image_.rect == before);
    if (!source_) unfinished_.clear();
    if (unfinished_.empty()) return outcome;

    const std::int64_t budget_ns = std::max<std::int64_t>(0, budget.count());
    bool idle = !show_blank(budget_ns); // a call that did nothing yet makes one step, however small the budget
    std::vector<bool> touched(unfinished_.size(), false);
    std::int64_t reserved_ns = 0; // for showing what was touched
    while (true) {
        std::size_t next = unfinished_.size();
        for (std::size_t i = 0; i < unfinished_.size(); ++i) {
            if (unfinished_[i].passes >= passes_.size()) continue;
            if (next == unfinished_.size() || unfinished_[i].passes < unfinished_[next].passes) next = i;
        }
        if (next == unfinished_.size()) break;
        Region& region = unfinished_[next];
        const auto show_ns =
            static_cast<std::int64_t>(touched[next] ? 0 : kShowNs * static_cast<double>(region.area()));
        const double left = static_cast<double>(budget_ns - elapsed_ns(began) - reserved_ns - show_ns);
        const double affordable = left / std::max(1.0, pass_cost(region));
        if (affordable < 1 && !idle) break;
        idle = false;
        const std::size_t count = std::min({kPassesAtOnce, passes_.size() - region.passes,
                                            static_cast<std::size_t>(std::clamp(affordable, 1.0, 1e6))});
        run_passes(region, count);
        touched[next] = true;
        reserved_ns += show_ns;
    }
    for (std::size_t i = 0; i < unfinished_.size(); ++i) {
        const Region& region = unfinished_[i];
        if (!touched[i] || region.passes < std::min(kFirstPasses, passes_.size())) continue;
        show(region);
        outcome.changed = true;
    }
    std::erase_if(unfinished_, [this](const Region& r) { return r.passes >= passes_.size(); });
    outcome.more = more();
    return outcome;
}

void GridFill::invalidate() {
    source_.reset();
    lut_ = nullptr;
    unfinished_.clear();
    image_ = {};
    row_axis_ = {};
    col_axis_ = {};
}

CellImage GridFill::complete(const GridView& view, std::shared_ptr<const CellSource> source, const ColorLut& lut) {
    GridFill fill;
    fill.update(view, std::move(source), lut, std::chrono::hours(1));
    return std::move(fill.image_);
}

/// A new lattice: nothing of the old image can be kept.
void GridFill::adopt(const GridView& view, const Axis& rows, const Axis& cols) {
    grid_rows_ = view.rows;
    grid_cols_ = view.cols;
    row_axis_ = rows;
    col_axis_ = cols;
    row_plan_ = AxisPlan(view.rows, rows.per_texel);
    col_plan_ = AxisPlan(view.cols, cols.per_texel);
    passes_ = sample_passes(row_plan_, col_plan_);
    image_.width = cols.count;
    image_.height = rows.count;
    const std::size_t area = static_cast<std::size_t>(rows.count) * static_cast<std::size_t>(cols.count);
    image_.pixels.assign(area, Rgba{});
    sums_.resize(area);
    unfinished_.clear();
    expose({0, 0, rows.count, cols.count, 0, true});
}

void GridFill::scroll(const Axis& rows, const Axis& cols) {
    const auto width = static_cast<std::size_t>(cols.count), height = static_cast<std::size_t>(rows.count);
    const auto old_width = static_cast<std::size_t>(image_.width);
    // Kept texels in the new image: [top, bottom) × [left, right).
    const auto kept = [](const Axis& was, const Axis& now) {
        const std::int64_t from = std::clamp<std::int64_t>(was.first - now.first, 0, now.count);
        const std::int64_t to = std::clamp<std::int64_t>(was.first + was.count - now.first, from, now.count);
        return std::pair{static_cast<int>(from), static_cast<int>(to)};
    };
    const auto [top, bottom] = kept(row_axis_, rows);
    const auto [left, right] = kept(col_axis_, cols);
    const bool any = top < bottom && left < right;
    const bool keep_sums = any && !unfinished_.empty();
    spare_pixels_.resize(width * height);
    spare_sums_.resize(width * height);
    if (any) {
        const std::int64_t down = rows.first - row_axis_.first, across = cols.first - col_axis_.first;
        const auto span = static_cast<std::size_t>(right - left);
        for (int r = top; r < bottom; ++r) {
            const std::size_t from =
                static_cast<std::size_t>(r + down) * old_width + static_cast<std::size_t>(left + across);
            const std::size_t to = static_cast<std::size_t>(r) * width + static_cast<std::size_t>(left);
            std::copy_n(image_.pixels.data() + from, span, spare_pixels_.data() + to);
            if (keep_sums) std::copy_n(sums_.data() + from, span, spare_sums_.data() + to);
        }
        std::vector<Region> moved;
        for (Region region : unfinished_) {
            const std::int64_t r0 = std::clamp<std::int64_t>(region.row - down, top, bottom);
            const std::int64_t r1 = std::clamp<std::int64_t>(region.row + region.rows - down, top, bottom);
            const std::int64_t c0 = std::clamp<std::int64_t>(region.col - across, left, right);
            const std::int64_t c1 = std::clamp<std::int64_t>(region.col + region.cols - across, left, right);
            if (r0 >= r1 || c0 >= c1) continue;
            moved.push_back({static_cast<int>(r0), static_cast<int>(c0), static_cast<int>(r1 - r0),
                             static_cast<int>(c1 - c0), region.passes, region.blank});
        }
        unfinished_ = std::move(moved);
    } else {
        unfinished_.clear();
    }
    std::swap(image_.pixels, spare_pixels_);
    std::swap(sums_, spare_sums_);
    image_.width = cols.count;
    image_.height = rows.count;
    row_axis_ = rows;
    col_axis_ = cols;
    if (!any) {
        expose({0, 0, rows.count, cols.count, 0, true});
        return;
    }
    expose({0, 0, top, cols.count, 0, true});
    expose({bottom, 0, rows.count - bottom, cols.count, 0, true});
    expose({top, 0, bottom - top, left, 0, true});
    expose({top, right, bottom - top, cols.count - right, 0, true});
    // Long drags at a tight budget leave many slivers; begin anew and keep what is shown.
    if (unfinished_.size() > kMaxRegions) {
        const bool blank = std::any_of(unfinished_.begin(), unfinished_.end(), [](const Region& r) { return r.blank; });
        if (blank) show_blank(0);
        unfinished_.clear();
        expose({0, 0, rows.count, cols.count, 0, false});
    }
}

/// Adds a region in slices that fit a cache, its sums cleared.
void GridFill::expose(Region region) {
    if (region.rows <= 0 || region.cols <= 0) return;
    const auto slice = static_cast<int>(std::max<std::int64_t>(1, kRegionTexels / region.cols));
    for (int row = region.row; row < region.row + region.rows; row += slice) {
        const int rows = std::min(slice, region.row + region.rows - row);
        unfinished_.push_back({row, region.col, rows, region.cols, 0, region.blank});
        for (int r = row; r < row + rows; ++r) {
            const std::size_t at = static_cast<std::size_t>(r) * static_cast<std::size_t>(image_.width) +
                                   static_cast<std::size_t>(region.col);
            std::fill_n(sums_.data() + at, region.cols, std::uint64_t{0});
        }
    }
}

double GridFill::pass_cost(const Region& region) const {
    return sample_ns_ * static_cast<double>(region.area()) + kIndexNs * (region.rows + region.cols);
}

/// Gives every blank region a picture: at full resolution if that fits the budget, else in blocks of 2 or 4 texels.
/// False when there was none.
bool GridFill::show_blank(std::int64_t budget_ns) {
    const std::size_t first = std::min(kFirstPasses, passes_.size());
    double cost = 0;
    for (const Region& r : unfinished_) {
        if (r.blank) cost += static_cast<double>(first) * pass_cost(r) + kShowNs * static_cast<double>(r.area());
    }
    const int factor = cost <= static_cast<double>(budget_ns) ? 1 : cost <= 4 * static_cast<double>(budget_ns) ? 2 : 4;
    bool any = false;
    for (Region& r : unfinished_) {
        if (!r.blank) continue;
        any = true;
        r.blank = false;
        // One pass is all there is when texels are cells; blocks would cost as much.
        if (factor == 1 || passes_.size() == 1) {
            run_passes(r, first - std::min(first, r.passes));
            show(r);
        } else {
            show_coarse(r, factor);
        }
    }
    return any;
}

/// keys_ = colours of rows × cols.
void GridFill::ask(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& cols) {
    keys_.resize(rows.size() * cols.size());
    source_->colors(rows, cols, keys_.data());
    samples_ += keys_.size();
}

void GridFill::run_passes(Region& region, std::size_t count) {
    const Clock::time_point began = Clock::now();
    const auto width = static_cast<std::size_t>(region.cols);
    ask_rows_.resize(static_cast<std::size_t>(region.rows));
    ask_cols_.resize(width);
    for (std::size_t k = region.passes; k < region.passes + count; ++k) {
        const SamplePass& pass = passes_[k];
        for (int r = 0; r < region.rows; ++r) {
            ask_rows_[static_cast<std::size_t>(r)] =
                row_plan_.cell(row_axis_.first + region.row + r, pass.row_stratum, pass.row_phase, pass.col_stratum);
        }
        for (int c = 0; c < region.cols; ++c) {
            ask_cols_[static_cast<std::size_t>(c)] =
                col_plan_.cell(col_axis_.first + region.col + c, pass.col_stratum, pass.col_phase, pass.row_stratum);
        }
        ask(ask_rows_, ask_cols_);
        for (std::size_t r = 0; r < ask_rows_.size(); ++r) {
            const std::size_t at = (static_cast<std::size_t>(region.row) + r) * static_cast<std::size_t>(image_.width) +
                                   static_cast<std::size_t>(region.col);
            lut_->accumulate({keys_.data() + r * width, width}, sums_.data() + at);
        }
    }
    region.passes += count;
    const double cells = static_cast<double>(count) * static_cast<double>(region.area());
    if (cells >= 4096) sample_ns_ += 0.2 * (std::min(1e4, static_cast<double>(elapsed_ns(began)) / cells) - sample_ns_);
}

void GridFill::show(const Region& region) {
    for (int r = region.row; r < region.row + region.rows; ++r) {
        const std::size_t at =
            static_cast<std::size_t>(r) * static_cast<std::size_t>(image_.width) + static_cast<std::size_t>(region.col);
        lut_->average({sums_.data() + at, static_cast<std::size_t>(region.cols)}, image_.pixels.data() + at);
    }
}

/// The same quadrature on a lattice of factor × factor texels, kFirstPasses of it.
void GridFill::show_coarse(const Region& region, int factor) {
    const AxisPlan row_plan(grid_rows_, row_axis_.per_texel * factor),
        col_plan(grid_cols_, col_axis_.per_texel * factor);
    const std::vector<SamplePass> passes = sample_passes(row_plan, col_plan);
    const std::int64_t row0 = row_axis_.first + region.row, col0 = col_axis_.first + region.col;
    const std::int64_t block_row0 = row0 / factor, block_col0 = col0 / factor;
    const auto block_rows = static_cast<std::size_t>((row0 + region.rows - 1) / factor - block_row0 + 1);
    const auto block_cols = static_cast<std::size_t>((col0 + region.cols - 1) / factor - block_col0 + 1);
    std::vector<std::uint64_t> sums(block_rows * block_cols, 0);
    ask_rows_.resize(block_rows);
    ask_cols_.resize(block_cols);
    for (std::size_t k = 0; k < std::min(kFirstPasses, passes.size()); ++k) {
        for (std::size_t r = 0; r < block_rows; ++r) {
            ask_rows_[r] = row_plan.cell(block_row0 + static_cast<std::int64_t>(r), passes[k].row_stratum,
                                         passes[k].row_phase, passes[k].col_stratum);
        }
        for (std::size_t c = 0; c < block_cols; ++c) {
            ask_cols_[c] = col_plan.cell(block_col0 + static_cast<std::int64_t>(c), passes[k].col_stratum,
                                         passes[k].col_phase, passes[k].row_stratum);
        }
        ask(ask_rows_, ask_cols_);
        lut_->accumulate(keys_, sums.data());
    }
    std::vector<Rgba> blocks(sums.size());
    lut_->average(sums, blocks.data());
    for (int r = 0; r < region.rows; ++r) {
        const auto block_row = static_cast<std::size_t>((row0 + r) / factor - block_row0);
        Rgba* const out = image_.pixels.data() +
                          static_cast<std::size_t>(region.row + r) * static_cast<std::size_t>(image_.width) +
                          static_cast<std::size_t>(region.col);
        for (int c = 0; c < region.cols; ++c) {
            out[c] = blocks[block_row * block_cols + static_cast<std::size_t>((col0 + c) / factor - block_col0)];
        }
    }
}

} // namespace ls::scene
