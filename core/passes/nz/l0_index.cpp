#include "core/passes/nz/l0_index.h"

#include "core/ir/children.h"

namespace ls::nz {

using namespace ir;

namespace {

bool is_load(const StmtNode& stmt) {
    const auto* a = as<AssignNode>(&stmt);
    const auto* c = a == nullptr ? nullptr : as<CallNode>(a->value);
    return c != nullptr && c->is_op("tile.load");
}

/// Operands [from, to) of a product are its left and right matrix.
struct Matrices {
    std::size_t from = 0, to = 0;
};
Matrices matrices(const CallNode& call) {
    if (call.is_op("tile.matmul") || call.is_op("tile.matmul_bias")) return {0, 2};
    if (call.is_op("tile.matmul_acc")) return {1, 3};
    return {};
}

} // namespace

L0Index::L0Index(const FunctionNode& function) {
    if (function.body != nullptr) count(*function.body, false);
}

void L0Index::count(const Node& node, bool operand) {
    if (const auto* v = as<VarNode>(&node)) {
        ++uses_[v];
        if (operand) ++operand_uses_[v];
        return;
    }
    if (const auto* body = as<SeqNode>(&node)) read_body(*body);
    const auto* call = as<CallNode>(&node);
    const Matrices at = call == nullptr ? Matrices{} : matrices(*call);
    std::size_t position = 0;
    for_each_child(
        node,
        [&](const Node& child) {
            const bool is_operand = position >= at.from && position < at.to && as<VarNode>(&child) != nullptr;
            ++position;
            if (!TypeNode::is(child.kind)) count(child, is_operand);
        },
        [](const Node&) {});
}

void L0Index::read_body(const SeqNode& body) {
    std::size_t loads_from = 0;
    for (std::size_t i = 0; i < body.stmts.size(); ++i) {
        const StmtNode& stmt = *body.stmts[i];
        places_[&stmt] = {&body, i, loads_from};
        const bool load = is_load(stmt);
        if (!load) loads_from = i + 1;
        const auto* a = as<AssignNode>(&stmt);
        const auto* c = a == nullptr ? nullptr : as<CallNode>(a->value);
        if (c == nullptr || a->targets.size() != 1 || c->args.empty()) continue;
        if (load) loads_[a->targets[0].get()] = a;
        const auto* source = as<VarNode>(c->args[0]);
        if (source == nullptr) continue;
        if (c->is_op("tile.store")) stores_.emplace(source, a);
        if (c->is_op("tile.cast")) casts_.emplace(source, a);
    }
}

const AssignNode* L0Index::beside(const std::unordered_map<const VarNode*, const AssignNode*>& of, const VarNode& var,
                                  const StmtNode& stmt) const {
    const auto found = of.find(&var);
    const auto here = places_.find(&stmt);
    if (found == of.end() || here == places_.end()) return nullptr;
    return places_.at(found->second).body == here->second.body ? found->second : nullptr;
}

const AssignNode* L0Index::store_of(const VarNode& var, const StmtNode& stmt) const {
    return beside(stores_, var, stmt);
}

const AssignNode* L0Index::cast_of(const VarNode& var, const StmtNode& stmt) const { return beside(casts_, var, stmt); }

const AssignNode* L0Index::load_right_before(const VarNode& var, const StmtNode& before) const {
    const AssignNode* load = beside(loads_, var, before);
    if (load == nullptr) return nullptr;
    const Place &first = places_.at(load), &second = places_.at(&before);
    return first.index >= second.loads_from && first.index < second.index ? load : nullptr;
}

bool L0Index::only_loads_between(const StmtNode& first, const StmtNode& second) const {
    const auto a = places_.find(&first), b = places_.find(&second);
    return a != places_.end() && b != places_.end() && a->second.body == b->second.body &&
           a->second.index < b->second.index && b->second.loads_from <= a->second.index + 1;
}

} // namespace ls::nz
