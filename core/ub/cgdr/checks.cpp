#include "core/ub/cgdr/checks.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::ub::cgdr {

namespace {

using Findings = std::vector<Finding>;

std::string pair_name(ViewId a, ViewId b) { return fmt::format("{}|{}", name(a), name(b)); }

void check_allocation(const Scenario& s, const ScenarioReport& r, Findings& out) {
    const std::int64_t ub = *s.ub_bytes;
    if (s.rest_first) {
        const UbBlock& queue = r.blocks.back();
        out.push_back(finding(
            "E_ALLOC_AFTER_REST", "stateOutQueue",
            {{"begin", queue.begin},
             {"end", queue.end},
             {"overflowBy", std::max<std::int64_t>(0, r.ub_total_bytes - ub)}},
            r.ub_total_bytes > ub
                ? fmt::format("requested after the rest buffer, lies at {}..{}, past {}", queue.begin, queue.end, ub)
                : fmt::format("requested after the rest buffer; it still fits at {}..{} because the "
                              "rest was computed as ub - queue",
                              queue.begin, queue.end)));
    }
    if (r.device.queue_bytes % 32 != 0) {
        const std::int64_t rounded = align_up(r.device.queue_bytes, 32);
        out.push_back(finding("W_LEN_ROUNDED_32", "stateOutQueue",
                              {{"len", r.device.queue_bytes}, {"rounded", rounded}},
                              fmt::format("{} B are requested, {} taken", r.device.queue_bytes, rounded)));
    }
    if (r.rest_bytes % 32 != 0) {
        const std::int64_t rounded = align_up(r.rest_bytes, 32);
        out.push_back(finding("W_LEN_ROUNDED_32", "tmpBuff", {{"len", r.rest_bytes}, {"rounded", rounded}},
                              fmt::format("{} B are requested, {} taken", r.rest_bytes, rounded)));
    }
    if (r.device.queue_num > 1) {
        out.push_back(finding("W_QUEUE_DEPTH_LT_NUM", "stateOutQueue", {{"depth", 1}, {"num", r.device.queue_num}},
                              fmt::format("declared with depth 1, initialised with {} blocks", r.device.queue_num)));
    }
    if (r.ub_total_bytes > ub) {
        std::string text =
            fmt::format("InitBuffer hands out {} B of {}, {} too many", r.ub_total_bytes, ub, r.ub_total_bytes - ub);
        if (r.named_end_bytes > ub) text += fmt::format("; named views end {} B past it", r.named_end_bytes - ub);
        out.push_back(finding("E_UB_OVERFLOW", "UB",
                              {{"total", r.ub_total_bytes},
                               {"capacity", ub},
                               {"by", r.ub_total_bytes - ub},
                               {"namedEnd", r.named_end_bytes},
                               {"namedBy", std::max<std::int64_t>(0, r.named_end_bytes - ub)}},
                              std::move(text)));
        return;
    }
    const std::int64_t limit = ub - s.reserved_tail_bytes;
    if (s.reserved_tail_bytes > 0 && r.ub_total_bytes > limit) {
        const bool crosses = r.named_end_bytes > limit;
        out.push_back(finding(
            "W_RESERVED_TAIL", "UB",
            {{"total", r.ub_total_bytes},
             {"limit", limit},
             {"by", r.ub_total_bytes - limit},
             {"namedEnd", r.named_end_bytes},
             {"namedCrosses", crosses ? 1 : 0}},
            crosses ? fmt::format("named views end at {}, inside the library scratch from {}", r.named_end_bytes, limit)
                    : fmt::format("tmpBuff reaches to {}, {} B into the library scratch from {}; named "
                                  "views end below it, at {}",
                                  r.ub_total_bytes, r.ub_total_bytes - limit, limit, r.named_end_bytes)));
    }
}

void check_views(const Scenario& s, const ScenarioReport& r, Findings& out) {
    for (const CarvedView& v : r.device.views) {
        const std::string subject(name(v.id));
        if (v.off % 32 != 0) {
            out.push_back(
                finding("E_OFFSET_MISALIGNED", subject, {{"off", v.off}, {"mod", v.off % 32}},
                        fmt::format("starts at {}, {} B past a 32-byte boundary", v.off, v.off % 32),
                        fmt::format("use a chunk size that is a multiple of 8 (now {})", s.device.chunk_size)));
        }
        if (s.ub_bytes && v.end > r.rest_bytes) {
            out.push_back(
                finding("E_TBUF_OVERRUN", subject,
                        {{"off", v.off}, {"end", v.end}, {"len", r.rest_bytes}, {"by", v.end - r.rest_bytes}},
                        fmt::format("ends at {}, {} B past tmpBuff's {}", v.end, v.end - r.rest_bytes, r.rest_bytes)));
        }
        if (v.end > std::numeric_limits<std::uint32_t>::max()) {
            out.push_back(finding("E_U32_WRAP", subject, {{"end", v.end}},
                                  fmt::format("its end {} wraps in the kernel's 32-bit cursor", v.end)));
        }
    }
    const auto& views = r.device.views;
    if (r.device.input.v_step % 16 != 0) {
        const std::int64_t off = tile_byte_offset(s.device.v_step, 1);
        out.push_back(finding("W_VSTEP_NOT_MULT16", "vStep",
                              {{"vStep", s.device.v_step}, {"tile", 1}, {"off", off}, {"mod", off % 32}},
                              fmt::format("vStep {}: tile 1 starts {} B into a GM row, {} past a 32-byte boundary",
                                          s.device.v_step, off, off % 32)));
    }
    if (s.tweaks.cursor == CursorUnit::Elements) {
        out.push_back(finding(
            "E_CURSOR_ELEMENTS", "tmpBuff", {{"used", r.device.used_bytes}},
            fmt::format("every view starts at a quarter of its place; all end within {}", r.device.used_bytes)));
    }
    if (s.tweaks.cursor == CursorUnit::Doubled) {
        out.push_back(finding("E_CURSOR_DOUBLE", "tmpBuff", {{"used", r.device.used_bytes}},
                              fmt::format("every offset doubles; the last view ends at {}", r.device.used_bytes)));
    }
    if (s.ub_bytes && r.slack_bytes > 0) {
        out.push_back(finding("W_SLACK", "tmpBuff", {{"bytes", r.slack_bytes}},
                              fmt::format("{} B at its end are unused", r.slack_bytes)));
    }
    const std::size_t last = views.size() - (s.tweaks.appended_elems > 0 ? 2 : 1);
    if (views[last].off == r.device.cursor_final && r.device.cursor_final < views[last].end) {
        out.push_back(finding("W_LAST_VIEW_NOT_ADVANCED", std::string(name(views[last].id)),
                              {{"cursor", r.device.cursor_final}, {"end", views[last].end}},
                              fmt::format("the cursor stays at {}: a view appended here would land on {}..{}",
                                          r.device.cursor_final, views[last].off, views[last].end)));
    }
}

void check_sharing(const ScenarioReport& r, Findings& out) {
    for (const Sharing& sharing : r.sharings) {
        const bool declared = sharing.a == ViewId::ChunkScores && sharing.b == ViewId::StateIn && r.device.overlap;
        std::vector<Number> numbers{{"begin", sharing.begin}, {"end", sharing.end}};
        const std::string where = fmt::format("share {}..{}", sharing.begin, sharing.end);
        if (!declared) {
            const bool together = sharing.conflict() || !sharing.lives_known;
            out.push_back(finding("E_ALIAS_UNDECLARED", pair_name(sharing.a, sharing.b), std::move(numbers),
                                  fmt::format("{}, though the kernel means them apart{}", where,
                                              together ? "" : " (never live together)")));
        } else if (sharing.conflict()) {
            const LiveRange& first = sharing.both_live.front();
            numbers.push_back({"firstPhase", first.first});
            numbers.push_back({"lastPhase", first.last});
            out.push_back(
                finding("E_LIVE_ALIAS", pair_name(sharing.a, sharing.b), std::move(numbers),
                        fmt::format("{} while both are live, first in phases {}..{}: {} serial tiles on one core",
                                    where, first.first, first.last, r.serial_tiles),
                        "keep scores and state apart when a core handles several tiles serially"));
        } else {
            out.push_back(
                finding("I_ALIAS_OK", pair_name(sharing.a, sharing.b), std::move(numbers),
                        fmt::format("{}: the scores are read for the last time before the state is loaded", where)));
        }
    }
}

void check_books(const ScenarioReport& r, Findings& out) {
    const Books& b = r.books;
    if (b.host_branch.overlap != b.device_branch.overlap) {
        out.push_back(finding("E_HOST_DEVICE_BRANCH", "chunkScoresFp32|stateInFp32",
                              {{"host", b.host_branch.overlap ? 1 : 0}, {"device", b.device_branch.overlap ? 1 : 0}},
                              fmt::format("the host {} ({}), the device {} ({})",
                                          b.host_branch.overlap ? "shares" : "separates", b.host_branch.text,
                                          b.device_branch.overlap ? "shares" : "separates", b.device_branch.text)));
    }
    const std::int64_t by = r.device.used_bytes - b.host_tmp_bytes;
    const std::vector<Number> numbers{
        {"host", b.host_tmp_bytes}, {"device", r.device.used_bytes}, {"by", std::max(by, -by)}};
    if (by > 0) {
        out.push_back(finding("E_BUDGET_UNDER", "tmpBuff", numbers,
                              fmt::format("the host budgets {} B, the device carves {}: {} short", b.host_tmp_bytes,
                                          r.device.used_bytes, by)));
    } else if (by < 0) {
        out.push_back(finding("W_BUDGET_OVER", "tmpBuff", numbers,
                              fmt::format("the host budgets {} B, the device carves {}: {} wasted", b.host_tmp_bytes,
                                          r.device.used_bytes, -by)));
    }
}

void check_record(const Scenario& s, Findings& out) {
    const std::int64_t host = record_bytes(s.host_record_fields), device = record_bytes(s.device_record_fields);
    if (host != device) {
        out.push_back(finding("E_TILING_SIZE", "tiling record", {{"host", host}, {"device", device}},
                              fmt::format("the host writes {} B, the device reads {}", host, device)));
    }
    if (!s.init_returns_bool) {
        out.push_back(
            finding("W_INIT_GUARD", "Init", {}, "Init returns early on surplus cores while Process still runs"));
    }
}

Finding block_dim_finding(std::int64_t blocks, std::int64_t cores) {
    return finding("E_BLOCKDIM_GT_PHYSICAL", "launch",
                   {{"blockDim", blocks}, {"physical", cores}, {"excess", blocks - cores}},
                   fmt::format("{} blocks are launched on {} vector cores", blocks, cores));
}

} // namespace

