#include "core/passes/memory/memory_reuse.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "core/analysis/tile_op_memory.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/memory/carried_buffers.h"
#include "core/passes/memory/memref.h"
#include "core/passes/memory/reuse_packing.h"
#include "core/passes/memory/space_plan.h"
#include "core/passes/memory/yield_buffers.h"
#include "core/support/checked.h"

namespace ls::memory {

using namespace ir;

namespace {

/// A member of a buffer that moves into `host`: as far from its begin as it was from its own buffer's first tile.
MemRef rebased(const MemRef& member, const MemRef& first, const MemRef& host) {
    const auto at = constant(member.byte_offset), from = constant(first.byte_offset);
    const CheckedInt distance = at && from ? checked_sub(*at, *from) : CheckedInt{};
    if (!distance || (*distance == 0 && member.size_bytes == host.size_bytes)) return host;
    MemRef moved = host;
    moved.byte_offset = add_bytes(host.byte_offset, const_int(*distance));
    moved.size_bytes = member.size_bytes;
    return moved;
}

Retypes shared_buffers(const ReuseLifetimes& lifetimes, const std::vector<std::vector<std::size_t>>& groups) {
    Retypes retypes;
    for (const auto& group : groups) {
        const MemRef& host = *memref_of(lifetimes.buffers[group.front()].first()->type);
        for (std::size_t i = 1; i < group.size(); ++i) {
            const BufferLife& life = lifetimes.buffers[group[i]];
            const MemRef& first = *memref_of(life.first()->type);
            for (const Var& member : life.members) {
                const bool is_first = member == life.first();
                retypes[member.get()] = with_memref(member->type, is_first ? host : rebased(*memref_of(member->type), first, host));
            }
        }
    }
    return retypes;
}

/// The mark that told the copies of a pipeline apart has done its work.
class DropStages final : public Mutator {
protected:
    Expr on_call(const Call& call) override {
        const Expr now = Mutator::on_call(call);
        const auto old = ref_as<CallNode>(now);
        if (old->attr("pipeline_membership") == nullptr) return now;
        auto plain = derive(old);
        plain->attrs.erase(std::remove_if(plain->attrs.begin(), plain->attrs.end(), [](const KeyValue& a) { return a.key == "pipeline_membership"; }),
                           plain->attrs.end());
        return seal(std::move(plain));
    }
};

Seq without_unused_allocations(const Seq& body) {
    std::unordered_set<const VarNode*> used;
    walk(*body, [&](const Node& node) {
        if (const auto* var = as<VarNode>(&node)) used.insert(base_of(memref_of(var->type)));
        return !TypeNode::is(node.kind);
    });
    const auto unused = [&](const Stmt& s) {
        const AssignNode* alloc = as_alloc(s);
        return alloc != nullptr && used.count(alloc->targets[0].get()) == 0;
    };
    if (std::none_of(body->stmts.begin(), body->stmts.end(), unused)) return body;
    auto now = derive(body);
    now->stmts.erase(std::remove_if(now->stmts.begin(), now->stmts.end(), unused), now->stmts.end());
    return seal(std::move(now));
}

/// Two tiles that the user put into one slot must not be needed together.
void check_declared(const FunctionNode& function, const ReuseLifetimes& lifetimes, const SharingRules& rules, std::vector<Diagnostic>& findings) {
    if (rules.pinned.empty()) return;
    std::map<std::pair<const VarNode*, std::int64_t>, std::vector<const VarNode*>> slots;
    for_each_stmt(*function.body, [&](const StmtNode& stmt) {
        const auto* assign = as<AssignNode>(&stmt);
        if (assign == nullptr || as<VarNode>(assign->value) != nullptr) return;
        const TileOpMemory* op = tile_op_memory(assign->value.get());
        if (op != nullptr && op->shares_with()) return; // the same bytes as its operand's, and meant to be
        for (const Var& target : assign->targets) {
            const MemRef* memref = memref_of(target->type);
            const auto offset = memref == nullptr ? std::nullopt : constant(memref->byte_offset);
            const VarNode* base = base_of(memref);
            if (offset && rules.pinned.count(base) != 0 && lifetimes.spans.count(target.get()) != 0) slots[{base, *offset}].push_back(target.get());
        }
    });
    for (auto& [slot, tiles] : slots) {
        std::stable_sort(tiles.begin(), tiles.end(), [&](const VarNode* a, const VarNode* b) { return lifetimes.spans.at(a).defined < lifetimes.spans.at(b).defined; });
        for (std::size_t i = 1; i < tiles.size(); ++i) {
            if (!lifetimes.spans.at(tiles[i - 1]).overlaps(lifetimes.spans.at(tiles[i]))) continue;
            findings.push_back(error_at(tiles[i]->span, "MEM_DECLARED",
                                        fmt::format("{} and {} are both put into one slot of \"{}\" and needed at the same time", tiles[i - 1]->name, tiles[i]->name, slot.first->name),
                                        "give them different slots, or buffers of their own"));
        }
    }
}

class Reuse final : public Mutator {
public:
    explicit Reuse(const Hardware& hardware) : hardware_(hardware) {}
    std::vector<Diagnostic> findings;

protected:
    Function on_function(const Function& function) override {
        if (function->function == FunctionKind::Orchestration) return function;
        const ReuseLifetimes lifetimes = reuse_lifetimes(*function);
        if (lifetimes.buffers.empty()) return function;
        SharingRules rules = sharing_rules(*function, hardware_);
        if (auto reserved = reserved_buffers(*function); reserved.ok()) {
            rules.reserved_end_bytes = reserved->end_bytes;
        } else {
            findings.push_back(std::move(reserved).error());
            return function;
        }
        check_declared(*function, lifetimes, rules, findings);
        const auto groups = pack_buffers(lifetimes, rules, hardware_, function->span, findings);
        const Retypes shared = shared_buffers(lifetimes, groups);
        Seq body = function->body;
        if (!shared.empty()) body = align_carried(apply_retypes(body, shared));
        body = apply_retypes(body, accumulators_into_place(body));
        body = follow_copies(move_yields(body, findings));
        body = DropStages().mutate(without_unused_allocations(body));
        if (body == function->body) return function;
        auto now = derive(function);
        now->body = body;
        return seal(std::move(now));
    }

private:
    const Hardware& hardware_;
};

} // namespace

PassResult memory_reuse(const Module& module, const PassContext& context) {
    Reuse reuse(*context.hardware);
    PassResult result;
    result.module = reuse.mutate(module);
    result.diagnostics = std::move(reuse.findings);
    const bool refused = std::any_of(result.diagnostics.begin(), result.diagnostics.end(), [](const Diagnostic& d) { return d.severity == Severity::Error; });
    if (refused) result.module = nullptr;
    return result;
}

} // namespace ls::memory
