// Names of blocks and labels of elements. A label is drawn only where it fits with room round it; it is never cut.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/scene/grid_pen.h"

namespace ls::scene {

namespace {

/// Level whose blocks are named at this zoom: the finest above the run whose blocks have a name and could hold one.
std::optional<std::size_t> labelled_level(const GridPen& pen) {
    const CellRect seen = pen.view.visible();
    for (std::size_t level = pen.scene.levels.size() > 1 ? 1 : 0; level < pen.scene.levels.size(); ++level) {
        const GridLevel& l = pen.scene.levels[level];
        const bool roomy = static_cast<double>(l.rows) * pen.view.points_per_row() >= kTextRow + 4 &&
                           static_cast<double>(l.cols) * pen.view.points_per_col() >= 24;
        if (roomy && !pen.scene.cells->block_label(level, {seen.row, seen.col}).name.empty()) return level;
    }
    return {};
}

struct Line {
    std::string text;
    FontFace face;
};

/// Names of one block, in the largest form that fits.
class BlockLabeller {
public:
    BlockLabeller(const GridPen& pen, std::size_t level) : pen_(pen), level_(level), pad_(pen.metrics.label_pad) {
        // What labels must not hide: the hovered run, and pins with their badges.
        if (pen.hovering()) obstacles_.push_back(inflate(pen.rect(pen.hovered_run()), 2));
        for (const auto& [cell, number] : pen.focus.pins) {
            if (pen.in_grid(cell)) obstacles_.push_back(pin_extent(pen, cell));
        }
    }

    /// `room`: the part of the block that is in sight.
    void in_block(const Rect& room, Cell cell, double alpha) const {
        const BlockLabel label = pen_.scene.cells->block_label(level_, cell);
        if (label.name.empty()) return;
        // Tall enough: name over first address, top centre. Wide instead: name at the left, address at the right.
        const bool tall = room.h >= 2 * kTextRow + 2 * pad_ + 4;
        for (const std::string* name : {&label.name, &label.short_name}) {
            if (name->empty()) continue;
            if (tall && !label.detail.empty() && stacked(room, *name, label.detail, alpha)) return;
            if (!tall && !label.detail.empty() && side_by_side(room, *name, label.detail, alpha)) return;
            if (single(room, *name, alpha)) return;
        }
    }

    /// A plate in the corner, 12 to 24 px.
    void on_plate(const Rect& room, Cell cell, double alpha) const {
        const BlockLabel label = pen_.scene.cells->block_label(level_, cell);
        for (const std::string* name : {&label.name, &label.short_name}) {
            if (name->empty()) continue;
            const double w = pen_.text_width(*name, FontFace::UiBold) + 2 * pad_;
            std::vector<double> starts{room.x + pad_};
            for (const Rect& o : obstacles_) starts.push_back(o.right() + 2);
            std::sort(starts.begin(), starts.end());
            const auto place = std::find_if(starts.begin(), starts.end(), [&](double x) {
                return x >= room.x + pad_ && x + w + pad_ <= room.right() &&
                       !hides({x, room.y + pad_, w, kTextRow + 4});
            });
            const Rect plate{place == starts.end() ? 0 : *place, room.y + pad_, w, kTextRow + 4};
            if (place == starts.end() || plate.bottom() + pad_ > room.bottom()) continue;
            pen_.out.add(FillRect{plate, {ColorKey::role(Role::Panel), static_cast<float>(0.94 * alpha)}, 2});
            pen_.text({plate.x + pad_, plate.y + plate.h / 2}, *name, FontFace::UiBold, HAlign::Left,
                      {ColorKey::role(Role::Text), static_cast<float>(alpha)});
            return;
        }
    }

private:
    bool hides(const Rect& r) const {
        const Rect letters{r.x, r.y + 2, r.w, r.h - 4}; // a line of text is taller than its letters
        return std::any_of(obstacles_.begin(), obstacles_.end(), [&letters](const Rect& o) {
            const Rect common = intersect(letters, o);
            return common.w > 0 && common.h > 0;
        });
    }

