// Private to the tcgen05.cp plan: the instruction's shapes (PTX names) and how a call asks for one.
#pragma once

#include "core/passes/tirx/plan/tcgen05_cp.h"

namespace ls::tirx {

struct ExtentStride {
    std::int64_t extent;
    std::int64_t stride;
};

struct CpShape {
    std::string_view shape;
    std::string_view multicast;
    std::int64_t rows;
    std::int64_t row_bits;
    std::vector<ExtentStride> lanes;
    std::vector<ExtentStride> copies;
};

/// Widest first: a source of 256-bit rows would also fit 128 bits, with twice the instructions.
const std::vector<CpShape>& cp_shapes();
/// "32x128b.warpx4"
std::string full_name(const CpShape& shape);

/// A setting as text; nothing when it is absent.
std::optional<std::string> text_of(const Config& config, std::string_view key);
/// The row that a call names. Refused: CP_CONFIG.
Result<const CpShape*> asked_shape(const std::string& shape, const std::optional<std::string>& multicast);

} // namespace ls::tirx
