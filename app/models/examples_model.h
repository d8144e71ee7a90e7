// The shipped examples (resources/examples/index.json), in the order of their families.
#pragma once

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include "views/handles.h"

namespace ls::models {

class ExamplesModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    /// Which list: "index.json" (the examples) or "gallery.json" (hardware layouts).
    Q_PROPERTY(QString source READ source WRITE setSource NOTIFY sourceChanged)
    Q_PROPERTY(int count READ count NOTIFY sourceChanged)
    Q_PROPERTY(QStringList families READ families NOTIFY sourceChanged)

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

    QString source() const { return source_; }
    void setSource(const QString& source);
    int count() const { return static_cast<int>(examples_.size()); }
    QStringList families() const { return families_; }

    /// { id, title, text, file, ... } of one row, for QML that opens it.
    Q_INVOKABLE QVariantMap get(int row) const;
    /// The program text of an example that is a file; empty otherwise.
    Q_INVOKABLE QString program(const QString& file) const;
    /// Rows of one family that the Start page shows, for cards in rows.
    Q_INVOKABLE QList<int> rowsOf(const QString& family) const;

signals:
    void sourceChanged();

private:
    struct Example {
        QString id, family, title, caption, sentence, text, file, thumbnail;
        bool on_start = true;
        mutable bool drawn = false;
        mutable views::GridHandle picture; ///< of a layout or program; made on first use
        mutable views::PictureHandle map;  ///< of a partition or of an operand
        bool gemm() const { return file.endsWith(QLatin1String(".gemm.json")); }
        bool partition() const { return file.endsWith(QLatin1String(".json")) && !gemm(); }
        /// Colours by address say most where addresses are scattered.
        bool physical = false;
    };
    const Example& drawn(const Example& example) const;

    QList<Example> examples_;
    QStringList families_;
    QString source_ = QStringLiteral("index.json");
};

} // namespace ls::models
