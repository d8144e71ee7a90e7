#include "app/models/proof_model.h"

#include <algorithm>

#include "app/models/text.h"
#include "core/scene/bars.h"
#include "views/paint/paint.h"

namespace ls::models {

void ProofModel::show(std::vector<figure::CoordinateProofs> proofs, std::optional<figure::ClampedWindow> clamped) {
    proofs_ = std::move(proofs);
    clamped_ = std::move(clamped);
    // What is not proven is what one came for.
    const auto failed =
        std::find_if(proofs_.begin(), proofs_.end(), [](const figure::CoordinateProofs& one) { return !one.proven; });
    current_ = failed == proofs_.end() ? 0 : static_cast<int>(failed - proofs_.begin());
    emit changed();
    emit currentChanged();
}

const figure::CoordinateProofs* ProofModel::shown() const {
    return current_ >= 0 && current_ < static_cast<int>(proofs_.size()) ? &proofs_[static_cast<std::size_t>(current_)]
                                                                        : nullptr;
}

void ProofModel::setCurrent(int index) {
    if (index == current_ || index < 0 || index >= static_cast<int>(proofs_.size())) return;
    current_ = index;
    emit currentChanged();
}

QVariantList ProofModel::coordinates() const {
    QVariantList list;
    for (const figure::CoordinateProofs& one : proofs_) {
        const QString subject = one.views.empty() ? QString() : to_q(one.views.front().subject);
        list << QVariantMap{{"place", to_q(one.place)}, {"subject", subject}, {"proven", one.proven}};
    }
    return list;
}

QVariantList ProofModel::questions() const {
    QVariantList list;
    if (!shown()) return list;
    for (const figure::ProofView& view : shown()->views) {
        const views::PictureHandle tree(scene::draw_tree({view.tree}, *paint::text_measure()));
        list << QVariantMap{{"question", to_q(view.question)}, {"verdict", to_q(view.verdict)},
                            {"sentence", to_q(view.sentence)}, {"proven", view.proven},
                            {"tree", QVariant::fromValue(tree)}};
    }
    return list;
}

QVariantList ProofModel::rules() const {
    const auto q = [](std::string_view text) { return to_q(std::string(text)); };
    QVariantList list;
    for (const figure::ProofRule& rule : figure::proof_rules())
        list << QVariantMap{{"form", q(rule.form)}, {"multiple", q(rule.multiple)}, {"sign", q(rule.not_negative)}};
    return list;
}

bool ProofModel::clamps() const { return clamped_.has_value() && shown() && !shown()->proven; }

views::PictureHandle ProofModel::clampPicture(double width) const {
    if (!clamps() || width < 80) return {};
    return views::PictureHandle(scene::draw_bars(figure::clamp_chart(*clamped_), width, *paint::text_measure()));
}

QString ProofModel::text() const {
    if (!shown()) return {};
    std::string text = shown()->place + "\n";
    for (const figure::ProofView& view : shown()->views) text += figure::proof_text(view);
    return to_q(text);
}

} // namespace ls::models
