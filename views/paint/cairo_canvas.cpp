#include "views/paint/cairo_canvas.h"

#include <algorithm>
#include <numbers>
#include <string>
#include <type_traits>

#include "core/scene/pattern.h"
#include "views/paint/fonts.h"
#include "views/paint/image_runs.h"
#include "views/paint/png_bytes.h"
#include "views/paint/utf8.h"

namespace ls::paint {

namespace {

using namespace scene;

constexpr double kHalo = 4;
constexpr std::size_t kMostRectangles = 20000;

class CairoCanvas {
public:
    CairoCanvas(cairo_t* cr, const Theme& theme, CellStyle cells) : cr_(cr), theme_(theme), cells_(cells) {}

    void draw(const DrawList& list) {
        for (const Mark& mark : list.marks) {
            std::visit([this](const auto& m) { draw(m); }, mark);
        }
        while (clips_ > 0) draw(PopClip{});
    }

private:
    bool use(const Paint& paint) {
        const Rgba c = theme_.color(paint.color);
        const double alpha = c.a / 255.0 * static_cast<double>(paint.alpha);
        cairo_set_source_rgba(cr_, c.r / 255.0, c.g / 255.0, c.b / 255.0, alpha);
        return alpha > 0;
    }

    void path(const Rect& r, double radius) {
        const double rr = std::min({radius, r.w / 2, r.h / 2});
        if (rr <= 0) {
            cairo_rectangle(cr_, r.x, r.y, r.w, r.h);
            return;
        }
        constexpr double quarter = std::numbers::pi / 2;
        cairo_new_sub_path(cr_);
        cairo_arc(cr_, r.right() - rr, r.y + rr, rr, -quarter, 0);
        cairo_arc(cr_, r.right() - rr, r.bottom() - rr, rr, 0, quarter);
        cairo_arc(cr_, r.x + rr, r.bottom() - rr, rr, quarter, 2 * quarter);
        cairo_arc(cr_, r.x + rr, r.y + rr, rr, 2 * quarter, 3 * quarter);
        cairo_close_path(cr_);
    }

    void stroke(const Paint& paint, double width, double dash_on = 0, double dash_off = 0) {
        if (!use(paint) || width <= 0) {
            cairo_new_path(cr_);
            return;
        }
        cairo_set_line_width(cr_, width);
        const double dash[] = {dash_on, dash_off};
        cairo_set_dash(cr_, dash, dash_on > 0 && dash_off > 0 ? 2 : 0, 0);
        cairo_stroke(cr_);
    }

    void draw(const FillRect& m) {
        if (!use(m.fill)) return;
        path(m.rect, m.radius);
        cairo_fill(cr_);
    }

    void draw(const StrokeRect& m) {
        path(m.rect, m.radius);
        stroke(m.stroke, m.width, m.dash_on, m.dash_off);
    }

    void draw(const HatchRect& m) {
        if (m.pattern == Pattern::None || !use(m.ink)) return;
        const PatternLook look = pattern_look(m.pattern);
        cairo_save(cr_);
        cairo_rectangle(cr_, m.rect.x, m.rect.y, m.rect.w, m.rect.h);
        cairo_clip(cr_);
        // Lines run on past the edge, so that their ends are cut by the clip and not square to themselves.
        const Rect wide{m.rect.x - look.width, m.rect.y - look.width, m.rect.w + 2 * look.width,
                        m.rect.h + 2 * look.width};
        for (const HatchLine& line : hatch_lines(wide, m.pattern)) {
            cairo_move_to(cr_, line.a.x, line.a.y);
            cairo_line_to(cr_, line.b.x, line.b.y);
        }
        cairo_set_dash(cr_, nullptr, 0, 0);
        cairo_set_line_width(cr_, look.width);
        cairo_stroke(cr_);
        for (const Point& dot : hatch_dots(wide, m.pattern)) {
            cairo_new_sub_path(cr_);
            cairo_arc(cr_, dot.x, dot.y, look.width / 2, 0, 2 * std::numbers::pi);
        }
        cairo_fill(cr_);
        cairo_restore(cr_);
    }

    void draw(const Polyline& m) {
        if (m.points.size() < 2) return;
        cairo_new_path(cr_);
        for (const Point& p : m.points) cairo_line_to(cr_, p.x, p.y);
        if (m.closed) cairo_close_path(cr_);
        if (use(m.fill)) cairo_fill_preserve(cr_);
        stroke(m.stroke, m.width, m.dash_on, m.dash_off);
    }

    void draw(const Curve& m) {
        cairo_new_path(cr_);
        cairo_move_to(cr_, m.a.x, m.a.y);
        cairo_curve_to(cr_, m.c1.x, m.c1.y, m.c2.x, m.c2.y, m.b.x, m.b.y);
        stroke(m.stroke, m.width);
    }

