// What the command palette offers for what was typed: commands, places in the open layout, examples, recent documents
// and pages of help, best match first.
#pragma once

#include <QtCore/QAbstractListModel>
#include <QtCore/QPointer>
#include <QtQml/qqmlregistration.h>

#include "app/models/command.h"
#include "app/models/examples_model.h"
#include "app/models/explorer.h"
#include "app/models/help_model.h"
#include "app/models/recent_model.h"

namespace ls::models {

class PaletteModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString query READ query WRITE setQuery NOTIFY queryChanged)
    Q_PROPERTY(int count READ count NOTIFY queryChanged)
    Q_PROPERTY(ls::models::CommandRegistry* commands READ commands WRITE setCommands NOTIFY sourcesChanged)
    Q_PROPERTY(ls::models::ExamplesModel* examples READ examples WRITE setExamples NOTIFY sourcesChanged)
    Q_PROPERTY(ls::models::RecentModel* recent READ recent WRITE setRecent NOTIFY sourcesChanged)
    Q_PROPERTY(ls::models::HelpModel* help READ help WRITE setHelp NOTIFY sourcesChanged)
    Q_PROPERTY(ls::models::Explorer* explorer READ explorer WRITE setExplorer NOTIFY sourcesChanged)

public:
    enum Role { StyledRole = Qt::UserRole + 1, GlyphRole, GroupRole, KeysRole, TitleRole };
    static constexpr int kMost = 40;

    explicit PaletteModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : count(); }
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;
    int count() const { return static_cast<int>(entries_.size()); }

    CommandRegistry* commands() const { return commands_; }
    void setCommands(CommandRegistry* commands) {
        commands_ = commands;
        emit sourcesChanged();
    }
    ExamplesModel* examples() const { return examples_; }
    void setExamples(ExamplesModel* examples) {
        examples_ = examples;
        emit sourcesChanged();
    }
    RecentModel* recent() const { return recent_; }
    void setRecent(RecentModel* recent) {
        recent_ = recent;
        emit sourcesChanged();
    }
    HelpModel* help() const { return help_; }
    void setHelp(HelpModel* help) {
        help_ = help;
        emit sourcesChanged();
    }
    Explorer* explorer() const { return explorer_; }
    void setExplorer(Explorer* explorer) {
        explorer_ = explorer;
        emit sourcesChanged();
    }
    QString query() const { return query_; }
    void setQuery(const QString& query);
    Q_INVOKABLE void run(int row);

signals:
    void queryChanged();
    void sourcesChanged();
    void exampleChosen(int row);
    void recentChosen(int row);
    void helpChosen(const QString& page, const QString& anchor);
    void elementChosen(const QString& text);

private:
    struct Entry {
        enum class Kind { Command, Element, Example, Recent, Help } kind;
        QString title, glyph, group, keys, styled, payload;
        Command* command = nullptr;
        int row = -1;
        int score = 0;
    };
    QList<Entry> candidates() const;

    QString query_;
    QList<Entry> entries_;
    QPointer<CommandRegistry> commands_;
    QPointer<ExamplesModel> examples_;
    QPointer<RecentModel> recent_;
    QPointer<HelpModel> help_;
    QPointer<Explorer> explorer_;
};

} // namespace ls::models
