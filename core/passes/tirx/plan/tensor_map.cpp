#include "core/passes/tirx/plan/tensor_map.h"

#include <fmt/format.h>

namespace ls::tirx {

namespace {

constexpr std::int64_t kMaxDim = std::int64_t{1} << 32;
constexpr std::int64_t kStrideLimit = std::int64_t{1} << 40;
constexpr std::int64_t kMaxBox = 256;

Proof truth(bool holds) { return holds ? Proof::Proven : Proof::Disproven; }
Proof both(Proof a, Proof b) {
    if (a == Proof::Disproven || b == Proof::Disproven) return Proof::Disproven;
    return a == Proof::Proven && b == Proof::Proven ? Proof::Proven : Proof::Unknown;
}

bool descriptor_type(DType type) {
    switch (type) {
        case DType::Int8:
        case DType::Int32:
        case DType::Int64:
        case DType::UInt8:
        case DType::UInt16:
        case DType::UInt32:
        case DType::UInt64:
        case DType::Fp16:
        case DType::Fp32:
        case DType::Fp64:
        case DType::Bf16:
        case DType::Fp8E4M3:
        case DType::Fp8E5M2:
        case DType::Fp4: return true;
        default: return false;
    }
}

bool floating(const TensorMap& map) {
    return map.dtype == DType::Fp16 || map.dtype == DType::Bf16 || map.dtype == DType::Fp32 || map.dtype == DType::Fp64;
}

class Checker {
public:
    explicit Checker(const TensorMap& map) : map_(map) {}

    std::vector<TensorMapFinding> run() {
        geometry();
        box();
        packed();
        instruction();
        return std::move(findings_);
    }

private:
    void rule(std::string name, Proof status, std::string message) {
        if (status != Proof::Proven) findings_.push_back({std::move(name), status, std::move(message)});
    }

    void geometry() {
        rule("rank", truth(map_.rank() >= 1 && map_.rank() <= 5), fmt::format("rank must be 1 to 5, got {}", map_.rank()));
        rule("dtype", truth(descriptor_type(map_.dtype)),
             fmt::format("{} is no TensorMap type", info(map_.dtype).tirx));
        rule("forced_cuda_dtype", truth(map_.forced_dtype < 0 || map_.dtype == DType::Fp32),
             "only float32 can be loaded as tf32");
        const std::int64_t align = map_.packed() ? 32 : 16;
        rule("global_base_alignment", prove_divisible(map_.base_offset_bytes, align),
             fmt::format("the view starts {} bytes into its buffer, but must keep {}-byte alignment",
                         ls::to_string(map_.base_offset_bytes), align));
        for (std::size_t i = 0; i < map_.rank(); ++i) {
            rule("global_dim", both(prove_at_most(1, map_.global_dims[i]), prove_at_most(map_.global_dims[i], kMaxDim)),
                 fmt::format("globalDim[{}]={} must be 1 to 2^32", i, ls::to_string(map_.global_dims[i])));
        }
        for (std::size_t i = 0; i < map_.global_strides_bytes.size(); ++i) {
            const Dim& stride = map_.global_strides_bytes[i];
            rule("global_stride_range", both(prove_at_most(0, stride), prove_at_most(stride, kStrideLimit - 1)),
                 fmt::format("globalStrides[{}]={} must be below 2^40 bytes", i, ls::to_string(stride)));
            rule("global_stride_alignment", prove_divisible(stride, align),
                 fmt::format("globalStrides[{}]={} must be a multiple of {} bytes", i, ls::to_string(stride), align));
        }
        rule("inner_stride", prove_equal(map_.inner_stride, 1),
             fmt::format("the innermost stride must be 1 element, got {}", ls::to_string(map_.inner_stride)));
    }

    void box() {
        for (std::size_t i = 0; i < map_.box.size(); ++i) {
            rule("box_dim", both(prove_at_most(1, map_.box[i]), prove_at_most(map_.box[i], kMaxBox)),
                 fmt::format("boxDim[{}]={} must be 1 to {}", i, ls::to_string(map_.box[i]), kMaxBox));
        }
        if (map_.box.empty() || map_.packed()) return;
        const Dim inner = map_.box[0] * map_.unit_bytes();
        rule("inner_box_bytes", prove_divisible(inner, 16),
             fmt::format("the innermost box is {} bytes, but must be a multiple of 16", ls::to_string(inner)));
        if (map_.swizzle == 0) return;
        const std::int64_t atom = std::int64_t{16} << map_.swizzle;
        rule("swizzle_inner_box", prove_at_most(inner, atom),
             fmt::format("the innermost box of {} bytes exceeds the {}-byte swizzle atom", ls::to_string(inner), atom));
    }

