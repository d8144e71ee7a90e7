// The pages of resources/docs, as the window shows them: Markdown, one page a topic, and every heading findable.
#pragma once

#include <QtCore/QAbstractListModel>
#include <QtGui/QColor>
#include <QtQml/qqmlregistration.h>

namespace ls::models {

class HelpModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(int count READ count CONSTANT)

public:
    enum Role { PageRole = Qt::UserRole + 1, TitleRole };
    struct Topic {
        QString page;   ///< "explorer"
        QString title;  ///< the heading
        QString anchor; ///< the heading again, empty for the page itself
    };

    explicit HelpModel(QObject* parent = nullptr);
    /// Pages of another folder (tests).
    HelpModel(const QString& folder, QObject* parent);

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : count(); }
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;
    int count() const { return static_cast<int>(pages_.size()); }
    const QList<Topic>& topics() const { return topics_; }

    Q_INVOKABLE QString markdown(const QString& page) const;
    /// The page set for reading: room between paragraphs, links in `link`, code on `ground`.
    Q_INVOKABLE QString html(const QString& page, const QColor& link, const QColor& ground) const;
    Q_INVOKABLE bool has(const QString& page) const;
    /// The page whose text says most about a code or a word; empty when none mentions it.
    Q_INVOKABLE QString pageAbout(const QString& word) const;

private:
    struct Page {
        QString name, title, text;
    };
    QList<Page> pages_;
    QList<Topic> topics_;
};

} // namespace ls::models
