#include "core/scene/bars.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/scene/metrics.h"
#include "core/scene/pattern.h"

namespace ls::scene {

namespace {

constexpr double kAxis = 24, kLane = 26, kBarHeight = 16, kMargin = 12;

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

std::string number(double v) {
    if (std::abs(v) < 1e15 && v == std::floor(v)) {
        const std::string digits = fmt::format("{}", static_cast<std::int64_t>(std::abs(v)));
        return v < 0 ? "−" + digits : digits; // a true minus sign
    }
    return fmt::format("{:.4g}", v);
}

class Chart {
public:
    Chart(const BarChart& chart, double width, const TextMeasure& measure)
        : chart_(chart), measure_(measure), m_(Metrics::builtin()) {
        double names = 0;
        for (const BarLane& lane : chart.lanes)
            names = std::max(names, measure.width(lane.name, FontFace::Ui, m_.micro));
        left_ = kMargin + (names > 0 ? std::ceil(names) + 12 : 0);
        right_ = std::max(left_ + 1, width - kMargin);
        // A chart without a scale still draws its lanes.
        min_ = std::isfinite(chart.min) ? chart.min : 0;
        max_ = std::isfinite(chart.max) && chart.max > min_ ? chart.max : min_ + 1;
        picture_.title = chart.title;
        picture_.subtitle = chart.subtitle;
        picture_.list.width = width;
        bottom_ = kMargin + kAxis + kLane * static_cast<double>(chart.lanes.size());
        picture_.list.height = bottom_ + kMargin + (chart.limits.empty() ? 0 : 18);
    }

    Picture draw() {
        draw_axis();
        double y = kMargin + kAxis;
        for (const BarLane& lane : chart_.lanes) {
            text({left_ - 12, y + kLane / 2}, lane.name, FontFace::Ui, HAlign::Right, ink(Role::Text2));
            double free_from = left_; // labels beside bars must not meet
            for (const Bar& bar : lane.bars) draw_bar(lane, bar, y, free_from);
            if (lane.limit) vertical(at(*lane.limit), y, y + kLane, ink(Role::Finding), m_.finding);
            y += kLane;
        }
        draw_limits();
        return std::move(picture_);
    }

private:
    double at(double value) const {
        const double t = (std::clamp(std::isfinite(value) ? value : max_, min_, max_) - min_) / (max_ - min_);
        return std::round(left_ + t * (right_ - left_));
    }

    void text(Point p, const std::string& utf8, FontFace face, HAlign h, Paint paint,
              ColorKey halo = ColorKey::role(Role::None)) {
        picture_.list.add(Text{p, utf8, face, m_.micro, h, VAlign::Middle, paint, halo});
    }

    void vertical(double x, double y0, double y1, Paint paint, double width) {
        picture_.list.add(FillRect{{x - std::floor(width / 2), y0, width, y1 - y0}, paint});
    }

    void draw_axis() {
        const std::vector<double> ticks = chart_.ticks.empty() ? round_ticks(min_, max_, 6) : chart_.ticks;
        double free_from = -1e9;
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            if (ticks[i] < min_ || ticks[i] > max_) continue;
            std::string label = number(ticks[i]);
            if (i + 1 == ticks.size() && !chart_.unit.empty()) label += " " + chart_.unit;
            const double x = at(ticks[i]), w = measure_.width(label, FontFace::Mono, m_.micro);
            vertical(x, kMargin + kAxis - 4, bottom_, ticks[i] == 0 ? ink(Role::Ink) : ink(Role::Grid), 1);
            const double centre = std::min(x, picture_.list.width - w / 2 - 2);
            if (centre - w / 2 < free_from) continue;
            text({centre, kMargin + 8}, label, FontFace::Mono, HAlign::Centre, ink(Role::Text3));
            free_from = centre + w / 2 + 8;
        }
    }