    void put(const Rect& box, const Line& line, HAlign h, double alpha) const {
        const double x = h == HAlign::Left ? box.x : h == HAlign::Right ? box.right() : box.x + box.w / 2;
        const Point centre{box.x + box.w / 2, box.y + box.h / 2};
        const auto cell = pen_.view.cell_at({centre.x - pen_.area().x, centre.y - pen_.area().y});
        const ColorKey fill = cell ? pen_.color_at(*cell) : ColorKey::role(Role::Canvas);
        pen_.text({x, centre.y}, line.text, line.face, h, {ColorKey::ink_on(fill), static_cast<float>(alpha)}, fill);
    }

    bool stacked(const Rect& room, const std::string& name, const std::string& detail, double alpha) const {
        const double w = std::max(pen_.text_width(name, FontFace::UiBold), pen_.text_width(detail, FontFace::Mono));
        if (w + 2 * pad_ > room.w) return false;
        const double h = 2 * kTextRow, low = room.y + pad_ + 4, high = room.bottom() - pad_ - h;
        const double x = room.x + (room.w - w) / 2;
        // Top centre, or just below or above what is in the way; else left out.
        std::vector<double> places{low};
        for (const Rect& o : obstacles_) {
            places.push_back(o.bottom() + 1);
            places.push_back(o.y - h - 1);
        }
        std::sort(places.begin(), places.end());
        for (const double y : places) {
            if (y < low || y > high || hides({x, y, w, h})) continue;
            put({x, y, w, kTextRow}, {name, FontFace::UiBold}, HAlign::Centre, alpha);
            put({x, y + kTextRow, w, kTextRow}, {detail, FontFace::Mono}, HAlign::Centre, alpha);
            return true;
        }
        return false;
    }

    bool side_by_side(const Rect& room, const std::string& name, const std::string& detail, double alpha) const {
        constexpr double kIndent = 28; // clear of a pin in the corner
        const double w = pen_.text_width(name, FontFace::UiBold), dw = pen_.text_width(detail, FontFace::Mono);
        if (room.h < kTextRow + 4 || kIndent + w + 16 + dw + 2 * pad_ > room.w) return false;
        const double y = room.y + (room.h - kTextRow) / 2;
        const Rect right{room.right() - 2 * pad_ - dw, y, dw, kTextRow};
        bool named = false;
        std::vector<double> places{room.x + kIndent};
        for (const Rect& o : obstacles_) places.push_back(o.right() + 8);
        std::sort(places.begin(), places.end());
        for (const double x : places) {
            const Rect left{x, y, w, kTextRow};
            if (x < room.x + pad_ || left.right() + 16 > right.x || hides(left)) continue;
            put(left, {name, FontFace::UiBold}, HAlign::Left, alpha);
            named = true;
            break;
        }
        if (!hides(right)) put(right, {detail, FontFace::Mono}, HAlign::Right, alpha);
        return named;
    }

    bool single(const Rect& room, const std::string& name, double alpha) const {
        const double w = pen_.text_width(name, FontFace::UiBold);
        if (w + 2 * pad_ > room.w || room.h < kTextRow + 4) return false;
        const Rect box{room.x + (room.w - w) / 2, room.y + std::min(pad_, (room.h - kTextRow) / 2), w, kTextRow};
        if (hides(box)) return false;
        put(box, {name, FontFace::UiBold}, HAlign::Centre, alpha);
        return true;
    }

