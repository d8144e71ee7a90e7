// Shared by the files of the algebra; private to them.
#pragma once

#include <initializer_list>

#include "core/notation/cute_algebra.h"
#include "core/support/checked.h"

namespace ls::cute {

/// CUTE_UNKNOWN or CUTE_BASIS unless all numbers are plain and known.
Status check_plain(std::initializer_list<const CuteLayout*> layouts);
/// Checks a result and makes it static when all inputs are.
Result<CuteLayout> finished(CuteLayout result, std::initializer_list<const CuteLayout*> inputs);
/// Product, or CUTE_OVERFLOW.
Result<std::int64_t> times(std::int64_t a, std::int64_t b);

/// The modes of a layout; a leaf is one mode.
std::vector<CuteLayout> modes_of(const CuteLayout& layout);

/// (tile, rest) pairs of every mode, and modes that no tiler touched, put together as the arrangement wants.
CuteLayout arrange(const std::vector<std::pair<CuteLayout, CuteLayout>>& pairs,
                   const std::vector<CuteLayout>& untouched, Arrangement arrangement);

/// How a divide or a product treats one layout and one tiler: (tile, rest), or (block, copies).
using PairOperation = Result<std::pair<CuteLayout, CuteLayout>> (*)(const CuteLayout& a, const CuteLayout& tiler);

/// The operation on the whole layout, put together as the arrangement wants.
Result<CuteLayout> by_whole(PairOperation operation, const CuteLayout& a, const CuteLayout& tiler, Arrangement arrangement);
/// The operation mode by mode; a mode without a tiler ('_') stays whole. CUTE_RANK when there are more tilers than modes.
Result<CuteLayout> by_mode(PairOperation operation, const CuteLayout& a, const Tiler& tiler, Arrangement arrangement);

} // namespace ls::cute
