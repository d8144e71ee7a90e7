#include "core/passes/nz/l0_tile_ops.h"

#include <algorithm>
#include <utility>

#include "core/passes/nz/l0_product.h"

namespace ls::nz {

using namespace ir;

namespace {

KeyValue memory_kwarg(TileSpace space, Span span) {
    return {"target_memory", symbol("pl.Mem." + std::string(name(space)), span)};
}

/// The type of a tile of which `valid` is valid; a view is written only where it says something.
Type typed(Box box, DType dtype, TileSpace space, std::vector<Expr> valid, std::optional<TileOrder> blayout = {},
           std::optional<CompactMode> compact = {}) {
    TileView view;
    const bool whole = valid.size() != 2 || (is_constant(valid[0], box.rows) && is_constant(valid[1], box.cols));
    if (!whole) view.valid_shape = std::move(valid);
    view.blayout = blayout;
    view.compact = compact;
    const bool says_something = !whole || blayout || compact;
    return tile_type(const_ints({box.rows, box.cols}), dtype, space,
                     says_something ? std::optional(std::move(view)) : std::nullopt);
}

std::vector<Expr> valid_of(const Var& tile) { return effective_view(*tile_of(tile)).valid_shape; }

Box box_of(const Var& tile) {
    const auto& shape = tile_of(tile)->shape;
    return {constant(shape[0]).value_or(0), constant(shape[1]).value_or(0)};
}

/// A product whose rows are valid only in part is laid out by the rows that are: the reader must be told (compact).
std::optional<CompactMode> compact_for(Box box, const Expr& valid_rows) {
    return is_constant(valid_rows, box.rows) ? std::nullopt : std::optional(CompactMode::Normal);
}

} // namespace

Type partly_valid_tile(Box box, DType dtype, TileSpace space, Expr valid_rows, Expr valid_cols, bool compact) {
    return typed(box, dtype, space, {std::move(valid_rows), std::move(valid_cols)}, {},
                 compact ? std::optional(CompactMode::Normal) : std::nullopt);
}

Expr window_valid(const Expr& valid, const Expr& offset, std::int64_t extent) {
    const auto v = constant(valid), o = constant(offset);
    if (v && o) return const_int(std::clamp<std::int64_t>(*v - *o, 0, extent));
    if (o == 0) return binary(BinaryOp::Min, valid, const_int(extent));
    // max first, so that unsigned extents do not go below zero
    return binary(BinaryOp::Min, binary(BinaryOp::Sub, binary(BinaryOp::Max, valid, offset), offset),
                  const_int(extent));
}

template <class T>
void TileOps::append(std::shared_ptr<T> node) {
    node->span = span();
    node->origin = origin_;
    out.push_back(seal(std::move(node)));
}

Seq TileOps::seq(std::vector<Stmt> stmts) const { return ir::seq(std::move(stmts), span()); }

Expr TileOps::sum(const Expr& a, const Expr& b) const {
    const auto x = constant(a), y = constant(b);
    if (x && y) return index(*x + *y);
    if (x == 0) return b;
    if (y == 0) return a;
    return binary(BinaryOp::Add, a, b, span());
}

Var TileOps::define(std::string op, std::vector<Expr> args, std::vector<KeyValue> kwargs, Type type, std::string name,
                    std::vector<KeyValue> attrs) {
    Var target = var(std::move(name), type, span());
    auto node = std::make_shared<AssignNode>();
    node->targets = {target};
    node->value = call(std::move(op), std::move(args), std::move(kwargs), std::move(attrs), std::move(type), span());
    append(std::move(node));
    return target;
}

Var TileOps::extract(const Var& source, const Expr& row, const Expr& col, Box box, TileSpace to, std::string name) {
    const TileTypeNode& from = *tile_of(source);
    std::vector<Expr> valid;
    const std::vector<Expr> outer = valid_of(source);
    const Box whole = box_of(source);
    if (outer.size() == 2 && !(is_constant(outer[0], whole.rows) && is_constant(outer[1], whole.cols))) {
        const auto part = [](const Expr& v, std::int64_t parent, const Expr& offset, std::int64_t extent) {
            return is_constant(v, parent) ? const_int(extent) : window_valid(v, offset, extent);
        };
        valid = {part(outer[0], whole.rows, row, box.rows), part(outer[1], whole.cols, col, box.cols)};
    }
    // TEXTRACT writes Left row by row of boxes on every chip; a window that is valid only in part is packed by what is.
    const auto order = to == TileSpace::Left ? std::optional(TileOrder::RowMajor) : std::nullopt;
    const bool whole_window = valid.empty() || (is_constant(valid[0], box.rows) && is_constant(valid[1], box.cols));
    const auto compact = whole_window ? std::nullopt : std::optional(CompactMode::Normal);
    return define("tile.extract", {source, row, col, sizes(box)}, {memory_kwarg(to, span())},
                  typed(box, from.dtype, to, std::move(valid), order, compact), std::move(name));
}

Var TileOps::move(const Var& source, TileSpace to, std::string name) {
    return define("tile.move", {source}, {memory_kwarg(to, span())},
                  typed(box_of(source), tile_of(source)->dtype, to, valid_of(source)), std::move(name));
}

Var TileOps::create(Box box, DType dtype, TileSpace space, std::string name) {
    return define("tile.create", {sizes(box)}, {{"dtype", dtype_name(dtype, span())}, memory_kwarg(space, span())},
                  typed(box, dtype, space, {}), std::move(name));
}

Var TileOps::accumulator(Box box, const Expr& valid_rows, const Expr& valid_cols, DType dtype,
                         const std::string& name) {
    if (is_constant(valid_rows, box.rows) && is_constant(valid_cols, box.cols))
        return create(box, dtype, TileSpace::Acc, name);
    const Var whole = create(box, dtype, TileSpace::Acc, name + "_storage");
    return define("tile.set_validshape", {whole, valid_rows, valid_cols}, {},
                  typed(box, dtype, TileSpace::Acc, {valid_rows, valid_cols}), name);
}

Var TileOps::matmul(const Var& a, const Var& b, const Var& bias, DType acc_dtype, std::string name) {
    const Box box{box_of(a).rows, box_of(b).cols};
    const Expr rows = valid_of(a)[0], cols = valid_of(b)[1];
    std::vector<Expr> args{a, b};
    if (bias != nullptr) args.push_back(bias);
    return define(bias != nullptr ? "tile.matmul_bias" : "tile.matmul", std::move(args), {},
                  typed(box, acc_dtype, TileSpace::Acc, {rows, cols}, {}, compact_for(box, rows)), std::move(name));
}

Var TileOps::matmul_acc(const Var& acc, const Var& a, const Var& b, std::string name) {
    const TileView view = effective_view(*tile_of(acc));
    const auto compact = view.compact == CompactMode::Null ? std::nullopt : view.compact;
    return define("tile.matmul_acc", {acc, a, b}, {},
                  typed(box_of(acc), tile_of(acc)->dtype, TileSpace::Acc, valid_of(acc), {}, compact), std::move(name));
}

Var TileOps::assemble(const Var& into, const Var& tile, const Expr& row, const Expr& col, std::string name) {
    return define("tile.assemble", {into, tile, tuple({row, col}, span())}, {}, into->type, std::move(name));
}

Var TileOps::repeat(const CallNode& like, std::vector<Expr> args, Type type, std::string name) {
    return define(like.op, std::move(args), like.kwargs, std::move(type), std::move(name), like.attrs);
}

void TileOps::yield(Expr value) {
    auto node = std::make_shared<YieldNode>();
    node->values = {std::move(value)};
    append(std::move(node));
}

void TileOps::loop(Loop loop) {
    auto node = std::make_shared<ForNode>();
    node->loop = loop.kind;
    node->var = std::move(loop.var);
    node->start = index(0);
    node->stop = index(loop.stop);
    node->step = index(loop.step);
    node->iter_args = {std::move(loop.carried)};
    node->results = {std::move(loop.result)};
    if (loop.kind == LoopKind::Pipeline) node->kwargs = {{"stage", index(2)}};
    node->attrs = std::move(loop.attrs);
    node->body = seq(std::move(loop.body));
    append(std::move(node));
}

void TileOps::branch(Expr condition, std::vector<Stmt> then_body, std::vector<Stmt> else_body, Var result) {
    auto node = std::make_shared<IfNode>();
    node->condition = std::move(condition);
    node->then_body = seq(std::move(then_body));
    node->else_body = seq(std::move(else_body));
    node->results = {std::move(result)};
    append(std::move(node));
}

} // namespace ls::nz
