#include "core/notation/cute_algebra_internal.h"

namespace ls::cute {

namespace {

using Pair = std::pair<CuteLayout, CuteLayout>;

/// A∘(T, complement(T, size(A))): the tile, and where its copies start.
Result<Pair> tile_and_rest(const CuteLayout& a, const CuteLayout& tiler) {
    LS_TRY(const CuteLayout rest, complement(tiler, size(a)));
    LS_TRY(const CuteLayout both, composition(a, join(std::vector{tiler, rest})));
    return Pair{mode(both, 0), mode(both, 1)};
}

} // namespace

Result<CuteLayout> divide(const CuteLayout& a, const CuteLayout& tiler, Arrangement arrangement) {
    return by_whole(tile_and_rest, a, tiler, arrangement);
}

Result<CuteLayout> divide(const CuteLayout& a, const Tiler& tiler, Arrangement arrangement) {
    return by_mode(tile_and_rest, a, tiler, arrangement);
}

} // namespace ls::cute
