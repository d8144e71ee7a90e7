#include "core/figure/formula.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls::figure {

namespace {

std::string digit_expression(const TensorLayout& tensor, const GroupedIter& iter) {
    std::string text = iter.dim == GroupedIter::kFlat ? "x" : tensor.dim_name(iter.dim);
    if (iter.divisor != 1) text += fmt::format("÷{}", iter.divisor);
    if (!iter.outermost) text += fmt::format("%{}", iter.extent);
    return text;
}

std::int64_t flat_index(const Shape& shape, const std::vector<std::int64_t>& coordinate) {
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + coordinate[d];
    return flat;
}

/// "1621 ⊕ 24": the XOR mask that this very address meets, so that the reader can check it.
std::string swizzle_text(std::int64_t before, std::int64_t after) { return fmt::format("{} ⊕ {} = {}", before, before ^ after, after); }

} // namespace

std::string hex_address(std::int64_t byte) {
    return byte < 0 ? fmt::format("-0x{:04X}", -byte) : fmt::format("0x{:04X}", byte);
}

std::string bytes_text(std::int64_t elements, int element_bits) {
    const std::int64_t bits = elements * element_bits;
    return bits % 8 == 0 ? fmt::format("{} B", bits / 8) : fmt::format("{} bit", bits);
}

Formula make_formula(const TensorLayout& tensor, const PhysicalSpace& space, const std::vector<GroupedIter>& iters,
                     const std::vector<std::int64_t>& copies, const std::vector<std::int64_t>& coordinate, bool apply_swizzle) {
    Formula formula;
    formula.coordinate = coordinate;
    std::vector<std::pair<Axis, std::int64_t>> sums;
    for (const auto* side : {&space.down, &space.right}) {
        for (const SpaceAxis& a : *side) sums.emplace_back(a.axis, 0);
    }
    const auto sum = [&sums](Axis axis) -> std::int64_t& {
        return std::find_if(sums.begin(), sums.end(), [&](const auto& s) { return s.first == axis; })->second;
    };

    std::vector<std::pair<std::int64_t, FormulaTerm>> ordered; // by linear stride
    for (const GroupedIter& iter : iters) {
        const std::int64_t at = iter.dim == GroupedIter::kFlat ? flat_index(tensor.shape, coordinate) : coordinate[iter.dim];
        const std::int64_t digit = iter.digit(at);
        sum(iter.axis) += digit * iter.stride;
        if (iter.extent == 1) continue;
        ordered.push_back({iter.linear_stride, {digit, iter.stride, std::string(iter.axis.name()), digit_expression(tensor, iter), iter.role}});
    }
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& [stride, term] : ordered) formula.terms.push_back(std::move(term));
    for (const auto& [axis, amount] : tensor.layout.tile().offset) {
        sum(axis) += amount.value();
        if (!amount.is(0)) formula.terms.push_back({amount.value(), 1, std::string(axis.name()), "offset", "offset"});
    }

    const ComposeLayout* compose = tensor.layout.compose();
    if (compose != nullptr && compose->swizzle_len > 0 && apply_swizzle) {
        std::int64_t& m = sum(axes::m);
        formula.unswizzled_elems = m;
        m = swizzle(m, *compose);
        formula.swizzle_text = swizzle_text(*formula.unswizzled_elems, m);
    }
    for (const auto& [axis, value] : sums) {
        formula.point.emplace_back(axis.name(), value);
        if (axis != axes::m) continue;
        formula.offset_elems = value;
        const std::int64_t bits = tensor.element_bits();
        if (bits % 8 == 0) formula.byte = value * (bits / 8);
    }
    for (std::size_t i = 1; i < copies.size(); ++i) {
        std::vector<std::pair<std::string, std::int64_t>> point;
        for (const auto& [axis, value] : space.point(copies[i])) point.emplace_back(axis.name(), value);
        formula.replicas.push_back(std::move(point));
    }
    return formula;
}

std::string Formula::text() const {
    std::string out = fmt::format("({})", fmt::join(coordinate, ", "));
    for (const auto& [axis, value] : point) {
        std::vector<std::string> parts;
        for (const FormulaTerm& term : terms) {
            if (term.axis != axis) continue;
            parts.push_back(term.expression == "offset" ? fmt::format("{}", term.digit) : fmt::format("{}·{}", term.digit, term.stride));
        }
        const std::int64_t before_swizzle = axis == "m" && unswizzled_elems ? *unswizzled_elems : value;
        out += fmt::format("  →  {}{} = {}", axis == "m" ? "" : axis + ": ", parts.empty() ? "0" : fmt::format("{}", fmt::join(parts, " + ")), before_swizzle);
        if (axis == "m" && unswizzled_elems) out += fmt::format("; {}", swizzle_text);
    }
    if (byte) out += fmt::format("  →  byte {}", hex_address(*byte));
    for (const auto& replica : replicas) {
        std::vector<std::string> values;
        values.reserve(replica.size());
        for (const auto& [axis, value] : replica) values.push_back(fmt::format("{} {}", axis, value));
        out += fmt::format("; also at {}", fmt::join(values, ", "));
    }
    return out;
}

std::vector<RulerLevel> make_ruler(const TensorLayout& tensor, const PhysicalSpace& space, const std::vector<Level>& levels,
                                   std::int64_t linear) {
    std::vector<RulerLevel> ruler;
    const int bits = tensor.element_bits();
    if (!space.wrapped) {
        for (const auto* side : {&space.down, &space.right}) {
            for (const SpaceAxis& a : *side) {
                RulerLevel level;
                level.name = a.axis.name();
                level.size_text = fmt::format("{} values", a.extent);
                level.count = a.extent;
                level.index = linear / a.weight % a.extent;
                level.first = a.min;
                ruler.push_back(std::move(level));
            }
        }
        return ruler;
    }
    const bool whole_bytes = bits % 8 == 0;
    std::int64_t run = space.points; // what is divided at this step, and where it begins
    std::int64_t begin = 0;
    std::string name = "tensor";
    for (std::size_t i = levels.size() + 1; i-- > 0;) {
        const std::int64_t part = i == 0 ? 1 : levels[i - 1].run;
        if (part >= run) continue;
        RulerLevel level;
        level.name = name;
        level.size_text = bytes_text(run, bits);
        level.count = (run + part - 1) / part;
        level.index = (linear - begin) / part;
        level.part_is_byte = i != 0 && whole_bytes;
        const std::int64_t unit = level.part_is_byte ? bits / 8 : 1;
        level.first = (space.first_elem() + begin) * unit;
        level.step = part * unit;
        if (i != 0) level.part_name = levels[i - 1].word;
        begin += level.index * part;
        run = part;
        name = i == 0 ? std::string() : fmt::format("{} {}", levels[i - 1].word, level.index);
        ruler.push_back(std::move(level));
    }
    return ruler;
}

} // namespace ls::figure
