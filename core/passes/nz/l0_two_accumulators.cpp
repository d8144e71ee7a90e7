// Pipelines written by hand that multiply a panel that stays by one that moves: with two accumulators the drain of one
// product runs beside the next product.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

#include "core/ir/walk.h"
#include "core/passes/nz/l0_index.h"
#include "core/passes/nz/l0_loops.h"
#include "core/support/checked.h"

namespace ls::nz {

using namespace ir;

namespace {

// Where a second accumulator was measured to pay: draining to global memory takes long, to Mat it does not.
constexpr std::int64_t kMinTripsToGlobal = 4;
constexpr std::int64_t kMinTripsToMat = 8;
constexpr std::int64_t kMinAccPartToMat = 4; ///< the accumulator takes at least this part of L0C

std::int64_t stages_of(const ForNode& loop) {
    for (const KeyValue& k : loop.kwargs) {
        if (k.key == "stage") return constant(k.value).value_or(0);
    }
    return 0;
}

bool has_attr(const ForNode& loop, std::string_view key) {
    return std::any_of(loop.attrs.begin(), loop.attrs.end(), [&](const KeyValue& a) { return a.key == key; });
}

bool in_acc(const Expr& value) {
    const TileTypeNode* tile = tile_of(value);
    return tile != nullptr && tile->space == TileSpace::Acc;
}

std::optional<std::int64_t> acc_bytes(const TileTypeNode& tile, const Hardware& hardware) {
    const auto dims = constant_dims(tile.shape);
    const auto bytes = dims ? acc_physical_bytes(*dims, tile.dtype, &hardware) : std::nullopt;
    if (!bytes) return {};
    const auto memory = hardware.memories.find(TileSpace::Acc);
    return memory == hardware.memories.end() ? bytes : align_up(*bytes, memory->second.align_bytes);
}

struct Candidate {
    const ForNode* loop = nullptr;
    std::int64_t bytes = 0, trips = 0;
    bool to_mat = false;

    bool pays(std::int64_t l0c_bytes) const {
        if (!to_mat) return trips >= kMinTripsToGlobal;
        return trips >= kMinTripsToMat && bytes >= ceil_div(l0c_bytes, kMinAccPartToMat);
    }
};

class Reader {
public:
    Reader(const ForNode& loop, const L0Index& index, const Hardware& hardware)
        : loop_(loop), index_(index), hardware_(hardware) {}

    std::optional<Candidate> read() {
        const auto start = constant(loop_.start), stop = constant(loop_.stop), step = constant(loop_.step);
        const std::int64_t stages = stages_of(loop_);
        if (loop_.loop != LoopKind::Pipeline || stages < 2 || !start || !stop || !step || *step <= 0 ||
            loop_.body == nullptr || has_attr(loop_, "pipeline_overlap_stores") ||
            has_attr(loop_, "pipeline_double_buffer_c"))
            return {};
        const auto length = checked_sub(*stop, *start);
        const std::int64_t trips = !length || *length <= 0 ? 0 : ceil_div(*length, *step);
        if (trips < stages || trips % stages != 0) return {};
        if (!read_body() || !panel_moves() || !drains_once()) return {};
        const auto bytes = acc_bytes(*tile_of(product_->targets[0]), hardware_);
        return bytes ? std::optional(Candidate{&loop_, *bytes, trips, to_mat_}) : std::nullopt;
    }

private:
    /// One product of L0 panels and no other accumulator, in a body without branches and loops.
    bool read_body() {
        for (const Stmt& stmt : loop_.body->stmts) {
            const NodeKind kind = stmt->kind;
            if (kind == NodeKind::For || kind == NodeKind::If || kind == NodeKind::While || kind == NodeKind::With)
                return false;
            if (kind == NodeKind::Yield) yield_ = as<YieldNode>(stmt);
            const auto* assign = as<AssignNode>(stmt);
            if (assign == nullptr || assign->targets.size() != 1) continue;
            made_.emplace(assign->targets[0].get(), assign);
            if (!in_acc(assign->targets[0])) continue;
            if (product_ != nullptr) return false;
            product_ = assign;
        }
        const auto* call = product_ == nullptr ? nullptr : as<CallNode>(product_->value);
        return call != nullptr && call->is_op("tile.matmul") && call->args.size() == 2 &&
               index_.uses(*product_->targets[0]) == 1;
    }

    bool carried(const VarNode* v) const {
        return std::any_of(loop_.iter_args.begin(), loop_.iter_args.end(),
                           [&](const IterArg& a) { return a.var.get() == v; });
    }

    bool panel_moves() const {
        const auto& call = static_cast<const CallNode&>(*product_->value);
        const auto a = static_extents(tile_of(call.args[0]), {TileSpace::Left});
        const auto b = static_extents(tile_of(call.args[1]), {TileSpace::Right});
        const auto c = static_extents(tile_of(product_->targets[0]), {TileSpace::Acc});
        if (!a || !b || !c || a->cols != b->rows || c->rows != a->rows || c->cols != b->cols) return false;
        const std::array panels{as<VarNode>(call.args[0]), as<VarNode>(call.args[1])};
        const std::array moves{made_.contains(panels[0]), made_.contains(panels[1])};
        if (moves[0] == moves[1]) return false;
        const auto* brought = as<CallNode>(made_.at(panels[moves[0] ? 0 : 1])->value);
        const TileTypeNode* from = brought == nullptr || brought->args.empty() ? nullptr : tile_of(brought->args[0]);
        return from != nullptr && from->space == TileSpace::Mat &&
               (brought->is_op("tile.extract") || brought->is_op("tile.move")) && !carried(panels[moves[0] ? 1 : 0]);
    }

