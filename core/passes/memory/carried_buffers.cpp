#include "core/passes/memory/carried_buffers.h"

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>

#include "core/analysis/tile_op_memory.h"
#include "core/ir/walk.h"
#include "core/passes/memory/memref.h"

namespace ls::memory {

using namespace ir;

namespace {

using Position = std::size_t;

/// Where a statement stands: positions [begin, end) in source order, and what encloses it.
struct Place {
    const StmtNode* stmt = nullptr;
    Position begin = 0, end = 0;
    const Place* body = nullptr; ///< the sequence that it is in; null at the top
};

struct Definition {
    enum class Kind : std::uint8_t { Assign, If, Loop, Carried } kind = Kind::Assign;
    const Place* place = nullptr; ///< of the statement that defines it
    std::size_t index = 0;        ///< among the results or carried values
};

/// Positions of all statements, definitions of all tiles, and where each buffer is touched.
class Map {
public:
    explicit Map(const SeqNode& body) { sequence(body, nullptr); }

    std::unordered_map<const VarNode*, Definition> definitions;
    std::vector<const Place*> in_order; ///< every statement, sequences left out

    /// Whether nobody touches `base` in the bodies around `place` behind it, up to and including the body of the
    /// nearest loop, or of `last` when that comes first.
    bool untouched_behind(const Place& place, const VarNode* base, const StmtNode* last) const {
        const auto found = touched_.find(base);
        for (const Place* at = &place; at != nullptr; at = at->body) {
            if (at->stmt == last && last != nullptr) return true;
            const NodeKind kind = at->stmt->kind;
            if (at != &place && (kind == NodeKind::For || kind == NodeKind::While)) return true;
            const Place* body = at->body;
            if (found == touched_.end() || body == nullptr || body->stmt->kind != NodeKind::Seq) continue;
            const auto next = std::lower_bound(found->second.begin(), found->second.end(), at->end);
            if (next != found->second.end() && *next < body->end) return false;
        }
        return true;
    }

    static bool inside(const Place& place, const StmtNode* stmt) {
        for (const Place* at = place.body; at != nullptr; at = at->body) {
            if (at->stmt == stmt) return true;
        }
        return false;
    }

private:
    Place* enter(const StmtNode& stmt, const Place* body) {
        return &places_.emplace_back(Place{&stmt, next_, next_, body});
    }

    void sequence(const SeqNode& seq, const Place* around) {
        Place* here = enter(seq, around);
        for (const Stmt& s : seq.stmts) statement(*s, here);
        here->end = next_;
    }

    void statement(const StmtNode& stmt, const Place* body) {
        if (const auto* seq = as<SeqNode>(&stmt)) return sequence(*seq, body);
        Place* here = enter(stmt, body);
        in_order.push_back(here);
        ++next_;
        const auto define_all = [&](const std::vector<Var>& vars, Definition::Kind kind) {
            for (std::size_t i = 0; i < vars.size(); ++i) define(*vars[i], kind, here, i);
        };
        if (const auto* assign = as<AssignNode>(&stmt)) {
            touch_all(*assign->value, here->begin);
            define_all(assign->targets, Definition::Kind::Assign);
        } else if (const auto* branch = as<IfNode>(&stmt)) {
            touch_all(*branch->condition, here->begin);
            define_all(branch->results, Definition::Kind::If);
            sequence(*branch->then_body, here);
            if (branch->else_body != nullptr) sequence(*branch->else_body, here);
        } else if (const auto* loop = as<ForNode>(&stmt)) {
            carried(loop->iter_args, loop->results, here);
            sequence(*loop->body, here);
        } else if (const auto* other = as<WhileNode>(&stmt)) {
            carried(other->iter_args, other->results, here);
            sequence(*other->body, here);
        } else if (const auto* with = as<WithNode>(&stmt)) {
            sequence(*with->body, here);
        } else {
            touch_all(stmt, here->begin);
        }
        here->end = next_;
    }

    void carried(const std::vector<IterArg>& args, const std::vector<Var>& results, const Place* here) {
        for (std::size_t i = 0; i < args.size(); ++i) {
            touch_all(*args[i].init, here->begin);
            define(*args[i].var, Definition::Kind::Carried, here, i);
        }
        for (std::size_t i = 0; i < results.size(); ++i) define(*results[i], Definition::Kind::Loop, here, i);
    }

    void define(const VarNode& var, Definition::Kind kind, const Place* place, std::size_t index) {
        if (as<TileTypeNode>(var.type) == nullptr) return;
        definitions[&var] = {kind, place, index};
        touch(var, place->begin);
    }

