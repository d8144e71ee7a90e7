// What can be done about a finding: edits that were tried, made in the document. And the pictures that are made for a
// width: fields, memories, the search for tiles.
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include "app/models/text.h"
#include "app/models/trace_model.h"
#include "core/scene/bars.h"
#include "views/paint/paint.h"

namespace ls::models {

const std::vector<check::Mend>* TraceModel::mendsOf(int row) const {
    const auto& entries = diagnostics_.entries();
    if (!trace_ || row < 0 || row >= static_cast<int>(entries.size())) return nullptr;
    const auto& entry = entries[static_cast<std::size_t>(row)];
    const TracePass* here = pass(entry.pass);
    if (!here || entry.number < 0 || entry.number >= static_cast<int>(here->mends.size())) return nullptr;
    const auto& mends = here->mends[static_cast<std::size_t>(entry.number)];
    return mends.empty() ? nullptr : &mends;
}

void TraceModel::setFinding(int row) {
    if (row == finding_) return;
    finding_ = row;
    emit findingChanged();
}

QVariantList TraceModel::mends() const {
    const std::vector<check::Mend>* mends = mendsOf(finding_);
    for (int row = 0; !mends && finding_ < 0 && row < static_cast<int>(diagnostics_.entries().size()); ++row)
        mends = mendsOf(row);
    QVariantList list;
    if (!mends) return list;
    for (const check::Mend& mend : *mends)
        list << QVariantMap{{"title", to_q(mend.title)}, {"effect", to_q(mend.effect)}};
    return list;
}

void TraceModel::applyMend(int index) {
    int row = finding_;
    for (int i = 0; row < 0 && i < static_cast<int>(diagnostics_.entries().size()); ++i) {
        if (mendsOf(i)) row = i;
    }
    const std::vector<check::Mend>* mends = mendsOf(row);
    if (!mends || index < 0 || index >= static_cast<int>(mends->size()) || !documents_ || !documents_->current()) return;
    session::DocumentState next = documents_->current()->state();
    if (next.text != running_text_) return; // the proposals are of an older text
    const check::Mend mend = (*mends)[static_cast<std::size_t>(index)];
    next.text = mend.applied(next.text);
    next.view.erase("dump_directory"); // what a compiler recorded was of another text
    documents_->edit(tr("Mend %1").arg(to_q(diagnostics_.entries()[static_cast<std::size_t>(row)].diagnostic.code)),
                     std::move(next));
    emit said(tr("Wrote %1").arg(to_q(mend.title)));
}

views::PictureHandle TraceModel::fieldsPicture(double width) const {
    if (snapshot() < 0 || width < 120) return {};
    const auto fields = trace_->accesses.fields(access_, snapshot(), running_options_.chip);
    if (fields.empty()) return {};
    return views::PictureHandle(scene::draw_bars(figure::transfer_chart(fields), width, *paint::text_measure()));
}

views::PictureHandle TraceModel::memoryPicture(double width) const {
    if (!hasAddresses() || width < 320) return {};
    return views::PictureHandle(trace_->pictures.memory(snapshot(), running_options_.chip, width));
}

QStringList TraceModel::products() const {
    QStringList list;
    if (!trace_) return list;
    for (const TraceProduct& one : trace_->pictures.products()) list << to_q(one.text);
    return list;
}

QVariantMap TraceModel::productSearch(int product, double width) const {
    std::string why;
    views::PictureHandle picture;
    if (trace_ && width >= 320)
        picture = views::PictureHandle(trace_->pictures.search(product, running_options_.chip, width, why));
    return {{"picture", QVariant::fromValue(picture)}, {"why", to_q(why)}};
}

void TraceModel::copyProof() {
    QGuiApplication::clipboard()->setText(proofs_.text());
    emit said(tr("Copied the proof"));
}

} // namespace ls::models
