// vectors/ub/work: who does what, and how long the busiest core takes.
#include <algorithm>

#include "app/conformance/forms.h"
#include "app/conformance/run_ub.h"
#include "app/conformance/run_ub_work.h"

namespace ls::conformance {

using namespace ls::ub::work;

namespace ub {

ls::ub::work::WorkInput work_input_of(const Json& params) {
    WorkInput in;
    in.seq_lens = params.at("seqLens").get<std::vector<std::int32_t>>();
    in.heads = integer(params, "NV", 1);
    in.v_tiles = integer(params, "vTiles", integer(params, "W", 1));
    in.cores = integer(params, "cores", integer(params, "C", 1));
    return in;
}

Json distribution_json(const ls::ub::work::Distribution& d) {
    return {{"avgload", d.quota},         {"itemCount", d.item_count()},  {"totalWork", d.total_work},
            {"perCoreLoad", d.core_load}, {"perCoreItems", d.core_items}, {"idleCores", d.idle_cores},
            {"makespan", d.makespan},     {"lowerBound", d.lower_bound},  {"imbalance", d.imbalance()},
            {"unassigned", d.unassigned}, {"duplicated", d.duplicated}};
}

Json row_ranges_json(const ls::ub::work::Distribution& d) {
    Json ranges = Json::array();
    for (const RowRange& range : d.row_ranges) ranges.push_back({range.begin, range.end});
    return ranges;
}

} // namespace ub

Outcome run_ub_work(const Json& test_case, const Json&) {
    const Json& expect = test_case.at("expect");
    const auto distribution = distribute(ub::work_input_of(test_case.at("params")));
    if (!distribution.ok()) return failed(distribution.error().message);
    const Distribution& d = *distribution;
    Json ours = ub::distribution_json(d);
    ours["seqRanges"] = ub::row_ranges_json(d);
    const auto owners = d.owners();
    Json assign = Json::array();
    for (std::size_t i = 0; i < owners.size(); ++i) {
        const WorkItem item = d.item(static_cast<std::int64_t>(i));
        assign.push_back({item.batch, item.head, item.v_tile, owners[i]});
    }
    ours["assign"] = std::move(assign);
    // The files keep the first rows of the trace: as many as the case has, but no fewer than there are up to 40.
    const auto wanted = static_cast<std::int64_t>(expect.value("trace", Json::array()).size());
    Json trace = Json::array();
    for (const TraceRow& row : replay(d, 0, std::max(wanted, std::min<std::int64_t>(40, d.item_count())))) {
        trace.push_back({row.item, row.length, row.load, row.turn});
    }
    ours["trace"] = std::move(trace);
    return ub::compare(expect, ours);
}

bool looks_like_ub_work(const Json& first) {
    return first.contains("expect") && first["expect"].is_object() && first["expect"].contains("assign") &&
           first["expect"].contains("trace");
}

} // namespace ls::conformance
