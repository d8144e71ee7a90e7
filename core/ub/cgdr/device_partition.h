// What InitLocalBuffers carves, in its exact order and branches (spec ub 4), and the ways in which it goes wrong when
// one line of it is changed (spec ub 7).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ub/cgdr/params.h"

namespace ls::ub::cgdr {

enum class ViewId : std::uint8_t {
    ChunkK,
    KCumdecay,
    DecayMask,
    ChunkV,
    ChunkScores,
    StateIn,
    ChunkAttnOut,
    GCumsum,
    Delta,
    DotProduct,
    ExpGCum,
    Beta,
    Appended, ///< a view that somebody adds after the last one
};
inline constexpr std::size_t kViewCount = 12;
/// "chunkKFp32", ...
std::string_view name(ViewId id);
std::optional<ViewId> view_from_name(std::string_view name);

/// One GetWithOffset call. Bytes are relative to tmpBuff.
struct CarvedView {
    ViewId id = ViewId::ChunkK;
    std::int64_t elems = 0; ///< fp32 elements passed as the size
    std::int64_t bytes = 0;
    std::int64_t off = 0;
    std::int64_t end = 0;
    std::int64_t advance = 0; ///< bytes by which the cursor then moves

    bool operator==(const CarvedView&) const = default;
};

/// How the cursor is moved after a view.
enum class CursorUnit : std::uint8_t {
    Bytes,    ///< right
    Elements, ///< forgets sizeof(float)
    Doubled,  ///< moves twice
};

/// One-line changes to the kernel; the default is the kernel as it is.
struct DeviceTweaks {
    CursorUnit cursor = CursorUnit::Bytes;
    bool advance_past_last = false;                              ///< also move past the last view
    std::int64_t queue_num = 1;                                  ///< InitBuffer(stateOutQueue, num, ...)
    std::int64_t appended_elems = 0;                             ///< a view appended after the last one; 0: none
    std::vector<std::pair<ViewId, std::int64_t>> elems_override; ///< a wrong element count for a view

    bool operator==(const DeviceTweaks&) const = default;
};

struct DevicePartition {
    DeviceInput input;
    Widths widths;
    bool overlap = false;
    bool split_v = false;
    std::int64_t queue_state_tile_bytes = 0; ///< fp16 state tile
    std::int64_t queue_chunk_out_bytes = 0;  ///< fp16 compact chunk of output
    std::int64_t queue_bytes = 0;            ///< the larger, as passed to InitBuffer
    std::int64_t queue_num = 1;
    std::vector<CarvedView> views; ///< in carving order
    std::int64_t cursor_final = 0;
    std::int64_t used_bytes = 0; ///< the furthest view end
    bool all_aligned = true;     ///< every offset is a multiple of 32

    const CarvedView* find(ViewId id) const;
    /// UB bytes of the queue, rounded as InitBuffer rounds; tmpBuff starts there.
    std::int64_t queue_ub_bytes() const;
};

/// UB_PARAM_RANGE for bad input.
Result<DevicePartition> carve(const DeviceInput& input, const DeviceTweaks& tweaks = {});

} // namespace ls::ub::cgdr
