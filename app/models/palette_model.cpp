#include "app/models/palette_model.h"

#include <algorithm>

#include "app/models/fuzzy.h"

namespace ls::models {

QList<PaletteModel::Entry> PaletteModel::candidates() const {
    using Kind = Entry::Kind;
    QList<Entry> list;
    if (commands_) {
        for (Command* command : commands_->all()) {
            if (!command->enabled()) continue;
            Entry entry{Kind::Command, command->title(), command->glyph(), command->group(), command->keyText(), {}, {},
                        command};
            if (entry.glyph.isEmpty()) entry.glyph = QStringLiteral("palette");
            list << entry;
        }
    }
    if (examples_) {
        for (int row = 0; row < examples_->count(); ++row) {
            const QVariantMap one = examples_->get(row);
            list << Entry{Kind::Example,
                          tr("Open %1, %2").arg(one["title"].toString(), one["caption"].toString()),
                          one["file"].toString().isEmpty() ? QStringLiteral("explore") : QStringLiteral("passes"),
                          tr("Example"),
                          {},
                          {},
                          {},
                          nullptr,
                          row};
        }
    }
    if (recent_) {
        for (int row = 0; row < recent_->count(); ++row) {
            list << Entry{Kind::Recent,
                          tr("Open %1").arg(recent_->get(row)["title"].toString()),
                          QStringLiteral("file"),
                          tr("Recent"),
                          {},
                          {},
                          {},
                          nullptr,
                          row};
        }
    }
    if (help_) {
        for (const HelpModel::Topic& topic : help_->topics()) {
            list << Entry{Kind::Help,
                          topic.title,
                          QStringLiteral("help"),
                          tr("Help"),
                          {},
                          {},
                          topic.page + QLatin1Char('#') + topic.anchor,
                          nullptr,
                          -1};
        }
    }
    return list;
}

void PaletteModel::setQuery(const QString& query) {
    query_ = query;
    beginResetModel();
    entries_.clear();
    // An element or address of the open layout stands before everything else: it was named exactly.
    if (explorer_) {
        if (const QString place = explorer_->peek(query); !place.isEmpty()) {
            Entry entry{Entry::Kind::Element,
                        tr("Go to element %1").arg(place),
                        QStringLiteral("target"),
                        tr("Element"),
                        {},
                        {},
                        query};
            entry.score = 1 << 20;
            entry.styled = entry.title.toHtmlEscaped();
            entries_ << entry;
        }
    }
    const bool all = query.trimmed().isEmpty();
    for (Entry entry : candidates()) {
        // With nothing typed the commands are enough; pages of help would bury them.
        if (all && entry.kind != Entry::Kind::Command) continue;
        const auto match = fuzzy_match(query, entry.title);
        if (!match) continue;
        entry.score = match->score + (entry.kind == Entry::Kind::Command ? 6
                                      : entry.kind == Entry::Kind::Help  ? -6
                                                                         : 0);
        entry.styled = with_bold(entry.title, match->positions);
        entries_ << entry;
    }
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.score > b.score; });
    if (!all && entries_.size() > kMost) entries_.resize(kMost);
    endResetModel();
    emit queryChanged();
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Entry& entry = entries_[index.row()];
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole: return entry.title;
    case StyledRole: return entry.styled;
    case GlyphRole: return entry.glyph;
    case GroupRole: return entry.group;
    case KeysRole: return entry.keys;
    default: return {};
    }
}

QHash<int, QByteArray> PaletteModel::roleNames() const {
    return {
        {StyledRole, "styled"}, {GlyphRole, "glyph"}, {GroupRole, "group"}, {KeysRole, "keys"}, {TitleRole, "title"}};
}

void PaletteModel::run(int row) {
    if (row < 0 || row >= count()) return;
    const Entry entry = entries_[row];
    switch (entry.kind) {
    case Entry::Kind::Command: entry.command->trigger(); break;
    case Entry::Kind::Element: emit elementChosen(entry.payload); break;
    case Entry::Kind::Example: emit exampleChosen(entry.row); break;
    case Entry::Kind::Recent: emit recentChosen(entry.row); break;
    case Entry::Kind::Help:
        emit helpChosen(entry.payload.section(QLatin1Char('#'), 0, 0), entry.payload.section(QLatin1Char('#'), 1));
        break;
    }
}

} // namespace ls::models
