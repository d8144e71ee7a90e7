// What a chip can hold and what its instructions can express: read from resources/hardware, never written in a pass.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/type.h"
#include "core/support/result.h"

namespace ls {

struct MemoryLimits {
    std::int64_t bytes = 0;          ///< what a program may use
    std::int64_t physical_bytes = 0; ///< what is there; more than `bytes` where the runtime keeps a part
    std::int64_t align_bytes = 1;    ///< of an allocation
};

/// The strided copy of an NZ tensor into L1. One burst is one column block; the gap is counted in 32-byte blocks.
struct NzLoadLimits {
    int gap_field_bits = 0;                  ///< width of the gap's field; 0 when the full stride is passed
    std::int64_t max_guarded_gap_blocks = 0; ///< what the compiler's guard lets through, on every chip
    std::int64_t max_bursts = 0;
    std::int64_t max_tile_rows = 0;
};

/// The store of an accumulator into an NZ tensor.
struct NzStoreLimits {
    bool supported = false;
    std::int64_t max_rows = 0;
    std::int64_t max_cols = 0;
    /// The distance between destination column blocks comes from the stored height, not from the tensor's stride.
    bool ignores_column_block_stride = false;
};

/// What the cube side can convert on its own ways between memories.
struct CubeMoves {
    bool bf16_to_bias = false; ///< Mat to Bias widens BF16 to FP32
    bool fp32_to_mat = false;  ///< a part of a Mat tile can be written from Acc in FP32, not only in BF16 or FP16
};

/// Constants of the cost model that chooses (m, n, k) tiles for L0; spec/nz.md C.9.
struct L0CostModel {
    double bytes_per_cycle_a = 0;
    double bytes_per_cycle_b = 0;
    double bytes_per_cycle_drain = 0;
    double drain_fixed_cycles = 0;
    double drain_row_cycles = 0;
    double drain_odd_penalty = 0;
    double mad_start_cycles = 0;
    double fp32_cycles_per_step = 0;
};

struct Hardware {
    std::string id;                 ///< "a2a3"
    std::vector<std::string> names; ///< further spellings: "910B"
    std::string pto_arch;           ///< --pto-arch=
    std::map<ir::TileSpace, MemoryLimits> memories;
    std::int64_t cube_unit = 16; ///< smallest and granular extent of a cube operation
    std::int64_t acc_row_align = 16;
    std::int64_t acc_row_align_int32 = 16;
    std::int64_t gm_granule_bytes = 0;
    std::int64_t l2_line_bytes = 0;
    ir::TileOrder left_blayout = ir::TileOrder::ColMajor; ///< order of boxes in L0A
    NzLoadLimits nz_load;
    NzStoreLimits nz_store;
    CubeMoves cube_moves;
    L0CostModel l0_cost;

    /// Bytes that a program may use of `space`; nothing when the chip has no such memory.
    std::optional<std::int64_t> capacity_bytes(ir::TileSpace space) const;
};

/// Reads one chip's description. HW_JSON names the first field that is missing or of the wrong kind.
Result<Hardware> parse_hardware(std::string_view json);

/// The chips compiled into the program.
std::span<const Hardware> all_hardware();
/// By id or any other spelling, letter case ignored; null when there is none.
const Hardware* find_hardware(std::string_view name);
/// The chip that is assumed when none is named: A2/A3.
const Hardware& default_hardware();

/// Bytes that an accumulator tile occupies: rows rounded up to the granule of its type; nothing when an extent is not
/// positive or the product overflows. `hardware` null: no backend is configured (INT32 rounds to 32).
std::optional<std::int64_t> acc_physical_bytes(std::span<const std::int64_t> shape, DType dtype,
                                               const Hardware* hardware);

} // namespace ls
