#include "app/models/help_model.h"

#include <algorithm>

#include <QtCore/QDir>
#include <QtCore/QDirIterator>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtGui/QTextBlock>
#include <QtGui/QTextCursor>
#include <QtGui/QTextDocument>
#include <QtGui/QTextList>
#include <QtGui/QTextTable>

#include "views/qml/theme.h"

namespace ls::models {

HelpModel::HelpModel(QObject* parent) : HelpModel(QStringLiteral(":/layoutscope/docs"), parent) {}

HelpModel::HelpModel(const QString& folder, QObject* parent) : QAbstractListModel(parent) {
    const QDir root(folder);
    QStringList files;
    for (QDirIterator it(folder, {QStringLiteral("*.md")}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
        files << it.next();
    files.sort();
    for (const QString& path : files) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QString text = QString::fromUtf8(file.readAll());
        const QString name = root.relativeFilePath(path).chopped(3);
        Page page{name, name, text};
        bool titled = false, fenced = false;
        for (const QString& line : text.split(QLatin1Char('\n'))) {
            if (line.startsWith(QLatin1String("```"))) fenced = !fenced;
            if (fenced || !line.startsWith(QLatin1Char('#'))) continue;
            const QString heading = line.mid(line.indexOf(QLatin1Char(' ')) + 1).trimmed();
            if (!titled) page.title = heading;
            topics_ << Topic{name, heading, titled ? heading : QString()};
            titled = true;
        }
        pages_ << page;
    }
}

QVariant HelpModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole: return pages_[index.row()].title;
    case PageRole: return pages_[index.row()].name;
    default: return {};
    }
}

QHash<int, QByteArray> HelpModel::roleNames() const { return {{PageRole, "page"}, {TitleRole, "title"}}; }

QString HelpModel::markdown(const QString& page) const {
    for (const Page& one : pages_) {
        if (one.name == page) return one.text;
    }
    return {};
}

QString HelpModel::html(const QString& page, const QColor& link, const QColor& ground) const {
    QTextDocument document;
    document.setDefaultFont(ui::Theme::instance()->exact(ui::Theme::instance()->body()));
    document.setMarkdown(markdown(page));
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        const bool heading = format.headingLevel() > 0, code = format.hasProperty(QTextFormat::BlockCodeFence) ||
                                                               format.hasProperty(QTextFormat::BlockCodeLanguage);
        const bool last_of_code = code && !block.next().blockFormat().hasProperty(QTextFormat::BlockCodeFence) &&
                                  !block.next().blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
        const bool listed = block.textList() != nullptr, in_table = cursor.currentTable() != nullptr;
        format.setTopMargin(heading ? 16 : 0);
        format.setBottomMargin(in_table ? 0 : code ? (last_of_code ? 10 : 0) : heading ? 8 : listed ? 4 : 10);
        if (code) format.setBackground(ground);
        if (!code) format.setLineHeight(130, QTextBlockFormat::ProportionalHeight);
        cursor.setBlockFormat(format);
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextFragment fragment = it.fragment();
            if (!fragment.charFormat().isAnchor()) continue;
            cursor.setPosition(fragment.position());
            cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
            QTextCharFormat anchor;
            anchor.setForeground(link);
            cursor.mergeCharFormat(anchor);
        }
    }
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (!table) continue;
        QTextTableFormat format = table->format();
        format.setBorderCollapse(true);
        format.setBorder(1);
        format.setBorderBrush(ui::Theme::instance()->line2());
        format.setCellPadding(5);
        format.setCellSpacing(0);
        format.setTopMargin(2);
        format.setBottomMargin(12);
        table->setFormat(format);
    }
    return document.toHtml();
}

bool HelpModel::has(const QString& page) const {
    return std::any_of(pages_.begin(), pages_.end(), [&](const Page& one) { return one.name == page; });
}

QString HelpModel::pageAbout(const QString& word) const {
    qsizetype most = 0;
    QString best;
    for (const Page& page : pages_) {
        const qsizetype mentions = page.text.count(word, Qt::CaseInsensitive);
        if (mentions > most) {
            most = mentions;
            best = page.name;
        }
    }
    return best;
}

} // namespace ls::models
