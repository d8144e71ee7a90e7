// The open documents as the window's tabs: switching, editing with undo, saving, and an autosave that never lags behind
// by more than a second.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include <QtCore/QAbstractListModel>
#include <QtCore/QFileSystemWatcher>
#include <QtCore/QTimer>
#include <QtCore/QUrl>
#include <QtQml/qqmlregistration.h>

#include "core/session/document.h"

namespace ls::models {

class DocumentsModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(int currentIndex READ currentIndex WRITE setCurrentIndex NOTIFY currentChanged)
    /// "layout", "program", "ub", "gemm"; empty when nothing is open.
    Q_PROPERTY(QString kind READ kind NOTIFY currentChanged)
    Q_PROPERTY(QString title READ title NOTIFY stateChanged)
    Q_PROPERTY(QString path READ path NOTIFY stateChanged)
    Q_PROPERTY(QString text READ text NOTIFY stateChanged)
    Q_PROPERTY(bool modified READ modified NOTIFY stateChanged)
    Q_PROPERTY(bool canUndo READ canUndo NOTIFY stateChanged)
    Q_PROPERTY(bool canRedo READ canRedo NOTIFY stateChanged)
    Q_PROPERTY(QString undoName READ undoName NOTIFY stateChanged)
    Q_PROPERTY(QString redoName READ redoName NOTIFY stateChanged)
    Q_PROPERTY(bool canReopen READ canReopen NOTIFY countChanged)
    /// The current document's file was written by somebody else.
    Q_PROPERTY(bool changedOnDisk READ changedOnDisk NOTIFY stateChanged)

public:
    enum Role { TitleRole = Qt::UserRole + 1, KindRole, GlyphRole, ModifiedRole, PathRole };

    explicit DocumentsModel(QObject* parent = nullptr);
    ~DocumentsModel() override;

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : count(); }
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return static_cast<int>(documents_.size()); }
    int currentIndex() const { return current_; }
    void setCurrentIndex(int index);
    const session::Document* current() const {
        return current_ < 0 ? nullptr : &documents_[static_cast<std::size_t>(current_)].document;
    }

    QString kind() const;
    QString title() const;
    QString path() const;
    QString text() const;
    bool modified() const { return current() && current()->modified(); }
    bool canUndo() const { return current() && current()->can_undo(); }
    bool canRedo() const { return current() && current()->can_redo(); }
    QString undoName() const;
    QString redoName() const;
    bool canReopen() const { return !closed_.empty(); }
    bool changedOnDisk() const {
        return current_ >= 0 && documents_[static_cast<std::size_t>(current_)].changed_on_disk;
    }

    /// Opens a text in a tab of its own and goes there.
    Q_INVOKABLE void openText(const QString& kind, const QString& text, const QString& title);
    /// Opens a file, or goes to its tab when it is open already. False (and `refused`) when it cannot be read.
    Q_INVOKABLE bool openFile(const QUrl& file);
    Q_INVOKABLE void close(int index);
    /// Opens again what was closed last, with its history.
    Q_INVOKABLE void reopen();
    Q_INVOKABLE bool modifiedAt(int index) const;
    Q_INVOKABLE bool hasFile(int index) const;
    /// Saves to the document's own file; false when it has none (ask with `saveAs`) or when writing failed.
    Q_INVOKABLE bool save();
    Q_INVOKABLE bool saveAs(const QUrl& file);
    Q_INVOKABLE void undo();
    Q_INVOKABLE void redo();
    Q_INVOKABLE void reload();
    Q_INVOKABLE void keepMine();
    /// The index of the latest used document of a kind, −1 when there is none.
    Q_INVOKABLE int latestOf(const QString& kind) const;

    /// One named step on the current document (C++ views of it call this).
    void edit(const QString& step, session::DocumentState next, const std::string& merge_key = {});
    void setTitle(const QString& title);

    /// Where the autosave lies. Empty (the default) switches it off.
    Q_INVOKABLE void setAutosaveFile(const QString& file);
    /// Opens what a killed session left behind; answers how many documents.
    Q_INVOKABLE int restore();
    /// Writes the autosave now, if anything changed since.
    Q_INVOKABLE void flush();

signals:
    void countChanged();
    /// Another document is in front.
    void currentChanged();
    /// Text, view settings, history or file of the current document changed, by whatever cause.
    void stateChanged();
    /// The state was replaced as a whole (other tab, undo, redo, reload): views read everything anew.
    void replaced();
    void opened(const QString& title, const QString& path, const QString& text, const QString& kind);
    void refused(const QString& code, const QString& message, const QString& hint);

private:
    struct Open {
        session::Document document;
        std::uint64_t used = 0; ///< for latestOf
        bool changed_on_disk = false;
    };
    session::Document* current_document() {
        return current_ < 0 ? nullptr : &documents_[static_cast<std::size_t>(current_)].document;
    }
    void add(session::Document document);
    void touched();
    void watch(const session::Document& document);
    void noticed(const QString& path);
    void refuse(const Diagnostic& why);

    static constexpr int kAutosaveDelayMs = 600; ///< from the first unsaved change, so that at most this much is lost

    std::vector<Open> documents_;
    std::deque<session::Document> closed_;
    int current_ = -1;
    std::uint64_t clock_ = 0;
    std::unique_ptr<session::Autosave> autosave_;
    bool unsaved_ = false; ///< something changed since the autosave was written
    QTimer autosave_timer_;
    QFileSystemWatcher watcher_;
};

} // namespace ls::models
