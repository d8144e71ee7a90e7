#include "core/passes/tirx/tile_primitive_dispatch/lowering.h"
namespace ls::tirx::lower {
namespace { Statements not_yet() { return error("TIRX_NOT_EMITTED", "later"); } }
Statements emit(const Tcgen05CpPlan&, const Lowering&) { return not_yet(); }
Statements emit(const DsmemPlan&, const Lowering&) { return not_yet(); }
Statements emit(const LdgstsPlan&, const Lowering&) { return not_yet(); }
Statements emit(const CopyPartition&, const Lowering&) { return not_yet(); }
Statements emit(const VectorCopyPlan&, const Lowering&) { return not_yet(); }
Statements emit(const ScalarCopyPlan&, const Lowering&) { return not_yet(); }
Statements emit(const PermuteLayoutPlan&, const Lowering&) { return not_yet(); }
} // namespace ls::tirx::lower
