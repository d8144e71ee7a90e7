#include "core/figure/gmem_operands.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/figure/k_step_color.h"
#include "core/scene/metrics.h"

namespace ls::figure {

namespace {

using namespace scene;

constexpr double kPad = 14, kHead = 24, kBetween = 12, kFoot = 26, kSmallest = 3;

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

} // namespace

tirx::MatrixElement GmemGeometry::element_at(Point at, bool& of_b) const {
    for (const bool second : {false, true}) {
        const Rect& r = second ? b : a;
        if (r.w <= 0 || !r.contains(at)) continue;
        of_b = second;
        const bool transposed = second ? b_transposed : a_transposed;
        const std::int64_t mn = second ? n : m;
        const double across = (at.x - r.x) / r.w, down = (at.y - r.y) / r.h;
        const auto mn_at = static_cast<std::int64_t>((transposed ? across : down) * static_cast<double>(mn));
        const auto k_at = static_cast<std::int64_t>((transposed ? down : across) * static_cast<double>(k));
        return {std::min(mn_at, mn - 1), std::min(k_at, k - 1)};
    }
    return {};
}

GmemPicture draw_gmem_operands(const tirx::GemmBench& bench, const GmemOptions& o, const TextMeasure& measure) {
    const Metrics& m = Metrics::builtin();
    GmemPicture made;
    Picture& p = made.picture;
    const auto text = [&](Point at, const std::string& s, FontFace face, HAlign h, Paint paint, double size = 0) {
        p.list.add(Text{at, s, face, size > 0 ? size : m.micro, h, VAlign::Middle, paint, ColorKey::role(Role::None)});
    };
    const auto& s = bench.subject;
    GmemGeometry& g = made.geometry;
    g.m = s.m;
    g.n = std::max<std::int64_t>(1, s.n / s.cta_group);
    g.k = s.k;
    g.a_transposed = s.a.transposed;
    g.b_transposed = s.b.transposed;
    const double half = (o.height - kPad - kFoot - kBetween) / 2 - kHead;
    for (const bool second : {false, true}) {
        const bool transposed = second ? g.b_transposed : g.a_transposed;
        const std::int64_t mn = second ? g.n : g.m;
        const std::int64_t rows = transposed ? g.k : mn, columns = transposed ? mn : g.k;
        const double top = kPad + (second ? half + kHead + kBetween : 0);
        const std::string title = fmt::format("{}[{}, {}]", second ? "B" : "A", rows, columns);
        text({kPad, top + 8}, title, FontFace::MonoBold, HAlign::Left, ink(Role::Text), m.small);
        const std::string pitch = fmt::format("rows {} B apart", columns * bits(bench.a.operand.layout ? bench.a.operand.dtype : DType::Fp16) / 8);
        if (measure.width(title, FontFace::MonoBold, m.small) + measure.width(pitch, FontFace::Ui, m.micro) + 16 < o.width - 2 * kPad)
            text({o.width - kPad, top + 8}, pitch, FontFace::Ui, HAlign::Right, ink(Role::Text3));
        const double scale = std::min((o.width - 2 * kPad) / static_cast<double>(columns), std::max(20.0, half) / static_cast<double>(rows));
        // Very slim matrices keep a width that can be pointed at.
        const Rect r{kPad, top + kHead - 4, std::max(24.0, scale * static_cast<double>(columns)), std::max(24.0, scale * static_cast<double>(rows))};
        (second ? g.b : g.a) = r;
        const double step = std::max<double>(1, static_cast<double>(o.mma_k));
        const double all = static_cast<double>(g.k), unit = (transposed ? r.h : r.w) / all;
        for (double k = 0; k < all; k += step) {
            const auto index = static_cast<std::int64_t>(k / step);
            ColorKey fill = k_step_color(index);
            if (o.k_step >= 0 && o.k_step != index) fill = fill.dimmed();
            const double from = k * unit, to = std::min(all, k + step) * unit;
            const Rect stripe = transposed ? Rect{r.x, r.y + from, r.w, to - from} : Rect{r.x + from, r.y, to - from, r.h};
            p.list.add(FillRect{stripe, {fill}});
            p.list.add(StrokeRect{stripe, ink(Role::Ink, 0.18), 1});
            const std::string name = fmt::format("ki {}", index);
            if (measure.width(name, FontFace::Mono, m.micro) + 6 <= stripe.w && stripe.h >= 14)
                text({stripe.x + stripe.w / 2, stripe.y + std::min(stripe.h / 2, 9.0)}, name, FontFace::Mono, HAlign::Centre, {ColorKey::ink_on(fill)});
            if (o.k_step == index) p.list.add(StrokeRect{{stripe.x + 1, stripe.y + 1, stripe.w - 2, stripe.h - 2}, ink(Role::Ink), m.window});
        }
        p.list.add(StrokeRect{r, ink(Role::Ink, 0.85), 1.25});
        const tirx::MatrixElement& lit = second ? o.lit_b : o.lit_a;
        if (lit.valid() && lit.row < mn) {
            const double mn_unit = (transposed ? r.w : r.h) / static_cast<double>(mn);
            const double mn_from = static_cast<double>(lit.row) * mn_unit, mn_size = std::max(kSmallest, mn_unit);
            const double k_from = lit.column < 0 ? 0 : static_cast<double>(lit.column) * unit, k_size = lit.column < 0 ? unit * all : std::max(kSmallest + 2, unit);
            const Rect at = transposed ? Rect{r.x + mn_from, r.y + k_from, mn_size, k_size} : Rect{r.x + k_from, r.y + mn_from, k_size, mn_size};
            p.list.add(FillRect{at, ink(Role::Hover)});
            p.list.add(StrokeRect{at, ink(Role::HoverEdge), 1});
        }
        p.hits.push_back({r, second ? 1 : 0, fmt::format("{} in global memory, {} rows of {} elements", second ? "B" : "A", rows, columns)});
    }
    p.list.width = o.width;
    p.list.height = o.height;
    p.title = "Global memory";
    return made;
}

} // namespace ls::figure
