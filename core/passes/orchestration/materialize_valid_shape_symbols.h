// Pass 55, MaterializeValidShapeSymbols: how much of a tensor is valid reaches kernels as a parameter.
#pragma once

#include "core/passes/pass.h"

namespace ls::orchestration {

/// A symbol in the valid_shape of a kernel's parameter that no tensor's shape says becomes a leading Scalar[INDEX]
/// parameter; every call hands over what stands in that place of its own operand's valid_shape. VALID_SYMBOL: the symbol
/// stands only inside an expression, or two operands of a call disagree about it.
PassResult materialize_valid_shape_symbols(const ir::Module& module, const PassContext& context);

} // namespace ls::orchestration
