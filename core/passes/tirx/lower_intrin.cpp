#include "core/passes/tirx/lower_intrin.h"

#include <algorithm>
#include <array>

#include "core/dialect/tirx/fold.h"
#include "core/ir/mutator.h"
#include "core/passes/tirx/function_pass.h"
#include "core/passes/tirx/index_simplify.h"
#include "core/support/checked.h"

namespace ls::tirx {

using namespace ir;

namespace {

constexpr std::array<std::string_view, 27> kMath = {"floor", "ceil",  "trunc", "fabs", "round", "nearbyint", "exp",
                                                    "exp2",  "exp10", "erf",   "log",  "log2",  "log10",     "tan",
                                                    "cos",   "cosh",  "sin",   "sinh", "atan",  "tanh",      "sqrt",
                                                    "rsqrt", "pow",   "fmod",  "acos", "asin",  "hypot"};

/// expf, hexp, exp: by the width of what it works on. Empty where CUDA has none.
std::string cuda_function(std::string_view name, DType dtype) {
    switch (dtype) {
    case DType::Fp64: return name == "round" ? "nearbyint" : std::string(name);
    case DType::Fp32: return name == "round" ? "nearbyintf" : std::string(name) + "f";
    case DType::Fp16:
    case DType::Bf16: return name == "fabs" ? "__habs" : name == "round" ? "hrint" : "h" + std::string(name);
    default: return {};
    }
}

Expr trunc_div(const Expr& a, const Expr& b) { return call("Div", {a, b}); }
Expr trunc_mod(const Expr& a, const Expr& b) { return call("truncmod", {a, b}); }

class IntrinLowerer final : public Mutator {
protected:
    Var on_define(const Var& var) override { return var; }

    Stmt on_stmt(const Stmt& stmt) override {
        if (const auto* loop = as<ForNode>(stmt); loop != nullptr && loop->var != nullptr) {
            known_.set_loop(*loop->var, loop->start, make_binary(BinaryOp::Sub, loop->stop, loop->start));
        } else if (const auto* w = as<WithNode>(stmt);
                   w != nullptr && w->var != nullptr && !launched_axis(*w).empty()) {
            known_.set_loop(*w->var, const_int(0, DType::Int32), launched_extent(*w));
        } else if (const auto* a = as<AssignNode>(stmt);
                   a != nullptr && a->targets.size() == 1 && is_index_dtype(expr_dtype(a->targets[0]))) {
            known_.set_range(*a->targets[0], known_.range(a->value));
        } else if (const auto* i = as<IfNode>(stmt); i != nullptr && i->results.empty()) {
            return on_if(stmt, *i);
        }
        return Mutator::on_stmt(stmt);
    }

    Expr on_expr(const Expr& expr) override {
        const auto* b = as<BinaryNode>(expr);
        if (b == nullptr) return Mutator::on_expr(expr);
        if ((b->op == BinaryOp::Eq || b->op == BinaryOp::Ne) && is_constant(b->rhs, 0)) {
            // Whether a remainder is 0 does not depend on the way of rounding.
            if (const auto* m = as<BinaryNode>(b->lhs); m != nullptr && m->op == BinaryOp::Mod && whole(b->lhs)) {
                return binary(b->op, trunc_mod(mutate(m->lhs), mutate(m->rhs)), b->rhs, expr->span);
            }
        }
        if ((b->op != BinaryOp::FloorDiv && b->op != BinaryOp::Mod) || !whole(expr)) return Mutator::on_expr(expr);
        return b->op == BinaryOp::FloorDiv ? division(*b) : remainder(*b);
    }

    Expr on_call(const Call& call) override {
        Expr made = Mutator::on_call(call);
        const auto* c = as<CallNode>(made);
        if (c->callee != CalleeKind::Op) return made;
        if (c->op.starts_with("tvm_warp_shuffle") && c->args.size() == 5) {
            std::string name = "cuda.__shfl" + c->op.substr(std::string_view("tvm_warp_shuffle").size()) + "_sync";
            return ir::call(std::move(name), {c->args.begin(), c->args.end() - 1}, {}, {}, c->type, c->span);
        }
        if (c->is_op("tvm_warp_activemask")) return ir::call("cuda.__activemask", c->args, {}, {}, c->type, c->span);
        if (std::find(kMath.begin(), kMath.end(), c->op) == kMath.end() || c->args.empty()) return made;
        const auto dtype = expr_dtype(c->args[0]);
        const std::string name = dtype ? cuda_function(c->op, *dtype) : "";
        if (name.empty()) return made;
        std::vector<Expr> args{string(std::string(info(*dtype).tirx)), string(name)};
        args.insert(args.end(), c->args.begin(), c->args.end());
        return ir::call("call_pure_extern", std::move(args), {}, {}, c->type, c->span);
    }

private:
    static bool whole(const Expr& e) {
        const auto dtype = expr_dtype(e);
        return is_index_dtype(dtype) || dtype == DType::UInt32 || dtype == DType::UInt64;
    }

