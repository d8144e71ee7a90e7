// Values of CuTe layouts (spec/notation.md a.4): integer and nested coordinates, tables, and what can be said about the
// function as a whole.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/notation/cute_layout.h"

namespace ls::cute {

/// Value at a coordinate. Every mode may be given an integer (split colexicographically; past the end it runs into the
/// last mode) or its nested coordinate. Refused: CUTE_COORDINATE (rank differs), CUTE_UNKNOWN ('?'), CUTE_BASIS (the
/// value is a coordinate, use coordinate_of), CUTE_OVERFLOW.
Result<std::int64_t> crd2idx(const Tree& coordinate, const CuteLayout& layout);
Result<std::int64_t> crd2idx(std::int64_t index, const CuteLayout& layout);
/// One integer for each top mode.
Result<std::int64_t> crd2idx(std::span<const std::int64_t> modes, const CuteLayout& layout);
/// Nested coordinate of a flat index.
Tree idx2crd(std::int64_t index, const Tree& shape);

/// For basis strides: amounts by coordinate path (outermost first); the empty path holds plain amounts.
using Coordinate = std::map<std::vector<std::int64_t>, std::int64_t>;
Result<Coordinate> coordinate_of(const Tree& coordinate, const CuteLayout& layout);

/// What a value counts.
enum class Unit : std::uint8_t {
    Unit,     ///< whatever the layout's strides count, elements as a rule
    Elements, ///< a flagged pointer told the element's width
};
struct Value {
    std::int64_t offset = 0;
    Unit unit = Unit::Unit;
};
/// Value of a composition: A(offset + B(c)). A swizzle in front of smem_ptr[nb] works on bytes and is answered in
/// elements of n bits. Refused as crd2idx, and CUTE_NEGATIVE when a swizzle would see a negative offset.
Result<Value> evaluate(const Composed& composed, const Tree& coordinate);
Result<Value> evaluate(const Composed& composed, std::int64_t index);

/// L(0) .. L(size−1). Refused: CUTE_TOO_LARGE above `limit`, and as crd2idx.
Result<std::vector<std::int64_t>> table(const CuteLayout& layout, std::int64_t limit = std::int64_t{1} << 24);
Result<std::vector<std::int64_t>> table(const Composed& composed, std::int64_t limit = std::int64_t{1} << 24);

/// Whether no value occurs twice. Empty when neither a proof nor a table below the limit decides.
std::optional<bool> injective(const CuteLayout& layout);
/// Whether the values are exactly 0 .. size−1.
std::optional<bool> compact(const CuteLayout& layout);

} // namespace ls::cute
