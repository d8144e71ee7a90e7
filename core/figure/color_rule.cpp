#include "core/figure/color_rule.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::figure {

using scene::ColorKey;

namespace {

constexpr std::array kColorNames{"block", "offset", "bank", "16 B chunk", "thread", "register", "coordinate"};

/// Division by a divisor that stays the same for a whole picture: nearly always a power of two.
class Divisor {
public:
    explicit Divisor(std::int64_t by) : by_(by), shift_(is_power_of_two(by) ? std::countr_zero(static_cast<std::uint64_t>(by)) : -1) {}
    std::int64_t quotient(std::int64_t value) const { return shift_ >= 0 ? value >> shift_ : value / by_; }

private:
    std::int64_t by_;
    int shift_;
};

template <class F>
void for_each(std::span<const std::int64_t> linear, ColorKey* keys, F key_of) {
    for (std::size_t i = 0; i < linear.size(); ++i) keys[i] = key_of(linear[i]);
}

} // namespace

std::string_view name(ColorBy by) { return kColorNames.at(static_cast<std::size_t>(by)); }

ColorRule::ColorRule(ColorBy by, const PhysicalSpace& space, const std::vector<Level>& levels, int element_bits)
    : by_(by), points_(space.points), row_length_(space.row_length), first_elem_(space.first_elem()), element_bits_(element_bits) {
    if (!levels.empty()) {
        outer_run_ = levels.back().run;
        outer_word_ = levels.back().word;
    }
    // Shades tell parts of an address range apart; rows of threads or lanes are told apart by their place.
    if (levels.size() > 1 && space.wrapped) {
        inner_run_ = levels[levels.size() - 2].run;
        inner_word_ = levels[levels.size() - 2].word;
    }
    if (!space.down.empty()) down_name_ = space.down.back().axis.name();
}

void ColorRule::keys(std::span<const std::int64_t> linear, ColorKey* keys) const {
    switch (by_) {
    case ColorBy::Block: {
        if (outer_run_ == 0) return for_each(linear, keys, [](std::int64_t) { return ColorKey::category(0); });
        const Divisor outer(outer_run_);
        if (inner_run_ == 0) {
            return for_each(linear, keys, [=](std::int64_t at) { return ColorKey::category(static_cast<std::uint32_t>(outer.quotient(at))); });
        }
        const Divisor inner(inner_run_);
        const std::int64_t outer_run = outer_run_;
        return for_each(linear, keys, [=](std::int64_t at) {
            const std::int64_t block = outer.quotient(at);
            const std::int64_t inside = inner.quotient(at - block * outer_run);
            return ColorKey::category(static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(inside));
        });
    }
    case ColorBy::Offset: {
        const double scale = points_ > 1 ? 1.0 / static_cast<double>(points_ - 1) : 0.0;
        return for_each(linear, keys, [=](std::int64_t at) { return ColorKey::sequential(static_cast<double>(at) * scale); });
    }
    case ColorBy::Bank:
    case ColorBy::Chunk: {
        // Four neighbouring banks of 4 bytes are one 16-byte chunk: they share a colour, the number tells them apart.
        const std::int64_t first = first_elem_;
        const std::int64_t bits = element_bits_;
        return for_each(linear, keys, [=](std::int64_t at) {
            return ColorKey::cyclic(static_cast<std::uint32_t>(((at + first) * bits >> 7) & 7));
        });
    }
    case ColorBy::Thread: {
        const Divisor row(row_length_);
        return for_each(linear, keys, [=](std::int64_t at) {
            return ColorKey::cyclic(static_cast<std::uint32_t>(row.quotient(at) & 0x7FFF));
        });
    }
    case ColorBy::Register: {
        const Divisor row(row_length_);
        const std::int64_t length = row_length_;
        const double scale = length > 1 ? 1.0 / static_cast<double>(length - 1) : 0.0;
        return for_each(linear, keys, [=](std::int64_t at) {
            return ColorKey::sequential(static_cast<double>(at - row.quotient(at) * length) * scale);
        });
    }
    case ColorBy::Coordinate: return for_each(linear, keys, [](std::int64_t) { return ColorKey::category(0); });
    }
}

