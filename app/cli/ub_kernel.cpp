// layoutscope ub partition | vstep | whatif | record on the kernel's own shape.
#include <algorithm>

#include <fmt/format.h>

#include "app/cli/ub_commands.h"
#include "app/cli/ub_picture.h"
#include "app/cli/ub_table.h"
#include "core/figure/ub_map.h"
#include "core/ub/cgdr/checks.h"
#include "core/ub/cgdr/what_if.h"
#include "core/ub/report_json.h"
#include "views/paint/paint.h"

namespace ls::cli::ub {

using namespace ls::ub;
using namespace ls::ub::cgdr;

namespace {

std::string lives_text(ViewId id) {
    std::string text;
    for (const Life& life : lives(id))
        text += fmt::format("{}{}-{}", text.empty() ? "" : " ", life.range.first, life.range.last);
    return text;
}

void print_carving(const ScenarioReport& r) {
    const std::int64_t base = r.blocks.empty() || r.blocks[0].name == "tmpBuff" ? 0 : r.blocks[0].end;
    fmt::print("stateOutQueue: {} x {} B, UB {}..{}\n", r.device.queue_num, r.device.queue_bytes,
               r.blocks.empty() ? 0 : base - r.device.queue_ub_bytes(), base);
    fmt::print("tmpBuff: {} B, used {}, slack {}, cursor ends at {}\n\n", r.rest_bytes, r.device.used_bytes,
               r.slack_bytes, r.device.cursor_final);
    Rows table{"#", "<view", "elements", "bytes", "off", "end", "UB address", "advance", "<live in phases"};
    std::int64_t number = 0;
    for (const CarvedView& v : r.device.views)
        table.add(++number, name(v.id), v.elems, v.bytes, v.off, v.end, base + v.off, v.advance, lives_text(v.id));
    table.print();
}

void print_books(const Books& books) {
    fmt::print("\nBooks, in bytes\n");
    Rows table{"<term", "<host", "host bytes", "device bytes", "<", "<device"};
    for (const BookRow& row : books.rows)
        table.add(row.term, row.host_formula, row.host_bytes, row.device_bytes, row.differs() ? "differs" : "",
                  row.device_views);
    table.print();
    const auto branch = [](std::string_view who, const BranchReason& b) {
        fmt::print("  {} {} scores and state ({})\n", who, b.overlap ? "shares" : "separates", b.text);
    };
    branch("host  ", books.host_branch);
    branch("device", books.device_branch);
}

int run_partition(const ShapeOptions& options, const PictureOptions& pictures, bool json) {
    const auto shape = read_shape(options);
    if (!shape.ok()) return complain(shape.error(), {}, kUsage);
    const auto scenario = read_scenario(options, *shape);
    if (!scenario.ok()) return complain(scenario.error(), {}, kFinding);
    const auto report = examine(*scenario);
    if (!report.ok()) return complain(report.error(), {}, kUsage);
    if (pictures.wanted()) {
        figure::MemoryMapOptions size;
        size.width = pictures.width;
        const auto drawn = figure::draw_memory_map(figure::ub_map(*scenario, *report), size, *paint::text_measure());
        if (const int code = write_pictures(drawn.picture, pictures); code != kFine) return code;
    }
    if (json) {
        fmt::print("{}\n", to_json(*report).dump(2));
        return verdict(report->findings);
    }
    const DeviceInput& in = scenario->device;
    fmt::print("{} on {}: chunk {}, dk {}, dv {}, vStep {}, {} heads, {} blocks, {} B\n", name(in.variant),
               shape->platform.id, in.chunk_size, in.dk, in.dv, in.v_step, in.hv, in.block_num, shape->input.ub_bytes);
    print_carving(*report);
    print_books(report->books);
    if (in.variant == Variant::V1108) {
        const auto names = unrolled_phases(report->serial_tiles);
        fmt::print("\nLive at once: at most {} of {} B, in {}\n", report->peak.peak_bytes, report->device.used_bytes,
                   names[static_cast<std::size_t>(report->peak.phase)]);
    }
    fmt::print("\n");
    print_findings(report->findings, {});
    return verdict(report->findings);
}

int run_vstep(const ShapeOptions& options, bool json) {
    const auto shape = read_shape(options);
    if (!shape.ok()) return complain(shape.error(), {}, kUsage);
    const auto plan = plan_host(shape->input);
    if (!plan.ok()) return complain(plan.error(), {}, kUsage);
    const auto findings = check_launch(*plan, shape->platform.planning_cores());
    if (json) {
        ReportJson out = to_json(*plan);
        out["findings"] = to_json(std::span<const Finding>(findings));
        fmt::print("{}\n", out.dump(2));
        return verdict(findings);
    }
    Rows table{"vStep", "scratch", "queue", "needs", "over", "<branch", "<verdict", "<why"};
    for (const Candidate& c : plan->search.tried) {
        table.add(c.v_step, c.tmp_bytes, c.queue_bytes, c.required_bytes(), c.over_bytes, c.overlap ? "share" : "apart",
                  c.fits() ? "accepted" : "too large", explain_branch(c, shape->input));
    }
    table.print();
    if (plan->search.ok) {
        fmt::print(
            "\nvStep {}: {} tiles, {} units for the launch, {} blocks, slack {} B, workspace {} B, tiling key {}\n",
            plan->search.v_step, plan->v_tile_count, plan->work_items, plan->block_dim, plan->search.slack_bytes,
            plan->workspace_bytes, plan->tiling_key);
    }
    print_findings(findings, {});
    return verdict(findings);
}

void print_change(std::string_view what, std::int64_t before, std::int64_t after) {
    if (before != after) fmt::print("  {:<22} {:>9} -> {:>9}  ({:+})\n", what, before, after, after - before);
}

/// Findings of `after` that `before` does not have, by code and subject.
std::vector<Finding> fresh(const std::vector<Finding>& before, const std::vector<Finding>& after) {
    std::vector<Finding> result;
    for (const Finding& f : after) {
        const bool known = std::any_of(before.begin(), before.end(), [&](const Finding& g) {
            return f.code == g.code && f.subject == g.subject && f.numbers == g.numbers;
        });
        if (!known) result.push_back(f);
    }
    return result;
}

int run_what_if(const ShapeOptions& options, const std::vector<std::string>& wanted, bool json) {
    if (wanted.empty()) {
        Rows table{"<what if", "<value", "<question"};
        for (const WhatIf& w : what_ifs()) table.add(w.id, w.value, w.question);
        table.print();
        return kFine;
    }
    const auto shape = read_shape(options);
    if (!shape.ok()) return complain(shape.error(), {}, kUsage);
    const auto scenario = read_scenario(options, *shape);
    if (!scenario.ok()) return complain(scenario.error(), {}, kFinding);
    Scenario changed = *scenario;
    for (const std::string& text : wanted) {
        const auto setting = split_setting(text);
        const auto what_if = find_what_if(setting ? setting->first : text);
        if (!what_if.ok()) return complain(what_if.error(), {}, kUsage);
        what_if->apply(changed, setting ? std::optional(setting->second) : std::nullopt);
        if (!json) fmt::print("What if {}\n", what_if->question);
    }
    const auto before = examine(*scenario), after = examine(changed);
    if (!before.ok() || !after.ok()) return complain(before.ok() ? after.error() : before.error(), {}, kUsage);
    const auto findings = fresh(before->findings, after->findings);
    if (json) {
        fmt::print("{}\n", ReportJson{{"before", to_json(*before)},
                                      {"after", to_json(*after)},
                                      {"fresh", to_json(std::span<const Finding>(findings))}}
                               .dump(2));
        return verdict(findings);
    }
    fmt::print("\n");
    print_change("device scratch", before->device.used_bytes, after->device.used_bytes);
    print_change("host budget", before->books.host_tmp_bytes, after->books.host_tmp_bytes);
    print_change("tmpBuff", before->rest_bytes, after->rest_bytes);
    print_change("slack", before->slack_bytes, after->slack_bytes);
    print_change("handed out", before->ub_total_bytes, after->ub_total_bytes);
    print_change("last named byte", before->named_end_bytes, after->named_end_bytes);
    for (std::size_t i = 0; i < after->device.views.size(); ++i) {
        const CarvedView& v = after->device.views[i];
        if (const CarvedView* old = before->device.find(v.id);
            old == nullptr || old->off != v.off || old->end != v.end) {
            fmt::print("  {:<22} {:>9} -> {:>9}  ends {} -> {}\n", name(v.id),
                       old == nullptr ? "none" : fmt::format("{}", old->off), v.off,
                       old == nullptr ? "none" : fmt::format("{}", old->end), v.end);
        }
    }
    fmt::print("{}\n", findings.empty() ? "\nNothing new is found." : "");
    print_findings(findings, {});
    return verdict(findings);
}

int run_record(const ShapeOptions& options, const std::string& hex, double scale, bool gamma, bool json) {
    TilingRecord record;
    if (!hex.empty()) {
        const auto bytes = from_hex(hex);
        if (!bytes.ok()) return complain(bytes.error(), {hex, "--decode"}, kUsage);
        const auto decoded = decode(*bytes);
        if (!decoded.ok()) return complain(decoded.error(), {}, kFinding);
        record = *decoded;
    } else {
        const auto shape = read_shape(options);
        if (!shape.ok()) return complain(shape.error(), {}, kUsage);
        const auto plan = plan_host(shape->input);
        if (!plan.ok()) return complain(plan.error(), {}, kUsage);
        if (!plan->search.ok) return complain(plan->search.failure->diagnostic(), {}, kFinding);
        record = tiling_record(*plan, gamma, static_cast<float>(scale));
    }
    const ReportJson out = to_json(record);
    if (json) {
        fmt::print("{}\n", out.dump(2));
        return kFine;
    }
    Rows table{"off", "<field", "value", "<bytes", "<device"};
    for (const auto& field : out["fields"]) {
        table.add(field["offset"].get<int>(), field["name"].get<std::string>(), field["value"].dump(),
                  field["hex"].get<std::string>(), field["reader"].get<std::string>());
    }
    table.print();
    fmt::print("\n{}\n", out["hex"].get<std::string>());
    return kFine;
}

} // namespace

void add_partition(CLI::App& app, int& exit_code) {
    struct Options {
        ShapeOptions shape;
        ModelOptions model;
        PictureOptions pictures;
        bool json = false;
    };
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("partition", "Where every view lies; host and device books side by side");
    o->model.add_to(*command);
    o->shape.add_to(*command);
    command->add_option("--v-step", o->shape.v_step, "V step, instead of the one that the search finds");
    command->add_option("--blocks", o->shape.blocks, "Launched blocks, instead of the host's");
    CLI::Option* share =
        command->add_flag("--share", o->shape.share, "The device shares scores and state, whatever the branch says");
    command->add_flag("--separate", o->shape.separate, "The device keeps them apart")->excludes(share);
    o->pictures.add_to(*command);
    command->add_flag("--json", o->json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope ub partition\n"
                    "  layoutscope ub partition --png map.png\n"
                    "  layoutscope ub partition --chip 910B3 --dk 128 --dv 256 --hv 4\n"
                    "  layoutscope ub partition --variant v1135 --dk 80 --dv 80 --json\n"
                    "  layoutscope ub partition resources/examples/ub_rows.json --set rows=32");
    command->callback([o, &exit_code] {
        exit_code =
            o->model.given() ? run_model_partition(o->model, o->shape, o->pictures, o->json)
                             : run_partition(o->shape, o->pictures, o->json);
    });
}

void add_vstep(CLI::App& app, int& exit_code) {
    auto shape = std::make_shared<ShapeOptions>();
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("vstep", "Search the V step: every candidate, and why it fell");
    shape->add_to(*command);
    command->add_flag("--json", *json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope ub vstep --dv 256\n"
                    "  layoutscope ub vstep --dv 256 --hv 4        # fewer heads than cores: tiles are spread, scores "
                    "and state share\n"
                    "  layoutscope ub vstep --ub 247295            # one byte short of the reference shape");
    command->callback([shape, json, &exit_code] { exit_code = run_vstep(*shape, *json); });
}

void add_what_if(CLI::App& app, int& exit_code) {
    auto shape = std::make_shared<ShapeOptions>();
    auto wanted = std::make_shared<std::vector<std::string>>();
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("whatif", "Change one line of the kernel and see what follows");
    command->add_option("CHANGE", *wanted, "Changes to make, each name or name=value; without any they are listed");
    shape->add_to(*command);
    command->add_flag("--json", *json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope ub whatif\n"
                    "  layoutscope ub whatif double-buffer         # ends with 1: it finds errors\n"
                    "  layoutscope ub whatif blocks=4 --hv 4 --dv 256   # ends with 1: host and device disagree");
    command->callback([shape, wanted, json, &exit_code] { exit_code = run_what_if(*shape, *wanted, *json); });
}

void add_record(CLI::App& app, int& exit_code) {
    struct Options {
        ShapeOptions shape;
        std::string hex;
        double scale = 1;
        bool gamma = false, json = false;
    };
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("record", "The 64-byte tiling record, byte by byte");
    o->shape.add_to(*command);
    command->add_option("--decode", o->hex, "Decode these hex bytes instead of planning");
    command->add_option("--scale", o->scale, "scaleValue")->capture_default_str();
    command->add_flag("--gamma", o->gamma, "hasGamma");
    command->add_flag("--json", o->json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope ub record --hv 4 --dv 256 --rows 100\n"
                    "  layoutscope ub record --decode 08000000000004000080030064000000040000008000000004000000000100004000000002"
                    "000000010000001c000000000000000000803f8000000000000000");
    command->callback([o, &exit_code] { exit_code = run_record(o->shape, o->hex, o->scale, o->gamma, o->json); });
}

} // namespace ls::cli::ub
