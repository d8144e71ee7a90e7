#include "core/passes/nz/l0_emit.h"

#include <algorithm>
#include <utility>

#include "core/passes/nz/nz_access.h"
#include "core/support/checked.h"

namespace ls::nz {

using namespace ir;

namespace {

Var index_var(std::string name, const L0Product& p) {
    return var(std::move(name), scalar_type(DType::Index), p.assign->span);
}

/// The bias of columns [col, col + cols): as it is, moved from Mat, or a window of it loaded anew. A window of a Mat
/// tile of one row would lie across its boxes, so it is never cut out of the tile.
Var emit_bias(TileOps& ops, const L0Product& p, const Expr& col, std::int64_t cols, const std::string& name) {
    if (p.bias == nullptr || tile_of(p.bias)->space == TileSpace::Bias) return p.bias;
    Var from = p.bias;
    if (cols != p.N) {
        const auto& start = static_cast<const TupleNode&>(*p.bias_load->args[1]).elements;
        const Expr window = ops.sizes({1, cols});
        auto type = derive(ref_as<TileTypeNode>(p.bias->type));
        type->shape = const_ints({1, cols});
        if (type->view) type->view->valid_shape.clear();
        from = ops.repeat(
            *p.bias_load,
            {p.bias_load->args[0], tuple({start[0], ops.sum(start[1], col)}, p.assign->span), window, window},
            seal(std::move(type)), name + "_mat");
    }
    return ops.move(from, TileSpace::Bias, name);
}

/// The type of an accumulator with the variable's own valid part.
Var carried(const Var& like, std::string name) { return var(std::move(name), like->type, like->span); }

} // namespace

Var StorePlacer::place(TileOps& ops, const Var& tile, const Expr& row, const Expr& col, const Var& into, int number) {
    const auto& start = static_cast<const TupleNode&>(*store_.args[1]).elements;
    return ops.repeat(store_, {tile, tuple({ops.sum(start[0], row), ops.sum(start[1], col)}, store_.span), into},
                      tensor_->type, tensor_->name + "_t" + std::to_string(number));
}

Var NzStorePlacer::place(TileOps& ops, const Var& tile, const Expr&, const Expr& col, const Var& into, int number) {
    constexpr std::int64_t kC0 = 8; // FP32, the only type that an NZ store writes
    std::vector<Expr> start = static_cast<const TupleNode&>(*store_.args[1]).elements;
    const auto known = constant(col);
    start[1] = ops.sum(start[1],
                       known ? ops.index(*known / kC0) : binary(BinaryOp::FloorDiv, col, ops.index(kC0), store_.span));
    const auto& shape = tile_of(tile)->shape;
    const auto partition = store_partition(constant(shape[0]).value_or(0), constant(shape[1]).value_or(0));
    return ops.repeat(store_,
                      {tile, tuple(std::move(start), store_.span), into, tuple(const_ints(partition), store_.span)},
                      tensor_->type, tensor_->name + "_t" + std::to_string(number));
}

Var MatPlacer::place(TileOps& ops, const Var& tile, const Expr& row, const Expr& col, const Var& into, int number) {
    return ops.assemble(into, tile, row, col, name_ + "_t" + std::to_string(number));
}

Var emit_k_loop(TileOps& ops, const L0Product& p, const OutputTile& tile, const Var& result) {
    const bool accumulates = p.kind == ProductKind::Accumulate;
    const std::string& base = tile.name;
    const Box box = tile.box;
    const std::int64_t k = p.tile.k, blocks = p.K / k, whole = blocks * k, rest = p.K - whole;
    const bool looped = blocks >= 2;
    const auto valid = [&](const Expr& all, const Expr& start, std::int64_t extent) {
        return start == nullptr ? all : window_valid(all, start, extent);
    };

    // What the accumulator is before the first block; a fresh one is overwritten by it.
    Var before = p.acc;
    if (looped && !accumulates) {
        before = ops.accumulator(box, valid(p.valid_m, tile.row, box.rows), valid(p.valid_n, tile.col, box.cols),
                                 p.acc_dtype, base + "_l0_init");
    }
    // The crossing from the vector core stays one move, once: it is later made a hand-over between the cores.
    const Var lhs = p.stage_lhs ? ops.move(p.lhs, TileSpace::Mat, base + "_l0_lmat") : p.lhs;
    const Expr row = tile.row != nullptr ? tile.row : ops.index(0);
    const Expr col = tile.col != nullptr ? tile.col : ops.index(0);
    const Var bias = emit_bias(ops, p, col, box.cols, base + "_l0_bias");

    const auto extracts = [&](const Expr& at, std::int64_t depth, const std::string& tag) {
        Var a = ops.extract(lhs, row, at, {box.rows, depth}, TileSpace::Left, base + "_l0_a" + tag);
        Var b = ops.extract(p.rhs, at, col, {depth, box.cols}, TileSpace::Right, base + "_l0_b" + tag);
        return std::pair(std::move(a), std::move(b));
    };
    const auto straight = [&](std::int64_t at, std::int64_t depth, const Var& onto, const std::string& tag) {
        const auto [a, b] = extracts(ops.index(at), depth, tag);
        return onto != nullptr ? ops.matmul_acc(onto, a, b, base + "_l0_c" + tag)
                               : ops.matmul(a, b, bias, p.acc_dtype, base + "_l0_c" + tag);
    };

    Var sum;
    if (looped) {
        std::vector<Stmt> outside = ops.take();
        TileOps::Loop loop;
        loop.var = index_var(base + "_l0_ko", p);
        loop.stop = whole;
        loop.step = k;
        loop.carried = {carried(before, base + "_l0_c"), before};
        sum = result != nullptr && rest == 0 ? result : carried(before, rest > 0 ? base + "_l0_kmain" : base);
        loop.result = sum;
        const auto [a, b] = extracts(loop.var, k, "");
        if (accumulates) {
            ops.yield(ops.matmul_acc(loop.carried.var, a, b, base + "_l0_c_acc"));
        } else {
            std::vector<Stmt> body = ops.take();
            const Var first = ops.matmul(a, b, bias, p.acc_dtype, base + "_l0_c_first");
            ops.yield(first);
            std::vector<Stmt> then_body = ops.take();
            ops.yield(ops.matmul_acc(loop.carried.var, a, b, base + "_l0_c_acc"));
            std::vector<Stmt> else_body = std::exchange(ops.out, std::move(body));
            const Var phi = carried(first, base + "_l0_c_phi");
            ops.branch(binary(BinaryOp::Eq, loop.var, ops.index(0), p.assign->span), std::move(then_body),
                       std::move(else_body), phi);
            ops.yield(phi);
        }
        loop.body = std::exchange(ops.out, std::move(outside));
        ops.loop(std::move(loop));
    } else {
        sum = straight(0, k, before, "0");
    }
    return rest > 0 ? straight(whole, rest, sum, "t") : sum;
}

namespace {

/// One output tile with all of K in one block.
Var emit_whole_k(TileOps& ops, const L0Product& p, TilePlacer& placer, const Var& into, std::int64_t row,
                 std::int64_t col, Box box, int number) {
    const std::string base = p.assign->targets[0]->name, tag = std::to_string(number);
    const Expr zero = ops.index(0), r = ops.index(row), c = ops.index(col);
    const Var a = ops.extract(p.lhs, r, zero, {box.rows, p.K}, TileSpace::Left, base + "_ta" + tag);
    const Var b = ops.extract(p.rhs, zero, c, {p.K, box.cols}, TileSpace::Right, base + "_tb" + tag);
    const Var bias = emit_bias(ops, p, c, box.cols, base + "_tbias" + tag);
    return placer.place(ops, ops.matmul(a, b, bias, p.acc_dtype, base + "_tc" + tag), r, c, into, number);
}

/// All of K in one block:
///
///     |<- whole tiles ->|rest|       loops over the whole tiles, the panel that stays longer in the outer one;
///     +------+------+---+----+       then the rest below, then the rest on the right, one by one
///     | loop | loop |   | r  |
///     +------+------+---+----+
///     | rest below           |
///     +----------------------+
Var emit_whole_k_grid(TileOps& ops, const L0Product& p, TilePlacer& placer) {
    const L0Tile& t = p.tile;
    const std::string base = p.assign->targets[0]->name;
    const std::int64_t whole_m = p.M / t.m * t.m, whole_n = p.N / t.n * t.n;
    const bool held = t.regime != L0Regime::Output; // one panel fills its memory: only one of it can be there
    const bool rows_outside = t.a_outside;
    Var chain = placer.begin(ops);

    const auto carry = [&](std::string name) { return var(std::move(name), chain->type, p.assign->span); };
    const KeyValue in_order{"pipeline_overlap_stores", const_bool(false)};
    TileOps::Loop outer, inner;
    outer.kind = held ? LoopKind::Range : LoopKind::Pipeline;
    outer.var = index_var(base + "_o", p);
    inner.var = index_var(base + "_i", p);
    (rows_outside ? outer : inner).stop = whole_m;
    (rows_outside ? outer : inner).step = t.m;
    (rows_outside ? inner : outer).stop = whole_n;
    (rows_outside ? inner : outer).step = t.n;
    outer.carried = {carry(base + "_oc"), chain};
    inner.carried = {carry(base + "_ic"), outer.carried.var};
    outer.result = carry(base + "_orv");
    inner.result = carry(base + "_irv");
    if (!held) outer.attrs = {in_order};
    inner.attrs = {in_order};
    if (t.double_output) inner.attrs.push_back({"pipeline_double_buffer_c", const_bool(true)});

    const Expr row = rows_outside ? outer.var : inner.var, col = rows_outside ? inner.var : outer.var;
    const Expr zero = ops.index(0);
    std::vector<Stmt> before = ops.take();
    const auto panel = [&](bool left) {
        return left ? ops.extract(p.lhs, row, zero, {t.m, p.K}, TileSpace::Left, base + "_a")
                    : ops.extract(p.rhs, zero, col, {p.K, t.n}, TileSpace::Right, base + "_b");
    };
    const Var stays = panel(rows_outside);
    Var bias;
    if (!rows_outside) bias = emit_bias(ops, p, col, t.n, base + "_bias");
    std::vector<Stmt> outer_body = ops.take();
    const Var moves = panel(!rows_outside);
    if (rows_outside) bias = emit_bias(ops, p, col, t.n, base + "_bias");
    const Var sum =
        ops.matmul(rows_outside ? stays : moves, rows_outside ? moves : stays, bias, p.acc_dtype, base + "_c");
    ops.yield(placer.place(ops, sum, row, col, inner.carried.var, 0));
    inner.body = std::exchange(ops.out, std::move(outer_body));
    const Var inner_result = inner.result;
    ops.loop(std::move(inner));
    ops.yield(inner_result);
    outer.body = std::exchange(ops.out, std::move(before));
    chain = outer.result;
    ops.loop(std::move(outer));

    int number = 1;
    for (std::int64_t c = 0; whole_m < p.M && c < p.N; c += t.n) {
        chain = emit_whole_k(ops, p, placer, chain, whole_m, c, {p.M - whole_m, std::min(t.n, p.N - c)}, number++);
    }
    for (std::int64_t r = 0; whole_n < p.N && r < whole_m; r += t.m)
        chain = emit_whole_k(ops, p, placer, chain, r, whole_n, {t.m, p.N - whole_n}, number++);
    return chain;
}

/// A loop over K for every output tile, columns outermost.
Var emit_split_k_grid(TileOps& ops, const L0Product& p, TilePlacer& placer) {
    Var chain = placer.begin(ops);
    int number = 0;
    for (std::int64_t col = 0; col < p.N; col += p.tile.n) {
        for (std::int64_t row = 0; row < p.M; row += p.tile.m, ++number) {
            const OutputTile tile{ops.index(row),
                                  ops.index(col),
                                  {std::min(p.tile.m, p.M - row), std::min(p.tile.n, p.N - col)},
                                  p.assign->targets[0]->name + "_t" + std::to_string(number)};
            const Var sum = emit_k_loop(ops, p, tile, {});
            chain = placer.place(ops, sum, tile.row, tile.col, chain, number);
        }
    }
    return chain;
}

} // namespace

Var emit_output_tiles(TileOps& ops, const L0Product& product, TilePlacer& placer) {
    return product.tile.k == product.K ? emit_whole_k_grid(ops, product, placer)
                                       : emit_split_k_grid(ops, product, placer);
}

} // namespace ls::nz