    void draw(const Ellipse& m) {
        if (m.rx <= 0 || m.ry <= 0) return;
        cairo_save(cr_);
        cairo_translate(cr_, m.centre.x, m.centre.y);
        cairo_scale(cr_, m.rx, m.ry);
        cairo_new_path(cr_);
        cairo_arc(cr_, 0, 0, 1, 0, 2 * std::numbers::pi);
        cairo_restore(cr_);
        if (use(m.fill)) cairo_fill_preserve(cr_);
        stroke(m.stroke, m.width);
    }

    void draw(const Text& m) {
        const std::vector<GlyphRun> runs = Fonts::instance().shape(m.utf8, m.face);
        double x = m.at.x;
        if (m.h != HAlign::Left) {
            const double w = Fonts::instance().width(m.utf8, m.face) * m.size;
            x -= m.h == HAlign::Centre ? w / 2 : w;
        }
        const double y = baseline_of(m);
        cairo_set_font_size(cr_, m.size);
        for (const bool halo : {true, false}) {
            if (halo && m.halo == ColorKey::role(Role::None)) continue;
            if (!use(halo ? Paint{m.halo, m.ink.alpha} : m.ink)) continue;
            for (const GlyphRun& run : runs) {
                std::vector<cairo_glyph_t> glyphs = run.glyphs;
                for (cairo_glyph_t& g : glyphs) g = {g.index, x + g.x * m.size, y};
                cairo_set_font_face(cr_, run.face);
                const int count = static_cast<int>(glyphs.size());
                if (halo) {
                    cairo_new_path(cr_);
                    cairo_glyph_path(cr_, glyphs.data(), count);
                    cairo_set_dash(cr_, nullptr, 0, 0);
                    cairo_set_line_width(cr_, kHalo);
                    cairo_set_line_join(cr_, CAIRO_LINE_JOIN_ROUND);
                    cairo_stroke(cr_);
                    cairo_set_line_join(cr_, CAIRO_LINE_JOIN_MITER);
                } else {
                    show(run, glyphs);
                }
            }
        }
    }

    /// Keeps the characters beside the glyphs, so that text can be searched and copied from a PDF.
    void show(const GlyphRun& run, const std::vector<cairo_glyph_t>& glyphs) {
        std::string utf8;
        std::vector<cairo_text_cluster_t> clusters;
        for (char32_t c : run.characters) {
            const std::size_t before = utf8.size();
            append_utf8(utf8, c);
            clusters.push_back({static_cast<int>(utf8.size() - before), 1});
        }
        cairo_show_text_glyphs(cr_, utf8.data(), static_cast<int>(utf8.size()), glyphs.data(),
                               static_cast<int>(glyphs.size()), clusters.data(), static_cast<int>(clusters.size()),
                               cairo_text_cluster_flags_t{});
    }

    void draw(const CellImage& m) {
        if (!is_whole(m) || !(m.rect.w > 0) || !(m.rect.h > 0)) return;
        cairo_save(cr_);
        cairo_set_antialias(cr_, CAIRO_ANTIALIAS_NONE);
        cairo_translate(cr_, m.rect.x, m.rect.y);
        cairo_scale(cr_, m.rect.w / m.width, m.rect.h / m.height);
        const auto runs = cells_ == CellStyle::Rectangles ? merged_runs(m, kMostRectangles) : std::nullopt;
        if (runs) {
            for (const ColorRun& run : *runs) {
                cairo_set_source_rgba(cr_, run.color.r / 255.0, run.color.g / 255.0, run.color.b / 255.0,
                                      run.color.a / 255.0);
                cairo_rectangle(cr_, run.x, run.y, run.w, run.h);
                cairo_fill(cr_);
            }
        } else if (cairo_surface_t* image = image_surface(m)) {
            cairo_set_source_surface(cr_, image, 0, 0);
            cairo_pattern_set_filter(cairo_get_source(cr_), CAIRO_FILTER_NEAREST);
            cairo_rectangle(cr_, 0, 0, m.width, m.height);
            cairo_fill(cr_);
            cairo_surface_destroy(image);
        }
        cairo_restore(cr_);
    }

    void draw(const PushClip& m) {
        cairo_save(cr_);
        cairo_rectangle(cr_, m.rect.x, m.rect.y, std::max(0.0, m.rect.w), std::max(0.0, m.rect.h));
        cairo_clip(cr_);
        ++clips_;
    }

    void draw(const PopClip&) {
        if (clips_ == 0) return;
        cairo_restore(cr_);
        --clips_;
    }

    cairo_t* cr_;
    const Theme& theme_;
    CellStyle cells_;
    int clips_ = 0;
};

} // namespace

void draw_on_cairo(cairo_t* cr, const DrawList& list, const Theme& theme, CellStyle cells) {
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
    CairoCanvas(cr, theme, cells).draw(list);
}

} // namespace ls::paint
