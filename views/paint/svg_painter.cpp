// SVG by a writer of our own: real text, patterns, clip paths; the same list gives the same bytes.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "core/scene/pattern.h"
#include "views/paint/image_runs.h"
#include "views/paint/paint.h"
#include "views/paint/png_bytes.h"
#include "views/paint/utf8.h"

namespace ls::paint {

namespace {

using namespace scene;

constexpr std::size_t kMostRectangles = 6000; // more, and a PNG is smaller and faster to show
constexpr double kLongestSide = 1e6;

/// At most three decimals, none that are zero.
std::string number(double v) {
    if (!std::isfinite(v)) v = 0;
    std::string s = fmt::format("{:.3f}", v);
    s.erase(s.find_last_not_of('0') + 1);
    if (s.back() == '.') s.pop_back();
    return s == "-0" ? "0" : s;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t v = 0;
        for (std::size_t k = 0; k < 3; ++k)
            v = (v << 8U) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kDigits[(v >> (18 - 6 * k)) & 63U] : '=';
    }
    return out;
}

class SvgWriter {
public:
    explicit SvgWriter(const Theme& theme) : theme_(theme) {}

    void draw(const DrawList& list) {
        for (const Mark& mark : list.marks) {
            std::visit([this](const auto& m) { draw(m); }, mark);
        }
        while (clips_ > 0) draw(PopClip{});
    }

    void background(const DrawList& list, Role role) {
        if (role != Role::None) draw(FillRect{{0, 0, list.width, list.height}, {ColorKey::role(role)}});
    }

    void titles(const std::vector<HitRegion>& hits) {
        for (const HitRegion& hit : hits) {
            if (hit.describe.empty()) continue;
            body_ += fmt::format("<rect{} fill=\"#000\" fill-opacity=\"0\"><title>{}</title></rect>\n", box(hit.rect),
                                 xml_escaped(hit.describe));
        }
    }

