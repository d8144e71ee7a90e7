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
    None,
    Window,
    Panel,
    Raised,
    Sunken,
    Canvas,
    Line,
    Line2,
    Field,
    Text,
    Text2,
    Text3,
    Ink,
    Accent,
    AccentTint,
    OnAccent,
    Hover,
    HoverEdge,
    Selected,
    Pinned,
    Finding,
    FindingTint,
    Warning,
    WarningTint,
    Fine,
    FineTint,
    Unused,
    DiffAdd,
    DiffAddWord,
    DiffDel,
    DiffDelWord,
    Plate,
    OnPlate,
    SyntaxKeyword,
    SyntaxType,
    SyntaxNumber,
    SyntaxString,
    SyntaxComment,
    SyntaxCall,
    OnHover, ///< text on the hover yellow, dark in both themes
    OnPin,   ///< the number in a pin's badge
    Grid,    ///< quiet ruling of figures that have no layout levels
    Shadow,  ///< under popups alone
};
inline constexpr std::uint32_t kRoleCount = static_cast<std::uint32_t>(Role::Shadow) + 1;

/// What a cell or a mark means, packed in 32 bits so that millions fit in a flat array:
///
///     31      24 23              8  7  6       0
///     | family |       value      |dim|  shade |
///
/// Category, CategoryStrong: value = index (colours repeat every 10); shade 0 = full strength, n = rank n-1 mixed
/// towards the canvas (ranks repeat every 4). Strong is the same hue for thin lines and for text.
/// Sequential: value = 0..65535 along the ramp.  Cyclic: value = step (8 a turn).
/// InkOnSequential, InkOnCyclic: black or white, whichever reads better on the colour of that value.
/// dim: out of focus, mixed once more towards the canvas.
struct ColorKey {
    enum class Family : std::uint8_t {
        Role,
        Category,
        Sequential,
        Cyclic,
        CategoryStrong,
        InkOnSequential,
        InkOnCyclic
    };
    std::uint32_t bits = 0;

    static constexpr ColorKey pack(Family f, std::uint32_t value, std::uint32_t shade) {
        return {(static_cast<std::uint32_t>(f) << 24U) | ((value & 0xFFFFU) << 8U) | (shade & 0x7FU)};
    }
    static constexpr ColorKey role(Role r) { return pack(Family::Role, static_cast<std::uint32_t>(r), 0); }
    /// The category at full strength.
    static constexpr ColorKey category(std::uint32_t index) { return pack(Family::Category, index, 0); }
    /// The category's shade for `rank` (0 strongest; "fractal in block").
    static constexpr ColorKey category(std::uint32_t index, std::uint32_t rank) {
        return pack(Family::Category, index, (rank & 3U) + 1);
    }
    static constexpr ColorKey category_strong(std::uint32_t index) { return pack(Family::CategoryStrong, index, 0); }
    static constexpr ColorKey sequential(double t) {
        // Never negative, so adding a half and cutting rounds right; lround is no constant expression.
        // NOLINTNEXTLINE(bugprone-incorrect-roundings)
        return pack(Family::Sequential, static_cast<std::uint32_t>((t < 0 ? 0 : t > 1 ? 1 : t) * 65535.0 + 0.5), 0);
    }
    static constexpr ColorKey cyclic(std::uint32_t step) { return pack(Family::Cyclic, step & 0xFFFFU, 0); }
    /// What to write with on a cell of colour `fill`.
    static constexpr ColorKey ink_on(ColorKey fill) {
        switch (fill.family()) {
        case Family::Sequential: return {pack(Family::InkOnSequential, fill.value(), 0).bits | (fill.bits & kDim)};
        case Family::Cyclic: return {pack(Family::InkOnCyclic, fill.value(), 0).bits | (fill.bits & kDim)};
        default: break;
        }
        return role(fill == role(Role::Hover) ? Role::OnHover : Role::Ink);
    }

    constexpr Family family() const { return static_cast<Family>(bits >> 24U); }
    constexpr std::uint32_t value() const { return (bits >> 8U) & 0xFFFFU; }
    constexpr std::uint32_t shade() const { return bits & 0x7FU; }
    constexpr bool is_dimmed() const { return (bits & kDim) != 0; }
    constexpr ColorKey dimmed() const { return {bits | kDim}; }
    constexpr bool operator==(const ColorKey&) const = default;

    static constexpr std::uint32_t kDim = 0x80U;
};

} // namespace ls::scene
