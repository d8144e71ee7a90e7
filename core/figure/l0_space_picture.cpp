// The picture of a search for an L0 tile:
//
//     +- best wall of every m × n ------+  +- wall against m --+
//     |  log m down, log n right        |  |        °  .       |   a dot is the best tile with this m; the line above
//     |  colour: cycles                 |  |  . ° °            |   it reaches to the worst; below, what rules out
//     |  hatched: does not fit L0C      |  +- ... n, k --------+
//     +---------------------------------+
//     +- how the chosen tile spends its cycles ----------------+
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/figure/l0_candidates.h"
#include "core/scene/bars.h"
#include "core/scene/metrics.h"
#include "core/scene/place.h"

namespace ls::figure {

using nz::L0Candidate;
using nz::L0Fit;
using scene::ColorKey;
using scene::FontFace;
using scene::HAlign;
using scene::Paint;
using scene::Point;
using scene::Rect;
using scene::Role;
using scene::VAlign;

namespace {

constexpr double kMargin = 24, kGap = 40, kMapHeight = 460, kTickLength = 4;
constexpr double kWorstShown = 8; ///< walls beyond this many times the best are drawn at the edge

Paint ink(Role role, float alpha = 1) { return {ColorKey::role(role), alpha}; }

/// What takes longest in a tile; the colour of its dot.
struct Bound {
    const char* word;
    std::uint32_t category;
};
constexpr std::array<Bound, 3> kBounds{{{"loads longest", 0}, {"products longest", 2}, {"drain longest", 5}}};
std::size_t bound_of(const L0Candidate& c) {
    const double work = std::max(c.cost.load_cycles, c.cost.mad_cycles);
    if (c.cost.drain_cycles > work) return 2;
    return c.cost.load_cycles > c.cost.mad_cycles ? 0 : 1;
}

constexpr std::array kReasons{L0Fit::OverL0A, L0Fit::OverL0B, L0Fit::OverL0C, L0Fit::OverMaxN, L0Fit::KNotDivisor};

std::string grouped(std::int64_t value) { // 1 234 567
    std::string digits = fmt::to_string(value);
    for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, " ");
    return digits;
}

/// All tiles with one value of m, n or k.
struct Group {
    std::size_t best = 0;
    std::int64_t best_wall = 0, worst_wall = 0, fitting = 0;
    std::array<bool, kReasons.size()> ruled_out{};
};
using Groups = std::map<std::int64_t, Group>;

class SpacePicture {
public:
    SpacePicture(const L0Space& space, double width, const scene::TextMeasure& measure)
        : space_(space), measure_(measure), m_(scene::Metrics::builtin()), width_(std::max(width, 720.0)) {
        best_ = static_cast<double>(std::max<std::int64_t>(1, space.choice.cost.wall_cycles));
        for (std::size_t i = 0; i < space.choice.candidates.size(); ++i) {
            const L0Candidate& c = space.choice.candidates[i];
            add(by_m_, c.m, i), add(by_n_, c.n, i), add(by_k_, c.k, i);
            if (c.fit == L0Fit::Fits) add(by_output_[c.m], c.n, i);
            for (std::size_t r = 0; r < kReasons.size(); ++r) counts_[r] += c.fit == kReasons[r] ? 1 : 0;
        }
        by_k_.erase(0); // m and n alone were too large
        const double chosen = static_cast<double>(space.chosen().cost.wall_cycles);
        best_ = std::max(1.0, chosen);
    }

