#include "core/passes/tirx/plan/tcgen05_cp.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/notation/tirx_text.h"
#include "core/passes/tirx/plan/tcgen05_cp_shapes.h"

namespace ls::tirx {

namespace {

using catalogue::SwizzleMode;

std::string text(std::span<const Iter> iters) {
    TileLayout tile;
    tile.shard.assign(iters.begin(), iters.end());
    return notation::print_tirx(Layout(tile));
}

bool matches(std::span<const Iter> iters, std::span<const ExtentStride> pattern) {
    if (iters.size() != pattern.size()) return false;
    for (std::size_t i = 0; i < iters.size(); ++i) {
        if (!iters[i].extent.is(pattern[i].extent) || !iters[i].stride.is(pattern[i].stride)) return false;
        if (iters[i].axis != axes::TLane) return false;
    }
    return true;
}

Result<std::vector<Iter>> fused(std::span<const Iter> iters) {
    TileLayout tile;
    tile.shard.assign(iters.begin(), iters.end());
    LS_TRY(const Layout canonical, canonicalize(Layout(tile)));
    return canonical.tile().shard;
}

std::span<const Iter> part(const Grouped& grouped, std::size_t d) {
    return std::span(grouped.layout.shard).subspan(grouped.separators[d], grouped.separators[d + 1] - grouped.separators[d]);
}

Status all_constant(const TileLayout& tile, std::string_view which) {
    for (const Iter& iter : tile.shard) {
        if (!iter.extent.is_constant() || !iter.stride.is_constant()) {
            return error("PLAN_SYMBOLIC", fmt::format("an extent or stride of the {} region is not known before the program "
                                                      "runs",
                                                      which));
        }
    }
    return ok_status();
}

/// Products of extents between iters of stride 0, and those extents: how a layout repeats elements.
std::vector<std::int64_t> drop_repeats(TileLayout& tile) {
    std::vector<std::int64_t> sequence;
    std::vector<Iter> kept;
    std::int64_t run = 1;
    for (const Iter& iter : tile.shard) {
        if (!iter.stride.is(0)) {
            run *= iter.extent.value();
            kept.push_back(iter);
            continue;
        }
        if (run > 1) sequence.push_back(run);
        sequence.push_back(iter.extent.value());
        run = 1;
    }
    if (run > 1) sequence.push_back(run);
    tile.shard = std::move(kept);
    return sequence;
}

/// Both regions in the instruction's order: rows, then what is repeated, then one row's bits.
struct Parts {
    std::vector<Iter> lane, middle, column;
};

class Planner {
public:
    Planner(const Tcgen05Cp& call, const CpShape& shape) : call_(call), shape_(shape) {}

    Result<Tcgen05CpPlan> run() {
        dtype_bits_ = bits(call_.shared.dtype);
        if (dtype_bits_ < 4 || 32 % dtype_bits_ != 0 || bits(call_.tmem.dtype) != dtype_bits_) {
            return error("CP_ATOM", fmt::format("tcgen05.cp moves elements of 4 to 32 bits of one width, got {} and {}",
                                                info(call_.shared.dtype).tirx, info(call_.tmem.dtype).tirx));
        }
        LS_CHECK(take_regions());
        LS_CHECK(order_by_lanes());
        LS_TRY(Parts tmem, split(tmem_, "tmem"));
        LS_TRY(Parts shared, split(shared_, "shared"));
        LS_CHECK(refine(tmem.middle, shared.middle));
        LS_CHECK(check_tmem(tmem));
        plan_.shape = shape_.shape;
        plan_.multicast = shape_.multicast;
        LS_CHECK(read_rows(shared.lane));
        LS_CHECK(check_swizzle());
        LS_CHECK(read_row(shared.column));
        LS_CHECK(check_offsets());
        LS_CHECK(make_loops(tmem.middle, shared.middle));
        return std::move(plan_);
    }

private:
    std::int64_t per_cell() const { return 32 / dtype_bits_; }
    std::int64_t per_16b() const { return 128 / dtype_bits_; }
    std::int64_t to_bytes(const Dim& elems) const { return elems.value() * dtype_bits_ / 8; }

