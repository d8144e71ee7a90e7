// What flows into and out of a scope.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ir/stmt.h"

namespace ls::front {

/// A scope's body seen from outside. Vectors are in source order.
struct ScopeFlow {
    std::vector<const ir::VarNode*> live_in; ///< read before anything in the body defines it
    std::vector<const ir::VarNode*> defined;
    std::vector<const ir::VarNode*> stored;  ///< live-in tensors that a tile.store writes to
    std::unordered_map<const ir::VarNode*, const ir::VarNode*> names_store; ///< result of a store: what it stores to
    std::unordered_set<const ir::VarNode*> read;      ///< live-in values that are more than a destination
    std::unordered_set<const ir::VarNode*> assembled; ///< live-in tensors that a tensor.assemble writes to
};

/// `carried`: the iteration variables of the function, which are no destinations of stores for the outside.
ScopeFlow scope_flow(const ir::SeqNode& body, const std::unordered_set<const ir::VarNode*>& carried,
                     const std::unordered_set<const ir::VarNode*>& global);

/// Where each variable of a function is used last, and where each statement ends, on one scale.
class LastUses {
public:
    explicit LastUses(const ir::FunctionNode& function);
    bool used_after(const ir::VarNode* var, const ir::Node& stmt) const;
    bool anything_after(const ir::Node& stmt) const;

private:
    void visit(const ir::Node& node);
    std::size_t now_ = 0;
    std::unordered_map<const ir::VarNode*, std::size_t> last_;
    std::unordered_map<const ir::Node*, std::size_t> end_;
};

/// The parameter whose bytes a value is, followed through stores, carried values, second names and, with a program, the
/// functions that are called; null when it is none.
class ReturnLineage {
public:
    ReturnLineage(const ir::SeqNode& body, const std::unordered_set<const ir::VarNode*>& params, const ir::ModuleNode* program);
    const ir::VarNode* origin(const ir::VarNode* value) const;

private:
    const ir::VarNode* answer(const ir::CallNode& call, std::size_t result) const;
    std::unordered_map<const ir::VarNode*, const ir::ExprNode*> defined_;
    std::unordered_map<const ir::VarNode*, std::pair<const ir::CallNode*, std::size_t>> unpacked_;
    std::unordered_map<const ir::VarNode*, const ir::VarNode*> carried_from_;
    const std::unordered_set<const ir::VarNode*>& params_;
    const ir::ModuleNode* program_;
};

} // namespace ls::front
