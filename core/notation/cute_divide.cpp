#include <fmt/format.h>

#include "core/notation/cute_algebra_internal.h"
#include "core/notation/cute_text.h"

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
    LS_CHECK(check_plain({&a, &tiler}));
    LS_TRY(const Pair pair, tile_and_rest(a, tiler));
    std::vector<CuteLayout> out;
    if (arrangement == Arrangement::Flat)
        out = modes_of(pair.first);
    else
        out.push_back(pair.first);
    if (arrangement == Arrangement::Tiled || arrangement == Arrangement::Flat) {
        for (CuteLayout& rest : modes_of(pair.second)) out.push_back(std::move(rest));
    } else {
        out.push_back(pair.second);
    }
    return finished(join(out), {&a, &tiler});
}

Result<CuteLayout> divide(const CuteLayout& a, const Tiler& tiler, Arrangement arrangement) {
    LS_CHECK(check_plain({&a}));
    const std::vector<CuteLayout> modes = modes_of(a);
    if (tiler.size() > modes.size())
        return error("CUTE_RANK",
                     fmt::format("the tiler has {} modes, {} has {}", tiler.size(), print(a), modes.size()));
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < tiler.size(); ++i) {
        // '_' takes the whole mode as its tile.
        if (!tiler[i]) {
            pairs.emplace_back(modes[i], make_leaf(1, 0));
            continue;
        }
        LS_CHECK(check_plain({&*tiler[i]}));
        LS_TRY(Pair pair, tile_and_rest(modes[i], *tiler[i]));
        pairs.push_back(std::move(pair));
    }
    return finished(
        arrange(pairs, {modes.begin() + static_cast<std::ptrdiff_t>(tiler.size()), modes.end()}, arrangement), {&a});
}

} // namespace ls::cute
