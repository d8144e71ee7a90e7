// What every piece of a program has in common. Nodes are immutable once sealed and shared between snapshots: a pass
// that changes one statement makes new nodes for it and for what encloses it, and everything else is the same object as
// before.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "core/support/diagnostic.h"

namespace ls::ir {

/// Nesting that readers, passes and printers accept (IR_TOO_DEEP beyond). Every walk recurses, so this bounds the
/// stack.
inline constexpr std::uint32_t kMaxDepth = 1000;

enum class NodeKind : std::uint8_t {
    // types
    ScalarType,
    TensorType,
    TileType,
    BufferType,
    TupleType,
    ArrayType,
    PtrType,
    NamedType,
    // expressions
    ConstInt,
    ConstFloat,
    ConstBool,
    String,
    None,
    DTypeName,
    Symbol,
    Var,
    Unary,
    Binary,
    Cast,
    Select,
    Tuple,
    TupleGet,
    Subscript,
    Slice,
    Member,
    Dict,
    Lambda,
    LayoutValue,
    Call,
    // statements
    Assign,
    Eval,
    Store,
    Return,
    Yield,
    Break,
    Continue,
    Assert,
    Comment,
    Raw,
    If,
    For,
    While,
    With,
    Seq,
    // the whole
    Function,
    Module,
};

class Node;
template <class T>
using Ref = std::shared_ptr<const T>;

class Node {
public:
    virtual ~Node() = default;

    NodeKind kind;
    std::uint32_t depth = 1; ///< levels of nodes below and including this one; saturates at UINT32_MAX
    std::uint64_t id;        ///< unique in this process; never printed
    Span span;               ///< where it was read; empty for nodes that a pass made from nothing
    Ref<Node> origin;        ///< the node that this one replaced; null when it was read or made from nothing

protected:
    explicit Node(NodeKind node_kind) : kind(node_kind), id(next_id()) {}
    Node(const Node&) = default; ///< only derive() copies, and it renews the id
    Node& operator=(const Node&) = delete;

private:
    template <class T>
    friend std::shared_ptr<T> derive(const Ref<T>& from);
    static std::uint64_t next_id();
};

/// Casts by kind: null when the node is of another kind (or null itself).
template <class T>
const T* as(const Node* node) {
    return node != nullptr && T::is(node->kind) ? static_cast<const T*>(node) : nullptr;
}
template <class T, class U>
const T* as(const Ref<U>& node) {
    return as<T>(static_cast<const Node*>(node.get()));
}
/// The same, keeping ownership.
template <class T, class U>
Ref<T> ref_as(const Ref<U>& node) {
    return as<T>(node) != nullptr ? std::static_pointer_cast<const T>(node) : Ref<T>{};
}

/// A copy to be changed and sealed; its origin is `from`. Keeps the span.
template <class T>
std::shared_ptr<T> derive(const Ref<T>& from) {
    auto copy = std::make_shared<T>(*from);
    copy->id = Node::next_id();
    copy->origin = from;
    return copy;
}

/// Records the depth of a node whose children are in place; afterwards it must not change.
template <class T>
Ref<T> seal(std::shared_ptr<T> node);

/// The oldest node that this one goes back to through origin links (itself when it has none).
const Node& first_origin(const Node& node);
/// The node that `node` was made to stand for: `node` itself, or its nearest origin that satisfies `in_snapshot`.
template <class Predicate>
const Node* origin_in(const Node& node, Predicate in_snapshot) {
    for (const Node* at = &node; at != nullptr; at = at->origin.get()) {
        if (in_snapshot(*at)) return at;
    }
    return nullptr;
}

} // namespace ls::ir
