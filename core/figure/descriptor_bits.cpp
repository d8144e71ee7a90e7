#include "core/figure/descriptor_bits.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/scene/metrics.h"

namespace ls::figure {

namespace {

using namespace scene;
using tensor_core::DescriptorField;

constexpr double kNumbers = 16, kCell = 24, kLine = 15, kGap = 10;
constexpr int kMostRows = 3;

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

bool is_reserved(const DescriptorField& field) { return field.name == "reserved"; }
bool counts_16b(const DescriptorField& field) { return field.unit == "16 bytes"; }

/// The names that the instruction's own texts use.
std::string short_name(const DescriptorField& field) {
    if (field.name == "leading offset") return "ldo";
    if (field.name == "stride offset") return "sdo";
    if (field.name == "start address") return "address";
    if (field.name == "leading mode") return "lbo mode";
    return field.name;
}

struct Label {
    std::size_t field;
    std::string title, detail;
    double middle = 0, width = 0, x = 0;
    int row = 0;
};

} // namespace

std::string field_label(const DescriptorField& field, const DescriptorBitsOptions& options) {
    const std::string name = short_name(field);
    if (!counts_16b(field)) {
        if (field.name == "M" || field.name == "N") return fmt::format("{} {}", name, field.shown);
        return fmt::format("{} {}", name, field.bits <= 3 && field.shown.size() > 12 ? fmt::format("{}", field.value) : field.shown);
    }
    const auto bytes = field.value * 16;
    if (options.unit == DescriptorUnit::Bytes) return name == "address" ? fmt::format("{} {:#06x} B", name, bytes) : fmt::format("{} {} B", name, bytes);
    if (options.unit == DescriptorUnit::Elements)
        return fmt::format("{} {} elements", name, bytes * 8 / static_cast<std::uint64_t>(std::max(1, options.element_bits)));
    return name == "address" ? fmt::format("{} {:#06x}", name, field.value) : fmt::format("{} {}", name, field.value);
}

namespace {

std::string field_detail(const DescriptorField& field, const DescriptorBitsOptions& options) {
    if (!field.read) return "not read: " + field.why;
    if (!field.why.empty()) return field.why;
    if (!counts_16b(field)) {
        if (!field.unit.empty()) return fmt::format("{} × {}", field.value, field.unit);
        return field.bits <= 3 && field.shown.size() > 12 ? field.shown : fmt::format("= {}", field.value);
    }
    const auto bytes = field.value * 16;
    if (field.name == "start address") return options.unit == DescriptorUnit::Units16 ? fmt::format("{:#06x} ÷ 16", bytes) : fmt::format("{:#06x} × 16 B", field.value);
    if (options.unit == DescriptorUnit::Units16) return fmt::format("= {} B · {}", bytes, field.meaning);
    return fmt::format("= {} × 16 B · {}", field.value, field.meaning);
}

class Strip {
public:
    Strip(std::span<const DescriptorField> fields, std::uint64_t word, const DescriptorBitsOptions& options, const TextMeasure& measure)
        : fields_(fields), word_(word), options_(options), measure_(measure), m_(Metrics::builtin()) {
        cell_ = std::max(4.0, std::floor((options.width - 2) / options.bits));
        left_ = 1;
        right_ = left_ + cell_ * options.bits;
    }

    Picture draw() {
        numbers();
        cells();
        names();
        picture_.list.width = options_.width;
        picture_.list.height = top_ + kCell + 8 + rows_ * (2 * kLine + 4) + 2;
        return std::move(picture_);
    }

private:
    double x_of(int bit) const { return right_ - cell_ * (bit + 1); } ///< left edge of the bit

    void text(Point at, const std::string& s, FontFace face, double size, HAlign h, Paint paint) {
        picture_.list.add(Text{at, s, face, size, h, VAlign::Middle, paint, ColorKey::role(Role::None)});
    }

    /// The bits where fields begin and end; neighbours that would touch are left out.
    void numbers() {
        double free_from = -1e9;
        std::vector<int> edges;
        for (const DescriptorField& f : fields_) {
            edges.push_back(f.low_bit);
            edges.push_back(f.low_bit + f.bits - 1);
        }
        std::sort(edges.begin(), edges.end(), std::greater<>());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        for (const int bit : edges) {
            const std::string s = fmt::format("{}", bit);
            const double w = measure_.width(s, FontFace::Mono, m_.micro), x = x_of(bit) + cell_ / 2;
            if (x - w / 2 < free_from) continue;
            text({x, kNumbers / 2}, s, FontFace::Mono, m_.micro, HAlign::Centre, ink(Role::Text3));
            free_from = x + w / 2 + 3;
        }
    }

