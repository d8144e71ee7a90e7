// One field of a descriptor word, told so that a reader can check it against the hardware manual.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ls::tensor_core {

/// bits [low_bit, low_bit + bits) of the word.
struct DescriptorField {
    std::string name;
    int low_bit = 0;
    int bits = 0;
    std::uint64_t value = 0;
    std::string shown;   ///< the value as a reader means it: "1024 bytes", "128B swizzle"
    std::string unit;    ///< of `value`: "16 bytes", "8 columns"; empty for enumerations and flags
    std::string meaning; ///< what it says to the hardware
    bool read = true;    ///< whether the hardware looks at it in this mode
    std::string why;     ///< why it is not read, or what is wrong with the value; else empty
};

/// bits [low, low + count) of a word.
constexpr std::uint64_t take_bits(std::uint64_t word, int low, int count) {
    return (word >> low) & ((std::uint64_t{1} << count) - 1);
}

} // namespace ls::tensor_core
