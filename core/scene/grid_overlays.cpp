// Windows, findings, unused and shared bytes over the cells. A finding never vanishes, however far one zooms out.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/scene/grid_pen.h"
#include "core/scene/pattern.h"

namespace ls::scene {

namespace {

constexpr double kLeastFinding = 7;

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

struct Look {
    Pattern pattern = Pattern::None;
    Role edge = Role::Ink;
    double width = 1;
    Role hatch = Role::Ink;
};

Look look_of(Overlay::Kind kind, const Metrics& m) {
    switch (kind) {
    case Overlay::Kind::Window: return {Pattern::None, Role::Ink, m.window};
    case Overlay::Kind::Finding: return {Pattern::Finding, Role::Finding, m.finding, Role::Finding};
    case Overlay::Kind::Unused: return {Pattern::Unused, Role::Line2, 1, Role::Text3};
    case Overlay::Kind::Shared: return {Pattern::Shared, Role::Ink, 1};
    case Overlay::Kind::Focus: return {Pattern::None, Role::Accent, m.selected};
    }
    return {};
}

bool is_mark(const Overlay& overlay, const Rect& box) {
    return overlay.kind == Overlay::Kind::Finding && box.w < kLeastFinding && box.h < kLeastFinding;
}

/// Inside at the top if it fits, else inside at the bottom, right of the box, or under it; it hides nothing in `taken`,
/// and adds itself.
void draw_label(const GridPen& pen, const Overlay& overlay, const Rect& box, std::vector<Rect>& taken) {
    if (overlay.label.empty()) return;
    const double pad = pen.metrics.label_pad;
    const double w = pen.text_width(overlay.label, FontFace::UiBold) + 2 * pad, h = kTextRow + 4;
    const Rect seen = intersect(box, pen.area());
    const Rect places[] = {{seen.x + pad, seen.y + pad, w, h},
                           {seen.x + pad, seen.bottom() - pad - h, w, h},
                           {box.right() + pad, box.y, w, h},
                           {box.x, box.bottom() + pad, w, h}};
    for (const Rect& place : places) {
        const Rect limit = &place < &places[2] ? inflate(seen, -1) : pen.area();
        if (place.x < limit.x || place.y < limit.y || place.right() > limit.right() || place.bottom() > limit.bottom())
            continue;
        const auto covers = [&place](const Rect& r) {
            const Rect common = intersect(place, r);
            return common.w > 0 && common.h > 0;
        };
        if (std::any_of(taken.begin(), taken.end(), covers)) continue;
        taken.push_back(place);
        const bool finding = overlay.kind == Overlay::Kind::Finding;
        pen.out.add(FillRect{place, ink(finding ? Role::FindingTint : Role::Panel, 0.94), 2});
        pen.text({place.x + pad, place.y + h / 2}, overlay.label, FontFace::UiBold, HAlign::Left,
                 ink(finding ? Role::Finding : Role::Text));
        return;
    }
}

} // namespace

void draw_grid_overlays(const GridPen& pen) {
    for (const Overlay& overlay : pen.scene.overlays) {
        Rect box = pen.rect(overlay.cells);
        if (is_mark(overlay, box)) continue;
        if (overlay.kind == Overlay::Kind::Finding) box = at_least(box, kLeastFinding);
        const Rect seen = intersect(box, inflate(pen.area(), 2));
        if (seen.w <= 0 || seen.h <= 0) continue;
        const Look look = look_of(overlay.kind, pen.metrics);
        if (look.pattern != Pattern::None) {
            if (overlay.kind == Overlay::Kind::Finding) pen.out.add(FillRect{seen, ink(Role::FindingTint, 0.6)});
            pen.out.add(HatchRect{seen, look.pattern, ink(look.hatch, pattern_look(look.pattern).alpha)});
        }
        pen.frame(box, ink(look.edge), look.width);
    }
}

void draw_overlay_labels(const GridPen& pen) {
    std::vector<Rect> taken; // other labels, the hovered run
    if (pen.hovering()) taken.push_back(inflate(pen.rect(pen.hovered_run()), 4));
    for (const Overlay& overlay : pen.scene.overlays) {
        const Rect box = pen.rect(overlay.cells);
        const Rect seen = intersect(box, pen.area());
        if (!is_mark(overlay, box) && seen.w > 0 && seen.h > 0) draw_label(pen, overlay, box, taken);
    }
}

void draw_grid_finding_marks(const GridPen& pen) {
    // Findings too small to be drawn as they are become marks; marks that would touch share one and are counted.
    constexpr double kPlaceW = 88, kPlaceH = 18;
    struct Spot {
        Point at;
        std::size_t count = 0;
        const Overlay* only = nullptr;
    };
    std::map<std::pair<std::int64_t, std::int64_t>, Spot> spots;
    const Rect area = pen.area();
    for (const Overlay& overlay : pen.scene.overlays) {
        const Rect box = pen.rect(overlay.cells);
        const Point centre{box.x + box.w / 2, box.y + box.h / 2};
        if (!is_mark(overlay, box) || !inflate(area, 1).contains(centre)) continue;
        Spot& mark = spots[{static_cast<std::int64_t>(std::floor(centre.y / kPlaceH)),
                            static_cast<std::int64_t>(std::floor(centre.x / kPlaceW))}];
        if (mark.count++ == 0) {
            mark.at = centre;
            mark.only = &overlay;
        }
    }
    for (const auto& [place, mark] : spots) {
        const Rect box{std::round(mark.at.x - kLeastFinding / 2), std::round(mark.at.y - kLeastFinding / 2),
                       kLeastFinding, kLeastFinding};
        pen.out.add(FillRect{inflate(box, 2), ink(Role::Panel)});
        pen.out.add(FillRect{box, ink(Role::Finding)});
        const std::string text = mark.count == 1 ? (mark.only->label.empty() ? "1 finding" : mark.only->label)
                                                 : fmt::format("{} findings", mark.count);
        const double w = pen.text_width(text, FontFace::UiBold);
        const bool left = box.right() + 8 + w > pen.layout.width;
        pen.text({left ? box.x - 6 : box.right() + 6, box.y + box.h / 2}, text, FontFace::UiBold,
                 left ? HAlign::Right : HAlign::Left, ink(Role::Text), ColorKey::role(Role::Panel));
    }
}

} // namespace ls::scene
