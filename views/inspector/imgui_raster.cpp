// Nearly everything that ImGui draws is an axis-aligned quad of one colour: a filled rectangle, a glyph or a picture.
// Those are done in whole-number spans; what is left (curves, slanted lines, circles) goes through a triangle filler
// with the top-left rule, so that neighbours share no pixel.
#include "views/inspector/imgui_raster.h"

#include <QtGui/QImage>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "views/inspector/imgui_frame.h"

namespace ls::views {
namespace {

struct Clip {
    int x0, y0, x1, y1;
};

/// x / 255 rounded, for x up to 255·255.
constexpr quint32 div255(quint32 x) { return (x + 128 + ((x + 128) >> 8U)) >> 8U; }

/// Source over destination; both premultiplied, 0xAARRGGBB.
inline quint32 over(quint32 destination, quint32 source) {
    const quint32 keep = 255 - (source >> 24U);
    const quint32 rb = (destination & 0x00FF00FFU) * keep + 0x00800080U;
    const quint32 ag = ((destination >> 8U) & 0x00FF00FFU) * keep + 0x00800080U;
    return source + (((rb + ((rb >> 8U) & 0x00FF00FFU)) >> 8U) & 0x00FF00FFU) +
           ((ag + ((ag >> 8U) & 0x00FF00FFU)) & 0xFF00FF00U);
}

inline quint32 premultiplied(const quint8* rgba, quint32 coverage) {
    const quint32 alpha = div255(rgba[3] * coverage);
    return alpha << 24U | div255(rgba[0] * alpha) << 16U | div255(rgba[1] * alpha) << 8U | div255(rgba[2] * alpha);
}

/// First pixel whose centre lies at or right of `edge`.
int first_pixel(float edge) { return static_cast<int>(std::ceil(edge - 0.5F)); }

class Rasterizer {
public:
    Rasterizer(const ImGuiFrame& frame, QImage& target)
        : frame_(frame), bits_(reinterpret_cast<quint32*>(target.bits())), stride_(target.bytesPerLine() / 4),
          width_(target.width()), height_(target.height()), atlas_width_(frame.atlas->rgba.width()),
          atlas_height_(frame.atlas->rgba.height()), coverage_(frame.atlas->coverage.data()) {}

    void draw(const ImGuiFrame::Command& command) {
        const Clip clip{std::max(0, static_cast<int>(command.clip[0])), std::max(0, static_cast<int>(command.clip[1])),
                        std::min(width_, static_cast<int>(std::ceil(command.clip[2]))),
                        std::min(height_, static_cast<int>(std::ceil(command.clip[3])))};
        if (clip.x0 >= clip.x1 || clip.y0 >= clip.y1) return;
        const ImGuiFrame::List& list = frame_.lists[static_cast<std::size_t>(command.list)];
        const ImGuiVertex* vertices = list.vertices.data() + command.first_vertex;
        const quint16* index = list.indices.data() + command.first_index;
        const QImage* image = command.image >= 0 && static_cast<std::size_t>(command.image) < frame_.images.size()
                                  ? &frame_.images[static_cast<std::size_t>(command.image)]
                                  : nullptr;
        for (quint32 i = 0; i + 2 < command.index_count;) {
            if (i + 5 < command.index_count && draw_quad(vertices, index + i, clip, image)) {
                i += 6;
                continue;
            }
            triangle(vertices[index[i]], vertices[index[i + 1]], vertices[index[i + 2]], clip);
            i += 3;
        }
    }

private:
    /// Indices 0 1 2 0 2 3 round an axis-aligned rectangle of one colour; false when it is something else.
    bool draw_quad(const ImGuiVertex* v, const quint16* i, const Clip& clip, const QImage* image) {
        if (i[3] != i[0] || i[4] != i[2]) return false;
        const ImGuiVertex &a = v[i[0]], &b = v[i[1]], &c = v[i[2]], &d = v[i[5]];
        if (a.y != b.y || b.x != c.x || c.y != d.y || d.x != a.x || a.x > c.x || a.y > c.y) return false;
        if (std::memcmp(a.rgba, b.rgba, 4) != 0 || std::memcmp(a.rgba, c.rgba, 4) != 0 ||
            std::memcmp(a.rgba, d.rgba, 4) != 0)
            return false;
        if (a.rgba[3] == 0) return true;
        const Clip box{std::max(clip.x0, first_pixel(a.x)), std::max(clip.y0, first_pixel(a.y)),
                       std::min(clip.x1, first_pixel(c.x)), std::min(clip.y1, first_pixel(c.y))};
        if (box.x0 >= box.x1 || box.y0 >= box.y1) return true;
        if (image) {
            picture(a, c, box, *image);
        } else if (a.u == c.u && a.v == c.v) {
            solid(a, box);
        } else {
            if (b.v != a.v || d.u != a.u) return false;
            glyph(a, c, box);
        }
        return true;
    }

