// What the scope ids of a kernel stand for in the lowered program (spec/tirx.md 9, TilePrimitiveDispatch step 4).
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace ls::tirx {

struct ScopeIdValue {
    std::string_view id;
    std::string_view value;
};
inline constexpr std::array kScopeIdValues{
    ScopeIdValue{"cta_id", "blockIdx.x/y/z"},
    ScopeIdValue{"thread_id", "threadIdx.x"},
    ScopeIdValue{"warp_id", "warp_id_in_cta = tvm_warp_shuffle(0xFFFFFFFF, threadIdx.x // 32, 0, 32, 32)"},
    ScopeIdValue{"lane_id", "threadIdx.x % 32"},
    ScopeIdValue{"warpgroup_id", "warp_id_in_cta // 4"},
    ScopeIdValue{"warp_id_in_wg", "warp_id_in_cta % 4"},
    ScopeIdValue{"thread_id_in_wg", "threadIdx.x % 128"},
    ScopeIdValue{"cta_id_in_cluster", "clusterCtaIdx.x/y/z"},
    ScopeIdValue{"cluster_id", "mov_sreg clusterid.x/y/z"},
};

/// Nothing for a name that is no scope id.
constexpr std::optional<std::string_view> scope_id_value(std::string_view id) {
    for (const ScopeIdValue& row : kScopeIdValues) {
        if (row.id == id) return row.value;
    }
    return {};
}

} // namespace ls::tirx
