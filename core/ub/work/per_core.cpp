#include "core/ub/work/per_core.h"

namespace ls::ub::work {

namespace {

/// The three members of the kernel class, and its method.
struct Core {
    std::uint64_t index;
    std::uint32_t quota;
    bool carry_over;
    std::uint32_t load = 0;
    std::uint32_t turn = 0;

    bool is_current_block(std::int32_t length) {
        load += static_cast<std::uint32_t>(length);
        const bool mine = index == turn && length > 0;
        if (load >= quota) {
            load = carry_over ? load - quota : 0;
            ++turn;
        }
        return mine;
    }

    bool claims(std::int32_t length, CallPattern pattern) {
        switch (pattern) {
        case CallPattern::OwnerTwice: return is_current_block(length) && is_current_block(length);
        case CallPattern::RefusedTwice: return is_current_block(length) || is_current_block(length);
        case CallPattern::Once: break;
        }
        return is_current_block(length);
    }
};

} // namespace

PerCoreOwners walk_per_core(const std::vector<std::int32_t>& lengths, std::int64_t cores, std::uint32_t quota,
                            bool carry_over, CallPattern pattern) {
    PerCoreOwners result;
    result.first_owner.assign(lengths.size(), kNobody);
    result.owner_count.assign(lengths.size(), 0);
    result.core_load.assign(static_cast<std::size_t>(cores), 0);
    result.core_items.assign(static_cast<std::size_t>(cores), 0);
    for (std::int64_t c = 0; c < cores; ++c) {
        const auto slot = static_cast<std::size_t>(c);
        Core core{static_cast<std::uint64_t>(c), quota, carry_over};
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            if (!core.claims(lengths[i], pattern)) continue;
            if (result.owner_count[i]++ == 0) result.first_owner[i] = static_cast<std::int32_t>(c);
            result.core_load[slot] += static_cast<std::uint64_t>(lengths[i]);
            ++result.core_items[slot];
        }
    }
    return result;
}

} // namespace ls::ub::work
