// Strides that follow from a shape and its order, and what makes a view canonical. spec/nz.md D.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/ir/stmt.h"
#include "core/support/result.h"

namespace ls::nz {

/// Packed strides in elements: row-major for ND, blocked NZ and MX; DN exchanges the last two axes. Constant products
/// are folded; one that does not fit in 64 bits stays a product. VIEW_DN_RANK for DN of rank 1.
Result<std::vector<ir::Expr>> packed_strides(std::span<const ir::Expr> shape, ir::TensorOrder order, Span span = {});

struct CanonicalCheck {
    bool strict = true;           ///< an empty stride list is not canonical
    bool relaxed_symbolic = true; ///< a relation that cannot be decided holds
};
/// VIEW_NOT_CANONICAL names the first stride that is not as it must be.
Status check_canonical_view(std::span<const ir::Expr> shape, std::span<const ir::Expr> stride, ir::TensorOrder order,
                            CanonicalCheck check = {}, Span span = {});

/// Checks the view of every tensor type of the module: NZ views are blocked (NZ_NOT_BLOCKED), all are canonical.
std::vector<Diagnostic> verify_tensor_views(const ir::ModuleNode& module, CanonicalCheck check = {});

/// NZ_NOT_BLOCKED when an NZ view's shape is still logical: a fault of the passes before, not of the program.
Status check_blocked(const ir::TensorTypeNode& tensor);

} // namespace ls::nz
