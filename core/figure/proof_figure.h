// The proof of an offset as a tree: what was asked of every part, what held, and the step that failed. spec/nz.md C.5.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/figure/proof_view.h"
#include "core/passes/pass.h"

namespace ls::figure {

/// `source` is the text that the program was read from: definitions name their line in it. It may be empty.
ProofView proof_view(const Proof& proof, std::string_view source = {});

/// All proofs, gathered by coordinate, in the order in which they were asked.
std::vector<CoordinateProofs> coordinate_proofs(std::span<const ProofRecord> records, std::string_view source = {});

} // namespace ls::figure
