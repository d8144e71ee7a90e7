// Kernel source from a program: one table of targets, each answering text and where every line came from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/stmt.h"
#include "core/support/result.h"

namespace ls::codegen {

/// What one on-chip memory offers; from resources/hardware.
struct SpaceLimit {
    ir::TileSpace space = ir::TileSpace::Vec;
    std::int64_t capacity_bytes = 0;
    std::int64_t alignment_bytes = 0;
};

struct ExportOptions {
    std::string chip = "a2a3";         ///< a2a3 or a5; for CUDA sm_100a and the like, else what the program says
    std::vector<SpaceLimit> memory;    ///< of the chip; a space that is not listed is not checked
    std::string function;              ///< export this function only; empty: every kernel of the module
    ir::Module host;                   ///< where the functions stand that launch the module's kernels, when not in it
};

struct SourceFile {
    std::string name;                  ///< "nz_matmul.pto", "nz_matmul.cpp", "nz_matmul_pack.h"
    std::string text;
    /// lines[i] (0-based) came from this statement of the module; null for braces, headers and constants.
    std::vector<ir::Ref<ir::Node>> lines;
};

struct Exported {
    std::vector<SourceFile> files;
    std::vector<Diagnostic> diagnostics; ///< warnings: what the text says but hardware would not do, ...
};

struct Target {
    std::string_view id;       ///< "pto"
    std::string_view title;    ///< "PTO text for PTOAS"
    std::string_view language; ///< "mlir", "cpp", "cuda": for highlighting
    std::string_view about;    ///< one sentence
    /// Refuses with CG_* what cannot be exported, naming the statement and why.
    Result<Exported> (*run)(const ir::Module& module, const ExportOptions& options);
    bool from_tirx = false; ///< written from TIRx programs; the others are from pypto and PTO text
};

/// Whether programs of this surface can become it.
inline bool fits(const Target& target, ir::Dialect dialect) { return target.from_tirx == (dialect == ir::Dialect::Tirx); }

/// Every target; a new one is one file and one line in targets.cpp.
std::span<const Target> targets();
const Target* find_target(std::string_view id);

} // namespace ls::codegen
