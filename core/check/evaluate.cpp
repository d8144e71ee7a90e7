// Integer expressions of a program, with names bound to values.
#include <limits>
#include <unordered_map>

#include "core/check/access.h"
#include "core/ir/walk.h"
#include "core/support/checked.h"

namespace ls::check {

namespace {

using ir::BinaryOp;

class Evaluator {
public:
    Evaluator(const Bindings& bindings, const ir::ModuleNode& module) : bindings_(bindings) {
        ir::for_each_stmt(module, [this](const ir::StmtNode& stmt) {
            if (const auto* assign = ir::as<ir::AssignNode>(&stmt); assign != nullptr && assign->targets.size() == 1) {
                definitions_.emplace(assign->targets.front().get(), assign->value);
            } else if (const auto* loop = ir::as<ir::ForNode>(&stmt)) {
                definitions_.emplace(loop->var.get(), loop->start);
            }
        });
    }

    CheckedInt value(const ir::Expr& expr, int budget = 512) {
        if (expr == nullptr || budget <= 0) return {};
        if (const auto c = ir::constant(expr)) return c;
        if (const auto* var = ir::as<ir::VarNode>(expr)) {
            if (const auto bound = bindings_.find(var); bound != bindings_.end()) return bound->second;
            const auto definition = definitions_.find(var);
            if (definition == definitions_.end()) return hidden_argument(var->name);
            return value(definition->second, budget - 1);
        }
        if (const auto* cast = ir::as<ir::CastNode>(expr)) return value(cast->value, budget - 1);
        if (const auto* call = ir::as<ir::CallNode>(expr)) {
            // The first block of a launch: what an author looks at first.
            if (call->is_op("tile.get_block_idx") || call->is_op("tile.get_subblock_idx")) return 0;
            if (call->is_op("tile.get_block_num")) return 1;
            if (call->is_op("pto.get_block_idx") || call->is_op("pto.get_subblock_idx")) return 0;
            if (call->is_op("pto.get_block_num") || call->is_op("pto.get_subblock_num")) return 1;
            if (call->is_op("arith.extsi") && call->args.size() == 1) return value(call->args[0], budget - 1);
            if ((call->is_op("arith.divsi") || call->is_op("arith.remsi")) && call->args.size() == 2) {
                return cut_division(*call, value(call->args[0], budget - 1), value(call->args[1], budget - 1));
            }
            return {};
        }
        if (const auto* unary = ir::as<ir::UnaryNode>(expr)) {
            const CheckedInt a = value(unary->operand, budget - 1);
            return a && unary->op == ir::UnaryOp::Neg ? checked_sub(0, *a) : CheckedInt{};
        }
        if (const auto* binary = ir::as<ir::BinaryNode>(expr)) {
            const CheckedInt a = value(binary->lhs, budget - 1);
            const CheckedInt b = value(binary->rhs, budget - 1);
            return a && b ? apply(binary->op, *a, *b) : CheckedInt{};
        }
        return {};
    }

private:
    /// PTO text has the block's number as an argument of the kernel.
    static CheckedInt hidden_argument(std::string_view name) {
        if (name == "__pypto_spmd_block_idx" || name == "__pypto_spmd_subblock_idx") return 0;
        if (name == "__pypto_spmd_block_num") return 1;
        return {};
    }

    /// Unlike FloorDiv and Mod these cut towards zero.
    static CheckedInt cut_division(const ir::CallNode& call, CheckedInt a, CheckedInt b) {
        if (!a || !b || *b == 0 || (*b == -1 && *a == std::numeric_limits<std::int64_t>::min())) return {};
        return call.is_op("arith.divsi") ? *a / *b : *a % *b;
    }

    static CheckedInt apply(BinaryOp op, std::int64_t a, std::int64_t b) {
        const bool divides = b != 0 && !(b == -1 && a == std::numeric_limits<std::int64_t>::min());
        switch (op) {
        case BinaryOp::Add: return checked_add(a, b);
        case BinaryOp::Sub: return checked_sub(a, b);
        case BinaryOp::Mul: return checked_mul(a, b);
        case BinaryOp::FloorDiv: return divides ? CheckedInt{floor_div(a, b)} : CheckedInt{};
        case BinaryOp::Mod: return divides ? CheckedInt{floor_mod(a, b)} : CheckedInt{};
        case BinaryOp::Min: return a < b ? a : b;
        case BinaryOp::Max: return a > b ? a : b;
        default: return {};
        }
    }

    const Bindings& bindings_;
    std::unordered_map<const ir::VarNode*, ir::Expr> definitions_;
};

} // namespace

std::optional<std::int64_t> evaluate(const ir::Expr& expr, const Bindings& bindings, const ir::ModuleNode& module) {
    if (const auto c = ir::constant(expr)) return c;
    return Evaluator(bindings, module).value(expr);
}

} // namespace ls::check
