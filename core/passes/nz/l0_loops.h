// Loops that a user wrote and that the tiling of products changes as a whole: reductions over K whose accumulator is
// too large for L0C, and pipelines that gain a second accumulator.
#pragma once

#include <unordered_set>

#include "core/passes/nz/l0_product.h"

namespace ls::nz {

/// A reduction of the form
///
///     init = tile.create([M, N], ...)
///     for kb, (acc,) in pl.pipeline(..., init_values=(init,)):
///         lhs = tile.load(A, ...); rhs = tile.load(B, ...)
///         if first: next = tile.matmul(lhs, rhs)
///         else:     next = tile.matmul_acc(acc, lhs, rhs)
///         yield next
///     out = tile.store(result, [r, c], out)
///
/// whose [M, N] does not fit L0C is repeated for each output tile: every tile is reduced over the whole K and stored
/// before the next begins. The function itself when it has none.
ir::Function tile_split_k_reductions(const ir::Function& function, L0Analyser& analyser);

/// Pipelines that compute one product an iteration, from a panel that stays and one that is extracted, and drain it at
/// once: those for which a second accumulator pays and, all together, fits L0C.
std::unordered_set<const ir::StmtNode*> pipelines_for_two_accumulators(const ir::FunctionNode& function,
                                                                       const Hardware& hardware);

} // namespace ls::nz