    const GridPen& pen_;
    std::size_t level_;
    double pad_;
    std::vector<Rect> obstacles_;
};

/// Labels stacked in one cell.
struct Stack {
    std::array<CellLabel, 3> which{CellLabel::None, CellLabel::None, CellLabel::None};
    double alpha = 0;
};

} // namespace

void draw_block_labels(const GridPen& pen) {
    const double px = pen.px();
    const Metrics& m = pen.metrics;
    const double plates = fade_in(px, m.corner_labels) * (1 - fade_in(px, m.one_label));
    const double inside = fade_in(px, m.block_labels) * (1 - fade_in(px, m.corner_labels));
    if (plates <= 0 && inside <= 0) return;
    const auto level = labelled_level(pen);
    if (!level) return;
    const BlockLabeller labeller(pen, *level);
    const GridLevel& l = pen.scene.levels[*level];
    const CellRect seen = pen.view.visible();
    const CellRect first = pen.block_of(*level, {seen.row, seen.col});
    for (std::int64_t row = first.row; row < seen.row + seen.rows; row += std::max<std::int64_t>(1, l.rows)) {
        for (std::int64_t col = first.col; col < seen.col + seen.cols; col += std::max<std::int64_t>(1, l.cols)) {
            const Rect room = intersect(pen.rect(pen.block_of(*level, {row, col})), pen.area());
            if (inside > 0) labeller.in_block(room, {row, col}, inside);
            if (plates > 0) labeller.on_plate(room, {row, col}, plates);
        }
    }
}

void draw_element_labels(const GridPen& pen) {
    const double px = pen.px();
    const Metrics& m = pen.metrics;
    const double any = fade_in(px, m.one_label), three = fade_in(px, m.three_labels);
    if (any <= 0 || pen.scene.label_choices.empty()) return;
    const auto& choices = pen.scene.label_choices;
    const auto offered = [&](CellLabel l) { return std::find(choices.begin(), choices.end(), l) != choices.end(); };
    const CellLabel chosen = pen.focus.label == CellLabel::None ? choices.front() : pen.focus.label;
    const auto if_offered = [&](CellLabel l) { return offered(l) ? l : CellLabel::None; };
    const bool chosen_has_a_place = chosen == CellLabel::Coordinate || chosen == CellLabel::Address;
    const std::array<Stack, 2> stacks{
        Stack{{CellLabel::None, chosen, CellLabel::None}, any * (1 - three)},
        Stack{{if_offered(CellLabel::Coordinate), chosen_has_a_place ? if_offered(CellLabel::Offset) : chosen,
               if_offered(CellLabel::Address)},
              three}};

    const CellRect seen = pen.view.visible();
    std::vector<std::int64_t> rows(static_cast<std::size_t>(seen.rows)), cols(static_cast<std::size_t>(seen.cols));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = seen.row + static_cast<std::int64_t>(i);
    for (std::size_t i = 0; i < cols.size(); ++i) cols[i] = seen.col + static_cast<std::int64_t>(i);
    std::vector<ColorKey> keys(rows.size() * cols.size());
    pen.scene.cells->colors(rows, cols, keys.data());

    const bool hovering = pen.hovering();
    const CellRect run = hovering ? pen.hovered_run() : CellRect{};
    const double digit = pen.measure.width("0", FontFace::Mono, m.micro); // Mono: every glyph is as wide
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < cols.size(); ++c) {
            const Cell cell{rows[r], cols[c]};
            const Rect box = pen.rect(cell);
            // Half a cell at the rim would show half a label.
            if (box.x < pen.area().x - 1 || box.right() > pen.area().right() + 1 || box.y < pen.area().y - 1 ||
                box.bottom() > pen.area().bottom() + 1) {
                continue;
            }
            const bool lit = hovering && run.contains(cell);
            const ColorKey fill = lit ? ColorKey::role(Role::Hover) : keys[r * cols.size() + c];
            const bool guided = hovering && cell != pen.focus.hover &&
                                (cell.row == pen.focus.hover.row || cell.col == pen.focus.hover.col);
            for (std::size_t s = 0; s < stacks.size(); ++s) {
                if (stacks[s].alpha <= 0) continue;
                const double lines = static_cast<double>(std::count_if(
                    stacks[s].which.begin(), stacks[s].which.end(), [](CellLabel l) { return l != CellLabel::None; }));
                if (lines * kTextRow + (lines > 1 ? 2 * m.label_pad : m.label_pad) > box.h + 0.5) continue;
                double y = box.y + (box.h - lines * kTextRow) / 2;
                for (std::size_t i = 0; i < 3; ++i) {
                    const CellLabel which = stacks[s].which[i];
                    if (which == CellLabel::None) continue;
                    const double middle = y + kTextRow / 2;
                    y += kTextRow;
                    const std::string text = pen.scene.cells->label(cell, which);
                    const bool plain = which == CellLabel::Coordinate;
                    const double width =
                        plain ? pen.text_width(text, FontFace::Ui) : digit * static_cast<double>(text.size());
                    if (text.empty() || width + 2 * m.label_pad > box.w + 0.5) continue;
                    const FontFace face = plain ? FontFace::Ui : i == 1 && s == 1 ? FontFace::MonoBold : FontFace::Mono;
                    const double strength = s == 1 && i != 1 ? 0.78 : 1;
                    pen.text({box.x + box.w / 2, middle}, text, face, HAlign::Centre,
                             {ColorKey::ink_on(fill), static_cast<float>(strength * stacks[s].alpha)},
                             guided ? fill : ColorKey::role(Role::None));
                }
            }
        }
    }
}

} // namespace ls::scene