    Status take_regions() {
        LS_TRY(const Layout s_slice, slice_of(call_.shared));
        LS_TRY(const Layout s, canonicalize(s_slice));
        LS_TRY(const Layout t_slice, slice_of(call_.tmem));
        LS_TRY(const Layout t, canonicalize(t_slice));
        if (t.is_compose()) return error("CP_ATOM", "the TMEM layout cannot be swizzled", "use a plain TileLayout");
        if (const ComposeLayout* compose = s.compose()) swizzle_ = *compose;
        shared_ = s.tile();
        tmem_ = t.tile();
        LS_CHECK(all_constant(shared_, "shared"));
        LS_CHECK(all_constant(tmem_, "TMEM"));
        if (!matches(tmem_.replica, shape_.copies)) {
            std::vector<std::string> wanted;
            for (const ExtentStride& copy : shape_.copies) wanted.push_back(fmt::format("R[{}:{}@TLane]", copy.extent, copy.stride));
            return error("CP_REPLICA",
                         fmt::format("replica mismatch for tcgen05.cp {}: it writes {}, but the TMEM layout is {}",
                                     full_name(shape_), wanted.empty() ? "one copy" : fmt::format("{}", fmt::join(wanted, " + ")),
                                     notation::print_tirx(Layout(tmem_))),
                         "declare the TMEM buffer with the copies that the instruction makes");
        }
        return ok_status();
    }

    /// Lanes first, then columns from far to near; the shared side goes along.
    Status order_by_lanes() {
        std::vector<std::size_t> order(tmem_.shard.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
            const Iter& x = tmem_.shard[a];
            const Iter& y = tmem_.shard[b];
            if ((x.axis == axes::TLane) != (y.axis == axes::TLane)) return x.axis == axes::TLane;
            return x.stride.value() > y.stride.value();
        });
        std::vector<Dim> shape;
        for (const Iter& iter : tmem_.shard) shape.push_back(iter.extent);
        LS_TRY(const Grouped grouped, group(shared_, shape));
        LS_TRY(const Layout permuted, permute_by_groups(Layout(grouped.layout), grouped.separators, order));
        LS_TRY(const Layout s, canonicalize(permuted));
        LS_TRY(const Layout t_permuted, permute_dims(Layout(tmem_), order));
        LS_TRY(const Layout t, canonicalize(t_permuted));
        shared_ = s.tile();
        tmem_ = t.tile();
        lane_span_ = 1;
        for (const auto* iters : {&tmem_.shard, &tmem_.replica}) {
            for (const Iter& iter : *iters) {
                if (iter.axis == axes::TLane) lane_span_ += (iter.extent.value() - 1) * iter.stride.value();
            }
        }
        const auto t_repeats = drop_repeats(tmem_);
        const auto s_repeats = drop_repeats(shared_);
        if (t_repeats != s_repeats) {
            return error("CP_SPLIT", fmt::format("the regions repeat elements differently: [{}] in TMEM, [{}] in shared memory",
                                                 fmt::join(t_repeats, ", "), fmt::join(s_repeats, ", ")));
        }
        return ok_status();
    }

    Result<Parts> split(const TileLayout& tile, std::string_view which) {
        const std::int64_t columns = shape_.row_bits / dtype_bits_;
        std::int64_t total = 1;
        for (const Iter& iter : tile.shard) total *= iter.extent.value();
        const std::int64_t atom = shape_.rows * columns;
        if (total < atom || total % atom != 0) {
            return error("CP_ATOM", fmt::format("the {} region has {} elements, which is not a multiple of one {} atom "
                                                "({} rows of {})",
                                                which, total, full_name(shape_), shape_.rows, columns));
        }
        const std::vector<Dim> shape{Dim(shape_.rows), Dim(total / atom), Dim(columns)};
        LS_TRY(const Grouped grouped, group(tile, shape));
        Parts parts;
        LS_TRY(parts.middle, fused(part(grouped, 1)));
        LS_TRY(parts.column, fused(part(grouped, 2)));
        // The shared rows are cut into groups of 8 before they are fused.
        if (which == "tmem") {
            LS_TRY(parts.lane, fused(part(grouped, 0)));
        } else {
            parts.lane.assign(part(grouped, 0).begin(), part(grouped, 0).end());
        }
        return parts;
    }

