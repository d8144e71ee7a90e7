// The arithmetic of blocking: logical shapes, offsets and valid shapes of an NZ tensor to its rank-5 form
//
//     [..lead.., R, C]  ->  [B, C/c0, R/16, 16, c0]        c0 = 256 / bits: the elements of one 32-byte line
//
// spec/nz.md C.2, C.5, C.6. Refusals carry the codes of C.8.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/offset_proof.h"
#include "core/ir/expr.h"
#include "core/support/result.h"

namespace ls::nz {

inline constexpr std::int64_t kFractalRows = 16;
inline constexpr std::size_t kBlockedRank = 5;
/// Positions in the blocked shape.
inline constexpr std::size_t kBatch = 0, kColumnBlock = 1, kRowFractal = 2;

/// Elements of one 32-byte line. NZ_DTYPE_SUBBYTE, NZ_DTYPE_UNSUPPORTED.
Result<std::int64_t> c0_elems(DType dtype, Span span = {});

/// C.2. Checks rank, dtype, rows, columns, leading extents, in this order.
Result<std::vector<ir::Expr>> block_shape(std::span<const ir::Expr> shape, DType dtype, Span span = {});

/// A proof that was asked for one coordinate.
struct AskedProof {
    std::string coordinate;
    Proof proof;
};

/// C.5: [fold(leading), c_off/c0, r_off/16, 0, 0]; rows are checked before columns, alignment before sign.
/// `parent` is the logical shape that the offsets count in. Proofs are appended to `asked`.
Result<std::vector<ir::Expr>> block_offsets(std::span<const ir::Expr> offsets, std::span<const ir::Expr> parent,
                                            DType dtype, const OffsetFacts& facts, std::vector<AskedProof>& asked,
                                            Span span = {});

/// One trailing offset: a constant is divided, anything else must be proven and becomes offset // divisor.
/// `axis` is -2 or -1.
Result<ir::Expr> block_trailing_offset(const ir::Expr& offset, std::int64_t divisor, int axis, const OffsetFacts& facts,
                                       std::vector<AskedProof>& asked, Span span = {});

/// Row-major number of the panel that leading offsets name. Constants are folded on the way.
Result<ir::Expr> fold_leading_offsets(std::span<const ir::Expr> offsets, std::span<const ir::Expr> parent,
                                      Span span = {});

/// C.6: as a shape where the rows are constant; dynamic rows must be a provable multiple of 16.
Result<std::vector<ir::Expr>> block_valid_shape(std::span<const ir::Expr> valid, DType dtype, const OffsetFacts& facts,
                                                std::vector<AskedProof>& asked, Span span = {});

/// True for [.., 16, c0] of rank 5. Says that a tensor tagged NZ has been blocked, never that a tensor is NZ.
bool is_blocked_shape(std::span<const ir::Expr> shape, DType dtype);

/// C.7: distance that the copy to L1 skips between column blocks, in 32-byte blocks: whole rows minus loaded rows
/// (c0 · element size is 32, so rows and blocks count the same). Dynamic rows count as none loaded.
struct GmGap {
    std::int64_t whole_rows = 0;
    std::int64_t loaded_rows = 0;
    std::int64_t bursts = 0; ///< column blocks; with one burst the gap is never used
    std::int64_t blocks() const { return whole_rows - loaded_rows; }
};
/// Nothing when the column blocks or the rows of the tensor are not constant.
std::optional<GmGap> gm_gap(std::span<const ir::Expr> blocked_tensor, std::span<const ir::Expr> blocked_partition);

/// The axis in a message: "shape[-2]".
std::string axis_name(int axis);

} // namespace ls::nz
