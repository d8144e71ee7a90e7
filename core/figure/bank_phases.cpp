#include "core/figure/bank_phases.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/scene/metrics.h"

namespace ls::figure {

namespace {

using namespace scene;
using tirx::BankAccess;

constexpr double kRow = 22, kAxis = 17, kPad = 14;
constexpr std::int64_t kSecond = 4096;
constexpr std::size_t kMostPhases = 4;
constexpr std::uint32_t kLime = 1;

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

std::string wavefronts(int count) { return count == 1 ? std::string("1 wavefront") : fmt::format("{} wavefronts", count); }

class Painter {
public:
    Painter(const BankPhasesOptions& o, const TextMeasure& measure) : o_(o), measure_(measure), m_(Metrics::builtin()) {
        const double names = std::max(width_of(o.plain_name), width_of(o.swizzled_name));
        left_ = kPad + std::max(names, width_of("phase 0")) + 12;
        right_ = o.width - kPad - width_of("88 wavefronts", FontFace::UiBold) - 10;
    }

    void access(const BankAccess& a, const std::string& name, std::int64_t first_id) {
        const bool grouped = a.access_bytes >= 16; // four banks answer together
        const int boxes = grouped ? 8 : kBanks;
        const double w = (right_ - left_) / boxes;
        const std::size_t phases = std::min(a.report.phases.size(), kMostPhases);
        text({kPad, y_ + kRow / 2}, name, FontFace::Ui, HAlign::Left, ink(Role::Text2));
        const bool slow = a.report.excess() > 0;
        text({o_.width - kPad, y_ + kRow / 2}, wavefronts(a.report.wavefronts), FontFace::UiBold, HAlign::Right, ink(slow ? Role::Finding : Role::Fine));
        if (phases > 1 && slow) text({o_.width - kPad, y_ + kRow + 9}, fmt::format("{} without conflicts", a.report.ideal), FontFace::Ui, HAlign::Right, ink(Role::Text3));
        for (std::size_t p = 0; p < phases; ++p) {
            const BankPhase& phase = a.report.phases[p];
            if (p > 0) text({left_ - 8, y_ + kRow / 2}, fmt::format("phase {}", p), FontFace::Ui, HAlign::Right, ink(Role::Text3));
            for (int b = 0; b < boxes; ++b) {
                const int bank = grouped ? b * 4 : b, words = phase.words_of_bank[static_cast<std::size_t>(bank)];
                const Rect r{left_ + w * b, y_, w, kRow - 4};
                const bool clash = words > 1;
                if (words == 0) picture_.list.add(FillRect{r, ink(Role::Canvas)});
                else if (clash) picture_.list.add(FillRect{r, ink(Role::FindingTint)});
                else picture_.list.add(FillRect{r, {ColorKey::category(kLime)}});
                if (clash) picture_.list.add(HatchRect{r, Pattern::Finding, ink(Role::Finding, 0.35)});
                picture_.list.add(StrokeRect{r, clash ? ink(Role::Finding) : words > 0 ? ink(Role::Ink, 0.8) : ink(Role::Line2), clash ? 1.75 : 1});
                const std::string who = answered(a, phase, bank, grouped);
                const std::string label = clash ? fmt::format("×{}", words) : words == 1 ? who : std::string();
                const FontFace face = clash ? FontFace::MonoBold : FontFace::Mono;
                if (!label.empty() && width_of(label, face) + 3 <= r.w)
                    text({r.x + r.w / 2, r.y + r.h / 2}, label, face, HAlign::Centre, clash ? ink(Role::Finding) : Paint{ColorKey::ink_on(ColorKey::category(kLime))});
                picture_.hits.push_back({r, first_id + static_cast<std::int64_t>(p) * kBanks + bank,
                                         fmt::format("phase {} · {} · {}", p, grouped ? fmt::format("banks {}–{}", bank, bank + 3) : fmt::format("bank {}", bank),
                                                     words == 0 ? "not asked" : words == 1 ? fmt::format("answers {}", who.empty() ? "one word" : who) : fmt::format("must answer {} words one after the other", words))});
            }
            y_ += kRow;
        }
        if (a.report.phases.size() > kMostPhases) {
            text({left_, y_ + 7}, fmt::format("and {} phases more like these", a.report.phases.size() - kMostPhases), FontFace::Ui, HAlign::Left, ink(Role::Text3));
            y_ += 16;
        }
        const int step = grouped ? 1 : w * 4 >= width_of("b00", FontFace::Mono) + 4 ? 4 : 8;
        for (int b = 0; b < boxes; b += step) {
            const std::string s = fmt::format("b{}", grouped ? b * 4 : b);
            if (width_of(s, FontFace::Mono) + 2 <= w * step) text({left_ + w * (grouped ? b + 0.5 : b) + (grouped ? 0 : 1), y_ + 5}, s, FontFace::Mono, grouped ? HAlign::Centre : HAlign::Left, ink(Role::Text3));
        }
        y_ += kAxis + 6;
    }

    Picture done() {
        picture_.list.width = o_.width;
        picture_.list.height = y_;
        picture_.title = "Banks";
        return std::move(picture_);
    }

private:
    double width_of(const std::string& s, FontFace face = FontFace::Ui) const { return measure_.width(s, face, m_.micro); }
    void text(Point at, const std::string& s, FontFace face, HAlign h, Paint paint) {
        picture_.list.add(Text{at, s, face, m_.micro, h, VAlign::Middle, paint, ColorKey::role(Role::None)});
    }
    /// Whose word the bank answers: the row for chunks, the lane for single elements.
    std::string answered(const BankAccess& a, const BankPhase& phase, int bank, bool grouped) const {
        for (int lane = phase.first_lane; lane <= phase.last_lane && lane < static_cast<int>(a.addresses.size()); ++lane) {
            const auto& address = a.addresses[static_cast<std::size_t>(lane)];
            if (!address || *address / kBankBytes % kBanks / (grouped ? 4 : 1) != bank / (grouped ? 4 : 1)) continue;
            const bool rows = a.kind == tirx::AccessKind::LdmatrixPhase || a.kind == tirx::AccessKind::Ldmatrix4;
            return rows ? fmt::format("{}{}", o_.row_letter, a.elements[static_cast<std::size_t>(lane)][0]) : fmt::format("l{}", lane);
        }
        return {};
    }

    const BankPhasesOptions& o_;
    const TextMeasure& measure_;
    const Metrics& m_;
    Picture picture_;
    double y_ = 4, left_ = 0, right_ = 0;
};

} // namespace

Picture draw_bank_phases(const BankAccess* plain, const BankAccess* swizzled, const BankPhasesOptions& options, const TextMeasure& measure) {
    Painter painter(options, measure);
    if (plain) painter.access(*plain, options.plain_name, 0);
    if (swizzled) painter.access(*swizzled, options.swizzled_name, kSecond);
    return painter.done();
}

} // namespace ls::figure