    void fill(const Rect& r, const Bar& bar, bool beyond) {
        if (r.w <= 0) return;
        if (beyond) {
            picture_.list.add(FillRect{r, ink(Role::FindingTint), 2});
            picture_.list.add(HatchRect{r, Pattern::Finding, ink(Role::Finding)});
            picture_.list.add(StrokeRect{r, ink(Role::Finding), m_.finding, 2});
            return;
        }
        picture_.list.add(FillRect{r, {bar.fill}, 2});
        if (bar.pattern != Pattern::None) {
            const bool finding = bar.pattern == Pattern::Finding;
            picture_.list.add(
                HatchRect{r, bar.pattern, ink(finding ? Role::Finding : Role::Ink, pattern_look(bar.pattern).alpha)});
        }
        picture_.list.add(StrokeRect{r, bar.pattern == Pattern::Finding ? ink(Role::Finding) : ink(Role::Ink), 1, 2});
    }

    void draw_bar(const BarLane& lane, const Bar& bar, double y, double& free_from) {
        if (!(bar.end >= bar.begin) || bar.end < min_ || bar.begin > max_) return;
        const double x0 = at(bar.begin), x1 = std::max(at(bar.end), x0 + 2); // never thinner than can be seen
        const Rect whole{x0, y + (kLane - kBarHeight) / 2, x1 - x0, kBarHeight};
        const double split = lane.limit && *lane.limit < bar.end ? std::clamp(at(*lane.limit), x0, x1) : x1;
        fill({x0, whole.y, split - x0, whole.h}, bar, false);
        fill({split, whole.y, x1 - split, whole.h}, bar, true);
        picture_.hits.push_back({whole, bar.id, bar.describe.empty() ? bar.label : bar.describe});
        if (bar.label.empty()) return;
        const double w = measure_.width(bar.label, FontFace::UiBold, m_.micro), middle = whole.y + whole.h / 2;
        const bool hatched = bar.pattern != Pattern::None || split < x1;
        if (w + 2 * m_.label_pad <= whole.w) {
            text({(x0 + x1) / 2, middle}, bar.label, FontFace::UiBold, HAlign::Centre, {ColorKey::ink_on(bar.fill)},
                 hatched ? bar.fill : ColorKey::role(Role::None));
        } else if (x1 + 6 >= free_from && x1 + 6 + w <= picture_.list.width) {
            text({x1 + 6, middle}, bar.label, FontFace::UiBold, HAlign::Left, ink(Role::Text),
                 ColorKey::role(Role::Canvas));
            free_from = x1 + 6 + w;
        }
    }

    void draw_limits() {
        double free_from = -1e9;
        for (const BarLimit& limit : chart_.limits) {
            if (limit.at < min_ || limit.at > max_) continue;
            const double x = at(limit.at), w = measure_.width(limit.label, FontFace::UiBold, m_.micro);
            vertical(x, kMargin + kAxis - 4, bottom_ + 4, ink(limit.tone), 2);
            const double centre = std::clamp(x, w / 2 + 2, std::max(w / 2 + 2, picture_.list.width - w / 2 - 2));
            if (centre - w / 2 < free_from) continue;
            text({centre, bottom_ + 13}, limit.label, FontFace::UiBold, HAlign::Centre, ink(limit.tone));
            free_from = centre + w / 2 + 8;
        }
    }

    const BarChart& chart_;
    const TextMeasure& measure_;
    const Metrics& m_;
    Picture picture_;
    double left_ = 0, right_ = 0, bottom_ = 0, min_ = 0, max_ = 1;
};

} // namespace

std::vector<double> round_ticks(double min, double max, int count, bool binary) {
    std::vector<double> out;
    if (!(max > min) || !std::isfinite(max - min) || count < 1) return out;
    const double rough = (max - min) / count;
    double step = 0;
    if (binary) {
        step = std::exp2(std::ceil(std::log2(rough)));
    } else {
        const double decade = std::pow(10.0, std::floor(std::log10(rough)));
        step = decade * (rough <= decade ? 1 : rough <= 2 * decade ? 2 : rough <= 5 * decade ? 5 : 10);
    }
    for (double k = std::ceil(min / step - 1e-9); k * step <= max + step * 1e-9 && out.size() < 1000; ++k)
        out.push_back(k * step + 0.0); // never −0, which would be written with its sign
    return out;
}

Picture draw_bars(const BarChart& chart, double width, const TextMeasure& measure) {
    return Chart(chart, width, measure).draw();
}

} // namespace ls::scene
