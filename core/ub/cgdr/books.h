// The two books of the unified buffer side by side (spec ub 3.2 and 4): what the host budgets and what the device
// carves, term by term, and the branch condition that each evaluates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ub/cgdr/device_partition.h"
#include "core/ub/cgdr/host_budget.h"

namespace ls::ub::cgdr {

/// What the host believes when it budgets.
struct HostBelief {
    std::int64_t hv = 1;
    std::optional<std::int64_t> aiv = {};   ///< nullopt: the host decides the branch as the device does
    std::optional<bool> force_overlap = {}; ///< overrides the branch
    bool omit_beta = false;                 ///< v1135 host that forgot its twelfth term
};

struct BookRow {
    std::string term;         ///< "kTile x2", "scoresState", "total"
    std::string host_formula; ///< with its numbers: "2 * 64 * 128 * 4"
    std::int64_t host_bytes = 0;
    std::string device_views; ///< "chunkKFp32 + kCumdecayFp32"
    std::int64_t device_bytes = 0;

    bool differs() const { return host_bytes != device_bytes; }
};

/// One side's decision, spelled out: "vStep 128 >= dv 256: no; hv 16 < 8 cores: no".
struct BranchReason {
    bool overlap = false;
    std::string text;
};

struct Books {
    HostTerms host;
    std::int64_t host_tmp_bytes = 0; ///< host.total, less beta where the host forgot it
    std::int64_t host_queue_bytes = 0;
    BranchReason host_branch, device_branch;
    std::vector<BookRow> rows; ///< terms in the host's order, then total and queue

    std::int64_t host_required_bytes() const { return host_tmp_bytes + host_queue_bytes; }
    bool agree() const;
};

Books keep_books(const DevicePartition& device, const HostBelief& belief);

} // namespace ls::ub::cgdr
