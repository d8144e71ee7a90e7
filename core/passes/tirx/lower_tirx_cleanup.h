// LowerTIRxCleanup, the second half of LowerTIRx: layouts are applied. spec/tirx.md 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// Every buffer becomes flat and loses its layout; every access gets the element offset that the layout gives. A
/// parameter with a layout keeps its shape, and a flat declaration over its data takes its place in the body.
/// Then buffer_offset(load) becomes the load's index. Refusals: TIRX_THREAD_AXIS_ACCESS, TIRX_NOT_ONE_OFFSET,
/// TIRX_VECTOR_INDEX, TIRX_ALIAS_ORDER, TIRX_DATA_UNKNOWN, TIRX_TILE_CALL_LEFT, LAYOUT_*.
PassResult lower_tirx_cleanup(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
