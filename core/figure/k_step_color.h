// The colour of a K step, the same in every picture of a call. Mint is left out: it stands for the result.
#pragma once

#include <array>

#include "core/scene/color.h"

namespace ls::figure {

inline constexpr std::uint32_t kResultCategory = 2;

constexpr std::uint32_t k_step_category(std::int64_t step) {
    constexpr std::array<std::uint32_t, 9> order{0, 1, 3, 4, 5, 6, 7, 8, 9};
    return order[static_cast<std::size_t>(step < 0 ? 0 : step) % order.size()];
}
constexpr scene::ColorKey k_step_color(std::int64_t step) { return scene::ColorKey::category(k_step_category(step)); }

} // namespace ls::figure
