#include "app/models/diff_model.h"

#include <algorithm>

#include "views/qml/code_tokens.h"
#include "views/qml/theme.h"

namespace ls::models {

namespace {

constexpr int kContext = 3, kFoldFrom = 10;

QVariantList ranges(const std::vector<std::pair<int, int>>& words) {
    QVariantList list;
    for (const auto& [begin, end] : words) list << QVariantMap{{"begin", begin}, {"end", end}};
    return list;
}

} // namespace

DiffModel::DiffModel(QObject* parent) : QAbstractListModel(parent) {
    // Styled text carries colours of the theme.
    connect(ui::Theme::instance(), &ui::Theme::changed, this, [this] {
        if (count() > 0) emit dataChanged(index(0), index(count() - 1), {LeftTextRole, RightTextRole});
    });
}

void DiffModel::show(const QString& before, const QString& after, const QString& language, std::vector<TextMark> marks,
                     int stopped) {
    before_ = before.split(QLatin1Char('\n'));
    after_ = after.split(QLatin1Char('\n'));
    language_ = language;
    marks_ = std::move(marks);
    stopped_ = stopped;
    single_ = false;
    rows_ = diff_lines(before_, after_);
    open_.clear();
    refresh();
}

void DiffModel::showOne(const QString& text, const QString& language, std::vector<TextMark> marks) {
    before_.clear();
    after_ = text.split(QLatin1Char('\n'));
    language_ = language;
    marks_ = std::move(marks);
    stopped_ = -1;
    single_ = true;
    rows_.clear();
    for (int i = 0; i < after_.size(); ++i) {
        rows_.emplace_back();
        rows_.back().right = i;
    }
    open_.clear();
    refresh();
}

void DiffModel::refresh() {
    added_ = removed_ = longest_ = 0;
    for (const DiffRow& row : rows_) {
        if (!row.changed) continue;
        added_ += row.right >= 0 ? 1 : 0;
        removed_ += row.left >= 0 ? 1 : 0;
    }
    for (const QStringList& text : {before_, after_}) {
        for (const QString& line : text) longest_ = std::max(longest_, static_cast<int>(line.size()));
    }
    rebuild();
}

void DiffModel::setFolded(bool folded) {
    if (folded == folded_) return;
    folded_ = folded;
    open_.clear();
    rebuild();
}

void DiffModel::rebuild() {
    beginResetModel();
    visible_.clear();
    const int n = static_cast<int>(rows_.size());
    const auto interesting = [&](int i) {
        const DiffRow& row = rows_[static_cast<std::size_t>(i)];
        return row.changed ||
               std::any_of(marks_.begin(), marks_.end(), [&](const TextMark& mark) { return mark.line == row.right; });
    };
    for (int i = 0; i < n;) {
        if (single_ || !folded_ || interesting(i)) {
            visible_.push_back({i++, 0});
            continue;
        }
        int end = i;
        while (end < n && !interesting(end)) ++end;
        // Lines near a change stay; the head of the text stays too, so that one sees what it is.
        const int from = i == 0 ? i : i + kContext, to = end == n ? end : end - kContext;
        const bool fold = to - from >= kFoldFrom && !open_.count(i) && !(i == 0 && end == n);
        for (int k = i; k < end; ++k) {
            if (fold && k == from) {
                visible_.push_back({i, to - from});
                k = to - 1;
                continue;
            }
            visible_.push_back({k, 0});
        }
        i = end;
    }
    endResetModel();
    emit changed();
}

void DiffModel::expand(int row) {
    if (row < 0 || row >= count() || visible_[static_cast<std::size_t>(row)].skipped == 0) return;
    open_.insert(visible_[static_cast<std::size_t>(row)].row);
    rebuild();
}

int DiffModel::lineAt(int row) const {
    if (row < 0 || row >= count() || visible_[static_cast<std::size_t>(row)].skipped > 0) return 0;
    const DiffRow& one = rows_[static_cast<std::size_t>(visible_[static_cast<std::size_t>(row)].row)];
    return (one.right >= 0 ? one.right : one.left) + 1;
}

int DiffModel::rowOfLine(int line) {
    for (int attempt = 0; attempt < 2; ++attempt) {
        for (int i = 0; i < count(); ++i) {
            if (lineAt(i) == line) return i;
        }
        // It is folded away: open everything.
        setFolded(false);
    }
    return -1;
}

int DiffModel::nextChange(int row, int step) const {
    for (int i = row + step; i >= 0 && i < count(); i += step) {
        const Visible& one = visible_[static_cast<std::size_t>(i)];
        if (one.skipped == 0 && rows_[static_cast<std::size_t>(one.row)].changed) return i;
    }
    return row;
}

QVariant DiffModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Visible& visible = visible_[static_cast<std::size_t>(index.row())];
    const DiffRow row = visible.skipped > 0 ? DiffRow{} : rows_[static_cast<std::size_t>(visible.row)];
    const ui::Language language = ui::language_from(language_);
    const auto mark = std::find_if(marks_.begin(), marks_.end(),
                                   [&](const TextMark& one) { return row.right >= 0 && one.line == row.right; });
    switch (role) {
    case LeftNumberRole: return row.left + 1;
    case RightNumberRole: return row.right + 1;
    case LeftTextRole: return row.left >= 0 ? ui::styled_line(before_[row.left], language) : QString();
    case Qt::DisplayRole: return row.right >= 0 ? after_[row.right] : QString();
    case RightTextRole: return row.right >= 0 ? ui::styled_line(after_[row.right], language) : QString();
    case LeftMarkRole: return row.changed && row.left >= 0 ? QStringLiteral("-") : QString();
    case RightMarkRole:
        if (mark != marks_.end()) return QStringLiteral("x");
        return row.changed && row.right >= 0 ? QStringLiteral("+") : QString();
    case LeftWordsRole: return ranges(row.left_words);
    case RightWordsRole: return ranges(row.right_words);
    case LeftWaveRole: return {};
    case RightWaveRole:
        return mark != marks_.end() ? QVariant(QVariantMap{{"begin", mark->begin}, {"end", mark->end}}) : QVariant();
    case LeftFadedRole: return false;
    case RightFadedRole: return stopped_ >= 0 && row.right >= stopped_;
    case SkippedRole: return visible.skipped;
    default: return {};
    }
}

QHash<int, QByteArray> DiffModel::roleNames() const {
    return {{LeftNumberRole, "leftNumber"}, {RightNumberRole, "rightNumber"}, {LeftTextRole, "leftText"},
            {RightTextRole, "rightText"},   {LeftMarkRole, "leftMark"},       {RightMarkRole, "rightMark"},
            {LeftWordsRole, "leftWords"},   {RightWordsRole, "rightWords"},   {LeftWaveRole, "leftWave"},
            {RightWaveRole, "rightWave"},   {LeftFadedRole, "leftFaded"},     {RightFadedRole, "rightFaded"},
            {SkippedRole, "skipped"}};
}

} // namespace ls::models
