#include "core/figure/memory_map.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/figure/memory_map_lens.h"
#include "core/figure/memory_map_plates.h"
#include "core/scene/bars.h"
#include "core/scene/metrics.h"
#include "core/scene/pattern.h"

namespace ls::figure {

namespace {

using namespace scene;

constexpr double kMargin = 12, kAxis = 26, kTrack = 24, kTallTrack = 32, kTrackGap = 4, kAboveRows = 8;
constexpr std::uint32_t kNeutral = 7; // the grey of the categories
constexpr double kRow = 23, kLabelRow = 14, kLiveBar = 48, kLineLabel = 16, kLegend = 26;

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

/// Rows get thin where there are many, so that a long program still fits a page.
double natural_row(std::size_t rows) {
    const double n = static_cast<double>(std::max<std::size_t>(1, rows));
    return n <= 24 ? kRow : std::max({552 / n, std::min(7.0, 1400 / n), 1.0});
}

class Painter {
public:
    Painter(const MemoryMap& map, const MemoryMapOptions& options, const TextMeasure& measure)
        : map_(map), options_(options), measure_(measure), m_(Metrics::builtin()) {}

    MemoryMapPicture draw() {
        lay_out();
        axis();
        rows_behind();
        picture_.list.add(PushClip{{plot_.left(), kMargin, plot_.right() - plot_.left() + 1, bottom_ - kMargin + 8}});
        pale_columns();
        bands();
        on(plot_, false);
        picture_.list.add(PopClip{});
        if (!lens_.segments.empty()) draw_lens();
        live_column();
        lines();
        draw_conflict_plates(picture_.list, plates_, {plot_.left(), top_, plot_.right() - plot_.left(), bottom_ - top_}, measure_);
        legend();
        picture_.title = map_.title;
        picture_.subtitle = map_.subtitle;
        MemoryMapGeometry geometry;
        geometry.plot = {plot_.left(), top_, plot_.right() - plot_.left(), bottom_ - top_};
        geometry.row_height = row_;
        geometry.begin_byte = plot_.segments.front().begin_byte;
        geometry.end_byte = plot_.segments.front().end_byte;
        return {std::move(picture_), geometry};
    }

private:
    // --- layout

    double text_width(const std::string& s, FontFace face = FontFace::Ui) const {
        return measure_.width(s, face, m_.micro);
    }

    void lay_out() {
        std::int64_t begin = options_.begin_byte, end = options_.end_byte;
        if (end <= begin) {
            begin = 0;
            end = std::max<std::int64_t>(1, map_.capacity_bytes);
            for (const MemoryBlock& b : map_.blocks) end = std::max(end, b.end_byte);
            for (const MemoryLine& l : map_.lines) end = std::max(end, l.at_byte);
        }
        double names = 0;
        for (const MemoryRow& r : map_.rows) names = std::max(names, text_width(r.name, FontFace::UiBold));
        for (const MemoryTrack& t : map_.tracks) names = std::max(names, text_width(t.name));
        const double left = kMargin + (names > 0 ? std::min(std::ceil(names), options_.width * 0.3) + 12 : 0);

        for (const MemoryRow& r : map_.rows) peak_ = std::max(peak_, r.live_bytes);
        double right = options_.width - kMargin;
        if (peak_ > 0) {
            const double digits = std::max(text_width(fmt::format("{}", peak_), FontFace::Mono), text_width("live bytes"));
            live_number_ = right;
            right -= digits + 10 + kLiveBar;
            live_bar_ = right;
            right -= 18;
        }
        right = std::max(right, left + 40);
        const auto bytes = static_cast<double>(end - begin);
        if (map_.lens) {
            LensGroups groups = lens_groups(map_, (right - left) / bytes);
            if (!groups.ranges.empty()) {
                const double want = 34.0 * static_cast<double>(groups.blocks) + 8;
                const double width = std::clamp(want, 96.0, std::max(96.0, (right - left) * 0.24));
                groups = lens_groups(map_, (right - left - width - 24) / bytes);
                lens_ = lens_scale(groups, right - width, width);
                lens_left_out_ = groups.left_out;
                right -= width + 24;
            }
        }
        right = std::max(right, left + 40);
        plot_.segments = {{begin, end, std::round(left), std::round(right)}};

        top_ = kMargin + kAxis;
        for (const MemoryTrack& t : map_.tracks) top_ += track_height(t) + kTrackGap;
        top_ += map_.tracks.empty() ? 0 : kAboveRows - kTrackGap;
        place_line_labels();
        const double below = 10 + kLineLabel * static_cast<double>(line_levels_) + (map_.legend ? kLegend : 0) + kMargin;
        const double n = static_cast<double>(std::max<std::size_t>(1, map_.rows.size()));
        row_ = options_.height > 0 ? std::max(0.25, (options_.height - top_ - below) / n) : natural_row(map_.rows.size());
        bottom_ = top_ + row_ * n;
        label_every_ = static_cast<std::size_t>(std::max(1.0, std::ceil(kLabelRow / row_)));
        picture_.list.width = options_.width;
        picture_.list.height = options_.height > 0 ? std::max(options_.height, bottom_ + below) : bottom_ + below;
    }

