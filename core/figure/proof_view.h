// Proofs of offsets as they are shown. Plain values, for those who draw them and know no programs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/tree.h"

namespace ls::ir {
class CallNode;
}

namespace ls::figure {

/// One question asked of one coordinate, ready to be drawn.
struct ProofView {
    std::string question;     ///< "Multiple of 16"
    std::string verdict;      ///< "proven, 7 of 256 visits"
    std::string subject;      ///< "n0"
    std::string sentence;     ///< what the proof stumbled over; empty when it holds
    bool proven = false;
    std::int64_t divisor = 1; ///< of a multiple; 1 for a sign
    scene::TreeNode tree;     ///< ids are the visits' numbers; 0 was not visited
};

/// All proofs of one coordinate of one load, store or slice, in the order in which they were asked.
struct CoordinateProofs {
    std::string place; ///< "tile.load, offset on shape[-2]"
    std::string function;
    const ir::CallNode* call = nullptr;
    bool proven = false; ///< every one of them
    std::vector<ProofView> views;
};

/// The proof in words, a line a node, indented by depth: for the terminal and the clipboard.
std::string proof_text(const ProofView& view);

/// One line of the table of rules.
struct ProofRule {
    std::string_view form;     ///< "a * b"
    std::string_view multiple; ///< "either", "both", "never"
    std::string_view not_negative;
};
std::span<const ProofRule> proof_rules();

} // namespace ls::figure
