// Edits of a model's text, each leaving everything else as it was written: what dragging an edge in the memory map, a
// number field or a proposal does to the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ub/model/partition.h"

namespace ls::ub {

/// A view by place: index into allocs and into its views.
struct ViewPlace {
    std::size_t alloc = 0, view = 0;
    bool operator==(const ViewPlace&) const = default;
};

// `text` must read as the model that `partition` was placed from. Errors: those of parse_json, MODEL_VALUE for a place
// that is not there or a size that no view can have.

/// The view begins at `off` bytes of its buffer, whatever the cursor; views after it stay where they are.
Result<std::string> move_view(std::string_view text, const Partition& partition, ViewPlace at, std::int64_t off);
/// The view has `bytes`, rounded down to whole elements but at least one; views that follow at the cursor move along.
Result<std::string> resize_view(std::string_view text, const Partition& partition, ViewPlace at, std::int64_t bytes);
/// Both at once: its begin moves, its end stays.
Result<std::string> move_view_begin(std::string_view text, const Partition& partition, ViewPlace at, std::int64_t off);
/// A block of the buffer has `bytes`.
Result<std::string> resize_alloc(std::string_view text, const Partition& partition, std::size_t alloc,
                                 std::int64_t bytes);
Result<std::string> set_queue_blocks(std::string_view text, std::size_t alloc, std::int64_t blocks);
Result<std::string> set_parameter(std::string_view text, std::string_view name, std::int64_t value);
/// The chip by its name; sizes that the text gives itself are taken out, so that the chip's hold.
Result<std::string> set_platform(std::string_view text, std::string_view name);

} // namespace ls::ub