    void touch(const VarNode& var, Position at) {
        if (const VarNode* base = as<TileTypeNode>(var.type) != nullptr ? base_of(memref_of(var.type)) : nullptr) {
            std::vector<Position>& list = touched_[base];
            if (list.empty() || list.back() != at) list.push_back(at);
        }
    }

    void touch_all(const Node& node, Position at) {
        if (const auto* var = as<VarNode>(&node)) return touch(*var, at);
        for_each_child(node, [&](const Node& child) { touch_all(child, at); }, [](const Node&) {});
    }

    std::deque<Place> places_; ///< stay where they are
    std::unordered_map<const VarNode*, std::vector<Position>> touched_; ///< ascending
    Position next_ = 0;
};

template <class T>
const T* at_index(const std::vector<T>& list, std::size_t i) {
    return i < list.size() ? &list[i] : nullptr;
}

class Planner {
public:
    explicit Planner(const Seq& body) : map_(*body) {}

    Retypes carried() {
        for (const Place* place : map_.in_order) {
            const auto* loop = as<ForNode>(place->stmt);
            const YieldNode* yield = loop == nullptr ? nullptr : last_yield(loop->body);
            if (yield == nullptr) continue;
            for (std::size_t i = 0; i < std::min(loop->iter_args.size(), yield->values.size()); ++i) {
                const VarNode& var = *loop->iter_args[i].var;
                const auto planned = retypes_.find(&var);
                const Type& type = planned != retypes_.end() ? planned->second : var.type;
                const auto* tile = as<TileTypeNode>(type);
                if (tile == nullptr || !tile->memref) continue;
                move(yield->values[i], *tile->memref, tile->space);
            }
        }
        return std::move(retypes_);
    }

    Retypes accumulators() {
        for (const Place* place : map_.in_order) {
            if (const auto* branch = as<IfNode>(place->stmt)) join(*branch);
        }
        return std::move(retypes_);
    }

private:
    const VarNode* current_base(const VarNode& var) const {
        const auto planned = retypes_.find(&var);
        const Type& type = planned != retypes_.end() ? planned->second : var.type;
        return as<TileTypeNode>(type) == nullptr ? nullptr : base_of(memref_of(type));
    }

    bool plan(const VarNode& var, const MemRef& target, std::optional<TileSpace> space) {
        retypes_[&var] = with_memref(var.type, target, space);
        return true;
    }

    /// Plans to make `value` in `target`; false when something on the way forbids it.
    bool move(const Expr& value, const MemRef& target, std::optional<TileSpace> space) {
        const auto* var = as<VarNode>(value);
        if (var == nullptr) return false;
        if (current_base(*var) == base_of(&target) && base_of(&target) != nullptr) return true;
        const auto found = map_.definitions.find(var);
        if (found == map_.definitions.end() || !visiting_.insert(var).second) return false;
        const bool moved = move_defined(*var, found->second, target, space);
        visiting_.erase(var);
        return moved && plan(*var, target, space);
    }

    bool move_defined(const VarNode&, const Definition& def, const MemRef& target, std::optional<TileSpace> space) {
        const StmtNode* stmt = def.place->stmt;
        switch (def.kind) {
        case Definition::Kind::Assign: return move_assigned(def, target, space, true, nullptr);
        case Definition::Kind::If: {
            const auto* branch = as<IfNode>(stmt);
            const bool then_moved = move_yielded(branch->then_body, def.index, target, space);
            const bool else_moved = branch->else_body == nullptr || move_yielded(branch->else_body, def.index, target, space);
            return then_moved && else_moved;
        }
        case Definition::Kind::Loop: {
            const auto* loop = as<ForNode>(stmt);
            if (loop == nullptr || !move_yielded(loop->body, def.index, target, space)) return false;
            const IterArg* arg = at_index(loop->iter_args, def.index);
            if (arg == nullptr) return true;
            if (as<VarNode>(arg->init) != nullptr && !move(arg->init, target, space)) return false;
            return plan(*arg->var, target, space);
        }
        case Definition::Kind::Carried: break;
        }
        const auto* loop = as<ForNode>(stmt);
        const IterArg* arg = loop == nullptr ? nullptr : at_index(loop->iter_args, def.index);
        return arg != nullptr && move(arg->init, target, space);
    }

    bool move_yielded(const Seq& body, std::size_t index, const MemRef& target, std::optional<TileSpace> space) {
        const YieldNode* yield = last_yield(body);
        const Expr* value = yield == nullptr ? nullptr : at_index(yield->values, index);
        return value != nullptr && move(*value, target, space);
    }