    /// tile.store or tile.assemble of the product into a carried value, and that yielded in its place.
    bool drains_once() {
        const AssignNode* drain = nullptr;
        for (const Stmt& stmt : loop_.body->stmts) {
            const auto* assign = as<AssignNode>(stmt);
            const auto* eval = as<EvalNode>(stmt);
            const auto* call = as<CallNode>(assign != nullptr ? assign->value : eval != nullptr ? eval->value : Expr{});
            if (call == nullptr ||
                !(call->is_op("tile.store") || call->is_op("tile.assemble") || call->is_op("tile.write")))
                continue;
            if (drain != nullptr || assign == nullptr || call->args.size() != 3) return false;
            drain = assign;
        }
        if (drain == nullptr || yield_ == nullptr || yield_->values.size() != loop_.iter_args.size()) return false;
        const auto& call = static_cast<const CallNode&>(*drain->value);
        to_mat_ = call.is_op("tile.assemble");
        const Expr& source = call.args[to_mat_ ? 1 : 0];
        const Expr& into = call.args[to_mat_ ? 0 : 2];
        if (source != product_->targets[0] || index_.uses(*drain->targets[0]) != 1) return false;
        if (to_mat_ && (tile_of(into) == nullptr || tile_of(into)->space != TileSpace::Mat)) return false;
        for (std::size_t i = 0; i < yield_->values.size(); ++i) {
            if (yield_->values[i] != drain->targets[0]) continue;
            const Var& argument = loop_.iter_args[i].var;
            return into == argument && index_.uses(*argument) == 1;
        }
        return false;
    }

    const ForNode& loop_;
    const L0Index& index_;
    const Hardware& hardware_;
    std::unordered_map<const VarNode*, const AssignNode*> made_;
    const AssignNode* product_ = nullptr;
    const YieldNode* yield_ = nullptr;
    bool to_mat_ = false;
};

/// Bytes of all accumulators of a function as if none shared its place with another, those that pipelines repeat once
/// for each stage; nothing when one of them cannot be counted.
class Footprint {
public:
    explicit Footprint(const Hardware& hardware) : hardware_(hardware) {}

    std::optional<std::int64_t> of(const FunctionNode& function) {
        if (function.body != nullptr) add(*function.body, 1, false);
        return known_ ? std::optional(total_) : std::nullopt;
    }

private:
    void add(const Node& node, std::int64_t copies, bool doubled) {
        if (const auto* loop = as<ForNode>(&node); loop != nullptr && loop->loop == LoopKind::Pipeline) {
            const std::int64_t stages = stages_of(*loop);
            const CheckedInt more = stages <= 0 ? std::nullopt : checked_mul(copies, stages);
            known_ = known_ && more.has_value();
            copies = more.value_or(1);
            doubled = doubled || has_attr(*loop, "pipeline_double_buffer_c");
        }
        std::int64_t of_targets = 1;
        if (const auto* assign = as<AssignNode>(&node)) {
            const auto* call = as<CallNode>(assign->value);
            // The cube computes its products one after the other; they are not repeated.
            const bool product = call != nullptr && call->op.compare(0, 11, "tile.matmul") == 0;
            if (!product || doubled) of_targets = copies;
        }
        for_each_child(
            node,
            [&](const Node& child) {
                if (const auto* v = as<VarNode>(&child))
                    record(*v, 1);
                else if (!TypeNode::is(child.kind))
                    add(child, copies, doubled);
            },
            [&](const Node& definition) {
                if (const auto* v = as<VarNode>(&definition)) record(*v, of_targets);
            });
    }

    void record(const VarNode& v, std::int64_t copies) {
        const auto* tile = as<TileTypeNode>(v.type);
        if (!known_ || tile == nullptr || tile->space != TileSpace::Acc) return;
        std::int64_t& had = copies_[&v];
        if (copies <= had) return;
        const auto bytes = acc_bytes(*tile, hardware_);
        const CheckedInt more = bytes ? checked_mul(*bytes, copies - had) : std::nullopt;
        const CheckedInt sum = more ? checked_add(total_, *more) : std::nullopt;
        known_ = sum.has_value();
        total_ = sum.value_or(0);
        had = copies;
    }

    const Hardware& hardware_;
    bool known_ = true;
    std::int64_t total_ = 0;
    std::unordered_map<const VarNode*, std::int64_t> copies_;
};

} // namespace

std::unordered_set<const StmtNode*> pipelines_for_two_accumulators(const FunctionNode& function,
                                                                   const Hardware& hardware) {
    const std::int64_t l0c_bytes = hardware.capacity_bytes(TileSpace::Acc).value_or(0);
    const L0Index index(function);
    std::vector<Candidate> candidates;
    for_each_stmt(function, [&](const StmtNode& stmt) {
        const auto* loop = as<ForNode>(&stmt);
        if (loop == nullptr) return;
        const auto candidate = Reader(*loop, index, hardware).read();
        if (candidate && candidate->pays(l0c_bytes)) candidates.push_back(*candidate);
    });
    if (candidates.empty()) return {};
    std::optional<std::int64_t> worst = Footprint(hardware).of(function);
    for (const Candidate& c : candidates) worst = worst ? checked_add(*worst, c.bytes) : std::nullopt;
    if (!worst || *worst > l0c_bytes) return {};
    std::unordered_set<const StmtNode*> loops;
    for (const Candidate& c : candidates) loops.insert(c.loop);
    return loops;
}

} // namespace ls::nz
