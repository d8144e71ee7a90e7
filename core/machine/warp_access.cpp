#include "core/machine/warp_access.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/layout/engine/compiled_layout.h"
#include "core/support/checked.h"

namespace ls {

namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 22;
constexpr std::int64_t kMaxRegisters = std::int64_t{1} << 16;
constexpr std::int64_t kMaxCopies = std::int64_t{1} << 12;
constexpr std::int64_t kVectorBytes = 16;

/// A place in the register file of a group of warps.
struct Place {
    std::int64_t thread = 0; ///< lane + 32 · warp
    std::int64_t element = 0;
};

/// What one step on an axis adds to a place; empty for an axis that says nothing about threads of one CTA.
std::optional<Place> unit_of(Axis axis) {
    if (axis == axes::m) return Place{0, 1};
    if (axis == axes::laneid || axis == axes::tid_in_wg || axis == axes::tx) return Place{1, 0};
    if (axis == axes::warpid || axis == axes::wid_in_wg) return Place{kWarpLanes, 0};
    if (axis == axes::wgid) return Place{4 * kWarpLanes, 0};
    return {};
}

std::vector<Axis> axes_of(const Layout& layout) {
    std::vector<Axis> out;
    const auto add = [&](Axis axis) {
        if (std::find(out.begin(), out.end(), axis) == out.end()) out.push_back(axis);
    };
    for (const Iter& iter : layout.tile().shard) add(iter.axis);
    for (const Iter& iter : layout.tile().replica) add(iter.axis);
    for (const auto& [axis, amount] : layout.tile().offset) add(axis);
    return out;
}

/// Displacements of all copies of an element.
Result<std::vector<Place>> copies_of(const Layout& layout) {
    std::vector<Place> copies{Place{}};
    for (const Iter& iter : layout.tile().replica) {
        const auto unit = unit_of(iter.axis);
        const std::int64_t extent = iter.extent.value();
        if (!unit || iter.axis == axes::m) continue; // another CTA, or a second register of the same lane
        if (extent > kMaxCopies / static_cast<std::int64_t>(copies.size()))
            return error("ACCESS_TOO_LARGE", "an element has too many copies");
        const std::vector<Place> before = copies;
        for (std::int64_t r = 1; r < extent; ++r) {
            for (const Place& p : before)
                copies.push_back({p.thread + r * iter.stride.value() * unit->thread, p.element});
        }
    }
    return copies;
}

/// offsets[register][lane] of one warp.
using Table = std::vector<std::vector<std::optional<std::int64_t>>>;

Result<Table> table_of(const TensorLayout& registers, const TensorLayout& shared, std::int64_t warp) {
    const CheckedInt elements = checked_product(registers.shape);
    if (!elements || *elements > kMaxElements)
        return error("ACCESS_TOO_LARGE", fmt::format("a tensor of more than {} elements", kMaxElements));
    const auto count = static_cast<std::size_t>(*elements);
    std::vector<Place> places(count);
    for (const Axis axis : axes_of(registers.layout)) {
        const auto unit = unit_of(axis);
        if (!unit) continue;
        LS_TRY(const engine::CompiledLayout compiled, engine::compile(registers.layout, registers.shape, axis));
        std::vector<std::int64_t> values(count);
        LS_CHECK(compiled.fill(std::span(values)));
        for (std::size_t i = 0; i < count; ++i) {
            places[i].thread += values[i] * unit->thread;
            places[i].element += values[i] * unit->element;
        }
    }
    std::vector<std::int64_t> offsets(count);
    LS_TRY(const engine::CompiledLayout memory, engine::compile(shared.layout, shared.shape, axes::m));
    LS_CHECK(memory.fill(std::span(offsets)));
    LS_TRY(const std::vector<Place> copies, copies_of(registers.layout));
    Table table;
    for (std::size_t i = 0; i < count; ++i) {
        for (const Place& copy : copies) {
            const std::int64_t thread = places[i].thread + copy.thread;
            if (thread < 0 || thread / kWarpLanes != warp) continue;
            const std::int64_t element = places[i].element;
            if (element < 0 || element >= kMaxRegisters)
                return error("ACCESS_TOO_LARGE", fmt::format("register element {} of a lane", element));
            if (static_cast<std::size_t>(element) >= table.size())
                table.resize(static_cast<std::size_t>(element) + 1,
                             std::vector<std::optional<std::int64_t>>(kWarpLanes));
            table[static_cast<std::size_t>(element)][static_cast<std::size_t>(thread % kWarpLanes)] = offsets[i];
        }
    }
    return table;
}

/// Whether every lane's registers [first, first + width) are side by side in memory and aligned.
bool is_vector(const Table& table, std::size_t first, std::int64_t width) {
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
        const auto& start = table[first][lane];
        for (std::int64_t i = 0; i < width; ++i) {
            const auto& other = table[first + static_cast<std::size_t>(i)][lane];
            if (start.has_value() != other.has_value()) return false;
            if (start && (*start % width != 0 || *other != *start + i)) return false;
        }
    }
    return true;
}

