// Tiles that go between the cube core and its vector cores, through slots of a buffer in global memory.
#include <algorithm>

#include <fmt/format.h>

#include "core/codegen/kernel/lowering.h"

namespace ls::codegen {

namespace {

constexpr std::string_view kPipeOps[]{"system.aic_initialize_pipe", "system.aiv_initialize_pipe", "system.import_peer_buffer", "system.reserve_buffer",
                                      "system.tfree_to_aic",        "system.tfree_to_aiv",        "tile.tpop_from_aic",        "tile.tpop_from_aiv",
                                      "tile.tpush_to_aic",          "tile.tpush_to_aiv"};

std::int64_t number(const ir::CallNode& call, std::string_view key, std::int64_t otherwise) {
    const ir::ExprNode* value = call.kwarg(key);
    const auto* integer = ir::as<ir::ConstIntNode>(value);
    return integer == nullptr ? otherwise : integer->value;
}

std::string text(const ir::CallNode& call, std::string_view key) {
    const auto* value = ir::as<ir::StringNode>(call.kwarg(key));
    return value == nullptr ? std::string() : value->value;
}

} // namespace

bool Lowering::is_pipe_call(const ir::CallNode& call) {
    return std::any_of(std::begin(kPipeOps), std::end(kPipeOps), [&](std::string_view op) { return call.is_op(op); });
}

Status Lowering::pipe_call(const ir::CallNode& call, const ir::VarNode* target, Body& out) {
    if (call.is_op("system.reserve_buffer") || call.is_op("system.import_peer_buffer")) {
        if (target == nullptr) return ok_status();
        SlotBuffer made{names_.take(target->name), text(call, "name"), {}, {}, text(call, "peer_func")};
        if (call.is_op("system.reserve_buffer")) {
            made.size_bytes = number(call, "size", 0);
            made.base = number(call, "base", 0);
        }
        scalars_.bind(*target, {made.result, {}, {}, DType::Int32, true});
        out.push_back({std::move(made), current_});
        return ok_status();
    }
    const std::int64_t split = number(call, "split", 0);
    splits_pipe_ = splits_pipe_ || split != 0;
    if (call.is_op("system.aic_initialize_pipe") || call.is_op("system.aiv_initialize_pipe")) {
        if (call.args.size() < 2) return at(call, "CG_OP", "a pipe needs the buffers of both directions", "see pl.system.aic_initialize_pipe");
        OpenPipe made;
        made.on_cube = call.is_op("system.aic_initialize_pipe");
        made.direction = number(call, "dir_mask", 1);
        made.slot_bytes = number(call, "slot_size", 0);
        made.slots = number(call, "slot_num", 2);
        LS_TRY(made.to_vector, scalars_.lower(call.args[0], out));
        LS_TRY(made.to_cube, scalars_.lower(call.args[1], out));
        made.to_vector = scalars_.convert(made.to_vector, DType::Int32, out);
        made.to_cube = scalars_.convert(made.to_cube, DType::Int32, out);
        for (std::size_t i = 0; i < kernel_.tensors.size(); ++i) {
            if (kernel_.tensors[i].name == "__gm_pipe_buffer") made.memory = i;
        }
        out.push_back({std::move(made), current_});
        return ok_status();
    }
    if (call.is_op("tile.tpush_to_aiv") || call.is_op("tile.tpush_to_aic")) {
        LS_TRY(const TileId id, operand(call, 0, out));
        out.push_back({Push{id, call.is_op("tile.tpush_to_aiv"), split}, current_});
        return ok_status();
    }
    if (call.op.rfind("system.tfree", 0) == 0) {
        out.push_back({FreeSlot{call.is_op("system.tfree_to_aic"), split}, current_});
        return ok_status();
    }
    if (target == nullptr) return at(call, "CG_OP", "what a pipe gives must have a name", "assign it to a tile");
    LS_TRY(const TileId id, make_tile(*target, out, false));
    out.push_back({Pop{id, call.is_op("tile.tpop_from_aic"), split}, current_});
    return ok_status();
}

} // namespace ls::codegen
