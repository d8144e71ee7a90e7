#include "core/ub/work/work_checks.h"

#include <algorithm>

#include <fmt/format.h>

namespace ls::ub::work {

namespace {

using Findings = std::vector<Finding>;

std::string list(const std::vector<std::int64_t>& values) {
    constexpr std::size_t kShown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(values.size(), kShown); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", values[i]);
    if (values.size() > kShown) text += fmt::format(", ... ({} in all)", values.size());
    return text;
}

void check_lengths(const Distribution& d, const WorkCheckOptions& options, Findings& out) {
    std::vector<std::int64_t> negative;
    for (std::size_t b = 0; b < d.input.seq_lens.size(); ++b) {
        if (d.input.seq_lens[b] < 0) negative.push_back(static_cast<std::int64_t>(b));
    }
    if (!negative.empty()) {
        const RowOverlap overlap = overlapping_rows(d);
        std::int64_t rows = 0;
        for (const RowRange& range : overlap.twice) rows += std::int64_t{range.end} - range.begin;
        std::string text = fmt::format("negative length in batch {} moves the row cursor back", list(negative));
        if (rows > 0)
            text += fmt::format("; {} rows are processed twice, first {}..{}", rows, overlap.twice.front().begin,
                                overlap.twice.front().end - 1);
        if (overlap.lowest_row < 0) text += fmt::format("; row {} lies before the tensor", overlap.lowest_row);
        out.push_back(finding("W_NEG_SEQLEN", "seqLens",
                              {{"batches", static_cast<std::int64_t>(negative.size())},
                               {"rowsTwice", rows},
                               {"lowestRow", overlap.lowest_row}},
                              std::move(text)));
    }
    const auto unwritten = unwritten_state_batches(d.input.seq_lens);
    if (!unwritten.empty()) {
        out.push_back(finding(
            "W_EMPTY_BATCH_STATE_UNWRITTEN", "final_state", {{"batches", static_cast<std::int64_t>(unwritten.size())}},
            fmt::format("batch {} has no rows, so its final state keeps stale memory", list(unwritten))));
    }
    if (options.packed_rows && d.total_rows > *options.packed_rows) {
        const std::int64_t beyond = d.total_rows - *options.packed_rows;
        out.push_back(finding("E_SUM_GT_T", "seqLens",
                              {{"sum", d.total_rows}, {"T", *options.packed_rows}, {"by", beyond}},
                              fmt::format("lengths add up to {} rows, the tensors have {}: {} rows out of range",
                                          d.total_rows, *options.packed_rows, beyond)));
    }
}

void check_quota(const Distribution& d, Findings& out) {
    if (d.input.rule == Rule::Balanced) return;
    const bool computed = !d.input.quota_override;
    if (computed && d.quota_exact != d.quota) {
        out.push_back(finding("E_AVG_U32_WRAP", "avgload",
                              {{"exact", static_cast<std::int64_t>(d.quota_exact)}, {"stored", d.quota}},
                              fmt::format("the quota {} is stored as {}", d.quota_exact, d.quota)));
    }
    if (!computed && d.item_count() > 0 && d.quota != static_cast<std::uint32_t>(d.lower_bound)) {
        const std::string effect = d.unassigned > 0
                                       ? fmt::format("{} of {} units are never executed", d.unassigned, d.item_count())
                                       : fmt::format("{} of {} cores get nothing", d.idle_cores, d.input.cores);
        out.push_back(finding("E_AVG_NOT_COMPUTED", "avgload",
                              {{"stored", d.quota}, {"right", static_cast<std::int64_t>(d.lower_bound)}},
                              fmt::format("the quota holds {} instead of {}: {}", d.quota, d.lower_bound, effect)));
    }
    if (d.input.rule == Rule::DoubleCall || d.input.rule == Rule::RetryCall) {
        out.push_back(finding("E_DOUBLE_CALL", "IsCurrentBlock", {{"lost", d.unassigned}, {"items", d.item_count()}},
                              fmt::format("evaluated twice on {}: {} of {} units are lost, {} have several owners",
                                          d.input.rule == Rule::DoubleCall ? "the owner" : "every other core",
                                          d.unassigned, d.item_count(), d.duplicated)));
    }
}

} // namespace

std::vector<std::int64_t> unwritten_state_batches(const std::vector<std::int32_t>& seq_lens) {
    std::vector<std::int64_t> batches;
    for (std::size_t b = 0; b < seq_lens.size(); ++b) {
        if (seq_lens[b] <= 0) batches.push_back(static_cast<std::int64_t>(b));
    }
    return batches;
}

RowOverlap overlapping_rows(const Distribution& d) {
    RowOverlap result;
    std::vector<RowRange> ranges;
    for (std::size_t b = 0; b < d.row_ranges.size(); ++b) {
        if (d.input.seq_lens[b] <= 0) continue;
        ranges.push_back(d.row_ranges[b]);
        result.lowest_row = std::min(result.lowest_row, d.row_ranges[b].begin);
    }
    std::sort(ranges.begin(), ranges.end(), [](const RowRange& a, const RowRange& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    if (ranges.empty()) return result;
    std::int32_t reached = ranges.front().end; // furthest row that a range before this one covers
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        const RowRange meet{ranges[i].begin, std::min(ranges[i].end, reached)};
        if (meet.begin < meet.end) {
            if (!result.twice.empty() && meet.begin <= result.twice.back().end) {
                result.twice.back().end = std::max(result.twice.back().end, meet.end);
            } else {
                result.twice.push_back(meet);
            }
        }
        reached = std::max(reached, ranges[i].end);
    }
    return result;
}

std::vector<Finding> check_work(const Distribution& d, const WorkCheckOptions& options) {
    Findings out;
    check_lengths(d, options, out);
    check_quota(d, out);
    if (d.unassigned > 0) {
        out.push_back(finding("E_UNASSIGNED", "work", {{"unassigned", d.unassigned}, {"items", d.item_count()}},
                              fmt::format("{} of {} units have no owner", d.unassigned, d.item_count())));
    }
    if (d.duplicated > 0) {
        out.push_back(finding("E_DUPLICATED", "work", {{"duplicated", d.duplicated}, {"items", d.item_count()}},
                              fmt::format("{} of {} units have several owners", d.duplicated, d.item_count())));
    }
    if (d.imbalance() > options.imbalance_limit) {
        out.push_back(finding(
            "W_IMBALANCE", "work",
            {{"makespan", static_cast<std::int64_t>(d.makespan)}, {"bound", static_cast<std::int64_t>(d.lower_bound)}},
            fmt::format("the busiest core works {} rows, an even split {}: {:.2f} times as long", d.makespan,
                        d.lower_bound, d.imbalance())));
    }
    if (d.idle_cores > 0 && d.item_count() > 0) {
        out.push_back(finding("W_IDLE_CORES", "work", {{"idle", d.idle_cores}, {"cores", d.input.cores}},
                              fmt::format("{} of {} cores receive no work", d.idle_cores, d.input.cores)));
    }
    return out;
}

} // namespace ls::ub::work
