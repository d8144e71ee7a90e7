#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace ls::fuzz {

namespace {

constexpr std::size_t kLongest = 1 << 14;

constexpr std::array<std::string_view, 28> kWords{
    "(", ")", "[", "]", "{", "}", ",", ":", "|", "@", "+ ", "-", "=", "\"", "'", "\n", "    ", "\t", "0", "-1", "1", "9223372036854775807",
    "9223372036854775808", "0x", "1e9", "\xff", "\xe2\x86", "S[("};

/// A piece of `text`, mostly a short one.
std::pair<std::size_t, std::size_t> piece(const std::string& text, Dice& dice) {
    const std::size_t from = dice.roll(text.size() + 1);
    const std::size_t length = dice.roll(dice.roll(4) == 0 ? text.size() + 1 : 8);
    return {from, std::min(length, text.size() - from)};
}

void make_number_extreme(std::string& text, Dice& dice) {
    const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto start = text.begin() + static_cast<std::ptrdiff_t>(dice.roll(text.size()));
    const auto from = std::find_if(start, text.end(), digit);
    const auto to = std::find_if_not(from, text.end(), digit);
    static constexpr std::array<std::string_view, 6> kNumbers{"0", "1", "4294967296", "9223372036854775807", "3", "00000000000000000000000007"};
    text.replace(from, to, kNumbers[dice.roll(kNumbers.size())]);
}

void change(std::string& text, std::span<const std::string> seeds, Dice& dice) {
    if (text.empty()) text = "?";
    switch (dice.roll(8)) {
    case 0: text[dice.roll(text.size())] = static_cast<char>(dice.next()); break;
    case 1: text[dice.roll(text.size())] ^= static_cast<char>(1U << dice.roll(8)); break;
    case 2: {
        const auto [from, length] = piece(text, dice);
        text.erase(from, length);
        break;
    }
    case 3: {
        const auto [from, length] = piece(text, dice);
        text.insert(dice.roll(text.size() + 1), text.substr(from, length));
        break;
    }
    case 4: {
        const std::string& other = seeds[dice.roll(seeds.size())];
        const auto [from, length] = piece(other, dice);
        text.insert(dice.roll(text.size() + 1), other, from, length);
        break;
    }
    case 5: text.insert(dice.roll(text.size() + 1), kWords[dice.roll(kWords.size())]); break;
    case 6: make_number_extreme(text, dice); break;
    default: text.insert(dice.roll(text.size() + 1), std::string(1 + dice.roll(40), "([{-!"[dice.roll(5)])); break;
    }
}

} // namespace

std::uint64_t Dice::next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

std::string mutate(std::span<const std::string> seeds, Dice& dice) {
    std::string text = seeds[dice.roll(seeds.size())];
    for (std::size_t changes = 1 + dice.roll(4); changes > 0; --changes) change(text, seeds, dice);
    if (text.size() > kLongest) text.resize(kLongest);
    return text;
}

} // namespace ls::fuzz
