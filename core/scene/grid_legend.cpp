// The legend under the picture: what colours mean, what shades mean, what lines mean.
#include <algorithm>
#include <string_view>

#include "core/scene/grid_pen.h"

namespace ls::scene {

namespace {

constexpr double kLegendTop = 16, kLegendRow = 24;
constexpr double kNameWidth = 48, kSwatch = 11, kEntryGap = 24, kLineSample = 22;

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

bool has_swatches(const GridScene& scene) {
    return std::any_of(scene.legend.begin(), scene.legend.end(),
                       [](const LegendEntry& e) { return !e.swatches.empty(); });
}

std::ptrdiff_t notes(const GridScene& scene) {
    return std::count_if(scene.legend.begin(), scene.legend.end(),
                         [](const LegendEntry& e) { return e.swatches.empty(); });
}

} // namespace

double legend_height(const GridScene& scene) {
    const std::ptrdiff_t rows = (has_swatches(scene) ? 1 : 0) + notes(scene) + (scene.legend_lines.empty() ? 0 : 1);
    return rows == 0 ? 0 : kLegendTop + kLegendRow * static_cast<double>(rows) + 6;
}

void draw_grid_legend(const GridPen& pen) {
    const Rect picture = pen.picture();
    const double left = pen.area().x, right = pen.layout.width - 8;
    double y = picture.bottom() + kLegendTop + kLegendRow / 2 - 2;
    const auto name = [&](std::string_view text) {
        pen.text({left, y}, std::string(text), FontFace::Ui, HAlign::Left, ink(Role::Text3));
    };
    const auto say = [&](double x, const std::string& text) {
        pen.text({x, y}, text, FontFace::Ui, HAlign::Left, ink(Role::Text2));
    };

    if (has_swatches(pen.scene)) {
        name("Colour");
        double x = left + kNameWidth;
        for (const LegendEntry& entry : pen.scene.legend) {
            if (entry.swatches.empty()) continue;
            const double swatches = kSwatch * static_cast<double>(entry.swatches.size());
            const double w = swatches + 6 + pen.text_width(entry.text, FontFace::Ui);
            if (x + w > right) break; // an entry is shown whole or not at all
            for (std::size_t i = 0; i < entry.swatches.size(); ++i) {
                const Rect box{x + kSwatch * static_cast<double>(i), y - 6, kSwatch, 12};
                pen.out.add(FillRect{box, {entry.swatches[i]}});
                pen.frame(box, ink(Role::Ink, 0.16), 1);
            }
            say(x + swatches + 6, entry.text);
            x += w + kEntryGap;
        }
        y += kLegendRow;
    }
    for (const LegendEntry& entry : pen.scene.legend) {
        if (!entry.swatches.empty()) continue;
        const std::size_t tab = entry.text.find('\t');
        if (tab == std::string::npos) {
            say(left, entry.text);
        } else {
            name(std::string_view(entry.text).substr(0, tab));
            say(left + kNameWidth, entry.text.substr(tab + 1));
        }
        y += kLegendRow;
    }
    if (!pen.scene.legend_lines.empty()) {
        name("Lines");
        double x = left + kNameWidth;
        for (const LegendLine& line : pen.scene.legend_lines) {
            const double w = kLineSample + 6 + pen.text_width(line.text, FontFace::Ui);
            if (line.level >= pen.scene.levels.size() || x + w > right) continue;
            // As they look at 8 px, a zoom at which every kind is drawn; faint ones strong enough to be seen alone.
            LineLook look = line_look(line_kind(line.level, pen.scene.levels.size()), 8, 1e9);
            look.alpha = std::max(look.alpha, 0.3);
            look.width = std::max(look.width, 1.0);
            pen.horizontal(y, x, x + kLineSample, look);
            say(x + kLineSample + 6, line.text);
            x += w + kEntryGap;
        }
    }
}

} // namespace ls::scene