    std::string finish(const DrawList& list, const std::string& title) const {
        std::string out = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                                      "viewBox=\"0 0 {0} {1}\" role=\"img\">\n",
                                      number(list.width), number(list.height));
        if (!title.empty()) out += fmt::format("<title>{}</title>\n", xml_escaped(title));
        // Ligatures would turn <= and 0x0C into other signs.
        out += "<style>text{font-variant-ligatures:none;font-feature-settings:\"calt\" 0,\"liga\" 0;white-space:pre}"
               ".u{font-family:Inter,\"DejaVu Sans\",sans-serif}.m{font-family:\"JetBrains Mono\",\"DejaVu Sans "
               "Mono\",monospace}"
               ".b{font-weight:600}.h{paint-order:stroke;stroke-width:4;stroke-linejoin:round}</style>\n";
        if (!defs_.empty()) out += "<defs>\n" + defs_ + "</defs>\n";
        return out + body_ + "</svg>\n";
    }

private:
    static std::string box(const Rect& r) {
        return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(r.x), number(r.y),
                           number(std::max(0.0, r.w)), number(std::max(0.0, r.h)));
    }

    static std::string hex(Rgba c) { return fmt::format("#{:02X}{:02X}{:02X}", c.r, c.g, c.b); }

    double alpha(const Paint& p) const {
        return theme_.color(p.color).a / 255.0 * std::clamp(static_cast<double>(p.alpha), 0.0, 1.0);
    }

    /// ` fill="#…" fill-opacity="…"`, or none.
    std::string paint(const char* what, const Paint& p) const {
        const double a = alpha(p);
        if (a <= 0) return fmt::format(" {}=\"none\"", what);
        std::string out = fmt::format(" {}=\"{}\"", what, hex(theme_.color(p.color)));
        if (a < 0.9995) out += fmt::format(" {}-opacity=\"{}\"", what, number(a));
        return out;
    }

    std::string stroke(const Paint& p, double width, double dash_on = 0, double dash_off = 0) const {
        std::string out = paint("stroke", p) + fmt::format(" stroke-width=\"{}\"", number(width));
        if (dash_on > 0 && dash_off > 0)
            out += fmt::format(" stroke-dasharray=\"{} {}\"", number(dash_on), number(dash_off));
        return out;
    }

    static std::string radius(double r) { return r > 0 ? fmt::format(" rx=\"{}\"", number(r)) : std::string{}; }

    void draw(const FillRect& m) {
        if (alpha(m.fill) <= 0 || m.rect.w <= 0 || m.rect.h <= 0) return;
        body_ += fmt::format("<rect{}{}{}/>\n", box(m.rect), radius(m.radius), paint("fill", m.fill));
    }

    void draw(const StrokeRect& m) {
        if (alpha(m.stroke) <= 0 || m.width <= 0) return;
        body_ += fmt::format("<rect{}{} fill=\"none\"{}/>\n", box(m.rect), radius(m.radius),
                             stroke(m.stroke, m.width, m.dash_on, m.dash_off));
    }

    void draw(const HatchRect& m) {
        if (m.pattern == Pattern::None || alpha(m.ink) <= 0) return;
        body_ += fmt::format("<rect{} fill=\"url(#{})\"/>\n", box(m.rect), pattern_id(m));
    }

    /// Patterns lie in user space like hatch_lines(), so that neighbours join.
    std::string pattern_id(const HatchRect& m) {
        const auto key = std::tuple{m.pattern, m.ink.color.bits, m.ink.alpha};
        const auto [it, fresh] = patterns_.emplace(key, fmt::format("p{}", patterns_.size()));
        if (!fresh) return it->second;
        const PatternLook look = pattern_look(m.pattern);
        const std::string p = number(look.pitch);
        std::string shape;
        const std::string ink = stroke(m.ink, look.width);
        const bool diagonal = look.rising || look.falling;
        if (look.rising || look.horizontal) shape += fmt::format("<path d=\"M0 0H{0}M0 {0}H{0}\"{1}/>", p, ink);
        if (look.falling || look.vertical) shape += fmt::format("<path d=\"M0 0V{0}M{0} 0V{0}\"{1}/>", p, ink);
        if (look.dots) {
            for (const char* at : {"0 0", "1 0", "0 1", "1 1"}) {
                shape += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>", at[0] == '1' ? p : "0",
                                     at[2] == '1' ? p : "0", number(look.width / 2), paint("fill", m.ink));
            }
        }
        // Turned by -45°, rows rise and columns fall.
        defs_ += fmt::format(
            "<pattern id=\"{}\" patternUnits=\"userSpaceOnUse\" width=\"{}\" height=\"{}\"{}>{}</pattern>\n",
            it->second, p, p, diagonal ? " patternTransform=\"rotate(-45)\"" : "", shape);
        return it->second;
    }

    void draw(const Polyline& m) {
        if (m.points.size() < 2) return;
        std::string points;
        for (const Point& p : m.points)
            points += fmt::format("{}{},{}", points.empty() ? "" : " ", number(p.x), number(p.y));
        body_ += fmt::format("<{} points=\"{}\"{}{}/>\n", m.closed ? "polygon" : "polyline", points,
                             paint("fill", m.fill), stroke(m.stroke, m.width, m.dash_on, m.dash_off));
    }

    void draw(const Curve& m) {
        body_ += fmt::format("<path d=\"M{} {}C{} {} {} {} {} {}\" fill=\"none\"{}/>\n", number(m.a.x), number(m.a.y),
                             number(m.c1.x), number(m.c1.y), number(m.c2.x), number(m.c2.y), number(m.b.x),
                             number(m.b.y), stroke(m.stroke, m.width));
    }

    void draw(const Ellipse& m) {
        body_ += fmt::format("<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\"{}{}/>\n", number(m.centre.x),
                             number(m.centre.y), number(m.rx), number(m.ry), paint("fill", m.fill),
                             m.width > 0 ? stroke(m.stroke, m.width) : std::string{});
    }

    void draw(const Text& m) {
        if (alpha(m.ink) <= 0 || m.utf8.empty()) return;
        const bool mono = m.face == FontFace::Mono || m.face == FontFace::MonoBold;
        const bool bold = m.face == FontFace::UiBold || m.face == FontFace::MonoBold;
        const bool halo = !(m.halo == ColorKey::role(Role::None));
        const char* anchor = m.h == HAlign::Centre  ? " text-anchor=\"middle\""
                             : m.h == HAlign::Right ? " text-anchor=\"end\""
                                                    : "";
        body_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}{}{}\" font-size=\"{}\"{}{}{}>{}</text>\n",
                             number(m.at.x), number(baseline_of(m)), mono ? "m" : "u", bold ? " b" : "",
                             halo ? " h" : "", number(m.size), anchor, paint("fill", m.ink),
                             halo ? paint("stroke", Paint{m.halo, m.ink.alpha}) : std::string{}, xml_escaped(m.utf8));
    }

    void draw(const CellImage& m) {
        if (!is_whole(m)) return;
        if (const auto runs = merged_runs(m, kMostRectangles)) {
            // One path a colour, in cells.
            std::map<std::tuple<int, int, int>, std::string> paths;
            for (const ColorRun& run : *runs) {
                paths[{run.color.r, run.color.g, run.color.b}] +=
                    fmt::format("M{} {}h{}v{}h{}z", run.x, run.y, run.w, run.h, -run.w);
            }
            body_ +=
                fmt::format("<g transform=\"translate({} {}) scale({:.9g} {:.9g})\" shape-rendering=\"crispEdges\">\n",
                            number(m.rect.x), number(m.rect.y), m.rect.w / m.width, m.rect.h / m.height);
            for (const auto& [rgb, path] : paths) {
                const auto [r, g, b] = rgb;
                body_ += fmt::format("<path fill=\"#{:02X}{:02X}{:02X}\" d=\"{}\"/>\n", r, g, b, path);
            }
            body_ += "</g>\n";
            return;
        }
        const Result<std::string> png = png_bytes(m);
        if (!png.ok()) return;
        body_ += fmt::format("<image{} preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
                             "href=\"data:image/png;base64,{}\"/>\n",
                             box(m.rect), base64(*png));
    }

    void draw(const PushClip& m) {
        const auto key = std::tuple{m.rect.x, m.rect.y, m.rect.w, m.rect.h};
        const auto [it, fresh] = clip_ids_.emplace(key, fmt::format("c{}", clip_ids_.size()));
        if (fresh) defs_ += fmt::format("<clipPath id=\"{}\"><rect{}/></clipPath>\n", it->second, box(m.rect));
        body_ += fmt::format("<g clip-path=\"url(#{})\">\n", it->second);
        ++clips_;
    }

    void draw(const PopClip&) {
        if (clips_ == 0) return;
        body_ += "</g>\n";
        --clips_;
    }

    const Theme& theme_;
    std::string defs_, body_;
    std::map<std::tuple<Pattern, std::uint32_t, float>, std::string> patterns_;
    std::map<std::tuple<double, double, double, double>, std::string> clip_ids_;
    int clips_ = 0;
};

