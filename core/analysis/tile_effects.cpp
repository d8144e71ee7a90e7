#include "core/analysis/tile_effects.h"

#include <algorithm>
#include <string_view>

#include "core/analysis/tile_op_memory.h"
#include "core/ir/walk.h"
#include "core/support/checked.h"
#include "core/support/dtype.h"

namespace ls {

using namespace ir;

namespace {

bool is_tile(const Node* node) {
    const auto* var = as<VarNode>(node);
    return var != nullptr && as<TileTypeNode>(var->type) != nullptr;
}

void read_all(const Node& node, std::vector<const VarNode*>& into) {
    for (const VarNode* var : used_vars(node)) {
        if (is_tile(var)) into.push_back(var);
    }
}

bool is_pto(const CallNode& call) { return call.callee == CalleeKind::Op && call.op.rfind("pto.", 0) == 0; }

/// Operands written in outs(...): said by the form where the operation has one of its own, else the last.
std::vector<std::size_t> outs(const CallNode& call) {
    const auto* form = as<StringNode>(call.attr("form"));
    if (form == nullptr) return call.args.size() < 2 ? std::vector<std::size_t>{} : std::vector{call.args.size() - 1};
    std::vector<std::size_t> found;
    const std::size_t begin = form->value.find("outs(");
    const std::size_t end = begin == std::string::npos ? begin : std::min(form->value.find(':', begin), form->value.find(')', begin));
    for (std::size_t i = begin; i < std::min(end, form->value.size()); ++i) {
        if (form->value[i] != '$') continue;
        std::size_t index = 0, at = i + 1;
        for (; at < form->value.size() && form->value[at] >= '0' && form->value[at] <= '9' && index < 1000; ++at) {
            index = index * 10 + static_cast<std::size_t>(form->value[at] - '0');
        }
        if (at > i + 1 && index < call.args.size()) found.push_back(index);
    }
    return found;
}

/// Writes a part of its destination.
bool writes_in_part(std::string_view op) {
    return op.find("insert") != std::string_view::npos || op.find("scatter") != std::string_view::npos || op == "pto.tassign";
}

void pto_effects(const CallNode& call, bool has_result, TileEffects& effects) {
    const std::vector<std::size_t> written = has_result ? std::vector<std::size_t>{} : outs(call);
    for (std::size_t i = 0; i < call.args.size(); ++i) {
        const bool out = std::find(written.begin(), written.end(), i) != written.end();
        if (out && is_tile(call.args[i].get())) {
            (writes_in_part(call.op) ? effects.changes : effects.writes).push_back(as<VarNode>(call.args[i]));
        } else if (!out) {
            read_all(*call.args[i], effects.reads);
        }
    }
}

} // namespace

TileEffects tile_effects(const StmtNode& stmt) {
    TileEffects effects;
    switch (stmt.kind) {
    case NodeKind::Assign: {
        const auto& assign = static_cast<const AssignNode&>(stmt);
        const auto* call = as<CallNode>(assign.value);
        if (call != nullptr && call->is_op("pto.alloc_tile")) return effects; // nothing is in it yet
        if (call != nullptr && is_pto(*call)) {
            pto_effects(*call, true, effects);
        } else {
            read_all(*assign.value, effects.reads);
        }
        for (const Var& target : assign.targets) {
            if (is_tile(target.get())) effects.writes.push_back(target.get());
        }
        break;
    }
    case NodeKind::Eval: {
        const auto& value = static_cast<const EvalNode&>(stmt).value;
        const auto* call = as<CallNode>(value);
        if (call != nullptr && is_pto(*call)) {
            pto_effects(*call, false, effects);
        } else {
            read_all(*value, effects.reads);
        }
        break;
    }
    case NodeKind::If: read_all(*static_cast<const IfNode&>(stmt).condition, effects.reads); break;
    case NodeKind::For:
        for (const IterArg& a : static_cast<const ForNode&>(stmt).iter_args) {
            read_all(*a.init, effects.reads);
            if (is_tile(a.var.get())) effects.writes.push_back(a.var.get());
        }
        break;
    case NodeKind::While:
        for (const IterArg& a : static_cast<const WhileNode&>(stmt).iter_args) {
            read_all(*a.init, effects.reads);
            if (is_tile(a.var.get())) effects.writes.push_back(a.var.get());
        }
        break;
    case NodeKind::With:
    case NodeKind::Seq: break;
    default: read_all(stmt, effects.reads);
    }
    return effects;
}

const VarNode* same_bytes(const AssignNode& assign) {
    if (assign.targets.size() != 1 || !is_tile(assign.targets[0].get())) return nullptr;
    if (is_tile(assign.value.get())) return as<VarNode>(assign.value);
    const auto* call = as<CallNode>(assign.value);
    if (call == nullptr || call->args.empty()) return nullptr;
    if (is_pto(*call)) return is_tile(call->args[0].get()) ? as<VarNode>(call->args[0]) : nullptr;
    const TileOpMemory* op = tile_op_memory(call);
    const auto shared = op == nullptr ? std::nullopt : op->shares_with();
    return shared && *shared < call->args.size() && is_tile(call->args[*shared].get()) ? as<VarNode>(call->args[*shared]) : nullptr;
}

Numbers numbers_of(const FunctionNode& function) {
    Numbers numbers;
    for_each_stmt(*function.body, [&](const StmtNode& stmt) {
        const auto* assign = as<AssignNode>(&stmt);
        if (assign == nullptr || assign->targets.size() != 1) return;
        if (const auto value = constant(assign->value)) numbers[assign->targets[0].get()] = *value;
    });
    return numbers;
}

namespace {

std::optional<std::int64_t> number(const ExprNode* value, const Numbers& numbers) {
    if (const auto plain = constant(value)) return plain;
    const auto* var = as<VarNode>(value);
    const auto found = var == nullptr ? numbers.end() : numbers.find(var);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t packed_bytes(const TileTypeNode& tile) {
    const auto extents = constant_dims(tile.shape);
    const CheckedInt elems = extents ? checked_product(*extents) : CheckedInt{};
    const CheckedInt bit_count = elems && *elems > 0 ? checked_mul(*elems, bits(tile.dtype)) : CheckedInt{};
    return bit_count ? ceil_div(*bit_count, 8) : 0;
}

} // namespace

TileBytes tile_bytes(const VarNode& tile, const ExprNode* defined_by, const Numbers& numbers) {
    const auto& type = *as<TileTypeNode>(tile.type);
    TileBytes bytes;
    if (type.memref) {
        const MemRef& memref = *type.memref;
        bytes.base = memref.base.get();
        bytes.bytes = memref.size_bytes.value_or(packed_bytes(type));
        bytes.begin = memref.byte_offset == nullptr ? std::optional<std::int64_t>(0) : number(memref.byte_offset.get(), numbers);
        const auto* sum = as<BinaryNode>(memref.byte_offset);
        if (!bytes.begin && memref.slots && sum != nullptr && sum->op == BinaryOp::Add) {
            // Which slot is chosen at run time: it may be any.
            bytes.begin = number(sum->lhs.get(), numbers);
            bytes.bytes = checked_mul(bytes.bytes, *memref.slots).value_or(bytes.bytes);
        }
        return bytes;
    }
    bytes.bytes = packed_bytes(type);
    const auto* call = as<CallNode>(defined_by);
    if (call == nullptr || !call->is_op("pto.alloc_tile")) return bytes;
    if (const ExprNode* address = call->kwarg("addr")) bytes.begin = number(address, numbers);
    return bytes;
}

} // namespace ls
