#include "core/figure/smem_tile.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/figure/k_step_color.h"
#include "core/scene/metrics.h"

namespace ls::figure {

namespace {

using namespace scene;
using tirx::GemmSide;
using tirx::SmemChunk;
using tirx::SmemTile;

constexpr std::int64_t kChunks = tirx::kLineBytes / tirx::kChunkBytes;
constexpr double kPad = 12, kHead = 40, kFoot = 24, kMinimap = 50;

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

std::string range(std::int64_t first, std::int64_t last) { return first == last ? fmt::format("{}", first) : fmt::format("{}–{}", first, last); }

const SmemTile* tile_of(const GemmSide& side, bool swizzled) {
    const auto& tile = swizzled ? side.tile : side.plain;
    return tile ? &*tile : nullptr;
}

/// Lines of one swizzle atom: 8 rows of its width. Without a swizzle eight lines stand for a kilobyte.
std::int64_t atom_lines(const GemmSide& side) {
    if (!side.matched || side.matched->swizzle == tensor_core::SmemSwizzle::None) return 8;
    return std::max<std::int64_t>(1, tensor_core::atom_row_bytes(side.matched->swizzle) * 8 / tirx::kLineBytes);
}

class Painter {
public:
    Painter(const GemmSide& side, const SmemTile& tile, const SmemTileOptions& o, const TextMeasure& measure)
        : side_(side), tile_(tile), o_(o), measure_(measure), m_(Metrics::builtin()) {}

    SmemTilePicture draw() {
        lay_out();
        header();
        for (std::int64_t line = g_.first_line; line < g_.first_line + g_.lines_shown; ++line) draw_line(line);
        windows();
        lit();
        atoms();
        minimap();
        foot();
        picture_.list.width = o_.width;
        picture_.list.height = o_.height;
        picture_.title = fmt::format("{} in shared memory", side_.operand.name);
        return {std::move(picture_), g_};
    }

private:
    double width_of(const std::string& s, FontFace face, double size) const { return measure_.width(s, face, size); }
    void text(Point at, const std::string& s, FontFace face, double size, HAlign h, Paint paint) {
        picture_.list.add(Text{at, s, face, size, h, VAlign::Middle, paint, ColorKey::role(Role::None)});
    }
    const SmemChunk* chunk(std::int64_t index) const {
        return index >= 0 && index < static_cast<std::int64_t>(tile_.chunks.size()) ? &tile_.chunks[static_cast<std::size_t>(index)] : nullptr;
    }
    bool in_window(const SmemChunk& c) const {
        return c.elements > 0 && c.mn_first >= o_.window_mn && c.mn_last < o_.window_mn + o_.window_mn_count && c.k_first >= o_.window_k &&
               c.k_last < o_.window_k + o_.window_k_count;
    }
    ColorKey colour(const SmemChunk& c) const {
        const ColorKey key = k_step_color(c.k_first / std::max<std::int64_t>(1, o_.mma_k));
        return in_window(c) || o_.window_k_count == 0 ? key : key.dimmed();
    }

