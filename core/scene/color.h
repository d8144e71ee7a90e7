// Colours by meaning. Scenes never hold RGB: a key says what is meant, the Theme says how that looks.
#pragma once

#include <cstdint>

namespace ls::scene {

struct Rgba {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    bool operator==(const Rgba&) const = default;
};

/// One colour per meaning (design tokens of the same names).
enum class Role : std::uint8_t {
    None, Window, Panel, Raised, Sunken, Canvas, Line, Line2, Field, Text, Text2, Text3, Ink, Accent, AccentTint,
    OnAccent, Hover, HoverEdge, Selected, Pinned, Finding, FindingTint, Warning, WarningTint, Fine, FineTint, Unused,
    DiffAdd, DiffAddWord, DiffDel, DiffDelWord, Plate, OnPlate, SyntaxKeyword, SyntaxType, SyntaxNumber, SyntaxString,
    SyntaxComment, SyntaxCall,
};

/// What a cell or a mark means, packed in 32 bits so that millions fit in a flat array:
///
///     31      24 23              8 7       0
///     | family |       value      |  rank  |
///
/// Category: value = index (colours repeat every 10), rank = shade step (0..3) inside it.
/// Sequential: value = 0..65535 along the ramp.  Cyclic: value = step (8 a turn).
struct ColorKey {
    enum class Family : std::uint8_t { Role, Category, Sequential, Cyclic };
    std::uint32_t bits = 0;

    static constexpr ColorKey pack(Family f, std::uint32_t value, std::uint32_t rank) {
        return {(static_cast<std::uint32_t>(f) << 24U) | ((value & 0xFFFFU) << 8U) | (rank & 0xFFU)};
    }
    static constexpr ColorKey role(Role r) { return pack(Family::Role, static_cast<std::uint32_t>(r), 0); }
    static constexpr ColorKey category(std::uint32_t index, std::uint32_t rank = 0) { return pack(Family::Category, index, rank); }
    static constexpr ColorKey sequential(double t) {
        return pack(Family::Sequential, static_cast<std::uint32_t>((t < 0 ? 0 : t > 1 ? 1 : t) * 65535.0 + 0.5), 0);
    }
    static constexpr ColorKey cyclic(std::uint32_t step) { return pack(Family::Cyclic, step & 0xFFFFU, 0); }

    constexpr Family family() const { return static_cast<Family>(bits >> 24U); }
    constexpr std::uint32_t value() const { return (bits >> 8U) & 0xFFFFU; }
    constexpr std::uint32_t rank() const { return bits & 0xFFU; }
    constexpr bool operator==(const ColorKey&) const = default;
};

} // namespace ls::scene