    void packed() {
        if (map_.packed() && map_.rank() > 0) {
            rule("packed_shape", prove_divisible(map_.global_dims[0], 128), "packed float4 needs globalDim[0] in multiples of 128");
            rule("packed_box", prove_equal(map_.box[0], 128), "packed float4 needs boxDim[0] = 128");
            rule("packed_swizzle", truth(map_.swizzle == 0 || map_.swizzle == 3), "packed float4 takes no swizzle or 128B");
            rule("packed_direction", truth(map_.to_shared), "packed float4 can only be loaded");
        }
        if (map_.oob_fill == 1) {
            rule("nan_oob_dtype", truth(floating(map_) && !map_.packed()), "filling with NaN needs a floating-point type");
        }
    }

    void instruction() {
        if (map_.gather4.empty()) {
            rule("coordinate_count", truth(map_.coordinates.size() == map_.rank()), "one coordinate a dimension");
            rule("target", truth(map_.sm >= 90), fmt::format("TMA requires SM90+, got sm_{}", map_.sm));
        } else {
            rule("gather4_rank", truth(map_.rank() == 2), fmt::format("gather4 needs rank 2, got {}", map_.rank()));
            rule("gather4_rows", truth(map_.gather4.size() == 4), "gather4 needs four row coordinates");
            rule("gather4_box", map_.rank() == 2 ? prove_equal(map_.box[1], 1) : Proof::Disproven, "gather4 needs a box of one row");
            rule("target", truth(map_.sm >= 100), fmt::format("gather4 requires SM100+, got sm_{}", map_.sm));
        }
        rule("cta_group", truth(map_.cta_group == 1 || map_.cta_group == 2), "cta_group is 1 or 2");
        if (map_.cta_group == 2) {
            rule("target", truth(map_.sm >= 100), fmt::format("cta_group=2 requires SM100+, got sm_{}", map_.sm));
            rule("mbarrier_address", truth(map_.barrier_is_address || !map_.to_shared),
                 "cta_group=2 needs the barrier's shared address");
        }
        if (map_.to_shared) {
            rule("mbar", truth(map_.has_barrier), "a load needs a barrier (mbar)");
            rule("reduce_direction", truth(map_.reduce.empty()), "only stores can reduce");
        } else {
            rule("gather_direction", truth(map_.gather4.empty()), "only loads can gather");
            rule("cta_mask_direction", truth(!map_.multicast), "only loads can multicast");
        }
    }

    const TensorMap& map_;
    std::vector<TensorMapFinding> findings_;
};

} // namespace

Dim TensorMap::box_bits() const {
    Dim total = bits(dtype);
    for (const Dim& extent : box) total *= extent;
    return gather4.empty() ? total : total * 4;
}

Proof prove_equal(const Dim& a, const Dim& b) {
    if (proves_equal(a, b)) return Proof::Proven;
    if (a.is_constant() && b.is_constant()) return Proof::Disproven;
    return proves_less(a, b) || proves_less(b, a) ? Proof::Disproven : Proof::Unknown;
}

Proof prove_at_most(const Dim& a, const Dim& b) {
    if (proves_at_most(a, b)) return Proof::Proven;
    return proves_less(b, a) ? Proof::Disproven : Proof::Unknown;
}

Proof prove_divisible(const Dim& a, std::int64_t by) {
    if (proves_divisible(a, Dim(by))) return Proof::Proven;
    const Dim rest = floor_mod(a, Dim(by));
    return rest.is_constant() ? Proof::Disproven : Proof::Unknown;
}

std::vector<TensorMapFinding> check_tensor_map(const TensorMap& map) { return Checker(map).run(); }

std::string to_string(const TensorMapFinding& finding) {
    return fmt::format("{}: {} [{}]", finding.rule, finding.message,
                       finding.status == Proof::Unknown ? "unknown" : "disproven");
}

std::string tma_instruction(const TensorMap& map, bool cache_hint) {
    const std::string_view hint = cache_hint ? ".L2::cache_hint" : "";
    if (map.to_shared) {
        return fmt::format("cp.async.bulk.tensor.{}d.shared::cluster.global{}.mbarrier::complete_tx::bytes{}{}{}", map.rank(),
                           map.gather4.empty() ? "" : ".tile::gather4", map.multicast ? ".multicast::cluster" : "",
                           map.sm >= 100 ? fmt::format(".cta_group::{}", map.cta_group) : "", hint);
    }
    if (map.reduce.empty()) {
        return fmt::format("cp.async.bulk.tensor.{}d.global.shared::cta.tile.bulk_group{}", map.rank(), hint);
    }
    return fmt::format("cp.reduce.async.bulk.tensor.{}d.global.shared::cta.{}.tile.bulk_group{}", map.rank(), map.reduce, hint);
}

} // namespace ls::tirx
