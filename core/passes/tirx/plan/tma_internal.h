// Private to the TMA plans: what tma_auto and tma_explicit share.
#pragma once

#include "core/passes/tirx/plan/tma.h"

namespace ls::tirx {

/// Reads the settings into a plan without geometry. Refused: TMA_CONFIG.
Result<TmaPlan> tma_settings(const TmaCopy& call, bool explicit_form);

/// The swizzle of the shared buffer. `refuse` makes the Diagnostic from a stage and its detail.
using Refuse = Diagnostic (*)(std::string_view stage, std::string_view detail);
Result<int> tma_swizzle(const Operand& shared, Refuse refuse);

/// Memory axes only, no replicas.
Status plain_memory(const TileLayout& tile, std::string_view which, Refuse refuse);
/// Sum of the offsets on memory axes.
Dim memory_offset(const TileLayout& tile);
/// The region of a buffer with its swizzle taken off.
Result<TileLayout> unswizzled_slice(const Operand& operand, std::string_view which, Refuse refuse);
Result<Dim> elements_to_bytes(const Dim& elems, DType dtype, std::string_view what, Refuse refuse);
/// Offset of the global view from its buffer.
Result<Dim> base_offset_bytes(const Operand& global, Refuse refuse);

/// Alignment that the swizzle asks of the shared pointer, in bytes.
constexpr std::int64_t shared_alignment_bytes(int swizzle) { return std::int64_t{16} << swizzle; }

} // namespace ls::tirx
