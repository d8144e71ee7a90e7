// One operand as it lies in shared memory: lines of 128 bytes, each of eight 16-byte chunks, and what every chunk holds.
// Chunks are the grain of a swizzle, of ldmatrix rows and of descriptors.
#pragma once

#include <array>
#include <vector>

#include "core/layout/engine/map.h"
#include "core/machine/banks.h"
#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

inline constexpr std::int64_t kChunkBytes = 16;
inline constexpr std::int64_t kLineBytes = 128; ///< 32 banks of 4 bytes

struct SmemChunk {
    std::int64_t mn_first = 0, mn_last = 0; ///< smallest and largest coordinate of its elements
    std::int64_t k_first = 0, k_last = 0;
    std::int64_t elements = 0; ///< 0: nothing of the region lies here
};

class SmemTile {
public:
    /// The region of `operand`, whose buffer starts at `base_bytes`. With `swizzled` false the addresses before the XOR.
    /// Refused: PLAN_NO_LAYOUT, PLAN_SYMBOLIC, BENCH_SIZE (more than 2^20 elements), BENCH_BYTES (an address below 0, or
    /// elements that do not fill bytes), LAYOUT_*, ENGINE_*.
    static Result<SmemTile> make(const Operand& operand, bool transposed, std::int64_t base_bytes, bool swizzled = true);

    std::int64_t mn = 0, k = 0;
    std::int64_t first_byte = 0; ///< of chunks[0]: a multiple of 128
    std::vector<SmemChunk> chunks;
    int element_bits = 16;
    bool mn_contiguous = false; ///< neighbours along MN lie side by side

    std::int64_t lines() const { return (static_cast<std::int64_t>(chunks.size()) + 7) / 8; }
    /// Bit address of an element of the region; mn and k inside it.
    std::int64_t bit_address(std::int64_t mn_at, std::int64_t k_at) const;
    std::int64_t byte_address(std::int64_t mn_at, std::int64_t k_at) const { return bit_address(mn_at, k_at) / 8; }
    /// The chunk that holds it.
    std::size_t chunk_of(std::int64_t mn_at, std::int64_t k_at) const {
        return static_cast<std::size_t>((byte_address(mn_at, k_at) - first_byte) / kChunkBytes);
    }

private:
    engine::CompiledMap map_;
    std::vector<std::int64_t> begin_;
    std::size_t mn_dim_ = 0, k_dim_ = 1;
    std::int64_t base_bits_ = 0;
    std::vector<engine::CompiledLayout> on_m_;
};

/// Accesses of one warp to the operand, from the element (mn, k) on.
enum class AccessKind : std::uint8_t { LdmatrixPhase, Ldmatrix4, Vector, Row, Column };
std::string_view name(AccessKind kind); ///< "ldmatrix, one phase"
struct BankAccess {
    AccessKind kind = AccessKind::LdmatrixPhase;
    int access_bytes = 16;
    std::vector<std::optional<std::int64_t>> addresses;       ///< of the lanes
    std::vector<std::array<std::int64_t, 2>> elements;        ///< (mn, k) where each lane starts; −1 where none
    BankReport report;
};
/// Refused as bank_conflicts.
Result<BankAccess> bank_access(const SmemTile& tile, AccessKind kind, std::int64_t mn, std::int64_t k);

} // namespace ls::tirx
