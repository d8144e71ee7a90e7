// Which buffers become one: largest first, each into the first that it may share. Private to the memory passes.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "core/machine/hardware.h"
#include "core/passes/memory/reuse_lifetimes.h"
#include "core/support/diagnostic.h"

namespace ls::memory {

/// What forbids sharing besides lifetimes.
struct SharingRules {
    /// By base of a result: bases of operands that are still read while the result is written.
    std::unordered_map<const ir::VarNode*, std::set<const ir::VarNode*>> keep_apart;
    /// Declared by the user: shared with nobody.
    std::set<const ir::VarNode*> pinned;
    /// Divided vector kernels of A2/A3: a result that reads a popped tile must not be written over a loaded one.
    std::set<const ir::VarNode*> reads_popped, from_load;
    /// Where tiles may begin in each memory.
    std::map<ir::TileSpace, std::int64_t> reserved_end_bytes;
};

SharingRules sharing_rules(const ir::FunctionNode& function, const Hardware& hardware);

/// Groups of indices into `lifetimes.buffers`; the first of a group is its largest, whose allocation the others take.
/// Copies that a pipeline made stay apart as far as the memory holds them: where it does not, MEM_PIPELINE_DEPTH (a
/// warning) says what depth is left.
std::vector<std::vector<std::size_t>> pack_buffers(const ReuseLifetimes& lifetimes, const SharingRules& rules,
                                                   const Hardware& hardware, Span function_span,
                                                   std::vector<Diagnostic>& findings);

} // namespace ls::memory