    quint32* row(int y) { return bits_ + static_cast<std::ptrdiff_t>(y) * stride_; }

    void solid(const ImGuiVertex& a, const Clip& box) {
        const quint32 source = premultiplied(a.rgba, texel(a.u * static_cast<float>(atlas_width_) - 0.5F,
                                                           a.v * static_cast<float>(atlas_height_) - 0.5F));
        for (int y = box.y0; y < box.y1; ++y) {
            quint32* line = row(y);
            if (source >> 24U == 255) {
                std::fill(line + box.x0, line + box.x1, source);
            } else {
                for (int x = box.x0; x < box.x1; ++x) line[x] = over(line[x], source);
            }
        }
    }

    /// Bilinear coverage of the atlas at texel coordinates (centres on whole numbers), 0..255.
    quint32 texel(float x, float y) const {
        const int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
        const auto fx = static_cast<quint32>((x - static_cast<float>(x0)) * 256),
                   fy = static_cast<quint32>((y - static_cast<float>(y0)) * 256);
        const quint8 *top = line(y0), *bottom = line(y0 + 1);
        const int left = column(x0), right = column(x0 + 1);
        const quint32 upper = top[left] * (256 - fx) + top[right] * fx;
        const quint32 lower = bottom[left] * (256 - fx) + bottom[right] * fx;
        return (upper * (256 - fy) + lower * fy + 32768) >> 16U;
    }
    const quint8* line(int y) const {
        return coverage_ + static_cast<std::ptrdiff_t>(std::clamp(y, 0, atlas_height_ - 1)) * atlas_width_;
    }
    int column(int x) const { return std::clamp(x, 0, atlas_width_ - 1); }

    void glyph(const ImGuiVertex& a, const ImGuiVertex& c, const Clip& box) {
        // Texel coordinate of a pixel centre, in 1/65536, advancing by a constant per pixel.
        const float du = (c.u - a.u) / (c.x - a.x) * static_cast<float>(atlas_width_);
        const float dv = (c.v - a.v) / (c.y - a.y) * static_cast<float>(atlas_height_);
        const float u0 = a.u * static_cast<float>(atlas_width_) + (static_cast<float>(box.x0) + 0.5F - a.x) * du - 0.5F;
        const auto step = static_cast<qint64>(du * 65536);
        std::array<quint32, 256> shade{};
        std::array<bool, 256> known{};
        for (int y = box.y0; y < box.y1; ++y) {
            const float v = a.v * static_cast<float>(atlas_height_) + (static_cast<float>(y) + 0.5F - a.y) * dv - 0.5F;
            const int v0 = static_cast<int>(std::floor(v));
            const auto fy = static_cast<quint32>((v - static_cast<float>(v0)) * 256);
            const quint8 *top = line(v0), *bottom = line(v0 + 1);
            quint32* out = row(y);
            auto u = static_cast<qint64>(u0 * 65536);
            for (int x = box.x0; x < box.x1; ++x, u += step) {
                const int left = column(static_cast<int>(u >> 16)), right = column(static_cast<int>(u >> 16) + 1);
                const auto fx = static_cast<quint32>((u >> 8) & 255);
                const quint32 upper = top[left] * (256 - fx) + top[right] * fx;
                const quint32 lower = bottom[left] * (256 - fx) + bottom[right] * fx;
                const quint32 covered = (upper * (256 - fy) + lower * fy + 32768) >> 16U;
                if (covered == 0) continue;
                if (!known[covered]) known[covered] = true, shade[covered] = premultiplied(a.rgba, covered);
                out[x] = over(out[x], shade[covered]);
            }
        }
    }

