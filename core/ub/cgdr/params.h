// Inputs of chunk_gated_delta_rule's host tiling and device partition, both code versions (spec ub 0, 3, 9).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/support/result.h"

namespace ls::ub::cgdr {

enum class Variant : std::uint8_t {
    V1108, ///< vector cores only; 11 views; launch ignores the batch
    V1135, ///< Cube version; 12 views; bucketed K width; launch counts the batch
};
std::string_view name(Variant variant);
std::optional<Variant> variant_from_name(std::string_view text);

/// What the host tiling sees. All counts; `ub_bytes` is the answer of the memory query and may be negative (a failed
/// query).
struct HostInput {
    Variant variant = Variant::V1108;
    std::int64_t batch = 1;
    std::int64_t t = 0; ///< packed rows
    std::int64_t hqk = 1;
    std::int64_t hv = 1;
    std::int64_t dk = 128;
    std::int64_t dv = 128;
    std::int64_t ub_bytes = 0;
    std::int64_t aiv = 0; ///< vector cores reported to the host
    std::int64_t chunk_size = 64;
};

/// What the device partition sees.
struct DeviceInput {
    Variant variant = Variant::V1108;
    std::int64_t chunk_size = 64;
    std::int64_t dk = 128;
    std::int64_t dv = 128;
    std::int64_t v_step = 128;
    std::int64_t hv = 1;
    std::int64_t block_num = 1;             ///< launched blocks, GetBlockNum()
    std::optional<bool> force_overlap = {}; ///< overrides the branch
};

/// Refuses what no kernel could run and what would overflow 64-bit sizes: UB_PARAM_RANGE names the parameter.
Status validate(const HostInput& input);
Status validate(const DeviceInput& input);

/// Row widths in elements (spec ub 3.1, 9).
struct Widths {
    std::int64_t align_k = 0;        ///< K rows: fp16 DMA granularity, kept for the fp32 copy
    std::int64_t state_stride_k = 0; ///< state rows, fp32
    std::int64_t v_step_aligned = 0; ///< every V-side row

    bool operator==(const Widths&) const = default;
};
Widths widths(Variant variant, std::int64_t dk, std::int64_t v_step);

/// v1135: the smallest of 64, 80, 96, 128 that holds dk; 0 when none does.
std::int64_t k_bucket(std::int64_t dk);
/// 64→0, 80→1, 96→2, 128→3, none→2; v1108 always 0.
std::int64_t tiling_key(Variant variant, std::int64_t dk);

/// `dv > vStep` and, in v1108, more blocks than value heads: then V tiles of one head go to different cores.
bool splits_v(Variant variant, std::int64_t dv, std::int64_t v_step, std::int64_t block_num, std::int64_t hv);
/// Whether the host budgets scores and state as one region.
bool host_overlaps(Variant variant, std::int64_t v_step, std::int64_t dv, std::int64_t hv, std::int64_t aiv);
/// Whether the device carves them as one region.
bool device_overlaps(const DeviceInput& input);

} // namespace ls::ub::cgdr
