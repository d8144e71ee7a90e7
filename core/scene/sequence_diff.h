// Longest common subsequences (Myers 1986, linear space): the base of text diffs by lines and by words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ls::scene {

/// Equal stretches: a[a, a+length) matches b[b, b+length).
struct Match {
    std::size_t a = 0, b = 0, length = 0;
    bool operator==(const Match&) const = default;
};

/// The matches of a shortest edit script, ascending, neighbours merged. Shortest as long as the texts differ in fewer
/// than some thousand places; beyond that good but not always shortest, so that time stays bounded.
std::vector<Match> longest_matches(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

} // namespace ls::scene
