// The children of every kind of node, in source order. The one place that knows them all; walks are built on it.
#pragma once

#include "core/ir/stmt.h"

namespace ls::ir {

/// Calls child(node) for each part, and definition(var) for each variable that this node defines (an Assign's targets,
/// a loop's variable, a function's parameters). A Var's own child is its type; walks usually look at it only where the
/// variable is defined. Null parts are skipped.
template <class Child, class Definition>
void for_each_child(const Node& node, Child&& child, Definition&& definition);

namespace detail {

template <class Child>
struct ChildCaller {
    Child& child;
    template <class T>
    void operator()(const Ref<T>& one) const {
        if (one != nullptr) child(static_cast<const Node&>(*one));
    }
    template <class T>
    void operator()(const std::vector<Ref<T>>& many) const {
        for (const Ref<T>& one : many) (*this)(one);
    }
    void operator()(const std::vector<KeyValue>& many) const {
        for (const KeyValue& one : many) (*this)(one.value);
    }
    void operator()(const std::optional<MemRef>& memref) const {
        if (!memref) return;
        (*this)(memref->base);
        (*this)(memref->byte_offset);
        (*this)(memref->slot);
    }
};

} // namespace detail

template <class Child, class Definition>
void for_each_child(const Node& node, Child&& child, Definition&& definition) {
    const detail::ChildCaller<std::remove_reference_t<Child>> each{child};
    const auto define = [&](const Var& v) {
        if (v != nullptr) definition(*v);
    };
    const auto define_all = [&](const std::vector<Var>& vars) {
        for (const Var& v : vars) define(v);
    };
    const auto carried = [&](const std::vector<IterArg>& args) {
        for (const IterArg& a : args) each(a.init);
        for (const IterArg& a : args) define(a.var);
    };
    switch (node.kind) {
    case NodeKind::ScalarType:
    case NodeKind::PtrType:
    case NodeKind::ConstInt:
    case NodeKind::ConstFloat:
    case NodeKind::ConstBool:
    case NodeKind::String:
    case NodeKind::None:
    case NodeKind::DTypeName:
    case NodeKind::Symbol:
    case NodeKind::LayoutValue:
    case NodeKind::Break:
    case NodeKind::Continue:
    case NodeKind::Comment:
    case NodeKind::Raw: break;
    case NodeKind::TensorType: {
        const auto& t = static_cast<const TensorTypeNode&>(node);
        each(t.shape);
        if (t.view) {
            each(t.view->valid_shape);
            each(t.view->stride);
        }
        each(t.memref);
        break;
    }
    case NodeKind::TileType: {
        const auto& t = static_cast<const TileTypeNode&>(node);
        each(t.shape);
        if (t.view) {
            each(t.view->valid_shape);
            each(t.view->stride);
            each(t.view->start_offset);
        }
        each(t.memref);
        break;
    }
    case NodeKind::BufferType: {
        const auto& t = static_cast<const BufferTypeNode&>(node);
        each(t.shape);
        each(t.strides);
        each(t.elem_offset);
        each(t.data);
        each(t.allocated_addr);
        break;
    }
    case NodeKind::TupleType: each(static_cast<const TupleTypeNode&>(node).elements); break;
    case NodeKind::ArrayType: each(static_cast<const ArrayTypeNode&>(node).length); break;
    case NodeKind::NamedType: each(static_cast<const NamedTypeNode&>(node).arguments); break;
    case NodeKind::Var: each(static_cast<const VarNode&>(node).type); break;
    case NodeKind::Unary: each(static_cast<const UnaryNode&>(node).operand); break;
    case NodeKind::Binary:
        each(static_cast<const BinaryNode&>(node).lhs);
        each(static_cast<const BinaryNode&>(node).rhs);
        break;
    case NodeKind::Cast: each(static_cast<const CastNode&>(node).value); break;
    case NodeKind::Select:
        each(static_cast<const SelectNode&>(node).condition);
        each(static_cast<const SelectNode&>(node).on_true);
        each(static_cast<const SelectNode&>(node).on_false);
        break;
    case NodeKind::Tuple: each(static_cast<const TupleNode&>(node).elements); break;
    case NodeKind::TupleGet: each(static_cast<const TupleGetNode&>(node).tuple); break;
    case NodeKind::Subscript:
        each(static_cast<const SubscriptNode&>(node).base);
        each(static_cast<const SubscriptNode&>(node).indices);
        break;
    case NodeKind::Slice:
        each(static_cast<const SliceNode&>(node).begin);
        each(static_cast<const SliceNode&>(node).end);
        each(static_cast<const SliceNode&>(node).step);
        break;
    case NodeKind::Member: each(static_cast<const MemberNode&>(node).base); break;
    case NodeKind::Dict: each(static_cast<const DictNode&>(node).entries); break;
    case NodeKind::Lambda:
        define_all(static_cast<const LambdaNode&>(node).params);
        each(static_cast<const LambdaNode&>(node).body);
        break;
    case NodeKind::Call: {
        const auto& c = static_cast<const CallNode&>(node);
        each(c.args);
        each(c.kwargs);
        each(c.attrs);
        break;
    }
    case NodeKind::Assign:
        each(static_cast<const AssignNode&>(node).value);
        define_all(static_cast<const AssignNode&>(node).targets);
        break;
    case NodeKind::Eval: each(static_cast<const EvalNode&>(node).value); break;
    case NodeKind::Store:
        each(static_cast<const StoreNode&>(node).target);
        each(static_cast<const StoreNode&>(node).value);
        break;
    case NodeKind::Return: each(static_cast<const ReturnNode&>(node).values); break;
    case NodeKind::Yield: each(static_cast<const YieldNode&>(node).values); break;
    case NodeKind::Assert:
        each(static_cast<const AssertNode&>(node).condition);
        each(static_cast<const AssertNode&>(node).message);
        break;
    case NodeKind::If: {
        const auto& s = static_cast<const IfNode&>(node);
        each(s.condition);
        each(s.then_body);
        each(s.else_body);
        define_all(s.results);
        break;
    }
    case NodeKind::For: {
        const auto& s = static_cast<const ForNode&>(node);
        each(s.start);
        each(s.stop);
        each(s.step);
        each(s.grid_extents);
        each(s.kwargs);
        each(s.attrs);
        define(s.var);
        define_all(s.grid_vars);
        carried(s.iter_args);
        each(s.body);
        define_all(s.results);
        break;
    }
    case NodeKind::While: {
        const auto& s = static_cast<const WhileNode&>(node);
        carried(s.iter_args);
        each(s.condition);
        each(s.body);
        define_all(s.results);
        break;
    }
    case NodeKind::With: {
        const auto& s = static_cast<const WithNode&>(node);
        each(s.scope);
        define(s.var);
        each(s.body);
        break;
    }
    case NodeKind::Seq: each(static_cast<const SeqNode&>(node).stmts); break;
    case NodeKind::Function: {
        const auto& f = static_cast<const FunctionNode&>(node);
        for (const Param& p : f.params) define(p.var);
        each(f.options);
        each(f.attrs);
        each(f.returns);
        each(f.body);
        break;
    }
    case NodeKind::Module: {
        const auto& m = static_cast<const ModuleNode&>(node);
        define_all(m.dynamic_symbols);
        each(m.attrs);
        each(m.functions);
        break;
    }
    }
}

} // namespace ls::ir
