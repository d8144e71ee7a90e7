#include "core/figure/memory_map_plates.h"

#include <algorithm>
#include <vector>

#include "core/scene/metrics.h"

namespace ls::figure {

using namespace scene;

void draw_conflict_plates(DrawList& into, std::span<const ConflictPlate> plates, const Rect& within, const TextMeasure& measure) {
    const Metrics& m = Metrics::builtin();
    const double line = m.micro + 3, h = 2 * line + 4;
    const Paint red{ColorKey::role(Role::Finding)};
    std::vector<Rect> taken;
    for (const ConflictPlate& plate : plates) {
        const Rect& r = plate.at;
        const double names = measure.width(plate.names, FontFace::UiBold, m.micro), bytes = measure.width(plate.bytes, FontFace::Mono, m.micro);
        const double w = std::max(names, bytes) + 2 * m.label_pad + 2;
        if (w > within.w) continue;
        const auto across = [&](double x) { return std::clamp(x, within.x, within.right() - w); };
        const double middle = r.y + r.h / 2 - h / 2, centre = across(r.x + r.w / 2 - w / 2);
        std::vector<Rect> places{{centre, r.bottom() + 3, w, h},
                                 {centre, r.y - 3 - h, w, h},
                                 {across(r.right() + 4), middle, w, h},
                                 {across(r.x - 4 - w), middle, w, h}};
        if (w <= r.w && h <= r.h) places.insert(places.begin(), {centre, middle, w, h});
        const auto free = std::find_if(places.begin(), places.end(), [&](const Rect& p) {
            const auto meets = [&](const Rect& o) { return p.x < o.right() && o.x < p.right() && p.y < o.bottom() && o.y < p.bottom(); };
            return p.y >= within.y - h && p.bottom() <= within.bottom() + h && std::none_of(taken.begin(), taken.end(), meets);
        });
        if (free == places.end()) continue;
        taken.push_back(*free);
        const double x = free->x + w / 2;
        const auto text = [&](double y, const std::string& s, FontFace face) {
            into.add(Text{{x, y}, s, face, m.micro, HAlign::Centre, VAlign::Middle, red, ColorKey::role(Role::None)});
        };
        into.add(FillRect{*free, {ColorKey::role(Role::FindingTint)}, 3});
        into.add(StrokeRect{*free, red, 1, 3});
        text(free->y + 2 + line / 2, plate.names, FontFace::UiBold);
        text(free->y + 2 + 1.5 * line, plate.bytes, FontFace::Mono);
    }
}

} // namespace ls::figure