    static double track_height(const MemoryTrack& t) {
        const bool notes = std::any_of(t.bars.begin(), t.bars.end(), [](const MemoryBlock& b) { return !b.note.empty(); });
        return notes ? kTallTrack : kTrack;
    }

    double y_of(std::size_t row) const { return top_ + row_ * static_cast<double>(row); }
    Rect rows_rect(double x0, double x1, MemoryRows rows) const {
        const std::size_t last = std::min(rows.last, map_.rows.empty() ? 0 : map_.rows.size() - 1);
        const double top = y_of(rows.first) + (rows.from_middle ? row_ / 2 : 0);
        const double bottom = y_of(last + 1) - (rows.to_middle ? row_ / 2 : 0);
        return {x0, top, x1 - x0, std::max(1.0, bottom - top)};
    }

    // --- marks

    void text(Point p, const std::string& s, FontFace face, HAlign h, Paint paint) {
        picture_.list.add(Text{p, s, face, m_.micro, h, VAlign::Middle, paint, ColorKey::role(Role::None)});
    }
    void vertical(double x, double y0, double y1, Paint paint, double width = 1) {
        picture_.list.add(FillRect{{std::round(x - width / 2), y0, width, y1 - y0}, paint});
    }

    void axis() {
        const ByteScale::Segment& s = plot_.segments.front();
        const auto first = static_cast<double>(s.begin_byte), last = static_cast<double>(s.end_byte);
        const double room = s.x1 - s.x0;
        const std::vector<double> ticks = round_ticks(first, last, std::clamp(static_cast<int>(room / 80), 2, 9), true);
        const bool kib = std::all_of(ticks.begin(), ticks.end(), [](double t) { return std::fmod(t, 1024) == 0; }) &&
                         last - first >= 4096;
        double free_from = -1e9;
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            const auto place = plot_.place(static_cast<std::int64_t>(ticks[i]), static_cast<std::int64_t>(ticks[i]));
            if (!place) continue;
            const double x = std::round(place->first);
            vertical(x, kMargin + kAxis - 6, bottom_, ink(Role::Grid));
            std::string label = fmt::format("{:.0f}", std::abs(kib ? ticks[i] / 1024 : ticks[i]));
            if (i == 0 || i + 1 == ticks.size()) label += kib ? " KiB" : " B";
            const double w = text_width(label, FontFace::Mono);
            if (x - w / 2 < free_from) continue;
            text({x, kMargin + 8}, label, FontFace::Mono, HAlign::Centre, ink(Role::Text3));
            free_from = x + w / 2 + 8;
        }
    }