    void lay_out() {
        g_.lines = tile_.lines();
        g_.atom_lines = atom_lines(side_);
        std::string widest = "000";
        row_axis_ = true;
        for (std::int64_t line = 0; line < g_.lines && row_axis_; ++line) {
            std::int64_t row = -1;
            for (std::int64_t c = 0; c < kChunks; ++c) {
                const SmemChunk* one = chunk(line * kChunks + c);
                if (!one || one->elements == 0) continue;
                if (one->mn_first != one->mn_last || (row >= 0 && row != one->mn_first)) row_axis_ = false;
                row = one->mn_first;
            }
        }
        if (!row_axis_) widest = "0x00000";
        const double axis = std::max({width_of(widest, FontFace::Mono, m_.micro), width_of("chunk", FontFace::Ui, m_.micro)}) + 10;
        const double bracket = std::max(width_of("atom 00", FontFace::UiBold, m_.micro), width_of("0x00000", FontFace::Mono, m_.micro)) + 20;
        map_shown_ = g_.lines > 8 && o_.width > 560;
        const double x0 = kPad + axis;
        double room = o_.width - x0 - kPad - bracket - (map_shown_ ? kMinimap + 18 : 0);
        g_.chunk_width = std::clamp(std::floor(room / kChunks), 12.0, 110.0);
        const double top = 6 + kHead;
        const double avail = std::max(40.0, o_.height - top - kFoot - 4);
        g_.line_height = 18;
        g_.gap = g_.atom_lines >= 2 ? 6 : 0;
        const double per_atom = g_.line_height * static_cast<double>(g_.atom_lines) + g_.gap;
        const auto fits = static_cast<std::int64_t>(std::floor((avail + g_.gap) / per_atom)) * g_.atom_lines;
        g_.lines_shown = std::min(g_.lines, std::max(fits, static_cast<std::int64_t>(avail / (g_.line_height + g_.gap / static_cast<double>(g_.atom_lines)))));
        g_.lines_shown = std::max<std::int64_t>(1, g_.lines_shown);
        // Few lines may be taller.
        if (g_.lines_shown == g_.lines)
            g_.line_height = std::clamp(std::floor((avail - g_.gap * std::ceil(static_cast<double>(g_.lines) / static_cast<double>(g_.atom_lines))) / static_cast<double>(g_.lines)), 18.0, 24.0);
        g_.first_line = std::clamp<std::int64_t>(o_.first_line, 0, g_.lines - g_.lines_shown);
        g_.grid = {x0, top, g_.chunk_width * kChunks, 0};
        g_.grid.h = g_.line_y(g_.first_line + g_.lines_shown - 1) + g_.line_height - top;
        if (map_shown_) {
            const double x = std::min(o_.width - kPad - kMinimap, g_.grid.right() + bracket + 18);
            g_.minimap = {x, top, kMinimap, std::min(avail, std::max(60.0, 3.0 * static_cast<double>(g_.lines)))};
        }
    }

    Rect cell(std::int64_t index) const {
        return {g_.grid.x + g_.chunk_width * static_cast<double>(index % kChunks), g_.line_y(index / kChunks), g_.chunk_width, g_.line_height};
    }

    void header() {
        const double y1 = g_.grid.y - 28, y2 = g_.grid.y - 11;
        text({g_.grid.x - 10, y1}, "chunk", FontFace::Ui, m_.micro, HAlign::Right, ink(Role::Text3));
        text({g_.grid.x - 10, y2}, "bank", FontFace::Ui, m_.micro, HAlign::Right, ink(Role::Text3));
        const bool each_bank = g_.chunk_width / 4 >= width_of("00", FontFace::Mono, m_.micro) + 2;
        for (std::int64_t c = 0; c < kChunks; ++c) {
            const double x = g_.grid.x + g_.chunk_width * (static_cast<double>(c) + 0.5);
            text({x, y1}, fmt::format("{}", c), FontFace::MonoBold, m_.micro, HAlign::Centre, ink(Role::Text2));
            for (int b = 0; b < 4 && each_bank; ++b)
                text({g_.grid.x + g_.chunk_width * (static_cast<double>(c) + (b + 0.5) / 4), y2}, fmt::format("{}", c * 4 + b), FontFace::Mono, m_.micro,
                     HAlign::Centre, ink(Role::Text3));
            const std::string both = fmt::format("{}–{}", c * 4, c * 4 + 3), first = fmt::format("{}", c * 4);
            const std::string& shown = width_of(both, FontFace::Mono, m_.micro) + 4 <= g_.chunk_width ? both : first;
            if (!each_bank) text({x, y2}, shown, FontFace::Mono, m_.micro, HAlign::Centre, ink(Role::Text3));
        }
    }

