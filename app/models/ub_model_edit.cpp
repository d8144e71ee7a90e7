// Every way in which the UB view changes its document: named steps, nothing else touches the text.
#include <algorithm>

#include "app/models/text.h"
#include "app/models/ub_model.h"
#include "core/ub/cgdr/as_model.h"
#include "core/ub/cgdr/fit.h"
#include "core/ub/model/fit.h"
#include "core/ub/model/model_edit.h"
#include "core/ub/model/model_json.h"

namespace ls::models {

using namespace ub;

namespace {

constexpr std::size_t kMostProposals = 5;

} // namespace

void UbModel::report(const Diagnostic& why) { emit failed(to_q(why.code), to_q(why.message), to_q(why.hint)); }

void UbModel::edit(const QString& step, std::string text, const std::string& merge_key) {
    const session::Document* document = documents_ ? documents_->current() : nullptr;
    if (!document || document->state().kind != session::DocumentKind::UbModel) return;
    session::DocumentState next = document->state();
    next.text = std::move(text);
    documents_->edit(step, std::move(next), merge_key);
}

nlohmann::json UbModel::viewSetting(const char* key) const {
    return settings_.is_object() ? settings_.value(key, nlohmann::json()) : nlohmann::json();
}

void UbModel::setViewSetting(const QString& step, const char* key, nlohmann::json value, const std::string& merge_key) {
    const session::Document* document = documents_ ? documents_->current() : nullptr;
    if (!document || document->state().kind != session::DocumentKind::UbModel) return;
    session::DocumentState next = document->state();
    if (!next.view.is_object()) next.view = nlohmann::json::object();
    next.view["ub"][key] = std::move(value);
    documents_->edit(step, std::move(next), merge_key);
}

void UbModel::setText(const QString& text) {
    if (plan_ && to_q(plan_->text) == text) return;
    edit(tr("Edit text"), to_std(text), "ub/text");
}

void UbModel::editOperator(const QString& step, const std::function<void(cgdr::OperatorFile&)>& change, const std::string& merge_key) {
    if (!isOperator() || refused()) return;
    cgdr::OperatorFile file = *shown_->file;
    change(file);
    edit(step, cgdr::write_operator(file), merge_key);
}

void UbModel::setParameter(const QString& key, double value) {
    if (!shown_ || refused()) return;
    const auto number = static_cast<std::int64_t>(value);
    const QString step = tr("Set %1 to %2").arg(key).arg(number);
    const std::string merge = "ub/param/" + to_std(key);
    if (!shown_->is_operator()) {
        auto text = set_parameter(plan_->text, to_std(key), number);
        if (!text.ok()) return report(text.error());
        return edit(step, std::move(text).value(), merge);
    }
    editOperator(step, [&](cgdr::OperatorFile& file) {
        if (key == QLatin1String("dk")) file.input.dk = number;
        if (key == QLatin1String("dv")) file.input.dv = number;
        if (key == QLatin1String("cs")) file.input.chunk_size = number;
        if (key == QLatin1String("hv")) file.input.hv = file.input.hqk = number;
        if (key == QLatin1String("queue")) {
            std::erase_if(file.changes, [](const cgdr::TriedChange& c) { return c.id == "double-buffer"; });
            if (number != 1) file.changes.push_back({"double-buffer", number});
        }
    }, merge);
}

void UbModel::setPlatform(int index) {
    if (!shown_ || refused() || index < 0 || index >= static_cast<int>(ub::platforms().size())) return;
    const Platform& chip = ub::platforms()[static_cast<std::size_t>(index)];
    const QString step = tr("Change the chip to %1").arg(to_q(chip.id));
    if (!shown_->is_operator()) {
        auto text = set_platform(plan_->text, chip.id);
        if (!text.ok()) return report(text.error());
        return edit(step, std::move(text).value());
    }
    editOperator(step, [&](cgdr::OperatorFile& file) {
        file.platform = chip;
        file.input.ub_bytes = chip.planning_bytes();
        file.input.aiv = chip.planning_cores().value_or(8);
    });
}

void UbModel::setVariant(int index) {
    editOperator(index == 1 ? tr("Look at the Cube version") : tr("Look at the vector version"),
                 [&](cgdr::OperatorFile& file) { file.input.variant = index == 1 ? cgdr::Variant::V1135 : cgdr::Variant::V1108; });
}

void UbModel::toggleWhatIf(const QString& id) {
    const std::string wanted = to_std(id);
    editOperator(tr("What if: %1").arg(id), [&](cgdr::OperatorFile& file) {
        if (std::erase_if(file.changes, [&](const cgdr::TriedChange& c) { return c.id == wanted; }) == 0) file.changes.push_back({wanted, {}});
    });
}

void UbModel::setWhatIfValue(const QString& id, double value) {
    const std::string wanted = to_std(id);
    editOperator(tr("What if: %1 = %2").arg(id).arg(static_cast<qint64>(value)), [&](cgdr::OperatorFile& file) {
        std::erase_if(file.changes, [&](const cgdr::TriedChange& c) { return c.id == wanted; });
        file.changes.push_back({wanted, static_cast<std::int64_t>(value)});
    }, "ub/whatif/" + wanted);
}

void UbModel::clearWhatIfs() {
    editOperator(tr("Take all what-ifs back"), [](cgdr::OperatorFile& file) { file.changes.clear(); });
}

std::string UbModel::modelText() const {
    if (!shown_ || !shown_->model) return {};
    return shown_->is_operator() ? write_model(shown_->model->model()) : shown_->text;
}

void UbModel::writeAsModel() {
    if (!isOperator() || !shown_->model) return;
    edit(tr("Write the launch as a model"), modelText());
    emit said(tr("The launch is a model now; undo brings the operator back"));
}

// --- what fits

void UbModel::setFitShown(bool shown) {
    if (shown == fit_shown_) return;
    fit_shown_ = shown;
    if (shown) workOutFit();
    emit fitChanged();
}

void UbModel::workOutFit() {
    growth_.clear();
    proposals_.clear();
    proposals_note_.clear();
    const auto add = [&](const QString& name, const QString& value, const QString& detail = {}, const char* tone = "") {
        growth_ << QVariantMap{{"name", name}, {"value", value}, {"detail", detail}, {"tone", QString::fromLatin1(tone)}};
    };
    const auto most = [](const std::optional<std::int64_t>& value) { return value ? QString::number(*value) : tr("none"); };
    if (shown_ && shown_->host) {
        if (const auto answer = cgdr::fit(shown_->host->input); answer.ok()) {
            const cgdr::HostInput& in = answer->plan.input;
            if (answer->plan.search.ok) add(tr("largest vStep"), QString::number(answer->plan.search.v_step), tr("found by the search"));
            add(tr("chunk size"), most(answer->chunk_size.any), tr("now %1; %2 keeps this vStep").arg(in.chunk_size).arg(most(answer->chunk_size.same_v_step)));
            add(tr("key head dk"), most(answer->key_head.any), tr("now %1; %2 keeps this vStep").arg(in.dk).arg(most(answer->key_head.same_v_step)));
            add(tr("dv in one tile"), most(answer->value_head_one_tile), tr("now %1").arg(in.dv));
            add(tr("queue blocks"), QString::number(answer->queue_blocks), tr("beside the scratch of the plan"));
            const std::int64_t over = answer->full_head_over_bytes;
            add(tr("whole head, one tile"), tr("%1 B").arg(answer->full_head_needs_bytes), over > 0 ? tr("%1 too many").arg(over) : tr("fits, %1 left").arg(-over), over > 0 ? "finding" : "");
        }
    }
    if (shown_ && shown_->model && shown_->partition) {
        const FitReport fit = fit_report(shown_->model->model(), *shown_->partition);
        add(tr("needed"), tr("%1 of %2 B").arg(fit.needed_bytes).arg(fit.ub_bytes), fit.fits() ? tr("%1 free").arg(fit.free_bytes) : tr("%1 too many").arg(-fit.free_bytes), fit.fits() ? "" : "finding");
        for (const Doubling& one : fit.doublings)
            add(tr("double %1").arg(to_q(one.queue)), tr("+%1 B").arg(one.extra_bytes), one.fits() ? tr("fits; at most %1 blocks").arg(one.largest_num) : tr("%1 too many; at most %2 blocks").arg(one.over_bytes).arg(one.largest_num), one.fits() ? "" : "finding");
        if (fit.doublings.size() > 1)
            add(tr("double all queues"), tr("+%1 B").arg(fit.all_queues.extra_bytes), fit.all_queues.fits() ? tr("fits") : tr("%1 too many").arg(fit.all_queues.over_bytes), fit.all_queues.fits() ? "" : "finding");
        if (fit.tail_bytes > 0) add(tr("reserved tail"), tr("%1 B").arg(fit.tail_bytes), tr("%1 B of it are needed here").arg(fit.into_tail_bytes), fit.into_tail_bytes > 0 ? "warning" : "");
        add(tr("lost to rounding"), tr("%1 B").arg(fit.rounding_bytes));
        add(tr("lost to gaps"), tr("%1 B").arg(fit.gap_bytes));
        const bool cube = shown_->is_operator() && shown_->file->input.variant == cgdr::Variant::V1135;
        if (cube) proposals_note_ = tr("The Cube code borrows many views, so none of them is safe to overlay.");
        // Proposals place what the views hold: the scores' larger handle is the kernel's own overlay.
        proposal_model_ = shown_->model->model();
        Partition placed = *shown_->partition;
        if (shown_->is_operator()) {
            for (Alloc& alloc : proposal_model_.allocs) {
                for (View& view : alloc.views) {
                    if (view.name == cgdr::name(cgdr::ViewId::ChunkScores)) view.elems = "cs*cs";
                    if (!view.alias_group.empty()) view.alias_group.clear(), view.advance.reset();
                }
            }
            if (auto compiled = CompiledModel::compile(proposal_model_); compiled.ok()) {
                if (auto again = compiled->evaluate(); again.ok()) placed = std::move(again).value();
            }
        }
        for (const PlacedAlloc& alloc : placed.allocs) {
            if (cube || alloc.views.size() < 2) continue;
            const auto items = overlay_items(alloc);
            if (std::all_of(items.begin(), items.end(), [](const OverlayItem& item) { return item.live.empty(); })) {
                proposals_note_ = tr("The views of %1 have no live ranges, so nothing can be proved.").arg(to_q(alloc.name));
                continue;
            }
            const auto propose = [&](OverlayPlan plan, const QString& title) {
                const std::int64_t now = shown_->partition->find(alloc.name) ? shown_->partition->find(alloc.name)->used : alloc.used;
                const std::int64_t saved = now - plan.used_bytes;
                if (saved <= 0 || proposals_.size() >= kMostProposals || !overlay_conflicts(items, plan.blocks).empty()) return;
                QStringList pairs;
                for (const auto& [a, b] : plan.shared)
                    if (pairs.size() < 3) pairs << tr("%1 on %2").arg(to_q(figure::shown_name(items[b].name)), to_q(figure::shown_name(items[a].name)));
                if (plan.shared.size() > 3) pairs << tr("%1 more").arg(plan.shared.size() - 3);
                proposals_.push_back({title, tr("%1 B instead of %2: %3").arg(plan.used_bytes).arg(now).arg(pairs.join(", ")), saved, alloc.name, std::move(plan)});
            };
            propose(pack(items), tr("Smallest placement of %1").arg(to_q(alloc.name)));
            for (OverlayPlan& one : single_overlays(items)) {
                const QString guest = one.blocks.empty() ? QString() : to_q(figure::shown_name(items[one.blocks.back().item].name));
                propose(std::move(one), tr("Move %1 alone").arg(guest));
            }
        }
        if (proposals_.empty() && proposals_note_.isEmpty()) proposals_note_ = tr("No overlay is smaller than what is there.");
    }
    emit fitChanged();
}

QVariantList UbModel::proposals() const {
    QVariantList list;
    for (const Proposal& one : proposals_) list << QVariantMap{{"title", one.title}, {"detail", one.detail}, {"saved", static_cast<double>(one.saved)}};
    return list;
}

void UbModel::applyProposal(int index) {
    if (!shown_ || !shown_->model || refused() || index < 0 || index >= static_cast<int>(proposals_.size())) return;
    const Proposal one = proposals_[static_cast<std::size_t>(index)];
    const Model changed = apply_overlay(proposal_model_, one.alloc, one.plan);
    edit(tr("Overlay: %1 B saved").arg(one.saved), write_model(changed));
    emit said(tr("%1 B saved; undo brings the old placement back").arg(one.saved));
}

} // namespace ls::models
