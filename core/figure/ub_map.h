// The unified buffer as a memory map (spec ub 4, 5, 8): from any placed model, or from an examined launch of
// chunk_gated_delta_rule with its what-ifs.
#pragma once

#include <optional>
#include <string_view>

#include "core/figure/memory_map.h"
#include "core/ub/cgdr/scenario.h"
#include "core/ub/model/partition.h"

namespace ls::figure {

/// Which buffer or view a hit region stands for.
struct UbTarget {
    std::size_t alloc = 0;
    std::optional<std::size_t> view; ///< none: the buffer itself
    bool operator==(const UbTarget&) const = default;
};
std::int64_t ub_target_id(UbTarget target);
/// nullopt for ids of rows, of conflicts and of nothing.
std::optional<UbTarget> ub_target(std::int64_t id);

/// Blocks may be dragged where the model's text can be changed.
MemoryMap ub_map(const ub::Model& model, const ub::Partition& partition);

/// Buffers and views have the indices that cgdr::as_model gives them, whatever the order of allocation.
MemoryMap ub_map(const ub::cgdr::Scenario& scenario, const ub::cgdr::ScenarioReport& report);

/// "chunkK" for "chunkKFp32": names as the pictures carry them.
std::string_view shown_name(std::string_view name);

/// "P1 load K" for "P1_LoadChunkKey": phases as the pictures carry them; unknown names as they are.
std::string shown_phase(std::string_view name);

} // namespace ls::figure
