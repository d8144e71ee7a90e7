// A function as the steps that touch tiles, over numbered values. Private to the analysis of tile lifetimes.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/analysis/tile_effects.h"
#include "core/analysis/tile_lifetimes.h"

namespace ls {

using TileIndex = std::uint32_t;

/// A statement that counts, with what is inside it.
struct TileStep {
    const ir::StmtNode* stmt = nullptr;
    std::size_t position = 0, end = 0; ///< positions [position, end)
    std::vector<TileIndex> reads, writes, changes, results;
    std::vector<TileIndex> scratch; ///< needed while this statement runs, and neither before nor after
    std::vector<std::vector<TileStep>> bodies;

    bool is_loop() const { return stmt->kind == ir::NodeKind::For || stmt->kind == ir::NodeKind::While; }
};

struct TileValue {
    ir::Var var;
    TileBytes bytes;
    const ir::VarNode* same = nullptr; ///< whose bytes it has
    TileIndex stands_for = 0;          ///< the value whose accesses its own count as; itself in SSA programs
};

struct TileSteps {
    std::vector<TileValue> values;
    std::vector<TileStep> steps;
    std::vector<TilePosition> positions;
    std::vector<std::pair<TileIndex, TileIndex>> related; ///< carried values, results and what they stand for
    std::unordered_map<const ir::VarNode*, TileIndex> index;

    std::optional<TileIndex> find(const ir::VarNode* var) const {
        const auto found = index.find(var);
        return found == index.end() ? std::nullopt : std::optional(found->second);
    }
};

TileSteps tile_steps(const ir::FunctionNode& function);

/// In PTO text a name is an address: what is read through one may have been written through another. Names that nothing
/// is wholly written through stand for those whose bytes they read.
void resolve_addresses(TileSteps& steps);

} // namespace ls
