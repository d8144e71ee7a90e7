// How a product of batches becomes products of matrices: which operand is brought in whole and sliced, and which is loaded
// batch by batch.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ir/stmt.h"
#include "core/machine/hardware.h"
#include "core/support/result.h"
#include "core/passes/tile/tile_writer.h"

namespace ls::tile {

struct BatchOperand {
    std::vector<std::int64_t> batch_shape; ///< axes before the matrix
    std::int64_t rows = 0, cols = 0;
    bool transposed = false;               ///< a tile.transpose_view: batches lie beside one another
    const ir::CallNode* load = nullptr;    ///< where it comes from; null when it is no load
    bool whole = true;                     ///< fits Mat beside the other, and its load is one block
    bool by_batch() const { return !whole && load != nullptr; }

    /// The operand's batch for batch `i` of a result of batch shape `result`: axes of extent 1 are read again.
    std::int64_t batch(std::int64_t i, const std::vector<std::int64_t>& result) const;
    std::vector<std::int64_t> indices(std::int64_t batch) const;
};

struct BatchPlan {
    BatchOperand lhs, rhs;
    std::vector<std::int64_t> shape; ///< of the result's batches
    std::int64_t batches = 1;
    std::vector<std::int64_t> indices(std::int64_t i) const;
};

/// Made once for a function, before anything of it is rewritten.
class BatchProducts {
public:
    BatchProducts(const ir::FunctionNode& function, const Hardware& hardware);

    /// FLATTEN_BATCH
    Result<BatchPlan> product(const ir::CallNode& call) const;
    /// Whether the value is only ever an operand that is loaded batch by batch instead.
    bool not_needed(const ir::VarNode* value) const { return dead_.count(value) != 0; }
    /// The store right behind a product, into which its batches go one by one; null when there is none.
    ir::Ref<ir::AssignNode> store_of(const ir::Stmt& product) const;
    bool stored_by_product(const ir::Stmt& store) const { return fused_.count(store.get()) != 0; }

private:
    Result<BatchOperand> operand(const ir::Expr& value) const;
    const ir::CallNode* made_by(const ir::Expr& value, std::string_view op) const;

    const Hardware& hardware_;
    std::unordered_map<const ir::VarNode*, const ir::CallNode*> defined_;
    std::unordered_map<const ir::StmtNode*, ir::Ref<ir::AssignNode>> stores_;
    std::unordered_set<const ir::StmtNode*> fused_;
    std::unordered_set<const ir::VarNode*> dead_;
};

/// tensor.view of a tensor as rows and columns.
Made tensor_view_2d(const ir::Expr& tensor, const ir::TensorTypeNode& type, const ir::CallNode& from);
/// How many matrices a shape holds.
std::optional<std::int64_t> product_of_batches(const std::vector<ir::Expr>& shape);

} // namespace ls::tile
