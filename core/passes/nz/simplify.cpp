#include "core/passes/nz/simplify.h"

#include <algorithm>
#include <unordered_map>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/nz/simplify_control.h"
#include "core/passes/nz/unused_results.h"
#include "core/support/checked.h"

namespace ls::nz {

using namespace ir;

namespace {

CheckedInt evaluate(BinaryOp op, std::int64_t a, std::int64_t b) {
    switch (op) {
    case BinaryOp::Add: return checked_add(a, b);
    case BinaryOp::Sub: return checked_sub(a, b);
    case BinaryOp::Mul: return checked_mul(a, b);
    case BinaryOp::FloorDiv: return b == 0 || b == -1 ? CheckedInt{} : CheckedInt{floor_div(a, b)};
    case BinaryOp::Mod: return b == 0 || b == -1 ? CheckedInt{} : CheckedInt{floor_mod(a, b)};
    case BinaryOp::Min: return std::min(a, b);
    case BinaryOp::Max: return std::max(a, b);
    default: return {};
    }
}

/// Whether a result of arithmetic in this type is the number itself: narrower types may have wrapped.
bool fits(std::int64_t value, DType dtype) {
    const int width = bits(dtype);
    if (width >= 64) return true;
    const bool is_unsigned =
        dtype == DType::UInt8 || dtype == DType::UInt16 || dtype == DType::UInt32 || dtype == DType::UInt4;
    const std::int64_t top = std::int64_t{1} << (is_unsigned ? width : width - 1);
    return value < top && value >= (is_unsigned ? 0 : -top);
}

class Fold final : public Mutator {
public:
    explicit Fold(bool propagate) : propagate_(propagate) {}

protected:
    Function on_function(const Function& function) override {
        definitions_.clear();
        const auto count = [this](const Node& var) { ++definitions_[&var]; };
        walk(*function, [&](const Node& node) {
            for_each_child(
                node, [](const Node&) {}, count);
            return StmtNode::is(node.kind) || node.kind == NodeKind::Function;
        });
        return Mutator::on_function(function);
    }

    Expr on_expr(const Expr& expr) override {
        Expr now = Mutator::on_expr(expr);
        const auto* b = as<BinaryNode>(now);
        if (b == nullptr) return now;
        Expr folded = fold(*b);
        if (folded == nullptr && propagate_) folded = normal_form(*b);
        if (folded == nullptr) return now;
        return folded;
    }

    Stmt on_stmt(const Stmt& stmt) override {
        Stmt now = Mutator::on_stmt(stmt);
        const auto* a = as<AssignNode>(now);
        if (!propagate_ || a == nullptr || a->targets.size() != 1 || as<ConstIntNode>(a->value) == nullptr) return now;
        // A scalar with one definition that is a constant is that constant everywhere, and need not be kept.
        const Var& target = as<AssignNode>(stmt)->targets[0];
        if (as<ScalarTypeNode>(target->type) == nullptr || definitions_[target.get()] != 1) return now;
        replace(target, a->value);
        return nullptr;
    }

private:
    /// An INDEX variable counts something, so upstream takes it to be at least 0, whatever it is worked out from.
    static bool is_count(const Expr& e) {
        if (const auto value = constant(e)) return *value >= 0;
        if (as<VarNode>(e) != nullptr) return scalar_dtype(e) == DType::Index;
        const auto* b = as<BinaryNode>(e);
        if (b == nullptr) return false;
        switch (b->op) {
        case BinaryOp::Max: return is_count(b->lhs) || is_count(b->rhs);
        case BinaryOp::Min:
        case BinaryOp::Add:
        case BinaryOp::Mul:
        case BinaryOp::FloorDiv: return is_count(b->lhs) && is_count(b->rhs);
        default: return false;
        }
    }

    /// max(n, 0) of a count is the count; a > b is written b < a. Null when neither applies.
    static Expr normal_form(const BinaryNode& b) {
        if (b.op == BinaryOp::Gt && is_integer(b.lhs) && is_integer(b.rhs)) return binary(BinaryOp::Lt, b.rhs, b.lhs, b.span);
        if (b.op != BinaryOp::Max) return nullptr;
        if (is_constant(b.rhs, 0) && is_count(b.lhs)) return b.lhs;
        return is_constant(b.lhs, 0) && is_count(b.rhs) ? b.rhs : nullptr;
    }

    static bool is_integer(const Expr& e) {
        const auto dtype = scalar_dtype(e);
        return dtype && (*dtype == DType::Index || *dtype == DType::Int64 || *dtype == DType::Int32);
    }

    static Expr fold(const BinaryNode& b) {
        const auto *x = as<ConstIntNode>(b.lhs), *y = as<ConstIntNode>(b.rhs);
        if (x != nullptr && y != nullptr) {
            if (x->dtype != y->dtype) return nullptr;
            const CheckedInt v = evaluate(b.op, x->value, y->value);
            return v && fits(*v, x->dtype) ? const_int(*v, x->dtype, b.span) : nullptr;
        }
        if (y == nullptr) {
            if (x == nullptr) return nullptr;
            if (b.op == BinaryOp::Mul && x->value == 1) return b.rhs;
            if (b.op == BinaryOp::Add && x->value == 0) return b.rhs;
            return nullptr;
        }
        if ((b.op == BinaryOp::Mul || b.op == BinaryOp::FloorDiv) && y->value == 1) return b.lhs;
        if (b.op != BinaryOp::Add && b.op != BinaryOp::Sub) return nullptr;
        if (y->value == 0) return b.lhs;
        // (e + c1) - c2 is e + (c1 - c2): sums wrap alike however they are grouped.
        const auto* inner = as<BinaryNode>(b.lhs);
        if (inner == nullptr || (inner->op != BinaryOp::Add && inner->op != BinaryOp::Sub)) return nullptr;
        const auto* c = as<ConstIntNode>(inner->rhs);
        if (c == nullptr || c->dtype != y->dtype) return nullptr;
        const CheckedInt first = inner->op == BinaryOp::Add ? CheckedInt{c->value} : checked_sub(0, c->value);
        if (!first) return nullptr;
        const CheckedInt total = b.op == BinaryOp::Add ? checked_add(*first, y->value) : checked_sub(*first, y->value);
        if (!total || *total == INT64_MIN || !fits(*total, y->dtype)) return nullptr;
        if (*total == 0) return inner->lhs;
        return binary(*total > 0 ? BinaryOp::Add : BinaryOp::Sub, inner->lhs,
                      const_int(*total > 0 ? *total : -*total, y->dtype), b.span);
    }

    bool propagate_;
    std::unordered_map<const Node*, int> definitions_;
};

} // namespace

PassResult simplify(const Module& module, const PassContext&) {
    Module folded = Fold(true).mutate(module);
    // A loop of one turn gives its variable a value, so that more can be worked out behind it.
    if (Module straight = simplify_control(folded); straight != folded) folded = Fold(true).mutate(straight);
    return PassResult::unchanged(drop_unused_results(std::move(folded)));
}

Expr simplify(const Expr& expr) {
    Fold fold(false);
    return fold.mutate(expr);
}

} // namespace ls::nz
