// Byte addresses one after the other, as the allocator gives them: shared by the pass that gives them and by the one
// that asks beforehand whether they will fit.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/ir/stmt.h"
#include "core/support/result.h"

namespace ls::memory {

/// The allocator begins every buffer at a multiple of this, in all memories: one block of the data paths.
inline constexpr std::int64_t kBufferAlignBytes = 32;

/// Buffers in order, from `begin_byte` up.
class SpacePlan {
public:
    explicit SpacePlan(std::int64_t begin_byte = 0) : next_(begin_byte) {}
    /// The address of a buffer of so many bytes.
    std::int64_t place(std::int64_t bytes);
    /// Bytes up to the end of the last buffer, rounded up; saturates.
    std::int64_t high_water() const { return next_; }

private:
    std::int64_t next_;
};

/// Parts of a memory that system.reserve_buffer keeps for pipes between the cores; tiles lie above all of them.
struct Reserved {
    std::map<const ir::CallNode*, std::int64_t> base_bytes; ///< of each call
    std::map<ir::TileSpace, std::int64_t> end_bytes;        ///< where tiles may begin
};
/// MEM_RESERVED: a size or base that is no usable number, or two that overlap.
Result<Reserved> reserved_buffers(const ir::FunctionNode& function);

} // namespace ls::memory