std::int64_t tile_byte_offset(std::int64_t v_step, std::int64_t tile) { return tile * v_step * 2; }

std::vector<Finding> check_scenario(const Scenario& s, const ScenarioReport& r) {
    Findings out;
    if (s.ub_bytes) check_allocation(s, r, out);
    check_views(s, r, out);
    check_sharing(r, out);
    check_books(r, out);
    if (!r.paths.why_not.empty()) {
        out.push_back(finding("I_SLOW_PATH", r.paths.key_fast_path ? "query cache" : "key staging",
                              {{"elements", r.paths.key_elems},
                               {"stagingCapacity", r.paths.staging_capacity_half},
                               {"cacheCapacity", r.paths.query_cache_capacity_float}},
                              r.paths.why_not));
    }
    if (s.physical_cores && s.device.block_num > *s.physical_cores) {
        out.push_back(block_dim_finding(s.device.block_num, *s.physical_cores));
    }
    check_record(s, out);
    return out;
}

std::vector<Finding> check_launch(const HostPlan& plan, std::optional<std::int64_t> physical_cores) {
    Findings out;
    if (!plan.search.ok) {
        out.push_back(*plan.search.failure);
        return out;
    }
    const HostInput& in = plan.input;
    const std::int64_t could =
        launch_blocks(launch_work_items(Variant::V1135, in.batch, in.hv, plan.v_tile_count, in.aiv), in.aiv);
    if (in.variant == Variant::V1108 && plan.block_dim < could) {
        out.push_back(
            finding("W_BATCH_PARALLELISM", "launch", {{"blockDim", plan.block_dim}, {"possible", could}},
                    fmt::format("{} blocks are launched; batch {} x hv {} x {} tiles could fill {} of {} cores",
                                plan.block_dim, in.batch, in.hv, plan.v_tile_count, could, in.aiv)));
    }
    if (physical_cores && plan.block_dim > *physical_cores)
        out.push_back(block_dim_finding(plan.block_dim, *physical_cores));
    return out;
}

} // namespace ls::ub::cgdr