    /// Cuts both middles where either has a boundary, so that they correspond one to one.
    static Status refine(std::vector<Iter>& tmem, std::vector<Iter>& shared) {
        std::vector<std::int64_t> cuts;
        for (const auto* iters : {&tmem, &shared}) {
            std::int64_t product = 1;
            for (const Iter& iter : *iters) cuts.push_back(product *= iter.extent.value());
        }
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        std::vector<Dim> shape;
        std::int64_t before = 1;
        for (const std::int64_t cut : cuts) {
            if (cut % before != 0) {
                return error("CP_SPLIT", fmt::format("the loops of both sides do not meet: {} does not divide {}", before, cut));
            }
            shape.emplace_back(cut / before);
            before = cut;
        }
        for (auto* iters : {&tmem, &shared}) {
            TileLayout tile;
            tile.shard = *iters;
            LS_TRY(const Grouped grouped, group(tile, shape));
            std::vector<Iter> refined;
            for (std::size_t d = 0; d < shape.size(); ++d) {
                LS_TRY(const std::vector<Iter> segment, fused(part(grouped, d)));
                if (segment.size() != 1) {
                    return error("CP_SPLIT", fmt::format("loop {} of the issue has no single stride: {}", d, text(segment)));
                }
                refined.push_back(segment.front());
            }
            *iters = std::move(refined);
        }
        return ok_status();
    }

    Status check_tmem(const Parts& tmem) const {
        if (!matches(tmem.lane, shape_.lanes)) {
            return error("CP_ATOM", fmt::format("tcgen05.cp {} puts its rows on other lanes than the TMEM layout does, whose "
                                                "rows are {}",
                                                full_name(shape_), text(tmem.lane)));
        }
        const std::int64_t columns = shape_.row_bits / dtype_bits_;
        const bool fits = tmem.column.size() == 1 && tmem.column[0].extent.is(columns) && tmem.column[0].stride.is(1) &&
                          tmem.column[0].axis == axes::TCol;
        if (!fits) {
            return error("CP_ATOM", fmt::format("one row of tcgen05.cp {} is {} neighbouring elements of TCol, but the TMEM "
                                                "layout has {}",
                                                full_name(shape_), columns, text(tmem.column)));
        }
        return ok_status();
    }

    /// Rows in shared memory: pitch within 8 of them, and from one 8 to the next.
    Status read_rows(const std::vector<Iter>& lane) {
        const std::int64_t groups = shape_.rows < 8 ? 1 : shape_.rows / 8;
        TileLayout tile;
        tile.shard = lane;
        if (groups == 1) {
            LS_TRY(const std::vector<Iter> rows, fused(lane));
            if (rows.size() != 1) {
                return error("CP_ATOM", fmt::format("the {} rows have no single pitch in shared memory: {}", shape_.rows,
                                                    text(rows)));
            }
            pitch_bytes_ = to_bytes(rows[0].stride);
        } else {
            const std::vector<Dim> shape{Dim(groups), Dim(8)};
            LS_TRY(const Grouped grouped, group(tile, shape));
            if (grouped.separators != std::vector<std::size_t>{0, 1, 2}) {
                return error("CP_ATOM", fmt::format("the rows in shared memory are not {} groups of 8 at one distance: {}", groups,
                                                    text(lane)));
            }
            pitch_bytes_ = to_bytes(grouped.layout.shard[1].stride);
            const std::int64_t group_bytes = to_bytes(grouped.layout.shard[0].stride);
            if (group_bytes % 16 != 0) {
                return error("CP_ALIGNMENT", fmt::format("groups of 8 rows are {} bytes apart, which is not a multiple of 16",
                                                         group_bytes));
            }
            plan_.sdo = group_bytes / 16;
        }
        static constexpr std::array<std::int64_t, 4> pitches{16, 32, 64, 128};
        const auto* at = std::find(pitches.begin(), pitches.end(), pitch_bytes_);
        if (at == pitches.end()) {
            return error("CP_ATOM", fmt::format("rows are {} bytes apart in shared memory, but a descriptor knows 16, 32, 64 and "
                                                "128",
                                                pitch_bytes_),
                         "copy from a packed or a swizzled tile");
        }
        plan_.swizzle = static_cast<tensor_core::SmemSwizzle>(at - pitches.begin());
        return ok_status();
    }

