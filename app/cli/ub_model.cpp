// layoutscope ub partition MODEL | check | fit | overlay: any kernel's partition, from a model file.
#include <algorithm>

#include <fmt/format.h>

#include "app/cli/ub_commands.h"
#include "app/cli/ub_table.h"
#include "core/figure/ub_map.h"
#include "core/session/document.h"
#include "core/ub/cgdr/checks.h"
#include "core/ub/cgdr/fit.h"
#include "core/ub/model/fit.h"
#include "core/ub/model/model_json.h"
#include "core/ub/model/overlay.h"
#include "core/ub/report_json.h"
#include "views/paint/paint.h"

namespace ls::cli::ub {

using namespace ls::ub;

namespace {

std::string live_text(const std::optional<std::vector<LiveRange>>& live) {
    if (!live) return "";
    std::string text;
    for (const LiveRange& range : *live)
        text += fmt::format("{}{}-{}", text.empty() ? "" : " ", range.first, range.last);
    return text;
}

void print_partition(const Partition& p) {
    Rows table{"<buffer", "<view", "<type", "elements", "bytes", "off", "UB from", "UB to", "<group", "<live"};
    for (const PlacedAlloc& a : p.allocs) {
        table.add(a.name, a.kind == AllocKind::Queue ? fmt::format("{} x {}", a.num, a.len) : "", name(a.position), "",
                  a.total, "", a.ub_base, a.ub_base + a.total, "", "");
        for (const PlacedView& v : a.views) {
            table.add("", v.name, dtype_text(v.dtype), v.elems, v.bytes, v.off, a.ub_base + v.off, a.ub_base + v.end,
                      v.alias_group, live_text(v.live));
        }
    }
    table.print();
    fmt::print("\n{} of {} B handed out in {} blocks, {} free\n", p.ub_used, p.ub_bytes, p.buffer_count, p.ub_free);
    for (const PlacedAlloc& a : p.allocs) {
        if (!a.views.empty())
            fmt::print("{}: views use {} of {} B, cursor ends at {}, {} B in gaps\n", a.name, a.used, a.len,
                       a.cursor_final, a.gaps);
    }
    if (p.host_tmp) fmt::print("host budgets {} B, views take {}\n", *p.host_tmp, p.device_used);
}

int run_check(const ModelOptions& model, const ShapeOptions& shape, bool strict, bool json) {
    int code = kFine;
    const auto loaded = load_model(model, shape, code);
    if (!loaded) return code;
    std::vector<Finding> findings = loaded->partition.findings;
    if (!model.given()) { // the kernel has checks of its own
        const auto read = read_shape(shape);
        const auto scenario = read_scenario(shape, *read);
        const auto report = cgdr::examine(*scenario);
        const auto plan = cgdr::plan_host(read->input);
        findings = report->findings;
        const auto launch = cgdr::check_launch(*plan, {});
        findings.insert(findings.end(), launch.begin(), launch.end());
    }
    if (json) {
        fmt::print("{}\n", ReportJson{{"findings", to_json(std::span<const Finding>(findings))}}.dump(2));
    } else if (findings.empty()) {
        fmt::print("Nothing is found.\n");
    } else {
        print_findings(findings, loaded->source);
    }
    return verdict(findings, strict);
}

std::string share_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

void print_fit(const FitReport& r) {
    fmt::print("{} of {} B are needed, {}\n", r.needed_bytes, r.ub_bytes,
               r.fits() ? fmt::format("{} free", r.free_bytes) : fmt::format("{} too many", -r.free_bytes));
    if (r.tail_bytes > 0)
        fmt::print("library scratch at the top: {} B, of which {} are needed here\n", r.tail_bytes, r.into_tail_bytes);
    fmt::print("lost to rounding {} B, to gaps {}, at the ends of fixed buffers {}\n\n", r.rounding_bytes, r.gap_bytes,
               r.slack_bytes);
    Rows buffers{"<who takes it", "bytes", "of UB"};
    for (const Culprit& c : r.buffers) buffers.add(c.name, c.bytes, share_text(c.share));
    for (const Culprit& c : r.views) buffers.add("  " + c.owner + "." + c.name, c.bytes, share_text(c.share));
    buffers.print();
    if (r.doublings.empty()) return;
    fmt::print("\n");
    Rows doublings{"<double buffering of", "blocks now", "extra", "<then", "most blocks"};
    const auto outcome = [](const Doubling& d) {
        return d.fits() ? fmt::format("fits, {} left", -d.over_bytes) : fmt::format("{} too many", d.over_bytes);
    };
    for (const Doubling& d : r.doublings) doublings.add(d.queue, d.num, d.extra_bytes, outcome(d), d.largest_num);
    if (r.doublings.size() > 1)
        doublings.add(r.all_queues.queue, "", r.all_queues.extra_bytes, outcome(r.all_queues), "");
    doublings.print();
}

std::string or_none(const std::optional<std::int64_t>& value) { return value ? fmt::format("{}", *value) : "none"; }

void print_growth(const cgdr::FitAnswer& a) {
    fmt::print("\nHow far the shape may grow, everything else as it is\n");
    Rows table{"<size", "now", "largest with this vStep", "largest at all"};
    const cgdr::HostInput& in = a.plan.input;
    table.add("vStep", a.plan.search.ok ? a.plan.search.v_step : 0, "", a.plan.search.ok ? a.plan.search.v_step : 0);
    table.add("chunk", in.chunk_size, or_none(a.chunk_size.same_v_step), or_none(a.chunk_size.any));
    table.add("dk", in.dk, or_none(a.key_head.same_v_step), or_none(a.key_head.any));
    table.add("dv in one tile", in.dv, "", or_none(a.value_head_one_tile));
    table.add("queue blocks", 1, a.queue_blocks, "");
    table.print();
    fmt::print("one tile of the whole head needs {} B, {}\n", a.full_head_needs_bytes,
               a.full_head_over_bytes <= 0 ? fmt::format("{} less than there are", -a.full_head_over_bytes)
                                           : fmt::format("{} more than there are", a.full_head_over_bytes));
}

int print_sweep(const CompiledModel& model, const std::vector<SweepAxis>& axes, bool json) {
    if (axes.size() == 1) {
        const auto range = fit_range(model, axes[0]);
        if (!range.ok()) return complain(range.error(), {}, kUsage);
        if (json) {
            ReportJson out{{"parameter", axes[0].parameter},
                           {"largest", range->largest ? ReportJson(*range->largest) : ReportJson(nullptr)},
                           {"fits", ReportJson::array()}};
            for (const auto& i : range->intervals) out["fits"].push_back({i.low, i.high});
            fmt::print("{}\n", out.dump(2));
            return range->largest ? kFine : kFinding;
        }
        for (const auto& i : range->intervals) fmt::print("{} fits from {} to {}\n", axes[0].parameter, i.low, i.high);
        if (!range->largest)
            fmt::print("{} fits nowhere between {} and {}\n", axes[0].parameter, axes[0].low, axes[0].high);
        return range->largest ? kFine : kFinding;
    }
    const auto rows = sweep(model, axes);
    if (!rows.ok()) return complain(rows.error(), {}, kUsage);
    ReportJson list = ReportJson::array();
    bool any = false;
    if (!json) {
        for (const SweepAxis& axis : axes) fmt::print("{},", axis.parameter);
        fmt::print("ubUsed,viewBytes,fits\n");
    }
    for (const SweepRow& row : *rows) {
        const bool fits = row.valid && row.footprint.fits();
        any = any || fits;
        if (json) {
            list.push_back({{"values", row.values},
                            {"valid", row.valid},
                            {"ubUsed", row.footprint.ub_used},
                            {"viewBytes", row.footprint.device_used},
                            {"fits", fits}});
            continue;
        }
        for (const std::int64_t value : row.values) fmt::print("{},", value);
        fmt::print("{},{},{}\n", row.footprint.ub_used, row.footprint.device_used,
                   !row.valid ? "no value"
                   : fits     ? "yes"
                              : "no");
    }
    if (json) fmt::print("{}\n", list.dump(2));
    return any ? kFine : kFinding;
}

int run_fit(const ModelOptions& model, const ShapeOptions& shape, const std::vector<std::string>& vary, bool json) {
    int code = kFine;
    // A kernel for which nothing fits is exactly what `fit` is asked about: it still answers how to make it fit.
    std::optional<cgdr::FitAnswer> growth;
    if (!model.given()) {
        const auto read = read_shape(shape);
        if (!read.ok()) return complain(read.error(), {}, kUsage);
        auto answer = cgdr::fit(read->input);
        if (!answer.ok()) return complain(answer.error(), {}, kUsage);
        growth = std::move(answer).value();
        if (!growth->plan.search.ok) {
            if (json) {
                fmt::print("{}\n", ReportJson{{"growth", to_json(*growth)}}.dump(2));
            } else {
                print_findings({*growth->plan.search.failure}, {});
                print_growth(*growth);
            }
            return kFinding;
        }
    }
    const auto loaded = load_model(model, shape, code);
    if (!loaded) return code;
    if (!vary.empty()) {
        std::vector<SweepAxis> axes;
        for (const std::string& text : vary) {
            const auto axis = parse_axis(text);
            if (!axis.ok()) return complain(axis.error(), {}, kUsage);
            axes.push_back(*axis);
        }
        return print_sweep(loaded->model, axes, json);
    }
    const FitReport report = fit_report(loaded->model.model(), loaded->partition);
    if (json) {
        ReportJson out{{"fit", to_json(report)}};
        if (growth) out["growth"] = to_json(*growth);
        fmt::print("{}\n", out.dump(2));
    } else {
        print_fit(report);
        if (growth) print_growth(*growth);
    }
    return report.fits() ? kFine : kFinding;
}

void print_plan(const OverlayPlan& plan, const std::vector<OverlayItem>& items) {
    Rows table{"<view", "off", "end"};
    for (const OverlayBlock& b : plan.blocks) table.add(items[b.item].name, b.off, b.end);
    table.print();
    std::string pairs;
    for (const auto& [a, b] : plan.shared)
        pairs += fmt::format("{}{}|{}", pairs.empty() ? "" : ", ", items[a].name, items[b].name);
    fmt::print("  {} B instead of {}: {} saved. Sharing, never live together: {}\n\n", plan.used_bytes,
               plan.reference_bytes, plan.saved_bytes(), pairs.empty() ? "none" : pairs);
}

int run_overlay(const ModelOptions& model, const ShapeOptions& shape, std::int64_t tiles, const std::string& write,
                bool json) {
    int code = kFine;
    ShapeOptions changed = shape;
    if (tiles > 1) changed.separate = true;
    const auto loaded = load_model(model, changed, code);
    if (!loaded) return code;
    ReportJson out = ReportJson::array();
    bool saved = false;
    Model rewritten = loaded->model.model();
    for (const PlacedAlloc& alloc : loaded->partition.allocs) {
        if (alloc.views.size() < 2) continue;
        const auto items = overlay_items(alloc);
        const LiveBound bound = live_bound(items);
        const OverlayPlan best = pack(items);
        const auto singles = single_overlays(items);
        saved = saved || best.used_bytes < alloc.used;
        rewritten = apply_overlay(rewritten, alloc.name, best);
        const bool all_known =
            std::all_of(items.begin(), items.end(), [](const OverlayItem& item) { return !item.live.empty(); });
        if (!all_known && !json)
            fmt::print("Some views of {} have no live ranges: they count as always live.\n", alloc.name);
        if (json) {
            ReportJson one{{"buffer", alloc.name},
                           {"used", alloc.used},
                           {"liveBound", bound.bytes},
                           {"best", to_json(best, items)},
                           {"single", ReportJson::array()}};
            for (const OverlayPlan& plan : singles) one["single"].push_back(to_json(plan, items));
            out.push_back(std::move(one));
            continue;
        }
        fmt::print("{}: {} B now; at least {} are live at once\n\nSmallest placement found\n", alloc.name, alloc.used,
                   bound.bytes);
        print_plan(best, items);
        for (std::size_t i = 0; i < std::min<std::size_t>(singles.size(), 3); ++i) {
            fmt::print("One view moved: {}\n", items[singles[i].blocks.back().item].name);
            print_plan(singles[i], items);
        }
    }
    if (json) fmt::print("{}\n", out.dump(2));
    if (!write.empty()) {
        const Status written = session::write_file_atomically(write, write_model(rewritten));
        if (!written.ok()) return complain(written.error(), {}, kUsage);
    }
    if (!saved && !json)
        fmt::print("No overlay is smaller than what is there; views without live ranges never share.\n");
    return kFine;
}

} // namespace

int run_model_partition(const ModelOptions& model, const ShapeOptions& shape, const PictureOptions& pictures,
                        bool json) {
    int code = kFine;
    const auto loaded = load_model(model, shape, code);
    if (!loaded) return code;
    if (pictures.wanted()) {
        figure::MemoryMapOptions size;
        size.width = pictures.width;
        const auto drawn = figure::draw_memory_map(figure::ub_map(loaded->model.model(), loaded->partition), size,
                                                   *paint::text_measure());
        code = write_pictures(drawn.picture, pictures);
        if (code != kFine) return code;
    }
    if (json) {
        fmt::print("{}\n", to_json(loaded->partition).dump(2));
    } else {
        print_partition(loaded->partition);
        fmt::print("\n");
        print_findings(loaded->partition.findings, loaded->source);
    }
    return verdict(loaded->partition.findings);
}

void add_check(CLI::App& app, int& exit_code) {
    struct Options {
        ModelOptions model;
        ShapeOptions shape;
        bool strict = false, json = false;
    };
    auto o = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("check", "Everything that is wrong with a partition; exit code 1 when there are errors");
    o->model.add_to(*command);
    o->shape.add_to(*command);
    command->add_flag("--strict", o->strict, "Warnings count as errors for the exit code");
    command->add_flag("--json", o->json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope ub check resources/examples/ub_rows.json\n"
                    "  layoutscope ub check resources/examples/ub_rows.json --set rows=128 --strict\n"
                    "  layoutscope ub check --chip 910B3 --dv 256");
    command->callback([o, &exit_code] { exit_code = run_check(o->model, o->shape, o->strict, o->json); });
}

void add_fit(CLI::App& app, int& exit_code) {
    struct Options {
        ModelOptions model;
        ShapeOptions shape;
        std::vector<std::string> vary;
        bool json = false;
    };
    auto o = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("fit", "Who takes the bytes, what double buffering costs, how far sizes may grow");
    o->model.add_to(*command);
    o->shape.add_to(*command);
    command->add_option("--vary", o->vary,
                        "Try a range of a parameter: name=low:high or name=low:high:step; several make a grid (CSV)");
    command->add_flag("--json", o->json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope ub fit --dv 256\n"
                    "  layoutscope ub fit resources/examples/ub_rows.json\n"
                    "  layoutscope ub fit resources/examples/ub_rows.json --vary rows=8:256:8\n"
                    "  layoutscope ub fit --vary cs=8:128:8 --vary dk=16:256:16 > grid.csv");
    command->callback([o, &exit_code] { exit_code = run_fit(o->model, o->shape, o->vary, o->json); });
}

void add_overlay(CLI::App& app, int& exit_code) {
    struct Options {
        ModelOptions model;
        ShapeOptions shape;
        std::int64_t tiles = 1;
        std::string write;
        bool json = false;
    };
    auto o = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("overlay", "Safe overlays: which views may share bytes because they never live together");
    o->model.add_to(*command);
    o->shape.add_to(*command);
    command->add_option("--v-step", o->shape.v_step, "V step, instead of the one that the search finds");
    command->add_option("--tiles", o->tiles, "Serial V tiles of one core: 2 or more keep scores and state apart first")
        ->check(CLI::PositiveNumber);
    command->add_option("--write", o->write, "Write the model with the smallest placement to this file");
    command->add_flag("--json", o->json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope ub overlay\n"
                    "  layoutscope ub overlay --dv 256 --v-step 128 --tiles 2\n"
                    "  layoutscope ub overlay resources/examples/ub_rows.json --write smaller.json");
    command->callback([o, &exit_code] { exit_code = run_overlay(o->model, o->shape, o->tiles, o->write, o->json); });
}

} // namespace ls::cli::ub