    void rows_behind() {
        const double x0 = plot_.left(), x1 = lens_.segments.empty() ? plot_.right() : lens_.right();
        double y = kMargin + kAxis;
        for (const MemoryTrack& t : map_.tracks) {
            text({x0 - 12, y + track_height(t) / 2}, t.name, FontFace::Ui, HAlign::Right, ink(Role::Text3));
            y += track_height(t) + kTrackGap;
        }
        for (std::size_t i = 0; i < map_.rows.size(); ++i) {
            const MemoryRow& r = map_.rows[i];
            const Rect line{x0, y_of(i), x1 - x0, row_};
            picture_.hits.push_back({{0, line.y, picture_.list.width, row_},
                                     kMemoryRowHit - static_cast<std::int64_t>(i),
                                     r.describe.empty() ? r.name : r.describe});
            if (r.strong) picture_.list.add(FillRect{{0, line.y, picture_.list.width, row_}, ink(Role::Hover, 0.16)});
            if (row_ >= 8) picture_.list.add(FillRect{{x0, std::round(line.y), line.w, 1}, ink(Role::Grid, 0.7)});
            if (!labelled(i) || text_width(r.name, FontFace::UiBold) > x0 - 14) continue;
            text({x0 - 12, label_y(i)}, r.name, r.strong ? FontFace::UiBold : FontFace::Ui, HAlign::Right,
                 ink(r.strong ? Role::Text : Role::Text2));
        }
        picture_.list.add(FillRect{{x0, std::round(bottom_), x1 - x0, 1}, ink(Role::Line2)});
    }

    bool labelled(std::size_t row) const {
        if (map_.rows[row].strong) return true;
        if (row % label_every_ != 0) return false;
        for (std::size_t i = row > label_every_ ? row - label_every_ + 1 : 0; i < std::min(map_.rows.size(), row + label_every_); ++i) {
            if (map_.rows[i].strong) return false; // it has the place
        }
        return true;
    }
    double label_y(std::size_t row) const { return y_of(row) + std::max(row_, std::min(kLabelRow, row_ * 2)) / 2; }

    /// What is allocated stays pale where it is dead.
    void pale_columns() {
        if (map_.tracks.empty()) return;
        for (const MemoryBlock& b : map_.tracks.back().bars) pale(plot_, b);
    }
    void pale(const ByteScale& scale, const MemoryBlock& b) {
        if (const auto x = scale.place(b.begin_byte, b.end_byte)) {
            picture_.list.add(FillRect{{x->first, top_, std::max(1.0, x->second - x->first), bottom_ - top_},
                                       {ColorKey::category(b.category), 0.16F}});
        }
    }

    void bands() {
        const auto draw = [&](std::int64_t begin, std::int64_t end, Role tone, bool hatched, const std::string& what) {
            const auto x = plot_.place(begin, end);
            if (!x) return;
            const Rect r{x->first, kMargin + kAxis, x->second - x->first, bottom_ - kMargin - kAxis};
            if (hatched) {
                const Pattern p = tone == Role::Finding ? Pattern::Finding : Pattern::Unused;
                picture_.list.add(HatchRect{r, p, ink(tone, 0.6)});
            } else {
                picture_.list.add(FillRect{r, ink(tone)});
            }
            if (!what.empty()) picture_.hits.push_back({r, 0, what});
        };
        for (const MemoryBand& b : map_.bands) draw(b.begin_byte, b.end_byte, b.tone, b.hatched, b.describe);
        const std::int64_t end = plot_.segments.front().end_byte;
        if (map_.capacity_bytes > 0 && end > map_.capacity_bytes) {
            draw(map_.capacity_bytes, end, Role::FindingTint, false, {});
            draw(map_.capacity_bytes, end, Role::Finding, true,
                 fmt::format("{} B beyond the capacity of {} B", end - map_.capacity_bytes, map_.capacity_bytes));
        }
    }

    /// Everything that stands on a byte scale: tracks, live rectangles, conflicts. In the lens only what is enlarged.
    void on(const ByteScale& scale, bool lens) {
        double y = kMargin + kAxis;
        for (const MemoryTrack& t : map_.tracks) {
            const double h = track_height(t);
            for (const MemoryBlock& b : t.bars) {
                const auto x = scale.place(b.begin_byte, b.end_byte);
                if (!x || (lens && !in_lens(b))) continue;
                box({x->first, y, std::max(1.0, x->second - x->first), h}, b, true);
            }
            y += h + kTrackGap;
        }
        for (const MemoryBlock& b : map_.blocks) {
            const auto x = scale.place(b.begin_byte, b.end_byte);
            if (!x || (lens && !in_lens(b))) continue;
            for (const MemoryRows& rows : b.live) box(rows_rect(x->first, std::max(x->second, x->first + 1), rows), b, false);
        }
        for (const MemoryConflict& c : map_.conflicts) {
            if (const auto x = scale.place(c.begin_byte, c.end_byte)) conflict(c, *x, lens);
        }
    }
    bool in_lens(const MemoryBlock& b) const {
        const ByteScale::Segment& s = plot_.segments.front();
        const double points = static_cast<double>(b.end_byte - b.begin_byte) * (s.x1 - s.x0) /
                              static_cast<double>(s.end_byte - s.begin_byte);
        return points < kLensBelow;
    }

