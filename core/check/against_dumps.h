// Our passes against what the compiler's own passes did: each is run on a real state and compared with the next one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/ir/equality.h"
#include "core/passes/pipeline.h"

namespace ls::check {

enum class Agreement : std::uint8_t { Equal, Differs, Refused };
std::string_view name(Agreement agreement); ///< "equal"

struct PassComparison {
    const Pass* pass = nullptr;
    std::size_t snapshot = 0; ///< of the trace: the state that the pass should have made
    bool changes = false;     ///< whether the real pass changed the program
    Agreement agreement = Agreement::Equal;
    std::optional<ir::Difference> difference; ///< left is ours, right is real
    /// Equal but for the allocations of results that a yield of several values hands on. A dump prints no types there, so
    /// it cannot say where they lie; everything else was compared.
    bool allocations_unsaid = false;
    ir::Module ours;                          ///< null when refused
    std::vector<Diagnostic> diagnostics;      ///< what our pass said
};

/// Every implemented pass that the trace has a snapshot of, run on the snapshot before it. Programs are compared up to
/// the names of variables.
std::vector<PassComparison> compare_passes(const Trace& dumps, const PassContext& context);

/// Our whole pipeline from the first dump on, each state beside the real one after the same pass: unlike compare_passes, a
/// difference is carried on into what follows.
struct ChainComparison {
    std::size_t compared = 0, equal = 0;      ///< states after a pass that the dumps have
    const Pass* first_differing = nullptr;    ///< null when all are equal
    std::optional<ir::Difference> difference; ///< there; nothing when our pass refused
    bool last_equal = false;                  ///< whether the program that is exported is the real one
    Trace ours;
};

ChainComparison compare_chain(const Trace& dumps, std::span<const Pass> passes, const PassContext& context);

} // namespace ls::check
