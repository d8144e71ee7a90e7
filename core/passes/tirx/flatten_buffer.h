// FlattenBuffer: what has several dimensions or an offset becomes a plain row of elements. spec/tirx.md 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// Each buffer gets, where it is defined, a row of elements over the same data (no layout, elem_offset 0); each access
/// becomes row[linear(indices) + elem_offset]. Parameters stay as declared and a declaration over their data is put
/// before the body for each that is used. Refusals: TIRX_USE_BEFORE_DEFINITION, TIRX_MATCH_BUFFER_LEFT and those of
/// LowerTIRxCleanup for accesses through a layout.
PassResult flatten_buffer(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
