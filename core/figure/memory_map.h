// One memory as a map: address across, lifetime down. Used for the unified buffer's partition (rows are phases) and for
// the tiles of a program after address allocation (rows are program positions). Pure drawing: what lives where, and
// which bytes clash, is given.
//
//              0        capacity
//     buffers  |tmpBuff         |          tracks: one bar a line, allocated whether live or not
//     views    |K  |V   |mask|  |
//     P1 load  |███|    |    |  |  ▆  live bytes
//     P2 mul   |███|████|    |  |  █
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/picture.h"
#include "core/support/result.h"

namespace ls::figure {

/// Inclusive rows.
struct MemoryRows {
    std::size_t first = 0, last = 0;
    bool from_middle = false; ///< begins in the middle of its first row: written where others are still read
    bool to_middle = false;   ///< ends in the middle of its last row
    bool operator==(const MemoryRows&) const = default;
};

/// Bytes [begin_byte, end_byte) that something has, and the rows in which it lives.
struct MemoryBlock {
    std::string name;       ///< "chunkK"
    std::string short_name; ///< drawn where `name` does not fit; may be empty
    std::string note;       ///< a second line: "32768", "[64, 128] fp16"
    std::int64_t begin_byte = 0, end_byte = 0;
    std::int64_t used_bytes = 0; ///< of a handle larger than what is used: the used part from its begin; 0: all of it
    std::vector<MemoryRows> live;
    std::uint32_t category = 0; ///< colour
    bool shared = false;        ///< shares its bytes: hatched, see MemoryMap::shared_means
    bool movable = false;       ///< has handles: its edges may be dragged
    std::string describe;
    std::int64_t id = 0; ///< of its hit regions; not negative
};

/// A line of bars above the rows: what is allocated, without time.
struct MemoryTrack {
    std::string name; ///< "views"
    std::vector<MemoryBlock> bars;
};

struct MemoryRow {
    std::string name;            ///< "S4 v_new", "12 tile.matmul"
    std::int64_t live_bytes = 0; ///< drawn as a bar at the right
    bool strong = false;         ///< the row that is looked at
    std::string describe;
};

/// A vertical line: where the used bytes end, the capacity, the start of a reserved tail.
struct MemoryLine {
    std::int64_t at_byte = 0;
    std::string label; ///< "used 247296"
    scene::Role tone = scene::Role::Ink;
    double width = 2;
    bool dashed = false;
    bool label_left = false; ///< the label ends at the line instead of beginning there
};

/// A stretch of bytes that means something by itself: slack (hatched), a reserved tail (tinted).
struct MemoryBand {
    std::int64_t begin_byte = 0, end_byte = 0;
    bool hatched = true;
    scene::Role tone = scene::Role::Unused;
    std::string describe;
};

/// Two blocks that have the same bytes in the same rows.
struct MemoryConflict {
    std::string first, second; ///< names
    std::int64_t begin_byte = 0, end_byte = 0;
    MemoryRows rows;
    std::int64_t id = -1; ///< of its hit region
};

struct MemoryMap {
    std::string title;    ///< "Unified buffer"
    std::string subtitle; ///< "address across, phases of one chunk down"
    std::int64_t capacity_bytes = 0;
    std::vector<MemoryTrack> tracks;
    std::vector<MemoryRow> rows;
    std::vector<MemoryBlock> blocks;
    std::vector<MemoryLine> lines;
    std::vector<MemoryBand> bands;
    std::vector<MemoryConflict> conflicts;
    std::optional<std::int64_t> selected; ///< id of the block with the selection's edge
    bool lens = true;                     ///< blocks under 3 pt are drawn once more, enlarged, at the right
    bool legend = true;
    std::string shared_means = "bytes shared, never live together"; ///< what hatching stands for here
};

struct MemoryMapOptions {
    double width = 1000;  ///< points, all of it
    double height = 0;    ///< 0: what the rows want
    std::int64_t begin_byte = 0, end_byte = 0; ///< the bytes in view; equal: from 0 to all that is there
};

/// Where the plot lies in the picture, for dragging and zooming.
struct MemoryMapGeometry {
    scene::Rect plot; ///< the rows
    double row_height = 1;
    std::int64_t begin_byte = 0, end_byte = 1; ///< what plot's left and right edge stand for

    double x_of(std::int64_t byte) const {
        return plot.x + plot.w * static_cast<double>(byte - begin_byte) / static_cast<double>(end_byte - begin_byte);
    }
    std::int64_t byte_at(double x) const {
        return begin_byte +
               static_cast<std::int64_t>((x - plot.x) / plot.w * static_cast<double>(end_byte - begin_byte));
    }
};

struct MemoryMapPicture {
    scene::Picture picture;
    MemoryMapGeometry geometry;
};

/// Hit regions, from below: rows (id = kMemoryRowHit − row), blocks' live rectangles and track bars (the block's id),
/// conflicts.
inline constexpr std::int64_t kMemoryRowHit = -1000;

/// Any number of rows and blocks; rows get thin where there are many, and labels are left out where they do not fit.
MemoryMapPicture draw_memory_map(const MemoryMap& map, const MemoryMapOptions& options,
                                 const scene::TextMeasure& measure);

} // namespace ls::figure
