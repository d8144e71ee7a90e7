// Small damage to texts, the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace ls::fuzz {

/// SplitMix64: std::uniform_int_distribution differs between libraries, this does not.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    /// 0 ... below - 1; `below` > 0.
    std::size_t roll(std::size_t below) { return static_cast<std::size_t>(next() % below); }

private:
    std::uint64_t state_;
};

/// One to four changes: bytes flipped, pieces taken out, doubled, moved, or taken over from another seed, numbers made
/// extreme, brackets added.
std::string mutate(std::span<const std::string> seeds, Dice& dice);

} // namespace ls::fuzz
