#include "core/passes/tirx/plan/permute_layout.h"

#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls::tirx {

namespace {

constexpr std::int64_t kLanes = 32;
constexpr std::int64_t kBanks = 32;
constexpr std::int64_t kBankBytes = 4;

Result<TileLayout> region_of(const Operand& operand) {
    if (!operand.layout || operand.layout->is_compose()) {
        return error("PERMUTE_REGION", fmt::format("the layout of {} is no plain TileLayout", operand.name));
    }
    LS_TRY(const Layout sliced, slice_of(operand));
    LS_TRY(const Layout canonical, canonicalize(sliced));
    return canonical.tile();
}

Status take(const TileLayout& tile, std::vector<std::int64_t>* extents, std::vector<std::int64_t>& strides) {
    for (const Iter& iter : tile.shard) {
        const std::array numbers{iter.extent, iter.stride};
        LS_TRY(const auto values, constants(numbers, "an extent or stride of the region,"));
        if (extents != nullptr) extents->push_back(values[0]);
        strides.push_back(values[1]);
    }
    return ok_status();
}

/// In every slot the 32 lanes name 32 different banks.
bool bank_free(const PermuteLayoutPlan& plan, bool source, std::int64_t bytes) {
    for (std::int64_t r = 0; r < plan.per_lane; ++r) {
        std::uint32_t seen = 0;
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            const std::int64_t element = plan.element(lane, r);
            const std::int64_t offset = source ? plan.src_offset_elems(element) : plan.dst_offset_elems(element);
            const auto bank = static_cast<std::uint32_t>(floor_mod(floor_div(offset * bytes, kBankBytes), kBanks));
            if ((seen >> bank & 1U) != 0) return false;
            seen |= 1U << bank;
        }
    }
    return true;
}

} // namespace

std::int64_t PermuteLayoutPlan::offset(std::int64_t element, const std::vector<std::int64_t>& strides) const {
    std::int64_t total = 0;
    for (std::size_t d = extents.size(); d-- > 0;) {
        total += element % extents[d] * strides[d];
        element /= extents[d];
    }
    return total;
}

Result<PermuteLayoutPlan> plan_permute_layout(const Operand& dst, const Operand& src) {
    if (src.dtype != dst.dtype) {
        return error("PERMUTE_REGION", fmt::format("dtype mismatch: dst={} vs src={}", info(dst.dtype).tirx, info(src.dtype).tirx));
    }
    LS_TRY(const auto src_shape, constants(extents(src), "an extent of the source,"));
    LS_TRY(const auto dst_shape, constants(extents(dst), "an extent of the destination,"));
    if (src_shape != dst_shape) {
        return error("PERMUTE_REGION", fmt::format("slice shape mismatch: src=[{}] vs dst=[{}]", fmt::join(src_shape, ", "), fmt::join(dst_shape, ", ")));
    }
    const std::int64_t bytes = whole_bytes(src.dtype);
    if (bytes == 0) return error("PERMUTE_REGION", fmt::format("unsupported dtype {}", info(src.dtype).tirx));
    LS_TRY(const TileLayout dst_tile, region_of(dst));
    LS_TRY(const TileLayout src_tile, region_of(src));
    LS_TRY(const Grouped to, group(dst_tile, non_unit(extents(src))));
    std::vector<Dim> shape;
    for (const Iter& iter : to.layout.shard) shape.push_back(iter.extent);
    LS_TRY(const Grouped from, group(src_tile, shape));
    PermuteLayoutPlan plan;
    LS_CHECK(take(to.layout, &plan.extents, plan.dst_strides));
    LS_CHECK(take(from.layout, nullptr, plan.src_strides));
    if (plan.src_strides.size() != plan.dst_strides.size()) {
        return error("PERMUTE_REGION", "the source cannot be cut into the destination's pieces");
    }
    plan.src_offset = src_tile.offset.get(axes::m);
    plan.dst_offset = dst_tile.offset.get(axes::m);
    const std::int64_t total = checked_product(plan.extents).value_or(0);
    plan.per_lane = total / kLanes;
    if (total == 0 || total % kLanes != 0 || !is_power_of_two(plan.per_lane) || plan.per_lane > kLanes) {
        return error("PERMUTE_WARP", fmt::format("a warp moves 32, 64, ... or 1024 elements, the region has {}", total));
    }
    std::set<std::int64_t> sources, destinations;
    for (std::int64_t element = 0; element < total; ++element) {
        sources.insert(plan.src_offset_elems(element));
        destinations.insert(plan.dst_offset_elems(element));
    }
    if (static_cast<std::int64_t>(sources.size()) != total || static_cast<std::int64_t>(destinations.size()) != total) {
        return error("PERMUTE_BIJECTION", "several elements of the region share an address");
    }
    for (plan.xor_bits = 0; plan.xor_bits <= log2_exact(plan.per_lane); ++plan.xor_bits) {
        if (bank_free(plan, true, bytes) && bank_free(plan, false, bytes)) return plan;
    }
    return error("PERMUTE_BANKS", fmt::format("no XOR-bits k in [0, log2(P)={}] makes both phases bank-free", log2_exact(plan.per_lane)));
}

} // namespace ls::tirx
