// The strip of passes: those that changed something as boxes, runs that changed nothing as dots.
#pragma once

#include <set>

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include "app/models/trace_data.h"

namespace ls::models {

class PassStripModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by TraceModel.")

public:
    enum Role {
        DotsRole = Qt::UserRole + 1,
        NumberRole,
        NameRole,
        StateRole,
        NoteRole,
        FirstRole,
        LastRole,
        CountRole
    };

    explicit PassStripModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}
    void show(std::shared_ptr<const TraceData> trace);

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(items_.size());
    }
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    /// Spreads a run of dots into boxes.
    Q_INVOKABLE void spread(int row);
    /// Folds all spread runs again.
    Q_INVOKABLE void gather();
    /// Position in the trace of a box, −1 for dots; and back (the dots that hold it, when it is not spread).
    Q_INVOKABLE int passAt(int row) const;
    Q_INVOKABLE int rowOf(int pass) const;

private:
    struct Item {
        int first = 0, last = 0; ///< positions in the trace
        bool dots = false;
    };
    void rebuild();
    int numberNear(int from, int to, int step) const;
    std::shared_ptr<const TraceData> trace_;
    std::set<int> spread_; ///< first positions of spread runs
    std::vector<Item> items_;
};

} // namespace ls::models