std::int64_t widest_vector(const Table& table, int element_bytes) {
    std::int64_t width = 1;
    while (width * 2 * element_bytes <= kVectorBytes && table.size() % static_cast<std::size_t>(width * 2) == 0) {
        bool all = true;
        for (std::size_t first = 0; all && first < table.size(); first += static_cast<std::size_t>(width * 2))
            all = is_vector(table, first, width * 2);
        if (!all) break;
        width *= 2;
    }
    return width;
}

} // namespace

std::int64_t WarpAccess::wavefronts() const {
    std::int64_t sum = 0;
    for (const WarpInstruction& i : instructions) sum += i.banks.wavefronts;
    return sum;
}

std::int64_t WarpAccess::ideal() const {
    std::int64_t sum = 0;
    for (const WarpInstruction& i : instructions) sum += i.banks.ideal;
    return sum;
}

int WarpAccess::degree() const {
    int worst = 0;
    for (const WarpInstruction& i : instructions) worst = std::max(worst, i.banks.degree);
    return worst;
}

Result<WarpAccess> warp_access(const TensorLayout& registers, const TensorLayout& shared, int element_bits,
                               std::int64_t warp) {
    if (registers.shape != shared.shape) {
        return error("ACCESS_SHAPE",
                     fmt::format("the registers hold [{}], the memory [{}]", fmt::join(registers.shape, ", "),
                                 fmt::join(shared.shape, ", ")),
                     "give both layouts one shape");
    }
    if (element_bits < 8 || element_bits > 128 || !is_power_of_two(element_bits))
        return error("ACCESS_BITS", fmt::format("elements of {} bits; 8 to 128 are moved", element_bits));
    const std::vector<Axis> memory_axes = axes_of(shared.layout);
    if (std::any_of(memory_axes.begin(), memory_axes.end(),
                    [](Axis axis) { return axis != axes::m && axis.is_memory(); })) {
        return error("ACCESS_AXES", "the memory's layout must be over m");
    }
    const int element_bytes = element_bits / 8;
    LS_TRY(const Table table, table_of(registers, shared, warp));
    WarpAccess out;
    out.vector_elements = widest_vector(table, element_bytes);
    out.access_bytes = static_cast<int>(out.vector_elements) * element_bytes;
    for (std::size_t first = 0; first < table.size(); first += static_cast<std::size_t>(out.vector_elements)) {
        WarpInstruction instruction;
        instruction.first_register = static_cast<std::int64_t>(first);
        for (const auto& offset : table[first]) {
            instruction.byte_addresses.push_back(offset ? std::optional(*offset * element_bytes) : std::nullopt);
        }
        LS_TRY(instruction.banks, bank_conflicts(instruction.byte_addresses, out.access_bytes));
        out.instructions.push_back(std::move(instruction));
    }
    return out;
}

} // namespace ls
