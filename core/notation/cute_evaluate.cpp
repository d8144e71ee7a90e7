#include "core/notation/cute_evaluate.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

#include "core/notation/cute_swizzle.h"
#include "core/notation/cute_text.h"
#include "core/support/checked.h"

namespace ls::cute {

namespace {

constexpr std::int64_t kDecideLimit = std::int64_t{1} << 22; // elements of which a table is made to decide a question

Diagnostic unknown() {
    return error("CUTE_UNKNOWN", "a run-time number '?' has no value", "write numbers in place of '?'");
}
Diagnostic overflow() { return error("CUTE_OVERFLOW", "the value does not fit 64 bits"); }

class Evaluator {
public:
    explicit Evaluator(Coordinate& out) : out_(out) {}

    Status at(const Tree& coordinate, const Tree& shape, const Tree& stride) {
        if (coordinate.is_leaf) return at(coordinate.leaf.value, shape, stride);
        if (shape.is_leaf || coordinate.items.size() != shape.items.size()) {
            return error("CUTE_COORDINATE",
                         fmt::format("the coordinate {} does not fit the shape {}", print(coordinate), print(shape)),
                         "give one number, or one coordinate for each mode");
        }
        for (std::size_t i = 0; i < shape.items.size(); ++i)
            LS_CHECK(at(coordinate.items[i], shape.items[i], stride.items[i]));
        return ok_status();
    }

    Status at(std::int64_t index, const Tree& shape, const Tree& stride) {
        if (shape.is_leaf) {
            if (shape.leaf.unknown || stride.leaf.unknown) return unknown();
            const CheckedInt amount = checked_mul(index, stride.leaf.value);
            std::int64_t& sum = out_[stride.leaf.basis];
            const CheckedInt total = amount ? checked_add(sum, *amount) : CheckedInt{};
            if (!total) return overflow();
            sum = *total;
            return ok_status();
        }
        // Colexicographic: the first mode is the fastest digit, the last takes whatever remains.
        for (std::size_t i = 0; i < shape.items.size(); ++i) {
            const bool last = i + 1 == shape.items.size();
            const std::int64_t extent = size(shape.items[i]);
            LS_CHECK(at(last ? index : floor_mod(index, extent), shape.items[i], stride.items[i]));
            if (!last) index = floor_div(index, extent);
        }
        return ok_status();
    }

private:
    Coordinate& out_;
};

Result<std::int64_t> plain_of(const Coordinate& coordinate) {
    for (const auto& [path, amount] : coordinate) {
        if (!path.empty())
            return error("CUTE_BASIS", "the strides name coordinates, so the value is a coordinate, not an offset");
    }
    return coordinate.empty() ? 0 : coordinate.begin()->second;
}

template <class C>
Result<std::int64_t> value_at(const C& coordinate, const CuteLayout& layout) {
    Coordinate out;
    LS_CHECK(Evaluator(out).at(coordinate, layout.shape, layout.stride));
    return plain_of(out);
}

/// `elements` is the element form of `composed`, made once for many coordinates.
template <class C>
Result<Value> composed_value(const Composed& composed, const Composed& elements, const C& coordinate) {
    Value out;
    out.unit = composed.element_bits > 0 ? Unit::Elements : Unit::Unit;
    LS_TRY(out.offset, value_at(coordinate, elements.layout));
    for (std::size_t i = elements.stages.size(); i-- > 0;) {
        const Stage& stage = elements.stages[i];
        const Offset& offset = stage.offset;
        if (offset.number.unknown) return unknown();
        std::int64_t shift = offset.number.value;
        const auto* outer = std::get_if<CuteLayout>(&stage.outer);
        if (offset.kind == Offset::Kind::Coordinate) {
            if (outer == nullptr)
                return error("CUTE_COORDINATE", "a swizzle takes a number as its offset, not a coordinate");
            LS_TRY(shift, value_at(offset.coordinate, CuteLayout{outer->shape, layout_left(outer->shape)}));
        }
        const CheckedInt inner = checked_add(shift, out.offset);
        if (!inner) return overflow();
        if (outer != nullptr) {
            LS_TRY(out.offset, value_at(*inner, *outer));
        } else {
            if (*inner < 0)
                return error("CUTE_NEGATIVE", fmt::format("the swizzle would see offset {}", *inner),
                             "swizzles are defined from 0 on");
            out.offset = apply(std::get<Swizzle>(stage.outer), *inner);
        }
    }
    return out;
}

} // namespace

Result<std::int64_t> crd2idx(const Tree& coordinate, const CuteLayout& layout) { return value_at(coordinate, layout); }
Result<std::int64_t> crd2idx(std::int64_t index, const CuteLayout& layout) { return value_at(index, layout); }

Result<std::int64_t> crd2idx(std::span<const std::int64_t> modes, const CuteLayout& layout) {
    if (layout.shape.is_leaf && modes.size() == 1) return value_at(modes[0], layout);
    std::vector<Tree> items;
    for (const std::int64_t m : modes) items.push_back(Tree::number(m));
    return value_at(Tree::tuple(std::move(items)), layout);
}

Tree idx2crd(std::int64_t index, const Tree& shape) {
    if (shape.is_leaf) return Tree::number(index);
    std::vector<Tree> items;
    for (std::size_t i = 0; i < shape.items.size(); ++i) {
        const bool last = i + 1 == shape.items.size();
        const std::int64_t extent = size(shape.items[i]);
        items.push_back(idx2crd(last ? index : floor_mod(index, extent), shape.items[i]));
        if (!last) index = floor_div(index, extent);
    }
    return Tree::tuple(std::move(items));
}

Result<Coordinate> coordinate_of(const Tree& coordinate, const CuteLayout& layout) {
    Coordinate out;
    LS_CHECK(Evaluator(out).at(coordinate, layout.shape, layout.stride));
    return out;
}

Result<Value> evaluate(const Composed& composed, const Tree& coordinate) {
    LS_TRY(const Composed elements, element_form(composed));
    return composed_value(composed, elements, coordinate);
}

Result<Value> evaluate(const Composed& composed, std::int64_t index) {
    LS_TRY(const Composed elements, element_form(composed));
    return composed_value(composed, elements, index);
}

Result<std::vector<std::int64_t>> table(const CuteLayout& layout, std::int64_t limit) {
    Composed composed;
    composed.layout = layout;
    return table(composed, limit);
}

Result<std::vector<std::int64_t>> table(const Composed& composed, std::int64_t limit) {
    if (has_unknown(composed.layout)) return unknown();
    const std::int64_t count = size(composed.layout);
    if (count > limit)
        return error("CUTE_TOO_LARGE", fmt::format("a table of {} values; at most {} are made", count, limit));
    LS_TRY(const Composed elements, element_form(composed));
    std::vector<std::int64_t> out;
    out.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        LS_TRY(const Value value, composed_value(composed, elements, i));
        out.push_back(value.offset);
    }
    return out;
}

