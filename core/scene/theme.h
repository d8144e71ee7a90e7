// Light or dark: what every ColorKey looks like. Built from the design tokens; immutable once built.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/scene/color.h"
#include "core/support/result.h"

namespace ls::scene {

class Theme {
public:
    enum class Kind : std::uint8_t { Light, Dark };

    /// The theme of the built-in tokens; built on first use, then shared.
    static const Theme& builtin(Kind kind);
    /// Reads one theme from the text of a tokens file. Refuses with THEME_TOKENS, naming the missing or wrong token.
    static Result<Theme> from_tokens(std::string_view json, Kind kind);

    Kind kind() const { return kind_; }
    bool is_dark() const { return kind_ == Kind::Dark; }

    /// Every key resolves; Role::None is transparent, unknown families and roles are shown as ink.
    Rgba color(ColorKey key) const { return table_[slot(key)]; }
    Rgba color(Role role) const { return color(ColorKey::role(role)); }

    static constexpr std::uint32_t kCategories = 10;
    static constexpr std::uint32_t kRampSteps = 1024; ///< resolution of the sequential ramp
    static constexpr std::uint32_t kCyclicSteps = 8;

    /// Place of `key` in table(): no branch but the family.
    static constexpr std::uint32_t slot(ColorKey key) {
        const std::uint32_t low = key.bits & 0xFFU, value = key.value();
        const std::uint32_t dim = low >> 7U;
        switch (key.family()) {
        case ColorKey::Family::Role:
            return 2 * (value < kRoleCount ? value : static_cast<std::uint32_t>(Role::Ink)) + dim;
        case ColorKey::Family::Category: return kCategoryAt + (value % kCategories) * 10 + shade_slot(low) * 2 + dim;
        case ColorKey::Family::CategoryStrong:
            return kStrongAt + (value % kCategories) * 10 + shade_slot(low) * 2 + dim;
        case ColorKey::Family::Sequential: return kRampAt + (value >> 6U) * 2 + dim;
        case ColorKey::Family::Cyclic: return kCyclicAt + (value % kCyclicSteps) * 2 + dim;
        case ColorKey::Family::InkOnSequential: return kRampInkAt + (value >> 6U) * 2 + dim;
        case ColorKey::Family::InkOnCyclic: return kCyclicInkAt + (value % kCyclicSteps) * 2 + dim;
        }
        return 2 * static_cast<std::uint32_t>(Role::Ink);
    }
    const std::vector<Rgba>& table() const { return table_; }

private:
    Theme() = default;
    static constexpr std::uint32_t shade_slot(std::uint32_t low) {
        const std::uint32_t shade = low & 0x7FU;
        return shade == 0 ? 0 : ((shade - 1) & 3U) + 1;
    }

    static constexpr std::uint32_t kCategoryAt = 2 * kRoleCount;
    static constexpr std::uint32_t kStrongAt = kCategoryAt + kCategories * 10;
    static constexpr std::uint32_t kRampAt = kStrongAt + kCategories * 10;
    static constexpr std::uint32_t kCyclicAt = kRampAt + kRampSteps * 2;
    static constexpr std::uint32_t kRampInkAt = kCyclicAt + kCyclicSteps * 2;
    static constexpr std::uint32_t kCyclicInkAt = kRampInkAt + kRampSteps * 2;
    static constexpr std::uint32_t kSlots = kCyclicInkAt + kCyclicSteps * 2;

    Kind kind_ = Kind::Light;
    std::vector<Rgba> table_; ///< full, dimmed, full, dimmed ...
};

} // namespace ls::scene
