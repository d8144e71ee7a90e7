// What an instruction's fragments make of registers: ldmatrix and stmatrix (spec/tirx.md 8.4), mma.m16n8k (6).
#pragma once

#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

/// copy between registers and shared memory by whole 8x8 matrices of 16-bit elements.
struct LdStMatrixPlan {
    bool store = false; ///< stmatrix, registers to shared memory
    int count = 4;      ///< matrices of one instruction
    bool transposed = false;
    std::int64_t row_stride_elems = 8; ///< between the rows of a matrix, in shared memory
    std::int64_t warps = 1;
    std::int64_t issues = 1; ///< instructions of a warp
    std::string lane_axis;   ///< "laneid", "tid_in_wg" or "tx": what counts the threads
    /// Both sides over [warps, 8, 4, issues, count, 2], the shared one before its swizzle.
    TileLayout registers, shared;
    std::vector<Dim> shape() const { return {Dim(warps), Dim(8), Dim(4), Dim(issues), Dim(count), Dim(2)}; }
    std::int64_t elements() const { return issues * count * 2; } ///< of a thread
    /// "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"
    std::string instruction() const;
};
/// Refused: FRAGMENT_LAYOUT (what does not fit), PLAN_SYMBOLIC, LAYOUT_*.
Result<LdStMatrixPlan> plan_ldstmatrix(const Operand& registers, const Operand& shared, bool store);

/// D = A · B (+ C) in registers, for each tile of 16 x 8:
///
///     D(m, n) = C(m, n) or 0;  for k:  D(m, n) += A(m, k) · B(k, n)
struct MmaPlan {
    int k = 16; ///< of one instruction
    DType input = DType::Fp16;
    bool add_c = false;
    /// One thread's registers of an operand: D and C [m, n, rM, rN], A [m, k, rM, kHi, 2], B [k, n, kHi, 2].
    struct Fragment {
        std::vector<std::int64_t> shape;
        TileLayout layout;
    };
    Fragment d, a, b, c;
    /// "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
    std::string instruction() const;
};
struct MmaCall {
    Operand d, a, b, c;
    bool trans_a = false; ///< A is [K, M]
    bool trans_b = false; ///< B is [N, K]
    double alpha = 1, beta = 0;
};
/// Refused: FRAGMENT_LAYOUT, FRAGMENT_SHAPE (extents that do not agree, or that no instruction divides), PLAN_SYMBOLIC,
/// LAYOUT_*.
Result<MmaPlan> plan_mma(const MmaCall& call);

/// Thread iters first, then memory, each by falling stride; refused when a stride is no number.
Result<std::vector<std::size_t>> thread_first_order(const std::vector<Iter>& iters);

} // namespace ls::tirx