    void box(const Rect& r, const MemoryBlock& b, bool bar) {
        const ColorKey fill = ColorKey::category(b.category);
        const bool edge = r.w >= 3 && r.h >= 3;
        const bool partly = !bar && b.used_bytes > 0 && b.used_bytes < b.end_byte - b.begin_byte && edge;
        const double used = partly ? r.w * static_cast<double>(b.used_bytes) / static_cast<double>(b.end_byte - b.begin_byte) : r.w;
        picture_.list.add(FillRect{{r.x, r.y, used, r.h}, {fill}, edge ? 2.0 : 0.0});
        if (partly) {
            const Rect rest{r.x + used, r.y, r.w - used, r.h};
            picture_.list.add(FillRect{rest, {fill, 0.16F}});
            picture_.list.add(HatchRect{rest, Pattern::Unused, ink(Role::Unused)});
            picture_.list.add(StrokeRect{r, ink(Role::Ink, 0.7), 1, 2, m_.unvisited_dash[0], m_.unvisited_dash[1]});
        }
        const Rect solid{r.x, r.y, used, r.h};
        if (b.shared && edge) {
            picture_.list.add(HatchRect{solid, Pattern::Shared, ink(Role::Ink, pattern_look(Pattern::Shared).alpha)});
        }
        const bool selected = map_.selected && *map_.selected == b.id;
        if (edge) {
            picture_.list.add(StrokeRect{solid, ink(selected ? Role::Accent : Role::Ink, selected ? 1 : bar ? 0.55 : 0.85),
                                         selected ? m_.selected : 1, 2});
        }
        picture_.hits.push_back({r, b.id, b.describe.empty() ? b.name : b.describe});
        label(r, b, b.shared || partly);
    }

    void label(const Rect& r, const MemoryBlock& b, bool plate) {
        const double pad = m_.label_pad, line = m_.micro + 2;
        if (r.h < line + 2) return;
        const std::string* name = nullptr;
        for (const std::string* one : {&b.name, &b.short_name}) {
            if (!one->empty() && text_width(*one, FontFace::UiBold) + 2 * pad <= r.w) {
                name = one;
                break;
            }
        }
        if (name == nullptr) return;
        const double w = text_width(*name, FontFace::UiBold), note = text_width(b.note);
        const bool two = !b.note.empty() && r.h >= 2 * line + 2 && note + 2 * pad <= r.w && name == &b.name;
        const Point centre{r.x + r.w / 2, r.y + r.h / 2};
        const Paint dark{ColorKey::ink_on(ColorKey::category(b.category))};
        if (plate) {
            const double pw = std::max(w, two ? note : 0) + 2 * pad, ph = (two ? 2 : 1) * line + 2;
            picture_.list.add(FillRect{{centre.x - pw / 2, centre.y - ph / 2, pw, std::min(ph, r.h)}, ink(Role::Canvas, 0.92), 3});
        }
        const Paint paint = plate ? ink(Role::Text) : dark;
        text({centre.x, centre.y - (two ? line / 2 : 0)}, *name, FontFace::UiBold, HAlign::Centre, paint);
        if (two) text({centre.x, centre.y + line / 2}, b.note, FontFace::Ui, HAlign::Centre, plate ? ink(Role::Text2) : dark);
    }

