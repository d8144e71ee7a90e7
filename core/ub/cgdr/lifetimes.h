// When each view holds something that is still needed (spec ub 5): phases of one chunk on one core, who reads and
// writes what, live intervals, and the bytes that are live at once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ub/cgdr/device_partition.h"
#include "core/ub/live_range.h"

namespace ls::ub::cgdr {

/// A buffer that a phase touches: a view, or the outgoing queue.
struct Touched {
    ViewId view = ViewId::ChunkK;
    bool queue = false;

    std::string_view name() const { return queue ? "stateOutQueue" : cgdr::name(view); }
    bool operator==(const Touched&) const = default;
};

struct Phase {
    std::int64_t index = 0;
    std::string_view name;
    std::span<const Touched> reads;
    std::span<const Touched> writes;
};

inline constexpr std::int64_t kPhaseCount = 15;
inline constexpr std::int64_t kFirstTilePhase = 7; ///< S1; S phases repeat for each V tile that a core handles serially
inline constexpr std::int64_t kTilePhases = kPhaseCount - kFirstTilePhase;

std::span<const Phase> phases();

/// Phase names with `tiles` serial V tiles: "S1_LoadVBeta#t0", ... `tiles` >= 1.
std::vector<std::string> unrolled_phases(std::int64_t tiles);

/// One life of a view and what it holds then.
struct Life {
    LiveRange range;
    std::string_view role;
};
/// Lives in a single chunk with one tile, in order.
std::span<const Life> lives(ViewId id);
/// Lives of the outgoing queue.
std::span<const Life> queue_lives();

/// The same with `tiles` serial tiles: what begins in the prologue and is still needed by a tile lives to the last one;
/// what begins within a tile repeats. Roles are dropped.
std::vector<LiveRange> unrolled_lives(ViewId id, std::int64_t tiles);

/// Bytes that a view's content needs; for chunkScores cs*cs elements even where its handle is larger.
std::int64_t content_bytes(const DevicePartition& partition, ViewId id);

struct LivePeak {
    std::vector<std::int64_t> per_phase_bytes; ///< indexed by unrolled phase; views only, the queue is apart
    std::int64_t peak_bytes = 0;
    std::int64_t phase = 0; ///< first phase with the peak
};
/// A lower bound for any placement. v1135 has no published phases: its answer is for the v1108 phases of its views.
LivePeak live_peak(const DevicePartition& partition, std::int64_t tiles);

/// Two views that share bytes, and the phases in which both are live (none: the sharing is safe, if lives are known).
struct Sharing {
    ViewId a = ViewId::ChunkK, b = ViewId::ChunkK;
    std::int64_t begin = 0, end = 0; ///< shared bytes of tmpBuff
    std::vector<LiveRange> both_live;
    bool lives_known = true; ///< false for a view that the phase table does not list

    bool conflict() const { return !both_live.empty(); }
};
std::vector<Sharing> sharings(const DevicePartition& partition, std::int64_t tiles);

/// Serial V tiles of one core under this launch: 1 when tiles are spread or one tile holds dv.
std::int64_t serial_tiles(const DeviceInput& input);

} // namespace ls::ub::cgdr
