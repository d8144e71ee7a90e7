#include "core/passes/memory/fold_no_op_reshape.h"

#include "core/ir/equality.h"
#include "core/ir/mutator.h"
#include "core/passes/memory/memref.h"

namespace ls::memory {

using namespace ir;

namespace {

struct Extent {
    std::optional<std::int64_t> elems; ///< nothing: it varies
    bool operator==(const Extent&) const = default;
};

/// What a tile's declaration says: two that agree in it are declared alike.
struct Signature {
    std::optional<TileSpace> space;
    DType dtype = DType::Fp32;
    std::int64_t rows = 32, cols = 32;
    TileView view;
    Extent valid_rows, valid_cols;

    explicit Signature(const TileTypeNode& tile) : space(tile.space), dtype(tile.dtype), view(effective_view(tile)) {
        const std::size_t rank = tile.shape.size();
        if (rank == 1) rows = 1, cols = constant(tile.shape[0]).value_or(cols);
        if (rank >= 2) rows = constant(tile.shape[0]).value_or(rows), cols = constant(tile.shape[1]).value_or(cols);
        valid_rows = {rows};
        valid_cols = {cols};
        if (!tile.view || tile.view->valid_shape.empty()) return;
        valid_rows = {constant(tile.view->valid_shape[0])};
        if (tile.view->valid_shape.size() >= 2) valid_cols = {constant(tile.view->valid_shape[1])};
    }

    bool operator==(const Signature& o) const {
        return space == o.space && dtype == o.dtype && rows == o.rows && cols == o.cols &&
               view.blayout == o.view.blayout && view.slayout == o.view.slayout &&
               view.fractal_bytes == o.view.fractal_bytes && view.pad == o.view.pad && view.compact == o.view.compact &&
               valid_rows == o.valid_rows && valid_cols == o.valid_cols;
    }
};

class Fold final : public Mutator {
protected:
    Function on_function(const Function& function) override {
        return is_in_core(function->function) ? Mutator::on_function(function) : function;
    }

    Stmt on_stmt(const Stmt& stmt) override {
        Stmt now = Mutator::on_stmt(stmt);
        const auto* assign = as<AssignNode>(now);
        const auto* call = assign == nullptr ? nullptr : as<CallNode>(assign->value);
        if (call == nullptr || !call->is_op("tile.reshape") || call->args.size() != 2 || assign->targets.size() != 1) return now;
        const auto *to = as<TileTypeNode>(assign->targets[0]->type), *from = tile_of(call->args[0]);
        if (to == nullptr || from == nullptr || !to->memref || !from->memref) return now;
        if (!same_allocation(&*to->memref, &*from->memref) || !(Signature(*to) == Signature(*from))) return now;
        auto folded = derive(ref_as<AssignNode>(now));
        folded->value = call->args[0];
        return seal(std::move(folded));
    }
};

} // namespace

PassResult fold_no_op_reshape(const Module& module, const PassContext&) {
    return PassResult::unchanged(Fold().mutate(module));
}

} // namespace ls::memory
