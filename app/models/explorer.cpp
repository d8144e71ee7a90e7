// The field and the document: text in, checked layout out.
#include "app/models/explorer.h"

#include <array>

#include <QtConcurrent/QtConcurrentRun>

#include "app/models/text.h"
#include "core/notation/notation.h"

namespace ls::models {

namespace {

constexpr std::array kShownNotations{Notation::Tirx,    Notation::Cute,  Notation::Pypto,
                                     Notation::PtoView, Notation::Named, Notation::Triton};

} // namespace

Explorer::Explorer(QObject* parent) : QObject(parent) {}

Explorer::~Explorer() {
    // Workers hold what they need by value; they are only told to stop.
    if (element_cancel_) element_cancel_->store(true);
}

void Explorer::setDocuments(DocumentsModel* documents) {
    if (documents == documents_) return;
    if (documents_) documents_->disconnect(this);
    documents_ = documents;
    if (documents_) {
        connect(documents_, &DocumentsModel::replaced, this, &Explorer::loadFromDocument);
        loadFromDocument();
    }
    emit documentsChanged();
}

void Explorer::loadFromDocument() {
    const session::Document* document = documents_ ? documents_->current() : nullptr;
    if (!document || document->state().kind != session::DocumentKind::Layout) return;
    const QString text = to_q(document->state().text);
    state_ = ExplorerState::from_json(document->state().view);
    hover_.reset();
    hole_.reset();
    if (text != text_) {
        text_ = text;
        emit textChanged();
        // Another document: the last good picture of the one before says nothing about it.
        shown_.reset();
    }
    check();
    emit compareChanged();
}

void Explorer::store(const QString& step, const std::string& merge_key) {
    if (!documents_ || !documents_->current() || documents_->current()->state().kind != session::DocumentKind::Layout)
        return;
    session::DocumentState next = documents_->current()->state();
    next.text = to_std(text_);
    next.view = state_.to_json();
    documents_->edit(step, std::move(next), merge_key);
}

void Explorer::setText(const QString& text) {
    if (text == text_) return;
    text_ = text;
    emit textChanged();
    store(tr("Type layout"), "type");
    check();
}

void Explorer::check() {
    const std::string utf8 = to_std(text_);
    if (text_.trimmed().isEmpty()) {
        // Nothing typed is not a mistake: no picture, no message.
        read_.reset();
        error_.reset();
        setBusy(false);
        emit checked();
        show(nullptr);
        return;
    }
    auto layout = read_layout(utf8);
    if (!layout.ok()) {
        read_.reset();
        refuse(std::move(layout).error());
        return;
    }
    read_ = std::move(layout).value();
    error_.reset();
    emit checked();
    if (documents_ && documents_->current() && !documents_->current()->path()) {
        const QString name = to_q(read_->name).simplified();
        documents_->setTitle(name.isEmpty() ? text_.simplified().left(28) : name.left(36));
    }
    dropMarksOutside();
    rebuild();
}

void Explorer::refuse(Diagnostic why) {
    error_span_ = utf16_span(to_std(text_), why.span);
    error_ = std::move(why);
    setBusy(false);
    emit checked();
}

void Explorer::rebuild() {
    if (!read_) return;
    delete builder_;
    builder_ = nullptr;
    // Axes of another rank, or a colouring that this memory has not, give way to the defaults.
    const std::size_t rank = read_->shape.size();
    if (state_.axes &&
        (state_.axes->fixed.size() != rank || state_.axes->row_dim >= rank || state_.axes->col_dim >= rank))
        state_.axes.reset();
    const auto build = [layout = *read_, options = state_.options(*read_)]() -> BuildAnswer {
        auto built = LayoutSnapshot::build(layout, options);
        if (built.ok()) return {std::move(built).value(), {}};
        return {nullptr, std::move(built).error()};
    };
    const auto take = [this](BuildAnswer answer) {
        if (answer.built)
            show(std::move(answer.built));
        else
            refuse(std::move(*answer.why));
    };
    const std::int64_t elements = element_count(*read_);
    if (elements >= 0 && elements <= LayoutSnapshot::kInlineElements) {
        setBusy(false);
        take(build());
        return;
    }
    setBusy(true);
    builder_ = new QFutureWatcher<BuildAnswer>(this);
    connect(builder_, &QFutureWatcher<BuildAnswer>::finished, this, [this, take, watcher = builder_] {
        if (watcher != builder_) return;
        builder_->deleteLater();
        builder_ = nullptr;
        setBusy(false);
        take(watcher->result());
    });
    builder_->setFuture(QtConcurrent::run(build));
}

void Explorer::cancel() {
    if (!builder_) return;
    // The worker runs to its end unheard; the picture stays as it was.
    delete builder_;
    builder_ = nullptr;
    setBusy(false);
}

void Explorer::setBusy(bool busy) {
    if (busy == busy_) return;
    busy_ = busy;
    emit busyChanged();
}

void Explorer::show(std::shared_ptr<const LayoutSnapshot> snapshot) {
    shown_ = std::move(snapshot);
    notations_.clear();
    canonical_.clear();
    properties_ = {};
    if (shown_) {
        const TensorLayout& layout = shown_->figure->layout();
        properties_ = views::PropertiesHandle(shown_->properties);
        for (const Notation notation : kShownNotations) {
            auto text = print_as(layout, notation);
            if (!text.ok()) continue;
            const QString words = to_q(*text);
            if (notation == Notation::Tirx) canonical_ = words;
            if (notation == Notation::Named && words == text_.trimmed()) continue;
            notations_ << QVariantMap{{"name", to_q(info(notation).name)}, {"text", words}};
        }
    }
    emit shown();
    emit marksChanged();
    emit hoverChanged();
    refreshFormula();
    queryElements();
    compareNow();
}

QString Explorer::errorCode() const { return error_ ? to_q(error_->code) : QString(); }
QString Explorer::errorMessage() const { return error_ ? to_q(error_->message) : QString(); }
QString Explorer::errorHint() const { return error_ ? to_q(error_->hint) : QString(); }
int Explorer::errorBegin() const { return error_ ? error_span_.begin : 0; }
int Explorer::errorEnd() const { return error_ ? error_span_.end : 0; }

} // namespace ls::models