    Stmt on_if(const Stmt& stmt, const IfNode& i) {
        const auto body = [&](const Seq& b, bool holds) {
            const IndexSimplifier::Assume here(known_, i.condition, holds);
            return mutate(b);
        };
        const Expr condition = mutate(i.condition);
        const Seq then_body = body(i.then_body, true), else_body = i.else_body ? body(i.else_body, false) : Seq{};
        if (condition == i.condition && then_body == i.then_body && else_body == i.else_body) return stmt;
        auto made = derive(ref_as<IfNode>(stmt));
        made->condition = condition;
        made->then_body = then_body;
        made->else_body = else_body;
        return seal(std::move(made));
    }

    struct Sides {
        Expr lhs, rhs;
        DType dtype;
        std::optional<std::int64_t> divisor; ///< where it is a positive constant
        bool nonnegative;                    ///< dividend and divisor
        ValueRange dividend;
    };
    Sides sides(const BinaryNode& b) {
        Sides s{mutate(b.lhs), mutate(b.rhs), expr_dtype(b.lhs).value_or(DType::Int32), {}, false, known_.range(b.lhs)};
        if (constant(b.lhs) && expr_dtype(b.rhs)) s.dtype = *expr_dtype(b.rhs);
        if (const auto d = constant(s.rhs); d && *d > 0) s.divisor = d;
        const bool is_unsigned = !is_index_dtype(s.dtype);
        s.nonnegative = is_unsigned || (s.dividend.lo >= 0 && (s.divisor || known_.range(b.rhs).lo >= 0));
        return s;
    }
    /// c with a + b·c never negative and within the type; nothing where there is none.
    static std::optional<std::int64_t> shift_to_positive(const Sides& s) {
        const std::int64_t most = s.dtype == DType::Int64 ? INT64_MAX : INT32_MAX;
        if (!s.divisor || s.dividend.lo >= 0 || s.dividend.lo == ValueRange::kOpenLow || s.dividend.lo < -most)
            return {};
        const std::int64_t b = *s.divisor;
        if (b - 1 > most + s.dividend.lo) return {};
        const std::int64_t c = ((b - 1) - s.dividend.lo) / b;
        if (c > most / b || s.dividend.hi > most - b * c) return {};
        return c;
    }
    static Expr number(const Sides& s, std::int64_t value) { return const_int(value, s.dtype); }

    Expr division(const BinaryNode& b) {
        const Sides s = sides(b);
        if (s.divisor && is_power_of_two(*s.divisor)) {
            return binary(BinaryOp::Shr, s.lhs, number(s, log2_exact(*s.divisor)));
        }
        if (s.nonnegative) return trunc_div(s.lhs, s.rhs);
        if (const auto c = shift_to_positive(s)) {
            const Expr lifted = make_binary(BinaryOp::Add, s.lhs, number(s, *s.divisor * *c));
            return make_binary(BinaryOp::Sub, trunc_div(lifted, s.rhs), number(s, *c));
        }
        const Expr quotient = trunc_div(s.lhs, s.rhs), rest = trunc_mod(s.lhs, s.rhs);
        if (s.divisor || known_.range(b.rhs).lo >= 0) { // one less where the rest is negative
            return binary(BinaryOp::Add, quotient, binary(BinaryOp::Shr, rest, number(s, bits(s.dtype) - 1)));
        }
        return by_sign(s, rest, binary(BinaryOp::Sub, quotient, number(s, 1)), quotient);
    }

    Expr remainder(const BinaryNode& b) {
        const Sides s = sides(b);
        if (s.divisor && is_power_of_two(*s.divisor)) return binary(BinaryOp::BitAnd, s.lhs, number(s, *s.divisor - 1));
        if (s.nonnegative) return trunc_mod(s.lhs, s.rhs);
        if (const auto c = shift_to_positive(s)) {
            return trunc_mod(make_binary(BinaryOp::Add, s.lhs, number(s, *s.divisor * *c)), s.rhs);
        }
        const Expr rest = trunc_mod(s.lhs, s.rhs);
        if (s.divisor || known_.range(b.rhs).lo >= 0) { // the divisor more where the rest is negative
            const Expr sign = binary(BinaryOp::Shr, rest, number(s, bits(s.dtype) - 1));
            return binary(BinaryOp::Add, rest, binary(BinaryOp::BitAnd, s.rhs, sign));
        }
        return by_sign(s, rest, binary(BinaryOp::Add, rest, s.rhs), rest);
    }

    /// Truncation is floor where the rest has the divisor's sign.
    static Expr by_sign(const Sides& s, const Expr& rest, Expr corrected, Expr plain) {
        const Expr zero = number(s, 0);
        const Expr up = binary(BinaryOp::And, binary(BinaryOp::Ge, s.rhs, zero), binary(BinaryOp::Ge, rest, zero));
        const Expr down = binary(BinaryOp::And, binary(BinaryOp::Lt, s.rhs, zero), binary(BinaryOp::Le, rest, zero));
        return select(binary(BinaryOp::Or, up, down), std::move(plain), std::move(corrected));
    }

    IndexSimplifier known_;
};

} // namespace

PassResult lower_intrin(const Module& module, const PassContext&) {
    return rewrite_functions(module, [](const Function& f) -> Result<Function> {
        IntrinLowerer lowerer;
        return with_body(f, lowerer.mutate(f->body));
    });
}

} // namespace ls::tirx
