#include "core/passes/tile/param_access.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "core/ir/walk.h"

namespace ls::tile {

using namespace ir;

namespace {

/// What an operation does with its operands, one letter each: r reads, w writes, b both, - neither; those behind the
/// last letter are read.
struct Access {
    std::string_view op;
    std::string_view operands;
    int answers = -1; ///< the operand that the result is
};

constexpr Access kAccess[] = {
    {"tile.store", "rrw", 2},
    {"tensor.assemble", "w", 0},
    {"tensor.write", "w", 0},
    {"tensor.slice", "-", 0},
    {"tensor.view", "-", 0},
    {"tensor.create", "", -1},
    {"pld.tile.remote_store", "rw", 1},
    {"pld.tile.put", "b", 0},
    {"pld.tile.get", "b", 0},
    {"pld.system.notify", "b", 0},
    {"pld.tensor.allreduce", "bb", 0},
    {"pld.tensor.allgather", "rbb", 1},
    {"pld.tensor.reduce_scatter", "bb", 0},
    {"pld.tensor.barrier", "b", 0},
    {"pld.tensor.broadcast", "bb", 0},
    {"pld.tensor.all_to_all", "rbb", 1},
    {"pld.tensor.all_to_all_v", "rbbrb", 1},
};

const Access* find_access(const CallNode& call) {
    if (call.callee != CalleeKind::Op) return nullptr;
    const auto* found = std::find_if(std::begin(kAccess), std::end(kAccess), [&](const Access& a) { return a.op == call.op; });
    return found == std::end(kAccess) ? nullptr : found;
}

/// The letter for one operand, with what keywords change about it.
char access_of(const CallNode& call, const Access* access, std::size_t operand) {
    if (access == nullptr) {
        const auto* mode = as<StringNode>(call.kwarg("mode"));
        const bool polls = call.is_op("system.syncall") && mode != nullptr && mode->value == "soft";
        return polls && operand == 0 ? 'b' : 'r';
    }
    if (operand >= access->operands.size()) return 'r';
    if (access->op == "pld.system.notify" && operand == 0) {
        // Adding to a signal reads it, setting one does not.
        const ExprNode* op = call.kwarg("op");
        const auto* named = as<ir::SymbolNode>(op);
        const bool sets = named != nullptr ? named->last() == "Set" : constant(op).value_or(0) != 0;
        return sets ? 'w' : 'b';
    }
    return access->operands[operand];
}

class Walk {
public:
    explicit Walk(const FunctionNode& function) : access_(function.params.size()) {
        for (std::size_t i = 0; i < function.params.size(); ++i) {
            if (as<TensorTypeNode>(function.params[i].var->type) != nullptr) origins_[function.params[i].var.get()] = {i};
        }
        // Values that loops carry back reach their beginning only in the second round; a third changes nothing.
        for (int round = 0; round < 2; ++round) {
            access_.assign(function.params.size(), {});
            visit(*function.body);
        }
    }
    std::vector<ParamAccess> take() { return std::move(access_); }

private:
    using Origins = std::vector<std::size_t>;

