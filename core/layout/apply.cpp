// From a coordinate to the point that it names on each axis (spec/tirx.md 3.1). Replicas take no part.
#include <fmt/format.h>

#include "core/layout/apply_constant.h"
#include "core/layout/compose_apply.h"
#include "core/layout/operations.h"
#include "core/layout/refusal.h"

namespace ls {

namespace {

/// Digits of `coordinate` over extents, last = least significant; the first takes the whole remainder.
/// `extent_of(i)` reads an extent, `take(i, digit)` receives its digit.
template <class ExtentOf, class Take>
void split_into(const Dim& coordinate, std::size_t count, ExtentOf extent_of, Take take) {
    Dim rest = coordinate;
    for (std::size_t i = count; i-- > 1;) {
        const Dim& extent = extent_of(i);
        take(i, floor_mod(rest, extent));
        rest = floor_div(rest, extent);
    }
    if (count > 0) take(std::size_t{0}, rest);
}

/// Horner over `shape`.
Dim flatten(std::span<const Dim> coordinates, std::span<const Dim> shape) {
    Dim linear;
    for (std::size_t i = 0; i < shape.size(); ++i) linear = linear * shape[i] + coordinates[i];
    return linear;
}

Status only_on_m(const ComposeLayout& compose) {
    Axis other = axes::m;
    for (const Iter& iter : compose.tile.shard) {
        if (iter.axis != axes::m) other = iter.axis;
    }
    for (const auto& [axis, amount] : compose.tile.offset) {
        if (axis != axes::m) other = axis;
    }
    if (other == axes::m) return ok_status();
    return error("LAYOUT_COMPOSE_AXIS", fmt::format("the tile under a swizzle produces axis {}", other.name()),
                 "a swizzle permutes linear memory; its tile may only produce axis m");
}

Result<AxisMap> checked(AxisMap map) {
    LS_CHECK(refuse_overflow(map));
    return map;
}

Status check_coordinates(std::span<const Dim> coordinates, std::span<const Dim> shape) {
    if (coordinates.size() == shape.size()) return ok_status();
    return error("LAYOUT_COORDINATES",
                 fmt::format("{} coordinates {} were given for shape {}", coordinates.size(), to_string(coordinates),
                             to_string(shape)),
                 "give one coordinate for each dimension of the shape");
}

/// Each coordinate split over the iters of its own group.
std::vector<Dim> grouped_digits(const Grouped& grouped, std::span<const Dim> coordinates) {
    std::vector<Dim> digits(grouped.layout.shard.size());
    for (std::size_t d = 0; d < coordinates.size(); ++d) {
        const std::size_t first = grouped.separators[d];
        split_into(
            coordinates[d], grouped.separators[d + 1] - first,
            [&](std::size_t i) -> const Dim& { return grouped.layout.shard[first + i].extent; },
            [&](std::size_t i, Dim digit) { digits[first + i] = std::move(digit); });
    }
    return digits;
}

/// Swizzles the point that a tile gave on numbers, if the layout swizzles.
Status swizzle_point(const Layout& layout, AxisMap& point) {
    const ComposeLayout* compose = layout.compose();
    if (compose == nullptr) return ok_status();
    LS_CHECK(only_on_m(*compose));
    Dim& m = point[axes::m];
    m = swizzle(m.value(), *compose);
    return ok_status();
}

UnitDigit unit_digit(const Layout& layout) { return layout.is_compose() ? UnitDigit::Zero : UnitDigit::Counts; }

Result<AxisMap> place(const Layout& layout, std::span<const Iter> shard, std::span<const Dim> digits) {
    AxisMap map;
    if (const ComposeLayout* compose = layout.compose()) {
        LS_CHECK(only_on_m(*compose));
        LS_TRY(Dim address, structured_address(*compose, shard, digits));
        map.emplace(axes::m, std::move(address));
        return map;
    }
    for (std::size_t i = 0; i < shard.size(); ++i) map[shard[i].axis] += digits[i] * shard[i].stride;
    for (const auto& [axis, amount] : layout.tile().offset) map[axis] += amount;
    return checked(std::move(map));
}

} // namespace

std::vector<Dim> split_digits(const Dim& coordinate, std::span<const Dim> extents) {
    std::vector<Dim> digits(extents.size());
    split_into(
        coordinate, extents.size(), [&](std::size_t i) -> const Dim& { return extents[i]; },
        [&](std::size_t i, Dim digit) { digits[i] = std::move(digit); });
    return digits;
}

Result<AxisMap> apply(const Layout& layout, const Dim& linear) {
    const TileLayout& tile = layout.tile();
    if (linear.is_constant()) {
        Result<AxisMap> point{AxisMap()};
        if (constant_linear(tile, linear.value(), *point)) {
            LS_CHECK(swizzle_point(layout, *point));
            return point;
        }
    }
    AxisMap map;
    split_into(
        linear, tile.shard.size(), [&](std::size_t i) -> const Dim& { return tile.shard[i].extent; },
        [&](std::size_t i, const Dim& digit) { map[tile.shard[i].axis] += digit * tile.shard[i].stride; });
    for (const auto& [axis, amount] : tile.offset) map[axis] += amount;
    LS_CHECK(refuse_overflow(map));
    const ComposeLayout* compose = layout.compose();
    if (compose == nullptr) return map;
    LS_CHECK(only_on_m(*compose));
    map.insert_or_assign(axes::m, full_swizzle(*compose, map.get(axes::m)));
    return checked(std::move(map));
}

Result<AxisMap> apply_shard(const Layout& layout, std::span<const Dim> coordinates) {
    const auto& shard = layout.tile().shard;
    if (coordinates.size() != shard.size()) {
        return error(
            "LAYOUT_COORDINATES",
            fmt::format("{} coordinates were given and the layout has {} shard axes", coordinates.size(), shard.size()),
            "give one coordinate for each shard axis, or name the shape that the coordinates count in");
    }
    Result<AxisMap> point{AxisMap()};
    if (constant_digits(layout.tile(), coordinates, unit_digit(layout), *point)) {
        LS_CHECK(swizzle_point(layout, *point));
        return point;
    }
    return place(layout, shard, coordinates);
}

Result<AxisMap> apply(const Layout& layout, std::span<const Dim> coordinates, std::span<const Dim> shape) {
    LS_CHECK(check_coordinates(coordinates, shape));
    Result<AxisMap> point{AxisMap()};
    if (constant_grouped(layout.tile(), coordinates, shape, unit_digit(layout), *point)) {
        LS_CHECK(swizzle_point(layout, *point));
        return point;
    }
    const auto grouped = group(layout.tile(), shape);
    if (grouped) return place(layout, grouped->layout.shard, grouped_digits(*grouped, coordinates));
    return place(layout, layout.tile().shard, apply_to_shape(layout, coordinates, shape).value());
}

Result<std::vector<Dim>> apply_to_shape(const Layout& layout, std::span<const Dim> coordinates,
                                        std::span<const Dim> shape) {
    LS_CHECK(check_coordinates(coordinates, shape));
    const auto grouped = group(layout.tile(), shape);
    if (grouped) return grouped_digits(*grouped, coordinates);
    std::vector<Dim> extents;
    for (const Iter& iter : layout.tile().shard) extents.push_back(iter.extent);
    return split_digits(flatten(coordinates, shape), extents);
}

} // namespace ls
