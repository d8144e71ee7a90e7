#include "app/models/documents_model.h"

#include <utility>

#include <QtCore/QFileInfo>

#include "app/models/text.h"

namespace ls::models {

namespace {

constexpr std::size_t kMostClosed = 20;

std::filesystem::path path_of(const QUrl& file) {
    return std::filesystem::path(to_std(file.isLocalFile() ? file.toLocalFile() : file.toString()));
}

session::DocumentKind kind_from(const QString& kind) {
    if (kind == QLatin1String("program")) return session::DocumentKind::Program;
    if (kind == QLatin1String("ub")) return session::DocumentKind::UbModel;
    if (kind == QLatin1String("gemm")) return session::DocumentKind::Gemm;
    return session::DocumentKind::Layout;
}

} // namespace

DocumentsModel::DocumentsModel(QObject* parent) : QAbstractListModel(parent) {
    autosave_timer_.setSingleShot(true);
    autosave_timer_.setInterval(kAutosaveDelayMs);
    connect(&autosave_timer_, &QTimer::timeout, this, &DocumentsModel::flush);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &DocumentsModel::noticed);
}

DocumentsModel::~DocumentsModel() { flush(); }

QVariant DocumentsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const session::Document& document = documents_[static_cast<std::size_t>(index.row())].document;
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole: return to_q(document.title());
    case KindRole: return to_q(session::name(document.state().kind));
    case GlyphRole:
        return document.state().kind == session::DocumentKind::Layout ? QStringLiteral("explore")
                                                                      : QStringLiteral("file");
    case ModifiedRole: return document.modified() && document.path().has_value();
    case PathRole: return document.path() ? to_q(document.path()->string()) : QString();
    default: return {};
    }
}

QHash<int, QByteArray> DocumentsModel::roleNames() const {
    return {
        {TitleRole, "title"}, {KindRole, "kind"}, {GlyphRole, "glyph"}, {ModifiedRole, "modified"}, {PathRole, "path"}};
}

QString DocumentsModel::kind() const { return current() ? to_q(session::name(current()->state().kind)) : QString(); }
QString DocumentsModel::title() const { return current() ? to_q(current()->title()) : QString(); }
QString DocumentsModel::path() const {
    return current() && current()->path() ? to_q(current()->path()->string()) : QString();
}
QString DocumentsModel::text() const { return current() ? to_q(current()->state().text) : QString(); }
QString DocumentsModel::undoName() const { return current() ? to_q(current()->undo_name()) : QString(); }
QString DocumentsModel::redoName() const { return current() ? to_q(current()->redo_name()) : QString(); }

void DocumentsModel::setCurrentIndex(int index) {
    if (index < -1 || index >= count() || index == current_) return;
    if (auto* leaving = current_document()) leaving->close_merge();
    current_ = index;
    if (current_ >= 0) documents_[static_cast<std::size_t>(current_)].used = ++clock_;
    emit currentChanged();
    emit stateChanged();
    emit replaced();
}

void DocumentsModel::add(session::Document document) {
    watch(document);
    beginInsertRows({}, count(), count());
    documents_.push_back({std::move(document), ++clock_, false});
    endInsertRows();
    emit countChanged();
}

void DocumentsModel::openText(const QString& kind, const QString& text, const QString& title) {
    add(session::Document::untitled(kind_from(kind), to_std(text), to_std(title.isEmpty() ? tr("untitled") : title)));
    setCurrentIndex(count() - 1);
    touched();
    emit opened(title, {}, text, kind);
}

bool DocumentsModel::openFile(const QUrl& file) {
    const std::filesystem::path path = path_of(file);
    for (int i = 0; i < count(); ++i) {
        if (documents_[static_cast<std::size_t>(i)].document.path() == path) {
            setCurrentIndex(i);
            return true;
        }
    }
    auto document = session::Document::open(path);
    if (!document.ok()) {
        refuse(document.error());
        return false;
    }
    add(std::move(document).value());
    setCurrentIndex(count() - 1);
    touched();
    emit opened(title(), this->path(), {}, kind());
    return true;
}

void DocumentsModel::close(int index) {
    if (index < 0 || index >= count()) return;
    const auto at = documents_.begin() + index;
    if (at->document.path()) watcher_.removePath(to_q(at->document.path()->string()));
    closed_.push_back(at->document);
    if (closed_.size() > kMostClosed) closed_.pop_front();
    beginRemoveRows({}, index, index);
    documents_.erase(at);
    endRemoveRows();
    const bool was_current = index == current_;
    if (index < current_) --current_;
    if (was_current) {
        // What was used last comes to the front.
        current_ = -1;
        for (int i = 0; i < count(); ++i) {
            if (current_ < 0 ||
                documents_[static_cast<std::size_t>(i)].used > documents_[static_cast<std::size_t>(current_)].used)
                current_ = i;
        }
    }
    emit countChanged();
    emit currentChanged();
    emit stateChanged();
    if (was_current) emit replaced();
    touched();
}