Result<std::string> write(const DrawList& list, const std::vector<HitRegion>& hits, const Theme& theme,
                          const PaintOptions& options) {
    if (!(list.width > 0) || !(list.height > 0) || list.width > kLongestSide || list.height > kLongestSide) {
        return error("PAINT_SIZE",
                     fmt::format("a picture of {} × {} points cannot be written", list.width, list.height),
                     fmt::format("each side must be within 1 to {} points", static_cast<int>(kLongestSide)));
    }
    SvgWriter writer(theme);
    writer.background(list, options.background);
    writer.draw(list);
    writer.titles(hits);
    return writer.finish(list, options.title);
}

} // namespace

Result<std::string> paint_svg(const DrawList& list, const Theme& theme, const PaintOptions& options) {
    return write(list, {}, theme, options);
}

Result<std::string> paint_svg(const Picture& picture, const Theme& theme, const PaintOptions& options) {
    PaintOptions titled = options;
    if (titled.title.empty()) titled.title = picture.title;
    return write(picture.list, picture.hits, theme, titled);
}

Result<std::string> paint_html(const Picture& picture, const Theme& theme, const PaintOptions& options) {
    LS_TRY(const std::string svg, paint_svg(picture, theme, options));
    const auto css = [&theme](Role role) {
        const Rgba c = theme.color(role);
        return fmt::format("#{:02X}{:02X}{:02X}", c.r, c.g, c.b);
    };
    const std::string title = xml_escaped(picture.title);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
        "<style>body{{margin:24px;background:{1};color:{2};font:13px/18px Inter,\"DejaVu Sans\",sans-serif}}"
        "h1{{font-size:15px;font-weight:600;margin:0 0 2px}}p{{margin:0 0 12px;color:{3}}}</style></head>\n"
        "<body><h1>{0}</h1><p>{4}</p>\n{5}</body></html>\n",
        title, css(Role::Canvas), css(Role::Text), css(Role::Text2), xml_escaped(picture.subtitle), svg);
}

} // namespace ls::paint
