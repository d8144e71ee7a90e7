// The shipped examples (resources/examples/index.json), in the order of their families.
#pragma once

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include "views/handles.h"

namespace ls::models {

class ExamplesModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(int count READ count CONSTANT)
    Q_PROPERTY(QStringList families READ families CONSTANT)

public:
    enum Role {
        IdRole = Qt::UserRole + 1,
        FamilyRole,
        TitleRole,
        CaptionRole,
        SentenceRole,
        TextRole,
        FileRole,
        ThumbnailRole,
        PictureRole,
        MapRole,
        KindRole,
        StartRole
    };

    explicit ExamplesModel(QObject* parent = nullptr);
    /// Reads a list of this form instead of the shipped one (tests). Answers how many examples it holds.
    int load(const QByteArray& json);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return static_cast<int>(examples_.size()); }
    QStringList families() const { return families_; }

    /// { id, title, text, file, ... } of one row, for QML that opens it.
    Q_INVOKABLE QVariantMap get(int row) const;
    /// The program text of an example that is a file; empty otherwise.
    Q_INVOKABLE QString program(const QString& file) const;
    /// Rows of one family that the Start page shows, for cards in rows.
    Q_INVOKABLE QList<int> rowsOf(const QString& family) const;

private:
    struct Example {
        QString id, family, title, caption, sentence, text, file, thumbnail;
        bool on_start = true;
        mutable bool drawn = false;
        mutable views::GridHandle picture; ///< of a layout or program; made on first use
        mutable views::PictureHandle map;  ///< of a partition
        bool partition() const { return file.endsWith(QLatin1String(".json")); }
    };
    const Example& drawn(const Example& example) const;

    QList<Example> examples_;
    QStringList families_;
};

} // namespace ls::models
