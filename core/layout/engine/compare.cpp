#include "core/layout/engine/compare.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/layout/engine/axis_sum.h"
#include "core/layout/engine/kernels.h"
#include "core/support/checked.h"

namespace ls::engine {

namespace {

constexpr std::int64_t kChunk = 2048;
constexpr std::int64_t kChunksPerTick = 512;
/// After so many steps of a closed form, comparing element by element is no worse.
constexpr std::int64_t kSearchSteps = std::int64_t{1} << 20;

using Pair = std::pair<const CompiledLayout*, const CompiledLayout*>;

/// Digits of both layouts cut at the boundaries of either, with the difference of the strides; empty where a boundary
/// of one cuts a digit of the other unevenly, or where a difference does not fit 64 bits.
std::optional<std::vector<Digit>> difference_digits(const CompiledLayout& left, const CompiledLayout& right) {
    std::vector<std::int64_t> places;
    for (const CompiledLayout* one : {&left, &right}) {
        for (const Digit& digit : one->digits()) places.push_back(digit.place);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());

    const auto stride_at = [](std::span<const Digit> digits, std::int64_t place) -> CheckedInt {
        const auto above =
            std::find_if(digits.begin(), digits.end(), [place](const Digit& digit) { return digit.place > place; });
        const Digit& digit = *(above - 1); // the innermost place is 1
        return checked_mul(digit.stride, place / digit.place);
    };
    std::vector<Digit> out;
    for (std::size_t k = 0; k < places.size(); ++k) {
        const bool outermost = k + 1 == places.size();
        if (!outermost && places[k + 1] % places[k] != 0) return {};
        const std::int64_t extent = outermost ? ceil_div(left.elements(), places[k]) : places[k + 1] / places[k];
        const CheckedInt a = stride_at(left.digits(), places[k]);
        const CheckedInt b = stride_at(right.digits(), places[k]);
        const CheckedInt stride = a && b ? checked_sub(*a, *b) : CheckedInt{};
        if (!stride) return {};
        out.push_back({extent, *stride, places[k], {}});
    }
    return out;
}

Comparison differ_from(std::int64_t element, std::int64_t differing, const Pair& pair) {
    Comparison out;
    out.differing = differing;
    out.first = Difference{element, pair.first->coordinate(element), pair.first->axis(),
                           pair.first->offset_linear(element), pair.second->offset_linear(element)};
    return out;
}

/// Same swizzle: elements lie apart exactly where they lie apart before it, and that difference is a layout of its own.
std::optional<Comparison> compare_closed(const Pair& pair, bool count) {
    const auto& [left, right] = pair;
    if (!(left->swizzle() == right->swizzle())) return {};
    const CheckedInt start = checked_sub(left->origin(), right->origin());
    const auto digits = difference_digits(*left, *right);
    if (!start || !digits) return {};

    const auto moving =
        std::find_if(digits->begin(), digits->end(), [](const Digit& digit) { return digit.stride != 0; });
    if (moving == digits->end()) return *start == 0 ? Comparison{} : differ_from(0, left->elements(), pair);
    const std::int64_t first = *start != 0 ? 0 : moving->place;
    if (!count) return differ_from(first, 1, pair);

    // Elements that lie alike are those where the difference is 0.
    const auto sum = AxisSum::of(*digits, *start);
    const bool whole = left->elements() % digits->back().place == 0;
    if (!sum || !whole) return {};
    std::int64_t budget = kSearchSteps;
    std::int64_t alike = 0;
    if (!sum->search(0, budget, [&](std::int64_t) { alike += *sum->multiplicity(); })) return {};
    return differ_from(first, left->elements() - alike, pair);
}

/// Element by element.
Result<Comparison> compare_all(std::span<const Pair> pairs, const CompareOptions& options) {
    const std::int64_t elements = pairs.front().first->elements();
    std::array<std::int64_t, kChunk> a;
    std::array<std::int64_t, kChunk> b;
    std::array<std::uint64_t, kChunk> apart; // OR over the axes of a ^ b
    const std::array<std::uint64_t, kChunk> none{};
    Comparison out;
    for (std::int64_t at = 0; at < elements; at += kChunk) {
        if (at % (kChunk * kChunksPerTick) == 0) LS_CHECK(Watch::tick(options.watch, at, elements));
        const auto length = static_cast<std::size_t>(std::min(kChunk, elements - at));
        apart.fill(0);
        for (const auto& [left, right] : pairs) {
            LS_CHECK(left->fill_range(at, std::span(a).first(length)));
            LS_CHECK(right->fill_range(at, std::span(b).first(length)));
            for (std::size_t i = 0; i < length; ++i) apart[i] |= static_cast<std::uint64_t>(a[i] ^ b[i]);
        }
        const std::size_t differing = kernels().count_different(apart.data(), none.data(), length);
        if (differing == 0) continue;
        if (!out.first) {
            const auto element =
                at + (std::find_if(apart.begin(), apart.end(), [](std::uint64_t bits) { return bits != 0; }) -
                      apart.begin());
            const auto pair = std::find_if(pairs.begin(), pairs.end(), [element](const Pair& p) {
                return p.first->offset_linear(element) != p.second->offset_linear(element);
            });
            out = differ_from(element, 0, *pair);
            if (!options.count) {
                out.differing = 1;
                return out;
            }
        }
        out.differing += static_cast<std::int64_t>(differing);
    }
    return out;
}

Result<Comparison> compare_pairs(std::vector<Pair> pairs, const CompareOptions& options) {
    if (pairs.front().first->shape() != pairs.front().second->shape()) {
        return error("ENGINE_SHAPES",
                     fmt::format("the shapes {} and {} are not the same", to_text(pairs.front().first->shape()),
                                 to_text(pairs.front().second->shape())),
                     "compile both layouts with one shape");
    }
    // Axes on which nothing differs need no second look.
    std::erase_if(pairs, [](const Pair& pair) {
        const auto quick = compare_closed(pair, false);
        return quick && quick->equal();
    });
    if (pairs.empty()) return Comparison{};
    if (pairs.size() == 1) {
        if (auto closed = compare_closed(pairs.front(), options.count)) return *std::move(closed);
    }
    return compare_all(pairs, options);
}

} // namespace

Result<Comparison> compare(const CompiledLayout& left, const CompiledLayout& right, const CompareOptions& options) {
    return compare_pairs({{&left, &right}}, options);
}

Result<Comparison> compare(const CompiledMap& left, const CompiledMap& right, const CompareOptions& options) {
    std::vector<Axis> axes(left.axes().begin(), left.axes().end());
    axes.insert(axes.end(), right.axes().begin(), right.axes().end());
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());

    // Stands in on axes that one side does not name.
    std::vector<CompiledLayout> zeros;
    zeros.reserve(2 * axes.size());
    const auto on = [&](const CompiledMap& map, Axis axis) -> const CompiledLayout* {
        if (const CompiledLayout* compiled = map.find(axis)) return compiled;
        zeros.push_back(compile_axis(map.lowered(), AxisRange{axis, 0, 0, 0, 0, 0}));
        return &zeros.back();
    };
    std::vector<Pair> pairs;
    for (const Axis axis : axes) pairs.emplace_back(on(left, axis), on(right, axis));
    return compare_pairs(std::move(pairs), options);
}

} // namespace ls::engine