    std::string label(const SmemChunk& c) const {
        const std::string k = fmt::format("k {}", range(c.k_first, c.k_last));
        if (row_axis_) return k;
        return fmt::format("{}{} {}", o_.row_letter, range(c.mn_first, c.mn_last), k);
    }

    void draw_line(std::int64_t line) {
        std::int64_t row = -1;
        for (std::int64_t c = 0; c < kChunks; ++c) {
            const std::int64_t index = line * kChunks + c;
            const SmemChunk* one = chunk(index);
            if (!one) continue;
            const Rect r = cell(index);
            if (one->elements == 0) {
                picture_.list.add(HatchRect{r, Pattern::Unused, ink(Role::Unused)});
                continue;
            }
            row = one->mn_first;
            const ColorKey fill = colour(*one);
            picture_.list.add(FillRect{r, {fill}});
            if (c > 0) picture_.list.add(FillRect{{r.x, r.y, 1, r.h}, ink(Role::Ink, 0.12)});
            std::string s = label(*one);
            if (width_of(s, FontFace::Mono, m_.micro) + 4 > r.w) s = fmt::format("{}", row_axis_ ? range(one->k_first, one->k_last) : range(one->mn_first, one->mn_last));
            if (width_of(s, FontFace::Mono, m_.micro) + 4 > r.w) s = fmt::format("{}", one->k_first);
            if (width_of(s, FontFace::Mono, m_.micro) + 4 <= r.w)
                text({r.x + r.w / 2, r.y + r.h / 2}, s, FontFace::Mono, m_.micro, HAlign::Centre, {ColorKey::ink_on(fill), in_window(*one) || o_.window_k_count == 0 ? 1.0F : 0.75F});
            picture_.hits.push_back({r, index, chunk_text(side_, index, o_.swizzled)});
        }
        const double y = g_.line_y(line);
        if (line > g_.first_line && line % g_.atom_lines != 0) picture_.list.add(FillRect{{g_.grid.x, y, g_.grid.w, 1}, ink(Role::Ink, 0.14)});
        std::string axis = row_axis_ && row >= 0 ? fmt::format("{}", row) : std::string();
        if (!row_axis_) axis = fmt::format("{:#06x}", tile_.first_byte + line * tirx::kLineBytes);
        text({g_.grid.x - 10, y + g_.line_height / 2}, axis, FontFace::Mono, m_.micro, HAlign::Right, ink(Role::Text3));
    }

    /// Neighbouring chunks of the window share one outline.
    void windows() {
        for (std::int64_t line = g_.first_line; line < g_.first_line + g_.lines_shown; ++line) {
            std::int64_t begin = -1;
            for (std::int64_t c = 0; c <= kChunks; ++c) {
                const SmemChunk* one = c < kChunks ? chunk(line * kChunks + c) : nullptr;
                const bool inside = one && in_window(*one);
                if (inside && begin < 0) begin = c;
                if (!inside && begin >= 0) {
                    const Rect r{g_.grid.x + g_.chunk_width * static_cast<double>(begin), g_.line_y(line), g_.chunk_width * static_cast<double>(c - begin), g_.line_height};
                    picture_.list.add(StrokeRect{{r.x + 1, r.y + 1, r.w - 2, r.h - 2}, ink(Role::Ink), m_.window, 2});
                    begin = -1;
                }
            }
        }
    }

