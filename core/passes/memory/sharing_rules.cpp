// What forbids two buffers to become one, besides that both are needed.
#include <algorithm>

#include "core/analysis/tile_op_memory.h"
#include "core/ir/walk.h"
#include "core/passes/memory/memref.h"
#include "core/passes/memory/reuse_packing.h"
#include "core/support/dtype.h"

namespace ls::memory {

using namespace ir;

namespace {

/// Operands that the result of `call` must not be written over.
std::vector<Expr> kept_apart(const CallNode& call, const TileOpMemory& op, const VarNode& target, const Hardware& hardware) {
    std::vector<Expr> operands;
    if (op.reads_while_writing) {
        // A5 takes the scratch operand of prelu and leaves it alone.
        const bool idle_scratch = op.name == "tile.prelu" && hardware.pto_arch == "a5";
        const std::size_t count = idle_scratch ? std::min<std::size_t>(2, call.args.size()) : call.args.size();
        operands.assign(call.args.begin(), call.args.begin() + static_cast<std::ptrdiff_t>(count));
    } else {
        for (const std::size_t i : op.keep_apart) {
            if (i < call.args.size()) operands.push_back(call.args[i]);
        }
    }
    if (op.name == "tile.cast" && !call.args.empty()) { // wider results run ahead of what is still to be read
        const auto *out = as<TileTypeNode>(target.type), *in = tile_of(call.args[0]);
        if (out != nullptr && in != nullptr && bits(out->dtype) > bits(in->dtype)) operands.push_back(call.args[0]);
    }
    return operands;
}

/// The vector cores of A2/A3 that take turns in a divided kernel.
bool is_divided_vector_kernel(const FunctionNode& function, const Hardware& hardware) {
    if (function.function != FunctionKind::AIV || hardware.pto_arch == "a5") return false;
    const auto* marked = as<ConstBoolNode>(function.attr("split_aiv"));
    if (marked != nullptr && marked->value) return true;
    const auto* split = function.attr("split");
    const auto* mode = as<ir::SymbolNode>(split);
    return mode != nullptr ? mode->last() != "NONE" && mode->last() != "None" : constant(split).value_or(0) != 0;
}

bool keeps_its_load(const CallNode& call) {
    constexpr std::string_view kViews[] = {"tile.reshape", "tile.extract", "tile.slice", "tile.fillpad", "tile.fillpad_inplace",
                                           "tile.transpose_view", "tile.reinterpret_view"};
    return std::find(std::begin(kViews), std::end(kViews), call.op) != std::end(kViews);
}

} // namespace

SharingRules sharing_rules(const FunctionNode& function, const Hardware& hardware) {
    SharingRules rules;
    const bool divided = is_divided_vector_kernel(function, hardware);
    std::set<const VarNode*> popped;
    for_each_stmt(*function.body, [&](const StmtNode& stmt) {
        const auto* assign = as<AssignNode>(&stmt);
        const auto* call = assign == nullptr ? nullptr : as<CallNode>(assign->value);
        if (call == nullptr || assign->targets.empty()) return;
        if (is_pinned(*assign)) rules.pinned.insert(assign->targets[0].get());
        if (const TileOpMemory* op = tile_op_memory(assign->value.get())) {
            for (const Var& target : assign->targets) {
                const VarNode* base = base_of(Expr(target));
                if (base == nullptr) continue;
                for (const Expr& operand : kept_apart(*call, *op, *target, hardware)) {
                    if (const VarNode* other = base_of(operand)) rules.keep_apart[base].insert(other);
                }
            }
        }
        const VarNode* target = assign->targets[0].get();
        if (!divided || base_of(Expr(assign->targets[0])) == nullptr) return;
        const auto reads = [&](const std::set<const VarNode*>& which) {
            return std::any_of(call->args.begin(), call->args.end(), [&](const Expr& a) { return which.count(as<VarNode>(a)) != 0; });
        };
        if (call->is_op("tile.load") || (keeps_its_load(*call) && reads(rules.from_load))) rules.from_load.insert(target);
        if (call->is_op("tile.tpop_from_aic")) popped.insert(target);
        if (reads(popped)) rules.reads_popped.insert(target);
    });
    return rules;
}

} // namespace ls::memory
