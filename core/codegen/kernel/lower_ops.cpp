// Operations on tiles: the cube, moves, windows of tiles, and the table of the rest.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/codegen/kernel/lowering.h"

namespace ls::codegen {

namespace {

struct Box {
    std::int64_t rows = 1, cols = 1;
};
/// The inner box of a tile (spec/nz.md A.3); windows of boxed tiles begin and end at boxes.
Box box_of(const Tile& tile) {
    if (tile.slayout == ir::TileOrder::NoneBox) return {};
    if (tile.fractal_bytes == 1024) return {16, 16};
    const bool row = tile.slayout == ir::TileOrder::RowMajor;
    const std::int64_t inner = tile.fractal_bytes == 32 ? 2 : std::max<std::int64_t>(1, 256 / bits(tile.dtype));
    return row ? Box{16, inner} : Box{inner, 16};
}

/// pypto numbers comparisons and roundings in these orders, and also takes their names.
constexpr std::array<std::string_view, 6> kCompare{"eq", "ne", "lt", "le", "gt", "ge"};
constexpr std::array<std::string_view, 8> kRound{"NONE", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD", "CAST_RINT"};

template <std::size_t N>
std::optional<std::string_view> mode_name(const std::array<std::string_view, N>& names, const ir::Expr& value) {
    if (const auto number = value == nullptr ? std::nullopt : ir::constant(value)) {
        return *number >= 0 && *number < static_cast<std::int64_t>(N) ? std::optional(names[static_cast<std::size_t>(*number)]) : std::nullopt;
    }
    const auto* text = ir::as<ir::StringNode>(value);
    const auto* symbol = ir::as<ir::SymbolNode>(value);
    if (text == nullptr && symbol == nullptr) return std::nullopt;
    const std::string_view wanted = text != nullptr ? std::string_view(text->value) : symbol->last();
    const auto same = [&](std::string_view name) {
        return std::equal(name.begin(), name.end(), wanted.begin(), wanted.end(), [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
    };
    const auto found = std::find_if(names.begin(), names.end(), same);
    return found == names.end() ? std::nullopt : std::optional(*found);
}

bool is_tile_var(const ir::Expr& expr) {
    const auto* var = ir::as<ir::VarNode>(expr);
    return var != nullptr && ir::as<ir::TileTypeNode>(var->type) != nullptr;
}

} // namespace

Status Lowering::run_call(const ir::CallNode& call, const ir::VarNode* target, Body& out) {
    if (call.callee != ir::CalleeKind::Op) {
        return at(call, "CG_CALL", fmt::format("a kernel cannot call {}", call.op), "inline it (pl.inline), or call it from the host");
    }
    if (call.is_op("tile.alloc") || call.is_op("tile.create")) {
        return target != nullptr && ir::as<ir::TileTypeNode>(target->type) != nullptr ? declare(*target, out) : ok_status();
    }
    if (call.op.rfind("pld.", 0) == 0) {
        return at(call, "CG_DISTRIBUTED", fmt::format("{} needs other devices", call.op), "export the functions that work on this device's memory alone");
    }
    if (call.is_op("tile.load")) return load(call, target, out);
    if (call.is_op("tile.store")) return store(call, target, out);
    if (call.is_op("tensor.write")) return write_element(call, target, out);
    if (call.is_op("system.fence")) {
        out.push_back({Fence{true}, current_});
        return ok_status();
    }
    if (is_pipe_call(call)) return pipe_call(call, target, out);
    if (target == nullptr) return at(call, "CG_OP", fmt::format("{} without a result has no device form", call.op), "assign its result");
    if (call.is_op("tensor.read")) return read_element(call, *target, out);
    if (call.op.rfind("tile.matmul", 0) == 0 || call.op.rfind("tile.gemv", 0) == 0) return matmul(call, *target, out);
    if (call.is_op("tile.extract")) return extract(call, *target, out);
    if (call.is_op("tile.slice")) return slice(call, *target, out);
    if (call.is_op("tile.assemble")) return assemble(call, *target, out);
    if (call.is_op("tile.move")) {
        LS_TRY(const TileId from, operand(call, 0, out));
        LS_TRY(const TileId into, make_tile(*target, out));
        out.push_back({Move{from, into}, current_});
        return ok_status();
    }
    if (call.is_op("tile.transpose_view") || call.is_op("tile.reshape") || call.is_op("tile.reinterpret_view") || call.is_op("tile.set_validshape")) {
        const auto from = operand(call, 0, out);
        return from.ok() ? declare(*target, out) : Status(from.error());
    }
    return table_op(call, *target, out);
}

Status Lowering::matmul(const ir::CallNode& call, const ir::VarNode& target, Body& out) {
    const bool accumulates = call.is_op("tile.matmul_acc") || call.is_op("tile.gemv_acc");
    const bool biased = call.is_op("tile.matmul_bias") || call.is_op("tile.gemv_bias");
    if (!accumulates && !biased && !call.is_op("tile.matmul") && !call.is_op("tile.gemv")) {
        return at(call, "CG_OP", fmt::format("{} has no device instruction here", call.op), "lower it first, or export the other functions");
    }
    Matmul made{};
    const std::size_t first = accumulates ? 1 : 0;
    made.gemv = call.op.rfind("tile.gemv", 0) == 0;
    if (accumulates) {
        LS_TRY(made.accumulate, operand(call, 0, out));
    }
    LS_TRY(made.left, operand(call, first, out));
    LS_TRY(made.right, operand(call, first + 1, out));
    if (biased) {
        LS_TRY(made.bias, operand(call, 2, out));
    }
    LS_TRY(made.out, make_tile(target, out));
    LS_CHECK(on_cube(call, made.left, made.right, made.out));
    if (const auto* phase = ir::as<ir::StringNode>(call.kwarg("acc_phase")); phase != nullptr && phase->value != "unspecified") made.phase = phase->value;
    const ir::Expr start = accumulates ? argument(call, 3, "init_cond") : ir::Expr{};
    const auto* never = ir::as<ir::ConstBoolNode>(start);
    if (start == nullptr || ir::as<ir::NoneNode>(start) != nullptr || (never != nullptr && !never->value)) {
        out.push_back({std::move(made), current_});
        return ok_status();
    }
    // acc = condition ? l·r : acc + l·r
    LS_TRY(const Scalar condition, scalars_.lower(start, out));
    Branch choice{condition, {}, std::make_shared<Body>(), std::make_shared<Body>()};
    Matmul fresh = made;
    fresh.accumulate.reset();
    choice.then_body->push_back({std::move(fresh), current_});
    choice.else_body->push_back({std::move(made), current_});
    out.push_back({std::move(choice), current_});
    return ok_status();
}

/// The cube reads L0A and L0B and writes L0C, nothing else.
Status Lowering::on_cube(const ir::CallNode& call, TileId left, TileId right, TileId into) const {
    const auto refuse = [&](TileId id, std::string_view must) -> Status {
        const Tile& tile = kernel_.tiles[id];
        return at(call, "CG_MATMUL_SPACE", fmt::format("{} is in {}, but the cube takes it from {}", tile.name, ir::name(tile.space), must),
                  "run AutoTileMatmulL0, or move the operand with tile.extract or tile.move");
    };
    if (kernel_.tiles[left].space != ir::TileSpace::Left) return refuse(left, "Left (L0A)");
    if (kernel_.tiles[right].space != ir::TileSpace::Right) return refuse(right, "Right (L0B)");
    if (kernel_.tiles[into].space != ir::TileSpace::Acc) return refuse(into, "Acc (L0C)");
    return ok_status();
}

Status Lowering::extract(const ir::CallNode& call, const ir::VarNode& target, Body& out) {
    if (call.args.size() < 3) return at(call, "CG_OP", "tile.extract needs a row and a column", "see tile.extract");
    LS_TRY(const TileId from, operand(call, 0, out));
    LS_TRY(const TileId into, make_tile(target, out));
    LS_TRY(const Scalar row, scalars_.lower_index(call.args[1], out));
    LS_TRY(const Scalar col, scalars_.lower_index(call.args[2], out));
    LS_CHECK(check_window(call, kernel_.tiles[from], row, col));
    out.push_back({Extract{from, row, col, into}, current_});
    return ok_status();
}

Status Lowering::check_window(const ir::CallNode& call, const Tile& of, const Scalar& row, const Scalar& col) const {
    const Box box = box_of(of);
    const auto off = [](const Scalar& scalar, std::int64_t unit) { return scalar.value && (*scalar.value < 0 || *scalar.value % unit != 0); };
    if (off(row, box.rows) || off(col, box.cols)) {
        return at(call, "CG_WINDOW", fmt::format("the window of {} begins at ({}, {}), inside a {}x{} box", of.name, row.value ? fmt::to_string(*row.value) : "row",
                                                 col.value ? fmt::to_string(*col.value) : "column", box.rows, box.cols),
                  fmt::format("begin at a row that is a multiple of {} and a column that is a multiple of {}", box.rows, box.cols));
    }
    return ok_status();
}

/// tile.slice(tile, shape, offset[, valid_shape]): the same bytes, seen through a window.
Status Lowering::slice(const ir::CallNode& call, const ir::VarNode& target, Body& out) {
    LS_TRY(const TileId of, operand(call, 0, out));
    const std::vector<ir::Expr> offsets = elements_of(argument(call, 2, "offset"));
    if (offsets.size() != 2) return at(call, "CG_TYPE", fmt::format("a window of a tile has two offsets, here {}", offsets.size()), "run FlattenTileNdTo2D first");
    LS_TRY(const Scalar row, scalars_.lower_index(offsets[0], out));
    LS_TRY(const Scalar col, scalars_.lower_index(offsets[1], out));
    LS_CHECK(check_window(call, kernel_.tiles[of], row, col));
    if (kernel_.tiles[of].from_pipe) return at(call, "CG_OP", "a window of a pipe's slot has no device form here", "copy the slot with tile.move first");
    LS_TRY(const TileId view, make_tile(target, out, false));
    Tile& tile = kernel_.tiles[view];
    tile.address_bytes = kernel_.tiles[of].address_bytes;
    tile.buffer = kernel_.tiles[of].buffer;
    tile.window = true;
    out.push_back({Subview{of, row, col, view, elements_of(argument(call, 3, "valid_shape")).size() == 2}, current_});
    return ok_status();
}

/// tile.assemble(target, source, offset): the source goes into a window of the target, in place. L0C is written out with a
/// conversion (tinsert); other memories move into a view.
Status Lowering::assemble(const ir::CallNode& call, const ir::VarNode& target, Body& out) {
    LS_TRY(const TileId base, operand(call, 0, out));
    LS_TRY(const TileId source, operand(call, 1, out));
    const std::vector<ir::Expr> offsets = elements_of(argument(call, 2, "offset"));
    if (offsets.size() != 2) return at(call, "CG_TYPE", fmt::format("a window of a tile has two offsets, here {}", offsets.size()), "run FlattenTileNdTo2D first");
    LS_TRY(const TileId into, make_tile(target, out));
    LS_TRY(const Scalar row, scalars_.lower_index(offsets[0], out));
    LS_TRY(const Scalar col, scalars_.lower_index(offsets[1], out));
    const Tile from = kernel_.tiles[source];
    const Tile whole = kernel_.tiles[into];
    LS_CHECK(check_window(call, whole, row, col));
    if (kernel_.tiles[base].address_bytes != whole.address_bytes && kernel_.tiles[base].buffer != whole.buffer) out.push_back({Move{base, into}, current_});
    if (from.space == ir::TileSpace::Acc && whole.space == ir::TileSpace::Mat && bits(whole.dtype) == 16) {
        out.push_back({Insert{source, row, col, into}, current_});
        return ok_status();
    }
    Tile view = whole;
    view.name = names_.take("assemble_view");
    view.rows = from.rows;
    view.cols = from.cols;
    view.valid_rows = from.valid_rows;
    view.valid_cols = from.valid_cols;
    view.window = true;
    const TileId id = kernel_.tiles.size();
    kernel_.tiles.push_back(std::move(view));
    in_scope_.push_back(true);
    scopes_.back().push_back(id);
    out.push_back({Subview{into, row, col, id, true}, current_});
    out.push_back({Move{source, id}, current_});
    return ok_status();
}

Result<OpMode> Lowering::mode(const ir::CallNode& call, const TileOpInfo& op) const {
    OpMode made{op.mode, {}};
    const ir::Expr value = argument(call, call.args.size(), op.mode_key);
    switch (op.mode) {
    case OpMode::Kind::None: return made;
    case OpMode::Kind::Round:
    case OpMode::Kind::Compare: {
        const bool round = op.mode == OpMode::Kind::Round;
        if (value == nullptr && round) {
            made.value = "ROUND";
            return made;
        }
        const auto name = round ? mode_name(kRound, value) : mode_name(kCompare, value);
        if (!name) {
            return at(call, "CG_OP", fmt::format("{} of {} is not one that the instruction knows", op.mode_key, call.op),
                      fmt::format("use one of {}", round ? "none, rint, round, floor, ceil, trunc, odd" : "eq, ne, lt, le, gt, ge"));
        }
        made.value = *name;
        return made;
    }
    default: break;
    }
    const auto* truth = ir::as<ir::ConstBoolNode>(value);
    made.value = truth != nullptr && truth->value ? "true" : "false";
    if (op.mode == OpMode::Kind::HighPrecision && made.value == "false") made.kind = OpMode::Kind::None;
    return made;
}

Status Lowering::table_op(const ir::CallNode& call, const ir::VarNode& target, Body& out) {
    const TileOpInfo* op = find_tile_op(call.op);
    // An operation on two tiles that is given a number is the one on a tile and a number.
    if (op != nullptr && call.args.size() == 2 && is_tile_var(call.args[0]) && !is_tile_var(call.args[1]) && op->arguments.empty()) {
        if (const TileOpInfo* with_scalar = find_tile_op(call.op + "s")) op = with_scalar;
    }
    if (op == nullptr) {
        return at(call, "CG_OP", fmt::format("{} has no device instruction here", call.op), "lower it first, or export the other functions");
    }
    std::vector<ir::Expr> args;
    if (call.is_op("tile.full")) {
        args = {argument(call, 1, "value")};
    } else if (!op->arguments.empty()) {
        for (const char digit : op->arguments) args.push_back(argument(call, static_cast<std::size_t>(digit - '0'), ""));
    } else {
        for (const ir::Expr& arg : call.args) {
            if (ir::as<ir::TupleNode>(arg) == nullptr) args.push_back(arg); // a shape, which the result's type says
        }
    }
    const auto given = static_cast<std::int64_t>(args.size() - static_cast<std::size_t>(std::count(args.begin(), args.end(), nullptr)));
    if (given > op->arity || given < op->arity - op->optional || given != static_cast<std::int64_t>(args.size())) {
        return at(call, "CG_OP", fmt::format("{} has {} operands, the instruction {} takes {}", call.op, given, op->pto, op->arity), "see the operation's help");
    }
    TileOp made{std::string(op->pto), {}, 0, {}};
    LS_TRY(made.mode, mode(call, *op));
    if (made.mode.kind == OpMode::Kind::Binary && given < 2) made.mode = {};
    const auto* type = ir::as<ir::TileTypeNode>(target.type);
    for (const ir::Expr& arg : args) {
        if (is_tile_var(arg) || ir::as<ir::CallNode>(arg) != nullptr) {
            LS_TRY(const TileId id, tile(arg, out));
            made.in.push_back({id, {}});
            continue;
        }
        LS_TRY(Scalar value, scalars_.lower(arg, out));
        const bool compares = made.mode.kind == OpMode::Kind::Compare; // its result is a mask, of another type
        const DType element = compares && !made.in.empty() ? kernel_.tiles[*made.in.front().tile].dtype : type != nullptr ? type->dtype : value.dtype;
        if (op->integer_scalar) {
            value = scalars_.convert(value, DType::Int32, out);
        } else if (value.is_constant() || is_float(value.dtype) != is_float(element) || value.dtype == DType::Index) {
            value = scalars_.convert(value, element, out);
        }
        made.in.push_back({{}, scalars_.unbridged(value, out)});
    }
    LS_TRY(made.out, make_tile(target, out));
    out.push_back({std::move(made), current_});
    return ok_status();
}

} // namespace ls::codegen
