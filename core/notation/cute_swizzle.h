// CuTe swizzles on their own: values, masks, units, and swizzles found in a table (spec/notation.md c).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/notation/cute_layout.h"

namespace ls::cute {

/// offset >= 0.
std::int64_t apply(const Swizzle& swizzle, std::int64_t offset);
std::int64_t y_mask(const Swizzle& swizzle); ///< source bits
std::int64_t z_mask(const Swizzle& swizzle); ///< bits that change
inline std::int64_t swizzle_code(const Swizzle& s) { return y_mask(s) | z_mask(s); }
/// Elements after which the pattern repeats: 2^(M+B+|S|).
std::int64_t period(const Swizzle& swizzle);

/// The swizzle with these masks. Refused (CUTE_MASKS) unless each is one field of equal width.
Result<Swizzle> swizzle_from_masks(std::int64_t y, std::int64_t z);

/// The swizzle whose values are `table` over [0, 2^n). Refused with the first witness: CUTE_NOT_SWIZZLE "f(0) != 0",
/// "not linear over GF(2): first x=5", "shift not constant", ...; CUTE_TABLE when its length is no power of two.
Result<Swizzle> swizzle_from_table(std::span<const std::int64_t> table);

/// Recast of element width: M changes by lg(old) − lg(new); below 0 the missing bits are taken off B.
/// Refused (CUTE_RECAST) unless both widths are powers of two.
Result<Swizzle> recast(const Swizzle& swizzle, int from_bits, int to_bits);

/// The composition with every flagged pointer smem_ptr[nb] replaced by offset 0 and its swizzle, which works on bytes,
/// by the one that works on elements of n bits. A swizzle of no bits disappears. Others are left as they are.
/// Refused: CUTE_RECAST (n is no power of two), CUTE_SPARSE.
Result<Composed> element_form(const Composed& composed);

/// Recast of a whole layout: a flagged pointer changes its width and keeps the swizzle, others change the swizzle.
/// The layout behind is up- or downcast. Refused: CUTE_RECAST and as upcast and downcast.
Result<Composed> recast(const Composed& composed, int from_bits, int to_bits);

} // namespace ls::cute
