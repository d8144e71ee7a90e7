#include "core/ub/report_json.h"

namespace ls::ub {

namespace {

using Json = ReportJson;

std::string_view word(Severity severity) {
    switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: break;
    }
    return "note";
}

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json ranges(const std::vector<LiveRange>& live) {
    Json list = Json::array();
    for (const LiveRange& range : live) list.push_back({range.first, range.last});
    return list;
}

Json culprits(const std::vector<Culprit>& all) {
    Json list = Json::array();
    for (const Culprit& c : all) {
        Json one{{"name", c.name}, {"bytes", c.bytes}, {"share", c.share}};
        if (!c.owner.empty()) one["buffer"] = c.owner;
        list.push_back(std::move(one));
    }
    return list;
}

Json doubling(const Doubling& d) {
    return {{"queue", d.queue},     {"num", d.num},     {"extra", d.extra_bytes},
            {"over", d.over_bytes}, {"fits", d.fits()}, {"largestNum", d.largest_num}};
}

Json growth(const cgdr::Growth& g) { return {{"any", or_null(g.any)}, {"sameVStep", or_null(g.same_v_step)}}; }

} // namespace

Json to_json(const Finding& f) {
    Json numbers = Json::object();
    for (const Number& n : f.numbers) numbers[std::string(n.name)] = n.value;
    Json one{{"code", f.code},       {"severity", word(f.severity())},
             {"subject", f.subject}, {"message", f.message},
             {"hint", f.hint},       {"numbers", numbers}};
    if (!f.pointer.empty()) one["pointer"] = f.pointer;
    return one;
}

Json to_json(std::span<const Finding> findings) {
    Json list = Json::array();
    for (const Finding& f : findings) list.push_back(to_json(f));
    return list;
}

Json to_json(const Platform& p) {
    return {{"id", p.id},
            {"ubBytes", p.ub_bytes},
            {"ubRuntime", or_null(p.ub_runtime_bytes)},
            {"reservedTailBytes", p.reserved_tail_bytes},
            {"tmpScratchOffset", or_null(p.tmp_scratch_offset)},
            {"aiCores", or_null(p.ai_cores)},
            {"vectorCores", or_null(p.vector_cores)},
            {"aivNumReported", or_null(p.aiv_num_reported)},
            {"coreNumReported", or_null(p.core_num_reported)},
            {"queueBuffersPerPosition", p.queue_buffers_per_position},
            {"note", p.note}};
}

Json to_json(const cgdr::HostPlan& plan) {
    const cgdr::HostInput& in = plan.input;
    Json tried = Json::array();
    for (const cgdr::Candidate& c : plan.search.tried) {
        tried.push_back({{"vStep", c.v_step},
                         {"tmp", c.tmp_bytes},
                         {"queue", c.queue_bytes},
                         {"required", c.required_bytes()},
                         {"overlap", c.overlap},
                         {"fits", c.fits()},
                         {"over", c.over_bytes},
                         {"why", explain(c, in)}});
    }
    Json out{{"variant", cgdr::name(in.variant)},
             {"input",
              {{"batch", in.batch},
               {"t", in.t},
               {"hqk", in.hqk},
               {"hv", in.hv},
               {"dk", in.dk},
               {"dv", in.dv},
               {"ubBytes", in.ub_bytes},
               {"aiv", in.aiv},
               {"chunkSize", in.chunk_size}}},
             {"ok", plan.search.ok},
             {"padSize", plan.pad_rows},
             {"numChunks", plan.num_chunks},
             {"tried", std::move(tried)}};
    if (!plan.search.ok) {
        out["failure"] = to_json(*plan.search.failure);
        return out;
    }
    out.update({{"vStep", plan.search.v_step},
                {"tbuf", plan.search.tbuf_bytes},
                {"outQueue", plan.search.out_queue_bytes},
                {"rest", plan.search.rest_bytes},
                {"slack", plan.search.slack_bytes},
                {"overlapHost", plan.search.overlap},
                {"overlapDevice", plan.device_overlap},
                {"vTileCount", plan.v_tile_count},
                {"workItems", plan.work_items},
                {"blockDim", plan.block_dim},
                {"splitV", plan.split_v},
                {"workspaceNeeded", plan.workspace_needed_bytes},
                {"workspace", plan.workspace_bytes},
                {"tilingKey", plan.tiling_key}});
    return out;
}

