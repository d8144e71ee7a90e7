#include "core/figure/explorer_picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/notation/notation.h"
#include "core/scene/color_lut.h"
#include "core/scene/grid_draw.h"
#include "core/scene/grid_fill.h"
#include "core/scene/metrics.h"
#include "core/scene/place.h"

namespace ls::figure {

namespace {

using scene::ColorKey;
using scene::DrawList;
using scene::FontFace;
using scene::Role;

constexpr double kMargin = 24;
constexpr double kGap = 24;
constexpr double kTitleHeight = 44;
constexpr double kPanelHeader = 28;
constexpr double kFormulaHeight = 34;

void put_text(DrawList& list, double x, double y, std::string text, FontFace face, double size, Role role) {
    list.add(scene::Text{{x, y}, std::move(text), face, size, scene::HAlign::Left, scene::VAlign::Top, {ColorKey::role(role), 1}, ColorKey::role(Role::None)});
}

/// As much of `text` as fits, with an ellipsis where something is left out.
std::string fitted(std::string text, double width, const scene::TextMeasure& measure, FontFace face, double size) {
    if (measure.width(text, face, size) <= width) return text;
    while (!text.empty() && measure.width(text + "…", face, size) > width) {
        do {
            text.pop_back();
        } while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U);
    }
    return text + "…";
}

class Composer {
public:
    Composer(const LayoutFigure& figure, const ExplorerPictureOptions& options, const scene::TextMeasure& measure, const scene::Theme& theme)
        : figure_(figure), options_(options), measure_(measure), theme_(theme) {}

    DrawList compose() {
        list_.width = options_.width;
        title();
        const double top = kMargin + kTitleHeight;
        const double room = options_.height - top - kMargin - (options_.element ? kFormulaHeight : 0) - kPanelHeader;
        const bool both = options_.part == PicturePart::Both;
        const double width = both ? (options_.width - 2 * kMargin - kGap) / 2 : options_.width - 2 * kMargin;
        double used = 0;
        double x = kMargin;
        if (options_.part != PicturePart::Physical) {
            used = std::max(used, panel(*figure_.logical(), focus_of(true), {x, top, width, room}));
            x += width + kGap;
        }
        if (options_.part != PicturePart::Logical) used = std::max(used, panel(*figure_.physical(), focus_of(false), {x, top, width, room}));
        double bottom = top + kPanelHeader + used;
        if (options_.element) {
            const std::string formula = figure_.formula(*options_.element).text();
            put_text(list_, kMargin, bottom + 12, fitted(formula, options_.width - 2 * kMargin, measure_, FontFace::Mono, 13), FontFace::Mono, 13, Role::Text);
            bottom += kFormulaHeight;
        }
        list_.height = bottom + kMargin;
        list_.marks.insert(list_.marks.begin(), scene::FillRect{{0, 0, list_.width, list_.height}, {ColorKey::role(Role::Canvas), 1}, 0});
        return std::move(list_);
    }

private:
    void title() {
        const TensorLayout& tensor = figure_.layout();
        const std::string name = tensor.name.empty() ? print_exact(tensor) : tensor.name;
        const scene::PropertyRow verdict = figure_.verdict();
        put_text(list_, kMargin, kMargin, fitted(name, options_.width * 0.6, measure_, FontFace::MonoBold, 15), FontFace::MonoBold, 15, Role::Text);
        std::int64_t elements = 1;
        for (const std::int64_t extent : tensor.shape) elements *= extent;
        const std::string facts = fmt::format("{} · {} elements{}", verdict.value, elements, tensor.dtype ? fmt::format(" of {}", info(*tensor.dtype).brief) : "");
        list_.add(scene::Text{{options_.width - kMargin, kMargin + 2}, facts, FontFace::Ui, 12, scene::HAlign::Right, scene::VAlign::Top,
                              {ColorKey::role(verdict.tone), 1}, ColorKey::role(Role::None)});
    }

    scene::GridFocus focus_of(bool logical) const {
        scene::GridFocus focus;
        const auto& choices = (logical ? figure_.logical() : figure_.physical())->label_choices;
        focus.label = options_.label.value_or(choices.empty() ? scene::CellLabel::None : choices.front());
        if (!options_.element) return focus;
        if (logical) {
            focus.hover = figure_.logical_cell(*options_.element).value_or(scene::Cell{});
        } else {
            const auto cells = figure_.physical_cells(*options_.element);
            if (!cells.empty()) focus.hover = cells.front();
            if (cells.size() > 1) focus.also_hover.assign(cells.begin() + 1, cells.end());
        }
        return focus;
    }

    /// Answers how much of the height below the header was used.
    double panel(const scene::GridScene& scene, const scene::GridFocus& focus, scene::Rect where) {
        put_text(list_, where.x, where.y, scene.title, FontFace::UiBold, 13, Role::Text);
        const double title_width = measure_.width(scene.title, FontFace::UiBold, 13);
        put_text(list_, where.x + title_width + 10, where.y + 1, fitted(scene.subtitle, where.w - title_width - 10, measure_, FontFace::Ui, 12), FontFace::Ui, 12, Role::Text3);
        scene::GridDrawOptions drawing;
        drawing.patterns = options_.patterns;
        scene::GridLayout layout = scene::layout_grid(scene, where.w, where.h, kExportScale, measure_, drawing);
        scene::GridView view = layout.view(scene, {});
        scene::Camera camera = view.fit();
        // A picture that is not the whole height needs no empty canvas below it.
        view = layout.view(scene, camera);
        const double unused = layout.area.h - view.picture().h;
        if (unused > 1) {
            layout = scene::layout_grid(scene, where.w, where.h - unused, kExportScale, measure_, drawing);
            view = layout.view(scene, camera);
            camera = view.fit();
            view = layout.view(scene, camera);
        }
        const scene::ColorLut lut(theme_);
        const scene::CellImage fill = scene::GridFill::complete(view, scene.cells, lut);
        scene::GridDrawing drawn = scene::draw_grid(scene, camera, layout, focus, measure_, drawing, &fill);
        scene::place(list_, std::move(drawn.list), {where.x, where.y + kPanelHeader});
        return layout.height;
    }

    /// Raster cells are made at twice the size, so that a print or a slide stays sharp.
    static constexpr double kExportScale = 2;

    const LayoutFigure& figure_;
    const ExplorerPictureOptions& options_;
    const scene::TextMeasure& measure_;
    const scene::Theme& theme_;
    DrawList list_;
};

} // namespace

DrawList explorer_picture(const LayoutFigure& figure, const ExplorerPictureOptions& options, const scene::TextMeasure& measure,
                          const scene::Theme& theme) {
    return Composer(figure, options, measure, theme).compose();
}

} // namespace ls::figure
