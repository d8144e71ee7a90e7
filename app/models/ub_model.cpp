#include "app/models/ub_model.h"

#include <algorithm>
#include <array>

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include "app/models/text.h"
#include "app/models/ub_tables.h"
#include "core/ub/cgdr/what_if.h"
#include "core/ub/model/model_edit.h"
#include "core/ub/model/model_json.h"

namespace ls::models {

namespace {

using namespace ub;

constexpr int kFitDelayMs = 120;

QVariantMap fact(const QString& name, const QString& value, const char* tone = "") {
    return {{"name", name}, {"value", value}, {"tone", QString::fromLatin1(tone)}};
}

struct ShapeField {
    const char* key;
    const char* label;
    std::int64_t cgdr::HostInput::*field;
    std::int64_t low, high, step;
};
constexpr std::array kShapeFields{ShapeField{"dk", "dk", &cgdr::HostInput::dk, 1, 4096, 16},
                                  ShapeField{"dv", "dv", &cgdr::HostInput::dv, 1, 4096, 16},
                                  ShapeField{"cs", "cs", &cgdr::HostInput::chunk_size, 1, 4096, 8},
                                  ShapeField{"hv", "heads", &cgdr::HostInput::hv, 1, 1024, 1}};

} // namespace

UbModel::UbModel(QObject* parent) : QObject(parent) {
    fit_timer_.setSingleShot(true);
    fit_timer_.setInterval(kFitDelayMs);
    connect(&fit_timer_, &QTimer::timeout, this, &UbModel::workOutFit);
}
UbModel::~UbModel() = default;

void UbModel::setDocuments(DocumentsModel* documents) {
    if (documents == documents_) return;
    if (documents_) documents_->disconnect(this);
    documents_ = documents;
    if (documents_) {
        connect(documents_, &DocumentsModel::stateChanged, this, &UbModel::follow);
        follow();
    }
    emit documentsChanged();
}

void UbModel::follow() {
    const session::Document* document = documents_ ? documents_->current() : nullptr;
    if (!document) {
        if (documents_ && documents_->count() == 0 && plan_) {
            plan_ = shown_ = nullptr;
            listFindings();
            emit planChanged();
        }
        return;
    }
    if (document->state().kind != session::DocumentKind::UbModel) return;
    if (!plan_ || plan_->text != document->state().text) read(document->state().text);
    const nlohmann::json& view = document->state().view;
    const nlohmann::json settings = view.is_object() ? view.value("ub", nlohmann::json::object()) : nlohmann::json::object();
    if (settings != settings_) {
        settings_ = settings;
        emit settingsChanged();
    }
}

void UbModel::read(const std::string& text) {
    plan_ = std::make_shared<const UbPlan>(read_ub(text));
    if (!plan_->refusal) {
        shown_ = plan_->drawn() || plan_->host ? plan_ : nullptr;
    } else if (shown_ && shown_->is_operator() != cgdr::looks_like_operator(text)) {
        shown_ = nullptr; // another document's picture would mislead
    }
    if (shown_ == plan_ && shown_) {
        books_ = views::TableHandle(ub_books_table(*shown_));
        views_ = views::TableHandle(ub_views_table(*shown_));
        candidates_ = views::TableHandle(ub_candidates_table(*shown_));
        record_ = views::TableHandle(ub_record_table(*shown_));
        culprits_ = views::TableHandle(ub_culprits_table(*shown_));
    } else if (!shown_) {
        books_ = views_ = candidates_ = record_ = culprits_ = {};
    }
    listFindings();
    if (fit_shown_) fit_timer_.start();
    emit planChanged();
}

void UbModel::listFindings() {
    std::vector<DiagnosticsModel::Entry> entries;
    const auto place = [&](const Span& span) -> QString {
        if (span.empty() && span.begin == 0) return {};
        return tr("line %1, column %2").arg(line_column(plan_->text, span.begin).line).arg(line_column(plan_->text, span.begin).column);
    };
    if (plan_) {
        if (plan_->refusal) entries.push_back({*plan_->refusal, -1, place(plan_->refusal->span)});
        for (const Diagnostic& one : plan_->warnings) entries.push_back({one, -1, place(one.span)});
        for (const Finding& one : plan_->findings) entries.push_back({one.diagnostic(), 0, place(one.span).isEmpty() ? to_q(figure::shown_name(one.subject)) : place(one.span)});
        if (!plan_->refusal)
            for (const Finding& one : work_findings_) entries.push_back({one.diagnostic(), 1, tr("distribution")});
    }
    diagnostics_.show(std::move(entries));
}

void UbModel::showWorkFindings(std::vector<Finding> findings) {
    work_findings_ = std::move(findings);
    listFindings();
}

// --- what is shown

QString UbModel::name() const {
    if (!shown_) return {};
    if (shown_->is_operator()) return QStringLiteral("chunk_gated_delta_rule");
    return documents_ ? documents_->title() : QString();
}
QString UbModel::errorCode() const { return refused() ? to_q(plan_->refusal->code) : QString(); }
QString UbModel::errorMessage() const { return refused() ? to_q(plan_->refusal->message) : QString(); }
QString UbModel::errorHint() const { return refused() ? to_q(plan_->refusal->hint) : QString(); }
int UbModel::errorBegin() const { return refused() ? utf16_span(plan_->text, plan_->refusal->span).begin : 0; }
int UbModel::errorEnd() const { return refused() ? utf16_span(plan_->text, plan_->refusal->span).end : 0; }
int UbModel::errorLine() const {
    return refused() && !plan_->refusal->span.empty() ? static_cast<int>(line_column(plan_->text, plan_->refusal->span.begin).line) : 0;
}
QString UbModel::text() const { return plan_ ? to_q(plan_->text) : QString(); }

QStringList UbModel::platforms() const {
    QStringList names;
    for (const Platform& one : ub::platforms()) names << QStringLiteral("%1 · %2 B").arg(to_q(one.id)).arg(one.planning_bytes());
    return names;
}

int UbModel::platformIndex() const {
    if (!shown_) return -1;
    const std::string& wanted = shown_->is_operator() ? shown_->file->platform.id : shown_->model->model().platform.name;
    const auto found = find_platform(wanted);
    if (!found.ok()) return -1;
    const auto all = ub::platforms();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].id == found->id) return static_cast<int>(i);
    return -1;
}

