// What one statement does to tiles. Private to the analysis of their lifetimes.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"

namespace ls {

struct TileEffects {
    std::vector<const ir::VarNode*> reads;
    std::vector<const ir::VarNode*> writes;  ///< wholly: what was there before is gone
    std::vector<const ir::VarNode*> changes; ///< in part: what was there before still counts
};

/// Of a statement itself, not of the bodies inside it. Declarations of buffers do nothing.
TileEffects tile_effects(const ir::StmtNode& stmt);

/// The operand whose bytes the statement's one result is: of a view, a result written over it, a copy of a name.
const ir::VarNode* same_bytes(const ir::AssignNode& assign);

/// Names that stand for numbers in a function: %c0_i64 = 0.
using Numbers = std::unordered_map<const ir::VarNode*, std::int64_t>;
Numbers numbers_of(const ir::FunctionNode& function);

/// Bytes of a tile's allocation: where they begin and how many they are.
struct TileBytes {
    std::optional<std::int64_t> begin;
    std::int64_t bytes = 0;
    const ir::Node* base = nullptr; ///< identity of the allocation, where there is one
};
/// `defined_by`: the expression that the variable was assigned; null for carried values, results and parameters.
TileBytes tile_bytes(const ir::VarNode& tile, const ir::ExprNode* defined_by, const Numbers& numbers);

} // namespace ls