    bool move_assigned(const Definition& def, const MemRef& target, std::optional<TileSpace> space, bool ask_liveness,
                       const StmtNode* last) {
        const auto* assign = as<AssignNode>(def.place->stmt);
        const auto* call = as<CallNode>(assign->value);
        const TileOpMemory* op = tile_op_memory(assign->value.get());
        if (op == nullptr) return false;
        if (op->in_place) { // its result lies where that operand lies
            return *op->in_place < call->args.size() && move(call->args[*op->in_place], target, space);
        }
        if (op->output == OutputSpace::Inherit) {
            // A view may begin inside its operand; only this one is the whole operand.
            return call->is_op("tile.set_validshape") && !call->args.empty() &&
                   same_allocation(memref_of(call->args[0]), memref_of(assign->targets[0]->type)) &&
                   move(call->args[0], target, space);
        }
        if (call->kwarg("target_memory") != nullptr && target_memory(*call) != space) return false;
        if (const auto fixed = output_space(*op, *call); fixed && space && *fixed != *space) return false;
        const VarNode* base = base_of(&target);
        if (op->reads_while_writing && reads(*call, base)) return false;
        return !ask_liveness || map_.untouched_behind(*def.place, base, last);
    }

    static bool reads(const CallNode& call, const VarNode* base) {
        return std::any_of(call.args.begin(), call.args.end(), [&](const Expr& a) { return base_of(a) == base; });
    }

    bool adds_in_place(const VarNode& var) const {
        const auto found = map_.definitions.find(&var);
        if (found == map_.definitions.end() || found->second.kind != Definition::Kind::Assign) return false;
        const auto* assign = as<AssignNode>(found->second.place->stmt);
        const TileOpMemory* op = tile_op_memory(assign->value.get());
        const auto* call = as<CallNode>(assign->value);
        if (op == nullptr || !op->in_place || *op->in_place >= call->args.size()) return false;
        const Expr& into = call->args[*op->in_place];
        return tile_of(into) != nullptr && same_allocation(memref_of(var.type), memref_of(into));
    }

    void join(const IfNode& branch) {
        const YieldNode *a = last_yield(branch.then_body), *b = last_yield(branch.else_body);
        if (a == nullptr || b == nullptr) return;
        for (std::size_t i = 0; i < branch.results.size(); ++i) {
            const Expr *left = at_index(a->values, i), *right = at_index(b->values, i);
            const auto* x = left == nullptr ? nullptr : as<VarNode>(*left);
            const auto* y = right == nullptr ? nullptr : as<VarNode>(*right);
            if (x == nullptr || y == nullptr || adds_in_place(*x) == adds_in_place(*y)) continue;
            const VarNode& sum = adds_in_place(*x) ? *x : *y;
            const VarNode& start = adds_in_place(*x) ? *y : *x;
            const auto *sum_tile = as<TileTypeNode>(sum.type), *start_tile = as<TileTypeNode>(start.type);
            if (sum_tile == nullptr || start_tile == nullptr || !sum_tile->memref || !start_tile->memref) continue;
            if (sum_tile->space != TileSpace::Acc || same_allocation(&*sum_tile->memref, &*start_tile->memref)) continue;
            const auto def = map_.definitions.find(&start);
            if (def == map_.definitions.end() || def->second.kind != Definition::Kind::Assign) continue;
            // Only one branch runs, so what the other one and what follows the If read does not matter; what follows in
            // this branch does.
            if (as<CallNode>(as<AssignNode>(def->second.place->stmt)->value) == nullptr || !Map::inside(*def->second.place, &branch)) continue;
            if (!map_.untouched_behind(*def->second.place, base_of(&*sum_tile->memref), &branch)) continue;
            if (move_assigned(def->second, *sum_tile->memref, sum_tile->space, false, nullptr)) {
                plan(start, *sum_tile->memref, sum_tile->space);
            }
        }
    }

    Map map_;
    Retypes retypes_;
    std::set<const VarNode*> visiting_;
};

/// Straight code, and much of what is unrolled, has nothing to plan.
bool has(const Seq& body, NodeKind kind) {
    bool found = false;
    walk(*body, [&](const Node& node) {
        found = found || node.kind == kind;
        return !found && StmtNode::is(node.kind);
    });
    return found;
}

} // namespace

Retypes carried_into_place(const Seq& body) { return has(body, NodeKind::For) ? Planner(body).carried() : Retypes{}; }
Retypes accumulators_into_place(const Seq& body) { return has(body, NodeKind::If) ? Planner(body).accumulators() : Retypes{}; }

} // namespace ls::memory