QString UbModel::platformText() const {
    if (!shown_) return {};
    const std::string& id = shown_->is_operator() ? shown_->file->platform.id : shown_->model->model().platform.name;
    const std::int64_t bytes = shown_->is_operator() ? shown_->file->input.ub_bytes : shown_->model->model().platform.ub_bytes;
    return QStringLiteral("%1 · %2 B").arg(to_q(id)).arg(bytes);
}

int UbModel::variantIndex() const { return isOperator() && shown_->file->input.variant == cgdr::Variant::V1135 ? 1 : 0; }

QVariantList UbModel::parameters() const {
    QVariantList list;
    if (!shown_) return list;
    const auto add = [&](const QString& key, const QString& label, std::int64_t value, std::int64_t low, std::int64_t high, std::int64_t step, bool editable) {
        list << QVariantMap{{"key", key}, {"label", label}, {"value", static_cast<double>(value)}, {"low", static_cast<double>(low)},
                            {"high", static_cast<double>(high)}, {"step", static_cast<double>(step)}, {"editable", editable}};
    };
    if (shown_->is_operator()) {
        for (const ShapeField& one : kShapeFields)
            add(QLatin1String(one.key), QLatin1String(one.label), shown_->file->input.*one.field, one.low, one.high, one.step, true);
        if (shown_->report) {
            add(QStringLiteral("vStep"), QStringLiteral("vStep"), shown_->report->device.input.v_step, 0, 0, 16, false);
            add(QStringLiteral("queue"), QStringLiteral("queue num"), shown_->report->device.queue_num, 1, 8, 1, true);
        }
        return list;
    }
    for (const Parameter& one : shown_->model->model().params)
        add(to_q(one.name), to_q(one.name), one.value, 0, std::int64_t{1} << 31, 1, true);
    return list;
}

QString UbModel::verdict() const {
    if (!shown_) return {};
    if (shown_->is_operator() && !shown_->report) return tr("no V step fits");
    std::int64_t used = 0, capacity = 0;
    const figure::MemoryMap map = shown_->map();
    capacity = map.capacity_bytes;
    used = map.lines.empty() ? 0 : map.lines.front().at_byte;
    const std::int64_t handed_out = shown_->report ? shown_->report->ub_total_bytes : shown_->partition->ub_used;
    const std::int64_t over = std::max(used, handed_out) - capacity;
    if (over > 0) return tr("%1 bytes too many").arg(over);
    if (!map.conflicts.empty()) return map.conflicts.size() == 1 ? tr("1 conflict") : tr("%1 conflicts").arg(map.conflicts.size());
    if (has_errors(shown_->findings)) return tr("fits, with errors");
    return tr("fits, %1 of %2").arg(used).arg(capacity);
}

QString UbModel::verdictTone() const {
    if (!shown_) return QStringLiteral("neutral");
    return has_errors(shown_->findings) || (shown_->is_operator() && !shown_->report) ? QStringLiteral("finding") : QStringLiteral("fine");
}

