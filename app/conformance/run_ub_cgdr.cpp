// vectors/ub: partition, vstep, liveness, tiling_data, platforms.
#include <charconv>

#include "app/conformance/forms.h"
#include "app/conformance/run_ub.h"
#include "core/ub/cgdr/scenario.h"
#include "core/ub/platform.h"

namespace ls::conformance {

using namespace ls::ub::cgdr;
using ub::compare;

namespace {

Json terms_json(const HostTerms& t) {
    return {{"kTile", t.k_tile},
            {"vTile", t.v_tile},
            {"decay", t.decay},
            {"gCum", t.g_cum},
            {"delta", t.delta},
            {"dot", t.dot},
            {"expG", t.exp_g},
            {"scores", t.scores},
            {"state", t.state},
            {"beta", t.beta},
            {"scoresState", t.scores_state},
            {"total", t.total}};
}

Json ranges_json(const std::vector<ls::ub::LiveRange>& ranges) {
    Json list = Json::array();
    for (const auto& range : ranges) list.push_back({range.first, range.last});
    return list;
}

Json touched_json(std::span<const Touched> touched) {
    Json list = Json::array();
    for (const Touched& t : touched) list.push_back(std::string(t.name()));
    return list;
}

} // namespace

Outcome run_ub_partition(const Json& test_case, const Json&) {
    const Json& params = test_case.at("params");
    Scenario scenario;
    scenario.device = ub::device_input_of(params, ub::variant_of(test_case));
    scenario.host.hv = ub::integer(params, "hostHv", scenario.device.hv);
    scenario.host.aiv = ub::optional_integer(params, "hostAivNum");
    scenario.host.force_overlap = scenario.device.force_overlap;
    scenario.ub_bytes = ub::optional_integer(params, "ubSize");
    scenario.tiles_per_core = 1; // the published peaks are those of one tile
    const auto report = examine(scenario);
    if (!report.ok()) return failed(report.error().message);

    const DevicePartition& device = report->device;
    const Books& books = report->books;
    Json blocks = Json::array();
    for (const CarvedView& v : device.views) {
        blocks.push_back({std::string(name(v.id)), v.elems, v.bytes, v.off, v.end, v.advance});
    }
    Json ours{{"alignK", device.widths.align_k},
              {"stateStrideK", device.widths.state_stride_k},
              {"vStepAligned", device.widths.v_step_aligned},
              {"overlapDevice", device.overlap},
              {"overlapHost", books.host_branch.overlap},
              {"queueBytes", device.queue_bytes},
              {"queueStateTileBytes", device.queue_state_tile_bytes},
              {"queueChunkOutBytes", device.queue_chunk_out_bytes},
              {"blocks", std::move(blocks)},
              {"cursorFinal", device.cursor_final},
              {"deviceUsed", device.used_bytes},
              {"hostTerms", terms_json(books.host)},
              {"hostTmp", books.host_tmp_bytes},
              {"hostQueue", books.host_queue_bytes},
              {"hostRequired", books.host_required_bytes()},
              {"hostEqualsDevice", books.host_tmp_bytes == device.used_bytes},
              {"allOffsets32Aligned", device.all_aligned},
              {"peakLiveBytes", report->peak.peak_bytes},
              {"peakLivePhase", std::string(phases()[static_cast<std::size_t>(report->peak.phase)].name)}};
    if (scenario.ub_bytes) {
        ours["restBytes"] = report->rest_bytes;
        ours["slack"] = report->slack_bytes;
        ours["fits"] = ls::ub::find(report->findings, "E_TBUF_OVERRUN") == nullptr;
    }
    return compare(test_case.at("expect"), ours);
}

Outcome run_ub_vstep(const Json& test_case, const Json&) {
    const auto plan = plan_host(ub::host_input_of(test_case.at("params"), ub::variant_of(test_case)));
    if (!plan.ok()) return failed(plan.error().message);
    Json tried = Json::array();
    for (const Candidate& c : plan->search.tried) tried.push_back({c.v_step, c.required_bytes(), c.overlap});
    Json ours{{"ok", plan->search.ok},
              {"vStep", plan->search.v_step},
              {"tbuf", plan->search.tbuf_bytes},
              {"outQueue", plan->search.out_queue_bytes},
              {"rest", plan->search.rest_bytes},
              {"tried", std::move(tried)},
              {"padSize", plan->pad_rows},
              {"numChunks", plan->num_chunks},
              {"overlapHost", plan->search.overlap},
              {"slack", plan->search.slack_bytes},
              {"vTileCount", plan->v_tile_count},
              {"workItems", plan->work_items},
              {"blockDim", plan->block_dim},
              {"splitDevice", plan->split_v},
              {"workspaceNeeded", plan->workspace_needed_bytes},
              {"workspaceBytes", plan->workspace_bytes},
              {"overlapDevice", plan->device_overlap},
              {"tilingKey", plan->tiling_key}};
    return compare(test_case.at("expect"), ours);
}

Outcome run_ub_liveness(const Json& test_case, const Json&) {
    Json ours = Json::object();
    Json names = Json::array();
    for (const Phase& phase : phases()) {
        names.push_back({{"index", phase.index},
                         {"name", std::string(phase.name)},
                         {"reads", touched_json(phase.reads)},
                         {"writes", touched_json(phase.writes)}});
    }
    ours["phases"] = std::move(names);
    for (std::size_t v = 0; v < kViewCount; ++v) {
        const auto id = static_cast<ViewId>(v);
        for (const Life& life : lives(id)) {
            ours["intervals"][std::string(name(id))].push_back(
                {{"first", life.range.first}, {"last", life.range.last}, {"role", std::string(life.role)}});
        }
    }
    for (const Json& peak : test_case.value("peak", Json::array())) {
        const auto device = carve(ub::device_input_of(peak, Variant::V1108));
        if (!device.ok()) return failed(device.error().message);
        const LivePeak live = live_peak(*device, 1);
        ours["peak"].push_back({{"cs", peak.at("cs")},
                                {"dk", peak.at("dk")},
                                {"vStep", peak.at("vStep")},
                                {"allocated", device->used_bytes},
                                {"peakLive", live.peak_bytes},
                                {"phase", std::string(phases()[static_cast<std::size_t>(live.phase)].name)},
                                {"perPhase", live.per_phase_bytes}});
    }
    const Json by_tiles = test_case.value("unrolled", Json::object());
    for (const auto& [tiles_text, unused] : by_tiles.items()) {
        std::int64_t tiles = 0;
        std::from_chars(tiles_text.data(), tiles_text.data() + tiles_text.size(), tiles);
        if (tiles < 1 || tiles > 1000) return failed("unrolled: '" + tiles_text + "' is no count of tiles");
        Json& unrolled = ours["unrolled"][tiles_text];
        unrolled["phases"] = unrolled_phases(tiles);
        for (std::size_t v = 0; v < kViewCount; ++v) {
            const auto id = static_cast<ViewId>(v);
            if (!lives(id).empty())
                unrolled["intervals"][std::string(name(id))] = ranges_json(unrolled_lives(id, tiles));
        }
    }
    ours["source"] = test_case.value("source", "");
    return compare(test_case, ours);
}

Outcome run_ub_tiling_data(const Json& test_case, const Json&) {
    Json ours{{"sizeof", kTilingRecordBytes},
              {"align", kTilingRecordAlign},
              {"pack", kTilingRecordAlign},
              {"endianness", "little"},
              {"source", test_case.value("source", "")},
              {"deviceReaders", {{"unused", Json::array()}, {"assignedNeverRead", Json::array()}}}};
    for (const TilingField& field : tiling_fields()) {
        const std::string field_name(field.name);
        ours["fields"].push_back({{"name", field_name},
                                  {"type", field.type == FieldType::Float ? "float" : "uint32"},
                                  {"offset", field.offset_bytes}});
        if (field.use == FieldUse::NoReader) ours["deviceReaders"]["unused"].push_back(field_name);
        if (field.use == FieldUse::CopiedNeverUsed) ours["deviceReaders"]["assignedNeverRead"].push_back(field_name);
    }
    for (const Json& sample : test_case.value("samples", Json::array())) {
        TilingRecord record;
        for (const TilingField& field : tiling_fields()) {
            const Json& value = sample.at("values").at(std::string(field.name));
            if (field.integer != nullptr) {
                record.*field.integer = value.get<std::uint32_t>();
            } else {
                record.scale_value = value.get<float>();
            }
        }
        const auto bytes = from_hex(sample.at("hex").get<std::string>());
        if (!bytes.ok()) return failed(bytes.error().message);
        const auto decoded = decode(*bytes);
        if (!decoded.ok()) return failed(decoded.error().message);
        Json values;
        for (const TilingField& field : tiling_fields()) {
            const std::string field_name(field.name);
            if (field.integer != nullptr) {
                values[field_name] = (*decoded).*field.integer;
            } else {
                values[field_name] = (*decoded).scale_value;
            }
        }
        ours["samples"].push_back({{"values", std::move(values)}, {"hex", to_hex(encode(record))}});
    }
    return compare(test_case, ours);
}

Outcome run_ub_platforms(const Json& test_case, const Json&) {
    const auto platform = ls::ub::find_platform(test_case.at("id").get<std::string>());
    if (!platform.ok()) return failed(platform.error().message);
    Json ours{{"id", platform->id},
              {"source", test_case.value("source", "")},
              {"ubBytes", platform->ub_bytes},
              {"reservedTailBytes", platform->reserved_tail_bytes},
              {"totalQueueBuffersPerPosition", platform->queue_buffers_per_position}};
    const auto set = [&](const char* key, const std::optional<std::int64_t>& value) {
        if (value) ours[key] = *value;
    };
    set("ubRuntime", platform->ub_runtime_bytes);
    set("tmpScratchOffset", platform->tmp_scratch_offset);
    set("aiCores", platform->ai_cores);
    set("vectorCores", platform->vector_cores);
    set("aivNumReported", platform->aiv_num_reported);
    set("coreNumReported", platform->core_num_reported);
    return compare(test_case, ours);
}

bool looks_like_ub_partition(const Json& first) {
    return first.contains("expect") && first["expect"].is_object() && first["expect"].contains("blocks") &&
           first["expect"].contains("hostTerms");
}
bool looks_like_ub_vstep(const Json& first) {
    return first.contains("expect") && first["expect"].is_object() && first["expect"].contains("outQueue");
}
bool looks_like_ub_liveness(const Json& first) { return first.contains("phases") && first.contains("unrolled"); }
bool looks_like_ub_tiling_data(const Json& first) { return first.contains("fields") && first.contains("sizeof"); }
bool looks_like_ub_platforms(const Json& first) {
    return first.contains("ubBytes") && first.contains("reservedTailBytes");
}

} // namespace ls::conformance
