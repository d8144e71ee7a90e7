// Runs passes one after the other and keeps every state between them. A Trace is a value: once recorded it never
// changes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/passes/pass.h"

namespace ls {

/// For each statement and function of a snapshot, the one of the snapshot before that it came from. Those that are the
/// same object in both are not listed.
class OriginLinks {
public:
    OriginLinks() = default;
    /// Follows the origins of every node of `now` back into `before`.
    OriginLinks(const ir::ModuleNode& before, const ir::ModuleNode& now);
    /// The same where nodes know no origins, because both were read from text: `came_from` says it of each node of
    /// `now` that has one.
    OriginLinks(const ir::ModuleNode& before, const ir::ModuleNode& now,
                const std::unordered_map<const ir::Node*, const ir::Node*>& came_from);

    /// Where `node` came from: null when it is new. A node that both snapshots share comes from itself.
    const ir::Node* origin_of(const ir::Node& node) const;
    /// What became of `node`: itself if it is shared, several when it was copied or split, none when it was dropped.
    std::vector<const ir::Node*> became(const ir::Node& node) const;
    std::size_t changed_count() const { return back_.size(); }

private:
    std::unordered_map<const ir::Node*, const ir::Node*> back_; ///< null for new nodes
    std::unordered_multimap<const ir::Node*, const ir::Node*> forward_;
    std::unordered_map<const ir::Node*, bool> before_; ///< nodes of `before`; true when `now` has them too
};

struct Snapshot {
    const Pass* pass = nullptr; ///< null for the program as it was read
    std::string name;           ///< "BlockNzTensorViews", "source"
    ir::Module module;
    std::vector<Diagnostic> diagnostics;
    std::vector<ProofRecord> proofs;
    bool changed = false;                       ///< the module is another object than the one before
    std::shared_ptr<const OriginLinks> origins; ///< into the snapshot before; null where nothing changed
};

struct Trace {
    std::vector<Snapshot> snapshots; ///< [0] is the source; one more for each pass that ran
    /// The pass that refused the program and what it said; its module is the last snapshot's.
    const Pass* refused_by = nullptr;
    std::vector<Diagnostic> refusals;
    std::vector<ProofRecord> refused_proofs;

    bool ok() const { return refused_by == nullptr; }
    const Snapshot& last() const { return snapshots.back(); }
    /// The snapshot after the pass of this name; null when it did not run.
    const Snapshot* after(std::string_view pass_name) const;
};

/// Runs the passes in order and stops at the first refusal, keeping everything before. `cancelled` is asked before each
/// pass; the trace then ends where it was. The passes must outlive the trace.
Trace run_pipeline(const ir::Module& module, std::span<const Pass> passes, const PassContext& context,
                   const std::function<bool()>& cancelled = {});

} // namespace ls
