// The three operations that may touch an NZ tensor, and how their coordinates are blocked. spec/nz.md C.3, C.4, C.7,
// C.10. Each answers the operands of the new call, the tensor itself left as it was given.
#pragma once

#include <string>
#include <vector>

#include "core/passes/nz/blocked_shape.h"
#include "core/passes/pass.h"

namespace ls::nz {

/// What an access is judged by. `logical` is the tensor's type before blocking.
struct NzAccess {
    const ir::CallNode& call;
    const ir::TensorTypeNode& logical;
    const OffsetFacts& facts;
    const Hardware& hardware;
    std::vector<AskedProof>& asked;
    std::vector<Diagnostic>& warnings;
};

/// tile.load(w, offsets, shapes[, valid_shape]): NZ_LOAD_TARGET, C.5's, C.2's and C.6's, NZ_LOAD_MULTI_BATCH,
/// NZ_GM_GAP.
Result<std::vector<ir::Expr>> block_load(const NzAccess& access);
/// tensor.slice(t, shapes, offsets[, valid_shape[, drop_dims]]): NZ_SLICE_*.
Result<std::vector<ir::Expr>> block_slice(const NzAccess& access);
/// tile.store(acc, offsets, out[, partition]): NZ_STORE_*.
Result<std::vector<ir::Expr>> block_store(const NzAccess& access);
/// Whether tensor.reshape(t, [n]) covers the whole tensor in one axis: NZ_RESHAPE_NOT_FLATTEN.
Status check_flatten(const NzAccess& access);

/// The blocked shape of what a store of `rows` × `cols` FP32 elements writes: [1, cols/8, rows/16, 16, 8].
std::vector<std::int64_t> store_partition(std::int64_t rows, std::int64_t cols);

/// Elements of a coordinate operand, or NZ_COORDINATES when it is not written as a list.
Result<std::vector<ir::Expr>> coordinates(const ir::CallNode& call, std::size_t index, std::string_view what);
/// Where a coordinate operand was written; the call where it was written nowhere.
Span place_of(const ir::CallNode& call, std::size_t index);

} // namespace ls::nz
