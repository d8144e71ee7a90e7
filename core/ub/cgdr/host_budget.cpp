#include "core/ub/cgdr/host_budget.h"

#include <algorithm>

namespace ls::ub::cgdr {

namespace {
constexpr std::int64_t kF32 = 4;
constexpr std::int64_t kF16 = 2;
} // namespace

HostTerms host_terms(Variant variant, std::int64_t chunk_size, std::int64_t dk, std::int64_t v_step, bool overlap) {
    const Widths w = widths(variant, dk, v_step);
    const std::int64_t cs = chunk_size;
    HostTerms t;
    t.k_tile = cs * w.align_k * kF32;
    t.v_tile = cs * w.v_step_aligned * kF32;
    t.decay = cs * cs * kF32;
    t.g_cum = cs * kF32;
    t.dot = std::max(w.state_stride_k, cs) * kF32;
    t.delta = std::max({w.state_stride_k, cs, w.v_step_aligned}) * kF32;
    t.exp_g = cs * kF32;
    t.scores = cs * cs * kF32;
    t.state = w.state_stride_k * w.v_step_aligned * kF32;
    t.beta = variant == Variant::V1135 ? cs * kF32 : 0;
    t.scores_state = overlap ? std::max(t.scores, t.state) : t.scores + t.state;
    t.total = 2 * t.k_tile + t.decay + 2 * t.v_tile + t.g_cum + t.delta + t.dot + t.exp_g + t.scores_state + t.beta;
    return t;
}

std::int64_t host_queue_bytes(Variant variant, std::int64_t chunk_size, std::int64_t dk, std::int64_t v_step) {
    const Widths w = widths(variant, dk, v_step);
    return std::max(w.state_stride_k, chunk_size) * w.v_step_aligned * kF16;
}

} // namespace ls::ub::cgdr
