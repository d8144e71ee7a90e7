#include "app/models/diagnostics_model.h"

#include <algorithm>

#include "app/models/text.h"

namespace ls::models {

void DiagnosticsModel::show(std::vector<Entry> entries) {
    beginResetModel();
    entries_.clear();
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.diagnostic.severity < b.diagnostic.severity; });
    for (Entry& entry : entries) {
        std::vector<Diagnostic> notes = std::move(entry.diagnostic.notes);
        entry.diagnostic.notes.clear();
        const int pass = entry.pass;
        entries_.push_back(std::move(entry));
        for (Diagnostic& note : notes) entries_.push_back({std::move(note), pass, {}, -1});
    }
    endResetModel();
    emit changed();
}

int DiagnosticsModel::countOf(Severity severity) const {
    return static_cast<int>(std::count_if(entries_.begin(), entries_.end(),
                                          [&](const Entry& one) { return one.diagnostic.severity == severity; }));
}

QVariant DiagnosticsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Entry& entry = entries_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case SeverityRole:
        return entry.diagnostic.severity == Severity::Error     ? QStringLiteral("error")
               : entry.diagnostic.severity == Severity::Warning ? QStringLiteral("warning")
                                                                : QStringLiteral("note");
    case CodeRole: return to_q(entry.diagnostic.code);
    case PlaceRole: return entry.place;
    case Qt::DisplayRole:
    case MessageRole: return to_q(entry.diagnostic.message);
    case HintRole: return to_q(entry.diagnostic.hint);
    case PassRole: return entry.pass;
    default: return {};
    }
}

QHash<int, QByteArray> DiagnosticsModel::roleNames() const {
    return {{SeverityRole, "severity"}, {CodeRole, "code"}, {PlaceRole, "place"},
            {MessageRole, "message"},   {HintRole, "hint"}, {PassRole, "pass"}};
}

} // namespace ls::models