QString UbModel::booksVerdict() const {
    if (!shown_) return {};
    if (shown_->report) return shown_->report->books.agree() ? tr("agree") : tr("differ");
    if (!shown_->partition || !shown_->partition->host_tmp) return {};
    return *shown_->partition->host_tmp == shown_->partition->device_used ? tr("agree") : tr("differ");
}
QString UbModel::booksTone() const { return booksVerdict() == tr("differ") ? QStringLiteral("finding") : QStringLiteral("fine"); }

QVariantList UbModel::whatIfs() const {
    QVariantList list;
    if (!isOperator()) return list;
    for (const cgdr::WhatIf& one : cgdr::what_ifs()) {
        const auto at = std::find_if(shown_->file->changes.begin(), shown_->file->changes.end(), [&](const cgdr::TriedChange& c) { return c.id == one.id; });
        const bool on = at != shown_->file->changes.end();
        // Without a number of its own a change says what it made of the launch.
        QVariant value = on && at->value ? QVariant(static_cast<double>(*at->value)) : QVariant();
        if (on && !at->value && shown_->report) {
            const cgdr::ScenarioReport& r = *shown_->report;
            if (one.id == "double-buffer") value = static_cast<double>(r.device.queue_num);
            if (one.id == "blocks") value = static_cast<double>(r.device.input.block_num);
            if (one.id == "serial-tiles") value = static_cast<double>(r.serial_tiles);
            if (one.id == "v-step") value = static_cast<double>(r.device.input.v_step);
        }
        list << QVariantMap{{"id", to_q(one.id)}, {"question", to_q(one.question)}, {"on", on}, {"takes", to_q(one.value)},
                            {"value", value}};
    }
    return list;
}
int UbModel::tried() const { return isOperator() ? static_cast<int>(shown_->file->changes.size()) : 0; }

QVariantList UbModel::facts() const {
    QVariantList list;
    if (!shown_) return list;
    if (shown_->report) {
        const cgdr::ScenarioReport& r = *shown_->report;
        const bool same = r.books.host_branch.overlap == r.books.device_branch.overlap;
        const auto branch = [&](const QString& who, const cgdr::BranchReason& one) {
            list << fact(who, to_q(one.text) + (one.overlap ? tr(" → one region") : tr(" → apart")), same ? "" : "finding");
        };
        branch(tr("host branch"), r.books.host_branch);
        branch(tr("device branch"), r.books.device_branch);
        // Equal for every launch that the host makes itself; spec/ub.md 4.
        list << fact(tr("what parts them"),
                     tr("a launch whose block count is not the host's %1: a launcher, a tuner or a graph that sets it")
                         .arg(shown_->host->block_dim));
        list << fact(tr("queue VECOUT, num %1").arg(r.device.queue_num), QString::number(r.device.queue_ub_bytes()));
        list << fact(tr("used of %1").arg(shown_->file->input.ub_bytes), QString::number(r.named_end_bytes));
        list << fact(tr("slack"), QString::number(r.slack_bytes), r.slack_bytes < 0 ? "finding" : "");
        list << fact(tr("blocks launched"), QString::number(r.device.input.block_num));
        list << fact(tr("workspace"), tr("%1 B").arg(shown_->host->workspace_bytes));
        return list;
    }
    if (!shown_->partition) return list;
    const Partition& p = *shown_->partition;
    list << fact(tr("handed out"), tr("%1 of %2").arg(p.ub_used).arg(p.ub_bytes), p.ub_free < 0 ? "finding" : "");
    list << fact(tr("free"), QString::number(p.ub_free), p.ub_free < 0 ? "finding" : "");
    list << fact(tr("blocks"), QString::number(p.buffer_count));
    list << fact(tr("views take"), QString::number(p.device_used));
    for (const auto& [name, value] : p.derived) list << fact(to_q(name), QString::number(value));
    return list;
}

QVariantMap UbModel::placeOfFinding(int row) const {
    QVariantMap place{{"begin", 0}, {"end", 0}, {"target", -1.0}, {"work", false}};
    if (!plan_ || row < 0 || row >= diagnostics_.count()) return place;
    const DiagnosticsModel::Entry& entry = diagnostics_.entries()[static_cast<std::size_t>(row)];
    const TextSpan span = utf16_span(plan_->text, entry.diagnostic.span);
    place["begin"] = span.begin;
    place["end"] = span.end;
    place["work"] = entry.pass == 1;
    if (entry.pass != 0 || !shown_) return place;
    for (const Finding& finding : plan_->findings) {
        if (finding.diagnostic() != entry.diagnostic) continue;
        const std::string subject = finding.subject.substr(0, finding.subject.find('|'));
        for (const UbRow& one : ub_rows(*shown_)) {
            if (one.name == subject) place["target"] = static_cast<double>(figure::ub_target_id(one.target));
        }
    }
    return place;
}

void UbModel::copyText() {
    QGuiApplication::clipboard()->setText(text());
    emit said(tr("Copied the text"));
}

} // namespace ls::models
