#include <algorithm>

#include <fmt/format.h>

#include "core/notation/cute_algebra_internal.h"
#include "core/notation/cute_text.h"

namespace ls::cute {

namespace {

using Pair = std::pair<CuteLayout, CuteLayout>;

/// A, and its copies laid out by T over the places that A leaves free.
Result<Pair> block_and_copies(const CuteLayout& a, const CuteLayout& tiler) {
    LS_TRY(const std::int64_t reach, times(size(a), cosize(tiler)));
    LS_TRY(const CuteLayout free, complement(a, reach));
    LS_TRY(CuteLayout copies, composition(free, tiler));
    return Pair{a, std::move(copies)};
}

/// At least `modes` modes, filled up with 1:0.
CuteLayout padded(const CuteLayout& layout, std::size_t modes) {
    std::vector<CuteLayout> out = modes_of(layout);
    while (out.size() < modes) out.push_back(make_leaf(1, 0));
    return join(out);
}

Result<CuteLayout> zipped(const CuteLayout& a, const CuteLayout& tiler, bool block_first) {
    LS_CHECK(check_plain({&a, &tiler}));
    const std::size_t modes = std::max(rank(a.shape), rank(tiler.shape));
    LS_TRY(const Pair pair, block_and_copies(padded(a, modes), padded(tiler, modes)));
    std::vector<CuteLayout> out;
    for (std::size_t i = 0; i < modes; ++i) {
        const CuteLayout block = mode(pair.first, i), copy = mode(pair.second, i);
        out.push_back(block_first ? join(std::vector{block, copy}) : join(std::vector{copy, block}));
    }
    return finished(join(out), {&a, &tiler});
}

} // namespace

Result<CuteLayout> product(const CuteLayout& a, const CuteLayout& tiler, Arrangement arrangement) {
    return by_whole(block_and_copies, a, tiler, arrangement);
}

Result<CuteLayout> product(const CuteLayout& a, const Tiler& tiler, Arrangement arrangement) {
    return by_mode(block_and_copies, a, tiler, arrangement);
}

Result<CuteLayout> blocked_product(const CuteLayout& a, const CuteLayout& tiler) { return zipped(a, tiler, true); }
Result<CuteLayout> raked_product(const CuteLayout& a, const CuteLayout& tiler) { return zipped(a, tiler, false); }

} // namespace ls::cute
