#include "core/passes/tirx/tile_primitive_dispatch/tmem_address.h"

#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"

namespace ls::tirx::lower {

using namespace ir;

Expr allocated_address(const Var& buffer) {
    const auto* type = buffer_type(buffer);
    return type == nullptr ? nullptr : type->allocated_addr;
}

Expr tmem_address(const Expr& base, const Expr& lane, const Expr& column) {
    const Expr row = Lowering::simplified(lane), col = Lowering::simplified(column);
    if (!is_constant(row, 0)) return call("cuda.get_tmem_addr", {cast_to(base, DType::UInt32), row, col});
    return is_constant(col, 0) ? cast_to(base, DType::UInt32)
                               : add(cast_to(base, DType::UInt32), cast_to(col, DType::UInt32));
}

} // namespace ls::tirx::lower
