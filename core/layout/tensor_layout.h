// A Layout with everything that a picture, a table or an export needs to know about it beyond the map itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/layout/layout.h"
#include "core/support/dtype.h"

namespace ls {

enum class MemorySpace : std::uint8_t {
    Unknown, Gm, L1, L0A, L0B, L0C, Ub, Bias, Smem, Tmem, Registers,
};
std::string_view name(MemorySpace space);

/// What one shard iter means to a reader: "column block", "line in fractal".
/// `dim` is the logical dimension that it indexes.
struct IterRole {
    std::size_t dim = 0;
    std::string name;
};

/// shape: logical extents (row-major reading order); product(shape) == size(layout).
/// roles: one per shard iter of layout.tile(), or empty when nothing is known.
struct TensorLayout {
    Layout layout;
    Shape shape;
    std::optional<DType> dtype;
    MemorySpace space = MemorySpace::Unknown;
    std::vector<std::string> dim_names;  ///< "b", "r", "c"; empty: d0, d1, ...
    std::vector<IterRole> roles;
    std::string name;                    ///< how the user or the catalogue calls it: "nz(64, 64, f16)"

    /// Bits of one element; 8 when no dtype was given (then offsets are shown as bytes of 1).
    int element_bits() const { return dtype ? bits(*dtype) : 8; }
    std::string dim_name(std::size_t dim) const;
    bool operator==(const TensorLayout&) const = default;
};

} // namespace ls