    void cells() {
        std::uint32_t colour = 0;
        for (std::size_t i = fields_.size(); i-- > 0;) {
            const DescriptorField& f = fields_[i];
            const Rect r{x_of(f.low_bit + f.bits - 1), top_, cell_ * f.bits, kCell};
            const bool wrong = !f.why.empty() && is_reserved(f) && f.value != 0;
            if (is_reserved(f)) {
                picture_.list.add(FillRect{r, ink(wrong ? Role::FindingTint : Role::Sunken)});
                if (wrong) picture_.list.add(HatchRect{r, Pattern::Finding, ink(Role::Finding)});
            } else if (!f.read) {
                picture_.list.add(FillRect{r, ink(Role::Sunken)});
                picture_.list.add(HatchRect{r, Pattern::Unused, ink(Role::Unused)});
            } else {
                picture_.list.add(FillRect{r, {ColorKey::category(colour++ % 5)}});
            }
            for (int bit = f.low_bit + f.bits - 1; bit >= f.low_bit; --bit) {
                const bool set = (word_ >> bit & 1U) != 0;
                if (bit != f.low_bit + f.bits - 1)
                    picture_.list.add(FillRect{{x_of(bit), top_ + 4, 1, kCell - 8}, ink(Role::Ink, 0.13)});
                if (measure_.width("0", FontFace::Mono, m_.small) + 2 <= cell_)
                    text({x_of(bit) + cell_ / 2, top_ + kCell / 2}, set ? "1" : "0", set ? FontFace::MonoBold : FontFace::Mono, m_.small, HAlign::Centre,
                         is_reserved(f) && !wrong ? ink(Role::Text3) : ink(Role::Ink, set ? 1 : 0.75));
                picture_.hits.push_back({{x_of(bit), top_, cell_, kCell}, bit, sentence(f, bit, set)});
            }
            if (!is_reserved(f)) picture_.list.add(StrokeRect{r, ink(wrong ? Role::Finding : Role::Ink, 0.85), 1.25});
        }
        picture_.list.add(StrokeRect{{left_, top_, right_ - left_, kCell}, ink(Role::Line2), 1});
    }

    static std::string sentence(const DescriptorField& f, int bit, bool set) {
        const std::string range = f.bits == 1 ? fmt::format("bit {}", f.low_bit) : fmt::format("bits {}–{}", f.low_bit + f.bits - 1, f.low_bit);
        std::string s = fmt::format("bit {} is {} · {} · {} = {}{} · {}", bit, set ? 1 : 0, range, f.name, f.value,
                                    f.shown.empty() || f.shown == fmt::format("{}", f.value) ? "" : " · " + f.shown, f.meaning);
        if (!f.unit.empty()) s += fmt::format(", in units of {}", f.unit);
        if (!f.why.empty()) s += fmt::format(" ({})", f.read ? f.why : "not read: " + f.why);
        return s;
    }

    /// Names under their fields. One that does not fit beside its neighbour goes a row lower; one that fits nowhere is
    /// left to the status bar.
    void names() {
        std::vector<Label> labels;
        for (std::size_t i = fields_.size(); i-- > 0;) {
            const DescriptorField& f = fields_[i];
            // Small fields that are off and not looked at are left to the status bar; so are signs that change nothing.
            if (is_reserved(f) || (f.value == 0 && f.bits <= 2 && (!f.read || f.name.starts_with("negate") || f.name == "sparse"))) continue;
            Label label{i, field_label(f, options_), field_detail(f, options_)};
            label.middle = (x_of(f.low_bit + f.bits - 1) + x_of(f.low_bit) + cell_) / 2;
            const double title = measure_.width(label.title, FontFace::UiBold, m_.small);
            double detail = measure_.width(label.detail, FontFace::Ui, m_.micro);
            // A long explanation is shortened to its first part, never cut in a word.
            const double room = std::max({title, cell_ * f.bits + 30, 150.0});
            if (detail > room) {
                if (const auto at = label.detail.find(" · "); at != std::string::npos) label.detail.resize(at);
                detail = measure_.width(label.detail, FontFace::Ui, m_.micro);
            }
            if (detail > std::max(room, 230.0)) {
                label.detail = f.read ? "" : "not read";
                detail = measure_.width(label.detail, FontFace::Ui, m_.micro);
            }
            label.width = std::max(title, detail);
            labels.push_back(std::move(label));
        }
        std::vector<double> free_from(kMostRows, -1e9);
        for (Label& label : labels) {
            label.x = std::clamp(label.middle - label.width / 2, left_, std::max(left_, right_ - label.width));
            label.row = -1;
            for (int row = 0; row < kMostRows && label.row < 0; ++row) {
                const double x = std::max(label.x, free_from[static_cast<std::size_t>(row)]);
                // A label may slide a little to the right, as long as its own field stays above it.
                if (x > label.middle - 8 && x > label.x) continue;
                if (x + label.width > right_) continue;
                // Its leader must not run through a label of the row above.
                bool crossed = false;
                for (const Label& other : labels)
                    crossed = crossed || (other.row >= 0 && other.row < row && &other != &label && label.middle > other.x - 3 && label.middle < other.x + other.width + 3 && other.field != label.field);
                if (crossed) continue;
                label.x = x;
                label.row = row;
                free_from[static_cast<std::size_t>(row)] = x + label.width + kGap;
            }
            rows_ = std::max(rows_, label.row + 1);
        }
        for (const Label& label : labels) {
            if (label.row < 0) continue;
            const DescriptorField& f = fields_[label.field];
            const double y = top_ + kCell + 8 + label.row * (2 * kLine + 4);
            picture_.list.add(FillRect{{std::round(label.middle), top_ + kCell + 1, 1, y - top_ - kCell - 1}, ink(Role::Text3, 0.8)});
            const double centre = label.x + label.width / 2;
            text({centre, y + kLine / 2}, label.title, FontFace::UiBold, m_.small, HAlign::Centre, ink(f.read ? Role::Text : Role::Text2));
            text({centre, y + 1.5 * kLine}, label.detail, FontFace::Ui, m_.micro, HAlign::Centre, ink(Role::Text2));
        }
    }

    std::span<const DescriptorField> fields_;
    std::uint64_t word_;
    const DescriptorBitsOptions& options_;
    const TextMeasure& measure_;
    const Metrics& m_;
    Picture picture_;
    double cell_ = 10, left_ = 0, right_ = 0, top_ = kNumbers;
    int rows_ = 1;
};

} // namespace

Picture draw_descriptor_bits(std::span<const DescriptorField> fields, std::uint64_t word, const DescriptorBitsOptions& options,
                             const TextMeasure& measure) {
    return Strip(fields, word, options, measure).draw();
}

} // namespace ls::figure
