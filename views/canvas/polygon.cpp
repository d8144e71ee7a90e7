#include "views/canvas/polygon.h"

#include <imgui.h>

#include <numeric>
#include <utility>
#include <vector>

namespace ls::views {
namespace {

float cross(ImVec2 o, ImVec2 a, ImVec2 b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); }

float signed_area(std::span<const ImVec2> p) {
    float sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const ImVec2 &a = p[i], &b = p[(i + 1) % p.size()];
        sum += a.x * b.y - a.y * b.x;
    }
    return sum / 2;
}

bool inside(ImVec2 p, ImVec2 a, ImVec2 b, ImVec2 c) {
    return cross(a, b, p) >= 0 && cross(b, c, p) >= 0 && cross(c, a, p) >= 0;
}

} // namespace

void fill_polygon(ImDrawList& list, std::span<const ImVec2> outline, unsigned color) {
    if (outline.size() < 3) return;
    std::vector<ImVec2> p(outline.begin(), outline.end());
    if (signed_area(p) < 0) p.assign(outline.rbegin(), outline.rend());

    bool convex = true;
    for (std::size_t i = 0; i < p.size() && convex; ++i)
        convex = cross(p[i], p[(i + 1) % p.size()], p[(i + 2) % p.size()]) >= 0;
    if (convex) {
        list.AddConvexPolyFilled(p.data(), static_cast<int>(p.size()), color);
        return;
    }
    // Ear clipping: cut off corners that hold no other point. Soft edges would show as seams between the pieces.
    const ImDrawListFlags flags = std::exchange(list.Flags, list.Flags & ~ImDrawListFlags_AntiAliasedFill);
    std::vector<std::size_t> rest(p.size());
    std::iota(rest.begin(), rest.end(), std::size_t{0});
    while (rest.size() > 2) {
        bool cut = false;
        for (std::size_t i = 0; i < rest.size() && !cut; ++i) {
            const std::size_t before = rest[(i + rest.size() - 1) % rest.size()], here = rest[i],
                              after = rest[(i + 1) % rest.size()];
            const ImVec2 a = p[before], b = p[here], c = p[after];
            if (cross(a, b, c) < 0) continue;
            bool empty = true;
            for (const std::size_t other : rest)
                if (other != before && other != here && other != after && inside(p[other], a, b, c)) empty = false;
            if (!empty) continue;
            list.AddTriangleFilled(a, b, c, color);
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            cut = true;
        }
        if (!cut) break; // an outline that crosses itself
    }
    list.Flags = flags;
}

} // namespace ls::views
