#include "core/ir/mutator.h"

#include <optional>
#include <utility>

namespace ls::ir {

/// A node on its way to become another: copied at the first difference, never before.
template <class T>
class Mutator::Edit {
public:
    Edit(Mutator& mutator, Ref<T> original) : mutator_(mutator), original_(std::move(original)) {}

    Edit& child(Ref<ExprNode> T::*field) { return set(field, mutator_.mutate((*original_).*field)); }
    Edit& child(Ref<TypeNode> T::*field) { return set(field, mutator_.mutate((*original_).*field)); }
    Edit& child(Ref<SeqNode> T::*field) { return set(field, mutator_.mutate((*original_).*field)); }
    Edit& definition(Var T::*field) {
        const Var& old = (*original_).*field;
        return old == nullptr ? *this : set(field, mutator_.on_define(old));
    }

    Edit& children(std::vector<Expr> T::*field) {
        return each(field, [this](const Expr& e) { return mutator_.mutate(e); });
    }
    Edit& children(std::vector<Type> T::*field) {
        return each(field, [this](const Type& t) { return mutator_.mutate(t); });
    }
    Edit& children(std::vector<Function> T::*field) {
        return each(field, [this](const Function& f) { return mutator_.mutate(f); });
    }
    Edit& definitions(std::vector<Var> T::*field) {
        return each(field, [this](const Var& v) { return mutator_.on_define(v); });
    }
    Edit& children(std::vector<KeyValue> T::*field) {
        const std::vector<KeyValue>& old = (*original_).*field;
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (Expr changed = mutator_.mutate(old[i].value); changed != old[i].value) {
                (copy().*field)[i].value = std::move(changed);
            }
        }
        return *this;
    }
    Edit& iter_args(std::vector<IterArg> T::*field) {
        const std::vector<IterArg>& old = (*original_).*field;
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (Expr init = mutator_.mutate(old[i].init); init != old[i].init)
                (copy().*field)[i].init = std::move(init);
        }
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (Var v = mutator_.on_define(old[i].var); v != old[i].var) (copy().*field)[i].var = std::move(v);
        }
        return *this;
    }
    Edit& params(std::vector<Param> T::*field) {
        const std::vector<Param>& old = (*original_).*field;
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (Var v = mutator_.on_define(old[i].var); v != old[i].var) (copy().*field)[i].var = std::move(v);
        }
        return *this;
    }
    Edit& memref(std::optional<MemRef> T::*field) {
        const std::optional<MemRef>& old = (*original_).*field;
        if (!old) return *this;
        const auto part = [&](Expr MemRef::*member) {
            if (Expr e = mutator_.mutate((*old).*member); e != (*old).*member)
                (*(copy().*field)).*member = std::move(e);
        };
        part(&MemRef::base);
        part(&MemRef::byte_offset);
        part(&MemRef::slot);
        return *this;
    }
    /// A list inside an optional view.
    template <class View>
    Edit& view(std::optional<View> T::*field, std::vector<Expr> View::*list) {
        const std::optional<View>& old = (*original_).*field;
        if (!old) return *this;
        for (std::size_t i = 0; i < ((*old).*list).size(); ++i) {
            const Expr& before = ((*old).*list)[i];
            if (Expr e = mutator_.mutate(before); e != before) ((*(copy().*field)).*list)[i] = std::move(e);
        }
        return *this;
    }
    template <class View>
    Edit& view(std::optional<View> T::*field, Expr View::*member) {
        const std::optional<View>& old = (*original_).*field;
        if (!old) return *this;
        if (Expr e = mutator_.mutate((*old).*member); e != (*old).*member) (*(copy().*field)).*member = std::move(e);
        return *this;
    }

    Ref<T> done() { return copy_ == nullptr ? original_ : seal(std::move(copy_)); }

private:
    T& copy() {
        if (copy_ == nullptr) copy_ = derive(original_);
        return *copy_;
    }
    template <class V>
    Edit& set(V T::*field, V value) {
        if (value != (*original_).*field) copy().*field = std::move(value);
        return *this;
    }
    template <class V, class F>
    Edit& each(std::vector<V> T::*field, F change) {
        const std::vector<V>& old = (*original_).*field;
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (V changed = change(old[i]); changed != old[i]) (copy().*field)[i] = std::move(changed);
        }
        return *this;
    }

    Mutator& mutator_;
    Ref<T> original_;
    std::shared_ptr<T> copy_;
};

