// layoutscope ub work | platforms.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/ub_commands.h"
#include "app/cli/ub_picture.h"
#include "app/cli/ub_table.h"
#include "core/figure/work_timeline.h"
#include "core/ub/cgdr/host_plan.h"
#include "core/ub/report_json.h"
#include "core/ub/work/work_checks.h"
#include "views/paint/paint.h"

namespace ls::cli::ub {

using namespace ls::ub;
using namespace ls::ub::work;

namespace {

struct WorkOptions {
    std::vector<std::int64_t> lens;
    std::int64_t heads = 16, cores = 8, tiles = 1;
    std::string rule = "source";
    std::optional<std::uint32_t> quota;
    std::optional<std::int64_t> packed_rows;
    std::int64_t trace = 0, max_cores = 8, chunk_rows = 64;
    bool items = false, json = false;
    PictureOptions pictures;
};

constexpr std::size_t kBarWidth = 32;

/// '#' up to the load, '|' at the quota: where a core stands against its share.
std::string bar(std::uint64_t load, std::uint64_t quota, std::uint64_t longest) {
    std::string text(kBarWidth, ' ');
    const auto column = [&](std::uint64_t value) {
        return longest == 0 ? 0
                            : static_cast<std::size_t>(static_cast<double>(value) / static_cast<double>(longest) *
                                                       (kBarWidth - 1));
    };
    if (load > 0) std::fill_n(text.begin(), column(load) + 1, '#');
    if (quota <= longest) text[column(quota)] = '|';
    return text;
}

void print_cores(const Distribution& d, std::int64_t chunk_rows) {
    const ChunkCost chunks = chunk_cost(d, chunk_rows);
    Rows table{"core", "units", "rows", "chunks", "<share; | is the even split", "<first unit", "<last unit"};
    std::vector<std::int64_t> first(d.core_load.size(), -1), last(d.core_load.size(), -1);
    for (const Run& run : d.runs) {
        if (run.core == kNobody) continue;
        const auto c = static_cast<std::size_t>(run.core);
        if (first[c] < 0) first[c] = run.first_item;
        last[c] = run.first_item + run.count - 1;
    }
    const auto unit = [&](std::int64_t index) {
        if (index < 0) return std::string("-");
        const WorkItem item = d.item(index);
        return fmt::format("batch {} head {} tile {}", item.batch, item.head, item.v_tile);
    };
    for (std::size_t c = 0; c < d.core_load.size(); ++c) {
        table.add(c, d.core_items[c], d.core_load[c], chunks.core_chunks[c],
                  bar(d.core_load[c], d.lower_bound, d.makespan), unit(first[c]), unit(last[c]));
    }
    table.print();
}

int run_work(const WorkOptions& o) {
    WorkInput input;
    for (const std::int64_t len : o.lens) {
        if (len < INT32_MIN || len > INT32_MAX)
            return complain(error("CLI_LENGTH", fmt::format("the length {} does not fit 32 bits", len)), {}, kUsage);
        input.seq_lens.push_back(static_cast<std::int32_t>(len));
    }
    input.heads = o.heads;
    input.cores = o.cores;
    input.v_tiles = o.tiles;
    input.rule = rule_from_name(o.rule).value_or(Rule::Source);
    input.quota_override = o.quota;
    const auto distribution = distribute(input);
    if (!distribution.ok()) return complain(distribution.error(), {}, kUsage);
    const Distribution& d = *distribution;
    if (o.pictures.wanted()) {
        figure::WorkTimelineOptions size;
        size.width = o.pictures.width;
        const auto drawn = figure::draw_work_timeline(d, size, *paint::text_measure());
        if (const int code = write_pictures(drawn.picture, o.pictures); code != kFine) return code;
    }
    WorkCheckOptions checks;
    checks.packed_rows = o.packed_rows;
    const auto findings = check_work(d, checks);
    std::int64_t units = 0;
    for (const std::int32_t len : input.seq_lens) units += len > 0 ? 1 : 0;
    const std::int64_t aware = cgdr::launch_blocks(
        cgdr::launch_work_items(cgdr::Variant::V1135, units, o.heads, o.tiles, o.max_cores), o.max_cores);
    const auto others = alternatives(input, aware);
    if (!others.ok()) return complain(others.error(), {}, kUsage);
    if (o.json) {
        ReportJson out = to_json(d, o.items);
        out["alternatives"] = to_json(std::span<const Alternative>(*others));
        out["findings"] = to_json(std::span<const Finding>(findings));
        fmt::print("{}\n", out.dump(2));
        return verdict(findings);
    }
    fmt::print("{} units, {} rows of work, quota {}, on {} cores\n\n", d.item_count(), d.total_work, d.quota,
               input.cores);
    print_cores(d, o.chunk_rows);
    fmt::print("\nbusiest core {} rows, even split {}: {:.3f}; {} cores idle, {} core-rows waited\n\n", d.makespan,
               d.lower_bound, d.imbalance(), d.idle_cores, d.idle_time());
    Rows table{"<rule", "cores", "quota", "busiest", "over even split", "idle", "<what it changes"};
    for (const Alternative& a : *others)
        table.add(a.name, a.cores, a.quota, a.makespan, fmt::format("{:.3f}", a.imbalance), a.idle_cores, a.what);
    table.print();
    if (o.trace > 0) {
        fmt::print("\n");
        Rows trace{"unit", "length", "load after", "turn after", "owner"};
        for (const TraceRow& row : replay(d, 0, o.trace))
            trace.add(row.item, row.length, row.load, row.turn, row.owner);
        trace.print();
    }
    if (o.items) {
        fmt::print("\n");
        Rows items{"unit", "batch", "head", "tile", "core"};
        const auto owners = d.owners();
        for (std::size_t i = 0; i < owners.size(); ++i) {
            const WorkItem item = d.item(static_cast<std::int64_t>(i));
            items.add(i, item.batch, item.head, item.v_tile, owners[i]);
        }
        items.print();
    }
    fmt::print("\n");
    print_findings(findings, {});
    return verdict(findings);
}

int run_platforms(bool json) {
    if (json) {
        ReportJson list = ReportJson::array();
        for (const Platform& p : platforms()) list.push_back(to_json(p));
        fmt::print("{}\n", list.dump(2));
        return kFine;
    }
    const auto text = [](const std::optional<std::int64_t>& value) { return value ? fmt::format("{}", *value) : "-"; };
    Rows table{"<chip",        "UB bytes",  "host plans with", "library tail", "AI cores",
               "vector cores", "host sees", "queue blocks",    "<also called"};
    for (const Platform& p : platforms()) {
        table.add(p.id, p.ub_bytes, p.planning_bytes(), p.planning_tail_bytes(), text(p.ai_cores), text(p.vector_cores),
                  text(p.planning_cores()), p.queue_buffers_per_position,
                  fmt::format("{}", fmt::join(p.aliases, ", ")));
    }
    table.print();
    return kFine;
}

} // namespace

void add_work(CLI::App& app, int& exit_code) {
    auto o = std::make_shared<WorkOptions>();
    CLI::App* command = app.add_subcommand("work", "Spread variable-length work over cores: who does what, who waits");
    command->add_option("--lens", o->lens, "Rows of each batch")->delimiter(',')->required();
    command->add_option("--heads", o->heads, "Value heads")->capture_default_str();
    command->add_option("--cores", o->cores, "Launched blocks")->capture_default_str();
    command->add_option("--tiles", o->tiles, "V tiles that are units of their own")->capture_default_str();
    command->add_option("--rule", o->rule, "How ownership is decided")
        ->check(CLI::IsMember({"source", "carry-over", "floor", "double-call", "retry-call", "balanced"}))
        ->capture_default_str();
    command->add_option("--quota", o->quota, "What avgload holds, instead of its formula");
    command->add_option("--packed-rows", o->packed_rows, "Rows of the packed tensors, to check the sum of the lengths");
    command->add_option("--max-cores", o->max_cores, "Cores of the chip, for the batch-aware launch")
        ->capture_default_str();
    command->add_option("--chunk", o->chunk_rows, "Rows of a chunk, for the count of chunks")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    command->add_option("--trace", o->trace, "Replay the first N calls of IsCurrentBlock");
    command->add_flag("--items", o->items, "List every unit with its owner");
    o->pictures.add_to(*command);
    command->add_flag("--json", o->json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope ub work --lens 512,8 --heads 8\n"
                    "  layoutscope ub work --lens 512,8 --heads 8 --svg cores.svg\n"
                    "  layoutscope ub work --lens 512,8 --heads 8 --rule balanced\n"
                    "  layoutscope ub work --lens 100,200,300,400 --heads 2 --cores 2 --trace 8\n"
                    "  layoutscope ub work --lens 128,64 --heads 6 --cores 4 --quota 0   # ends with 1: units without an owner");
    command->callback([o, &exit_code] { exit_code = run_work(*o); });
}

void add_platforms(CLI::App& app, int& exit_code) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("platforms", "Chips: capacities, core counts, limits");
    command->add_flag("--json", *json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope ub platforms");
    command->callback([json, &exit_code] { exit_code = run_platforms(*json); });
}

} // namespace ls::cli::ub
