#include "core/ub/model/fit.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::ub {

namespace {

constexpr std::int64_t kMaxCombinations = 1'000'000;
constexpr std::int64_t kMaxBlocks = 64;

std::int64_t needed(const Alloc& alloc, const PlacedAlloc& placed) {
    return alloc.rest ? align_up(placed.used, 32) : placed.total;
}

void sort_by_bytes(std::vector<Culprit>& culprits) {
    std::stable_sort(culprits.begin(), culprits.end(),
                     [](const Culprit& a, const Culprit& b) { return a.bytes > b.bytes; });
}

Diagnostic bad_axis(std::string message, std::string hint) {
    return error("SWEEP_AXIS", std::move(message), std::move(hint));
}

} // namespace

FitReport fit_report(const Model& model, const Partition& partition) {
    FitReport report;
    report.ub_bytes = partition.ub_bytes;
    report.tail_bytes = model.platform.reserved_tail_bytes;
    const auto share = [&](std::int64_t bytes) {
        return partition.ub_bytes > 0 ? static_cast<double>(bytes) / static_cast<double>(partition.ub_bytes) : 0.0;
    };
    for (std::size_t i = 0; i < partition.allocs.size(); ++i) {
        const PlacedAlloc& placed = partition.allocs[i];
        const std::int64_t bytes = needed(model.allocs[i], placed);
        report.needed_bytes += bytes;
        report.buffers.push_back({placed.name, "", bytes, share(bytes)});
        if (!model.allocs[i].rest) report.rounding_bytes += placed.num * (placed.len - placed.requested_len);
        report.gap_bytes += placed.gaps;
        if (!model.allocs[i].rest && !placed.views.empty())
            report.slack_bytes += std::max<std::int64_t>(0, placed.slack);
        for (const PlacedView& view : placed.views)
            report.views.push_back({view.name, placed.name, view.bytes, share(view.bytes)});
    }
    report.free_bytes = report.ub_bytes - report.needed_bytes;
    report.into_tail_bytes =
        std::clamp<std::int64_t>(report.needed_bytes - (report.ub_bytes - report.tail_bytes), 0, report.tail_bytes);
    sort_by_bytes(report.buffers);
    sort_by_bytes(report.views);

    report.all_queues.queue = "all queues";
    for (std::size_t i = 0; i < partition.allocs.size(); ++i) {
        const PlacedAlloc& placed = partition.allocs[i];
        if (placed.kind != AllocKind::Queue) continue;
        Doubling d{placed.name, placed.num, placed.total, placed.total - report.free_bytes, 0};
        const std::int64_t room = report.free_bytes + placed.total;
        d.largest_num = placed.len == 0 ? kMaxBlocks : std::clamp<std::int64_t>(room / placed.len, 0, kMaxBlocks);
        report.all_queues.extra_bytes += placed.total;
        report.doublings.push_back(std::move(d));
    }
    report.all_queues.over_bytes = report.all_queues.extra_bytes - report.free_bytes;
    return report;
}

Result<std::vector<SweepRow>> sweep(const CompiledModel& model, const std::vector<SweepAxis>& axes) {
    std::vector<std::size_t> slots;
    std::int64_t combinations = 1;
    for (const SweepAxis& axis : axes) {
        const auto slot = model.parameter_index(axis.parameter);
        if (!slot)
            return bad_axis(fmt::format("the model has no parameter '{}'", axis.parameter), "name one of its params");
        if (axis.step < 1)
            return bad_axis(fmt::format("a step of {} for {}", axis.step, axis.parameter),
                            "the step must be at least 1");
        slots.push_back(*slot);
        const CheckedInt span = checked_sub(axis.high, axis.low);
        const CheckedInt next = span ? checked_mul(combinations, axis.count()) : CheckedInt{};
        if (!next || *next > kMaxCombinations) {
            return error("SWEEP_TOO_LARGE", fmt::format("more than {} combinations", kMaxCombinations),
                         "widen the steps");
        }
        combinations = *next;
    }
    std::vector<std::int64_t> values = model.parameter_values();
    std::vector<SweepRow> rows(static_cast<std::size_t>(combinations));
    const auto values_of = [&](std::size_t row) {
        rows[row].values.resize(axes.size());
        auto rest = static_cast<std::int64_t>(row);
        for (std::size_t a = axes.size(); a-- > 0;) {
            rows[row].values[a] = axes[a].low + rest % axes[a].count() * axes[a].step;
            rest /= axes[a].count();
            values[slots[a]] = rows[row].values[a];
        }
        return std::span<const std::int64_t>(values);
    };
    model.measure_all(rows.size(), values_of, [&](std::size_t row, const Footprint* footprint) {
        rows[row].valid = footprint != nullptr;
        if (rows[row].valid) rows[row].footprint = *footprint;
    });
    return rows;
}

Result<FitRange> fit_range(const CompiledModel& model, const SweepAxis& axis) {
    LS_TRY(const auto rows, sweep(model, {axis}));
    FitRange range;
    bool open = false;
    for (const SweepRow& row : rows) {
        const bool fits = row.valid && row.footprint.fits();
        if (fits) {
            if (!open) range.intervals.push_back({row.values[0], row.values[0]});
            range.intervals.back().high = row.values[0];
            range.largest = row.values[0];
        }
        open = fits;
    }
    return range;
}

Result<SweepAxis> parse_axis(std::string_view text) {
    const auto bad = [&] {
        return bad_axis(fmt::format("'{}' is no range", text), "write name=low:high or name=low:high:step");
    };
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) return bad();
    SweepAxis axis;
    axis.parameter = text.substr(0, equals);
    std::string_view rest = text.substr(equals + 1);
    std::int64_t* const parts[]{&axis.low, &axis.high, &axis.step};
    std::size_t count = 0;
    while (count < 3) {
        const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), *parts[count]);
        if (failure != std::errc()) return bad();
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        ++count;
        if (rest.empty()) break;
        if (rest[0] != ':') return bad();
        rest.remove_prefix(1);
    }
    if (count < 2 || !rest.empty() || axis.step < 1) return bad();
    return axis;
}

} // namespace ls::ub
