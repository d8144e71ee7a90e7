// The address formula and the ruler of the element in focus, the comparison, and what can be copied as text.
#include <algorithm>

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include "app/models/explorer.h"
#include "app/models/layout_compare.h"
#include "app/models/text.h"
#include "core/notation/notation.h"

namespace ls::models {

void Explorer::refreshFormula() {
    std::optional<Coordinate> focus = hover_;
    if (!focus && !state_.selected.empty()) focus = state_.selected.front();
    if (!shown_ || (focus && focus->size() != shown_->figure->layout().shape.size())) focus.reset();
    focus_ = focus;
    formula_.reset();
    if (focus_) formula_ = shown_->figure->formula(*focus_);
    emit formulaChanged();
}

QString Explorer::formulaCoordinate() const { return formula_ ? coordinate_text(formula_->coordinate) : QString(); }

QString Explorer::formulaAddress() const {
    if (!formula_) return {};
    // An address in one linear memory is a byte; elsewhere it is the point on all axes.
    if (formula_->byte && formula_->point.size() <= 1) return hex(*formula_->byte);
    QStringList parts;
    for (const auto& [axis, value] : formula_->point) parts << QStringLiteral("%1 %2").arg(to_q(axis)).arg(value);
    return parts.join(QStringLiteral(", "));
}

QString Explorer::formulaState() const {
    if (!focus_) return {};
    if (hover_) return tr("hovered");
    if (const int number = pinOf(*focus_)) return tr("pinned %1").arg(number);
    return tr("selected");
}

QVariantList Explorer::formulaRows() const {
    QVariantList rows;
    if (!formula_) return rows;
    QVariantList terms;
    QString axis;
    std::int64_t sum = 0;
    const auto close = [&] {
        if (!terms.isEmpty()) rows << QVariantMap{{"axis", axis}, {"sum", static_cast<double>(sum)}, {"terms", terms}};
        terms.clear();
        sum = 0;
    };
    for (const auto& term : formula_->terms) {
        if (to_q(term.axis) != axis) close();
        axis = to_q(term.axis);
        sum += term.digit * term.stride;
        terms << QVariantMap{{"digit", static_cast<double>(term.digit)},
                             {"stride", static_cast<double>(term.stride)},
                             {"expression", to_q(term.expression)},
                             {"role", to_q(term.role)}};
    }
    close();
    return rows;
}

QStringList Explorer::formulaNotes() const {
    QStringList notes;
    if (!formula_) return notes;
    if (!formula_->swizzle_text.empty()) {
        notes << QStringLiteral("swizzle %1").arg(to_q(formula_->swizzle_text));
    }
    if (formula_->byte && formula_->offset_elems) {
        const int bits = shown_->figure->layout().element_bits();
        notes << (bits == 8 ? QStringLiteral("byte = %1 = %2").arg(*formula_->byte).arg(hex(*formula_->byte))
                            : QStringLiteral("byte = %1 · %2 = %3 = %4")
                                  .arg(*formula_->offset_elems)
                                  .arg(bits / 8)
                                  .arg(*formula_->byte)
                                  .arg(hex(*formula_->byte)));
    } else if (formula_->offset_elems && shown_->figure->layout().element_bits() % 8 != 0) {
        const int bits = shown_->figure->layout().element_bits();
        notes << QStringLiteral("bit = %1 · %2 = %3")
                     .arg(*formula_->offset_elems)
                     .arg(bits)
                     .arg(*formula_->offset_elems * bits);
    }
    if (!formula_->replicas.empty()) {
        const auto more = formula_->replicas.size();
        notes << (more == 1 ? tr("and in one more place:") : tr("and in %1 more places:").arg(more));
        QStringList places;
        for (std::size_t i = 0; i < std::min<std::size_t>(formula_->replicas.size(), 4); ++i) {
            QStringList parts;
            for (const auto& [axis, value] : formula_->replicas[i])
                parts << QStringLiteral("%1 %2").arg(to_q(axis)).arg(value);
            places << parts.join(QStringLiteral(", "));
        }
        notes.last() += QStringLiteral(" ") + places.join(QStringLiteral("; ")) +
                        (formula_->replicas.size() > 4 ? QStringLiteral("; …") : QString());
    }
    return notes;
}

QString Explorer::formulaRoles() const {
    QStringList roles;
    if (formula_) {
        for (const auto& term : formula_->terms) {
            if (!term.role.empty()) roles << QStringLiteral("%1 %2").arg(to_q(term.role)).arg(term.digit);
        }
    }
    return roles.join(QStringLiteral(" · "));
}

QVariantList Explorer::ruler() const {
    constexpr std::int64_t kMostParts = 16;
    QVariantList rows;
    if (!focus_ || !shown_) return rows;
    for (const figure::RulerLevel& level : shown_->figure->ruler(*focus_)) {
        // A level of very many parts shows those around the element.
        const std::int64_t shown = std::min(level.count, kMostParts);
        const std::int64_t begin = std::clamp<std::int64_t>(level.index - shown / 2, 0, level.count - shown);
        QVariantList parts;
        for (std::int64_t i = begin; i < begin + shown; ++i) {
            const std::int64_t number = level.first + i * level.step;
            QString text = level.part_is_byte ? hex(number) : QString::number(number);
            if (!level.part_name.empty()) {
                text = level.part_is_byte ? QStringLiteral("%1 %2 %3").arg(to_q(level.part_name)).arg(i).arg(text)
                                          : QStringLiteral("%1 %2").arg(to_q(level.part_name), text);
            }
            parts << QVariantMap{{"text", text},
                                 {"brief", level.part_name.empty() ? text : QString::number(i)},
                                 {"hit", i == level.index}};
        }
        rows << QVariantMap{{"name", to_q(level.name)},
                            {"size", to_q(level.size_text)},
                            {"parts", parts},
                            {"before", begin > 0},
                            {"after", begin + shown < level.count}};
    }
    return rows;
}

// --- the other layout

QString Explorer::compareText() const { return to_q(state_.compare); }

void Explorer::setCompareText(const QString& text) {
    if (text == compareText()) return;
    state_.compare = to_std(text);
    store(tr("Compare with"), "compare");
    compareNow();
}

void Explorer::compareNow() {
    compare_verdict_.clear();
    compare_detail_.clear();
    compare_tone_ = QStringLiteral("neutral");
    difference_.reset();
    const auto refused = [this](const Diagnostic& why) {
        compare_tone_ = QStringLiteral("finding");
        compare_verdict_ = to_q(why.code);
        compare_detail_ = to_q(why.hint.empty() ? why.message : why.message + "; " + why.hint);
    };
    if (shown_ && !QString(compareText()).trimmed().isEmpty()) {
        const auto other = read_layout(state_.compare);
        if (!other.ok()) {
            refused(other.error());
        } else if (const auto result = compare_layouts(shown_->figure->layout(), *other); !result.ok()) {
            refused(result.error());
        } else if (result->equal()) {
            compare_tone_ = QStringLiteral("fine");
            compare_verdict_ =
                tr("same place for all %1").arg(count_text(result->elements, tr("element"), tr("elements")));
        } else {
            compare_tone_ = QStringLiteral("finding");
            compare_verdict_ = tr("%1 of %2 elements differ").arg(result->differing).arg(result->elements);
            compare_detail_ =
                tr("first %1: %2 here, %3 there")
                    .arg(coordinate_text(result->first), to_q(result->first_here), to_q(result->first_there));
            difference_ = result->first;
        }
    }
    emit compareChanged();
}

void Explorer::goToDifference() {
    if (difference_) goTo(Coordinate(*difference_));
}

// --- copies

void Explorer::copy(const QString& text) const {
    QGuiApplication::clipboard()->setText(text);
    emit said(tr("Copied %1")
                  .arg(text.size() > 60 ? text.left(57) + QStringLiteral("…") : text.section(QLatin1Char('\n'), 0, 0)));
}

void Explorer::copyFormula() const {
    if (formula_) copy(to_q(formula_->text()));
}

QString Explorer::asText(bool physical) const {
    constexpr std::int64_t kMost = 256;
    if (!shown_) return {};
    const auto& scene = physical ? shown_->physical : shown_->logical;
    if (!scene || !scene->cells) return {};
    auto which = static_cast<scene::CellLabel>(label());
    const auto& choices = scene->label_choices;
    if (std::find(choices.begin(), choices.end(), which) == choices.end() && !choices.empty()) which = choices.front();
    std::vector<std::vector<QString>> cells;
    qsizetype widest = 1;
    for (std::int64_t r = 0; r < std::min(scene->rows, kMost); ++r) {
        cells.emplace_back();
        for (std::int64_t c = 0; c < std::min(scene->cols, kMost); ++c) {
            cells.back().push_back(to_q(scene->cells->label({r, c}, which)));
            widest = std::max(widest, cells.back().back().size());
        }
    }
    QString text;
    for (const auto& row : cells) {
        QStringList padded;
        for (const QString& one : row) padded << one.rightJustified(widest);
        text += padded.join(QLatin1Char(' ')) + QLatin1Char('\n');
    }
    return text;
}

} // namespace ls::models