    scene::Picture draw() {
        const nz::L0Problem& p = space_.problem;
        const L0Candidate& c = space_.chosen();
        picture_.title = fmt::format("C[{}, {}] = A[{}, {}] · B[{}, {}], {} on {}", p.M, p.N, p.M, p.K, p.K, p.N,
                                     info(space_.operand).pypto, space_.hardware->id);
        picture_.subtitle =
            fmt::format("m {}, n {}, k {}: {} cycles. {} tiles fit, {} were ruled out.", c.m, c.n, c.k,
                        grouped(c.cost.wall_cycles), grouped(space_.choice.fitting), grouped(ruled_out()));
        picture_.list.width = width_;
        picture_.list.add(scene::FillRect{{0, 0, width_, 0}, ink(Role::Canvas)}); // its height is known at the end
        text({kMargin, 20}, picture_.title, m_.title, FontFace::UiBold);
        text({kMargin, 46}, picture_.subtitle, m_.body, FontFace::Ui, Role::Text2);

        const double top = 104, left = kMargin + 44, map_width = std::floor((width_ - 2 * kMargin - kGap) * 0.52) - 44;
        draw_map({left, top, map_width, kMapHeight});
        const double side = left + map_width + kGap + 56, side_width = width_ - kMargin - side;
        const double each = (kMapHeight - 2 * 56) / 3;
        draw_profile({side, top, side_width, each}, by_m_, "m", c.m);
        draw_profile({side, top + each + 56, side_width, each}, by_n_, "n", c.n);
        draw_profile({side, top + 2 * (each + 56), side_width, each}, by_k_, "k", c.k);
        double y = draw_legend(top + kMapHeight + 76);
        y = draw_timeline(y + 8);
        picture_.list.height = y + 8;
        std::get<scene::FillRect>(picture_.list.marks[0]).rect.h = picture_.list.height;
        return std::move(picture_);
    }

private:
    std::int64_t ruled_out() const {
        std::int64_t n = 0;
        for (const std::int64_t c : counts_) n += c;
        return n;
    }

    void add(Groups& groups, std::int64_t value, std::size_t index) {
        const L0Candidate& c = space_.choice.candidates[index];
        Group& g = groups[value];
        if (c.fit != L0Fit::Fits) {
            for (std::size_t r = 0; r < kReasons.size(); ++r) g.ruled_out[r] = g.ruled_out[r] || c.fit == kReasons[r];
            return;
        }
        const bool first = g.fitting++ == 0;
        const bool chosen = index == space_.choice.chosen;
        if (first || c.cost.wall_cycles < g.best_wall || (chosen && c.cost.wall_cycles == g.best_wall)) g.best = index;
        g.best_wall = first ? c.cost.wall_cycles : std::min(g.best_wall, c.cost.wall_cycles);
        g.worst_wall = std::max(g.worst_wall, c.cost.wall_cycles);
    }

    void text(Point at, const std::string& words, double size, FontFace face = FontFace::Ui, Role role = Role::Text,
              HAlign h = HAlign::Left, VAlign v = VAlign::Top) {
        picture_.list.add(scene::Text{at, words, face, size, h, v, ink(role)});
    }

    /// 0 for the best wall, 1 for kWorstShown times as much.
    double height_of(std::int64_t wall) const {
        return std::clamp(
            std::log2(static_cast<double>(std::max<std::int64_t>(1, wall)) / best_) / std::log2(kWorstShown), 0.0, 1.0);
    }

    static double log_place(double value, double least, double most, double from, double length) {
        if (most <= least) return from + length / 2;
        return from + std::log2(value / least) / std::log2(most / least) * length;
    }

    /// Powers of two between the ends, and the last value.
    static std::vector<std::int64_t> log_ticks(std::int64_t least, std::int64_t most) {
        std::vector<std::int64_t> out;
        for (std::int64_t t = 16; t <= most; t *= 2) {
            if (t >= least) out.push_back(t);
        }
        return out;
    }

    void heading(const Rect& area, const std::string& words, double up) {
        text({area.x, area.y - up}, words, m_.small, FontFace::UiBold);
    }

    // --- the map of m × n

