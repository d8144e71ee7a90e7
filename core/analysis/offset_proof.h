// Is an offset a multiple of d, and never negative? Proofs over the definitions of one function, spec/nz.md C.5.
//
// A proof only reads; the offset itself is never rearranged. That matters: IR arithmetic wraps at its declared width,
// so with x: i32 = 1 << 24, (x * 256) / 16 is 0 while x * 16 is 268435456. Divisibility by a power of two survives
// wrapping (d divides 2^W), which is why d must be one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ir/stmt.h"

namespace ls {

/// How the scalar variables of a function are bound. Collected once, before anything is rewritten; holds pointers into
/// the function, so it must not outlive it.
class OffsetFacts {
public:
    OffsetFacts() = default;
    explicit OffsetFacts(const ir::FunctionNode& function);

    struct LoopRange {
        const ir::ExprNode* start = nullptr;
        const ir::ExprNode* step = nullptr;
    };
    /// What the variable was assigned; null when it was not, or more than once.
    const ir::ExprNode* definition(const ir::VarNode& var) const;
    /// Start and step of the loop whose variable it is; null otherwise.
    const LoopRange* loop(const ir::VarNode& var) const;
    /// True for the number of the block and the number of blocks.
    bool never_negative(const ir::VarNode& var) const { return never_negative_.count(&var) != 0; }

private:
    void bind(const ir::VarNode& target, const ir::ExprNode* value);

    std::unordered_map<const ir::VarNode*, const ir::ExprNode*> definitions_;
    std::unordered_map<const ir::VarNode*, LoopRange> loops_;
    std::unordered_set<const ir::VarNode*> never_negative_;
};

/// Visits that one proof may make. Definitions can be shared (x = y + y), so without it a walk could take 2^n steps.
inline constexpr int kProofBudget = 256;

enum class Verdict : std::uint8_t { Proven, Failed, NotVisited };

/// One visited node. Children are what its rule asked, in order; after the first that settled it, NotVisited.
struct ProofNode {
    const ir::ExprNode* expr = nullptr;
    Verdict verdict = Verdict::NotVisited;
    int visit = 0;    ///< 1-based number of the visit; 0 when not visited
    std::string rule; ///< "a·b: a factor is a multiple", "constant 24, 24 mod 16 = 8"
    std::string role; ///< what it is to its parent: "left", "definition", "start", "step"
    std::vector<ProofNode> children;
};

struct Proof {
    enum class Question : std::uint8_t { Multiple, NonNegative };
    Question question = Question::Multiple;
    std::int64_t divisor = 1; ///< of a Multiple
    bool proven = false;
    int visits = 0; ///< at most kProofBudget
    bool out_of_budget = false;
    ProofNode root;
    ir::Expr subject; ///< keeps what the tree points at alive
};

/// Whether every value of `expr` is a multiple of `divisor`, a power of two.
Proof prove_multiple(const ir::Expr& expr, std::int64_t divisor, const OffsetFacts& facts, int budget = kProofBudget);
/// Whether no value of `expr` is negative.
Proof prove_non_negative(const ir::Expr& expr, const OffsetFacts& facts, int budget = kProofBudget);

/// The deepest failed node with no failed child: what the proof stumbled over. Null when it holds.
const ProofNode* first_obstacle(const Proof& proof);

} // namespace ls
