#include <algorithm>

#include <fmt/format.h>

#include "core/notation/cute_algebra_internal.h"
#include "core/notation/cute_text.h"

namespace ls::cute {

Result<CuteLayout> complement(const CuteLayout& layout, std::int64_t n) {
    LS_CHECK(check_plain({&layout}));
    if (n < 1)
        return error("CUTE_EXTENT", fmt::format("the complement is asked up to {}, but at least 1 is needed", n));
    // Leaves of stride 0 do not move anything; they count as size 1.
    std::vector<Flat> leaves = coalesced_leaves(layout);
    std::erase_if(leaves, [](const Flat& f) { return f.stride == 0; });
    for (const Flat& f : leaves) {
        if (f.stride < 0)
            return error("CUTE_NEGATIVE",
                         fmt::format("{} has a negative stride; its complement is not defined", print(layout)));
    }
    std::sort(leaves.begin(), leaves.end(), [](const Flat& a, const Flat& b) {
        return a.stride < b.stride || (a.stride == b.stride && a.size < b.size);
    });
    std::vector<Flat> out;
    std::int64_t current = 1;
    for (const Flat& f : leaves) {
        const std::int64_t gap = f.stride / current; // floored, so holes are possible where it is not exact
        if (gap == 0)
            return error("CUTE_NOT_INJECTIVE", fmt::format("{} gives the same value twice", print(layout)),
                         "only layouts without repeated values have a complement");
        out.push_back({gap, current});
        LS_TRY(current, times(f.size, f.stride));
    }
    out.push_back({n / current + (n % current != 0 ? 1 : 0), current});
    LS_TRY(const CuteLayout merged, coalesce(from_flat(out)));
    return finished(merged, {&layout});
}

} // namespace ls::cute
