// Reading a program: every node once, parents before children.
#pragma once

#include <vector>

#include "core/ir/children.h"

namespace ls::ir {

/// Calls pre(node) for the node and everything below it, in source order; pre returns false to skip what is below a
/// node. Types are visited where a variable is defined, not where it is used. Nothing below kMaxDepth levels is
/// visited.
template <class Pre>
void walk(const Node& root, Pre&& pre, std::uint32_t levels = kMaxDepth) {
    if (levels == 0 || !pre(root)) return;
    const auto below = [&](const Node& child) {
        if (child.kind == NodeKind::Var) {
            pre(child);
        } else {
            walk(child, pre, levels - 1);
        }
    };
    const auto defined = [&](const Node& definition) { walk(definition, pre, levels - 1); };
    for_each_child(root, below, defined);
}

/// The statements of a body and of all bodies inside it, in source order, Seqs left out.
template <class Visit>
void for_each_stmt(const Node& root, Visit&& visit) {
    walk(root, [&](const Node& node) {
        if (!StmtNode::is(node.kind)) return node.kind == NodeKind::Function || node.kind == NodeKind::Module;
        if (node.kind != NodeKind::Seq) visit(static_cast<const StmtNode&>(node));
        return true;
    });
}

/// Every call, outer calls first.
template <class Visit>
void for_each_call(const Node& root, Visit&& visit) {
    walk(root, [&](const Node& node) {
        if (const auto* c = as<CallNode>(&node)) visit(*c);
        return true;
    });
}

/// The variables that the expression (or any node) uses, each once, in order of first use.
std::vector<const VarNode*> used_vars(const Node& root);
/// Number of nodes, types included.
std::size_t count_nodes(const Node& root);

} // namespace ls::ir
