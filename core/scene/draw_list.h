// What a picture is made of when it reaches a painter: a flat list of marks in points (1 pt = 1 px at 100 %).
// The canvas, the SVG, PNG and PDF painters all draw this list, so what is exported is what the window shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/scene/color.h"

namespace ls::scene {

struct Point {
    double x = 0, y = 0;
};
struct Rect {
    double x = 0, y = 0, w = 0, h = 0;
    double right() const { return x + w; }
    double bottom() const { return y + h; }
    bool contains(Point p) const { return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h; }
    bool operator==(const Rect&) const = default;
};

struct Paint {
    ColorKey color;
    float alpha = 1;
};

enum class FontFace : std::uint8_t { Ui, UiBold, Mono, MonoBold };
enum class HAlign : std::uint8_t { Left, Centre, Right };
enum class VAlign : std::uint8_t { Top, Middle, Baseline, Bottom };
enum class Pattern : std::uint8_t { None, Finding, Unused, Shared, Diagonal, Horizontal, Vertical, Cross, Dots };

struct FillRect {
    Rect rect;
    Paint fill;
    double radius = 0;
};
struct StrokeRect {
    Rect rect;
    Paint stroke;
    double width = 1;
    double radius = 0;
    double dash_on = 0, dash_off = 0;
};
struct HatchRect {
    Rect rect;
    Pattern pattern = Pattern::None;
    Paint ink;
};
struct Polyline {
    std::vector<Point> points;
    Paint stroke;
    double width = 1;
    double dash_on = 0, dash_off = 0;
    bool closed = false;
    Paint fill{ColorKey::role(Role::None), 0};
};
/// Cubic curve from a to b with control points c1, c2.
struct Curve {
    Point a, c1, c2, b;
    Paint stroke;
    double width = 1;
};
struct Ellipse {
    Point centre;
    double rx = 0, ry = 0;
    Paint fill;
    Paint stroke{ColorKey::role(Role::None), 0};
    double width = 0;
};
/// `halo`: a 4 pt rim that keeps text readable over lines; Role::None for no halo. Text is set as it is written: no
/// ligatures and no contextual forms, which would turn 0x0C into 0×0C.
struct Text {
    Point at;
    std::string utf8;
    FontFace face = FontFace::Ui;
    double size = 12;
    HAlign h = HAlign::Left;
    VAlign v = VAlign::Top;
    Paint ink;
    ColorKey halo = ColorKey::role(Role::None);
};
/// Where painters set the baseline, whatever the font: so that pictures do not shift between targets. Middle is the
/// middle of capitals and digits.
inline double baseline_of(const Text& text) {
    switch (text.v) {
    case VAlign::Top: return text.at.y + 0.93 * text.size;
    case VAlign::Middle: return text.at.y + 0.36 * text.size;
    case VAlign::Bottom: return text.at.y - 0.24 * text.size;
    case VAlign::Baseline: break;
    }
    return text.at.y;
}
/// Cells as an image, nearest filtered: width × height keys stretched over rect. Painters may keep it as a raster.
struct CellImage {
    Rect rect;
    int width = 0, height = 0;
    std::vector<Rgba> pixels;
};
struct PushClip {
    Rect rect;
};
struct PopClip {};

using Mark =
    std::variant<FillRect, StrokeRect, HatchRect, Polyline, Curve, Ellipse, Text, CellImage, PushClip, PopClip>;

struct DrawList {
    double width = 0, height = 0; ///< size of the picture in points
    std::vector<Mark> marks;

    template <class M>
    void add(M mark) {
        marks.emplace_back(std::move(mark));
    }
};

/// Widths of text, so that labels are only drawn where they fit. Each painter brings its own.
class TextMeasure {
public:
    virtual ~TextMeasure() = default;
    virtual double width(std::string_view utf8, FontFace face, double size) const = 0;
};

} // namespace ls::scene