Json to_json(const cgdr::DevicePartition& device) {
    Json views = Json::array();
    for (const cgdr::CarvedView& v : device.views) {
        views.push_back({{"name", cgdr::name(v.id)},
                         {"elems", v.elems},
                         {"bytes", v.bytes},
                         {"off", v.off},
                         {"end", v.end},
                         {"advance", v.advance}});
    }
    return {{"alignK", device.widths.align_k},
            {"stateStrideK", device.widths.state_stride_k},
            {"vStepAligned", device.widths.v_step_aligned},
            {"overlap", device.overlap},
            {"splitV", device.split_v},
            {"queueBytes", device.queue_bytes},
            {"queueNum", device.queue_num},
            {"views", std::move(views)},
            {"cursorFinal", device.cursor_final},
            {"used", device.used_bytes},
            {"allOffsets32Aligned", device.all_aligned}};
}

Json to_json(const cgdr::Books& books) {
    Json rows = Json::array();
    for (const cgdr::BookRow& row : books.rows) {
        rows.push_back({{"term", row.term},
                        {"hostFormula", row.host_formula},
                        {"host", row.host_bytes},
                        {"views", row.device_views},
                        {"device", row.device_bytes},
                        {"differs", row.differs()}});
    }
    return {{"rows", std::move(rows)},
            {"hostTmp", books.host_tmp_bytes},
            {"hostQueue", books.host_queue_bytes},
            {"hostRequired", books.host_required_bytes()},
            {"hostBranch", {{"overlap", books.host_branch.overlap}, {"because", books.host_branch.text}}},
            {"deviceBranch", {{"overlap", books.device_branch.overlap}, {"because", books.device_branch.text}}},
            {"agree", books.agree()}};
}

Json to_json(const cgdr::ScenarioReport& r) {
    Json blocks = Json::array();
    for (const cgdr::UbBlock& b : r.blocks) blocks.push_back({{"name", b.name}, {"begin", b.begin}, {"end", b.end}});
    Json shared = Json::array();
    for (const cgdr::Sharing& s : r.sharings) {
        shared.push_back({{"a", cgdr::name(s.a)},
                          {"b", cgdr::name(s.b)},
                          {"bytes", {s.begin, s.end}},
                          {"bothLive", ranges(s.both_live)},
                          {"conflict", s.conflict()}});
    }
    return {
        {"device", to_json(r.device)},
        {"books", to_json(r.books)},
        {"rest", r.rest_bytes},
        {"slack", r.slack_bytes},
        {"blocks", std::move(blocks)},
        {"ubTotal", r.ub_total_bytes},
        {"namedEnd", r.named_end_bytes},
        {"serialTiles", r.serial_tiles},
        {"peakLive", r.peak.peak_bytes},
        {"peakPhase", r.peak.phase},
        {"livePerPhase", r.peak.per_phase_bytes},
        {"sharings", std::move(shared)},
        {"fastPaths",
         {{"keyStaging", r.paths.key_fast_path}, {"queryCache", r.paths.query_cached}, {"whyNot", r.paths.why_not}}},
        {"findings", to_json(std::span<const Finding>(r.findings))}};
}

Json to_json(const cgdr::FitAnswer& a) {
    return {{"plan", to_json(a.plan)},
            {"largestChunkSize", growth(a.chunk_size)},
            {"largestKeyHead", growth(a.key_head)},
            {"largestValueHeadInOneTile", or_null(a.value_head_one_tile)},
            {"queueBlocks", a.queue_blocks},
            {"fullHeadNeeds", a.full_head_needs_bytes},
            {"fullHeadOver", a.full_head_over_bytes}};
}

Json to_json(const cgdr::TilingRecord& record) {
    Json fields = Json::array();
    const auto bytes = cgdr::encode(record);
    for (const cgdr::TilingField& field : cgdr::tiling_fields()) {
        Json one{{"name", field.name}, {"offset", field.offset_bytes}};
        if (field.integer != nullptr) {
            one["value"] = record.*field.integer;
        } else {
            one["value"] = record.scale_value;
        }
        one["hex"] = cgdr::to_hex(std::span(bytes).subspan(static_cast<std::size_t>(field.offset_bytes), 4));
        one["reader"] = field.use == cgdr::FieldUse::Read       ? "used"
                        : field.use == cgdr::FieldUse::NoReader ? "none"
                                                                : "copied, never used";
        fields.push_back(std::move(one));
    }
    return {{"sizeof", cgdr::kTilingRecordBytes}, {"hex", cgdr::to_hex(bytes)}, {"fields", std::move(fields)}};
}

