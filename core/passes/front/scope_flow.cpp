#include "core/passes/front/scope_flow.h"

#include <algorithm>

#include "core/ir/walk.h"
#include "core/passes/tile/param_access.h"

namespace ls::front {

using namespace ir;

namespace {

/// The operand that is only overwritten; atomic writes add to what is there and so read it.
std::size_t destination(const CallNode& c) {
    const std::size_t none = c.args.size();
    const bool assemble = c.is_op("tensor.assemble") && !c.args.empty(), store = c.is_op("tile.store") && c.args.size() >= 3;
    if (!assemble && !store) return none;
    const auto* atomic = as<ir::SymbolNode>(c.kwarg("atomic"));
    if (atomic != nullptr && atomic->last() != "None_") return none;
    return assemble ? 0 : 2;
}

class Flow {
public:
    Flow(const std::unordered_set<const VarNode*>& carried, const std::unordered_set<const VarNode*>& global)
        : carried_(carried), global_(global) {}
    ScopeFlow flow;

    void visit(const Node& node) {
        switch (node.kind) {
        case NodeKind::Seq:
            for (const Stmt& s : static_cast<const SeqNode&>(node).stmts) visit(*s);
            break;
        case NodeKind::Assign: {
            const auto& a = static_cast<const AssignNode&>(node);
            if (a.targets.size() == 1) name_destination(a);
            use(*a.value);
            for (const Var& t : a.targets) define(t.get());
            break;
        }
        case NodeKind::For: {
            const auto& f = static_cast<const ForNode&>(node);
            enter(f.iter_args);
            define(f.var.get());
            for (const Var& r : f.results) define(r.get());
            for (const IterArg& a : f.iter_args) define(a.var.get());
            for (const Expr* e : {&f.start, &f.stop, &f.step}) {
                if (*e != nullptr) use(**e);
            }
            for (const KeyValue& k : f.kwargs) use(*k.value);
            visit(*f.body);
            break;
        }
        case NodeKind::While: {
            const auto& w = static_cast<const WhileNode&>(node);
            enter(w.iter_args);
            for (const Var& r : w.results) define(r.get());
            for (const IterArg& a : w.iter_args) define(a.var.get());
            use(*w.condition);
            visit(*w.body);
            break;
        }
        case NodeKind::If: {
            const auto& i = static_cast<const IfNode&>(node);
            use(*i.condition);
            for (const Var& r : i.results) define(r.get());
            visit(*i.then_body);
            if (i.else_body != nullptr) visit(*i.else_body);
            break;
        }
        case NodeKind::With: {
            const auto& w = static_cast<const WithNode&>(node);
            use(*w.scope);
            if (w.var != nullptr) define(w.var.get());
            visit(*w.body);
            break;
        }
        case NodeKind::Yield:
            for (const Expr& e : static_cast<const YieldNode&>(node).values) use(*e);
            break;
        case NodeKind::Return:
            for (const Expr& e : static_cast<const ReturnNode&>(node).values) use(*e);
            break;
        default: for_each_child(node, [this](const Node& child) { use(child); }, [](const Node&) {}); break;
        }
    }

private:
    void define(const VarNode* v) {
        if (defined_.insert(v).second) flow.defined.push_back(v);
    }
    bool outside(const VarNode* v) const { return defined_.count(v) == 0 && global_.count(v) == 0; }
    void live(const VarNode* v) {
        if (outside(v) && live_.insert(v).second) flow.live_in.push_back(v);
    }
    void enter(const std::vector<IterArg>& args) {
        for (const IterArg& a : args) use(*a.init);
    }
    /// A store's answer is another name for what it stores to.
    void name_destination(const AssignNode& a) {
        const auto* c = as<CallNode>(a.value);
        if (c == nullptr) return;
        const std::size_t slot = destination(*c);
        const auto* v = slot < c->args.size() ? as<VarNode>(c->args[slot]) : nullptr;
        if (v == nullptr) return;
        const auto root = alias_.find(v);
        if (root != alias_.end()) alias_.emplace(a.targets[0].get(), root->second);
        else if (outside(v)) alias_.emplace(a.targets[0].get(), v);
    }
    void read(const VarNode* v) {
        const auto root = alias_.find(v);
        flow.read.insert(root != alias_.end() ? root->second : v);
    }
    void use(const Node& node) {
        if (const auto* v = as<VarNode>(&node)) {
            live(v);
            read(v);
            return;
        }
        const auto* c = as<CallNode>(&node);
        if (c == nullptr) {
            for_each_child(node, [this](const Node& child) { use(child); }, [](const Node&) {});
            return;
        }
        const std::size_t slot = destination(*c);
        for (std::size_t i = 0; i < c->args.size(); ++i) {
            const auto* v = as<VarNode>(c->args[i]);
            if (i == slot && v != nullptr) live(v);
            else use(*c->args[i]);
        }
        for (const KeyValue& k : c->kwargs) use(*k.value);
        for (const KeyValue& k : c->attrs) use(*k.value);
        const bool store = c->is_op("tile.store") && c->args.size() >= 3;
        const auto* written = store                                               ? as<VarNode>(c->args[2])
                              : c->is_op("tensor.assemble") && !c->args.empty() ? as<VarNode>(c->args[0])
                                                                                  : nullptr;
        if (written == nullptr || carried_.count(written) != 0 || !outside(written)) return;
        if (!store) flow.assembled.insert(written);
        else if (stored_.insert(written).second) flow.stored.push_back(written);
    }

