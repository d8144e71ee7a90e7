// The proofs that a pass asked for, a coordinate at a time: questions with their trees, and the rules that were used.
#pragma once

#include <memory>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

#include "core/figure/proof_view.h"
#include "core/figure/transfer_view.h"
#include "views/handles.h"

namespace ls::models {

class ProofModel : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the trace.")
    /// { place, proven } of every coordinate that a proof was asked for.
    Q_PROPERTY(QVariantList coordinates READ coordinates NOTIFY changed)
    Q_PROPERTY(int current READ current WRITE setCurrent NOTIFY currentChanged)
    /// { question, verdict, sentence, proven, tree } of the current coordinate.
    Q_PROPERTY(QVariantList questions READ questions NOTIFY currentChanged)
    /// { form, multiple, sign }
    Q_PROPERTY(QVariantList rules READ rules CONSTANT)
    /// What was asked for and what the hardware would read, where that is known.
    Q_PROPERTY(bool clamps READ clamps NOTIFY currentChanged)

public:
    explicit ProofModel(QObject* parent = nullptr) : QObject(parent) {}
    void show(std::vector<figure::CoordinateProofs> proofs, std::optional<figure::ClampedWindow> clamped);

    QVariantList coordinates() const;
    int current() const { return current_; }
    void setCurrent(int index);
    QVariantList questions() const;
    QVariantList rules() const;
    bool clamps() const;

    /// The bars of the clamp, `width` points wide.
    Q_INVOKABLE ls::views::PictureHandle clampPicture(double width) const;
    Q_INVOKABLE QString text() const;

signals:
    void changed();
    void currentChanged();

private:
    const figure::CoordinateProofs* shown() const;
    std::vector<figure::CoordinateProofs> proofs_;
    std::optional<figure::ClampedWindow> clamped_;
    int current_ = 0;
};

} // namespace ls::models