Json to_json(const Partition& p) {
    Json allocs = Json::array();
    for (const PlacedAlloc& a : p.allocs) {
        Json views = Json::array();
        for (const PlacedView& v : a.views) {
            Json one{{"name", v.name},
                     {"dtype", dtype_text(v.dtype)},
                     {"elems", v.elems},
                     {"bytes", v.bytes},
                     {"off", v.off},
                     {"end", v.end},
                     {"ubAddress", a.ub_base + v.off}};
            if (!v.alias_group.empty()) one["aliasGroup"] = v.alias_group;
            if (v.live) one["live"] = ranges(*v.live);
            views.push_back(std::move(one));
        }
        Json one{{"name", a.name},
                 {"kind", a.kind == AllocKind::Queue ? "queue" : "tbuf"},
                 {"pos", name(a.position)},
                 {"ubBase", a.ub_base},
                 {"num", a.num},
                 {"len", a.len},
                 {"total", a.total}};
        if (a.kind == AllocKind::TBuf) {
            one.update({{"views", std::move(views)},
                        {"used", a.used},
                        {"slack", a.slack},
                        {"cursorFinal", a.cursor_final},
                        {"gaps", a.gaps}});
        }
        allocs.push_back(std::move(one));
    }
    Json derived = Json::object();
    for (const auto& [name, value] : p.derived) derived[name] = value;
    return {{"ubBytes", p.ub_bytes},
            {"ubUsed", p.ub_used},
            {"ubFree", p.ub_free},
            {"bufferCount", p.buffer_count},
            {"deviceUsed", p.device_used},
            {"hostTmp", or_null(p.host_tmp)},
            {"derived", std::move(derived)},
            {"allocs", std::move(allocs)},
            {"findings", to_json(std::span<const Finding>(p.findings))}};
}

Json to_json(const FitReport& r) {
    Json doublings = Json::array();
    for (const Doubling& d : r.doublings) doublings.push_back(doubling(d));
    return {{"ubBytes", r.ub_bytes},
            {"needed", r.needed_bytes},
            {"free", r.free_bytes},
            {"fits", r.fits()},
            {"tail", r.tail_bytes},
            {"intoTail", r.into_tail_bytes},
            {"rounding", r.rounding_bytes},
            {"gaps", r.gap_bytes},
            {"slack", r.slack_bytes},
            {"buffers", culprits(r.buffers)},
            {"views", culprits(r.views)},
            {"doubleBuffering", std::move(doublings)},
            {"allQueuesDoubled", doubling(r.all_queues)}};
}

Json to_json(const OverlayPlan& plan, std::span<const OverlayItem> items) {
    Json blocks = Json::array();
    for (const OverlayBlock& b : plan.blocks)
        blocks.push_back({{"name", items[b.item].name}, {"off", b.off}, {"end", b.end}});
    Json shared = Json::array();
    for (const auto& [a, b] : plan.shared) shared.push_back({items[a].name, items[b].name});
    return {{"used", plan.used_bytes},
            {"reference", plan.reference_bytes},
            {"saved", plan.saved_bytes()},
            {"blocks", std::move(blocks)},
            {"shared", std::move(shared)}};
}

Json to_json(const work::Distribution& d, bool with_items) {
    Json runs = Json::array();
    for (const work::Run& run : d.runs)
        runs.push_back({{"firstItem", run.first_item}, {"count", run.count}, {"batch", run.batch}, {"core", run.core}});
    Json rows = Json::array();
    for (const work::RowRange& range : d.row_ranges) rows.push_back({range.begin, range.end});
    Json out{{"rule", work::name(d.input.rule)}, {"cores", d.input.cores},       {"heads", d.input.heads},
             {"vTiles", d.input.v_tiles},        {"quotaExact", d.quota_exact},  {"quota", d.quota},
             {"itemCount", d.item_count()},      {"totalWork", d.total_work},    {"makespan", d.makespan},
             {"lowerBound", d.lower_bound},      {"imbalance", d.imbalance()},   {"idleCores", d.idle_cores},
             {"idleTime", d.idle_time()},        {"unassigned", d.unassigned},   {"duplicated", d.duplicated},
             {"perCoreLoad", d.core_load},       {"perCoreItems", d.core_items}, {"rowRanges", std::move(rows)},
             {"runs", std::move(runs)}};
    if (with_items) {
        Json items = Json::array();
        const auto owners = d.owners();
        for (std::size_t i = 0; i < owners.size(); ++i) {
            const work::WorkItem item = d.item(static_cast<std::int64_t>(i));
            items.push_back({item.batch, item.head, item.v_tile, owners[i]});
        }
        out["items"] = std::move(items);
    }
    return out;
}

Json to_json(std::span<const work::Alternative> alternatives) {
    Json list = Json::array();
    for (const work::Alternative& a : alternatives) {
        list.push_back({{"name", a.name},
                        {"what", a.what},
                        {"cores", a.cores},
                        {"quota", a.quota},
                        {"makespan", a.makespan},
                        {"idleCores", a.idle_cores},
                        {"imbalance", a.imbalance}});
    }
    return list;
}

} // namespace ls::ub
