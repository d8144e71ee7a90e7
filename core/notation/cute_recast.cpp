#include <cstdlib>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "core/notation/cute_algebra_internal.h"
#include "core/notation/cute_text.h"

namespace ls::cute {

namespace {

using OnLeaf = std::function<Result<Flat>(const Flat&)>;

Result<CuteLayout> leafwise(const Tree& shape, const Tree& stride, const OnLeaf& f) {
    if (shape.is_leaf) {
        LS_TRY(const Flat out, f({shape.leaf.value, stride.leaf.value}));
        return make_leaf(out.size, out.stride);
    }
    std::vector<CuteLayout> modes;
    for (std::size_t i = 0; i < shape.items.size(); ++i) {
        LS_TRY(CuteLayout one, leafwise(shape.items[i], stride.items[i], f));
        modes.push_back(std::move(one));
    }
    return join(modes);
}

Status check_factor(std::int64_t n) {
    return n >= 1 ? ok_status()
                  : Status(error("CUTE_RECAST", fmt::format("a factor of {}, but at least 1 is needed", n)));
}

} // namespace

Result<CuteLayout> upcast(const CuteLayout& layout, std::int64_t n) {
    LS_CHECK(check_plain({&layout}));
    LS_CHECK(check_factor(n));
    LS_TRY(CuteLayout out, leafwise(layout.shape, layout.stride, [&](const Flat& f) -> Result<Flat> {
               if (f.stride == 0) return f;
               const std::int64_t step = std::abs(f.stride);
               if (step % n != 0 && n % step != 0) {
                   return error("CUTE_RECAST",
                                fmt::format("stride {} of {} is neither a multiple nor a divisor of {}", f.stride,
                                            print(layout), n),
                                "wider elements must start at whole elements");
               }
               const std::int64_t per_wide = ceil_div(n, step); // elements of this leaf in one wide element
               return Flat{ceil_div(f.size, per_wide), (f.stride < 0 ? -1 : 1) * ceil_div(step, n)};
           }));
    return finished(std::move(out), {&layout});
}

Result<CuteLayout> downcast(const CuteLayout& layout, std::int64_t n) {
    LS_CHECK(check_plain({&layout}));
    LS_CHECK(check_factor(n));
    bool contiguous = n == 1;
    LS_TRY(CuteLayout out, leafwise(layout.shape, layout.stride, [&](const Flat& f) -> Result<Flat> {
               if (f.stride == 1 || f.stride == -1) {
                   contiguous = true;
                   LS_TRY(const std::int64_t extent, times(f.size, n));
                   return Flat{extent, f.stride};
               }
               LS_TRY(const std::int64_t stride, times(f.stride, n));
               return Flat{f.size, stride};
           }));
    if (!contiguous) {
        return error("CUTE_RECAST",
                     fmt::format("{} has no contiguous mode to split into {} elements", print(layout), n),
                     "a mode with stride 1 is needed");
    }
    return finished(std::move(out), {&layout});
}

Result<CuteLayout> recast(const CuteLayout& layout, int from_bits, int to_bits) {
    if (from_bits < 1 || to_bits < 1)
        return error("CUTE_RECAST", fmt::format("elements of {} and {} bits", from_bits, to_bits));
    const int common = std::gcd(from_bits, to_bits);
    const int up = to_bits / common, down = from_bits / common;
    if (down == 1) return upcast(layout, up);
    if (up == 1) return downcast(layout, down);
    LS_TRY(const CuteLayout wide, upcast(layout, up));
    return downcast(wide, down);
}

} // namespace ls::cute
