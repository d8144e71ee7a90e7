#include "core/passes/tile/canonicalize_io_order.h"

#include <algorithm>
#include <charconv>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"

namespace ls::tile {

using namespace ir;

namespace {

enum class Kind : std::uint8_t { Scalar, Load, Compute, Store };

/// What the enclosing pipeline asks of its stores.
struct Policy {
    bool overlap_stores = true;    ///< stores may fall behind the next stage's computing
    bool two_accumulators = false; ///< two stages compute before either is stored
};

const CallNode* call_of(const StmtNode& s) {
    if (const auto* a = as<AssignNode>(&s)) return as<CallNode>(a->value);
    const auto* e = as<EvalNode>(&s);
    return e != nullptr ? as<CallNode>(e->value) : nullptr;
}

/// From L1 to L0: the products' operands are brought in by it.
bool brings_operand(const CallNode& c) {
    if (!c.is_op("tile.extract") || c.args.empty()) return false;
    const auto* v = as<VarNode>(c.args[0]);
    const auto* source = v != nullptr ? as<TileTypeNode>(v->type) : nullptr;
    const auto* to = as<ir::SymbolNode>(c.kwarg("target_memory"));
    return source != nullptr && source->space == TileSpace::Mat && to != nullptr && (to->last() == "Left" || to->last() == "Right");
}

Kind kind_of(const StmtNode& s, const Policy& policy) {
    const CallNode* c = call_of(s);
    const Kind store = policy.overlap_stores || policy.two_accumulators ? Kind::Store : Kind::Compute;
    const bool assigns = s.kind == NodeKind::Assign;
    if (c != nullptr && assigns && (c->is_op("tile.load") || c->is_op("tile.read"))) return Kind::Load;
    if (c != nullptr && (c->is_op("tile.store") || c->is_op("tile.write"))) return store;
    if (!assigns) return Kind::Compute;
    if (c != nullptr && policy.two_accumulators && c->is_op("tile.assemble")) return Kind::Store;
    if (c != nullptr && brings_operand(*c)) return Kind::Load;
    const auto& a = static_cast<const AssignNode&>(s);
    return a.targets.size() == 1 && as<ScalarTypeNode>(a.targets[0]->type) != nullptr ? Kind::Scalar : Kind::Compute;
}

bool ends_block(const StmtNode& s) {
    return s.kind == NodeKind::Yield || s.kind == NodeKind::Return || s.kind == NodeKind::Break || s.kind == NodeKind::Continue;
}

std::string membership(const CallNode& c) {
    const auto* m = as<StringNode>(c.attr("pipeline_membership"));
    return m != nullptr ? m->value : std::string();
}

/// "3:1;5:0": pipelines are lowered from the inside, so the innermost stands first.
std::optional<int> innermost_stage(std::string_view packed) {
    const std::size_t colon = packed.find(':');
    if (colon == std::string_view::npos) return {};
    const std::string_view digits = packed.substr(colon + 1, packed.find(';') - colon - 1);
    int stage = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), stage);
    return problem == std::errc{} && end == digits.data() + digits.size() ? std::optional(stage) : std::nullopt;
}

std::string with_innermost_stage(const std::string& packed, int stage) {
    const std::size_t colon = packed.find(':'), rest = packed.find(';');
    return packed.substr(0, colon + 1) + fmt::format("{}", stage) + (rest == std::string::npos ? "" : packed.substr(rest));
}

class Order final : public Mutator {
protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const auto loop = ref_as<ForNode>(stmt);
        const bool pipeline = loop != nullptr && loop->loop == LoopKind::Pipeline;
        const Policy saved = policy_;
        if (pipeline) {
            ++depth_;
            policy_ = {};
            for (const KeyValue& k : loop->attrs) {
                const auto* b = as<ConstBoolNode>(k.value);
                if (b != nullptr && k.key == "pipeline_overlap_stores") policy_.overlap_stores = b->value;
                if (b != nullptr && k.key == "pipeline_double_buffer_c") policy_.two_accumulators = b->value;
            }
        }
        Stmt now = Mutator::on_stmt(stmt);
        if (depth_ > 0) now = with_ordered_bodies(now);
        if (pipeline) {
            --depth_;
            policy_ = saved;
            auto n = derive(ref_as<ForNode>(now));
            n->origin = stmt;
            n->loop = LoopKind::Range;
            const auto drop = [](std::vector<KeyValue>& entries, std::string_view key) {
                entries.erase(std::remove_if(entries.begin(), entries.end(), [&](const KeyValue& k) { return k.key == key; }), entries.end());
            };
            drop(n->kwargs, "stage");
            drop(n->attrs, "pipeline_overlap_stores");
            drop(n->attrs, "pipeline_double_buffer_c");
            now = seal(std::move(n));
        }
        return now;
    }