ColorKey ColorRule::coordinate_key(std::int64_t position, std::int64_t count) {
    return ColorKey::sequential(count > 1 ? static_cast<double>(position) / static_cast<double>(count - 1) : 0.0);
}

std::vector<scene::LegendEntry> ColorRule::legend() const {
    std::vector<scene::LegendEntry> entries;
    const auto ramp = [&](std::string text) {
        scene::LegendEntry e;
        for (int i = 0; i < 9; ++i) e.swatches.push_back(ColorKey::sequential(i / 8.0));
        e.text = std::move(text);
        entries.push_back(std::move(e));
    };
    const auto cycle = [&](std::string text) {
        scene::LegendEntry e;
        for (std::uint32_t i = 0; i < 8; ++i) e.swatches.push_back(ColorKey::cyclic(i));
        e.text = std::move(text);
        entries.push_back(std::move(e));
    };
    switch (by_) {
    case ColorBy::Block: {
        if (outer_run_ == 0) {
            entries.push_back({{ColorKey::category(0)}, "all elements"});
            break;
        }
        const std::int64_t blocks = (points_ + outer_run_ - 1) / outer_run_;
        const auto shades = static_cast<std::uint32_t>(
            inner_run_ == 0 ? 1 : std::min<std::int64_t>(4, (outer_run_ + inner_run_ - 1) / inner_run_));
        constexpr std::int64_t kShown = 6;
        for (std::int64_t b = 0; b < std::min(blocks, kShown); ++b) {
            scene::LegendEntry e;
            const auto index = static_cast<std::uint32_t>(b);
            for (std::uint32_t s = 0; s < shades; ++s) e.swatches.push_back(shades == 1 ? ColorKey::category(index) : ColorKey::category(index, s));
            e.text = fmt::format("{} {}", outer_word_, b);
            entries.push_back(std::move(e));
        }
        if (blocks > kShown) entries.push_back({{}, fmt::format("… {} {}s; colours repeat every 10", blocks, outer_word_)});
        if (shades > 1) entries.push_back({{}, fmt::format("Shade\t{} in {}, 0 darkest; repeats every 4", inner_word_, outer_word_)});
        break;
    }
    case ColorBy::Offset: ramp(fmt::format("0 to {} elements", points_ - 1)); break;
    case ColorBy::Bank: cycle("banks 0–3, 4–7, … 28–31 (4 B each)"); break;
    case ColorBy::Chunk: cycle("16 B chunk 0 to 7 of a 128 B line"); break;
    case ColorBy::Thread: cycle(fmt::format("{}, repeats every 8", down_name_)); break;
    case ColorBy::Register: ramp(fmt::format("slot 0 to {} of one {}", row_length_ - 1, down_name_)); break;
    case ColorBy::Coordinate: ramp("first to last element in reading order"); break;
    }
    return entries;
}

std::vector<ColorBy> color_choices(const TensorLayout& tensor, const PhysicalSpace& space, const std::vector<Level>& levels) {
    std::vector<ColorBy> choices;
    const bool swizzled = tensor.layout.compose() != nullptr && tensor.layout.compose()->swizzle_len > 0;
    const bool threads = std::any_of(space.down.begin(), space.down.end(), [](const SpaceAxis& a) { return a.axis.is_thread(); });
    if (threads) choices.push_back(ColorBy::Thread);
    if (swizzled || tensor.space == MemorySpace::Smem) choices.push_back(ColorBy::Chunk);
    if (!levels.empty()) choices.push_back(ColorBy::Block);
    choices.push_back(ColorBy::Offset);
    if (space.wrapped) {
        if (choices.front() != ColorBy::Chunk) choices.push_back(ColorBy::Chunk);
        choices.push_back(ColorBy::Bank);
    }
    if (!space.down.empty()) choices.push_back(ColorBy::Register);
    choices.push_back(ColorBy::Coordinate);
    return choices;
}

} // namespace ls::figure