    const std::unordered_set<const VarNode*>& carried_;
    const std::unordered_set<const VarNode*>& global_;
    std::unordered_set<const VarNode*> defined_, live_, stored_;
    std::unordered_map<const VarNode*, const VarNode*> alias_; ///< a name for a destination: the destination
};

} // namespace

ScopeFlow scope_flow(const SeqNode& body, const std::unordered_set<const VarNode*>& carried,
                     const std::unordered_set<const VarNode*>& global) {
    Flow f(carried, global);
    f.visit(body);
    for_each_stmt(body, [&](const StmtNode& s) {
        const auto* a = as<AssignNode>(&s);
        const auto* c = a != nullptr && a->targets.size() == 1 ? as<CallNode>(a->value) : nullptr;
        if (c == nullptr || !c->is_op("tile.store") || c->args.size() < 3) return;
        const auto* target = as<VarNode>(c->args[2]);
        if (target != nullptr && std::find(f.flow.stored.begin(), f.flow.stored.end(), target) != f.flow.stored.end()) {
            f.flow.names_store.emplace(a->targets[0].get(), target);
        }
    });
    return std::move(f.flow);
}

LastUses::LastUses(const FunctionNode& function) {
    if (function.body != nullptr) visit(*function.body);
}

void LastUses::visit(const Node& node) {
    for_each_child(
        node,
        [this](const Node& child) {
            if (const auto* v = as<VarNode>(&child)) last_[v] = ++now_;
            else visit(child);
        },
        [this](const Node& defined) { visit(defined); }); // its type may use variables
    if (StmtNode::is(node.kind)) end_[&node] = now_;
}

bool LastUses::used_after(const VarNode* var, const Node& stmt) const {
    const auto use = last_.find(var);
    const auto end = end_.find(&stmt);
    return use != last_.end() && end != end_.end() && use->second > end->second;
}

bool LastUses::anything_after(const Node& stmt) const {
    const auto end = end_.find(&stmt);
    return end != end_.end() && end->second < now_;
}

ReturnLineage::ReturnLineage(const SeqNode& body, const std::unordered_set<const VarNode*>& params, const ModuleNode* program)
    : params_(params), program_(program) {
    const auto carry = [this](const std::vector<IterArg>& args, const std::vector<Var>& results) {
        for (std::size_t i = 0; i < args.size(); ++i) {
            const auto* init = as<VarNode>(args[i].init);
            if (init == nullptr) continue;
            carried_from_[args[i].var.get()] = init;
            if (i < results.size() && as<TensorTypeNode>(results[i]->type) != nullptr) carried_from_[results[i].get()] = init;
        }
    };
    for_each_stmt(body, [&](const StmtNode& s) {
        if (const auto* a = as<AssignNode>(&s)) {
            if (a->targets.size() == 1) defined_.emplace(a->targets[0].get(), a->value.get());
            const auto* c = as<CallNode>(a->value);
            for (std::size_t i = 0; c != nullptr && a->targets.size() > 1 && i < a->targets.size(); ++i) {
                unpacked_.emplace(a->targets[i].get(), std::pair(c, i));
            }
        }
        if (const auto* f = as<ForNode>(&s)) carry(f->iter_args, f->results);
        if (const auto* w = as<WhileNode>(&s)) carry(w->iter_args, w->results);
    });
}

/// The argument of `call` that its result number `result` is.
const VarNode* ReturnLineage::answer(const CallNode& call, std::size_t result) const {
    if (const Expr* written = tile::written_operand(call)) return result == 0 ? as<VarNode>(*written) : nullptr;
    if (call.callee != CalleeKind::Function || program_ == nullptr) return nullptr;
    const FunctionNode* f = program_->find(call.op);
    if (f == nullptr || f->body == nullptr || f->body->stmts.empty()) return nullptr;
    const auto* ret = as<ReturnNode>(f->body->stmts.back());
    if (ret == nullptr || result >= ret->values.size()) return nullptr;
    const auto* value = as<VarNode>(ret->values[result]);
    if (value == nullptr) return nullptr;
    std::unordered_set<const VarNode*> params;
    for (const Param& p : f->params) params.insert(p.var.get());
    // A function's own results are not followed into the functions that it calls: kernels are called one level deep.
    const VarNode* from = ReturnLineage(*f->body, params, nullptr).origin(value);
    for (std::size_t i = 0; i < f->params.size() && i < call.args.size(); ++i) {
        if (f->params[i].var.get() == from) return as<VarNode>(call.args[i]);
    }
    return nullptr;
}

const VarNode* ReturnLineage::origin(const VarNode* value) const {
    std::unordered_set<const VarNode*> seen;
    while (value != nullptr && seen.insert(value).second) {
        if (params_.count(value) != 0) return value;
        if (const auto from = carried_from_.find(value); from != carried_from_.end()) {
            value = from->second;
            continue;
        }
        if (const auto part = unpacked_.find(value); part != unpacked_.end()) {
            value = answer(*part->second.first, part->second.second);
            continue;
        }
        const auto defined = defined_.find(value);
        if (defined == defined_.end()) return nullptr;
        const ExprNode* by = defined->second;
        if (const auto* v = as<VarNode>(by)) {
            value = v;
        } else if (const auto* get = as<TupleGetNode>(by)) {
            const auto* tuple = as<VarNode>(get->tuple);
            const auto whole = tuple != nullptr ? defined_.find(tuple) : defined_.end();
            const auto* c = whole != defined_.end() ? as<CallNode>(whole->second) : nullptr;
            value = c != nullptr && get->index >= 0 ? answer(*c, static_cast<std::size_t>(get->index)) : nullptr;
        } else {
            const auto* c = as<CallNode>(by);
            value = c != nullptr ? answer(*c, 0) : nullptr;
        }
    }
    return nullptr;
}

} // namespace ls::front
