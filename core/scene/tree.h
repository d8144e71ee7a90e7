// Trees of boxes: proofs, with what was proven, what failed and what was never visited.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/scene/picture.h"

namespace ls::scene {

struct TreeNode {
    enum class Verdict : std::uint8_t { Neutral, Proven, Failed, Unvisited };
    std::string title;    ///< set in Mono: "nb * 256"
    std::string note;     ///< "one factor is enough"
    std::string describe; ///< for pointer and screen reader; title and note where empty
    Verdict verdict = Verdict::Neutral;
    std::int64_t id = 0;
    std::vector<TreeNode> children;
};

/// Roots from left to right. Subtrees are packed as close as their outlines allow; no two boxes overlap. What is deeper
/// than 64 levels or beyond 4096 boxes is gathered in a box that says how much there is.
Picture draw_tree(const std::vector<TreeNode>& roots, const TextMeasure& measure);

} // namespace ls::scene