    void conflict(const MemoryConflict& c, std::pair<double, double> x, bool lens) {
        Rect r = rows_rect(x.first, std::max(x.second, x.first + 3), c.rows);
        r.h = std::max(r.h, 3.0);
        picture_.list.add(FillRect{r, ink(Role::FindingTint, 0.85)});
        picture_.list.add(HatchRect{r, Pattern::Finding, ink(Role::Finding)});
        picture_.list.add(StrokeRect{r, ink(Role::Finding), m_.finding});
        const std::string names = fmt::format("✗ {} ∩ {}", c.first, c.second);
        const std::string bytes = fmt::format("bytes {}–{}, {} B", c.begin_byte, c.end_byte - 1, c.end_byte - c.begin_byte);
        picture_.hits.push_back({r, c.id, fmt::format("{} and {} are both live in {}", c.first, c.second, bytes)});
        if (!lens) plates_.push_back({r, names, bytes});
    }

    void draw_lens() {
        if (!map_.tracks.empty()) {
            for (const MemoryBlock& b : map_.tracks.back().bars) {
                if (in_lens(b)) pale(lens_, b);
            }
        }
        on(lens_, true);
        const double middle = (lens_.left() + lens_.right()) / 2, room = lens_.right() - lens_.left() + 20;
        const std::int64_t first = lens_.segments.front().begin_byte, last = lens_.segments.back().end_byte;
        std::int64_t bytes = 0;
        for (const ByteScale::Segment& s : lens_.segments) bytes += s.end_byte - s.begin_byte;
        const std::string range = lens_.segments.size() == 1 ? fmt::format("{}–{}", first, last - 1) : fmt::format("{} places", lens_.segments.size());
        std::string what = fmt::format("{} B enlarged", bytes);
        if (lens_left_out_ > 0) what += fmt::format(", {} more", lens_left_out_);
        if (text_width(range, FontFace::Mono) <= room) text({middle, kMargin + 2}, range, FontFace::Mono, HAlign::Centre, ink(Role::Text3));
        if (text_width(what) <= room) text({middle, kMargin + 15}, what, FontFace::Ui, HAlign::Centre, ink(Role::Text3));
        const auto from = plot_.place(first, last);
        if (from) {
            const double y = top_ - 3;
            picture_.list.add(Polyline{{{std::max(from->second, from->first + 1), y}, {lens_.left() - 3, y}}, ink(Role::Text3), 1, 2, 2});
        }
    }

    void live_column() {
        if (peak_ <= 0) return;
        text({live_number_, top_ - 10}, "live bytes", FontFace::Ui, HAlign::Right, ink(Role::Text3));
        for (std::size_t i = 0; i < map_.rows.size(); ++i) {
            const MemoryRow& r = map_.rows[i];
            const double w = std::round(kLiveBar * static_cast<double>(r.live_bytes) / static_cast<double>(peak_));
            const double pad = row_ >= 12 ? 5 : row_ >= 4 ? 1 : 0;
            const Rect bar{live_bar_, y_of(i) + pad, std::max(1.0, w), std::max(0.5, row_ - 2 * pad)};
            if (r.live_bytes > 0) {
                picture_.list.add(FillRect{bar, r.strong ? ink(Role::Hover) : Paint{ColorKey::category(kNeutral)}, 0});
                if (r.strong && row_ >= 8) picture_.list.add(StrokeRect{bar, ink(Role::HoverEdge), 1});
            }
            if (labelled(i)) {
                text({live_number_, label_y(i)}, fmt::format("{}", r.live_bytes), r.strong ? FontFace::MonoBold : FontFace::Mono,
                     HAlign::Right, ink(r.strong ? Role::Text : Role::Text2));
            }
        }
    }

    // --- lines and their labels

    struct LineLabel {
        const MemoryLine* line = nullptr;
        double x = 0, from = 0;
        std::size_t level = 0;
    };

    /// Labels stand under the rows, one below the other where they would meet.
    void place_line_labels() {
        all_lines_ = map_.lines;
        if (map_.capacity_bytes > 0) {
            all_lines_.push_back({map_.capacity_bytes, fmt::format("capacity {}", map_.capacity_bytes), Role::Ink, 2, false, true});
        }
        std::stable_sort(all_lines_.begin(), all_lines_.end(),
                         [](const MemoryLine& a, const MemoryLine& b) { return a.at_byte < b.at_byte; });
        std::vector<std::vector<std::pair<double, double>>> levels;
        for (const MemoryLine& line : all_lines_) {
            const auto place = plot_.place(line.at_byte, line.at_byte);
            if (!place) continue;
            const double w = text_width(line.label, FontFace::Mono), x = std::round(place->first);
            const bool left = line.label_left || x + 5 + w > options_.width - 4;
            const double from = left && x - 5 - w > 2 ? x - 5 - w : x + 5;
            std::size_t level = 0;
            for (;; ++level) {
                if (level == levels.size()) levels.emplace_back();
                const auto& taken = levels[level];
                if (std::none_of(taken.begin(), taken.end(),
                                 [&](const auto& t) { return from < t.second + 8 && t.first < from + w + 8; }))
                    break;
            }
            levels[level].emplace_back(from, from + w);
            if (!line.label.empty()) line_labels_.push_back({&line, x, from, level});
        }
        line_levels_ = levels.size();
    }

