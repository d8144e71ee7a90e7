// When the bytes of on-chip tiles live, from dataflow: backward over branches and loops, not by lines of text. Reads
// pypto programs after address allocation and PTO text with addresses.
//
//     position          0 load a     1 load b     2 mul c=a,b     3 store c
//     time              0  1         2  3         4  5            6  7        read at 2p, written at 2p + 1
//     a                    |-----------------------|
//     c                                              |-------------|           c may take a's bytes: no time in common
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/stmt.h"

namespace ls {

/// A statement that touches tiles, or that branches or loops around such.
struct TilePosition {
    const ir::StmtNode* stmt = nullptr;
    std::string what;    ///< "matmul_acc", "for", "yield"
    std::string subject; ///< the variable that it writes, or reads when it writes none; may be empty
    int depth = 0;       ///< loops and branches around it
};

/// Inclusive times; position p reads at 2p and writes at 2p + 1.
struct LiveTimes {
    std::int64_t first = 0, last = 0;
    std::size_t first_position() const { return static_cast<std::size_t>(first / 2); }
    std::size_t last_position() const { return static_cast<std::size_t>(last / 2); }
    bool operator==(const LiveTimes&) const = default;
};

/// One name of a buffer: a tile, a view of it, what is written over it, a carried value.
struct TileName {
    ir::Var var;
    std::optional<std::int64_t> begin_byte; ///< nothing: no address yet, or worked out at run time
    std::int64_t bytes = 0;
    std::vector<LiveTimes> live;            ///< of this name alone
};

/// Tiles that share bytes by what they mean: one value that goes through several names.
struct TileBuffer {
    std::vector<TileName> names; ///< in order of definition; the first is what the buffer is called
    ir::TileSpace space = ir::TileSpace::Vec;
    std::optional<std::int64_t> begin_byte; ///< least of its names'
    std::int64_t bytes = 0;                 ///< from there to the greatest end
    std::vector<LiveTimes> live;            ///< of all names, ascending, none touching another

    const ir::VarNode& var() const { return *names.front().var; }
    const std::string& name() const { return names.front().var->name; }
    std::int64_t end_byte() const { return begin_byte.value_or(0) + bytes; }
};

/// Two buffers that have bytes in common while both live.
struct TileConflict {
    std::size_t first = 0, second = 0;          ///< buffers
    std::string first_name, second_name;        ///< the names that clash
    std::int64_t begin_byte = 0, end_byte = 0;  ///< common bytes, the end not included
    LiveTimes times;                            ///< the first common times
};

struct SpaceUse {
    ir::TileSpace space = ir::TileSpace::Vec;
    std::vector<std::size_t> buffers;      ///< by address, then by first time
    std::int64_t high_water_bytes = 0;     ///< end of the highest buffer
    std::int64_t peak_live_bytes = 0;
    std::size_t peak_position = 0;         ///< where that is first reached
    std::vector<std::int64_t> live_bytes;  ///< at each position: bytes that hold something needed
    std::size_t without_address = 0;       ///< buffers whose address is not known
};

struct TileLifetimes {
    std::string function;
    std::vector<TilePosition> positions;
    std::vector<TileBuffer> buffers; ///< by first definition
    std::vector<SpaceUse> spaces;    ///< those that are used, in the order of ir::TileSpace
    std::vector<TileConflict> conflicts;
    /// Whether buffers have addresses of their own: false when every one of several in a space begins at 0.
    bool has_addresses = false;
};

/// Linear in the program times the tiles that live at once. Programs deeper than ir::kMaxDepth are not looked into.
TileLifetimes tile_lifetimes(const ir::FunctionNode& function);

} // namespace ls
