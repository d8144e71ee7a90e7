// Writes the tile operations that a tiled product is made of, each with the type of what it answers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/ir/stmt.h"

namespace ls::nz {

/// Constant extents of a tile.
struct Box {
    std::int64_t rows = 0, cols = 0;
};

/// Appends statements to `out`; every one has `origin` as its origin and its span.
class TileOps {
public:
    explicit TileOps(ir::Ref<ir::Node> origin) : origin_(std::move(origin)) {}

    std::vector<ir::Stmt> out;

    /// The statements so far, and an empty list again.
    std::vector<ir::Stmt> take() { return std::exchange(out, {}); }

    ir::Expr index(std::int64_t value) const { return ir::const_int(value, DType::Index, span()); }
    ir::Expr sizes(Box box) const { return ir::tuple({index(box.rows), index(box.cols)}, span()); }
    /// a + b, worked out where it can be.
    ir::Expr sum(const ir::Expr& a, const ir::Expr& b) const;

    /// name = tile.extract(source, row, col, [box], target_memory=): a window of a Mat tile in Left or Right.
    ir::Var extract(const ir::Var& source, const ir::Expr& row, const ir::Expr& col, Box box, ir::TileSpace to,
                    std::string name);
    ir::Var move(const ir::Var& source, ir::TileSpace to, std::string name);
    ir::Var create(Box box, DType dtype, ir::TileSpace space, std::string name);
    /// An accumulator of which `valid` is valid; a second statement narrows it where that is not all.
    ir::Var accumulator(Box box, const ir::Expr& valid_rows, const ir::Expr& valid_cols, DType dtype,
                        const std::string& name);
    /// a · b, plus the bias unless it is null.
    ir::Var matmul(const ir::Var& a, const ir::Var& b, const ir::Var& bias, DType acc_dtype, std::string name);
    ir::Var matmul_acc(const ir::Var& acc, const ir::Var& a, const ir::Var& b, std::string name);
    ir::Var assemble(const ir::Var& into, const ir::Var& tile, const ir::Expr& row, const ir::Expr& col,
                     std::string name);
    /// name = `like` with other operands, of another type.
    ir::Var repeat(const ir::CallNode& like, std::vector<ir::Expr> args, ir::Type type, std::string name);
    void yield(ir::Expr value);

    struct Loop {
        ir::LoopKind kind = ir::LoopKind::Pipeline;
        ir::Var var;
        std::int64_t stop = 0, step = 1;
        ir::IterArg carried;
        ir::Var result;
        std::vector<ir::KeyValue> attrs;
        std::vector<ir::Stmt> body;
    };
    /// A loop from 0; a pipeline has two stages.
    void loop(Loop loop);
    void branch(ir::Expr condition, std::vector<ir::Stmt> then_body, std::vector<ir::Stmt> else_body, ir::Var result);

private:
    Span span() const { return origin_->span; }
    ir::Var define(std::string op, std::vector<ir::Expr> args, std::vector<ir::KeyValue> kwargs, ir::Type type,
                   std::string name, std::vector<ir::KeyValue> attrs = {});
    template <class T>
    void append(std::shared_ptr<T> node);
    ir::Seq seq(std::vector<ir::Stmt> stmts) const;

    ir::Ref<ir::Node> origin_;
};

/// The type of a tile of which [valid_rows, valid_cols] is valid. `compact`: packed by what is valid.
ir::Type partly_valid_tile(Box box, DType dtype, ir::TileSpace space, ir::Expr valid_rows, ir::Expr valid_cols,
                           bool compact);

/// What of [offset, offset + extent) lies below `valid`: its number of valid elements.
ir::Expr window_valid(const ir::Expr& valid, const ir::Expr& offset, std::int64_t extent);

} // namespace ls::nz
