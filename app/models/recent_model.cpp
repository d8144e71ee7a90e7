#include "app/models/recent_model.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QLocale>
#include <QtCore/QSettings>

namespace ls::models {

namespace {

const QString kKey = QStringLiteral("recent");

/// "/home/me/kernels/a.py" as "~/kernels".
QString folder_text(const QString& path) {
    const QString folder = QFileInfo(path).absolutePath(), home = QDir::homePath();
    return home.size() > 1 && folder.startsWith(home) ? QStringLiteral("~") + folder.mid(home.size()) : folder;
}

} // namespace

QString day_text(const QDateTime& when, const QDateTime& now) {
    const qint64 days = when.date().daysTo(now.date());
    if (days <= 0) return QObject::tr("today");
    if (days == 1) return QObject::tr("yesterday");
    if (days < 7) return QLocale(QLocale::English).dayName(when.date().dayOfWeek());
    return when.date().toString(Qt::ISODate);
}

RecentModel::RecentModel(QObject* parent) : QAbstractListModel(parent) {
    QSettings settings;
    const int count = settings.beginReadArray(kKey);
    for (int i = 0; i < qMin(count, kMost); ++i) {
        settings.setArrayIndex(i);
        entries_ << Entry{settings.value("title").toString(), settings.value("path").toString(),
                          settings.value("text").toString(), settings.value("kind").toString(),
                          settings.value("when").toDateTime()};
    }
    settings.endArray();
}

void RecentModel::store() const {
    QSettings settings;
    settings.remove(kKey);
    settings.beginWriteArray(kKey, count());
    for (int i = 0; i < count(); ++i) {
        settings.setArrayIndex(i);
        settings.setValue("title", entries_[i].title);
        settings.setValue("path", entries_[i].path);
        settings.setValue("text", entries_[i].text);
        settings.setValue("kind", entries_[i].kind);
        settings.setValue("when", entries_[i].when);
    }
    settings.endArray();
}

void RecentModel::add(const QString& title, const QString& path, const QString& text, const QString& kind) {
    beginResetModel();
    entries_.removeIf(
        [&](const Entry& one) { return path.isEmpty() ? one.path.isEmpty() && one.text == text : one.path == path; });
    entries_.prepend({title, path, path.isEmpty() ? text : QString(), kind, QDateTime::currentDateTime()});
    while (count() > kMost) entries_.removeLast();
    endResetModel();
    store();
    emit countChanged();
}

void RecentModel::clear() {
    if (entries_.isEmpty()) return;
    beginResetModel();
    entries_.clear();
    endResetModel();
    store();
    emit countChanged();
}

QVariant RecentModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Entry& entry = entries_[index.row()];
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole: return entry.title;
    case DetailRole: return entry.path.isEmpty() ? entry.kind == QLatin1String("ub") ? tr("typed partition") : tr("typed layout") : folder_text(entry.path);
    case WhenRole: return day_text(entry.when, QDateTime::currentDateTime());
    case GlyphRole:
        return entry.kind == QLatin1String("program") ? QStringLiteral("passes")
               : entry.kind == QLatin1String("ub")   ? QStringLiteral("ub")
                                                     : QStringLiteral("explore");
    case PathRole: return entry.path;
    case TextRole: return entry.text;
    default: return {};
    }
}

QHash<int, QByteArray> RecentModel::roleNames() const {
    return {{TitleRole, "title"}, {DetailRole, "detail"}, {WhenRole, "when"},
            {GlyphRole, "glyph"}, {PathRole, "path"},     {TextRole, "text"}};
}

QVariantMap RecentModel::get(int row) const {
    if (row < 0 || row >= count()) return {};
    return {{"title", entries_[row].title}, {"path", entries_[row].path}, {"text", entries_[row].text}, {"kind", entries_[row].kind}};
}

} // namespace ls::models
