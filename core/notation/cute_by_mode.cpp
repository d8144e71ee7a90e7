// What divides and products have in common: one layout and one tiler, as a whole or mode by mode.
#include <fmt/format.h>

#include "core/notation/cute_algebra_internal.h"
#include "core/notation/cute_text.h"

namespace ls::cute {

Result<CuteLayout> by_whole(PairOperation operation, const CuteLayout& a, const CuteLayout& tiler, Arrangement arrangement) {
    LS_CHECK(check_plain({&a, &tiler}));
    LS_TRY(const auto pair, operation(a, tiler));
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

Result<CuteLayout> by_mode(PairOperation operation, const CuteLayout& a, const Tiler& tiler, Arrangement arrangement) {
    LS_CHECK(check_plain({&a}));
    const std::vector<CuteLayout> modes = modes_of(a);
    if (tiler.size() > modes.size())
        return error("CUTE_RANK",
                     fmt::format("the tiler has {} modes, {} has {}", tiler.size(), print(a), modes.size()));
    std::vector<std::pair<CuteLayout, CuteLayout>> pairs;
    for (std::size_t i = 0; i < tiler.size(); ++i) {
        // '_' keeps the whole mode: one tile, or one copy.
        if (!tiler[i]) {
            pairs.emplace_back(modes[i], make_leaf(1, 0));
            continue;
        }
        LS_CHECK(check_plain({&*tiler[i]}));
        LS_TRY(auto pair, operation(modes[i], *tiler[i]));
        pairs.push_back(std::move(pair));
    }
    return finished(
        arrange(pairs, {modes.begin() + static_cast<std::ptrdiff_t>(tiler.size()), modes.end()}, arrangement), {&a});
}

} // namespace ls::cute