    void lit() {
        if (!o_.lit.valid() || o_.lit.row >= tile_.mn || o_.lit.column < 0 || o_.lit.column >= tile_.k) return;
        const auto index = static_cast<std::int64_t>(tile_.chunk_of(o_.lit.row, o_.lit.column));
        const std::int64_t line = index / kChunks;
        if (line < g_.first_line || line >= g_.first_line + g_.lines_shown) return;
        const Rect r = cell(index);
        const SmemChunk* one = chunk(index);
        picture_.list.add(FillRect{r, ink(Role::Hover)});
        picture_.list.add(StrokeRect{{r.x + 1, r.y + 1, r.w - 2, r.h - 2}, ink(Role::HoverEdge), m_.hover, 1});
        const std::string s = label(*one);
        if (width_of(s, FontFace::Mono, m_.micro) + 6 <= r.w) text({r.x + r.w / 2, r.y + r.h / 2 - 1}, s, FontFace::MonoBold, m_.micro, HAlign::Centre, ink(Role::OnHover));
        // The element inside its chunk, as a bar along the lower edge.
        const double bit = static_cast<double>(tile_.bit_address(o_.lit.row, o_.lit.column) % (tirx::kChunkBytes * 8));
        const double w = std::max(2.0, r.w * tile_.element_bits / (tirx::kChunkBytes * 8.0));
        picture_.list.add(FillRect{{r.x + r.w * bit / (tirx::kChunkBytes * 8.0), r.bottom() - 4, w, 3}, ink(Role::OnHover)});
    }

    void atoms() {
        const bool real = side_.matched && side_.matched->swizzle != tensor_core::SmemSwizzle::None;
        const double x = g_.grid.right() + 6;
        const std::int64_t last = g_.first_line + g_.lines_shown - 1;
        for (std::int64_t atom = g_.first_line / g_.atom_lines; atom <= last / g_.atom_lines; ++atom) {
            const std::int64_t from = std::max(atom * g_.atom_lines, g_.first_line), to = std::min((atom + 1) * g_.atom_lines - 1, last);
            const double y0 = g_.line_y(from), y1 = g_.line_y(to) + g_.line_height;
            picture_.list.add(StrokeRect{{g_.grid.x, y0, g_.grid.w, y1 - y0}, ink(Role::Ink, 0.75), 1.25});
            if (y1 - y0 < 17) continue;
            picture_.list.add(Polyline{{{x, y0 + 1}, {x + 5, y0 + 1}, {x + 5, y1 - 1}, {x, y1 - 1}}, ink(Role::Field), 1});
            const double middle = (y0 + y1) / 2;
            const std::string address = fmt::format("{:#06x}", tile_.first_byte + atom * g_.atom_lines * tirx::kLineBytes);
            if (y1 - y0 >= 32 && real) {
                text({x + 12, middle - 7}, fmt::format("atom {}", atom), FontFace::UiBold, m_.micro, HAlign::Left, ink(Role::Text2));
                text({x + 12, middle + 8}, address, FontFace::Mono, m_.micro, HAlign::Left, ink(Role::Text2));
            } else {
                text({x + 12, middle}, address, FontFace::Mono, m_.micro, HAlign::Left, ink(Role::Text2));
            }
        }
    }

    void minimap() {
        if (!map_shown_) return;
        const Rect& r = g_.minimap;
        text({r.x + r.w / 2, r.y - 11}, fmt::format("{} lines", g_.lines), FontFace::Ui, m_.micro, HAlign::Centre, ink(Role::Text3));
        // At most two rows a point; further lines are sampled.
        const auto rows = std::min(g_.lines, static_cast<std::int64_t>(r.h));
        const double h = r.h / static_cast<double>(rows), w = r.w / kChunks;
        for (std::int64_t i = 0; i < rows; ++i) {
            const std::int64_t line = i * g_.lines / rows;
            for (std::int64_t c = 0; c < kChunks;) {
                const SmemChunk* one = chunk(line * kChunks + c);
                std::int64_t end = c + 1;
                if (one && one->elements > 0) {
                    const ColorKey key = colour(*one);
                    for (const SmemChunk* next = chunk(line * kChunks + end); end < kChunks && next && next->elements > 0 && colour(*next) == key; next = chunk(line * kChunks + end)) ++end;
                    picture_.list.add(FillRect{{r.x + w * static_cast<double>(c), r.y + h * static_cast<double>(i), w * static_cast<double>(end - c), h + 0.3}, {key}});
                }
                c = end;
            }
        }
        const double scale = r.h / static_cast<double>(g_.lines);
        picture_.list.add(StrokeRect{{r.x - 2, r.y + scale * static_cast<double>(g_.first_line) - 1, r.w + 4, std::max(5.0, scale * static_cast<double>(g_.lines_shown)) + 2}, ink(Role::Ink), 2});
        if (o_.lit.valid() && o_.lit.row < tile_.mn && o_.lit.column >= 0 && o_.lit.column < tile_.k) {
            const auto index = static_cast<std::int64_t>(tile_.chunk_of(o_.lit.row, o_.lit.column));
            const Rect at{r.x + w * static_cast<double>(index % kChunks), r.y + scale * static_cast<double>(index / kChunks) - 1.5, w, std::max(4.0, scale)};
            picture_.list.add(FillRect{at, ink(Role::Hover)});
            picture_.list.add(StrokeRect{at, ink(Role::HoverEdge), 1});
        }
    }

