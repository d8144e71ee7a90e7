#include "app/models/tmem_banks.h"

#include "app/models/cached_measure.h"
#include "app/models/text.h"
#include "core/figure/bank_phases.h"

namespace ls::models {

namespace {

constexpr int kKinds = 5;
constexpr double kSmallestWidth = 200;

} // namespace

TmemBanks::TmemBanks(QObject* parent) : QObject(parent) {}

void TmemBanks::setModel(TmemModel* model) {
    if (model == model_) return;
    if (model_) model_->disconnect(this);
    model_ = model;
    if (model_) {
        connect(model_, &TmemModel::planChanged, this, &TmemBanks::redraw);
        connect(model_, &TmemModel::stepChanged, this, &TmemBanks::redraw);
        connect(model_, &TmemModel::ofBChanged, this, &TmemBanks::redraw);
    }
    redraw();
    emit modelChanged();
}
void TmemBanks::setWidth(double width) {
    if (width == width_) return;
    width_ = width;
    redraw();
}
QStringList TmemBanks::kinds() const {
    QStringList names;
    for (int i = 0; i < kKinds; ++i) names << to_q(tirx::name(static_cast<tirx::AccessKind>(i)));
    return names;
}
void TmemBanks::setKind(int kind) {
    if (kind == kind_ || kind < 0 || kind >= kKinds) return;
    kind_ = kind;
    redraw();
}

void TmemBanks::redraw() {
    title_.clear();
    problem_.clear();
    picture_ = {};
    const TmemBench* bench = model_ ? model_->bench() : nullptr;
    const tirx::GemmSide* side = !bench ? nullptr : model_->ofB() ? &bench->bench.b : &bench->bench.a;
    if (side && side->tile && width_ >= kSmallestWidth) {
        const auto kind = static_cast<tirx::AccessKind>(kind_);
        const std::int64_t k = model_->chosen() ? model_->chosen()->ki * bench->mma_k() : 0;
        const auto swizzled = tirx::bank_access(*side->tile, kind, 0, k);
        const bool differs = side->operand.layout->is_compose() && side->plain;
        const auto plain = differs ? tirx::bank_access(*side->plain, kind, 0, k) : swizzled;
        figure::BankPhasesOptions options;
        options.width = width_;
        options.row_letter = model_->ofB() ? 'n' : 'm';
        options.swizzled_name = side->matched ? std::string(tensor_core::name(side->matched->swizzle)) + " swizzle" : "as it lies";
        if (!differs) options.swizzled_name = "no swizzle";
        if (!swizzled.ok()) problem_ = to_q(swizzled.error().message);
        else picture_ = views::PictureHandle(figure::draw_bank_phases(differs && plain.ok() ? &*plain : nullptr, &*swizzled, options, window_measure()));
        const QString name = model_->ofB() ? QStringLiteral("B") : QStringLiteral("A");
        title_ = tr("%1 of %2, from %3 0, k %4").arg(to_q(tirx::name(kind)), name, model_->ofB() ? QStringLiteral("n") : QStringLiteral("m")).arg(k);
    }
    emit banksChanged();
}

} // namespace ls::models