Module Mutator::mutate(const Module& module) {
    return Edit<ModuleNode>(*this, module)
        .definitions(&ModuleNode::dynamic_symbols)
        .children(&ModuleNode::attrs)
        .children(&ModuleNode::functions)
        .done();
}

Function Mutator::on_function(const Function& function) {
    return Edit<FunctionNode>(*this, function)
        .params(&FunctionNode::params)
        .children(&FunctionNode::options)
        .children(&FunctionNode::attrs)
        .children(&FunctionNode::returns)
        .child(&FunctionNode::body)
        .done();
}

Seq Mutator::mutate(const Seq& body) {
    if (body == nullptr) return body;
    const std::vector<Stmt>& old = body->stmts;
    std::vector<Stmt> fresh;
    bool changed = false;
    for (std::size_t i = 0; i < old.size(); ++i) {
        Stmt now = on_stmt(old[i]);
        if (!changed) {
            if (now == old[i]) continue;
            changed = true;
            fresh.reserve(old.size());
            fresh.assign(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(i));
        }
        if (now == nullptr) continue;
        if (const auto* inner = as<SeqNode>(now)) {
            fresh.insert(fresh.end(), inner->stmts.begin(), inner->stmts.end());
        } else {
            fresh.push_back(std::move(now));
        }
    }
    if (!changed) return body;
    auto copy = derive(body);
    copy->stmts = std::move(fresh);
    return seal(std::move(copy));
}

Stmt Mutator::on_stmt(const Stmt& stmt) {
    switch (stmt->kind) {
    case NodeKind::Assign:
        return Edit<AssignNode>(*this, ref_as<AssignNode>(stmt))
            .child(&AssignNode::value)
            .definitions(&AssignNode::targets)
            .done();
    case NodeKind::Eval: return Edit<EvalNode>(*this, ref_as<EvalNode>(stmt)).child(&EvalNode::value).done();
    case NodeKind::Store:
        return Edit<StoreNode>(*this, ref_as<StoreNode>(stmt))
            .child(&StoreNode::target)
            .child(&StoreNode::value)
            .done();
    case NodeKind::Return:
        return Edit<ReturnNode>(*this, ref_as<ReturnNode>(stmt)).children(&ReturnNode::values).done();
    case NodeKind::Yield: return Edit<YieldNode>(*this, ref_as<YieldNode>(stmt)).children(&YieldNode::values).done();
    case NodeKind::Assert:
        return Edit<AssertNode>(*this, ref_as<AssertNode>(stmt))
            .child(&AssertNode::condition)
            .child(&AssertNode::message)
            .done();
    case NodeKind::If:
        return Edit<IfNode>(*this, ref_as<IfNode>(stmt))
            .child(&IfNode::condition)
            .child(&IfNode::then_body)
            .child(&IfNode::else_body)
            .definitions(&IfNode::results)
            .done();
    case NodeKind::For:
        return Edit<ForNode>(*this, ref_as<ForNode>(stmt))
            .child(&ForNode::start)
            .child(&ForNode::stop)
            .child(&ForNode::step)
            .children(&ForNode::grid_extents)
            .children(&ForNode::kwargs)
            .children(&ForNode::attrs)
            .definition(&ForNode::var)
            .definitions(&ForNode::grid_vars)
            .iter_args(&ForNode::iter_args)
            .child(&ForNode::body)
            .definitions(&ForNode::results)
            .done();
    case NodeKind::While:
        return Edit<WhileNode>(*this, ref_as<WhileNode>(stmt))
            .iter_args(&WhileNode::iter_args)
            .child(&WhileNode::condition)
            .child(&WhileNode::body)
            .definitions(&WhileNode::results)
            .done();
    case NodeKind::With:
        return Edit<WithNode>(*this, ref_as<WithNode>(stmt))
            .child(&WithNode::scope)
            .definition(&WithNode::var)
            .child(&WithNode::body)
            .done();
    case NodeKind::Seq: return mutate(ref_as<SeqNode>(stmt));
    default: return stmt;
    }
}

Expr Mutator::on_call(const Call& call) {
    return Edit<CallNode>(*this, call)
        .children(&CallNode::args)
        .children(&CallNode::kwargs)
        .children(&CallNode::attrs)
        .child(&CallNode::type)
        .done();
}

