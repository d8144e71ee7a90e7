#include "core/ub/cgdr/scenario.h"

#include <algorithm>

#include "core/support/checked.h"
#include "core/ub/cgdr/checks.h"

namespace ls::ub::cgdr {

namespace {

/// The bump allocator: two InitBuffer calls, each rounded to 32 bytes.
void allocate(const Scenario& s, ScenarioReport& r) {
    const std::int64_t ub = *s.ub_bytes;
    const std::int64_t queue = r.device.queue_ub_bytes();
    const std::int64_t left = s.rest_first ? ub : std::max<std::int64_t>(0, ub - queue);
    const std::int64_t from_host = s.rest_bytes.value_or(std::max<std::int64_t>(0, ub - r.books.host_queue_bytes));
    r.rest_bytes = s.rest_rule == RestRule::AllThatIsLeft ? left : from_host;
    r.slack_bytes = r.rest_bytes - r.device.used_bytes;

    const std::int64_t rest_ub = align_up(r.rest_bytes, 32);
    if (s.rest_first) {
        r.blocks = {{"tmpBuff", 0, rest_ub}, {"stateOutQueue", rest_ub, rest_ub + queue}};
        r.named_end_bytes = r.device.used_bytes;
    } else {
        r.blocks = {{"stateOutQueue", 0, queue}, {"tmpBuff", queue, queue + rest_ub}};
        r.named_end_bytes = queue + r.device.used_bytes;
    }
    r.ub_total_bytes = r.blocks.back().end;
}

} // namespace

Result<ScenarioReport> examine(const Scenario& s) {
    ScenarioReport r;
    LS_TRY(r.device, carve(s.device, s.tweaks));
    r.books = keep_books(r.device, s.host);
    r.paths = fast_paths(s.device, s.chunk_len.value_or(s.device.chunk_size), s.key_heads);
    r.serial_tiles = s.tiles_per_core.value_or(serial_tiles(s.device));
    if (r.serial_tiles < 1 || r.serial_tiles > (1 << 20)) {
        return error("UB_PARAM_RANGE", "tiles per core must lie between 1 and 1048576", "use ceil(dv / vStep)");
    }
    r.peak = live_peak(r.device, r.serial_tiles);
    r.sharings = sharings(r.device, r.serial_tiles);
    if (s.ub_bytes) allocate(s, r);
    r.findings = check_scenario(s, r);
    return r;
}

Scenario scenario_of(const HostPlan& plan, const Platform* platform) {
    const HostInput& in = plan.input;
    Scenario s;
    s.device = {in.variant, in.chunk_size, in.dk, in.dv, plan.search.v_step, in.hv, plan.block_dim, {}};
    s.host = {in.hv, in.aiv, {}, false};
    s.ub_bytes = in.ub_bytes;
    s.rest_bytes = plan.search.rest_bytes;
    s.key_heads = in.hqk;
    if (platform != nullptr) {
        s.reserved_tail_bytes = platform->tmp_scratch_offset
                                    ? std::max<std::int64_t>(0, in.ub_bytes - *platform->tmp_scratch_offset)
                                    : platform->reserved_tail_bytes;
        s.physical_cores = platform->planning_cores();
    }
    return s;
}

} // namespace ls::ub::cgdr