    void lines() {
        for (const LineLabel& l : line_labels_) {
            const double y = bottom_ + 10 + kLineLabel * static_cast<double>(l.level);
            const double y0 = kMargin + kAxis - 6;
            if (l.line->dashed) {
                picture_.list.add(Polyline{{{l.x, y0}, {l.x, y + 6}}, ink(l.line->tone), l.line->width, 4, 3});
            } else {
                vertical(l.x, y0, y + 6, ink(l.line->tone), l.line->width);
            }
            text({l.from, y}, l.line->label, FontFace::Mono, HAlign::Left, ink(l.line->tone == Role::Ink ? Role::Text : l.line->tone));
        }
    }

    void legend() {
        if (!map_.legend) return;
        const double y = picture_.list.height - kMargin - 8;
        double x = plot_.left();
        const auto entry = [&](const std::string& what, auto&& swatch) {
            const double w = text_width(what);
            if (x + 18 + w > picture_.list.width - kMargin) return;
            swatch(Rect{x, y - 6, 12, 12});
            text({x + 18, y}, what, FontFace::Ui, HAlign::Left, ink(Role::Text2));
            x += 18 + w + 20;
        };
        entry("live", [&](const Rect& r) {
            picture_.list.add(FillRect{r, {ColorKey::category(0)}, 2});
            picture_.list.add(StrokeRect{r, ink(Role::Ink, 0.85), 1, 2});
        });
        if (!map_.tracks.empty()) {
            entry("allocated, dead", [&](const Rect& r) {
                picture_.list.add(FillRect{r, {ColorKey::category(0), 0.16F}, 2});
                picture_.list.add(StrokeRect{r, ink(Role::Line2), 1, 2});
            });
        }
        if (std::any_of(map_.blocks.begin(), map_.blocks.end(), [](const MemoryBlock& b) { return b.shared; })) {
            entry(map_.shared_means, [&](const Rect& r) {
                picture_.list.add(HatchRect{r, Pattern::Shared, ink(Role::Ink, 0.5)});
                picture_.list.add(StrokeRect{r, ink(Role::Ink, 0.85), 1, 2});
            });
        }
        if (!map_.conflicts.empty()) {
            entry(map_.conflicts.size() == 1 ? "1 conflict" : fmt::format("{} conflicts", map_.conflicts.size()), [&](const Rect& r) {
                picture_.list.add(FillRect{r, ink(Role::FindingTint), 2});
                picture_.list.add(HatchRect{r, Pattern::Finding, ink(Role::Finding)});
                picture_.list.add(StrokeRect{r, ink(Role::Finding), 1, 2});
            });
        }
    }

    const MemoryMap& map_;
    const MemoryMapOptions& options_;
    const TextMeasure& measure_;
    const Metrics& m_;
    Picture picture_;
    ByteScale plot_, lens_;
    std::size_t lens_left_out_ = 0;
    std::vector<MemoryLine> all_lines_;
    std::vector<LineLabel> line_labels_;
    std::size_t line_levels_ = 0;
    std::vector<ConflictPlate> plates_; ///< drawn last, over lines
    std::int64_t peak_ = 0;
    double top_ = 0, bottom_ = 0, row_ = kRow, live_bar_ = 0, live_number_ = 0;
    std::size_t label_every_ = 1;
};

} // namespace

MemoryMapPicture draw_memory_map(const MemoryMap& map, const MemoryMapOptions& options, const TextMeasure& measure) {
    return Painter(map, options, measure).draw();
}

} // namespace ls::figure