    static void merge(Origins& into, const Origins& from) {
        for (const std::size_t i : from) {
            if (std::find(into.begin(), into.end(), i) == into.end()) into.push_back(i);
        }
    }
    Origins alias(const Expr& value) const {
        if (const auto* v = as<VarNode>(value)) {
            const auto found = origins_.find(v);
            return found == origins_.end() ? Origins{} : found->second;
        }
        const auto* c = as<CallNode>(value);
        const Access* a = c != nullptr ? find_access(*c) : nullptr;
        if (a == nullptr || a->answers < 0 || static_cast<std::size_t>(a->answers) >= c->args.size()) return {};
        return alias(c->args[static_cast<std::size_t>(a->answers)]);
    }
    void bind(const Var& var, const Origins& origins) {
        if (!origins.empty() && as<TensorTypeNode>(var->type) != nullptr) merge(origins_[var.get()], origins);
    }
    void read_all(const Node& node) {
        for (const VarNode* v : used_vars(node)) {
            const auto found = origins_.find(v);
            if (found == origins_.end()) continue;
            for (const std::size_t i : found->second) access_[i].reads = true;
        }
    }
    void expression(const Expr& value) {
        if (value == nullptr) return;
        const auto* c = as<CallNode>(value);
        if (c == nullptr) {
            if (value->kind == NodeKind::Tuple) {
                for (const Expr& e : static_cast<const TupleNode&>(*value).elements) expression(e);
            } else if (value->kind != NodeKind::Var) {
                read_all(*value);
            }
            return;
        }
        const Access* access = find_access(*c);
        for (std::size_t i = 0; i < c->args.size(); ++i) {
            const char letter = access_of(*c, access, i);
            if (letter == 'r' || letter == 'b') read_all(*c->args[i]);
            if (letter != 'w' && letter != 'b') continue;
            for (const std::size_t p : alias(c->args[i])) {
                access_[p].writes = true;
                const bool bulk = c->op == "tile.store" || c->op == "tensor.assemble";
                const CallNode*& first = bulk ? access_[p].bulk_store : access_[p].scalar_store;
                if ((bulk || c->op == "tensor.write") && first == nullptr) first = c;
            }
        }
        for (const KeyValue& k : c->kwargs) read_all(*k.value);
    }
    void visit(const Node& node) {
        switch (node.kind) {
        case NodeKind::Seq:
            for (const Stmt& s : static_cast<const SeqNode&>(node).stmts) visit(*s);
            break;
        case NodeKind::Assign: {
            const auto& a = static_cast<const AssignNode&>(node);
            expression(a.value);
            if (a.targets.size() == 1) bind(a.targets[0], alias(a.value));
            break;
        }
        case NodeKind::Eval: expression(static_cast<const EvalNode&>(node).value); break;
        case NodeKind::With: visit(*static_cast<const WithNode&>(node).body); break;
        case NodeKind::For: {
            const auto& f = static_cast<const ForNode&>(node);
            for (const Expr* e : {&f.start, &f.stop, &f.step}) {
                if (*e != nullptr) read_all(**e);
            }
            loop(f.iter_args, f.results, *f.body);
            break;
        }
        case NodeKind::While: {
            const auto& w = static_cast<const WhileNode&>(node);
            loop(w.iter_args, w.results, *w.body);
            read_all(*w.condition);
            break;
        }
        case NodeKind::If: {
            const auto& i = static_cast<const IfNode&>(node);
            read_all(*i.condition);
            for (const Seq* body : {&i.then_body, &i.else_body}) {
                if (*body == nullptr) continue;
                visit(**body);
                yielded(**body, i.results);
            }
            break;
        }
        default: break; // returns and yields hand on, they do not read
        }
    }
    void loop(const std::vector<IterArg>& args, const std::vector<Var>& results, const SeqNode& body) {
        for (const IterArg& a : args) bind(a.var, alias(a.init));
        visit(body);
        std::vector<Var> carried;
        for (const IterArg& a : args) carried.push_back(a.var);
        yielded(body, carried);
        for (std::size_t i = 0; i < results.size() && i < args.size(); ++i) bind(results[i], alias(args[i].var));
    }
    void yielded(const SeqNode& body, const std::vector<Var>& to) {
        if (body.stmts.empty()) return;
        if (const auto* w = as<WithNode>(body.stmts.back())) return yielded(*w->body, to);
        const auto* y = as<YieldNode>(body.stmts.back());
        if (y == nullptr) return;
        for (std::size_t i = 0; i < to.size() && i < y->values.size(); ++i) bind(to[i], alias(y->values[i]));
    }

    std::vector<ParamAccess> access_;
    std::unordered_map<const VarNode*, Origins> origins_;
};

} // namespace

std::vector<ParamAccess> param_access(const FunctionNode& function) { return Walk(function).take(); }

const Expr* written_operand(const CallNode& call) {
    const Access* a = find_access(call);
    if (a == nullptr || a->answers < 0 || static_cast<std::size_t>(a->answers) >= call.args.size()) return nullptr;
    const auto operand = static_cast<std::size_t>(a->answers);
    const char letter = access_of(call, a, operand);
    return letter == 'w' || letter == 'b' ? &call.args[operand] : nullptr;
}

} // namespace ls::tile