    void foot() {
        if (o_.note.empty()) return;
        if (width_of(o_.note, FontFace::Ui, m_.micro) > o_.width - g_.grid.x - kPad) return;
        text({g_.grid.x, g_.grid.bottom() + 15}, o_.note, FontFace::Ui, m_.micro, HAlign::Left, ink(Role::Text2));
    }

    const GemmSide& side_;
    const SmemTile& tile_;
    const SmemTileOptions& o_;
    const TextMeasure& measure_;
    const Metrics& m_;
    Picture picture_;
    SmemTileGeometry g_;
    bool row_axis_ = true; ///< every line holds one row of the operand: the axis counts rows
    bool map_shown_ = true;
};

} // namespace

double SmemTileGeometry::line_y(std::int64_t line) const {
    return grid.y + line_height * static_cast<double>(line - first_line) + gap * static_cast<double>(line / atom_lines - first_line / atom_lines);
}

std::int64_t SmemTileGeometry::chunk_at(Point at) const {
    if (at.x < grid.x || at.x >= grid.right() || chunk_width <= 0) return -1;
    for (std::int64_t line = first_line; line < first_line + lines_shown; ++line) {
        const double y = line_y(line);
        if (at.y >= y && at.y < y + line_height) return line * kChunks + std::min(kChunks - 1, static_cast<std::int64_t>((at.x - grid.x) / chunk_width));
    }
    return -1;
}

std::int64_t SmemTileGeometry::minimap_line(Point at) const {
    if (minimap.h <= 0 || !minimap.contains(at)) return -1;
    return static_cast<std::int64_t>((at.y - minimap.y) / minimap.h * static_cast<double>(lines));
}

std::string chunk_text(const GemmSide& side, std::int64_t chunk, bool swizzled) {
    const SmemTile* tile = tile_of(side, swizzled);
    if (!tile || chunk < 0 || chunk >= static_cast<std::int64_t>(tile->chunks.size())) return {};
    const SmemChunk& c = tile->chunks[static_cast<std::size_t>(chunk)];
    const std::int64_t address = tile->first_byte + chunk * tirx::kChunkBytes, column = chunk % kChunks;
    if (c.elements == 0) return fmt::format("nothing of {} at {:#06x}", side.operand.name, address);
    const std::string mn = range(c.mn_first, c.mn_last), k = range(c.k_first, c.k_last);
    return fmt::format("{}[{}] · chunk {} · banks {}–{} · {:#06x}", side.operand.name, side.transposed ? k + ", " + mn : mn + ", " + k, column, column * 4, column * 4 + 3, address);
}

SmemTilePicture draw_smem_tile(const GemmSide& side, const SmemTileOptions& options, const TextMeasure& measure) {
    const SmemTile* tile = tile_of(side, options.swizzled);
    if (!tile || tile->chunks.empty()) return {};
    return Painter(side, *tile, options, measure).draw();
}

} // namespace ls::figure