private:
    Stmt with_ordered_bodies(const Stmt& stmt) {
        const auto change = [&](auto node, auto field) -> Stmt {
            const Seq& old = (*node).*field;
            if (old == nullptr) return node;
            const Seq now = ordered(old);
            if (now == old) return node;
            auto n = derive(node);
            n->origin = node->origin != nullptr ? node->origin : node;
            (*n).*field = now;
            return seal(std::move(n));
        };
        switch (stmt->kind) {
        case NodeKind::For: return change(ref_as<ForNode>(stmt), &ForNode::body);
        case NodeKind::While: return change(ref_as<WhileNode>(stmt), &WhileNode::body);
        case NodeKind::With: return change(ref_as<WithNode>(stmt), &WithNode::body);
        case NodeKind::If: {
            const Stmt first = change(ref_as<IfNode>(stmt), &IfNode::then_body);
            return change(ref_as<IfNode>(first), &IfNode::else_body);
        }
        default: return stmt;
        }
    }

    Seq ordered(const Seq& body) const {
        const std::vector<Stmt>& stmts = body->stmts;
        const bool has_end = !stmts.empty() && ends_block(*stmts.back());
        const std::size_t count = stmts.size() - (has_end ? 1 : 0);
        if (count < 2) return body;
        bool calls = false;
        std::vector<std::vector<std::size_t>> successors(count);
        std::vector<std::size_t> waiting(count, 0);
        std::unordered_map<const VarNode*, std::size_t> defined_at;
        std::unordered_map<const VarNode*, std::string> stage_of;
        for (std::size_t i = 0; i < count; ++i) {
            std::vector<const VarNode*> defines, uses;
            walk(*stmts[i], [&](const Node& node) {
                const auto* c = as<CallNode>(&node);
                calls = calls || (c != nullptr && c->callee == CalleeKind::Function);
                for_each_child(
                    node,
                    [&](const Node& child) {
                        if (const auto* v = as<VarNode>(&child)) uses.push_back(v);
                    },
                    [&](const Node& d) { defines.push_back(static_cast<const VarNode*>(&d)); });
                return true;
            });
            std::vector<std::size_t> from;
            for (const VarNode* v : uses) {
                const auto found = defined_at.find(v);
                if (found != defined_at.end()) from.push_back(found->second);
            }
            std::sort(from.begin(), from.end());
            from.erase(std::unique(from.begin(), from.end()), from.end());
            for (const std::size_t p : from) successors[p].push_back(i);
            waiting[i] = from.size();
            for (const VarNode* v : defines) defined_at[v] = i;
            const auto* a = as<AssignNode>(stmts[i]);
            const CallNode* c = call_of(*stmts[i]);
            if (a != nullptr && c != nullptr && a->targets.size() == 1 && !membership(*c).empty()) stage_of[a->targets[0].get()] = membership(*c);
        }
        if (calls) return body;

        using Key = std::tuple<int, std::string, int, int, int, std::size_t>; // tier, stage, pair, store last, stage in pair, place
        const auto key = [&](std::size_t i) -> Key {
            const Kind kind = kind_of(*stmts[i], policy_);
            if (kind == Kind::Scalar || kind == Kind::Load) {
                const int tier = kind == Kind::Scalar ? 0 : 1;
                return {tier, {}, policy_.two_accumulators ? -1 : 0, 0, policy_.two_accumulators ? -1 : 0, i};
            }
            const std::string stage = stage_key(*stmts[i], stage_of);
            const int last = kind == Kind::Store ? 1 : 0;
            if (!policy_.two_accumulators) return {2, stage, 0, last, 0, i};
            const auto number = innermost_stage(stage);
            return {2, {}, number ? *number / 2 : -1, last, number.value_or(-1), i};
        };
        std::vector<Key> keys;
        for (std::size_t i = 0; i < count; ++i) keys.push_back(key(i));
        const auto later = [&](std::size_t x, std::size_t y) { return keys[x] > keys[y]; };
        std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> ready(later);
        for (std::size_t i = 0; i < count; ++i) {
            if (waiting[i] == 0) ready.push(i);
        }
        std::vector<Stmt> out;
        while (!ready.empty()) {
            const std::size_t i = ready.top();
            ready.pop();
            out.push_back(policy_.two_accumulators ? in_pairs(stmts[i]) : stmts[i]);
            for (const std::size_t s : successors[i]) {
                if (--waiting[s] == 0) ready.push(s);
            }
        }
        if (has_end) out.push_back(stmts.back());
        if (out == stmts) return body;
        auto n = derive(body);
        n->stmts = std::move(out);
        return seal(std::move(n));
    }

    /// The stage of what the statement makes, else of the first tile that it reads.
    static std::string stage_key(const StmtNode& s, const std::unordered_map<const VarNode*, std::string>& stage_of) {
        const auto* a = as<AssignNode>(&s);
        if (a != nullptr && a->targets.size() == 1) {
            if (const auto own = stage_of.find(a->targets[0].get()); own != stage_of.end()) return own->second;
        }
        const CallNode* c = call_of(s);
        for (std::size_t i = 0; c != nullptr && i < c->args.size(); ++i) {
            const auto* v = as<VarNode>(c->args[i]);
            const auto found = v != nullptr ? stage_of.find(v) : stage_of.end();
            if (found != stage_of.end()) return found->second;
        }
        return {};
    }

    /// However many stages the operands have, there are two accumulators.
    static Stmt in_pairs(const Stmt& stmt) {
        const auto a = ref_as<AssignNode>(stmt);
        const auto c = a != nullptr && a->targets.size() == 1 ? ref_as<CallNode>(a->value) : Call{};
        const auto* tile = c != nullptr ? as<TileTypeNode>(a->targets[0]->type) : nullptr;
        if (tile == nullptr || tile->space != TileSpace::Acc || c->op.substr(0, 11) != "tile.matmul") return stmt;
        const std::string packed = membership(*c);
        const auto stage = innermost_stage(packed);
        if (!stage || *stage % 2 == *stage) return stmt;
        auto call = derive(c);
        for (KeyValue& k : call->attrs) {
            if (k.key == "pipeline_membership") k.value = string(with_innermost_stage(packed, *stage % 2));
        }
        auto n = derive(a);
        n->value = seal(std::move(call));
        return seal(std::move(n));
    }

    int depth_ = 0; ///< pipelined loops around
    Policy policy_;
};

} // namespace

PassResult canonicalize_io_order(const Module& module, const PassContext&) {
    Order order;
    return PassResult::unchanged(order.mutate(module));
}

} // namespace ls::tile
