#include <algorithm>

#include <fmt/format.h>

#include "core/notation/cute_algebra_internal.h"
#include "core/notation/cute_text.h"

namespace ls::cute {

namespace {

/// A coalesced leaf with the flat coordinates that one step of it counts.
struct Placed {
    std::int64_t size;
    std::int64_t stride;
    std::int64_t coordinate_step; ///< product of the sizes before it
};

std::vector<Placed> by_stride(const CuteLayout& layout) {
    std::vector<Placed> out;
    std::int64_t before = 1;
    for (const Flat& f : coalesced_leaves(layout)) {
        out.push_back({f.size, f.stride, before});
        before *= f.size;
    }
    std::stable_sort(out.begin(), out.end(), [](const Placed& a, const Placed& b) { return a.stride < b.stride; });
    return out;
}

} // namespace

Result<CuteLayout> right_inverse(const CuteLayout& layout) {
    LS_CHECK(check_plain({&layout}));
    std::vector<Flat> out;
    std::int64_t current = 1;
    for (const Placed& leaf : by_stride(layout)) {
        if (leaf.stride != current) continue;
        out.push_back({leaf.size, leaf.coordinate_step});
        LS_TRY(current, times(leaf.size, leaf.stride));
    }
    LS_TRY(const CuteLayout merged, coalesce(from_flat(out)));
    return finished(merged, {&layout});
}

Result<CuteLayout> left_inverse(const CuteLayout& layout) {
    LS_CHECK(check_plain({&layout}));
    std::vector<Placed> leaves = by_stride(layout);
    std::erase_if(leaves, [](const Placed& leaf) { return leaf.stride == 0; });
    std::vector<Flat> out;
    std::int64_t emitted = 1;  // product of the sizes emitted so far
    std::int64_t previous = 0; // stride that the next size gets
    std::int64_t last_size = 1;
    for (const Placed& leaf : leaves) {
        if (leaf.stride < 0)
            return error("CUTE_NEGATIVE",
                         fmt::format("{} has a negative stride; it has no left inverse", print(layout)));
        if (leaf.stride % emitted != 0) {
            return error("CUTE_NO_INVERSE",
                         fmt::format("the stride {} of {} is not a multiple of {}, the values below it", leaf.stride,
                                     print(layout), emitted),
                         "only layouts whose strides divide one another have a left inverse that is a layout");
        }
        out.push_back({leaf.stride / emitted, previous});
        emitted = leaf.stride;
        previous = leaf.coordinate_step;
        last_size = leaf.size;
    }
    out.push_back({last_size, previous});
    LS_TRY(const CuteLayout merged, coalesce(from_flat(out)));
    return finished(merged, {&layout});
}

Result<CuteLayout> nullspace(const CuteLayout& layout) {
    LS_CHECK(check_plain({&layout}));
    std::vector<Flat> out;
    std::int64_t before = 1;
    for (const Flat& f : flatten(layout)) {
        if (f.stride == 0 && f.size > 1) out.push_back({f.size, before});
        before *= f.size;
    }
    LS_TRY(const CuteLayout merged, coalesce(from_flat(out)));
    return finished(merged, {&layout});
}

} // namespace ls::cute
