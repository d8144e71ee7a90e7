// Viewing a shard by a logical shape (spec/tirx.md 3.3): iters are split where the shape's dimensions end.
#include <fmt/format.h>

#include "core/layout/operations.h"
#include "core/layout/refusal.h"
#include "core/layout/symbol.h"

namespace ls {

namespace {

/// a / by where by provably divides a.
std::optional<Dim> quotient(const Dim& a, const Dim& by) {
    if (a.is_constant() && by.is_constant() && by.value() > 0) {
        return a.value() % by.value() == 0 ? std::optional(Dim(a.value() / by.value())) : std::nullopt;
    }
    if (auto exact = exact_quotient(a, by)) return exact;
    return proves_divisible(a, by) ? std::optional(floor_div(a, by)) : std::nullopt;
}

Diagnostic cannot_group(const TileLayout& layout, std::span<const Dim> shape) {
    return error("LAYOUT_GROUP",
                 fmt::format("layout {} can not be grouped by shape {}", to_string(layout), to_string(shape)),
                 "every dimension must end where an iter ends, or split one evenly, and the sizes must agree");
}

} // namespace

Result<Grouped> group(const TileLayout& layout, std::span<const Dim> shape) {
    LS_CHECK(refuse_overflow(layout));
    LS_CHECK(refuse_shape(shape));
    Grouped grouped;
    grouped.layout.replica = layout.replica;
    grouped.layout.offset = layout.offset;
    auto& shard = grouped.layout.shard;
    shard.reserve(layout.shard.size() + shape.size());
    grouped.separators.reserve(shape.size() + 1);
    grouped.separators.push_back(0);

    Dim pending = 1; // elements since the last dimension ended
    std::size_t k = 0;
    for (const Iter& iter : layout.shard) {
        Dim extent = iter.extent;
        pending *= extent;
        while (k < shape.size()) {
            const auto inner = quotient(pending, shape[k]);
            if (!inner) break;
            const auto outer = quotient(extent, *inner);
            if (!outer) return cannot_group(layout, shape);
            shard.push_back({*outer, iter.stride * *inner, iter.axis});
            extent = *inner;
            pending = *inner;
            ++k;
            grouped.separators.push_back(shard.size());
        }
        if (!extent.is(1)) {
            if (k == shape.size()) return cannot_group(layout, shape);
            shard.push_back({extent, iter.stride, iter.axis});
        }
    }
    if (k != shape.size()) return cannot_group(layout, shape);
    LS_CHECK(refuse_overflow(grouped.layout));
    return grouped;
}

} // namespace ls
