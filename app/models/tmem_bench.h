// A workbench document read and examined, with what its pictures and tables share; without Qt.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/models/rows_table.h"
#include "core/passes/tirx/workbench/gemm_bench.h"
#include "core/passes/tirx/workbench/tmem_rects.h"

namespace ls::models {

struct TmemBench {
    std::string text;
    std::optional<Diagnostic> refusal; ///< the text cannot be read; its span is in `text`
    tirx::GemmBench bench;             ///< only without `refusal`
    std::vector<tirx::TmemRect> rects;
    std::optional<tirx::RegisterOwners> owners;

    /// Tiles or swizzle of a side as words: "ComposeLayout(3, 3, 3, S[8192:1])".
    std::string layout_of(bool b) const;
    /// "14 more atoms, 1024 B apart (sdo = 64 × 16 B), to 0x43FF".
    std::string smem_note(bool b) const;
    std::int64_t mma_k() const;
};

TmemBench read_bench(std::string text);

/// Every instruction: tile, K step, offsets, words, D's place. Cells are {step, 0}. `unit`: 0 units of 16 bytes, 1 bytes,
/// 2 elements.
std::shared_ptr<const RowsTable> tmem_steps_table(const TmemBench& bench, int unit);

/// What is looked at: an element of A (m, k), of B (n, k) or of C (m, n).
struct TmemLook {
    enum class Of : std::uint8_t { None, A, B, C };
    Of of = Of::None;
    tirx::MatrixElement at;
    bool operator==(const TmemLook&) const = default;
};
/// One sentence with every address: "C[2, 16] · lane 2, column 16 · warp 0, thread 2, register 16".
std::string tmem_look_text(const TmemBench& bench, const TmemLook& look, bool swizzled);

} // namespace ls::models