    Status check_swizzle() const {
        const int length = swizzle_ ? swizzle_->swizzle_len : 0;
        if (length != static_cast<int>(plan_.swizzle)) {
            return error("CP_SWIZZLE", fmt::format("swizzle mode mismatch: rows {} bytes apart need the {} swizzle, but the "
                                                   "layout's swizzle_len is {}",
                                                   pitch_bytes_, tensor_core::name(plan_.swizzle), length));
        }
        if (!swizzle_) return ok_status();
        const int per_element = catalogue::swizzle_per_element(call_.shared.dtype);
        if (swizzle_->per_element != per_element || swizzle_->atom_len != 3) {
            return error("CP_SWIZZLE",
                         fmt::format("swizzle family mismatch: the hardware exchanges chunks of 16 bytes within 8 rows, "
                                     "ComposeLayout({}, {}, 3, ...); got per_element={}, atom_len={}",
                                     per_element, length, swizzle_->per_element, swizzle_->atom_len));
        }
        if (length > 0) {
            LS_CHECK(swizzle_mode(Layout(*swizzle_)));
        }
        return ok_status();
    }

    /// One row in shared memory: one unit of 16 bytes, or two.
    Status read_row(const std::vector<Iter>& column) {
        const auto is_unit = [this](const Iter& iter) { return iter.extent.is(per_16b()) && iter.stride.is(1); };
        if (shape_.row_bits == 128) {
            if (column.size() == 1 && is_unit(column[0])) return ok_status();
            return error("CP_ATOM", fmt::format("a row of 128 bits is {} neighbouring elements in shared memory, but the layout "
                                                "has {}",
                                                per_16b(), text(column)));
        }
        TileLayout tile;
        tile.shard = column;
        const std::vector<Dim> shape{Dim(2), Dim(per_16b())};
        LS_TRY(const Grouped grouped, group(tile, shape));
        if (grouped.separators != std::vector<std::size_t>{0, 1, 2} || !is_unit(grouped.layout.shard[1])) {
            return error("CP_ATOM", fmt::format("a row of 256 bits is two units of {} neighbouring elements in shared memory, "
                                                "but the layout has {}",
                                                per_16b(), text(column)));
        }
        const std::int64_t unit_bytes = to_bytes(grouped.layout.shard[0].stride);
        if (unit_bytes % 16 != 0) {
            return error("CP_ALIGNMENT", fmt::format("the two units of a row are {} bytes apart, which is not a multiple of 16",
                                                     unit_bytes));
        }
        if (plan_.swizzle == tensor_core::SmemSwizzle::None) {
            plan_.ldo = unit_bytes / 16;
            return ok_status();
        }
        if (unit_bytes != 16) {
            return error("CP_ATOM", fmt::format("a swizzled row of 256 bits needs its two units side by side, but they are {} "
                                                "bytes apart",
                                                unit_bytes));
        }
        plan_.ldo = 1;
        return ok_status();
    }

    Status check_offsets() {
        const Dim column = tmem_.offset.get(axes::TCol);
        const Dim lane = tmem_.offset.get(axes::TLane);
        const Dim shared = shared_.offset.get(axes::m);
        if (!proves_divisible(column, 4 * per_cell())) {
            return error("CP_ALIGNMENT", fmt::format("the TMEM region starts at TCol {}, which is not provably 128b-aligned ({} "
                                                     "elements of {})",
                                                     to_string(column), 4 * per_cell(), info(call_.tmem.dtype).tirx));
        }
        if (!proves_at_most(lane + lane_span_, Dim(128))) {
            return error("CP_LANES", fmt::format("the TMEM region starts at lane {} and spans {} lanes, which overflows the "
                                                 "128-lane space",
                                                 to_string(lane), lane_span_));
        }
        const bool plain = plan_.swizzle == tensor_core::SmemSwizzle::None;
        const std::int64_t align_bytes = plain ? 16 : 8 * pitch_bytes_;
        if (!proves_divisible(shared, align_bytes * 8 / dtype_bits_)) {
            return error("CP_ALIGNMENT", fmt::format("the shared region starts at element {}, which is not provably aligned to {} "
                                                     "({} bytes)",
                                                     to_string(shared), plain ? "16B" : "the swizzle atom", align_bytes));
        }
        plan_.smem_offset_16b = floor_div(shared * dtype_bits_, Dim(128));
        plan_.tmem_offset = floor_div(column, Dim(per_cell())) + lane * 65536;
        return ok_status();
    }

