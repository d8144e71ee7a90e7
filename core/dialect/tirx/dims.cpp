#include "core/dialect/tirx/dims.h"

#include "core/dialect/tirx/fold.h"
#include "core/layout/symbol.h"

namespace ls::tirx {

using namespace ir;

namespace {

std::optional<Dim> binary_dim(const BinaryNode& b) {
    const auto lhs = to_dim(b.lhs), rhs = lhs ? to_dim(b.rhs) : std::nullopt;
    if (!rhs) return {};
    const bool shift = rhs->is_constant() && rhs->value() >= 0 && rhs->value() <= 62;
    switch (b.op) {
    case BinaryOp::Add: return *lhs + *rhs;
    case BinaryOp::Sub: return *lhs - *rhs;
    case BinaryOp::Mul: return *lhs * *rhs;
    case BinaryOp::FloorDiv: return floor_div(*lhs, *rhs);
    case BinaryOp::Mod: return floor_mod(*lhs, *rhs);
    case BinaryOp::Min: return min(*lhs, *rhs);
    case BinaryOp::Max: return max(*lhs, *rhs);
    case BinaryOp::BitXor: return bit_xor(*lhs, *rhs);
    case BinaryOp::BitAnd: return bit_and(*lhs, *rhs);
    case BinaryOp::Shl: return shift ? std::optional(shift_left(*lhs, static_cast<int>(rhs->value()))) : std::nullopt;
    case BinaryOp::Shr: return shift ? std::optional(shift_right(*lhs, static_cast<int>(rhs->value()))) : std::nullopt;
    default: return {};
    }
}

class Writer {
public:
    Writer(const FindVar& find, DType dtype) : find_(find), dtype_(dtype) {}

    Expr write(const Dim& dim) const {
        if (dim.is_constant()) return const_int(dim.value(), dtype_);
        const ls::SymbolNode& node = *dim.node();
        switch (node.kind) {
        case SymbolKind::Overflow: return nullptr;
        case SymbolKind::Variable: return find_(node.name);
        case SymbolKind::Sum: return sum(node);
        default: {
            const Expr lhs = write(node.operands[0]), rhs = write(node.operands[1]);
            return lhs != nullptr && rhs != nullptr ? make_binary(operation(node.kind), lhs, rhs) : nullptr;
        }
        }
    }

private:
    static BinaryOp operation(SymbolKind kind) {
        switch (kind) {
        case SymbolKind::FloorDiv: return BinaryOp::FloorDiv;
        case SymbolKind::FloorMod: return BinaryOp::Mod;
        case SymbolKind::Min: return BinaryOp::Min;
        case SymbolKind::Max: return BinaryOp::Max;
        case SymbolKind::BitXor: return BinaryOp::BitXor;
        case SymbolKind::BitAnd: return BinaryOp::BitAnd;
        case SymbolKind::ShiftLeft: return BinaryOp::Shl;
        default: return BinaryOp::Shr;
        }
    }

    /// Positive terms first, then what is taken away, the constant last: a * 4 + b - c + 3.
    Expr sum(const ls::SymbolNode& node) const {
        Expr total;
        for (const bool negative : {false, true}) {
            for (const SymbolTerm& term : node.terms) {
                if ((term.coefficient < 0) != negative) continue;
                Expr product;
                for (const Dim& factor : term.factors) {
                    const Expr one = write(factor);
                    if (one == nullptr) return nullptr;
                    product = product == nullptr ? one : make_binary(BinaryOp::Mul, product, one);
                }
                const bool subtract = negative && total != nullptr && term.coefficient != Bounds::kOpenLow;
                product = make_binary(BinaryOp::Mul, product,
                                      const_int(subtract ? -term.coefficient : term.coefficient, dtype_));
                total =
                    total == nullptr ? product : make_binary(subtract ? BinaryOp::Sub : BinaryOp::Add, total, product);
            }
        }
        const bool subtract = node.constant < 0 && node.constant != Bounds::kOpenLow;
        const Expr constant = const_int(subtract ? -node.constant : node.constant, dtype_);
        return make_binary(subtract ? BinaryOp::Sub : BinaryOp::Add, total, constant);
    }

    const FindVar& find_;
    DType dtype_;
};

} // namespace

std::optional<Dim> to_dim(const Expr& expr) {
    if (expr == nullptr) return {};
    switch (expr->kind) {
    case NodeKind::ConstInt: return Dim(as<ConstIntNode>(expr)->value);
    case NodeKind::Var: {
        const auto* v = as<VarNode>(expr);
        if (as<BufferTypeNode>(v->type) != nullptr) return {};
        return Dim::symbol(v->name);
    }
    case NodeKind::Binary: return binary_dim(*as<BinaryNode>(expr));
    case NodeKind::Cast: return to_dim(as<CastNode>(expr)->value);
    default: return {};
    }
}

Expr to_expr(const Dim& dim, const FindVar& find, DType dtype) { return Writer(find, dtype).write(dim); }

} // namespace ls::tirx
