// TilePrimitiveDispatch, the first half of LowerTIRx: who runs what. spec/tirx.md 5 to 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// Binds the scope ids of each kernel to its launch, and replaces each tile call by the statements of the variant that
/// the dispatcher selects; what these need elsewhere (tensor maps before the launch, descriptors behind a buffer's
/// definition) is put there. Every new statement has its tile call as origin. Refusals: TIRX_DISPATCH with the
/// dispatcher's whole report, TIRX_SCOPE_IDS, TIRX_TILE_ARGUMENT, TIRX_TILE_CALL_LEFT (a tile call outside a kernel).
PassResult tile_primitive_dispatch(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
