#include "core/machine/nz_transfer.h"

#include "core/support/checked.h"

namespace ls {

std::int64_t nz_gap_in_field(std::int64_t gap_blocks, const NzLoadLimits& limits) {
    if (limits.gap_field_bits == 0) return gap_blocks;
    return floor_mod(gap_blocks, std::int64_t{1} << limits.gap_field_bits);
}

std::optional<NzBurst> nz_burst(std::int64_t whole_rows, std::int64_t loaded_rows, std::int64_t burst,
                                const NzLoadLimits& limits) {
    if (whole_rows < 0 || loaded_rows < 0 || burst < 0 || loaded_rows > whole_rows) return {};
    const CheckedInt step = checked_add(loaded_rows, nz_gap_in_field(whole_rows - loaded_rows, limits));
    const CheckedInt meant = checked_mul(burst, whole_rows);
    const CheckedInt reached = step ? checked_mul(burst, *step) : CheckedInt{};
    if (!meant || !reached) return {};
    return NzBurst{*meant, *reached};
}

NzStoreStep nz_store_step(std::int64_t tile_rows, std::int64_t parent_rows, const NzStoreLimits& limits) {
    constexpr std::int64_t kC0 = 8; // FP32
    const std::int64_t rows = limits.ignores_column_block_stride ? tile_rows : parent_rows;
    return {parent_rows * kC0, rows * kC0, rows * kC0 * 4 / 32};
}

} // namespace ls
