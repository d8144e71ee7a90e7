#include "core/ub/cgdr/params.h"

#include <array>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::ub::cgdr {

namespace {

/// Tile extents up to 2^20: products of two of them times 4 bytes, and sums of a dozen, stay far inside 64 bits.
constexpr std::int64_t kMaxExtent = std::int64_t{1} << 20;
constexpr std::int64_t kMaxCount = std::numeric_limits<std::int32_t>::max();

struct Bound {
    std::string_view name;
    std::int64_t value, low, high;
};

Status check(std::initializer_list<Bound> bounds) {
    for (const Bound& b : bounds) {
        if (b.value >= b.low && b.value <= b.high) continue;
        return error("UB_PARAM_RANGE", fmt::format("{} = {} lies outside {}..{}", b.name, b.value, b.low, b.high),
                     fmt::format("choose {} between {} and {}", b.name, b.low, b.high));
    }
    return ok_status();
}

constexpr std::array<std::int64_t, 4> kBuckets{64, 80, 96, 128};

} // namespace

std::string_view name(Variant variant) { return variant == Variant::V1108 ? "v1108" : "v1135"; }

std::optional<Variant> variant_from_name(std::string_view text) {
    if (text == "v1108" || text == "1108") return Variant::V1108;
    if (text == "v1135" || text == "1135") return Variant::V1135;
    return {};
}

Status validate(const HostInput& in) {
    return check({{"batch", in.batch, 0, kMaxCount},
                  {"t", in.t, 0, kMaxCount},
                  {"hqk", in.hqk, 0, kMaxCount},
                  {"hv", in.hv, 0, kMaxCount},
                  {"dk", in.dk, 0, kMaxExtent},
                  {"dv", in.dv, 0, kMaxExtent},
                  {"aiv", in.aiv, 0, kMaxCount},
                  {"chunkSize", in.chunk_size, 1, kMaxExtent}});
}

Status validate(const DeviceInput& in) {
    return check({{"chunkSize", in.chunk_size, 1, kMaxExtent},
                  {"dk", in.dk, 0, kMaxExtent},
                  {"dv", in.dv, 0, kMaxExtent},
                  {"vStep", in.v_step, 1, kMaxExtent},
                  {"hv", in.hv, 0, kMaxCount},
                  {"blockNum", in.block_num, 1, kMaxCount}});
}

std::int64_t k_bucket(std::int64_t dk) {
    for (const std::int64_t bucket : kBuckets) {
        if (dk <= bucket) return bucket;
    }
    return 0;
}

std::int64_t tiling_key(Variant variant, std::int64_t dk) {
    if (variant == Variant::V1108) return 0;
    switch (k_bucket(dk)) {
    case 64: return 0;
    case 80: return 1;
    case 128: return 3;
    default: return 2; // 96, and dk beyond every bucket
    }
}

Widths widths(Variant variant, std::int64_t dk, std::int64_t v_step) {
    Widths w;
    w.v_step_aligned = align_up(v_step, 8);
    if (variant == Variant::V1108) {
        w.align_k = align_up(dk, 16);
        w.state_stride_k = align_up(dk, 8);
        return w;
    }
    const std::int64_t bucket = k_bucket(dk);
    w.align_k = w.state_stride_k = bucket != 0 ? bucket : align_up(dk, 16);
    return w;
}

bool splits_v(Variant variant, std::int64_t dv, std::int64_t v_step, std::int64_t block_num, std::int64_t hv) {
    return dv > v_step && (variant == Variant::V1135 || block_num > hv);
}

bool host_overlaps(Variant variant, std::int64_t v_step, std::int64_t dv, std::int64_t hv, std::int64_t aiv) {
    return variant == Variant::V1135 || v_step >= dv || hv < aiv;
}

bool device_overlaps(const DeviceInput& in) {
    if (in.force_overlap) return *in.force_overlap;
    return in.v_step >= in.dv || splits_v(in.variant, in.dv, in.v_step, in.block_num, in.hv);
}

} // namespace ls::ub::cgdr
