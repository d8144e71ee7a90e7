// vectors/ub: real_examples (partitions of public kernels as models) and whatif_layouts (overlays proved safe).
#include "app/conformance/forms.h"
#include "app/conformance/run_ub.h"
#include "core/ub/cgdr/overlays.h"
#include "core/ub/model/model_json.h"
#include "core/ub/model/partition.h"
#include "core/ub/platform.h"

#include <fmt/format.h>

namespace ls::conformance {

using namespace ls::ub;

namespace {

Json live_json(const std::optional<std::vector<LiveRange>>& live) {
    if (!live) return nullptr;
    Json list = Json::array();
    for (const LiveRange& range : *live) list.push_back({range.first, range.last});
    return list;
}

Json alloc_json(const PlacedAlloc& alloc) {
    Json views = Json::array();
    for (const PlacedView& view : alloc.views) {
        views.push_back({{"name", view.name},
                         {"dtype", std::string(dtype_text(view.dtype))},
                         {"elems", view.elems},
                         {"bytes", view.bytes},
                         {"off", view.off},
                         {"end", view.end},
                         {"live", live_json(view.live)},
                         {"aliasGroup", view.alias_group.empty() ? Json(nullptr) : Json(view.alias_group)}});
    }
    return {{"name", alloc.name},        {"kind", alloc.kind == AllocKind::Queue ? "queue" : "tbuf"},
            {"ubBase", alloc.ub_base},   {"num", alloc.num},
            {"len", alloc.len},          {"total", alloc.total},
            {"views", std::move(views)}, {"used", alloc.used},
            {"slack", alloc.slack},      {"cursorFinal", alloc.cursor_final},
            {"gaps", alloc.gaps}};
}

/// Checks of the whole buffer name no subject that two writers would agree on.
bool is_global(const std::string& code) {
    return code == "E_BUDGET_UNDER" || code == "W_BUDGET_OVER" || code == "E_BUFFER_COUNT" || code == "W_QUEUE_COUNT";
}

/// Diagnostics compare as sets: each expected one is met by exactly one of ours.
Outcome compare_findings(const Json& expected, const std::vector<Finding>& findings) {
    std::vector<bool> met(findings.size(), false);
    for (const Json& wanted : expected) {
        Json wanted_numbers = wanted;
        if (is_global(wanted.at("code").get<std::string>())) wanted_numbers.erase("subject");
        bool found = false;
        for (std::size_t i = 0; i < findings.size() && !found; ++i) {
            if (met[i] || ub::compare(wanted_numbers, ub::to_json(findings[i])).kind != Outcome::Kind::Passed) continue;
            met[i] = found = true;
        }
        if (!found) {
            Json ours = Json::array();
            for (const Finding& finding : findings) ours.push_back(ub::to_json(finding));
            return failed(fmt::format("diagnostics: expected {}, ours {}", wanted.dump(), ours.dump()));
        }
    }
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (!met[i]) return failed(fmt::format("diagnostics: ours has also {}", ub::to_json(findings[i]).dump()));
    }
    return passed();
}

} // namespace

Outcome run_ub_real_examples(const Json& test_case, const Json&) {
    const auto file = read_model(test_case.at("model").dump());
    if (!file.ok()) return failed(file.error().message);
    const auto compiled = CompiledModel::compile(file->model);
    if (!compiled.ok()) return failed(compiled.error().message);
    const auto partition = compiled->evaluate();
    if (!partition.ok()) return failed(partition.error().message);

    Json ours{{"allocs", Json::array()},
              {"ubUsed", partition->ub_used},
              {"ubFree", partition->ub_free},
              {"bufferCount", partition->buffer_count}};
    for (const PlacedAlloc& alloc : partition->allocs) ours["allocs"].push_back(alloc_json(alloc));
    Json expect = test_case.at("expect");
    const Json diagnostics = expect.value("diagnostics", Json::array());
    expect.erase("diagnostics");
    if (const Outcome outcome = ub::compare(expect, ours); outcome.kind != Outcome::Kind::Passed) return outcome;
    return compare_findings(diagnostics, partition->findings);
}

Outcome run_ub_whatif_layouts(const Json& test_case, const Json&) {
    const Json& params = test_case.at("params");
    const std::int64_t tiles = ub::integer(params, "serialTiles", 1);
    const auto device = cgdr::carve(ub::device_input_of(params, cgdr::Variant::V1108));
    if (!device.ok()) return failed(device.error().message);
    const auto plan = cgdr::overlay_state_tile(*device, tiles);
    if (!plan.ok()) return failed(plan.error().message);
    const auto chip = find_platform("310P");
    if (!chip.ok()) return failed(chip.error().message);

    const auto items = cgdr::overlay_items(*device, tiles);
    Json blocks = Json::array();
    for (const OverlayBlock& block : plan->blocks) blocks.push_back({items[block.item].name, block.off, block.end});
    Json conflicts = Json::array();
    for (const OverlayConflict& conflict : overlay_conflicts(items, plan->blocks)) {
        conflicts.push_back({items[conflict.a].name, items[conflict.b].name, conflict.begin, conflict.end});
    }
    const std::int64_t with_queue = plan->used_bytes + device->queue_ub_bytes();
    return ub::compare(
        test_case.at("expect"),
        {{"used", plan->used_bytes},
         {"referenceUsed", plan->reference_bytes},
         {"saved", plan->saved_bytes()},
         {"blocks", std::move(blocks)},
         {"conflicts", std::move(conflicts)},
         // The files give the bound of a single tile; with serial tiles the scores add to it (see live_bound).
         {"peakLive", cgdr::live_peak(*device, 1).peak_bytes},
         {"withQueue", with_queue},
         {"fits310P", with_queue <= chip->planning_bytes()}});
}

bool looks_like_ub_real_examples(const Json& first) {
    return first.contains("model") && first["model"].is_object() && first["model"].contains("allocs");
}
bool looks_like_ub_whatif_layouts(const Json& first) {
    return first.contains("expect") && first["expect"].is_object() && first["expect"].contains("referenceUsed");
}

} // namespace ls::conformance
