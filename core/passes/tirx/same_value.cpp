#include "core/passes/tirx/same_value.h"

#include <bit>

namespace ls::tirx {

using namespace ir;

bool same_value(const Expr& a, const Expr& b) {
    if (a == b) return true;
    if (a == nullptr || b == nullptr || a->kind != b->kind || a->depth != b->depth) return false;
    if (a->kind == NodeKind::Var) return false;
    ValueNumbers numbers;
    return numbers.of(a) == numbers.of(b);
}

std::size_t ValueNumbers::KeyHash::operator()(const std::vector<std::int64_t>& key) const {
    std::uint64_t h = 0x9E3779B97F4A7C15ULL;
    for (const std::int64_t part : key) h = (h ^ static_cast<std::uint64_t>(part)) * 0x100000001B3ULL + (h >> 29);
    return static_cast<std::size_t>(h);
}

std::int64_t ValueNumbers::number(std::vector<std::int64_t> key) {
    return numbers_.emplace(std::move(key), static_cast<std::int64_t>(numbers_.size())).first->second;
}

std::int64_t ValueNumbers::text(const std::string& value) {
    return texts_.emplace(value, static_cast<std::int64_t>(texts_.size())).first->second;
}

std::int64_t ValueNumbers::of(const Expr& expr) {
    if (expr == nullptr) return -1;
    if (const auto found = known_.find(expr.get()); found != known_.end()) return found->second;
    std::vector<std::int64_t> key{static_cast<std::int64_t>(expr->kind)};
    const auto each = [&](const std::vector<Expr>& parts) {
        key.push_back(static_cast<std::int64_t>(parts.size()));
        for (const Expr& e : parts) key.push_back(of(e));
    };
    const auto entries = [&](const std::vector<KeyValue>& parts) {
        key.push_back(static_cast<std::int64_t>(parts.size()));
        for (const KeyValue& k : parts) {
            key.push_back(text(k.key));
            key.push_back(of(k.value));
        }
    };
    switch (expr->kind) {
    case NodeKind::ConstInt:
        key.push_back(as<ConstIntNode>(expr)->value);
        key.push_back(static_cast<std::int64_t>(as<ConstIntNode>(expr)->dtype));
        break;
    case NodeKind::ConstFloat:
        key.push_back(std::bit_cast<std::int64_t>(as<ConstFloatNode>(expr)->value));
        key.push_back(static_cast<std::int64_t>(as<ConstFloatNode>(expr)->dtype.value_or(DType::Fp32)));
        break;
    case NodeKind::ConstBool: key.push_back(as<ConstBoolNode>(expr)->value ? 1 : 0); break;
    case NodeKind::String: key.push_back(text(as<StringNode>(expr)->value)); break;
    case NodeKind::DTypeName: key.push_back(static_cast<std::int64_t>(as<DTypeNameNode>(expr)->dtype)); break;
    case NodeKind::Symbol: key.push_back(text(as<ir::SymbolNode>(expr)->name)); break;
    case NodeKind::None: break;
    case NodeKind::Unary:
        key.push_back(static_cast<std::int64_t>(as<UnaryNode>(expr)->op));
        key.push_back(of(as<UnaryNode>(expr)->operand));
        break;
    case NodeKind::Binary:
        key.push_back(static_cast<std::int64_t>(as<BinaryNode>(expr)->op));
        key.push_back(of(as<BinaryNode>(expr)->lhs));
        key.push_back(of(as<BinaryNode>(expr)->rhs));
        break;
    case NodeKind::Cast:
        key.push_back(static_cast<std::int64_t>(as<CastNode>(expr)->dtype));
        key.push_back(text(as<CastNode>(expr)->dtype_text));
        key.push_back(of(as<CastNode>(expr)->value));
        break;
    case NodeKind::Select: {
        const auto* s = as<SelectNode>(expr);
        each({s->condition, s->on_true, s->on_false});
        break;
    }
    case NodeKind::Tuple: each(as<TupleNode>(expr)->elements); break;
    case NodeKind::TupleGet:
        key.push_back(of(as<TupleGetNode>(expr)->tuple));
        key.push_back(as<TupleGetNode>(expr)->index);
        break;
    case NodeKind::Subscript:
        key.push_back(of(as<SubscriptNode>(expr)->base));
        each(as<SubscriptNode>(expr)->indices);
        break;
    case NodeKind::Slice: {
        const auto* s = as<SliceNode>(expr);
        each({s->begin, s->end, s->step});
        break;
    }
    case NodeKind::Member:
        key.push_back(of(as<MemberNode>(expr)->base));
        key.push_back(text(as<MemberNode>(expr)->member));
        break;
    case NodeKind::Dict: entries(as<DictNode>(expr)->entries); break;
    case NodeKind::Call: {
        const auto* c = as<CallNode>(expr);
        key.push_back(static_cast<std::int64_t>(c->callee));
        key.push_back(text(c->op));
        each(c->args);
        entries(c->kwargs);
        entries(c->attrs);
        break;
    }
    default: key.push_back(static_cast<std::int64_t>(expr->id)); break; // a variable, a layout, a lambda: itself only
    }
    const std::int64_t made = number(std::move(key));
    known_.emplace(expr.get(), made);
    kept_.push_back(expr);
    return made;
}

} // namespace ls::tirx
