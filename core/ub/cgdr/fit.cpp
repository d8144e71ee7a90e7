#include "core/ub/cgdr/fit.h"

#include "core/support/checked.h"

namespace ls::ub::cgdr {

namespace {

/// Largest value of `field` up to `high`, in steps, for which the search answers.
Growth grow(const HostInput& input, std::int64_t HostInput::*field, std::int64_t step, std::int64_t high,
            std::int64_t v_step) {
    Growth growth;
    HostInput tried = input;
    for (std::int64_t value = high; value >= step; value -= step) {
        tried.*field = value;
        const std::int64_t found = solve_v_step(tried);
        if (found == 0) continue;
        if (!growth.any) growth.any = value;
        if (v_step > 0 && found >= v_step) {
            growth.same_v_step = value;
            break;
        }
    }
    return growth;
}

} // namespace

Result<FitAnswer> fit(const HostInput& input) {
    LS_TRY(HostPlan plan, plan_host(input));
    FitAnswer answer;
    const std::int64_t v_step = plan.search.v_step;
    answer.chunk_size = grow(input, &HostInput::chunk_size, 8, 1024, v_step);
    answer.key_head = grow(input, &HostInput::dk, 16, 1024, v_step);
    HostInput tried = input;
    for (std::int64_t dv = 4096; dv >= 16 && !answer.value_head_one_tile; dv -= 16) {
        tried.dv = dv;
        if (solve_v_step(tried) >= dv) answer.value_head_one_tile = dv;
    }
    if (plan.search.ok && plan.search.out_queue_bytes > 0) {
        answer.queue_blocks = (input.ub_bytes - plan.search.tbuf_bytes) / align_up(plan.search.out_queue_bytes, 32);
    }
    const std::int64_t full = align_up(input.dv, 16);
    answer.full_head_needs_bytes = host_terms(input.variant, input.chunk_size, input.dk, full, true).total +
                                   host_queue_bytes(input.variant, input.chunk_size, input.dk, full);
    answer.full_head_over_bytes = answer.full_head_needs_bytes - input.ub_bytes;
    answer.plan = std::move(plan);
    return answer;
}

} // namespace ls::ub::cgdr
