// A gemm_async subject examined: the plan or why there is none, every instruction with its words and addresses, where the
// fields of the descriptors come from, and how the result is read back into registers.
#pragma once

#include "core/passes/tirx/plan/descriptor_report.h"
#include "core/passes/tirx/plan/gemm_async.h"
#include "core/passes/tirx/plan/tcgen05_ldst.h"
#include "core/passes/tirx/workbench/gemm_subject.h"
#include "core/passes/tirx/workbench/smem_chunks.h"

namespace ls::tirx {

/// One tcgen05.mma.
struct GemmStep {
    std::int64_t mi = 0, ni = 0, ki = 0;
    std::int64_t a_offset_16b = 0, b_offset_16b = 0; ///< added to the low words
    std::uint64_t a_word = 0, b_word = 0;
    std::int64_t d_lane = 0, d_column = 0; ///< from the allocated address
    bool accumulate = false;               ///< enable_input_d
};

/// A or B.
struct GemmSide {
    Operand operand;
    bool transposed = false;
    std::int64_t base_bytes = 0;
    std::optional<SmemTile> tile, plain; ///< as it lies, and before the XOR
    std::optional<SmemOperand> matched;
    std::optional<Diagnostic> refusal;   ///< why no descriptor says this layout
    std::uint64_t word = 0;              ///< at the buffer's start
    std::optional<DescriptorReport> report; ///< with the walk as the hardware makes it
};

struct TraceRow {
    std::string what, value;
};

struct GemmBench {
    GemmSubject subject;
    std::optional<Diagnostic> refusal; ///< of the whole call
    GemmSide a, b;
    Operand c;
    char datapath = 'D';
    std::optional<GemmAsyncPlan> plan;
    std::vector<GemmStep> steps;

    std::optional<Tcgen05LdStPlan> readback;
    std::string readback_refusal;
    std::optional<TensorLayout> registers; ///< of the readback: [rows, N] over tid_in_wg and m

    /// Where each field of A's (or B's) descriptor comes from.
    std::vector<TraceRow> trace(bool of_b) const;
    /// "tcgen05.mma.cta_group::1.kind::f16, 4 × 128×128×16"
    std::string summary() const;
};

/// Never refuses as a whole: what can be drawn is there, `refusal` says what is not.
GemmBench examine(const GemmSubject& subject);

} // namespace ls::tirx
