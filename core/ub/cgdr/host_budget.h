// The host's book: bytes of scratch and of the outgoing queue for a candidate V step (spec ub 3.2).
#pragma once

#include <cstdint>

#include "core/ub/cgdr/params.h"

namespace ls::ub::cgdr {

/// All in bytes.
struct HostTerms {
    std::int64_t k_tile = 0; ///< charged twice: chunkK, kCumdecay
    std::int64_t v_tile = 0; ///< charged twice: chunkV, chunkAttnOut
    std::int64_t decay = 0;
    std::int64_t g_cum = 0;
    std::int64_t delta = 0;
    std::int64_t dot = 0;
    std::int64_t exp_g = 0;
    std::int64_t scores = 0;
    std::int64_t state = 0;
    std::int64_t beta = 0;         ///< v1135 only
    std::int64_t scores_state = 0; ///< the larger of scores and state when they overlap, else their sum
    std::int64_t total = 0;        ///< tmp(vs)

    bool operator==(const HostTerms&) const = default;
};

/// Extents must have passed validate(). `dv` enters through `overlap` alone.
HostTerms host_terms(Variant variant, std::int64_t chunk_size, std::int64_t dk, std::int64_t v_step, bool overlap);

/// queue(vs): one fp16 state tile or one compact chunk of output, whichever is larger; bytes, before any rounding.
std::int64_t host_queue_bytes(Variant variant, std::int64_t chunk_size, std::int64_t dk, std::int64_t v_step);

} // namespace ls::ub::cgdr
