#include "app/models/ub_plan.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/support/dtype.h"
#include "core/ub/cgdr/as_model.h"
#include "core/ub/cgdr/checks.h"
#include "core/ub/model/model_json.h"

namespace ls::models {

namespace {

using namespace ub;

constexpr std::int64_t kMostTiles = 16;

void read_operator_plan(UbPlan& plan) {
    auto file = cgdr::read_operator(plan.text);
    if (!file.ok()) {
        plan.refusal = std::move(file).error();
        return;
    }
    plan.file = std::move(file).value();
    plan.warnings = plan.file->warnings;
    auto host = cgdr::plan_host(plan.file->input);
    if (!host.ok()) {
        plan.refusal = std::move(host).error();
        return;
    }
    plan.host = std::move(host).value();
    if (!plan.host->search.ok) {
        if (plan.host->search.failure) plan.findings.push_back(*plan.host->search.failure);
        return;
    }
    auto scenario = cgdr::scenario_of(*plan.file, *plan.host);
    if (!scenario.ok()) {
        plan.refusal = std::move(scenario).error();
        return;
    }
    auto report = cgdr::examine(*scenario);
    if (!report.ok()) {
        plan.refusal = std::move(report).error();
        return;
    }
    plan.scenario = std::move(scenario).value();
    plan.report = std::move(report).value();
    plan.findings = plan.report->findings;
    const auto launch = cgdr::check_launch(*plan.host, plan.file->platform.planning_cores());
    plan.findings.insert(plan.findings.end(), launch.begin(), launch.end());

    const cgdr::Scenario plain = cgdr::scenario_of(*plan.host, &plan.file->platform);
    const auto device = cgdr::carve(plain.device);
    if (!device.ok()) return;
    const ModelPlatform platform{plan.file->platform.id, plan.file->input.ub_bytes, plain.reserved_tail_bytes,
                                 plan.file->platform.queue_buffers_per_position};
    auto compiled = CompiledModel::compile(
        cgdr::as_model(*device, platform, std::min(cgdr::serial_tiles(plain.device), kMostTiles)));
    if (!compiled.ok()) return;
    if (auto placed = compiled->evaluate(); placed.ok()) {
        plan.partition = std::move(placed).value();
        plan.model = std::move(compiled).value();
    }
}

void read_model_plan(UbPlan& plan) {
    auto file = read_model(plan.text);
    if (!file.ok()) {
        plan.refusal = std::move(file).error();
        return;
    }
    plan.warnings = std::move(file->warnings);
    auto compiled = CompiledModel::compile(std::move(file->model));
    if (!compiled.ok()) {
        plan.refusal = std::move(compiled).error();
        return;
    }
    auto placed = compiled->evaluate();
    if (!placed.ok()) {
        plan.refusal = std::move(placed).error();
        return;
    }
    plan.model = std::move(compiled).value();
    plan.partition = std::move(placed).value();
    plan.findings = plan.partition->findings;
}

std::string live_text(const std::optional<std::vector<LiveRange>>& live) {
    if (!live) return "always";
    std::string text;
    for (const LiveRange& r : *live)
        text += r.first == r.last ? fmt::format("{}{}", text.empty() ? "" : ", ", r.first)
                                  : fmt::format("{}{}–{}", text.empty() ? "" : ", ", r.first, r.last);
    return text.empty() ? "never" : text;
}

/// The expression with its parameters' and derived values put in: "64*128" for "cs*ak".
std::string with_values(std::string_view text, const Model& model, const Partition& partition) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto word = [&](std::size_t at) { return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'); };
        if (!word(i)) {
            out += text[i++];
            continue;
        }
        std::size_t end = i;
        while (word(end)) ++end;
        const std::string_view name = text.substr(i, end - i);
        std::optional<std::int64_t> value;
        for (const Parameter& p : model.params)
            if (p.name == name) value = p.value;
        for (const auto& [derived, number] : partition.derived)
            if (derived == name) value = number;
        out += value ? fmt::format("{}", *value) : std::string(name);
        i = end;
    }
    return out;
}

UbRow row_of(const PlacedAlloc& alloc, std::size_t index) {
    UbRow row;
    row.target = {index, {}};
    row.name = alloc.name;
    row.type = fmt::format("{} {} × {}", name(alloc.position), alloc.num, alloc.len);
    row.bytes = alloc.total;
    row.begin = alloc.ub_base;
    row.end = alloc.ub_base + alloc.total;
    return row;
}

std::vector<UbRow> model_rows(const Model& model, const Partition& partition) {
    std::vector<UbRow> rows;
    for (std::size_t a = 0; a < partition.allocs.size(); ++a) {
        const PlacedAlloc& alloc = partition.allocs[a];
        rows.push_back(row_of(alloc, a));
        if (alloc.kind == AllocKind::Queue) rows.back().size_formula = model.allocs[a].len.text;
        rows.back().live = live_text(model.allocs[a].live);
        for (std::size_t v = 0; v < alloc.views.size(); ++v) {
            const PlacedView& view = alloc.views[v];
            UbRow row;
            row.target = {a, v};
            row.name = view.name;
            row.type = dtype_text(view.dtype);
            row.group = view.alias_group;
            row.live = live_text(view.live);
            row.size_formula = model.allocs[a].views[v].elems.text;
            row.size_values = with_values(row.size_formula, model, partition);
            row.buffer = alloc.name;
            row.buffer_base = alloc.ub_base;
            row.elems = view.elems;
            row.bytes = view.bytes;
            row.off = view.off;
            row.begin = alloc.ub_base + view.off;
            row.end = alloc.ub_base + view.end;
            row.element_bytes = whole_bytes(view.dtype);
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

/// Of an operator's launch: its formulas are those of the model, its places those of the examined launch.
std::vector<UbRow> report_rows(const UbPlan& plan) {
    const cgdr::ScenarioReport& report = *plan.report;
    std::int64_t queue_base = 0, base = report.device.queue_ub_bytes();
    for (const cgdr::UbBlock& block : report.blocks) (block.name == "stateOutQueue" ? queue_base : base) = block.begin;
    UbRow queue;
    queue.target = {0, {}};
    queue.name = "stateOutQueue";
    queue.type = fmt::format("VECOUT {} × {}", report.device.queue_num, report.device.queue_bytes);
    queue.bytes = report.device.queue_ub_bytes();
    queue.begin = queue_base;
    queue.end = queue_base + queue.bytes;
    UbRow scratch;
    scratch.target = {1, {}};
    scratch.name = "tmpBuff";
    scratch.type = "VECCALC";
    scratch.bytes = report.rest_bytes;
    scratch.begin = base;
    scratch.end = base + report.rest_bytes;
    std::vector<UbRow> rows{std::move(queue), std::move(scratch)};
    const bool timed = report.device.input.variant == cgdr::Variant::V1108;
    const std::int64_t tiles = std::clamp<std::int64_t>(report.serial_tiles, 1, kMostTiles);
    const auto from_model = plan.model && plan.partition ? model_rows(plan.model->model(), *plan.partition) : std::vector<UbRow>();
    for (std::size_t v = 0; v < report.device.views.size(); ++v) {
        const cgdr::CarvedView& view = report.device.views[v];
        UbRow row;
        row.target = {1, v};
        row.name = cgdr::name(view.id);
        row.type = "fp32";
        row.group = report.device.overlap && (view.id == cgdr::ViewId::ChunkScores || view.id == cgdr::ViewId::StateIn) ? "scores_state" : "";
        row.live = timed && view.id != cgdr::ViewId::Appended ? live_text(cgdr::unrolled_lives(view.id, tiles)) : "";
        row.buffer = "tmpBuff";
        row.buffer_base = base;
        row.elems = view.elems;
        row.bytes = view.bytes;
        row.off = view.off;
        row.begin = base + view.off;
        row.end = base + view.end;
        row.element_bytes = 4;
        for (const UbRow& one : from_model) {
            if (one.name != row.name || one.elems != row.elems) continue;
            row.size_formula = one.size_formula;
            row.size_values = one.size_values;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace

figure::MemoryMap UbPlan::map() const {
    if (!report) return figure::ub_map(model->model(), *partition);
    figure::MemoryMap map = figure::ub_map(*scenario, *report);
    if (tweaked()) {
        for (figure::MemoryBlock& block : map.blocks) block.movable = false;
    }
    return map;
}

UbPlan read_ub(std::string text) {
    UbPlan plan;
    plan.text = std::move(text);
    if (cgdr::looks_like_operator(plan.text))
        read_operator_plan(plan);
    else
        read_model_plan(plan);
    return plan;
}

std::vector<UbRow> ub_rows(const UbPlan& plan) {
    if (plan.report) return report_rows(plan);
    if (plan.model && plan.partition) return model_rows(plan.model->model(), *plan.partition);
    return {};
}

std::string ub_formula(const UbRow& row) {
    if (!row.target.view)
        return fmt::format("{} · {} · {} B at {}–{}", row.name, row.type, row.bytes, row.begin, std::max(row.begin, row.end - 1));
    std::string text = fmt::format("{} = ", figure::shown_name(row.name));
    if (!row.size_formula.empty() && row.size_formula != row.size_values)
        text += fmt::format("{} = {} = ", row.size_formula, row.size_values);
    else if (!row.size_formula.empty() && row.size_formula != fmt::format("{}", row.elems))
        text += fmt::format("{} = ", row.size_formula);
    text += fmt::format("{} × {} B = {} B · at {} {} + {} = {}", row.elems, row.element_bytes, row.bytes, row.buffer, row.buffer_base, row.off, row.begin);
    if (!row.live.empty()) text += fmt::format(" · live {}", row.live == "always" || row.live == "never" ? row.live : "in " + row.live);
    return text;
}

} // namespace ls::models
