// The V-step search (spec ub 3.3): from the padded head downwards until scratch and queue fit. Every candidate is kept,
// with the reason why it fell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ub/cgdr/host_budget.h"
#include "core/ub/finding.h"

namespace ls::ub::cgdr {

struct Candidate {
    std::int64_t v_step = 0;
    std::int64_t tmp_bytes = 0;
    std::int64_t queue_bytes = 0;
    bool overlap = false;        ///< host branch: scores and state charged once
    bool from_bucket = false;    ///< v1135 tries the K bucket before it descends from dv
    std::int64_t over_bytes = 0; ///< bytes beyond the buffer; 0 or less when it fits

    std::int64_t required_bytes() const { return tmp_bytes + queue_bytes; }
    bool fits() const { return over_bytes <= 0; }
};

struct VStepSearch {
    bool ok = false;
    std::int64_t v_step = 0;
    std::int64_t tbuf_bytes = 0;      ///< tmp(vStep)
    std::int64_t out_queue_bytes = 0; ///< queue(vStep)
    std::int64_t rest_bytes = 0;      ///< what the record calls ubRestBytes: ub - queue
    std::int64_t slack_bytes = 0;     ///< rest - tbuf
    bool overlap = false;
    std::vector<Candidate> tried;
    std::optional<Finding> failure; ///< E_TILING_FAIL with the smallest need seen
};

/// `input` must have passed validate(). The need is not monotone in the V step: at vs >= dv the overlapped branch may
/// need less than at dv - 16, so nothing here bisects.
VStepSearch search_v_step(const HostInput& input);

/// Only the answer, for sweeps; 0 when nothing fits.
std::int64_t solve_v_step(const HostInput& input);

/// "needs 263680 B, 1536 B more than 262144; scores and state apart: vs < dv and hv 16 >= 8 cores".
std::string explain(const Candidate& candidate, const HostInput& input);
/// Its second half: which branch was weighed, and why.
std::string explain_branch(const Candidate& candidate, const HostInput& input);

/// The descent alone: start, start - step, ... while >= minimum; where it stops and whether it would wrap unsigned.
struct Descent {
    std::vector<std::int64_t> candidates;
    std::int64_t exit_value = 0; ///< first value below the minimum
    bool wraps_unsigned = false; ///< exit value below zero
};
/// `step` and `minimum` must be positive; `start` at most 2^20.
Descent descend(std::int64_t start, std::int64_t step, std::int64_t minimum);

} // namespace ls::ub::cgdr
