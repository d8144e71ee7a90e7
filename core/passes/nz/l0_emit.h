// The tiled forms of a product: a loop over blocks of K, a grid of output tiles with all of K in each, and a grid with
// a loop over K in each. Where a finished tile goes is a placer's affair.
#pragma once

#include <string>
#include <vector>

#include "core/passes/nz/l0_product.h"
#include "core/passes/nz/l0_tile_ops.h"

namespace ls::nz {

/// Puts finished output tiles where they belong. What is written is a value that every write renews, so it is handed
/// from tile to tile.
class TilePlacer {
public:
    TilePlacer() = default;
    TilePlacer(const TilePlacer&) = delete;
    TilePlacer& operator=(const TilePlacer&) = delete;
    virtual ~TilePlacer() = default;

    /// What the first tile is written into.
    virtual ir::Var begin(TileOps& ops) = 0;
    /// Writes `tile`, which starts at (row, col) of the product, into `into`; answers what that becomes.
    virtual ir::Var place(TileOps& ops, const ir::Var& tile, const ir::Expr& row, const ir::Expr& col,
                          const ir::Var& into, int number) = 0;
};

/// Stores each tile at its place of a tensor of two axes.
class StorePlacer final : public TilePlacer {
public:
    /// `store`: tile.store(product, [row, col], tensor), its operands as they are now.
    StorePlacer(const ir::CallNode& store, ir::Var tensor) : store_(store), tensor_(std::move(tensor)) {}
    ir::Var begin(TileOps&) override { return tensor_; }
    ir::Var place(TileOps& ops, const ir::Var& tile, const ir::Expr& row, const ir::Expr& col, const ir::Var& into,
                  int number) override;

private:
    const ir::CallNode& store_;
    ir::Var tensor_;
};

/// Stores whole columns into an NZ tensor: the part that starts at column `col` is col/8 column blocks on.
class NzStorePlacer final : public TilePlacer {
public:
    /// `store`: tile.store(product, [batch, column block, 0, 0, 0], tensor, partition).
    NzStorePlacer(const ir::CallNode& store, ir::Var tensor) : store_(store), tensor_(std::move(tensor)) {}
    ir::Var begin(TileOps&) override { return tensor_; }
    ir::Var place(TileOps& ops, const ir::Var& tile, const ir::Expr& row, const ir::Expr& col, const ir::Var& into,
                  int number) override;

private:
    const ir::CallNode& store_;
    ir::Var tensor_;
};

/// Collects the tiles in a Mat tile, converted on the way where its type is another.
class MatPlacer final : public TilePlacer {
public:
    MatPlacer(Box box, DType dtype, std::string name) : box_(box), dtype_(dtype), name_(std::move(name)) {}
    ir::Var begin(TileOps& ops) override { return ops.create(box_, dtype_, ir::TileSpace::Mat, name_); }
    ir::Var place(TileOps& ops, const ir::Var& tile, const ir::Expr& row, const ir::Expr& col, const ir::Var& into,
                  int number) override;

private:
    Box box_;
    DType dtype_;
    std::string name_;
};

/// One output tile: where it starts in the product and how large it is. Null row and column: the whole product.
struct OutputTile {
    ir::Expr row, col;
    Box box;
    std::string name; ///< what its variables are named after
};

/// Blocks of K one after the other for one output tile: a pipeline over the whole blocks, then the rest. `result`, when
/// not null, is the variable that the loop answers if there is no rest.
ir::Var emit_k_loop(TileOps& ops, const L0Product& product, const OutputTile& tile, const ir::Var& result);

/// The whole product in output tiles. Answers what the placer's value has become.
ir::Var emit_output_tiles(TileOps& ops, const L0Product& product, TilePlacer& placer);

} // namespace ls::nz
