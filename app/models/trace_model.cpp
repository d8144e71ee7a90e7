#include "app/models/trace_model.h"

#include <algorithm>

#include <QtConcurrent/QtConcurrentRun>
#include <QtCore/QCoreApplication>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include "app/models/text.h"

namespace ls::models {

namespace {

QString place_text(std::string_view text, const Span& span) {
    if (span.empty() && span.begin == 0) return {};
    const LineColumn at = line_column(text, span.begin);
    return QObject::tr("line %1, column %2").arg(at.line).arg(at.column);
}

} // namespace

TraceModel::TraceModel(QObject* parent) : QObject(parent) {
    debounce_.setSingleShot(true);
    debounce_.setInterval(200);
    connect(&debounce_, &QTimer::timeout, this, &TraceModel::start);
}

TraceModel::~TraceModel() {
    if (stop_) stop_->store(true);
}

void TraceModel::setDocuments(DocumentsModel* documents) {
    if (documents == documents_) return;
    if (documents_) documents_->disconnect(this);
    documents_ = documents;
    if (documents_) {
        connect(documents_, &DocumentsModel::replaced, this, &TraceModel::documentReplaced);
        connect(documents_, &DocumentsModel::stateChanged, this, &TraceModel::documentReplaced);
        documentReplaced();
    }
    emit documentsChanged();
}

void TraceModel::documentReplaced() {
    const session::Document* document = documents_ ? documents_->current() : nullptr;
    if (!document || document->state().kind != session::DocumentKind::Program) return;
    if (document->state().text == running_text_ && options() == running_options_) return;
    start();
}

void TraceModel::start() {
    const session::Document* document = documents_ ? documents_->current() : nullptr;
    if (!document || document->state().kind != session::DocumentKind::Program) return;
    cancel();
    running_text_ = document->state().text;
    running_options_ = options();
    emit optionsChanged();
    stop_ = std::make_shared<std::atomic<bool>>(false);
    const QPointer<TraceModel> self(this);
    const TraceProgress report = [self, stop = stop_](int done, int all, const std::string& what) {
        QMetaObject::invokeMethod(QCoreApplication::instance(), [self, stop, done, all, words = to_q(what)] {
            if (!self || stop->load()) return;
            self->progress_ = all > 0 ? static_cast<double>(done) / all : -1;
            self->progress_text_ = words;
            emit self->progressChanged();
        });
        return !stop->load();
    };
    watcher_ = new QFutureWatcher<Answer>(this);
    connect(watcher_, &QFutureWatcher<Answer>::finished, this, [this, watcher = watcher_] {
        watcher->deleteLater();
        if (watcher != watcher_) return;
        watcher_ = nullptr;
        emit busyChanged();
        take(watcher->result());
    });
    watcher_->setFuture(QtConcurrent::run([text = running_text_, options = running_options_, report]() -> Answer {
        return std::make_shared<const TraceData>(trace_program(text, options, report));
    }));
    emit busyChanged();
}

void TraceModel::cancel() {
    if (stop_) stop_->store(true);
    if (!watcher_) return;
    watcher_->disconnect(this);
    watcher_->deleteLater();
    watcher_ = nullptr;
    running_text_.clear();
    emit busyChanged();
}

void TraceModel::finish() {
    if (debounce_.isActive()) start();
    if (!watcher_) return;
    QFutureWatcher<Answer>* watcher = watcher_;
    watcher->disconnect(this);
    watcher->waitForFinished();
    watcher_ = nullptr;
    emit busyChanged();
    take(watcher->result());
    watcher->deleteLater();
}

void TraceModel::take(Answer answer) {
    const QString was = name();
    trace_ = std::move(answer);
    std::vector<DiagnosticsModel::Entry> entries;
    for (const Diagnostic& one : trace_->reading) entries.push_back({one, -1, place_text(running_text_, one.span), -1});
    for (int i = 0; i < count(); ++i) {
        const TracePass& here = trace_->passes[static_cast<std::size_t>(i)];
        int number = 0;
        for (const Diagnostic& one : here.diagnostics)
            entries.push_back({one, i, place_text(*here.text, one.span), number++});
    }
    diagnostics_.show(std::move(entries));
    strip_.show(trace_);
    // The pass that was looked at, by name; else where it was refused; else the last that changed something.
    int wanted = -1;
    for (int i = 0; i < count(); ++i) {
        if (!was.isEmpty() && to_q(trace_->passes[static_cast<std::size_t>(i)].name) == was) wanted = i;
    }
    for (int i = 0; i < count() && wanted < 0; ++i) {
        if (trace_->passes[static_cast<std::size_t>(i)].state == TracePass::State::Refused) wanted = i;
    }
    access_ = std::clamp(access_, 0, std::max(0, trace_->accesses.count() - 1));
    element_row_ = element_column_ = 0;
    if (wanted >= 0 && pass(wanted)->state == TracePass::State::Refused)
        showRefusedAccess(*pass(wanted));
    else if (was.isEmpty())
        showWhereCoordinatesChange(wanted);
    // Where layouts become addresses or instructions; else the last pass that changed something.
    for (int i = 1; i < count() && wanted < 0; ++i) {
        const TracePass& one = trace_->passes[static_cast<std::size_t>(i)];
        const bool tells = one.name == "BlockNzTensorViews" || one.name == "TilePrimitiveDispatch";
        if (tells && one.state == TracePass::State::Changed) wanted = i;
    }
    for (int i = count() - 1; i > 0 && wanted < 0; --i) {
        if (trace_->passes[static_cast<std::size_t>(i)].state == TracePass::State::Changed) wanted = i;
    }
    current_ = std::max(0, wanted);
    kernel_ = std::clamp(kernel_, 0, std::max(0, static_cast<int>(trace_->kernels.size()) - 1));
    finding_ = -1;
    emit traceChanged();
    emit findingChanged();
    showCurrent();
    emit accessChanged();
    setKernel(kernel_);
}

void TraceModel::showRefusedAccess(const TracePass& refused) {
    for (const TextMark& mark : marksOf(refused)) {
        if (mark.line >= static_cast<int>(refused.line_access.size())) continue;
        if (const int access = refused.line_access[static_cast<std::size_t>(mark.line)]; access >= 0) {
            access_ = access;
            return;
        }
    }
}

void TraceModel::showWhereCoordinatesChange(int& wanted) {
    for (int access = 0; access < trace_->accesses.count(); ++access) {
        const auto tracked = trace_->accesses.track(access, 0, 0);
        for (std::size_t i = 1; i < tracked.size(); ++i) {
            if (tracked[i].coordinate == tracked[i - 1].coordinate || tracked[i].coordinate.empty()) continue;
            access_ = access;
            if (wanted < 0) wanted = static_cast<int>(i);
            return;
        }
    }
}

const TracePass* TraceModel::pass(int position) const {
    return position >= 0 && position < count() ? &trace_->passes[static_cast<std::size_t>(position)] : nullptr;
}

int TraceModel::changedCount() const {
    return trace_ ? static_cast<int>(
                        std::count_if(trace_->passes.begin(), trace_->passes.end(),
                                      [](const TracePass& one) { return one.state == TracePass::State::Changed; }))
                  : 0;
}

void TraceModel::setCurrent(int position) {
    if (!pass(position) || position == current_) return;
    current_ = position;
    showCurrent();
}

QString TraceModel::number() const {
    return pass(current_) ? QStringLiteral("%1").arg(pass(current_)->number, 2, 10, QLatin1Char('0')) : QString();
}
QString TraceModel::name() const { return pass(current_) ? to_q(pass(current_)->name) : QString(); }
QString TraceModel::about() const { return pass(current_) ? to_q(pass(current_)->about) : QString(); }

QString TraceModel::beforeName() const {
    const TracePass* before = pass(current_ - 1);
    return before ? QStringLiteral("%1 %2").arg(before->number, 2, 10, QLatin1Char('0')).arg(to_q(before->name))
                  : QString();
}

bool TraceModel::changedHere() const {
    return pass(current_) && current_ > 0 && pass(current_)->state != TracePass::State::Same;
}

std::vector<TextMark> TraceModel::marksOf(const TracePass& here) const {
    std::vector<TextMark> marks;
    for (const Diagnostic& one : here.diagnostics) {
        if (one.severity != Severity::Error || (one.span.empty() && one.span.begin == 0)) continue;
        const LineColumn at = line_column(*here.text, one.span.begin);
        const std::size_t line_begin = one.span.begin - (at.column - 1);
        const std::size_t line_end = std::min(here.text->find('\n', line_begin), here.text->size());
        const std::string_view line(here.text->data() + line_begin, line_end - line_begin);
        const TextSpan span =
            utf16_span(line, {one.span.begin - line_begin, std::min(one.span.end, line_end) - line_begin});
        marks.push_back({static_cast<int>(at.line) - 1, span.begin, span.end});
    }
    return marks;
}

void TraceModel::showCurrent() {
    const TracePass* here = pass(current_);
    const TracePass* before = pass(current_ - 1);
    const QString language = trace_ ? to_q(trace_->language) : QString();
    if (!here) {
        // It could not be read: the text as it was typed, with what is wrong in it.
        TracePass source;
        source.text = std::make_shared<const std::string>(running_text_);
        if (trace_) source.diagnostics = trace_->reading;
        diff_.showOne(to_q(running_text_), language, marksOf(source));
    } else if (here->state == TracePass::State::NotRun) {
        diff_.showOne({}, language);
    } else if (!before || !diff_on_) {
        diff_.showOne(to_q(*here->text), language, marksOf(*here));
    } else {
        // After a refusal the program is followed up to the line that was refused.
        const auto marks = marksOf(*here);
        const int stopped = here->state == TracePass::State::Refused && !marks.empty() ? marks.front().line + 1 : -1;
        diff_.show(to_q(*before->text), to_q(*here->text), language, marks, stopped);
    }
    proofs_.show(here ? here->proofs : std::vector<figure::CoordinateProofs>{},
                 here && here->state == TracePass::State::Refused ? trace_->clamped : std::nullopt);
    showPicture();
    emit currentChanged();
}

void TraceModel::showPicture() {
    picture_ = trace_ && trace_->accesses.count() > 0 ? trace_->accesses.picture(access_, snapshot()) : AccessPicture{};
    logical_ = views::GridHandle(picture_.logical);
    physical_ = views::GridHandle(picture_.physical);
    emit pictureChanged();
}

QString TraceModel::pictureTensor() const { return to_q(picture_.tensor); }
QString TraceModel::pictureWindow() const { return to_q(picture_.window); }
QString TraceModel::pictureBursts() const { return to_q(picture_.bursts); }
QString TraceModel::pictureWhy() const { return to_q(picture_.why); }

QStringList TraceModel::accesses() const {
    QStringList list;
    for (int i = 0; trace_ && i < trace_->accesses.count(); ++i) list << to_q(trace_->accesses.text(i));
    return list;
}

void TraceModel::setAccess(int access) {
    if (!trace_ || access < 0 || access >= trace_->accesses.count() || access == access_) return;
    access_ = access;
    element_row_ = element_column_ = 0;
    showPicture();
    emit accessChanged();
}

void TraceModel::setElementRow(double row) {
    const auto wanted = static_cast<std::int64_t>(std::clamp(row, 0.0, std::max(0.0, accessRows() - 1)));
    if (wanted == element_row_) return;
    element_row_ = wanted;
    emit accessChanged();
}

void TraceModel::setElementColumn(double column) {
    const auto wanted = static_cast<std::int64_t>(std::clamp(column, 0.0, std::max(0.0, accessColumns() - 1)));
    if (wanted == element_column_) return;
    element_column_ = wanted;
    emit accessChanged();
}

QVariantList TraceModel::track() const {
    QVariantList list;
    if (!trace_ || trace_->accesses.count() == 0) return list;
    QString before;
    const auto tracked = trace_->accesses.track(access_, element_row_, element_column_);
    for (std::size_t i = 0; i < tracked.size(); ++i) {
        const TrackedElement& one = tracked[i];
        // Passes that said nothing new about it are left out; the first and the last always stand.
        const QString now = to_q(one.coordinate + one.address + one.why);
        if (now == before && i + 1 < tracked.size()) continue;
        before = now;
        const TracePass& here = trace_->passes[i];
        list << QVariantMap{{"position", static_cast<int>(i)},
                            {"number", here.number},
                            {"pass", to_q(here.name)},
                            {"coordinate", to_q(one.coordinate)},
                            {"address", to_q(one.address)},
                            {"why", to_q(one.why)},
                            {"moved", one.moved}};
    }
    return list;
}

bool TraceModel::chooseRow(int row) {
    const TracePass* here = pass(current_);
    const int line = diff_.lineAt(row);
    if (!here || line < 1 || line > static_cast<int>(here->line_access.size())) return false;
    const int access = here->line_access[static_cast<std::size_t>(line) - 1];
    if (access >= 0) setAccess(access);
    return access >= 0;
}

int TraceModel::sourceLineOfKernel(int row) const {
    if (!trace_ || kernel_ < 0 || kernel_ >= static_cast<int>(trace_->kernels.size())) return 0;
    const auto& lines = trace_->kernels[static_cast<std::size_t>(kernel_)].lines;
    return row >= 0 && row < static_cast<int>(lines.size()) ? lines[static_cast<std::size_t>(row)] : 0;
}

void TraceModel::setDiffOn(bool on) {
    if (on == diff_on_) return;
    diff_on_ = on;
    showCurrent();
}

void TraceModel::step(int direction, bool every) {
    for (int i = current_ + direction; pass(i); i += direction) {
        const TracePass::State state = pass(i)->state;
        if (every || i == 0 || state == TracePass::State::Changed || state == TracePass::State::Refused) {
            setCurrent(i);
            return;
        }
    }
}

int TraceModel::goToFinding(int row) {
    if (row < 0 || row >= diagnostics_.count()) return 0;
    const auto& entry = diagnostics_.entries()[static_cast<std::size_t>(row)];
    if (entry.pass >= 0) setCurrent(entry.pass);
    setFinding(row);
    if (entry.diagnostic.span.empty() && entry.diagnostic.span.begin == 0) return 0;
    const TracePass* here = pass(current_);
    return static_cast<int>(
        line_column(here ? std::string_view(*here->text) : std::string_view(running_text_), entry.diagnostic.span.begin)
            .line);
}

QVariantList TraceModel::kernels() const {
    QVariantList list;
    if (!trace_) return list;
    for (const KernelSource& one : trace_->kernels) {
        const bool refused = one.text.empty();
        list << QVariantMap{{"title", to_q(one.title)},
                            {"file", to_q(one.file)},
                            {"language", to_q(one.language)},
                            {"refused", refused},
                            {"why", refused && !one.diagnostics.empty()
                                        ? to_q(one.diagnostics.front().code + ": " + one.diagnostics.front().message)
                                        : QString()}};
    }
    return list;
}

void TraceModel::setKernel(int index) {
    kernel_ = index;
    if (trace_ && index >= 0 && index < static_cast<int>(trace_->kernels.size())) {
        const KernelSource& one = trace_->kernels[static_cast<std::size_t>(index)];
        kernel_text_.showOne(to_q(one.text), to_q(one.language));
    } else {
        kernel_text_.showOne({}, QStringLiteral("cpp"));
    }
    emit kernelChanged();
}

void TraceModel::copyKernel() {
    QGuiApplication::clipboard()->setText(kernel_text_.rightText());
    emit said(tr("Copied the source"));
}

void TraceModel::copyText() {
    if (!pass(current_)) return;
    QGuiApplication::clipboard()->setText(to_q(*pass(current_)->text));
    emit said(tr("Copied the program after %1").arg(name()));
}

bool TraceModel::saveKernel(const QUrl& file) {
    const Status written = session::write_file_atomically(std::filesystem::path(to_std(file.toLocalFile())),
                                                          to_std(kernel_text_.rightText()));
    emit said(written.ok() ? tr("Wrote %1").arg(file.fileName()) : to_q(written.error().message));
    return written.ok();
}

} // namespace ls::models
