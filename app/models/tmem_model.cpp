#include "app/models/tmem_model.h"

#include <algorithm>
#include <array>

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include "app/models/text.h"
#include "core/figure/k_step_color.h"
#include "core/notation/notation.h"

namespace ls::models {

namespace {

constexpr std::array kDtypes{DType::Fp16, DType::Bf16, DType::Fp8E4M3, DType::Fp8E5M2, DType::Tf32};
constexpr int kSwizzles = 4;

struct NumberField {
    const char* key;
    const char* label;
    std::int64_t (*get)(const tirx::GemmSubject&);
    void (*set)(tirx::GemmSubject&, std::int64_t);
    std::int64_t low, high, step;
};
constexpr std::array kNumbers{
    NumberField{"m", "M", [](const tirx::GemmSubject& s) { return s.m; }, [](tirx::GemmSubject& s, std::int64_t v) { s.m = v; }, 1, 65536, 64},
    NumberField{"n", "N", [](const tirx::GemmSubject& s) { return s.n; }, [](tirx::GemmSubject& s, std::int64_t v) { s.n = v; }, 1, 65536, 16},
    NumberField{"k", "K", [](const tirx::GemmSubject& s) { return s.k; }, [](tirx::GemmSubject& s, std::int64_t v) { s.k = v; }, 1, 65536, 16},
    NumberField{"a", "A at", [](const tirx::GemmSubject& s) { return s.a.address_bytes; }, [](tirx::GemmSubject& s, std::int64_t v) { s.a.address_bytes = v; }, 0, (1 << 18) - 16, 1024},
    NumberField{"b", "B at", [](const tirx::GemmSubject& s) { return s.b.address_bytes; }, [](tirx::GemmSubject& s, std::int64_t v) { s.b.address_bytes = v; }, 0, (1 << 18) - 16, 1024},
    NumberField{"c", "C column", [](const tirx::GemmSubject& s) { return s.c_first_column; }, [](tirx::GemmSubject& s, std::int64_t v) { s.c_first_column = v; }, 0, 511, 16},
    NumberField{"stages", "stages", [](const tirx::GemmSubject& s) { return s.a.stages; },
                [](tirx::GemmSubject& s, std::int64_t v) {
                    for (tirx::GemmShared* one : {&s.a, &s.b}) {
                        one->stages = v;
                        one->stage = std::min(one->stage, v - 1);
                    }
                }, 1, 64, 1},
    NumberField{"stage", "stage", [](const tirx::GemmSubject& s) { return s.a.stage; },
                [](tirx::GemmSubject& s, std::int64_t v) {
                    for (tirx::GemmShared* one : {&s.a, &s.b}) one->stage = std::clamp<std::int64_t>(v, 0, one->stages - 1);
                }, 0, 63, 1}};

struct SwitchField {
    const char* key;
    const char* text;
    bool (*get)(const tirx::GemmSubject&);
    void (*flip)(tirx::GemmSubject&);
};
constexpr std::array kSwitches{
    SwitchField{"transA", "transA", [](const tirx::GemmSubject& s) { return s.a.transposed; }, [](tirx::GemmSubject& s) { s.a.transposed = !s.a.transposed; }},
    SwitchField{"transB", "transB", [](const tirx::GemmSubject& s) { return s.b.transposed; }, [](tirx::GemmSubject& s) { s.b.transposed = !s.b.transposed; }},
    SwitchField{"cta2", "cta_group 2", [](const tirx::GemmSubject& s) { return s.cta_group == 2; }, [](tirx::GemmSubject& s) { s.cta_group = 3 - s.cta_group; }},
    SwitchField{"accum", "accum", [](const tirx::GemmSubject& s) { return s.accum; }, [](tirx::GemmSubject& s) { s.accum = !s.accum; }},
    SwitchField{"ws", "weight-stationary", [](const tirx::GemmSubject& s) { return s.weight_stationary; }, [](tirx::GemmSubject& s) { s.weight_stationary = !s.weight_stationary; }}};

} // namespace

TmemModel::TmemModel(QObject* parent) : QObject(parent) {}
TmemModel::~TmemModel() = default;

void TmemModel::setDocuments(DocumentsModel* documents) {
    if (documents == documents_) return;
    if (documents_) documents_->disconnect(this);
    documents_ = documents;
    if (documents_) {
        connect(documents_, &DocumentsModel::stateChanged, this, &TmemModel::follow);
        follow();
    }
    emit documentsChanged();
}

void TmemModel::follow() {
    const session::Document* document = documents_ ? documents_->current() : nullptr;
    if (!document) {
        if (documents_ && documents_->count() == 0 && read_) {
            read_ = shown_ = nullptr;
            table_ = {};
            diagnostics_.show({});
            emit planChanged();
            emit tableChanged();
        }
        return;
    }
    if (document->state().kind != session::DocumentKind::Gemm) return;
    if (!read_ || read_->text != document->state().text) read(document->state().text);
}

void TmemModel::read(const std::string& text) {
    read_ = std::make_shared<const TmemBench>(read_bench(text));
    if (!read_->refusal) shown_ = read_;
    std::vector<DiagnosticsModel::Entry> entries;
    if (read_->refusal) {
        const auto& why = *read_->refusal;
        entries.push_back({why, -1, why.span.empty() ? QString() : tr("line %1, column %2").arg(line_column(text, why.span.begin).line).arg(line_column(text, why.span.begin).column)});
    } else if (shown_->bench.refusal) {
        entries.push_back({*shown_->bench.refusal, 0, QStringLiteral("gemm_async")});
    }
    if (!read_->refusal) {
        for (const tirx::GemmSide* side : {&shown_->bench.a, &shown_->bench.b}) {
            if (!side->report || !side->report->witness) continue;
            const auto& w = *side->report->witness;
            entries.push_back({error("DESC_WALK",
                                     "element (" + std::to_string(w.mn) + ", " + std::to_string(w.k) + ") of " + side->operand.name + " lies at byte " + to_std(hex(w.layout_byte)) +
                                         ", but the descriptor leads to byte " + to_std(hex(w.hardware_byte)),
                                     "start the buffer at a multiple of the swizzle's period"),
                               0, to_q(side->operand.name)});
        }
    }
    diagnostics_.show(std::move(entries));
    step_ = std::clamp(step_, 0, std::max(0, steps() - 1));
    if (steps() > 1 && step_ == 0 && !table_.valid()) step_ = 1; // the first step whose address differs from the buffer's
    if (shown_) table_ = views::TableHandle(tmem_steps_table(*shown_, unit_));
    look_ = {};
    emit planChanged();
    emit tableChanged();
    emit stepChanged();
    emit traceChanged();
    emit lookChanged();
}

QString TmemModel::errorCode() const { return refused() ? to_q(read_->refusal->code) : shown_ && shown_->bench.refusal ? to_q(shown_->bench.refusal->code) : QString(); }
QString TmemModel::errorMessage() const { return refused() ? to_q(read_->refusal->message) : shown_ && shown_->bench.refusal ? to_q(shown_->bench.refusal->message) : QString(); }
QString TmemModel::errorHint() const { return refused() ? to_q(read_->refusal->hint) : shown_ && shown_->bench.refusal ? to_q(shown_->bench.refusal->hint) : QString(); }
int TmemModel::errorBegin() const { return refused() ? utf16_span(read_->text, read_->refusal->span).begin : 0; }
int TmemModel::errorEnd() const { return refused() ? utf16_span(read_->text, read_->refusal->span).end : 0; }
int TmemModel::errorLine() const {
    return refused() && !read_->refusal->span.empty() ? static_cast<int>(line_column(read_->text, read_->refusal->span.begin).line) : 0;
}
QString TmemModel::text() const { return read_ ? to_q(read_->text) : QString(); }

QString TmemModel::formula() const {
    if (!shown_) return {};
    const tirx::GemmSubject& s = shown_->bench.subject;
    const QString type = to_q(info(s.dtype).brief);
    const std::int64_t n_here = s.n / s.cta_group;
    const QString a = s.a.transposed ? QStringLiteral("A[%1,%2]ᵀ").arg(s.k).arg(s.m) : QStringLiteral("A[%1,%2]").arg(s.m).arg(s.k);
    const QString b = s.b.transposed ? QStringLiteral("B[%1,%2]").arg(s.k).arg(n_here) : QStringLiteral("B[%1,%2]ᵀ").arg(n_here).arg(s.k);
    return QStringLiteral("C[%1,%2] f32 tmem %3 %4 · %5 %6").arg(s.m).arg(s.n).arg(s.accum ? QStringLiteral("+=") : QStringLiteral("="), a, b, type);
}

QVariantList TmemModel::pills() const {
    QVariantList list;
    const auto add = [&](const QString& words, const char* tone) { list << QVariantMap{{"text", words}, {"tone", QLatin1String(tone)}}; };
    if (!shown_) return list;
    if (refused()) {
        add(tr("text not read"), "finding");
        return list;
    }
    if (!planned()) {
        add(tr("refused"), "finding");
        return list;
    }
    const auto& plan = *shown_->bench.plan;
    add(tr("variant tcgen05"), "fine");
    add(QStringLiteral("kind::%1").arg(to_q(tensor_core::name(plan.kind))), "neutral");
    add(QStringLiteral("cta_group %1%2").arg(plan.cta_group).arg(plan.weight_stationary ? QStringLiteral(" .ws") : QString()), "neutral");
    add(tr("%1 × MMA %2×%3×%4").arg(steps()).arg(plan.tile.m * plan.cta_group).arg(plan.tile.n).arg(plan.mma_k), "neutral");
    return list;
}

QStringList TmemModel::dtypes() const {
    QStringList names;
    for (const DType type : kDtypes) names << to_q(info(type).brief);
    return names;
}
int TmemModel::dtypeIndex() const {
    if (!shown_) return -1;
    const auto at = std::find(kDtypes.begin(), kDtypes.end(), shown_->bench.subject.dtype);
    return at == kDtypes.end() ? -1 : static_cast<int>(at - kDtypes.begin());
}
QStringList TmemModel::swizzles() const {
    QStringList names;
    for (int i = 0; i < kSwizzles; ++i) names << to_q(catalogue::name(static_cast<catalogue::SwizzleMode>(i)));
    return names;
}
int TmemModel::swizzleA() const { return shown_ && !shown_->bench.subject.a.layout ? static_cast<int>(shown_->bench.subject.a.swizzle) : -1; }
int TmemModel::swizzleB() const { return shown_ && !shown_->bench.subject.b.layout ? static_cast<int>(shown_->bench.subject.b.swizzle) : -1; }

QVariantList TmemModel::numbers() const {
    QVariantList list;
    if (!shown_) return list;
    const tirx::GemmSubject& s = shown_->bench.subject;
    for (const NumberField& one : kNumbers) {
        if (std::string_view(one.key) == "stage" && s.a.stages == 1) continue;
        list << QVariantMap{{"key", QLatin1String(one.key)}, {"label", QLatin1String(one.label)}, {"value", static_cast<double>(one.get(s))},
                            {"low", static_cast<double>(one.low)}, {"high", static_cast<double>(one.high)}, {"step", static_cast<double>(one.step)}};
    }
    return list;
}

QVariantList TmemModel::switches() const {
    QVariantList list;
    if (!shown_) return list;
    for (const SwitchField& one : kSwitches) list << QVariantMap{{"key", QLatin1String(one.key)}, {"text", QLatin1String(one.text)}, {"on", one.get(shown_->bench.subject)}};
    return list;
}

// --- the chosen instruction

const tirx::GemmStep* TmemModel::chosen() const {
    if (!shown_ || step_ < 0 || step_ >= steps()) return nullptr;
    return &shown_->bench.steps[static_cast<std::size_t>(step_)];
}
void TmemModel::setStep(int step) {
    const int wanted = std::clamp(step, 0, std::max(0, steps() - 1));
    if (wanted == step_) return;
    step_ = wanted;
    emit stepChanged();
}
int TmemModel::kStep() const { return chosen() ? static_cast<int>(chosen()->ki) : 0; }
void TmemModel::setKStep(int ki) {
    if (!chosen() || ki < 0 || ki >= kSteps()) return;
    setStep(step_ - kStep() + ki);
}
void TmemModel::setUnit(int unit) {
    if (unit == unit_) return;
    unit_ = std::clamp(unit, 0, 2);
    if (shown_) table_ = views::TableHandle(tmem_steps_table(*shown_, unit_));
    emit tableChanged();
    emit unitChanged();
}
void TmemModel::setSwizzled(bool on) {
    if (on == swizzled_) return;
    swizzled_ = on;
    emit swizzledChanged();
    emit lookChanged();
}
void TmemModel::setOfB(bool on) {
    if (on == of_b_) return;
    of_b_ = on;
    emit ofBChanged();
    emit traceChanged();
}

QVariantList TmemModel::trace() const {
    QVariantList list;
    if (!shown_) return list;
    for (const tirx::TraceRow& row : shown_->bench.trace(of_b_)) list << QVariantMap{{"name", to_q(row.what)}, {"value", to_q(row.value)}};
    return list;
}

void TmemModel::setLook(const TmemLook& look) {
    if (look == look_) return;
    look_ = look;
    emit lookChanged();
}
QString TmemModel::lookText() const { return shown_ ? to_q(tmem_look_text(*shown_, look_, swizzled_)) : QString(); }

int TmemModel::kCategory(int step) const { return static_cast<int>(figure::k_step_category(step)); }

QString TmemModel::layoutText(const QString& part) const {
    if (!shown_) return {};
    const auto& bench = shown_->bench;
    const auto text = [](const std::optional<Layout>& layout, Shape shape, DType dtype) {
        if (!layout) return QString();
        TensorLayout tensor{*layout, std::move(shape), dtype, MemorySpace::Unknown, {}, {}, {}};
        return to_q(print_exact(tensor));
    };
    const auto shape_of = [](const tirx::Operand& operand) {
        Shape shape;
        for (const Dim& d : operand.shape) shape.push_back(d.constant().value_or(1));
        return shape;
    };
    if (part == QLatin1String("smem-a")) return text(bench.a.operand.layout, shape_of(bench.a.operand), bench.a.operand.dtype);
    if (part == QLatin1String("smem-b")) return text(bench.b.operand.layout, shape_of(bench.b.operand), bench.b.operand.dtype);
    if (part == QLatin1String("tmem")) return text(bench.c.layout, shape_of(bench.c), DType::Fp32);
    if (part == QLatin1String("registers") && bench.registers) return text(bench.registers->layout, bench.registers->shape, DType::Fp32);
    return {};
}

// --- changes of the document

void TmemModel::editText(const QString& step, std::string text, const std::string& merge_key) {
    const session::Document* document = documents_ ? documents_->current() : nullptr;
    if (!document || document->state().kind != session::DocumentKind::Gemm) return;
    session::DocumentState next = document->state();
    next.text = std::move(text);
    documents_->edit(step, std::move(next), merge_key);
}

void TmemModel::edit(const QString& step, const std::function<void(tirx::GemmSubject&)>& change, const std::string& merge_key) {
    if (!shown_ || refused()) return;
    tirx::GemmSubject subject = shown_->bench.subject;
    change(subject);
    if (subject == shown_->bench.subject) return;
    editText(step, tirx::write_gemm_subject(subject), merge_key);
}

void TmemModel::setText(const QString& text) {
    if (read_ && to_q(read_->text) == text) return;
    editText(tr("Edit text"), to_std(text), "gemm/text");
}

void TmemModel::setNumber(const QString& key, double value) {
    for (const NumberField& one : kNumbers) {
        if (key != QLatin1String(one.key)) continue;
        const auto wanted = std::clamp(static_cast<std::int64_t>(value), one.low, one.high);
        edit(tr("Set %1 to %2").arg(QLatin1String(one.label)).arg(wanted), [&](tirx::GemmSubject& s) { one.set(s, wanted); }, "gemm/" + to_std(key));
    }
}

void TmemModel::toggleSwitch(const QString& key) {
    for (const SwitchField& one : kSwitches) {
        if (key != QLatin1String(one.key)) continue;
        const bool on = shown_ && one.get(shown_->bench.subject);
        edit(on ? tr("Switch %1 off").arg(QLatin1String(one.text)) : tr("Switch %1 on").arg(QLatin1String(one.text)), one.flip);
    }
}

void TmemModel::setDtype(int index) {
    if (index < 0 || index >= static_cast<int>(kDtypes.size())) return;
    const DType type = kDtypes[static_cast<std::size_t>(index)];
    edit(tr("Change the type to %1").arg(to_q(info(type).brief)), [&](tirx::GemmSubject& s) { s.dtype = type; });
}

void TmemModel::setSwizzle(bool b, int index) {
    if (index < 0 || index >= kSwizzles) return;
    const auto mode = static_cast<catalogue::SwizzleMode>(index);
    edit(tr("Swizzle %1 by %2").arg(b ? QStringLiteral("B") : QStringLiteral("A"), to_q(catalogue::name(mode))), [&](tirx::GemmSubject& s) {
        tirx::GemmShared& one = b ? s.b : s.a;
        one.swizzle = mode;
        one.layout.reset();
    });
}

void TmemModel::copyText() {
    QGuiApplication::clipboard()->setText(text());
    emit said(tr("Copied the text"));
}

void TmemModel::copyTable() {
    const auto& table = table_.table();
    if (!table) return;
    std::string all;
    const std::size_t columns = table->columns().size();
    for (std::size_t c = 0; c < columns; ++c) {
        if (c > 0) all += '\t';
        all += table->columns()[c].title;
    }
    all += '\n';
    for (std::int64_t r = 0; r < table->row_count(); ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
            if (c > 0) all += '\t';
            all += table->text(r, c);
        }
        all += '\n';
    }
    QGuiApplication::clipboard()->setText(to_q(all));
    emit said(tr("Copied the table of instructions"));
}

} // namespace ls::models
