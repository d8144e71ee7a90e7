// What was open before, latest first: files by path, typed layouts by their text.
#pragma once

#include <QtCore/QAbstractListModel>
#include <QtCore/QDateTime>
#include <QtQml/qqmlregistration.h>

namespace ls::models {

class RecentModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(int count READ count NOTIFY countChanged)

public:
    enum Role { TitleRole = Qt::UserRole + 1, DetailRole, WhenRole, GlyphRole, PathRole, TextRole };
    static constexpr int kMost = 12;

    explicit RecentModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : count(); }
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;
    int count() const { return static_cast<int>(entries_.size()); }

    /// `path` of a file, or empty with the `text` of a typed layout.
    Q_INVOKABLE void add(const QString& title, const QString& path, const QString& text, const QString& kind);
    Q_INVOKABLE void clear();
    Q_INVOKABLE QVariantMap get(int row) const;

signals:
    void countChanged();

private:
    struct Entry {
        QString title, path, text, kind;
        QDateTime when;
    };
    void store() const;
    QList<Entry> entries_;
};

/// "today", "yesterday", "Friday" within a week, else the date.
QString day_text(const QDateTime& when, const QDateTime& now);

} // namespace ls::models
