// When each buffer is needed, as the reuse of buffers asks it: one interval in program order for everything that shares
// a buffer. Coarser than analysis/tile_lifetimes, which shows when bytes really live; here it decides what may share.
// Private to the memory passes.
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/ir/stmt.h"

namespace ls::memory {

struct LifeSpan {
    int defined = 0;
    int last_use = 0;
    /// Touching is no overlap: a statement reads before it writes.
    bool overlaps(const LifeSpan& o) const { return !(last_use <= o.defined || o.last_use <= defined); }
};

/// Group and stage of a tile that a pipelined loop made several copies of.
using PipelineStages = std::vector<std::pair<int, int>>;

/// All tiles with one base: a buffer before reuse.
struct BufferLife {
    std::vector<ir::Var> members; ///< in order of definition; the first stands for all
    LifeSpan span;                ///< of all members together
    ir::TileSpace space = ir::TileSpace::Vec;
    std::int64_t bytes = 0;
    const ir::VarNode* base = nullptr;
    PipelineStages stages;
    bool loaded = false; ///< its pipelined member is a load

    const ir::Var& first() const { return members.front(); }
};

struct ReuseLifetimes {
    std::vector<BufferLife> buffers; ///< by first definition
    std::unordered_map<const ir::VarNode*, LifeSpan> spans;
    /// Values of one result of one If, which never exist together, have a number in common.
    std::unordered_map<const ir::VarNode*, std::set<int>> families;
};

ReuseLifetimes reuse_lifetimes(const ir::FunctionNode& function);

} // namespace ls::memory