std::optional<bool> injective(const CuteLayout& layout) {
    if (has_unknown(layout) || has_basis(layout)) return {};
    std::vector<Flat> leaves;
    for (const Flat& f : flatten(layout)) {
        if (f.size == 1) continue;
        if (f.stride == 0) return false;
        // A negative stride walks the same values backwards.
        leaves.push_back({f.size, std::abs(f.stride)});
    }
    std::sort(leaves.begin(), leaves.end(), [](const Flat& a, const Flat& b) { return a.stride < b.stride; });
    std::int64_t reach = 0;
    bool nested = true; // every step is larger than all smaller leaves together reach
    for (const Flat& f : leaves) {
        nested = nested && f.stride > reach;
        reach += (f.size - 1) * f.stride;
    }
    if (nested) return true;
    const std::int64_t count = size(layout);
    if (count > reach + 1) return false; // more elements than values
    if (count > kDecideLimit) return {};
    Result<std::vector<std::int64_t>> values = table(from_flat(leaves), kDecideLimit);
    if (!values) return {};
    std::sort(values->begin(), values->end());
    return std::adjacent_find(values->begin(), values->end()) == values->end();
}

std::optional<bool> compact(const CuteLayout& layout) {
    if (has_unknown(layout) || has_basis(layout)) return {};
    if (min_offset(layout) != 0 || cosize(layout) != size(layout)) return false;
    return injective(layout);
}

} // namespace ls::cute