    /// A picture of cells, nearest filtered.
    void picture(const ImGuiVertex& a, const ImGuiVertex& c, const Clip& box, const QImage& image) {
        const float du = (c.u - a.u) / (c.x - a.x) * static_cast<float>(image.width());
        const float dv = (c.v - a.v) / (c.y - a.y) * static_cast<float>(image.height());
        for (int y = box.y0; y < box.y1; ++y) {
            const float v = a.v * static_cast<float>(image.height()) + (static_cast<float>(y) + 0.5F - a.y) * dv;
            const auto* source = reinterpret_cast<const quint32*>(
                image.constScanLine(std::clamp(static_cast<int>(v), 0, image.height() - 1)));
            float u = a.u * static_cast<float>(image.width()) + (static_cast<float>(box.x0) + 0.5F - a.x) * du;
            quint32* out = row(y);
            for (int x = box.x0; x < box.x1; ++x, u += du) {
                const quint32 color = source[std::clamp(static_cast<int>(u), 0, image.width() - 1)];
                out[x] = over(out[x], a.rgba[3] == 255 ? color : scaled(color, a.rgba[3]));
            }
        }
    }
    static quint32 scaled(quint32 color, quint32 alpha) {
        return div255((color >> 24U) * alpha) << 24U | div255(((color >> 16U) & 255U) * alpha) << 16U |
               div255(((color >> 8U) & 255U) * alpha) << 8U | div255((color & 255U) * alpha);
    }

    void triangle(const ImGuiVertex& first, const ImGuiVertex& second, const ImGuiVertex& third, const Clip& clip) {
        const ImGuiVertex *a = &first, *b = &second, *c = &third;
        float area = (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
        if (area == 0 || !std::isfinite(area)) return;
        if (area < 0) std::swap(b, c), area = -area;
        const Clip box{std::max(clip.x0, first_pixel(std::min({a->x, b->x, c->x}))),
                       std::max(clip.y0, first_pixel(std::min({a->y, b->y, c->y}))),
                       std::min(clip.x1, first_pixel(std::max({a->x, b->x, c->x})) + 1),
                       std::min(clip.y1, first_pixel(std::max({a->y, b->y, c->y})) + 1)};
        const Edge e0(*b, *c), e1(*c, *a), e2(*a, *b);
        const bool flat = a->u == b->u && a->u == c->u && a->v == b->v && a->v == c->v;
        const bool plain = std::memcmp(a->rgba, b->rgba, 4) == 0 && std::memcmp(a->rgba, c->rgba, 4) == 0;
        const auto aw = static_cast<float>(atlas_width_), ah = static_cast<float>(atlas_height_);
        const quint32 flat_coverage = flat ? texel(a->u * aw - 0.5F, a->v * ah - 0.5F) : 0;
        const quint32 flat_source = flat && plain ? premultiplied(a->rgba, flat_coverage) : 0;
        for (int y = box.y0; y < box.y1; ++y) {
            quint32* out = row(y);
            const float py = static_cast<float>(y) + 0.5F;
            for (int x = box.x0; x < box.x1; ++x) {
                const float px = static_cast<float>(x) + 0.5F;
                const float w0 = e0.at(px, py), w1 = e1.at(px, py), w2 = e2.at(px, py);
                if (e0.outside(w0) || e1.outside(w1) || e2.outside(w2)) continue;
                if (flat && plain) {
                    out[x] = over(out[x], flat_source);
                    continue;
                }
                const float k0 = w0 / area, k1 = w1 / area, k2 = w2 / area;
                quint8 rgba[4];
                for (int i = 0; i < 4; ++i)
                    rgba[i] = static_cast<quint8>(
                        std::clamp(k0 * a->rgba[i] + k1 * b->rgba[i] + k2 * c->rgba[i] + 0.5F, 0.0F, 255.0F));
                const quint32 covered = flat ? flat_coverage
                                             : texel((k0 * a->u + k1 * b->u + k2 * c->u) * aw - 0.5F,
                                                     (k0 * a->v + k1 * b->v + k2 * c->v) * ah - 0.5F);
                out[x] = over(out[x], premultiplied(rgba, covered));
            }
        }
    }

    /// Signed distance function of a triangle's side; pixels exactly on a top or left side belong to the triangle.
    struct Edge {
        float x, y, dx, dy;
        bool owns;
        Edge(const ImGuiVertex& from, const ImGuiVertex& to)
            : x(from.x), y(from.y), dx(to.x - from.x), dy(to.y - from.y), owns(dy < 0 || (dy == 0 && dx > 0)) {}
        float at(float px, float py) const { return dx * (py - y) - dy * (px - x); }
        bool outside(float value) const { return value < 0 || (value == 0 && !owns); }
    };

    const ImGuiFrame& frame_;
    quint32* bits_;
    std::ptrdiff_t stride_;
    int width_, height_, atlas_width_, atlas_height_;
    const quint8* coverage_;
};

} // namespace

void rasterize(const ImGuiFrame& frame, QImage& target) {
    if (!frame.atlas || target.isNull()) return;
    Rasterizer rasterizer(frame, target);
    for (const ImGuiFrame::Command& command : frame.commands) rasterizer.draw(command);
}

} // namespace ls::views
