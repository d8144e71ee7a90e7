#include "core/scene/strip.h"

#include <algorithm>
#include <cmath>

#include "core/scene/metrics.h"

namespace ls::scene {

namespace {

constexpr double kMargin = 12, kCard = 30, kCaption = 16, kGap = 10, kDot = 12, kPad = 10;
constexpr std::size_t kMostDots = 6; // of one row; a longer run says its range and shows so many

Paint ink(Role role) { return {ColorKey::role(role)}; }

bool is_card(const StripStep& step) {
    return step.card || step.state == StripStep::State::Changed || step.state == StripStep::State::Refused;
}

class Strip {
public:
    Strip(const std::vector<StripStep>& steps, std::optional<std::size_t> selected, const TextMeasure& measure)
        : steps_(steps), selected_(selected), measure_(measure), m_(Metrics::builtin()) {}

    Picture draw() {
        for (std::size_t i = 0; i < steps_.size();) {
            const bool card = is_card(steps_[i]);
            std::size_t end = i + 1;
            while (!card && end < steps_.size() && !is_card(steps_[end]) && steps_[end].state == steps_[i].state) ++end;
            if (i > 0) connect(steps_[i].state == StripStep::State::NotRun);
            if (card) {
                add_card(i);
            } else {
                add_dots(i, end);
            }
            i = end;
        }
        picture_.list.width = x_ + kMargin;
        picture_.list.height = 2 * kMargin + kCard + kCaption;
        return std::move(picture_);
    }

private:
    double middle() const { return kMargin + kCard / 2; }

    void line(double x0, double x1, bool dashed) {
        Polyline l{{{x0, middle()}, {x1, middle()}}, ink(Role::Line2), 1};
        if (dashed) {
            l.dash_on = m_.unvisited_dash[0];
            l.dash_off = m_.unvisited_dash[1];
        }
        picture_.list.add(std::move(l));
    }

    void connect(bool dashed) {
        line(x_, x_ + kGap, dashed);
        x_ += kGap;
    }

    void caption(double centre, const std::string& text, FontFace face, Role role) {
        picture_.list.add(Text{{centre, kMargin + kCard + kCaption / 2 + 2},
                               text,
                               face,
                               m_.micro,
                               HAlign::Centre,
                               VAlign::Middle,
                               ink(role)});
    }

    void add_card(std::size_t index) {
        const StripStep& step = steps_[index];
        const bool refused = step.state == StripStep::State::Refused, not_run = step.state == StripStep::State::NotRun;
        const double number = step.number.empty() ? 0 : measure_.width(step.number, FontFace::Mono, m_.micro) + 8;
        const double name = measure_.width(step.name, FontFace::UiBold, m_.small);
        const FontFace note_face = refused ? FontFace::UiBold : FontFace::Ui;
        // A card makes room for its note too, so that notes of neighbours do not meet.
        const double w = std::ceil(std::max(
            2 * kPad + number + name, step.note.empty() ? 0 : measure_.width(step.note, note_face, m_.micro) + 4));
        const Rect box{x_, kMargin, w, kCard};
        if (!not_run) picture_.list.add(FillRect{box, ink(refused ? Role::FindingTint : Role::Panel), 6});
        const bool chosen = selected_ == index;
        StrokeRect edge{box,
                        ink(refused                                   ? Role::Finding
                            : step.state == StripStep::State::Changed ? Role::Accent
                                                                      : Role::Line2),
                        chosen ? 2.0 : 1.0, 6};
        if (not_run) {
            edge.dash_on = m_.unvisited_dash[0];
            edge.dash_off = m_.unvisited_dash[1];
        }
        picture_.list.add(edge);
        const double text_x = x_ + (w - number - name) / 2;
        const Role number_ink = refused ? Role::Finding : Role::Text3, name_ink = refused   ? Role::Finding
                                                                                  : not_run ? Role::Text3
                                                                                            : Role::Text;
        picture_.list.add(Text{
            {text_x, middle()}, step.number, FontFace::Mono, m_.micro, HAlign::Left, VAlign::Middle, ink(number_ink)});
        picture_.list.add(Text{{text_x + number, middle()},
                               step.name,
                               refused || chosen ? FontFace::UiBold : FontFace::Ui,
                               m_.small,
                               HAlign::Left,
                               VAlign::Middle,
                               ink(name_ink)});
        if (!step.note.empty()) caption(x_ + w / 2, step.note, note_face, refused ? Role::Finding : Role::Text2);
        hit(box, index);
        x_ += w;
    }

    void add_dots(std::size_t first, std::size_t end) {
        const bool not_run = steps_[first].state == StripStep::State::NotRun;
        const std::size_t dots = std::min(end - first, kMostDots);
        std::string range = steps_[first].number;
        if (end - first > 1 && !range.empty()) range += "–" + steps_[end - 1].number;
        const double label = measure_.width(range, FontFace::Mono, m_.micro);
        const double w = std::ceil(std::max(kDot * static_cast<double>(dots), label + 4));
        line(x_, x_ + w, not_run);
        for (std::size_t d = 0; d < dots; ++d) {
            const Point c{x_ + w / 2 + kDot * (static_cast<double>(d) - static_cast<double>(dots - 1) / 2), middle()};
            if (not_run) {
                picture_.list.add(Ellipse{c, 3, 3, ink(Role::Canvas), ink(Role::Line2), 1});
            } else {
                picture_.list.add(Ellipse{c, 3, 3, ink(Role::Text3)});
            }
            // Dots stand for equal shares of the run.
            hit({c.x - kDot / 2, kMargin, kDot, kCard}, first + d * (end - first) / dots);
        }
        caption(x_ + w / 2, range, FontFace::Mono, Role::Text3);
        x_ += w;
    }

    void hit(const Rect& box, std::size_t index) {
        const StripStep& step = steps_[index];
        picture_.hits.push_back({box, static_cast<std::int64_t>(index),
                                 step.describe.empty() ? step.number + " " + step.name : step.describe});
    }

    const std::vector<StripStep>& steps_;
    std::optional<std::size_t> selected_;
    const TextMeasure& measure_;
    const Metrics& m_;
    Picture picture_;
    double x_ = kMargin;
};

} // namespace

Picture draw_strip(const std::vector<StripStep>& steps, std::optional<std::size_t> selected,
                   const TextMeasure& measure) {
    return Strip(steps, selected, measure).draw();
}

} // namespace ls::scene
