#include <fmt/format.h>

#include "core/notation/cute_text.h"

namespace ls::cute {

namespace {

std::string print_unknown(const Leaf& leaf) {
    std::string attributes;
    if (leaf.unknown_bits == 64) attributes = "i64";
    if (leaf.divisor != 1) attributes += fmt::format("{}div={}", attributes.empty() ? "" : " ", leaf.divisor);
    return attributes.empty() ? "?" : fmt::format("?{{{}}}", attributes);
}

std::string print_leaf(const Leaf& leaf, Style style) {
    std::string out = leaf.unknown ? print_unknown(leaf)
                                   : fmt::format("{}{}", leaf.is_static && style == Style::Cpp ? "_" : "", leaf.value);
    // The path is printed reversed: the last @ is the outermost coordinate.
    for (std::size_t i = leaf.basis.size(); i-- > 0;) out += fmt::format("@{}", leaf.basis[i]);
    return out;
}

std::string print_offset(const Offset& offset, Style style) {
    switch (offset.kind) {
    case Offset::Kind::Number: return print_leaf(offset.number, style);
    case Offset::Kind::Coordinate: return print(offset.coordinate, style);
    case Offset::Kind::SmemPointer: return fmt::format("smem_ptr[{}b](unset)", offset.element_bits);
    case Offset::Kind::SparseSmemPointer: break;
    }
    return fmt::format("smem_sparse<{}>_ptr[{}b](unset)", offset.sparsity, offset.element_bits);
}

} // namespace

std::string print(const Tree& tree, Style style) {
    if (tree.is_leaf) return print_leaf(tree.leaf, style);
    const std::string_view comma = style == Style::Pycute ? ", " : ",";
    std::string out;
    for (std::size_t i = 0; i < tree.items.size(); ++i) {
        if (i > 0) out += comma;
        out += print(tree.items[i], style);
    }
    if (style == Style::Pycute && tree.items.size() == 1) out += ",";
    return fmt::format("({})", out);
}

std::string print(const CuteLayout& layout, Style style) {
    return fmt::format("{}:{}", print(layout.shape, style), print(layout.stride, style));
}

std::string print(const Swizzle& swizzle, Style style) {
    if (style == Style::Pycute) return fmt::format("SW_{}_{}_{}", swizzle.bits, swizzle.base, swizzle.shift);
    return fmt::format("Sw<{},{},{}>", swizzle.bits, swizzle.base, swizzle.shift);
}

std::string print(const Composed& composed, Style style) {
    std::string out;
    for (const Stage& stage : composed.stages) {
        out += std::visit([&](const auto& outer) { return print(outer, style); }, stage.outer);
        out += fmt::format(" o {} o ", print_offset(stage.offset, style));
    }
    return out + print(composed.layout, style);
}

} // namespace ls::cute