    void draw_map(const Rect& area) {
        heading(area, "Best wall of every m × n", 24);
        std::int64_t widest = 16, highest = 16;
        for (const auto& [m, row] : by_output_) {
            highest = std::max(highest, m);
            if (!row.empty()) widest = std::max(widest, row.rbegin()->first);
        }
        const std::int64_t step_m = space_.problem.fixed_m ? *space_.problem.fixed_m : space_.problem.step_m;
        const std::int64_t least_m = by_output_.empty() ? step_m : by_output_.begin()->first;
        const double half_m = static_cast<double>(space_.problem.step_m) / 2;
        const double half_n = static_cast<double>(space_.problem.step_n) / 2;
        const double n0 = half_n, n1 = static_cast<double>(widest) + half_n;
        const double m0 = static_cast<double>(least_m) - half_m, m1 = static_cast<double>(highest) + half_m;
        const auto x_of = [&](double n) { return std::round(log_place(n, n0, n1, area.x, area.w)); };
        const auto y_of = [&](double m) { return std::round(log_place(m, m0, m1, area.y, area.h)); };

        picture_.list.add(scene::FillRect{area, ink(Role::Sunken)});
        picture_.list.add(scene::HatchRect{area, scene::Pattern::Unused, ink(Role::Unused)});
        Rect lit{};
        for (auto at = by_output_.begin(); at != by_output_.end(); ++at) {
            const auto& [m, row] = *at;
            const auto below = std::next(at);
            const double y0 = y_of(static_cast<double>(m) - half_m), y1 = y_of(static_cast<double>(m) + half_m);
            for (const auto& [n, group] : row) {
                const double x0 = x_of(static_cast<double>(n) - half_n), x1 = x_of(static_cast<double>(n) + half_n);
                const Rect cell{x0, y0, x1 - x0, y1 - y0};
                // A cell reaches under its neighbours, so that no seam shows at scales that are no whole numbers.
                const double right = n == row.rbegin()->first ? 0 : 1;
                const double down = below != by_output_.end() && below->second.contains(n) ? 1 : 0;
                picture_.list.add(scene::FillRect{{x0, y0, cell.w + right, cell.h + down},
                                                  {ColorKey::sequential(1 - height_of(group.best_wall))}});
                hit(cell, group);
                if (m == space_.chosen().m && n == space_.chosen().n) lit = cell;
            }
        }
        picture_.list.add(scene::StrokeRect{area, ink(Role::Ink), 1});
        for (const std::int64_t t : log_ticks(16, widest)) {
            const double x = x_of(static_cast<double>(t));
            picture_.list.add(scene::FillRect{{x, area.bottom(), 1, kTickLength}, ink(Role::Ink)});
            text({x, area.bottom() + 7}, fmt::to_string(t), m_.micro, FontFace::Mono, Role::Text2, HAlign::Centre);
        }
        for (const std::int64_t t : log_ticks(least_m, highest)) {
            const double y = y_of(static_cast<double>(t));
            picture_.list.add(scene::FillRect{{area.x - kTickLength, y, kTickLength, 1}, ink(Role::Ink)});
            text({area.x - 8, y}, fmt::to_string(t), m_.micro, FontFace::Mono, Role::Text2, HAlign::Right,
                 VAlign::Middle);
        }
        text({area.right(), area.bottom() + 24}, "n →", m_.micro, FontFace::UiBold, Role::Text2, HAlign::Right);
        text({area.x - 8, area.y - 24}, "m ↓", m_.micro, FontFace::UiBold, Role::Text2, HAlign::Right);
        outline(lit, area);
        draw_ramp({area.x, area.bottom() + 28, std::min(220.0, area.w * 0.5), 8});
    }

