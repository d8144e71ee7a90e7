// Does a pass send an element elsewhere? Two snapshots of a TIRx program are run by the same threads, and everything
// they write, pass on and address must be the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/check/tirx_run.h"
#include "core/passes/pipeline.h"

namespace ls::check {

/// The first thing that differs, for the smallest thread that shows it.
struct TirxWitness {
    TirxThread thread;
    std::string what;          ///< "the address of a store", "argument 3 of ptx.tcgen05"
    std::string before, after; ///< both values; empty where one side has nothing
    std::vector<std::pair<std::string, std::int64_t>> loops;
    const ir::Node* statement_before = nullptr;
    const ir::Node* statement_after = nullptr;
};

struct TirxComparison {
    std::optional<TirxWitness> witness;
    std::size_t threads = 0, events = 0; ///< what was compared
    std::size_t unknown = 0;             ///< values that only a launch gives, not compared
};

/// Runs from a snapshot without tile primitives on; before that there are no addresses. Thread and block numbers 0, 1
/// and those around the ends of warps and warpgroups.
TirxComparison tirx_compare(const ir::ModuleNode& before, const ir::ModuleNode& after);

struct TirxVerdict {
    std::size_t snapshot = 0; ///< index in the trace of the snapshot that differs from the one before it
    TirxComparison comparison;
    Diagnostic finding; ///< TIRX_MOVED: which pass, which thread, what became of what
};
/// The first pass of a trace that sends something elsewhere; nothing when none does. `compared`, if given, gets the
/// sums.
std::optional<TirxVerdict> first_moved(const Trace& trace, TirxComparison* compared = nullptr);

/// TIRX_OUTSIDE warnings: accesses outside of what was allocated, each statement once (a padded layout over an
/// allocation of its elements, spec/tirx.md 13.14).
std::vector<Diagnostic> outside_accesses(const ir::ModuleNode& module);

} // namespace ls::check
