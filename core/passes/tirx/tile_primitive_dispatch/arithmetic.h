// Private to this folder: scalar arithmetic of mixed types, indices of a fused count, and syncs of a scope.
#pragma once

#include <span>

#include "core/passes/tirx/tile_primitive_dispatch/lowering.h"

namespace ls::tirx::lower {

/// a op b; of two types the narrower one is cast to the wider one.
ir::Expr arithmetic(ir::BinaryOp op, const ir::Expr& a, const ir::Expr& b);
ir::Expr number(double value, DType dtype); ///< a constant of that type
/// As an element of that type; constants are converted.
ir::Expr converted(const ir::Expr& value, DType dtype);
/// The place of element `flat` of a box, row-major.
std::vector<ir::Expr> place_of(const ir::Expr& flat, std::span<const ir::Expr> begin, std::span<const ir::Expr> extent);
/// T.cuda.cta_sync() and the like; nothing for one thread.
void scope_sync(std::vector<ir::Stmt>& into, ScopeKind scope);

} // namespace ls::tirx::lower