Expr Mutator::on_expr(const Expr& expr) {
    switch (expr->kind) {
    case NodeKind::Var: return on_var(ref_as<VarNode>(expr));
    case NodeKind::Call: return on_call(ref_as<CallNode>(expr));
    case NodeKind::Unary: return Edit<UnaryNode>(*this, ref_as<UnaryNode>(expr)).child(&UnaryNode::operand).done();
    case NodeKind::Binary:
        return Edit<BinaryNode>(*this, ref_as<BinaryNode>(expr)).child(&BinaryNode::lhs).child(&BinaryNode::rhs).done();
    case NodeKind::Cast: return Edit<CastNode>(*this, ref_as<CastNode>(expr)).child(&CastNode::value).done();
    case NodeKind::Select:
        return Edit<SelectNode>(*this, ref_as<SelectNode>(expr))
            .child(&SelectNode::condition)
            .child(&SelectNode::on_true)
            .child(&SelectNode::on_false)
            .done();
    case NodeKind::Tuple: return Edit<TupleNode>(*this, ref_as<TupleNode>(expr)).children(&TupleNode::elements).done();
    case NodeKind::TupleGet:
        return Edit<TupleGetNode>(*this, ref_as<TupleGetNode>(expr)).child(&TupleGetNode::tuple).done();
    case NodeKind::Subscript:
        return Edit<SubscriptNode>(*this, ref_as<SubscriptNode>(expr))
            .child(&SubscriptNode::base)
            .children(&SubscriptNode::indices)
            .done();
    case NodeKind::Slice:
        return Edit<SliceNode>(*this, ref_as<SliceNode>(expr))
            .child(&SliceNode::begin)
            .child(&SliceNode::end)
            .child(&SliceNode::step)
            .done();
    case NodeKind::Member: return Edit<MemberNode>(*this, ref_as<MemberNode>(expr)).child(&MemberNode::base).done();
    case NodeKind::Dict: return Edit<DictNode>(*this, ref_as<DictNode>(expr)).children(&DictNode::entries).done();
    case NodeKind::Lambda:
        return Edit<LambdaNode>(*this, ref_as<LambdaNode>(expr))
            .definitions(&LambdaNode::params)
            .child(&LambdaNode::body)
            .done();
    default: return expr;
    }
}

Type Mutator::on_type(const Type& type) {
    switch (type->kind) {
    case NodeKind::TensorType:
        return Edit<TensorTypeNode>(*this, ref_as<TensorTypeNode>(type))
            .children(&TensorTypeNode::shape)
            .view(&TensorTypeNode::view, &TensorView::valid_shape)
            .view(&TensorTypeNode::view, &TensorView::stride)
            .memref(&TensorTypeNode::memref)
            .done();
    case NodeKind::TileType:
        return Edit<TileTypeNode>(*this, ref_as<TileTypeNode>(type))
            .children(&TileTypeNode::shape)
            .view(&TileTypeNode::view, &TileView::valid_shape)
            .view(&TileTypeNode::view, &TileView::stride)
            .view(&TileTypeNode::view, &TileView::start_offset)
            .memref(&TileTypeNode::memref)
            .done();
    case NodeKind::BufferType:
        return Edit<BufferTypeNode>(*this, ref_as<BufferTypeNode>(type))
            .children(&BufferTypeNode::shape)
            .children(&BufferTypeNode::strides)
            .child(&BufferTypeNode::elem_offset)
            .child(&BufferTypeNode::data)
            .child(&BufferTypeNode::allocated_addr)
            .done();
    case NodeKind::TupleType:
        return Edit<TupleTypeNode>(*this, ref_as<TupleTypeNode>(type)).children(&TupleTypeNode::elements).done();
    case NodeKind::ArrayType:
        return Edit<ArrayTypeNode>(*this, ref_as<ArrayTypeNode>(type)).child(&ArrayTypeNode::length).done();
    case NodeKind::NamedType:
        return Edit<NamedTypeNode>(*this, ref_as<NamedTypeNode>(type)).children(&NamedTypeNode::arguments).done();
    default: return type;
    }
}

Expr Mutator::on_var(const Var& var) {
    const auto found = replaced_.find(var.get());
    return found == replaced_.end() ? Expr(var) : found->second;
}

Var Mutator::on_define(const Var& var) {
    const auto found = replaced_.find(var.get());
    if (found != replaced_.end()) {
        // A second assignment to the same variable (before ConvertToSSA): it stays one variable.
        if (Var known = ref_as<VarNode>(found->second); known != nullptr) return known;
    }
    Var now = Edit<VarNode>(*this, var).child(&VarNode::type).done();
    if (now != var) replaced_[var.get()] = now;
    return now;
}

} // namespace ls::ir
