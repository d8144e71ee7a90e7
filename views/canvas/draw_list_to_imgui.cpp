#include "views/canvas/draw_list_to_imgui.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "views/canvas/polygon.h"
#include "views/inspector/imgui_style.h"

namespace ls::views {
namespace {

using scene::Point;

float snap(double v) { return static_cast<float>(std::round(v)); }

/// What is left of a line of `width` pixels when it is drawn one pixel wide.
double thin_strength(double width) { return std::clamp(width, 0.05, 1.0); }

} // namespace

ImGuiSheet::ImGuiSheet(ImGuiFonts& fonts, double width, double height)
    : shared_(std::make_unique<ImDrawListSharedData>()), list_(std::make_unique<ImDrawList>(shared_.get())) {
    shared_->Font = fonts.font(scene::FontFace::Ui, 12);
    shared_->FontSize = shared_->Font->FontSize;
    shared_->TexUvWhitePixel = fonts.atlas()->TexUvWhitePixel;
    shared_->TexUvLines = fonts.atlas()->TexUvLines;
    shared_->CurveTessellationTol = 0.6F;
    shared_->SetCircleTessellationMaxError(0.2F);
    shared_->ClipRectFullscreen = {0, 0, static_cast<float>(std::ceil(width)), static_cast<float>(std::ceil(height))};
    shared_->InitialFlags = ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedLinesUseTex |
                            ImDrawListFlags_AntiAliasedFill | ImDrawListFlags_AllowVtxOffset;
    list_->_ResetForNewFrame();
    list_->PushTextureID(nullptr);
    list_->PushClipRectFullScreen();
}

ImGuiSheet::~ImGuiSheet() = default;

DrawListPainter::DrawListPainter(ImGuiSheet& sheet, ImGuiFrame& frame, ImGuiFonts& fonts, const scene::Theme& theme,
                                 CellImageCache* cache)
    : list_(sheet.list()), frame_(frame), fonts_(fonts), theme_(theme), cache_(cache) {}

void DrawListPainter::draw(const scene::DrawList& picture, Point offset, double scale) {
    offset_ = offset;
    scale_ = scale;
    unit_ = scale * fonts_.dpr();
    clips_ = 0;
    for (const scene::Mark& m : picture.marks) std::visit([this](const auto& each) { mark(each); }, m);
    for (; clips_ > 0; --clips_) list_.PopClipRect(); // a list that forgot to close its clips
}

ImVec2 DrawListPainter::at(Point p) const {
    const double dpr = fonts_.dpr();
    return {static_cast<float>((p.x * scale_ + offset_.x) * dpr), static_cast<float>((p.y * scale_ + offset_.y) * dpr)};
}

DrawListPainter::Box DrawListPainter::snapped(const scene::Rect& r) const {
    const ImVec2 a = at({r.x, r.y}), b = at({r.right(), r.bottom()});
    return {snap(a.x), snap(a.y), snap(b.x), snap(b.y)};
}

unsigned DrawListPainter::color(const scene::Paint& paint, double strength) const {
    return packed(theme_.color(paint.color), static_cast<float>(paint.alpha * strength));
}

void DrawListPainter::mark(const scene::FillRect& m) {
    Box box = snapped(m.rect);
    double strength = 1;
    // What is thinner than a pixel stays visible, only weaker.
    if (const double w = m.rect.w * unit_; w > 0 && w < 1)
        strength *= thin_strength(w), box.x0 = std::floor(at({m.rect.x, 0}).x), box.x1 = box.x0 + 1;
    if (const double h = m.rect.h * unit_; h > 0 && h < 1)
        strength *= thin_strength(h), box.y0 = std::floor(at({0, m.rect.y}).y), box.y1 = box.y0 + 1;
    const unsigned ink = color(m.fill, strength);
    if (ink >> 24U == 0) return;
    list_.AddRectFilled({box.x0, box.y0}, {box.x1, box.y1}, ink, static_cast<float>(m.radius * unit_));
}

void DrawListPainter::mark(const scene::StrokeRect& m) {
    const double width = m.width * unit_;
    const auto w = std::max(1.0F, snap(width));
    const unsigned ink = color(m.stroke, thin_strength(width));
    if (ink >> 24U == 0) return;
    const Box box = snapped(m.rect);
    if (m.radius > 0 && m.dash_on <= 0) {
        // ImGui strokes half a pixel inside its corners: an odd width is sharp there, an even one half a pixel out.
        const float shift = static_cast<int>(w) % 2 == 1 ? 0.0F : 0.5F;
        list_.AddRect({box.x0 - shift, box.y0 - shift}, {box.x1 + shift, box.y1 + shift}, ink,
                      static_cast<float>(m.radius * unit_), 0, w);
        return;
    }
    const ImVec2 corners[] = {{box.x0, box.y0}, {box.x1, box.y0}, {box.x1, box.y1}, {box.x0, box.y1}};
    if (m.dash_on > 0) {
        float phase = 0;
        for (int i = 0; i < 4; ++i)
            dashed(corners[i], corners[(i + 1) % 4], w, ink, static_cast<float>(m.dash_on * unit_),
                   static_cast<float>(m.dash_off * unit_), phase);
        return;
    }
    // Four bars that share no pixel, centred on the edges.
    const float out = std::floor(w / 2), in = w - out;
    list_.AddRectFilled({box.x0 - out, box.y0 - out}, {box.x1 + in, box.y0 + in}, ink);
    list_.AddRectFilled({box.x0 - out, box.y1 - out}, {box.x1 + in, box.y1 + in}, ink);
    list_.AddRectFilled({box.x0 - out, box.y0 + in}, {box.x0 + in, box.y1 - out}, ink);
    list_.AddRectFilled({box.x1 - out, box.y0 + in}, {box.x1 + in, box.y1 - out}, ink);
}

void DrawListPainter::mark(const scene::HatchRect& m) {
    const HatchTile tile = fonts_.hatch(m.pattern);
    const unsigned ink = color(m.ink);
    if (tile.pixels == 0 || ink >> 24U == 0) return;
    const Box box = snapped(m.rect);
    const ImVec4& clip = list_._ClipRectStack.back();
    const auto n = static_cast<float>(tile.pixels);
    const float x_end = std::min(box.x1, clip.z), y_end = std::min(box.y1, clip.w);
    for (float y = std::floor(std::max(box.y0, clip.y) / n) * n; y < y_end; y += n) {
        for (float x = std::floor(std::max(box.x0, clip.x) / n) * n; x < x_end; x += n) {
            const float x0 = std::max(x, box.x0), y0 = std::max(y, box.y0), x1 = std::min(x + n, x_end),
                        y1 = std::min(y + n, y_end);
            const auto u = [&](float at_x) { return tile.u0 + (tile.u1 - tile.u0) * (at_x - x) / n; };
            const auto v = [&](float at_y) { return tile.v0 + (tile.v1 - tile.v0) * (at_y - y) / n; };
            list_.PrimReserve(6, 4);
            list_.PrimRectUV({x0, y0}, {x1, y1}, {u(x0), v(y0)}, {u(x1), v(y1)}, ink);
        }
    }
}

void DrawListPainter::upright_line(ImVec2 a, ImVec2 b, float width, unsigned ink, float extend) {
    const float out = std::floor(width / 2);
    if (a.y == b.y) {
        const float y = snap(a.y) - out, x0 = snap(std::min(a.x, b.x)), x1 = snap(std::max(a.x, b.x));
        list_.AddRectFilled({x0 - extend, y}, {x1 + extend, y + width}, ink);
    } else {
        const float x = snap(a.x) - out, y0 = snap(std::min(a.y, b.y)), y1 = snap(std::max(a.y, b.y));
        list_.AddRectFilled({x, y0 - extend}, {x + width, y1 + extend}, ink);
    }
}

void DrawListPainter::line(ImVec2 a, ImVec2 b, float width, unsigned ink, float extend) {
    if (a.x == b.x || a.y == b.y)
        upright_line(a, b, width, ink, extend);
    else
        list_.AddLine(a, b, ink, width);
}

void DrawListPainter::dashed(ImVec2 a, ImVec2 b, float width, unsigned ink, float on, float off, float& phase) {
    const float length = std::hypot(b.x - a.x, b.y - a.y), period = on + off;
    if (!(length > 0) || !(period > 0)) return;
    const ImVec2 step{(b.x - a.x) / length, (b.y - a.y) / length};
    float from = -phase;
    // Beyond what a screen can show dashes are not counted out one by one.
    if (length / period > 20000) return line(a, b, width, ink, 0);
    for (; from < length; from += period) {
        const float s = std::max(from, 0.0F), e = std::min(from + on, length);
        if (e > s) line({a.x + step.x * s, a.y + step.y * s}, {a.x + step.x * e, a.y + step.y * e}, width, ink, 0);
    }
    phase = length - (from - period);
}

void DrawListPainter::mark(const scene::Polyline& m) {
    if (m.points.size() < 2) return;
    std::vector<ImVec2> points;
    points.reserve(m.points.size() + 1);
    for (const Point& p : m.points) points.push_back(at(p));
    if (const unsigned fill = color(m.fill); fill >> 24U != 0 && points.size() >= 3) fill_polygon(list_, points, fill);

    const double wanted = m.width * unit_;
    const unsigned ink = color(m.stroke, thin_strength(wanted));
    if (ink >> 24U == 0 || m.width <= 0) return;
    if (m.closed) points.push_back(points.front());
    const bool upright = std::adjacent_find(points.begin(), points.end(), [](ImVec2 a, ImVec2 b) {
                             return a.x != b.x && a.y != b.y;
                         }) == points.end();
    const float w = upright ? std::max(1.0F, snap(wanted)) : std::max(1.0F, static_cast<float>(wanted));
    if (m.dash_on > 0) {
        float phase = 0;
        for (std::size_t i = 0; i + 1 < points.size(); ++i)
            dashed(points[i], points[i + 1], w, ink, static_cast<float>(m.dash_on * unit_),
                   static_cast<float>(m.dash_off * unit_), phase);
    } else if (upright) {
        for (std::size_t i = 0; i + 1 < points.size(); ++i)
            upright_line(points[i], points[i + 1], w, ink, points.size() > 2 ? std::floor(w / 2) : 0);
    } else {
        if (m.closed) points.pop_back();
        list_.AddPolyline(points.data(), static_cast<int>(points.size()), ink,
                          m.closed ? ImDrawFlags_Closed : ImDrawFlags_None, w);
    }
}

void DrawListPainter::mark(const scene::Curve& m) {
    const double wanted = m.width * unit_;
    const unsigned ink = color(m.stroke, thin_strength(wanted));
    if (ink >> 24U != 0)
        list_.AddBezierCubic(at(m.a), at(m.c1), at(m.c2), at(m.b), ink, std::max(1.0F, static_cast<float>(wanted)));
}

void DrawListPainter::mark(const scene::Ellipse& m) {
    const ImVec2 centre = at(m.centre);
    const auto rx = static_cast<float>(m.rx * unit_), ry = static_cast<float>(m.ry * unit_);
    if (!(rx > 0) || !(ry > 0)) return;
    const int segments = std::clamp(static_cast<int>(std::ceil(4 * std::sqrt(std::max(rx, ry)))) * 2, 12, 256);
    const auto trace = [&] {
        for (int i = 0; i < segments; ++i) {
            const double turn = 2 * std::numbers::pi * i / segments;
            list_.PathLineTo({centre.x + rx * static_cast<float>(std::cos(turn)),
                              centre.y + ry * static_cast<float>(std::sin(turn))});
        }
    };
    if (const unsigned fill = color(m.fill); fill >> 24U != 0) {
        trace();
        list_.PathFillConvex(fill);
    }
    const double width = m.width * unit_;
    if (const unsigned stroke = color(m.stroke, thin_strength(width)); stroke >> 24U != 0 && width > 0) {
        trace();
        list_.PathStroke(stroke, ImDrawFlags_Closed, std::max(1.0F, static_cast<float>(width)));
    }
}

void DrawListPainter::mark(const scene::Text& m) {
    // While a picture zooms its text takes every size; half points keep the atlas small.
    const double size = scale_ == 1 ? m.size : std::max(4.0, std::round(m.size * scale_ * 2) / 2);
    const unsigned ink = color(m.ink);
    if (m.utf8.empty() || ink >> 24U == 0) return;
    fonts_.cover(m.utf8);
    ImFont* font = fonts_.font(m.face, size);
    const float draw_size = fonts_.draw_size(*font, size);
    const float scale = draw_size / font->FontSize;
    ImVec2 p = at(m.at);
    if (m.h != scene::HAlign::Left) {
        const auto width = static_cast<float>(fonts_.width(m.utf8, m.face, size) * fonts_.dpr());
        p.x -= m.h == scene::HAlign::Centre ? width / 2 : width;
    }
    switch (m.v) {
    case scene::VAlign::Top: break;
    case scene::VAlign::Middle: p.y -= draw_size / 2; break;
    case scene::VAlign::Baseline: p.y = snap(p.y) - snap(font->Ascent * scale); break;
    case scene::VAlign::Bottom: p.y -= draw_size; break;
    }
    p = {snap(p.x), snap(p.y)};
    const char *begin = m.utf8.data(), *end = begin + m.utf8.size();
    const unsigned rim = color({m.halo, m.ink.alpha});
    if (rim >> 24U != 0)
        if (ImFont* halo = fonts_.halo(m.face, size)) list_.AddText(halo, draw_size, p, rim, begin, end);
    list_.AddText(font, draw_size, p, ink, begin, end);
}

void DrawListPainter::mark(const scene::CellImage& m) {
    if (m.width <= 0 || m.height <= 0 ||
        m.pixels.size() < static_cast<std::size_t>(m.width) * static_cast<std::size_t>(m.height))
        return;
    QImage image;
    if (cache_) {
        QImage& kept = (*cache_)[&m];
        if (kept.isNull()) kept = to_image(m);
        image = kept;
    } else {
        image = to_image(m);
    }
    const Box box = snapped(m.rect);
    list_.AddImage(image_texture_id(frame_.images.size()), {box.x0, box.y0}, {box.x1, box.y1});
    frame_.images.push_back(std::move(image));
}

void DrawListPainter::mark(const scene::PushClip& m) {
    const Box box = snapped(m.rect);
    list_.PushClipRect({box.x0, box.y0}, {box.x1, box.y1}, true);
    ++clips_;
}

void DrawListPainter::mark(const scene::PopClip&) {
    if (clips_ == 0) return;
    list_.PopClipRect();
    --clips_;
}

QImage to_image(const scene::CellImage& cells) {
    QImage image(cells.width, cells.height, QImage::Format_ARGB32_Premultiplied);
    const scene::Rgba* source = cells.pixels.data();
    for (int y = 0; y < cells.height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < cells.width; ++x, ++source)
            line[x] = source->a == 255 ? qRgb(source->r, source->g, source->b)
                                       : qPremultiply(qRgba(source->r, source->g, source->b, source->a));
    }
    return image;
}

} // namespace ls::views
