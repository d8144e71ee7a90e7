#include "core/notation/cute_algebra_internal.h"

#include <fmt/format.h>

#include "core/notation/cute_text.h"

namespace ls::cute {

namespace {

Result<CuteLayout> by_profile(const CuteLayout& layout, const Tree& profile) {
    if (profile.is_leaf) return from_flat(coalesced_leaves(layout));
    if (layout.shape.is_leaf || layout.shape.items.size() < profile.items.size()) {
        return error("CUTE_PROFILE",
                     fmt::format("the profile {} has more modes than {}", print(profile), print(layout.shape)));
    }
    std::vector<CuteLayout> modes;
    for (std::size_t i = 0; i < layout.shape.items.size(); ++i) {
        if (i < profile.items.size()) {
            LS_TRY(CuteLayout one, by_profile(mode(layout, i), profile.items[i]));
            modes.push_back(std::move(one));
        } else {
            modes.push_back(mode(layout, i));
        }
    }
    return join(modes);
}

} // namespace

std::vector<Flat> coalesced_leaves(const CuteLayout& layout) {
    std::vector<Flat> out;
    for (const Flat& leaf : flatten(layout)) {
        if (leaf.size == 1) continue;
        // The reach of a checked layout fits 64 bits, so size · stride of the leaf before does as well, up to one
        // stride.
        const CheckedInt next = out.empty() ? CheckedInt{} : checked_mul(out.back().size, out.back().stride);
        if (next && *next == leaf.stride)
            out.back().size *= leaf.size;
        else
            out.push_back(leaf);
    }
    return out;
}

Result<CuteLayout> coalesce(const CuteLayout& layout) {
    LS_CHECK(check_plain({&layout}));
    return finished(from_flat(coalesced_leaves(layout)), {&layout});
}

Result<CuteLayout> coalesce(const CuteLayout& layout, const Tree& profile) {
    LS_CHECK(check_plain({&layout}));
    LS_TRY(CuteLayout out, by_profile(layout, profile));
    return finished(std::move(out), {&layout});
}

// --- shared by the other operations

Status check_plain(std::initializer_list<const CuteLayout*> layouts) {
    for (const CuteLayout* layout : layouts) {
        if (has_unknown(*layout))
            return error("CUTE_UNKNOWN", "a run-time number '?' has no value", "write numbers in place of '?'");
        if (has_basis(*layout))
            return error("CUTE_BASIS", fmt::format("{} has strides that name coordinates", print(*layout)),
                         "this operation needs plain strides");
    }
    return ok_status();
}

Result<CuteLayout> finished(CuteLayout result, std::initializer_list<const CuteLayout*> inputs) {
    bool is_static = true;
    for (const CuteLayout* input : inputs) is_static = is_static && all_static(*input);
    LS_CHECK(check(result));
    return mark_static(std::move(result), is_static);
}

Result<std::int64_t> times(std::int64_t a, std::int64_t b) {
    if (const CheckedInt product = checked_mul(a, b)) return *product;
    return error("CUTE_OVERFLOW", fmt::format("{} · {} does not fit 64 bits", a, b));
}

std::vector<CuteLayout> modes_of(const CuteLayout& layout) {
    std::vector<CuteLayout> modes;
    for (std::size_t i = 0; i < rank(layout.shape); ++i) modes.push_back(mode(layout, i));
    return modes;
}

CuteLayout arrange(const std::vector<std::pair<CuteLayout, CuteLayout>>& pairs,
                   const std::vector<CuteLayout>& untouched, Arrangement arrangement) {
    std::vector<CuteLayout> tiles, rests;
    if (arrangement == Arrangement::Logical) {
        for (const auto& [tile, rest] : pairs) tiles.push_back(join(std::vector{tile, rest}));
        tiles.insert(tiles.end(), untouched.begin(), untouched.end());
        return join(tiles);
    }
    for (const auto& [tile, rest] : pairs) {
        tiles.push_back(tile);
        rests.push_back(rest);
    }
    rests.insert(rests.end(), untouched.begin(), untouched.end());
    std::vector<CuteLayout> out;
    if (arrangement == Arrangement::Flat)
        out = tiles;
    else
        out.push_back(join(tiles));
    if (arrangement == Arrangement::Zipped)
        out.push_back(join(rests));
    else
        out.insert(out.end(), rests.begin(), rests.end());
    return join(out);
}

} // namespace ls::cute