    /// The chosen cell: the selection's edge over a light one, its name beside it.
    void outline(const Rect& cell, const Rect& area) {
        if (cell.w <= 0) return;
        const Rect ring{cell.x - 2, cell.y - 2, cell.w + 4, cell.h + 4};
        picture_.list.add(scene::StrokeRect{{ring.x - 1, ring.y - 1, ring.w + 2, ring.h + 2}, ink(Role::Canvas), 4});
        picture_.list.add(scene::StrokeRect{ring, ink(Role::Selected), 2});
        const L0Candidate& c = space_.chosen();
        const std::string words = fmt::format("{} × {}", c.m, c.n);
        const double w = measure_.width(words, FontFace::UiBold, m_.small) + 12;
        const double x = ring.right() + 6 + w <= area.right() ? ring.right() + 6 : ring.x - 6 - w;
        const double y = std::clamp(ring.y + ring.h / 2 - 10, area.y + 2, area.bottom() - 22);
        picture_.list.add(scene::FillRect{{x, y, w, 20}, ink(Role::Plate), 3});
        text({x + w / 2, y + 10}, words, m_.small, FontFace::UiBold, Role::OnPlate, HAlign::Centre, VAlign::Middle);
    }

    void draw_ramp(const Rect& area) {
        constexpr int kSteps = 64;
        for (int i = 0; i < kSteps; ++i) {
            const double t = (i + 0.5) / kSteps;
            const double x0 = std::round(area.x + area.w * i / kSteps);
            picture_.list.add(scene::FillRect{{x0, area.y, area.right() - x0, area.h}, {ColorKey::sequential(1 - t)}});
        }
        picture_.list.add(scene::StrokeRect{area, ink(Role::Ink), 1});
        for (const double factor : {1.0, 2.0, 4.0, kWorstShown}) {
            const double x = area.x + area.w * std::log2(factor) / std::log2(kWorstShown);
            const std::string label =
                factor == kWorstShown ? fmt::format("{:.0f}× and more", factor) : fmt::format("{:.0f}×", factor);
            text({factor == 1 ? area.x : x, area.bottom() + 4}, factor == 1 ? "chosen" : label, m_.micro, FontFace::Ui,
                 Role::Text2, factor == 1 || factor == kWorstShown ? HAlign::Left : HAlign::Centre);
        }
    }

    void hit(const Rect& rect, const Group& group) {
        const L0Candidate& c = space_.choice.candidates[group.best];
        picture_.hits.push_back({rect, static_cast<std::int64_t>(group.best),
                                 fmt::format("m {}, n {}, k {}: {} cycles, {}", c.m, c.n, c.k,
                                             grouped(c.cost.wall_cycles), l0_verdict(c, space_))});
    }

    // --- the wall against one of the three

    void draw_profile(const Rect& whole, const Groups& groups, const std::string& axis, std::int64_t chosen) {
        std::vector<std::size_t> shown; // reasons that rule something out here
        for (std::size_t r = 0; r < kReasons.size(); ++r) {
            const bool any =
                std::any_of(groups.begin(), groups.end(), [&](const auto& g) { return g.second.ruled_out[r]; });
            if (any) shown.push_back(r);
        }
        constexpr double kLine = 5;
        const Rect area{whole.x, whole.y, whole.w, whole.h - kLine * static_cast<double>(shown.size())};
        const std::string title = "Wall against " + axis;
        heading(area, title, 24);
        text({area.x + measure_.width(title, FontFace::UiBold, m_.small) + 10, area.y - 24},
             fmt::format("chosen {}", chosen), m_.small, FontFace::UiBold, Role::Selected);
        if (groups.empty()) return;
        const double least = static_cast<double>(groups.begin()->first),
                     most = static_cast<double>(groups.rbegin()->first);
        const auto x_of = [&](std::int64_t v) {
            return std::round(log_place(static_cast<double>(v), least, most, area.x + 8, area.w - 16));
        };
        const auto y_of = [&](std::int64_t wall) { return area.bottom() - 8 - height_of(wall) * (area.h - 16); };
        for (const double factor : {1.0, 2.0, 4.0, kWorstShown}) {
            const double y = std::round(y_of(static_cast<std::int64_t>(best_ * factor)));
            picture_.list.add(scene::FillRect{{area.x, y, area.w, 1}, ink(Role::Grid)});
            const std::string label = factor == 1 ? grouped(static_cast<std::int64_t>(best_))
                                                  : fmt::format("{}{:.0f}×", factor == kWorstShown ? "≥ " : "", factor);
            text({area.x - 6, y}, label, m_.micro, FontFace::Mono, Role::Text3, HAlign::Right, VAlign::Middle);
        }
        picture_.list.add(scene::FillRect{{area.x, area.bottom(), area.w, 1}, ink(Role::Ink)});
        draw_dots(groups, x_of, y_of, chosen);
        draw_reasons(groups, shown, x_of, area, kLine);
        double free_from = -1e9;
        for (const std::int64_t t : log_ticks(groups.begin()->first, groups.rbegin()->first)) {
            const std::string label = fmt::to_string(t);
            const double w = measure_.width(label, FontFace::Mono, m_.micro), x = x_of(t);
            if (x - w / 2 < free_from) continue;
            text({x, whole.bottom() + 5}, label, m_.micro, FontFace::Mono, Role::Text2, HAlign::Centre);
            free_from = x + w / 2 + 6;
        }
    }

