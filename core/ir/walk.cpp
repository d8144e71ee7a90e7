#include "core/ir/walk.h"

#include <unordered_set>

namespace ls::ir {

std::vector<const VarNode*> used_vars(const Node& root) {
    std::vector<const VarNode*> found;
    std::unordered_set<const VarNode*> seen;
    walk(root, [&](const Node& node) {
        const auto* v = as<VarNode>(&node);
        if (v != nullptr && seen.insert(v).second) found.push_back(v);
        return true;
    });
    return found;
}

std::size_t count_nodes(const Node& root) {
    std::size_t count = 0;
    walk(root, [&](const Node&) {
        ++count;
        return true;
    });
    return count;
}

} // namespace ls::ir
