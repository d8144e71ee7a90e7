// Copies between global and shared memory, shared out over the threads of a scope (spec/tirx.md 8.4):
//
//     for f < outer:  thread t moves `vector` neighbours from global(f, t, 0) to shared(f, t, 0)
#pragma once

#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

struct CopyPartition {
    std::int64_t outer = 1;
    std::int64_t threads = 1;
    std::int64_t vector = 1; ///< elements
    std::int64_t vector_bytes = 2;
    Layout global; ///< over [outer, threads, vector]
    Layout shared; ///< the same, swizzle put back on

    /// Element offsets of iteration f of thread t; both may be loop variables. Refused: LAYOUT_*.
    Result<Dim> global_offset(const Dim& f, const Dim& t) const { return offset(global, f, t); }
    Result<Dim> shared_offset(const Dim& f, const Dim& t) const { return offset(shared, f, t); }

private:
    Result<Dim> offset(const Layout& layout, const Dim& f, const Dim& t) const;
};

/// The widest of `vector_bits` (tried in order) that both sides allow. With `or_scalar`, single elements when none is.
/// Refused: COPY_PARTITION, PLAN_SYMBOLIC, LAYOUT_*.
Result<CopyPartition> plan_shared_out_copy(const Operand& global, const Operand& shared, std::int64_t threads,
                                     std::span<const int> vector_bits, bool or_scalar);

/// One copy of exactly `bytes`, as an author asked for it.
struct VectorCopyPlan {
    std::int64_t bytes = 16;
    std::string load;  ///< "ld.global.v4.u32"; empty when the source is a register
    std::string store; ///< "st.shared.v4.u32"; empty when the destination is a register
    int words = 4;
    std::string word_type; ///< "uint32"
};
/// PTX suffix, words and word type of a copy of 1 to 32 bytes.
struct VectorForm {
    std::string_view suffix;
    int words;
    std::string_view type;
};
std::optional<VectorForm> vector_form(std::int64_t bytes);
/// Scopes and sizes are the caller's to check. `config`: cache ("nc"), l1_evict, l2_evict, prefetch_size.
/// Refused: COPY_CONFIG.
Result<VectorCopyPlan> plan_vector_copy(const Operand& dst, const Operand& src, std::int64_t bytes, const Config& config);

} // namespace ls::tirx
