// Printers of TIRx layout text: the short form and the reference's own.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/notation/tirx_text.h"

namespace ls::notation {

namespace {

/// What differs between the two forms.
struct Style {
    std::string_view dialect; ///< "T." or nothing
    std::string_view at;      ///< between amount and axis
    std::string_view axis;    ///< in front of an axis name
    bool wrap;                ///< TileLayout(...) around a tile
};
constexpr Style kShort{"", "@", "", false};
constexpr Style kReference{"T.", " @ ", "Axis.", true};

/// A symbolic sum must not fall apart in front of '@' or inside a sum of other terms.
bool is_additive(const Dim& amount) {
    if (amount.is_constant()) return false;
    int depth = 0;
    const std::string text = to_string(amount);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')') --depth;
        if (depth == 0 && i > 0 && text[i - 1] == ' ' && (text[i] == '+' || text[i] == '-')) return true;
    }
    return false;
}

std::string amount_text(const Dim& amount, Axis axis, const Style& style) {
    if (axis == axes::m) return to_string(amount);
    const std::string number = is_additive(amount) ? fmt::format("({})", to_string(amount)) : to_string(amount);
    return fmt::format("{}{}{}{}", number, style.at, style.axis, axis.name());
}

std::string iters_text(std::string_view which, const std::vector<Iter>& iters, const Style& style) {
    if (iters.size() == 1) {
        return fmt::format("{}{}[{}:{}]", style.dialect, which, to_string(iters[0].extent),
                           amount_text(iters[0].stride, iters[0].axis, style));
    }
    std::string extents, strides;
    for (const Iter& iter : iters) {
        const std::string_view comma = extents.empty() ? "" : ", ";
        extents += fmt::format("{}{}", comma, to_string(iter.extent));
        strides += fmt::format("{}{}", comma, amount_text(iter.stride, iter.axis, style));
    }
    return fmt::format("{}{}[({}):({})]", style.dialect, which, extents, strides);
}

/// Offsets by axis name, as the reference prints them.
std::vector<std::pair<Axis, Dim>> sorted_offsets(const TileLayout& tile) {
    std::vector<std::pair<Axis, Dim>> offsets(tile.offset.begin(), tile.offset.end());
    std::sort(offsets.begin(), offsets.end(),
              [](const auto& a, const auto& b) { return a.first.name() < b.first.name(); });
    return offsets;
}

/// Offsets alone: `1@laneid` in the short form; the reference has no term that could stand without S or R.
std::string offsets_only(const TileLayout& tile, const Style& style) {
    std::string out;
    const auto offsets = sorted_offsets(tile);
    if (!style.wrap && !offsets.empty()) {
        for (const auto& [axis, amount] : offsets) {
            out += fmt::format("{}{}", out.empty() ? "" : " + ", amount_text(amount, axis, style));
        }
        return out;
    }
    for (const auto& [axis, amount] : offsets) {
        out += fmt::format("{}{}{}: {}", out.empty() ? "" : ", ", style.axis, axis.name(), to_string(amount));
    }
    return fmt::format("{}TileLayout.from_iters({})", style.dialect,
                       out.empty() ? std::string() : fmt::format("offset={{{}}}", out));
}

std::string tile_text(const TileLayout& tile, const Style& style) {
    if (tile.shard.empty() && tile.replica.empty()) return offsets_only(tile, style);
    std::string out;
    if (!tile.shard.empty()) out = iters_text("S", tile.shard, style);
    if (!tile.replica.empty()) {
        out += fmt::format("{}{}", out.empty() ? "" : " + ", iters_text("R", tile.replica, style));
    }
    const auto offsets = sorted_offsets(tile);
    std::string sum;
    for (const auto& [axis, amount] : offsets) {
        sum += fmt::format("{}{}", sum.empty() ? "" : " + ", amount_text(amount, axis, style));
    }
    const bool several = offsets.size() > 1 || (offsets.size() == 1 && is_additive(offsets.front().second) &&
                                                offsets.front().first == axes::m);
    if (!sum.empty()) out += several && style.wrap ? fmt::format(" + ({})", sum) : fmt::format(" + {}", sum);
    return style.wrap ? fmt::format("{}TileLayout({})", style.dialect, out) : out;
}

std::string text(const Layout& layout, const Style& style) {
    const ComposeLayout* compose = layout.compose();
    if (compose == nullptr) return tile_text(layout.tile(), style);
    return fmt::format("{}ComposeLayout({}, {}, {}, {}{})", style.dialect, compose->per_element, compose->swizzle_len,
                       compose->atom_len, tile_text(compose->tile, style),
                       compose->swizzle_inner ? "" : ", swizzle_inner=False");
}

} // namespace

std::string print_tirx(const Layout& layout) { return text(layout, kShort); }
std::string print_tirx_repr(const Layout& layout) { return text(layout, kReference); }

} // namespace ls::notation
