#include "core/ub/cgdr/v_step_search.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::ub::cgdr {

namespace {

constexpr std::int64_t kStep = 16; ///< one 32-byte block of fp16

Candidate weigh(const HostInput& in, std::int64_t v_step, bool from_bucket) {
    Candidate c;
    c.v_step = v_step;
    c.overlap = host_overlaps(in.variant, v_step, in.dv, in.hv, in.aiv);
    c.tmp_bytes = host_terms(in.variant, in.chunk_size, in.dk, v_step, c.overlap).total;
    c.queue_bytes = host_queue_bytes(in.variant, in.chunk_size, in.dk, v_step);
    c.from_bucket = from_bucket;
    c.over_bytes = c.required_bytes() - in.ub_bytes;
    return c;
}

/// Calls `visit` with each candidate in order until it answers true (accepted).
template <class Visit>
void walk(const HostInput& in, Visit visit) {
    if (in.ub_bytes <= 0) return;
    if (in.variant == Variant::V1135) {
        const std::int64_t bucket = k_bucket(in.dk);
        if (bucket != 0 && visit(weigh(in, bucket, true))) return;
    }
    for (std::int64_t vs = align_up(in.dv, kStep); vs >= kStep; vs -= kStep) {
        if (visit(weigh(in, vs, false))) return;
    }
}

Finding tiling_failure(const HostInput& in, const std::vector<Candidate>& tried) {
    if (in.ub_bytes <= 0) {
        return finding("E_TILING_FAIL", "UB", {{"ub", in.ub_bytes}},
                       fmt::format("the memory query answered {} bytes of unified buffer", in.ub_bytes),
                       "check the platform query; nothing can be planned without a capacity");
    }
    if (tried.empty()) {
        return finding("E_TILING_FAIL", "UB", {{"ub", in.ub_bytes}, {"dv", in.dv}},
                       fmt::format("dv = {} gives no candidate V step", in.dv), "dv must be at least 1");
    }
    const auto smallest = std::min_element(tried.begin(), tried.end(), [](const Candidate& a, const Candidate& b) {
        return a.required_bytes() < b.required_bytes();
    });
    return finding("E_TILING_FAIL", "UB",
                   {{"ub", in.ub_bytes},
                    {"candidates", static_cast<std::int64_t>(tried.size())},
                    {"smallestNeed", smallest->required_bytes()},
                    {"atVStep", smallest->v_step},
                    {"by", smallest->over_bytes}},
                   fmt::format("none of {} V steps fits {} bytes; the smallest need is {} at vStep {}, {} too many",
                               tried.size(), in.ub_bytes, smallest->required_bytes(), smallest->v_step,
                               smallest->over_bytes));
}

} // namespace

VStepSearch search_v_step(const HostInput& in) {
    VStepSearch s;
    walk(in, [&](const Candidate& c) {
        s.tried.push_back(c);
        s.ok = c.fits();
        return s.ok;
    });
    if (!s.ok) {
        s.failure = tiling_failure(in, s.tried);
        return s;
    }
    const Candidate& accepted = s.tried.back();
    s.v_step = accepted.v_step;
    s.tbuf_bytes = accepted.tmp_bytes;
    s.out_queue_bytes = accepted.queue_bytes;
    s.rest_bytes = std::max<std::int64_t>(0, in.ub_bytes - accepted.queue_bytes);
    s.slack_bytes = s.rest_bytes - s.tbuf_bytes;
    s.overlap = accepted.overlap;
    return s;
}

std::int64_t solve_v_step(const HostInput& in) {
    std::int64_t found = 0;
    walk(in, [&](const Candidate& c) {
        if (c.fits()) found = c.v_step;
        return c.fits();
    });
    return found;
}

std::string explain_branch(const Candidate& c, const HostInput& in) {
    if (in.variant == Variant::V1135) return c.from_bucket ? "K bucket tried first" : "scores and state always share";
    if (c.v_step >= in.dv) return fmt::format("scores and state share: one tile holds dv {}", in.dv);
    if (c.overlap) return fmt::format("scores and state share: hv {} < {} cores, so tiles are spread", in.hv, in.aiv);
    return fmt::format("scores and state apart: several tiles, and hv {} >= {} cores", in.hv, in.aiv);
}

std::string explain(const Candidate& c, const HostInput& in) {
    const std::string room = c.fits() ? fmt::format("leaves {} of {}", -c.over_bytes, in.ub_bytes)
                                      : fmt::format("{} more than {}", c.over_bytes, in.ub_bytes);
    return fmt::format("needs {} B (scratch {} + queue {}), {}; {}", c.required_bytes(), c.tmp_bytes, c.queue_bytes, room,
                       explain_branch(c, in));
}

Descent descend(std::int64_t start, std::int64_t step, std::int64_t minimum) {
    Descent d;
    std::int64_t value = start;
    for (; value >= minimum; value -= step) d.candidates.push_back(value);
    d.exit_value = value;
    d.wraps_unsigned = value < 0;
    return d;
}

} // namespace ls::ub::cgdr
