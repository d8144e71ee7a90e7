// chunk_gated_delta_rule as a file: chip, shape, batch and the one-line changes that are tried on it. What the window
// edits and what the example list opens, beside models of any operator (model/model_json.h).
//
//     {"operator": "chunk_gated_delta_rule", "variant": "v1108", "platform": {"name": "Ascend310P3"},
//      "shape": {"batch": 2, "rows": 520, "hqk": 8, "hv": 8, "dk": 128, "dv": 128, "chunkSize": 64},
//      "seqLens": [512, 8], "whatIf": ["double-buffer=2"]}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ub/cgdr/scenario.h"
#include "core/ub/platform.h"

namespace ls::ub::cgdr {

/// One change of what_ifs(), with its number where one was given.
struct TriedChange {
    std::string id;
    std::optional<std::int64_t> value;
    bool operator==(const TriedChange&) const = default;
};
/// "double-buffer=2", "cursor-elements".
std::string to_text(const TriedChange& change);

struct OperatorFile {
    Platform platform;
    HostInput input;                          ///< ub_bytes and aiv as the file says, else the platform's
    std::vector<std::int32_t> seq_lens;       ///< rows a sequence; may be empty
    std::vector<TriedChange> changes;
    std::vector<Diagnostic> warnings = {};    ///< keys that mean nothing here
};

/// Whether a text is meant to be such a file; cheap, and true for files that read_operator refuses.
bool looks_like_operator(std::string_view text);

/// Refuses as read_model does: JSON_*, MODEL_KEY_MISSING, MODEL_TYPE, MODEL_VALUE at the place in the text, further
/// problems as notes; UB_PLATFORM_UNKNOWN, UB_WHATIF_UNKNOWN, UB_PARAM_RANGE.
Result<OperatorFile> read_operator(std::string_view text);

/// Pretty JSON that read_operator reads back to the same.
std::string write_operator(const OperatorFile& file);

/// The launch that the plan makes, with the file's changes put in. Needs plan.search.ok. UB_WHATIF_UNKNOWN.
Result<Scenario> scenario_of(const OperatorFile& file, const HostPlan& plan);

} // namespace ls::ub::cgdr