void DocumentsModel::reopen() {
    if (closed_.empty()) return;
    session::Document document = std::move(closed_.back());
    closed_.pop_back();
    add(std::move(document));
    setCurrentIndex(count() - 1);
    touched();
}

bool DocumentsModel::modifiedAt(int index) const {
    return index >= 0 && index < count() && documents_[static_cast<std::size_t>(index)].document.modified();
}

bool DocumentsModel::hasFile(int index) const {
    return index >= 0 && index < count() && documents_[static_cast<std::size_t>(index)].document.path().has_value();
}

bool DocumentsModel::save() {
    if (!current() || !current()->path()) return false;
    return saveAs(QUrl::fromLocalFile(path()));
}

bool DocumentsModel::saveAs(const QUrl& file) {
    auto* document = current_document();
    if (!document) return false;
    // Our own writing must not be taken for somebody else's.
    const QString before = path();
    if (!before.isEmpty()) watcher_.removePath(before);
    const Status saved = document->save(path_of(file));
    if (saved.ok()) {
        document->set_title(to_std(QFileInfo(to_q(path_of(file).string())).fileName()));
        documents_[static_cast<std::size_t>(current_)].changed_on_disk = false;
    } else {
        refuse(saved.error());
    }
    watch(*document);
    touched();
    if (saved.ok()) emit opened(title(), path(), {}, kind());
    return saved.ok();
}

void DocumentsModel::undo() {
    if (!canUndo()) return;
    current_document()->undo();
    touched();
    emit replaced();
}

void DocumentsModel::redo() {
    if (!canRedo()) return;
    current_document()->redo();
    touched();
    emit replaced();
}

void DocumentsModel::edit(const QString& step, session::DocumentState next, const std::string& merge_key) {
    auto* document = current_document();
    if (!document || next == document->state()) return;
    document->edit(to_std(step), std::move(next), merge_key);
    touched();
}

void DocumentsModel::setTitle(const QString& title) {
    auto* document = current_document();
    if (!document || document->path() || document->title() == to_std(title)) return;
    document->set_title(to_std(title));
    touched();
}

int DocumentsModel::latestOf(const QString& kind) const {
    int latest = -1;
    for (int i = 0; i < count(); ++i) {
        const Open& one = documents_[static_cast<std::size_t>(i)];
        if (to_q(session::name(one.document.state().kind)) != kind) continue;
        if (latest < 0 || one.used > documents_[static_cast<std::size_t>(latest)].used) latest = i;
    }
    return latest;
}

void DocumentsModel::touched() {
    if (current_ >= 0) emit dataChanged(index(current_), index(current_));
    emit stateChanged();
    unsaved_ = true;
    if (autosave_ && !autosave_timer_.isActive()) autosave_timer_.start();
}

void DocumentsModel::setAutosaveFile(const QString& file) {
    autosave_ = file.isEmpty() ? nullptr : std::make_unique<session::Autosave>(std::filesystem::path(to_std(file)));
}

int DocumentsModel::restore() {
    if (!autosave_) return 0;
    auto saved = autosave_->restore();
    if (!saved.ok()) {
        refuse(saved.error());
        return 0;
    }
    const int before = count();
    for (session::Document& document : saved.value()) add(std::move(document));
    if (count() > before) setCurrentIndex(count() - 1);
    return count() - before;
}

void DocumentsModel::flush() {
    if (!autosave_ || !unsaved_) return;
    unsaved_ = false;
    autosave_timer_.stop();
    std::vector<const session::Document*> open;
    for (const Open& one : documents_) open.push_back(&one.document);
    if (const Status stored = autosave_->store(open); !stored.ok()) refuse(stored.error());
}

void DocumentsModel::watch(const session::Document& document) {
    if (document.path()) watcher_.addPath(to_q(document.path()->string()));
}

void DocumentsModel::noticed(const QString& path) {
    watcher_.addPath(path); // a file that was replaced by renaming falls out of the watcher
    for (Open& one : documents_) {
        if (!one.document.path() || to_q(one.document.path()->string()) != path) continue;
        auto text = session::read_file(*one.document.path());
        one.changed_on_disk = text.ok() && one.document.path()->extension() != ".lsc" &&
                              QString::fromStdString(*text).trimmed() != to_q(one.document.state().text).trimmed();
    }
    emit stateChanged();
}

void DocumentsModel::reload() {
    if (!changedOnDisk()) return;
    Open& open = documents_[static_cast<std::size_t>(current_)];
    auto text = session::read_file(*open.document.path());
    if (!text.ok()) {
        refuse(text.error());
        return;
    }
    session::DocumentState next = open.document.state();
    next.text = std::move(text).value();
    open.changed_on_disk = false;
    edit(tr("Reload from disk"), std::move(next));
    emit stateChanged();
    emit replaced();
}

void DocumentsModel::keepMine() {
    if (current_ < 0) return;
    documents_[static_cast<std::size_t>(current_)].changed_on_disk = false;
    emit stateChanged();
}

void DocumentsModel::refuse(const Diagnostic& why) { emit refused(to_q(why.code), to_q(why.message), to_q(why.hint)); }

} // namespace ls::models
