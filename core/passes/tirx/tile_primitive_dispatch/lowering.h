// Private to this folder: what is known while the tile calls of a kernel are lowered, and what lowering them adds
// around the place of the call (spec/tirx.md 5.3).
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/ops.h"
#include "core/passes/tirx/dispatch/dispatch.h"
#include "core/passes/tirx/index_simplify.h"
#include "core/passes/tirx/tile_primitive_dispatch/launch.h"
#include "core/passes/tirx/tile_primitive_dispatch/symbols.h"

namespace ls::tirx::lower {

/// Of one kernel, across its tile calls.
struct Kernel {
    Launch launch;
    Symbols symbols;
    std::vector<std::vector<ir::Stmt>> device_init; ///< before the body, first added first
    std::vector<std::vector<ir::Stmt>> host_init;   ///< before the launch, last added first
    std::unordered_map<const ir::VarNode*, std::vector<ir::Stmt>> after_definition; ///< of a buffer
    std::map<std::string, ir::Var> made_once; ///< tensor maps and the like, by what they are
};

/// One tile call.
struct Lowering {
    const TileCall& tile;     ///< in the IR
    const DispatchCall& call; ///< as the dispatcher sees it
    const DispatchContext& context;
    Kernel& kernel;

    ir::Expr expr(const Dim& dim) const { return kernel.symbols.expr(dim); }
    /// The buffer of argument `index`; null when it is no region.
    ir::Var buffer(std::size_t index) const;
    std::optional<Region> region(std::size_t index) const;
    ir::Expr setting(std::string_view key) const; ///< of the call's configuration; null when it is not there
    /// An index expression in the form in which the reference writes it.
    static ir::Expr simplified(const ir::Expr& expr) { return IndexSimplifier().simplify(expr); }
};

using Statements = Result<std::vector<ir::Stmt>>;

// One file each: the statements that stand for the plan.
Statements emit(const GemmAsyncPlan& plan, const Lowering& lowering);
Statements emit(const Tcgen05LdStPlan& plan, const Lowering& lowering);
Statements emit(const Tcgen05CpPlan& plan, const Lowering& lowering);
Statements emit(const TmaPlan& plan, const Lowering& lowering);
Statements emit(const DsmemPlan& plan, const Lowering& lowering);
Statements emit(const LdgstsPlan& plan, const Lowering& lowering);
Statements emit(const CopyPartition& plan, const Lowering& lowering);
Statements emit(const RegisterCopyPlan& plan, const Lowering& lowering);
Statements emit(const VectorCopyPlan& plan, const Lowering& lowering);
Statements emit(const ScalarCopyPlan& plan, const Lowering& lowering);
Statements emit(const PermuteLayoutPlan& plan, const Lowering& lowering);
Statements emit(const LdStMatrixPlan& plan, const Lowering& lowering);
Statements emit(const MmaPlan& plan, const Lowering& lowering);
Statements emit(const ElementwisePlan& plan, const Lowering& lowering);
Statements emit(const ReductionPlan& plan, const Lowering& lowering);

/// The IR's call as the dispatcher takes it: regions as operands, settings as values. Refused: TIRX_TILE_ARGUMENT.
Result<DispatchCall> dispatch_call(const TileCall& tile, Symbols& symbols);

} // namespace ls::tirx::lower
