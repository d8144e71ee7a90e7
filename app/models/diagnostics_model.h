// Findings in their order: errors, warnings, notes; notes of a finding stand under it.
#pragma once

#include <vector>

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include "core/support/diagnostic.h"

namespace ls::models {

class DiagnosticsModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the models that check.")
    Q_PROPERTY(int count READ count NOTIFY changed)
    Q_PROPERTY(int errors READ errors NOTIFY changed)
    Q_PROPERTY(int warnings READ warnings NOTIFY changed)

public:
    enum Role { SeverityRole = Qt::UserRole + 1, CodeRole, PlaceRole, MessageRole, HintRole, PassRole };
    struct Entry {
        Diagnostic diagnostic;
        int pass = -1; ///< snapshot that it belongs to, −1 for none
        QString place; ///< "line 16, column 16"
        int number = -1; ///< among the findings of its pass
    };

    explicit DiagnosticsModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}
    void show(std::vector<Entry> entries);

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : count(); }
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return static_cast<int>(entries_.size()); }
    int errors() const { return countOf(Severity::Error); }
    int warnings() const { return countOf(Severity::Warning); }
    const std::vector<Entry>& entries() const { return entries_; }

signals:
    void changed();

private:
    int countOf(Severity severity) const;
    std::vector<Entry> entries_;
};

} // namespace ls::models