    template <class X, class Y>
    void draw_dots(const Groups& groups, X x_of, Y y_of, std::int64_t chosen) {
        for (const auto& [value, group] : groups) {
            if (group.fitting == 0) continue;
            const double x = x_of(value), low = y_of(group.best_wall), high = y_of(group.worst_wall);
            picture_.list.add(scene::FillRect{{x, high, 1, low - high}, ink(Role::Unused, 0.55F)});
        }
        for (const auto& [value, group] : groups) {
            if (group.fitting == 0) continue;
            const bool lit = value == chosen;
            const Point at{x_of(value) + 0.5, y_of(group.best_wall)};
            const Bound& bound = kBounds[bound_of(space_.choice.candidates[group.best])];
            if (lit) picture_.list.add(scene::Ellipse{at, 8, 8, ink(Role::Canvas), ink(Role::Selected), 2});
            picture_.list.add(scene::Ellipse{at, 4, 4, {ColorKey::category(bound.category)}, ink(Role::Ink), 1});
            hit({at.x - 5, at.y - 5, 10, 10}, group);
        }
    }

    /// Under the axis a line for each reason: solid where it stops at least one tile with this value.
    template <class X>
    void draw_reasons(const Groups& groups, const std::vector<std::size_t>& shown, X x_of, const Rect& area,
                      double line) {
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const double y = area.bottom() + 2 + line * static_cast<double>(i);
            for (auto at = groups.begin(); at != groups.end(); ++at) {
                if (!at->second.ruled_out[shown[i]]) continue;
                const double x = x_of(at->first);
                const auto next = std::next(at);
                const double until = next == groups.end() ? x + 4 : std::max(x + 1, std::min(x_of(next->first), x + 8));
                picture_.list.add(scene::FillRect{{x, y, until - x, line - 2}, reason_ink(shown[i])});
            }
        }
    }

    static Paint reason_ink(std::size_t reason) {
        constexpr std::array<std::uint32_t, kReasons.size()> kHues{4, 8, 6, 1, 7};
        return {ColorKey::category_strong(kHues[reason])};
    }

    // --- what the signs mean

