// Each core's own walk over the units, call by call (spec ub 6.3). All cores agree as long as each evaluates
// IsCurrentBlock once a unit; this is what happens when one does not, and the oracle that the quick path is tested
// with.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ub/work/distribution.h"

namespace ls::ub::work {

enum class CallPattern : std::uint8_t {
    Once,         ///< as the kernel does
    OwnerTwice,   ///< IsCurrentBlock(len) && IsCurrentBlock(len)
    RefusedTwice, ///< IsCurrentBlock(len) || IsCurrentBlock(len)
};

struct PerCoreOwners {
    std::vector<std::int32_t> first_owner; ///< lowest core that claims the unit; kNobody where there is none
    std::vector<std::int32_t> owner_count;
    std::vector<std::uint64_t> core_load;
    std::vector<std::int64_t> core_items;
};

/// Units times cores that one walk may take.
inline constexpr std::int64_t kMaxPerCoreCalls = std::int64_t{1} << 27;

/// `lengths` in enumeration order, one a unit, all positive. lengths.size() * cores must not exceed kMaxPerCoreCalls.
PerCoreOwners walk_per_core(const std::vector<std::int32_t>& lengths, std::int64_t cores, std::uint32_t quota,
                            bool carry_over, CallPattern pattern);

} // namespace ls::ub::work
