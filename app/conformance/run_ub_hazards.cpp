// vectors/ub/hazards: what goes wrong when one thing is changed. A case names its parameters; every number that the
// library knows about them is offered under the names of the files, and those that the case expects are compared.
#include <algorithm>

#include "app/conformance/forms.h"
#include "app/conformance/run_ub.h"
#include "app/conformance/run_ub_work.h"
#include "core/ub/cgdr/checks.h"
#include "core/ub/cgdr/what_if.h"
#include "core/ub/work/work_checks.h"

namespace ls::conformance {

using namespace ls::ub::cgdr;
namespace work = ls::ub::work;

namespace {

struct Case {
    const Json& params;
    const Json& expect;
    std::string title; ///< id and check: names the change where no parameter does
    Variant variant;

    bool has(const char* key) const { return params.contains(key) && !params[key].is_null(); }
    bool says(std::string_view word) const { return title.find(word) != std::string::npos; }
};

using Facts = Result<Json>;

std::string view_name(ViewId id) { return std::string(name(id)); }

/// Phases as the case writes them: ranges, single indices, or names.
Json phases_json(const std::vector<ls::ub::LiveRange>& ranges, const Json& example, std::int64_t tiles) {
    Json list = Json::array();
    const auto names = unrolled_phases(tiles);
    for (const auto& range : ranges) {
        if (!example.empty() && !example.front().is_array()) {
            for (std::int64_t p = range.first; p <= range.last; ++p) {
                list.push_back(example.front().is_string() ? Json(names[static_cast<std::size_t>(p)]) : Json(p));
            }
        } else {
            list.push_back({range.first, range.last});
        }
    }
    return list;
}

Json conflicts_json(const ScenarioReport& report, const Json& expect) {
    Json example = Json::array();
    for (const Json& conflict : expect.value("conflicts", Json::array())) {
        if (conflict.is_object() && conflict.contains("livePhases")) example = conflict["livePhases"];
    }
    Json list = Json::array();
    for (const Sharing& s : report.sharings) {
        list.push_back({{"a", view_name(s.a)},
                        {"b", view_name(s.b)},
                        {"bytes", {s.begin, s.end}},
                        {"livePhases", phases_json(s.both_live, example, report.serial_tiles)},
                        {"conflict", s.conflict()}});
    }
    return list;
}

Status apply(Scenario& scenario, std::string_view what_if, std::optional<std::int64_t> value = {}) {
    LS_TRY(const WhatIf found, find_what_if(what_if));
    found.apply(scenario, value);
    return ok_status();
}

/// A view given a wrong element count: the parameters may name the view and the count; else chunkAttnOut's bytes.
Status apply_wrong_count(const Case& c, Scenario& s) {
    LS_CHECK(apply(s, "bytes-as-elements"));
    auto& [view, elems] = s.tweaks.elems_override.back();
    for (const auto& [key, value] : c.params.items()) {
        if (!value.is_string()) continue;
        const auto named = view_from_name(value.get<std::string>());
        if (!named) continue;
        view = *named;
        LS_TRY(const DevicePartition right, carve(s.device));
        elems = right.find(view) != nullptr ? right.find(view)->bytes : elems;
    }
    for (const char* key : {"elems", "elemsPassed", "passedElems", "elements"})
        elems = ub::integer(c.params, key, elems);
    return ok_status();
}

Result<Scenario> partition_scenario(const Case& c) {
    Scenario s;
    s.device = ub::device_input_of(c.params, c.variant);
    s.host.hv = s.device.hv;
    s.ub_bytes = ub::optional_integer(c.params, "ubSize");
    s.rest_bytes = ub::optional_integer(c.params, "restBytes");
    if (s.rest_bytes && !s.ub_bytes) s.ub_bytes = 262144; // the files' reference chip
    s.chunk_len = ub::optional_integer(c.params, "chunkLen");
    s.key_heads = ub::optional_integer(c.params, "hqk");
    s.tiles_per_core = ub::optional_integer(c.params, c.has("serialTiles") ? "serialTiles" : "tilesPerCore");
    const bool serial = s.tiles_per_core.value_or(1) > 1;
    if (serial && c.says("E_") && !s.device.force_overlap) s.device.force_overlap = true; // asked of the shared form
    if (c.has("appendedView"))
        LS_CHECK(apply(s, "append-view", c.params["appendedView"].at("elems").get<std::int64_t>()));
    if (c.has("deviceQueueNum")) LS_CHECK(apply(s, "double-buffer", c.params["deviceQueueNum"].get<std::int64_t>()));
    if (c.says("advanced-by-elements") || c.says("cursor unit") || c.says("E_CURSOR_ELEMENTS"))
        LS_CHECK(apply(s, "cursor-elements"));
    if (c.says("double-advance") || c.says("E_CURSOR_DOUBLE")) LS_CHECK(apply(s, "cursor-double"));
    const bool double_advance = s.tweaks.cursor == CursorUnit::Doubled;
    if (c.says("E_TBUF_OVERRUN") && !double_advance && !s.device.force_overlap) LS_CHECK(apply_wrong_count(c, s));
    if (c.says("rest-before-queue") || c.says("E_ALLOC_AFTER_REST")) LS_CHECK(apply(s, "rest-first"));
    return s;
}

void add_view_facts(const ScenarioReport& r, Json& facts) {
    Json offsets = Json::array(), misaligned = Json::array();
    std::int64_t adjacent = 0, overrun = 0;
    const auto& views = r.device.views;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const CarvedView& v = views[i];
        offsets.push_back({view_name(v.id), v.off, v.end});
        if (v.off % 32 != 0) misaligned.push_back({view_name(v.id), v.off, v.off % 32});
        if (i > 0 && v.off < views[i - 1].end && views[i - 1].off < v.end) ++adjacent;
        if (r.rest_bytes > 0 && v.end > r.rest_bytes) {
            if (!facts.contains("firstViewBeyondTbuf")) facts["firstViewBeyondTbuf"] = view_name(v.id);
            overrun = std::max(overrun, v.end - r.rest_bytes);
        }
    }
    facts["offsets"] = std::move(offsets);
    facts["misaligned"] = std::move(misaligned);
    facts["adjacentOverlapPairs"] = adjacent;
    facts["allOffsets32Aligned"] = r.device.all_aligned;
    facts["overrunBy"] = overrun;
    facts["used"] = facts["deviceUsed"] = r.device.used_bytes;
    facts["cursorFinal"] = r.device.cursor_final;
    facts["expGCumOff"] = r.device.find(ViewId::ExpGCum)->off;
}

Facts partition_facts(const Case& c) {
    LS_TRY(const Scenario scenario, partition_scenario(c));
    LS_TRY(const ScenarioReport r, examine(scenario));
    Json facts;
    add_view_facts(r, facts);
    facts["conflicts"] = conflicts_json(r, c.expect);
    facts["hostTmp"] = r.books.host_tmp_bytes;
    facts["hostOverlap"] = r.books.host_branch.overlap;
    facts["deviceOverlap"] = r.device.overlap;
    if (const CarvedView* added = r.device.find(ViewId::Appended)) {
        facts["newViewOff"] = added->off;
        facts["deviceUsedUnchanged"] = r.device.used_bytes;
        facts["hostTmpIfHostAddsIt"] = r.books.host_tmp_bytes + added->bytes;
        for (const Sharing& s : r.sharings) {
            if (s.b != ViewId::Appended) continue;
            facts["aliasWith"] = view_name(s.a);
            facts["aliasBytes"] = {s.begin, s.end};
        }
    }
    for (const auto& [id, elems] : scenario.tweaks.elems_override) {
        const CarvedView* view = r.device.find(id);
        facts.update({{"view", view_name(id)},
                      {"elems", elems},
                      {"elemsPassed", elems},
                      {"bytes", view->bytes},
                      {"off", view->off},
                      {"end", view->end}});
    }
    if (scenario.ub_bytes) {
        const std::int64_t over = std::max<std::int64_t>(0, r.ub_total_bytes - *scenario.ub_bytes);
        facts["hostQueue"] = r.books.host_queue_bytes;
        facts["deviceQueue"] = r.device.queue_ub_bytes();
        facts["restBytes"] = facts["tbufLength"] = r.rest_bytes;
        facts["total"] = r.ub_total_bytes;
        facts["capacity"] = *scenario.ub_bytes;
        facts["overflowBy"] = over;
        facts["slack"] = r.slack_bytes;
        facts["namedUsedEnd"] = facts["namedEnd"] = r.named_end_bytes;
        facts["namedOverflowBy"] = std::max<std::int64_t>(0, r.named_end_bytes - *scenario.ub_bytes);
        facts["order"] = Json::array();
        for (const UbBlock& block : r.blocks) {
            facts["order"].push_back(std::string(block.name));
            facts[block.name == "tmpBuff" ? "tmpRange" : "queueRange"] = {block.begin, block.end};
        }
    }
    facts["keyElements"] = r.paths.key_elems;
    facts["stagingCapacityHalf"] = r.paths.staging_capacity_half;
    facts["keyFastPath"] = r.paths.key_fast_path;
    facts["queryCacheCapacityFloat"] = r.paths.query_cache_capacity_float;
    facts["queryCached"] = r.paths.query_cached;
    return facts;
}

/// A plan, and what becomes of it when another number of blocks is launched.
Facts plan_facts(const Case& c) {
    const HostInput input = ub::host_input_of(c.params, c.variant);
    LS_TRY(const HostPlan plan, plan_host(input));
    Json facts{{"ok", plan.search.ok},       {"vStep", plan.search.v_step},
               {"blockDim", plan.block_dim}, {"slackBefore", plan.search.slack_bytes},
               {"tried", Json::array()},     {"candidates", plan.search.tried.size()}};
    for (const Candidate& each : plan.search.tried)
        facts["tried"].push_back({each.v_step, each.required_bytes(), each.overlap});
    if (plan.search.failure) {
        for (const ls::ub::Number& number : plan.search.failure->numbers)
            facts[std::string(number.name)] = number.value;
    }
    for (const Variant variant : {Variant::V1108, Variant::V1135}) {
        HostInput other = input;
        other.variant = variant;
        LS_TRY(const HostPlan planned, plan_host(other));
        facts[std::string(name(variant)) + "BlockDim"] = planned.block_dim;
    }
    if (!plan.search.ok) return facts;
    Scenario scenario = scenario_of(plan);
    scenario.device.block_num = ub::integer(c.params, "actualBlockNum", plan.block_dim);
    LS_TRY(const ScenarioReport r, examine(scenario));
    add_view_facts(r, facts);
    const std::int64_t short_by = r.device.used_bytes - r.books.host_tmp_bytes;
    facts["hostOverlap"] = r.books.host_branch.overlap;
    facts["deviceOverlap"] = r.device.overlap;
    facts["hostTmp"] = r.books.host_tmp_bytes;
    facts["underBy"] = std::max<std::int64_t>(0, short_by);
    facts["wastedBytes"] = std::max<std::int64_t>(0, -short_by);
    facts["restBytes"] = r.rest_bytes;
    return facts;
}

/// The reference shape, planned for the case's capacity, against the library scratch at the top.
Facts tail_facts(const Case& c) {
    HostInput input = ub::host_input_of(c.params, c.variant);
    if (!c.has("hv") && !c.has("NV")) input.hv = 16;
    for (const ls::ub::Platform& chip : ls::ub::platforms()) {
        if (!c.has("aivNum") && chip.planning_bytes() == input.ub_bytes && chip.planning_cores())
            input.aiv = *chip.planning_cores();
    }
    LS_TRY(const HostPlan plan, plan_host(input));
    if (!plan.search.ok) return plan.search.failure->diagnostic();
    Scenario s = scenario_of(plan);
    s.reserved_tail_bytes = ub::integer(c.params, "reservedTail", 0);
    LS_TRY(const ScenarioReport r, examine(s));
    const std::int64_t limit = input.ub_bytes - s.reserved_tail_bytes;
    return Json{{"total", r.ub_total_bytes},
                {"limit", limit},
                {"by", std::max<std::int64_t>(0, r.ub_total_bytes - limit)},
                {"namedEnd", r.named_end_bytes},
                {"namedCrosses", r.named_end_bytes > limit}};
}

/// Needs of the first V steps when tiles of one head stay on one core.
Facts required_facts(const Case& c) {
    HostInput input = ub::host_input_of(c.params, c.variant);
    const bool shared = c.params.at("overlapAllowed").get<bool>();
    input.hv = 1;
    input.aiv = shared ? 2 : 1;
    input.ub_bytes = 1; // nothing fits, so every candidate is weighed
    LS_CHECK(validate(input));
    Json required = Json::array();
    const std::size_t wanted = c.expect.value("required", Json::array()).size();
    for (const Candidate& each : search_v_step(input).tried) {
        if (required.size() < wanted) required.push_back({each.v_step, each.tmp_bytes + each.queue_bytes});
    }
    return Json{{"required", std::move(required)}};
}

Json assignment_facts(const work::Distribution& d) {
    Json facts = ub::distribution_json(d);
    facts["assign"] = d.owners();
    return facts;
}

Facts work_facts(const Case& c) {
    work::WorkInput input = ub::work_input_of(c.params);
    if (c.has("avgload")) input.quota_override = c.params["avgload"].get<std::uint32_t>();
    const std::string rule = c.params.value("rule", "");
    if (rule == "floor") input.rule = work::Rule::FloorQuota;
    if (c.says("E_DOUBLE_CALL") || rule.starts_with("double")) input.rule = work::Rule::DoubleCall;
    LS_TRY(const work::Distribution d, work::distribute(input));
    Json facts = assignment_facts(d);
    facts["lost"] = d.unassigned;
    facts["avgload64"] = d.quota_exact;
    facts["avgloadStored"] = d.quota;
    facts["seqRanges"] = ub::row_ranges_json(d);
    facts["finalStateUnwrittenBatches"] = work::unwritten_state_batches(input.seq_lens);
    facts["sum"] = d.total_rows;
    if (c.has("T")) facts["rowsBeyondT"] = std::max<std::int64_t>(0, d.total_rows - c.params["T"].get<std::int64_t>());
    const work::RowOverlap overlap = work::overlapping_rows(d);
    std::int64_t twice = 0;
    facts["overlapRows"] = Json::array();
    for (const work::RowRange& range : overlap.twice) {
        twice += range.end - range.begin;
        if (overlap.twice.size() == 1) {
            facts["overlapRows"] = {range.begin, range.end};
        } else {
            facts["overlapRows"].push_back({range.begin, range.end});
        }
    }
    facts["rowsTwice"] = twice;
    facts["source"] = facts;
    facts["sourceAssign"] = d.owners();
    input.rule = work::Rule::CarryOver;
    LS_TRY(const work::Distribution carried, work::distribute(input));
    facts["carryOverVariant"] = assignment_facts(carried);
    facts["carryAssign"] = carried.owners();
    return facts;
}

Facts descent_facts(const Case& c) {
    const std::int64_t step = ub::integer(c.params, "step", 16), minimum = ub::integer(c.params, "minimum", 16);
    const std::int64_t start = ub::integer(c.params, "start", 0);
    if (step < 1 || minimum < 1 || start > (1 << 20)) return error("CASE", "the descent's parameters are out of range");
    const Descent d = descend(start, step, minimum);
    return Json{{"candidates", d.candidates},
                {"exitValue", d.exit_value},
                {"terminates", true},
                {"wrapsUnsigned", d.wraps_unsigned}};
}

Facts tile_facts(const Case& c) {
    const std::int64_t offset = tile_byte_offset(ub::integer(c.params, "vStep", 0), ub::integer(c.params, "tile", 0));
    return Json{{"tileByteOffset", offset}, {"mod32", offset % 32}};
}

Facts block_facts(const Case& c) {
    const std::int64_t blocks =
        launch_blocks(ub::integer(c.params, "hv", 1), ub::integer(c.params, "reportedCores", 1));
    return Json{{"blockDim", blocks}, {"excess", blocks - ub::integer(c.params, "physicalAiv", 0)}};
}

Facts bucket_facts(const Case& c) {
    Scenario s;
    const std::int64_t bucket = c.params.at("bucket").get<std::int64_t>();
    s.device = {Variant::V1135, 64, bucket, bucket, bucket, 8, 8, {}};
    LS_CHECK(apply(s, "forget-beta"));
    LS_TRY(const ScenarioReport r, examine(s));
    return Json{{"hostWithoutBeta", r.books.host_tmp_bytes},
                {"deviceUsed", r.device.used_bytes},
                {"underBy", r.device.used_bytes - r.books.host_tmp_bytes}};
}

Facts record_facts(const Case& c) {
    return Json{{"hostSizeof", record_bytes(c.params.at("hostFields").get<std::int64_t>())},
                {"deviceSizeof", record_bytes(c.params.at("deviceFields").get<std::int64_t>())}};
}

/// One fact under every name that writers give it.
void add_synonyms(Json& facts) {
    static const std::vector<std::vector<const char*>> kGroups{
        {"overrunBy", "overrun", "overBy", "beyondTbuf"},
        {"used", "deviceUsed"},
        {"off", "viewOff", "offset"},
        {"end", "viewEnd"},
        {"elems", "elemsPassed", "passedElems", "elements"},
        {"bytes", "bytesTaken", "viewBytes"},
        {"restBytes", "tbufLength", "tbufLen", "rest"},
        {"unassigned", "lost", "itemsLost"},
        {"overlapRows", "rowsProcessedTwice", "doubleRows", "overlappingRows"},
        {"rowsTwice", "rowsProcessedTwiceCount", "overlapCount"},
        {"smallestNeed", "minRequired", "smallestRequired", "minimumRequired", "required"},
        {"candidates", "triedCount"},
        {"by", "shortBy", "missingBytes"},
    };
    for (const auto& group : kGroups) {
        const auto known =
            std::find_if(group.begin(), group.end(), [&](const char* name) { return facts.contains(name); });
        if (known == group.end()) continue;
        const Json value = facts[*known];
        for (const char* name : group) {
            if (!facts.contains(name)) facts[name] = value;
        }
    }
}

Facts facts_of(const Case& c) {
    if (c.has("seqLens")) return work_facts(c);
    if (c.has("overlapAllowed")) return required_facts(c);
    if (c.has("start")) return descent_facts(c);
    if (c.has("tile")) return tile_facts(c);
    if (c.has("reportedCores")) return block_facts(c);
    if (c.has("bucket")) return bucket_facts(c);
    if (c.has("hostFields")) return record_facts(c);
    if (c.has("reservedTail")) return tail_facts(c);
    if (c.has("vStep")) return partition_facts(c);
    return plan_facts(c);
}

} // namespace

Outcome run_ub_hazards(const Json& test_case, const Json&) {
    const Case c{test_case.at("params"), test_case.at("expect"),
                 test_case.value("id", "") + " " + test_case.value("check", ""), ub::variant_of(test_case)};
    Facts facts = facts_of(c);
    if (!facts.ok()) return failed(facts.error().message);
    add_synonyms(*facts);
    return ub::compare(c.expect, *facts);
}

bool looks_like_ub_hazards(const Json& first) {
    return first.contains("check") && first.contains("params") && first.contains("expect");
}

} // namespace ls::conformance
