#include "core/figure/transfer_figure.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/passes/nz/blocked_shape.h"
#include "core/support/checked.h"

namespace ls::figure {

namespace {

/// Beyond this a lane is only longer, not more telling.
constexpr double kMostPercent = 160;

std::optional<std::int64_t> product(std::initializer_list<std::int64_t> factors) {
    CheckedInt all = 1;
    for (const std::int64_t factor : factors) {
        if (all) all = checked_mul(*all, factor);
    }
    return all ? std::optional(*all) : std::nullopt;
}

} // namespace

std::vector<TransferField> transfer_fields(const check::Access& access, const ir::ModuleNode& module,
                                           const Hardware& hardware, const check::Bindings& bindings) {
    std::vector<TransferField> fields;
    const auto& type = access.tensor_type;
    if (type == nullptr || !type->view || type->view->order != ir::TensorOrder::NZ || access.sizes.size() != 5 ||
        !nz::is_blocked_shape(type->shape, type->dtype))
        return fields;
    const auto number = [&](const ir::Expr& e) { return check::evaluate(e, bindings, module); };
    const auto bursts = number(access.sizes[1]), fractals = number(access.sizes[2]), c0 = number(access.sizes[4]);
    const auto whole_fractals = number(type->shape[2]);
    if (!bursts || !fractals || !c0 || !whole_fractals) return fields;
    const auto rows = product({*fractals, 16}), whole_rows = product({*whole_fractals, 16}), cols = product({*bursts, *c0});
    const std::int64_t bits = info(type->dtype).bits;
    const auto bytes = product({rows.value_or(0), cols.value_or(0), bits / 8});
    if (!rows || !whole_rows || !cols || !bytes) return fields;

    if (access.kind == check::AccessKind::Load) {
        const NzLoadLimits& limits = hardware.nz_load;
        const std::int64_t gap = *bursts > 1 ? *whole_rows - *rows : 0;
        fields.push_back({"gap between bursts", "blocks of 32 B", std::max<std::int64_t>(gap, 0), limits.max_guarded_gap_blocks,
                          limits.gap_field_bits > 0
                              ? fmt::format("a field of {} bits: what is beyond wraps, and other rows are read", limits.gap_field_bits)
                              : std::string("this chip passes the whole stride; the compiler guards it all the same")});
        fields.push_back({"bursts", "column blocks", *bursts, limits.max_bursts, "a copy takes no more"});
        fields.push_back({"rows of the tile", "rows", *rows, limits.max_tile_rows, "a Mat tile has no more"});
    } else {
        const NzStoreLimits& limits = hardware.nz_store;
        fields.push_back({"columns stored", "columns", *cols, limits.max_cols, "a field of 12 bits: 4096 would be 0"});
        fields.push_back({"rows stored", "rows", *rows, limits.max_rows, "a field of 16 bits"});
    }
    const ir::TileSpace space = access.tile_type != nullptr && access.tile_type->space ? *access.tile_type->space
                                : access.kind == check::AccessKind::Load           ? ir::TileSpace::Mat
                                                                                   : ir::TileSpace::Acc;
    if (const auto capacity = hardware.capacity_bytes(space)) {
        std::int64_t held = *bytes;
        if (space == ir::TileSpace::Acc) {
            const std::int64_t shape[] = {*rows, *cols};
            held = acc_physical_bytes(shape, type->dtype, &hardware).value_or(held);
        }
        fields.push_back({fmt::format("bytes in {}", ir::name(space)), "B", held, *capacity, "the memory holds no more"});
    }
    return fields;
}

scene::BarChart transfer_chart(const std::vector<TransferField>& fields) {
    scene::BarChart chart;
    chart.min = 0;
    chart.max = 100;
    chart.unit = "% of the limit";
    std::int64_t id = 0;
    for (const TransferField& field : fields) {
        const double percent =
            field.limit > 0 ? 100.0 * static_cast<double>(field.value) / static_cast<double>(field.limit) : kMostPercent;
        const double end = std::min(percent, kMostPercent);
        chart.max = std::max(chart.max, std::min(end, kMostPercent));
        scene::Bar bar;
        bar.end = end;
        bar.label = fmt::format("{} of {} {}", field.value, field.limit, field.unit);
        bar.describe = fmt::format("{}: {}, {:.3g} % of the limit; {}", field.name, bar.label, percent, field.note);
        bar.id = id++;
        scene::BarLane lane;
        lane.name = field.name;
        lane.bars.push_back(std::move(bar));
        lane.limit = 100;
        chart.lanes.push_back(std::move(lane));
    }
    chart.limits.push_back({100, "limit", scene::Role::Finding});
    return chart;
}

std::optional<ClampedWindow> clamped_window(const ProofRecord& record, const ir::ModuleNode& module) {
    const ir::CallNode& call = *record.call;
    // tile.load(w, offsets, shapes), tensor.slice(t, shapes, offsets), tile.store(tile, offsets, out).
    const std::size_t sizes_at = call.is_op("tensor.slice") ? 1 : 2;
    const auto* sizes = sizes_at < call.args.size() ? ir::as<ir::TupleNode>(call.args[sizes_at]) : nullptr;
    const bool rows = record.coordinate.ends_with("shape[-2]");
    const std::size_t back = rows ? 2 : 1;
    if (record.proof.proven || record.proof.question != Proof::Question::NonNegative || sizes == nullptr ||
        sizes->elements.size() < back)
        return std::nullopt;
    const auto first = check::evaluate(record.proof.subject, {}, module);
    const auto extent = check::evaluate(sizes->elements[sizes->elements.size() - back], {}, module);
    if (!first || !extent || *first >= 0 || *extent <= 0) return std::nullopt;
    return ClampedWindow{*first, *extent, rows ? "rows" : "columns"};
}

scene::BarChart clamp_chart(const ClampedWindow& window) {
    const std::int64_t read_first = std::max<std::int64_t>(window.asked_first, 0);
    const auto range = [&](std::int64_t first) {
        return fmt::format("{} {} … {}", window.unit, first, first + window.extent - 1);
    };
    const auto bar = [&](std::int64_t first) {
        scene::Bar made;
        made.begin = static_cast<double>(first);
        made.end = static_cast<double>(first + window.extent);
        made.label = range(first);
        made.describe = made.label;
        return made;
    };
    scene::BarChart chart;
    chart.min = static_cast<double>(std::min(window.asked_first, read_first));
    chart.max = static_cast<double>(read_first + 2 * window.extent);
    scene::BarLane asked, read;
    asked.name = "asked by the first block";
    asked.bars.push_back(bar(window.asked_first));
    asked.bars.back().fill = scene::ColorKey::role(scene::Role::FindingTint);
    asked.bars.back().pattern = scene::Pattern::Finding;
    read.name = "hardware reads";
    read.bars.push_back(bar(read_first));
    read.bars.back().id = 1;
    chart.lanes = {std::move(asked), std::move(read)};
    return chart;
}

} // namespace ls::figure
