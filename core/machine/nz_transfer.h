// Where the copies of NZ tensors really go, quirks included: the 16-bit gap of the load, the stride that the store
// ignores. The passes refuse what would be wrong (NZ_GM_GAP, NZ_STORE_ROW_WINDOW); here is why. spec/nz.md C.4, C.7.
#pragma once

#include <cstdint>
#include <optional>

#include "core/machine/hardware.h"

namespace ls {

/// One burst of a load from global memory to L1: a column block of the window, in 32-byte blocks from its first.
struct NzBurst {
    std::int64_t meant_block = 0;   ///< burst · R: where the column block lies
    std::int64_t reached_block = 0; ///< where the copy reads
};

/// Burst number `burst` of a load of `loaded_rows` out of `whole_rows`. The distance between bursts is what is loaded
/// plus the gap, and the gap passes through a field of hardware.nz_load.gap_field_bits (0: it is passed whole). Nothing
/// on overflow or for negative numbers.
std::optional<NzBurst> nz_burst(std::int64_t whole_rows, std::int64_t loaded_rows, std::int64_t burst,
                                const NzLoadLimits& limits);

/// The gap as the field holds it.
std::int64_t nz_gap_in_field(std::int64_t gap_blocks, const NzLoadLimits& limits);

/// A store of an FP32 accumulator of `tile_rows` into an NZ tensor of `parent_rows`: distance between column blocks.
struct NzStoreStep {
    std::int64_t meant_elems = 0; ///< R · c0
    std::int64_t used_elems = 0;  ///< what the instruction steps
    std::int64_t used_blocks = 0; ///< the same in 32-byte blocks: its dstStride
    bool correct() const { return meant_elems == used_elems; }
};
NzStoreStep nz_store_step(std::int64_t tile_rows, std::int64_t parent_rows, const NzStoreLimits& limits);

} // namespace ls
