#include "core/passes/tile/expand_mixed_kernel.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/analysis/tile_op_memory.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"

namespace ls::tile {

using namespace ir;

namespace {

enum class Side : std::uint8_t { Any, Cube, Vector, Both };

struct OfSide {
    std::string_view op;
    Side side;
};

/// Operations whose side is their own, whatever memory they touch.
constexpr OfSide kSides[] = {
    {"tile.create", Side::Any},          {"tile.alloc", Side::Any},           {"tile.tpush_to_aiv", Side::Cube},
    {"tile.tpop_from_aiv", Side::Cube},  {"tile.tpush_to_aic", Side::Vector}, {"tile.tpop_from_aic", Side::Vector},
    {"system.tfree_to_aiv", Side::Cube}, {"system.tfree_to_aic", Side::Vector},
    {"system.aic_initialize_pipe", Side::Cube}, {"system.aiv_initialize_pipe", Side::Vector},
    {"tile.aiv_shard", Side::Both},      {"tile.aic_gather", Side::Both},     {"pld.tile.put", Side::Vector},
    {"pld.tile.get", Side::Vector},      {"pld.tensor.put", Side::Vector},    {"pld.tensor.get", Side::Vector},
};

Side side_of(TileSpace space) { return space == TileSpace::DDR || space == TileSpace::Vec ? Side::Vector : Side::Cube; }

std::optional<TileSpace> space_of(const Type& type) {
    const auto* tile = as<TileTypeNode>(type);
    return tile != nullptr ? tile->space : std::nullopt;
}

const TileTypeNode* first_tile(const CallNode& call) {
    for (const Expr& a : call.args) {
        const auto* v = as<VarNode>(a);
        if (const auto* tile = v == nullptr ? nullptr : as<TileTypeNode>(v->type)) return tile;
    }
    return nullptr;
}

/// core_type= of barriers and events: "aic", "aic_only", "aiv", "aiv_only"; anything else is for both.
Side said_by_core_type(const CallNode& call) {
    const auto* core = as<StringNode>(call.kwarg("core_type"));
    if (core == nullptr) return Side::Any;
    const std::string_view kind = std::string_view(core->value).substr(0, 3);
    return kind == "aic" ? Side::Cube : kind == "aiv" ? Side::Vector : Side::Any;
}

Side side_of(const CallNode& call, const VarNode* target) {
    if (call.callee != CalleeKind::Op) return Side::Any;
    const auto* fixed = std::find_if(std::begin(kSides), std::end(kSides), [&](const OfSide& s) { return s.op == call.op; });
    if (fixed != std::end(kSides)) return fixed->side;
    if (call.is_op("system.syncall") || call.is_op("system.sync_set") || call.is_op("system.sync_wait")) return said_by_core_type(call);
    const TileTypeNode* operand = first_tile(call);
    const std::optional<TileSpace> from = operand != nullptr ? operand->space : std::nullopt;
    if (call.is_op("tile.move")) {
        const Side source = from ? side_of(*from) : Side::Vector;
        const auto to = target_memory(call);
        return to && side_of(*to) != source ? Side::Both : source;
    }
    if (const auto made = target != nullptr ? space_of(target->type) : std::nullopt) return side_of(*made);
    if (from) return side_of(*from);
    return call.op.rfind("tile.", 0) == 0 && target != nullptr && as<TileTypeNode>(target->type) != nullptr ? Side::Vector : Side::Any;
}

Side both(Side a, Side b) {
    if (a == Side::Any || a == b) return b;
    return b == Side::Any ? a : Side::Both;
}

class Expand final : public Mutator {
public:
    std::vector<Diagnostic> findings;

protected:
    Function on_function(const Function& function) override {
        if (function->function != FunctionKind::InCore || function->body == nullptr) return function;
        Side all = Side::Any;
        const CallNode *cube = nullptr, *vector = nullptr;
        for_each_stmt(*function->body, [&](const StmtNode& stmt) {
            const auto* a = as<AssignNode>(&stmt);
            const auto* e = as<EvalNode>(&stmt);
            const auto* call = a != nullptr ? as<CallNode>(a->value) : e != nullptr ? as<CallNode>(e->value) : nullptr;
            if (call == nullptr) return;
            const Side side = side_of(*call, a != nullptr ? a->targets[0].get() : nullptr);
            if (side == Side::Cube && cube == nullptr) cube = call;
            if (side == Side::Vector && vector == nullptr) vector = call;
            all = both(all, side);
        });
        if (all == Side::Both) {
            findings.push_back(warning_at(function->span, "MIXED_KERNEL",
                                          fmt::format("{} works on both sides ({}), and dividing it into a cube and a vector kernel is not done here",
                                                      function->name,
                                                      cube != nullptr && vector != nullptr ? fmt::format("{} and {}", cube->op, vector->op)
                                                                                           : std::string("it moves tiles across")),
                                          "its memories and addresses are shown for the undivided kernel; put the two sides into functions of their own to see each"));
            return function;
        }
        auto n = derive(function);
        n->function = all == Side::Cube ? FunctionKind::AIC : FunctionKind::AIV;
        if (!function->level.empty()) n->level = name(n->function);
        return seal(std::move(n));
    }
};

} // namespace

PassResult expand_mixed_kernel(const Module& module, const PassContext&) {
    Expand expand;
    PassResult result;
    result.module = expand.mutate(module);
    result.diagnostics = std::move(expand.findings);
    return result;
}

} // namespace ls::tile
