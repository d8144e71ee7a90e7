#include <fmt/format.h>

#include "core/notation/cute_algebra_internal.h"

namespace ls::cute {

Result<ThreadValue> make_layout_tv(const CuteLayout& threads, const CuteLayout& values) {
    ThreadValue out;
    LS_TRY(out.mn, raked_product(threads, values));
    LS_TRY(const CuteLayout inverse, right_inverse(out.mn));
    const std::int64_t thread_count = size(threads);
    const std::vector<CuteLayout> pair{make_leaf(thread_count, 1), make_leaf(size(values), thread_count)};
    CuteLayout compact = mark_static(join(pair), all_static(inverse));
    LS_TRY(out.tv, composition(inverse, compact));
    for (const CuteLayout& m : modes_of(out.mn)) out.tiler.push_back(size(m));
    return out;
}

Result<std::int64_t> max_common_vector(const CuteLayout& a, const CuteLayout& b) {
    LS_TRY(const CuteLayout inverse, right_inverse(b));
    LS_TRY(const CuteLayout through, composition(a, inverse));
    const std::vector<Flat> leaves = coalesced_leaves(through);
    return !leaves.empty() && leaves.front().stride == 1 ? leaves.front().size : std::int64_t{1};
}

} // namespace ls::cute