    Status make_loops(const std::vector<Iter>& tmem, const std::vector<Iter>& shared) {
        for (std::size_t i = 0; i < tmem.size(); ++i) {
            if (tmem[i].extent.is(1)) continue;
            Tcgen05CpPlan::Loop loop{tmem[i].extent.value(), 0, 0};
            const std::int64_t stride = tmem[i].stride.value();
            if (tmem[i].axis == axes::TCol && stride % per_cell() == 0) {
                loop.tmem_step = stride / per_cell();
            } else if (tmem[i].axis == axes::TLane) {
                loop.tmem_step = stride * 65536;
            } else {
                return error("CP_ALIGNMENT", fmt::format("loop {} of the issue steps {} in TMEM, which is neither lanes nor whole "
                                                         "columns",
                                                         i, text(std::span(&tmem[i], 1))));
            }
            const std::int64_t bytes = to_bytes(shared[i].stride);
            if (bytes % 16 != 0) {
                return error("CP_ALIGNMENT", fmt::format("loop {} of the issue steps {} bytes in shared memory, which is not a "
                                                         "multiple of 16",
                                                         i, bytes));
            }
            loop.smem_step_16b = bytes / 16;
            plan_.loops.push_back(loop);
        }
        return ok_status();
    }

    const Tcgen05Cp& call_;
    const CpShape& shape_;
    std::int64_t dtype_bits_ = 8;
    std::int64_t pitch_bytes_ = 0;
    std::int64_t lane_span_ = 1;
    std::optional<ComposeLayout> swizzle_;
    TileLayout shared_, tmem_;
    Tcgen05CpPlan plan_;
};

} // namespace

std::int64_t Tcgen05CpPlan::issues() const {
    std::int64_t total = 1;
    for (const Loop& loop : loops) total *= loop.extent;
    return total;
}

Tcgen05CpPlan::Step Tcgen05CpPlan::step(std::int64_t index) const {
    Step step;
    for (const Loop& loop : loops) {
        const std::int64_t digit = index % loop.extent;
        index /= loop.extent;
        step.smem_16b += digit * loop.smem_step_16b;
        step.tmem += digit * loop.tmem_step;
    }
    return step;
}

std::string Tcgen05CpPlan::instruction() const {
    return fmt::format("tcgen05.cp.cta_group::{}.{}{}{}", cta_group, shape, multicast.empty() ? "" : ".", multicast);
}

Result<Tcgen05CpPlan> plan_tcgen05_cp(const Tcgen05Cp& call) {
    if (is_set(call.config, "decompress")) {
        return error("CP_CONFIG", "tcgen05.cp planner does not support decompress", "convert the data before the copy");
    }
    LS_TRY(const std::int64_t cta_group, integer(call.config, "cta_group", 1));
    const auto multicast = text_of(call.config, "multicast");
    const auto finish = [cta_group](Result<Tcgen05CpPlan> plan) {
        if (plan) plan->cta_group = static_cast<int>(cta_group);
        return plan;
    };
    if (const auto shape = text_of(call.config, "shape")) {
        LS_TRY(const CpShape* const asked, asked_shape(*shape, multicast));
        return finish(Planner(call, *asked).run());
    }
    Diagnostic none = error("CP_NO_SHAPE", "no tcgen05.cp shape fits the given layouts");
    for (const CpShape& shape : cp_shapes()) {
        if (multicast && *multicast != shape.multicast) continue;
        Result<Tcgen05CpPlan> plan = Planner(call, shape).run();
        if (plan) return finish(std::move(plan));
        Diagnostic why = plan.error();
        why.message = fmt::format("{}: {}", full_name(shape), why.message);
        none.notes.push_back(std::move(why));
    }
    return none;
}

} // namespace ls::tirx
