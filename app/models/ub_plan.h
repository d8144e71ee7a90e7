// What a unified-buffer document says: any operator's model, or a launch of chunk_gated_delta_rule. Read, placed,
// checked; without Qt, so that it can be tested and timed alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/figure/ub_map.h"
#include "core/ub/cgdr/operator_file.h"
#include "core/ub/model/partition.h"

namespace ls::models {

struct UbPlan {
    std::string text;
    std::optional<Diagnostic> refusal; ///< why there is no picture; its span is in `text`
    std::vector<Diagnostic> warnings;
    std::vector<ub::Finding> findings;

    // Of an operator's file.
    std::optional<ub::cgdr::OperatorFile> file;
    std::optional<ub::cgdr::HostPlan> host;
    std::optional<ub::cgdr::Scenario> scenario;     ///< only when a V step fits
    std::optional<ub::cgdr::ScenarioReport> report; ///< only when a V step fits

    /// Of a model; of an operator the same launch as a model, without the changes that are tried.
    std::optional<ub::CompiledModel> model;
    std::optional<ub::Partition> partition;

    bool is_operator() const { return file.has_value(); }
    bool drawn() const { return report || (partition && !file); }
    /// Changes are tried that a model's text cannot say.
    bool tweaked() const { return file && !file->changes.empty(); }
    figure::MemoryMap map() const;
};

UbPlan read_ub(std::string text);

/// A buffer or a view as a line of a table.
struct UbRow {
    figure::UbTarget target;
    std::string name, type, group, live;
    std::string size_formula, size_values; ///< "cs*ak", "64 · 128"; empty for buffers of an operator
    std::string buffer;                    ///< of a view
    std::int64_t buffer_base = 0;
    std::int64_t elems = 0, bytes = 0, off = 0, begin = 0, end = 0; ///< off within the buffer, begin and end in the UB
    std::int64_t element_bytes = 0;                                ///< 0 for buffers
};
std::vector<UbRow> ub_rows(const UbPlan& plan);

/// "chunkV: cs*av = 64*128 elements · 4 B = 32768 B · tmpBuff 32768 + 81920 = 114688".
std::string ub_formula(const UbRow& row);

} // namespace ls::models
