// A finished figure: a titled list of marks and what its parts say when pointed at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/draw_list.h"

namespace ls::scene {

/// A part of a picture that answers the pointer. Later regions lie on top of earlier ones.
struct HitRegion {
    Rect rect;
    std::int64_t id = 0;  ///< meaning is the figure's own: an index, a statement, an offset in bytes
    std::string describe; ///< one sentence for the status bar, for screen readers and for titles in exports
};

struct Picture {
    std::string title;
    std::string subtitle;
    DrawList list;
    std::vector<HitRegion> hits;

    /// The topmost region under `p`.
    const HitRegion* hit(Point p) const {
        for (std::size_t i = hits.size(); i-- > 0;) {
            if (hits[i].rect.contains(p)) return &hits[i];
        }
        return nullptr;
    }
};

} // namespace ls::scene