    double draw_legend(double y) {
        double x = kMargin;
        const auto entry = [&](const std::string& words, auto&& sign) {
            const double w = measure_.width(words, FontFace::Ui, m_.small) + 18;
            if (x + w > width_ - kMargin) {
                x = kMargin;
                y += 20;
            }
            sign(Point{x, y});
            text({x + 18, y}, words, m_.small, FontFace::Ui, Role::Text, HAlign::Left, VAlign::Middle);
            x += w + 22;
        };
        for (const Bound& b : kBounds) {
            entry(b.word, [&](Point at) {
                picture_.list.add(
                    scene::Ellipse{{at.x + 6, at.y}, 4, 4, {ColorKey::category(b.category)}, ink(Role::Ink), 1});
            });
        }
        entry("from the best to the worst tile", [&](Point at) {
            picture_.list.add(scene::FillRect{{at.x + 6, at.y - 7, 1, 14}, ink(Role::Unused, 0.55F)});
        });
        entry("does not fit", [&](Point at) {
            const Rect sign{at.x, at.y - 6, 12, 12};
            picture_.list.add(scene::FillRect{sign, ink(Role::Sunken)});
            picture_.list.add(scene::HatchRect{sign, scene::Pattern::Unused, ink(Role::Unused)});
            picture_.list.add(scene::StrokeRect{sign, ink(Role::Ink), 1});
        });
        x = kMargin;
        y += 22;
        for (std::size_t r = 0; r < kReasons.size(); ++r) {
            if (counts_[r] == 0) continue;
            entry(fmt::format("{}: {}", name(kReasons[r]), grouped(counts_[r])), [&](Point at) {
                picture_.list.add(scene::FillRect{{at.x, at.y - 1.5, 12, 3}, reason_ink(r)});
            });
        }
        if (space_.choice.left_out > 0) {
            text({x, y}, fmt::format("{} more tiles are not drawn", grouped(space_.choice.left_out)), m_.small,
                 FontFace::Ui, Role::Text2, HAlign::Left, VAlign::Middle);
        }
        return y + 20;
    }

    // --- the chosen tile's cycles

    double draw_timeline(double y) {
        const nz::L0Cost& cost = space_.chosen().cost;
        const double work = std::max(cost.load_cycles, cost.mad_cycles), wall = static_cast<double>(cost.wall_cycles);
        const auto bar = [](double begin, double end, std::string label, std::uint32_t category) {
            scene::Bar b;
            b.begin = begin;
            b.end = end;
            b.describe = fmt::format("{}: {:.0f} cycles", label, end - begin);
            b.label = std::move(label);
            b.fill = ColorKey::category(category);
            return b;
        };
        const auto count = [](double v) { return grouped(std::llround(v)); };
        scene::BarChart chart;
        chart.max = std::max(wall, std::max(work, cost.drain_cycles)) * 1.04;
        chart.unit = "cycles";
        const double drain_from = space_.chosen().double_output ? std::max(0.0, wall - cost.drain_cycles) : work;
        chart.lanes = {{"loads",
                        {bar(0, cost.load_a_cycles, "A " + count(cost.load_a_cycles), 0),
                         bar(cost.load_a_cycles, cost.load_cycles, "B " + count(cost.load_b_cycles), 4)},
                        {}},
                       {"products", {bar(0, cost.mad_cycles, count(cost.mad_cycles), 2)}, {}},
                       {"drain", {bar(drain_from, drain_from + cost.drain_cycles, count(cost.drain_cycles), 5)}, {}}};
        chart.limits = {{wall, "wall " + grouped(cost.wall_cycles), Role::Selected}};
        text({kMargin, y}, "How the chosen tile spends its cycles", m_.small, FontFace::UiBold);
        text({kMargin + measure_.width("How the chosen tile spends its cycles", FontFace::UiBold, m_.small) + 12, y},
             fmt::format("loads run beside products; {} cycles are hidden", count(cost.hidden_cycles)), m_.small,
             FontFace::Ui, Role::Text2);
        scene::Picture bars = scene::draw_bars(chart, width_ - 2 * kMargin + 24, measure_);
        const double height = bars.list.height;
        scene::place(picture_.list, std::move(bars.list), {kMargin - 12, y + 18});
        return y + 18 + height;
    }

    const L0Space& space_;
    const scene::TextMeasure& measure_;
    const scene::Metrics& m_;
    double width_, best_ = 1;
    Groups by_m_, by_n_, by_k_;
    std::map<std::int64_t, Groups> by_output_; ///< by m, then n; only what fits
    std::array<std::int64_t, kReasons.size()> counts_{};
    scene::Picture picture_;
};

} // namespace

scene::Picture draw_l0_space(const L0Space& space, double width, const scene::TextMeasure& measure) {
    return SpacePicture(space, width, measure).draw();
}

} // namespace ls::figure
