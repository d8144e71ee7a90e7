// Layouts as short text, for messages. Reading it back is the notation room's work.
#include <fmt/format.h>

#include "core/layout/layout.h"
#include "core/layout/symbol.h"

namespace ls {

namespace {

/// "4@laneid"; the axis m is not written. Sums are parenthesised in front of an @.
std::string on_axis(const Dim& amount, Axis axis) {
    if (axis == axes::m) return to_string(amount);
    const bool simple = amount.is_constant() || amount.node()->kind == SymbolKind::Variable;
    return fmt::format(fmt::runtime(simple ? "{}@{}" : "({})@{}"), to_string(amount), axis.name());
}

std::string iters(const std::vector<Iter>& list) {
    if (list.size() == 1) {
        return fmt::format("{}:{}", to_string(list.front().extent), on_axis(list.front().stride, list.front().axis));
    }
    std::string extents;
    std::string strides;
    for (const Iter& iter : list) {
        const char* separator = extents.empty() ? "" : ", ";
        extents.append(separator).append(to_string(iter.extent));
        strides.append(separator).append(on_axis(iter.stride, iter.axis));
    }
    return fmt::format("({}):({})", extents, strides);
}

std::string tile_text(const TileLayout& tile) {
    std::string text = fmt::format("S[{}]", tile.shard.empty() ? "" : iters(tile.shard));
    if (!tile.replica.empty()) text += fmt::format(" + R[{}]", iters(tile.replica));
    for (const auto& [axis, amount] : tile.offset) text.append(" + ").append(on_axis(amount, axis));
    return text;
}

} // namespace

std::string to_string(const Layout& layout) {
    const ComposeLayout* c = layout.compose();
    if (c == nullptr) return tile_text(layout.tile());
    return fmt::format("ComposeLayout({}, {}, {}, {}{})", c->per_element, c->swizzle_len, c->atom_len,
                       tile_text(c->tile), c->swizzle_inner ? "" : ", False");
}

std::string to_string(std::span<const Dim> shape) {
    std::string text;
    for (const Dim& extent : shape) text.append(text.empty() ? "" : ", ").append(to_string(extent));
    return fmt::format("({})", text);
}

} // namespace ls
