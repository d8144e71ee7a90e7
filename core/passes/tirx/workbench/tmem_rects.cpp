#include "core/passes/tirx/workbench/tmem_rects.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/layout/engine/map.h"

namespace ls::tirx {

namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 18;
constexpr std::int64_t kWarpThreads = 32;

Status check_size(std::int64_t rows, std::int64_t columns) {
    if (rows > 0 && columns > 0 && rows <= kMostElements / columns) return ok_status();
    return error("BENCH_SIZE", fmt::format("a result of {} by {} is not drawn; tensor memory holds 128 lanes of 512 columns", rows, columns));
}

/// Axes that count threads of the warpgroup, with what one step is worth.
std::int64_t thread_weight(Axis axis) {
    if (axis == axes::warpid || axis == axes::wid_in_wg) return kWarpThreads;
    if (axis == axes::laneid || axis == axes::tid_in_wg || axis == axes::tx) return 1;
    return 0;
}

} // namespace

Result<std::vector<TmemRect>> tmem_rects(const Operand& c) {
    if (!c.layout) return error("PLAN_NO_LAYOUT", fmt::format("buffer {} has no layout", c.name));
    LS_TRY(const auto shape, constants(c.shape, "an extent of the buffer,"));
    const auto region_begins = begins(c), region_extents = extents(c);
    LS_TRY(auto at, constants(region_begins, "the begin of the region,"));
    LS_TRY(const auto extent, constants(region_extents, "an extent of the region,"));
    const std::int64_t rows = extent[extent.size() - 2], columns = extent.back();
    LS_CHECK(check_size(rows, columns));
    LS_TRY(const engine::CompiledMap map, engine::compile_map(*c.layout, shape));
    const auto* lanes = map.find(axes::TLane);
    const auto* cols = map.find(axes::TCol);
    const std::vector<std::int64_t> begin = at;
    const auto cell = [&](std::int64_t m, std::int64_t n) {
        at[at.size() - 2] = begin[begin.size() - 2] + m;
        at.back() = begin.back() + n;
        return TmemCell{lanes ? lanes->offset(at) : 0, cols ? cols->offset(at) : 0};
    };
    std::vector<TmemRect> done, open;
    for (std::int64_t m = 0; m < rows; ++m) {
        std::vector<TmemRect> runs;
        for (std::int64_t n = 0; n < columns; ++n) {
            const TmemCell one = cell(m, n);
            if (!runs.empty() && runs.back().lane == one.lane && runs.back().column + runs.back().columns == one.column) ++runs.back().columns;
            else runs.push_back({one.lane, 1, one.column, 1, m, n});
        }
        for (TmemRect& run : runs) {
            const auto grown = std::find_if(open.begin(), open.end(), [&](const TmemRect& o) {
                return o.n == run.n && o.columns == run.columns && o.column == run.column && o.lane + o.lanes == run.lane;
            });
            if (grown == open.end()) continue;
            run = {grown->lane, grown->lanes + 1, run.column, run.columns, grown->m, run.n};
            open.erase(grown);
        }
        done.insert(done.end(), open.begin(), open.end());
        open = std::move(runs);
    }
    done.insert(done.end(), open.begin(), open.end());
    return done;
}

TmemCell tmem_cell(std::span<const TmemRect> rects, MatrixElement element) {
    for (const TmemRect& r : rects)
        if (element.row >= r.m && element.row < r.m + r.lanes && element.column >= r.n && element.column < r.n + r.columns)
            return {r.lane + element.row - r.m, r.column + element.column - r.n};
    return {};
}

MatrixElement element_at(std::span<const TmemRect> rects, TmemCell cell) {
    for (const TmemRect& r : rects)
        if (cell.lane >= r.lane && cell.lane < r.lane + r.lanes && cell.column >= r.column && cell.column < r.column + r.columns)
            return {r.m + cell.lane - r.lane, r.n + cell.column - r.column};
    return {};
}

Result<RegisterOwners> RegisterOwners::make(const TensorLayout& fragment) {
    if (fragment.shape.size() != 2) return error("BENCH_SIZE", "a fragment has rows and columns");
    RegisterOwners owners;
    owners.rows_ = fragment.shape[0];
    owners.columns_ = fragment.shape[1];
    LS_CHECK(check_size(owners.rows_, owners.columns_));
    LS_TRY(const engine::CompiledMap map, engine::compile_map(fragment.layout, fragment.shape));
    std::vector<std::int64_t> point(map.axes().size());
    const auto count = owners.rows_ * owners.columns_;
    owners.owners_.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        map.point(i, point);
        RegisterPlace place{0, 0};
        for (std::size_t a = 0; a < point.size(); ++a) {
            const std::int64_t weight = thread_weight(map.axes()[a]);
            (weight > 0 ? place.thread : place.slot) += point[a] * std::max<std::int64_t>(1, weight);
        }
        owners.threads_ = std::max(owners.threads_, place.thread + 1);
        owners.per_thread_ = std::max(owners.per_thread_, place.slot + 1);
        owners.owners_.push_back(place);
    }
    LS_CHECK(check_size(owners.threads_, owners.per_thread_));
    owners.elements_.assign(static_cast<std::size_t>(owners.threads_ * owners.per_thread_), -1);
    for (std::int64_t i = 0; i < count; ++i) {
        const RegisterPlace& p = owners.owners_[static_cast<std::size_t>(i)];
        owners.elements_[static_cast<std::size_t>(p.thread * owners.per_thread_ + p.slot)] = i;
    }
    return owners;
}

RegisterPlace RegisterOwners::owner(MatrixElement element) const {
    if (!element.valid() || element.row >= rows_ || element.column < 0 || element.column >= columns_) return {};
    return owners_[static_cast<std::size_t>(element.row * columns_ + element.column)];
}

MatrixElement RegisterOwners::element(RegisterPlace place) const {
    if (!place.valid() || place.thread >= threads_ || place.slot < 0 || place.slot >= per_thread_) return {};
    const std::int64_t at = elements_[static_cast<std::size_t>(place.thread * per_thread_ + place.slot)];
    return at < 0 ? MatrixElement{} : MatrixElement{at / columns_, at % columns_};
}

std::vector<MatrixElement> RegisterOwners::held_by(std::int64_t thread) const {
    std::vector<MatrixElement> list;
    if (thread < 0 || thread >= threads_) return list;
    for (std::int64_t slot = 0; slot < per_thread_; ++slot)
        if (const MatrixElement one = element({thread, slot}); one.valid()) list.push_back(one);
    return list;
}

} // namespace ls::tirx
