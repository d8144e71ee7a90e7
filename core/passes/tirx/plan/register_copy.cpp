#include "core/passes/tirx/plan/register_copy.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

namespace ls::tirx {

namespace {

using Loop = RegisterCopyPlan::Loop;

struct Aligned {
    TileLayout registers; ///< permuted, not canonical: one iter for each group of memory iters
    TileLayout memory;
    std::vector<std::size_t> separators; ///< of the memory iters by register iter
};

/// Both sides in one order: threads first, then by falling stride of the registers.
Result<Aligned> align(const Operand& registers, const Operand& memory) {
    if (!registers.layout || !memory.layout)
        return error("PLAN_NO_LAYOUT", "both sides of a register copy need a layout");
    if (registers.layout->is_compose()) return error("COPY_REGISTERS", "registers have no swizzle");
    LS_TRY(const Layout r_slice, slice(*registers.layout, registers.shape, registers.region, AxisTarget::Cuda));
    LS_TRY(const Layout s_slice, slice(*memory.layout, memory.shape, memory.region, AxisTarget::Cuda));
    LS_TRY(const Layout r, canonicalize(r_slice, AxisTarget::Cuda));
    LS_TRY(const Layout s_canonical, canonicalize(s_slice, AxisTarget::Cuda));
    const TileLayout s = without_swizzle(s_canonical, extents(memory));
    const auto& shard = r.tile().shard;
    std::vector<Dim> shape, strides;
    for (const Iter& iter : shard) {
        shape.push_back(iter.extent);
        strides.push_back(iter.stride);
    }
    LS_TRY(const auto stride, constants(strides, "a stride of the registers,"));
    std::vector<std::size_t> order(shard.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const bool thread_a = shard[a].axis.is_thread(), thread_b = shard[b].axis.is_thread();
        return thread_a != thread_b ? thread_a : stride[a] > stride[b];
    });
    LS_TRY(const Grouped grouped, group(s, shape));
    LS_TRY(const Layout permuted, permute_by_groups(Layout(grouped.layout), grouped.separators, order));
    LS_TRY(const Layout turned, permute_dims(r, order));
    Aligned out{turned.tile(), permuted.tile(), {0}};
    for (const std::size_t i : order) {
        out.separators.push_back(out.separators.back() + grouped.separators[i + 1] - grouped.separators[i]);
    }
    return out;
}

/// One loop for each memory iter that no thread axis covers.
Result<std::vector<Loop>> loops_of(const Aligned& sides) {
    std::vector<Loop> loops;
    for (std::size_t k = 0; k < sides.registers.shard.size(); ++k) {
        const Iter& r = sides.registers.shard[k];
        if (r.axis.is_thread()) continue;
        std::int64_t inner = 1;
        std::vector<Loop> part;
        for (std::size_t i = sides.separators[k + 1]; i-- > sides.separators[k];) {
            const Iter& s = sides.memory.shard[i];
            const std::vector<Dim> numbers{s.extent, s.stride, r.stride};
            LS_TRY(const auto values, constants(numbers, "an extent or stride of the copy,"));
            part.insert(part.begin(), {values[0], values[1], values[2] * inner});
            inner *= values[0];
        }
        loops.insert(loops.end(), part.begin(), part.end());
    }
    return loops;
}

/// Elements that lie one behind the other in memory, at the end of the loops.
std::int64_t contiguous_tail(const std::vector<Loop>& loops) {
    if (loops.empty() || loops.back().memory_stride != 1) return 0;
    std::int64_t run = loops.back().extent;
    for (std::size_t k = loops.size() - 1; k-- > 0 && loops[k].memory_stride == run;) run *= loops[k].extent;
    return run;
}

/// The loops without the innermost `vector` elements.
std::vector<Loop> without_vector(std::vector<Loop> loops, std::int64_t vector) {
    std::int64_t taken = 1;
    while (!loops.empty()) {
        Loop& last = loops.back();
        if (taken * last.extent > vector) {
            const std::int64_t inner = vector / taken;
            last = {last.extent / inner, last.memory_stride * inner, last.register_stride * inner};
            return loops;
        }
        taken *= last.extent;
        loops.pop_back();
        if (taken == vector) break;
    }
    return loops;
}

bool offsets_divide(const TileLayout& tile, std::int64_t by) {
    return std::all_of(tile.offset.begin(), tile.offset.end(),
                       [&](const auto& entry) { return proves_divisible(entry.second, Dim(by)); });
}

/// The widest access whose elements are neighbours and whose every address it divides.
std::int64_t widest_vector(int elem_bits, const std::vector<Loop>& loops, const Aligned& sides, std::int64_t limit) {
    static constexpr std::array widths{128, 64, 32, 16, 8};
    const std::int64_t run = contiguous_tail(loops);
    for (const int width : widths) {
        const std::int64_t vector = width / elem_bits;
        if (width % elem_bits != 0 || vector <= 1 || vector > limit || run < vector || run % vector != 0) continue;
        const std::vector<Loop> rest = without_vector(loops, vector);
        const bool steps = std::all_of(rest.begin(), rest.end(), [&](const Loop& loop) {
            return loop.memory_stride % vector == 0 && loop.register_stride % vector == 0;
        });
        if (steps && offsets_divide(sides.memory, vector) && offsets_divide(sides.registers, vector)) return vector;
    }
    return 1;
}

} // namespace

std::int64_t RegisterCopyPlan::iterations() const {
    std::int64_t total = 1;
    for (const Loop& loop : loops) total *= loop.extent;
    return total;
}

Result<RegisterCopyPlan> plan_register_copy(const Operand& registers, const Operand& memory, bool to_memory) {
    LS_TRY(const Aligned sides, align(registers, memory));
    LS_TRY(const std::vector<Loop> loops, loops_of(sides));
    const ComposeLayout* swizzle = memory.layout->compose();
    const bool swizzled = swizzle != nullptr && swizzle->swizzle_len > 0;
    const std::int64_t chunk =
        swizzled ? std::int64_t{1} << swizzle->per_element : std::numeric_limits<std::int64_t>::max();
    const int elem_bits = bits(memory.dtype);
    RegisterCopyPlan plan;
    plan.to_memory = to_memory;
    plan.vector = widest_vector(elem_bits, loops, sides, chunk);
    if (plan.vector * elem_bits % 8 != 0) {
        return error("COPY_REGISTERS", fmt::format("elements of {} bits are not moved one by one", elem_bits));
    }
    plan.vector_bytes = plan.vector * elem_bits / 8;
    plan.loops = without_vector(loops, plan.vector);
    LS_TRY(const Layout canonical, canonicalize(Layout(sides.registers), AxisTarget::Cuda));
    plan.registers = canonical.tile();
    plan.memory = sides.memory;
    for (const auto& [axis, offset] : plan.registers.offset) plan.register_offset += offset;
    return plan;
}

} // namespace ls::tirx
