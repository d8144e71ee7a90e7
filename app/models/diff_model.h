// Rows of LsDiffView: two texts aligned, unchanged stretches folded, mistakes marked.
#pragma once

#include <set>

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include "app/models/text_diff.h"

namespace ls::models {

/// A mistake in a text: characters [begin, end) of line `line` (0-based).
struct TextMark {
    int line = 0;
    int begin = 0;
    int end = 0;
};

class DiffModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the models that hold texts.")
    Q_PROPERTY(int count READ count NOTIFY changed)
    Q_PROPERTY(int added READ added NOTIFY changed)
    Q_PROPERTY(int removed READ removed NOTIFY changed)
    Q_PROPERTY(int longest READ longest NOTIFY changed)
    Q_PROPERTY(bool single READ single NOTIFY changed)
    /// Unchanged stretches are folded to three lines around a change.
    Q_PROPERTY(bool folded READ folded WRITE setFolded NOTIFY changed)

public:
    enum Role {
        LeftNumberRole = Qt::UserRole + 1,
        RightNumberRole,
        LeftTextRole,
        RightTextRole,
        LeftMarkRole,
        RightMarkRole,
        LeftWordsRole,
        RightWordsRole,
        LeftWaveRole,
        RightWaveRole,
        LeftFadedRole,
        RightFadedRole,
        SkippedRole
    };

    explicit DiffModel(QObject* parent = nullptr);

    /// `language`: see ls::ui::language_from. Lines of `after` from `stopped` on were not reached (−1: all were).
    void show(const QString& before, const QString& after, const QString& language, std::vector<TextMark> marks = {},
              int stopped = -1);
    /// One text alone.
    void showOne(const QString& text, const QString& language, std::vector<TextMark> marks = {});

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : count(); }
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return static_cast<int>(visible_.size()); }
    int added() const { return added_; }
    int removed() const { return removed_; }
    int longest() const { return longest_; }
    bool single() const { return single_; }
    bool folded() const { return folded_; }
    void setFolded(bool folded);

    Q_INVOKABLE void expand(int row);
    /// 1-based line of the right text (left when it has none), 0 for a folded row.
    Q_INVOKABLE int lineAt(int row) const;
    /// Row that shows a line of the right text; unfolds it if need be.
    Q_INVOKABLE int rowOfLine(int line);
    Q_INVOKABLE int nextChange(int row, int step) const;
    Q_INVOKABLE QString rightText() const { return after_.join(QLatin1Char('\n')); }

signals:
    void changed();

private:
    struct Visible {
        int row = -1;    ///< into rows_
        int skipped = 0; ///< > 0: this many rows from `row` on are folded
    };
    void rebuild();
    void refresh();

    QStringList before_, after_;
    QString language_;
    std::vector<TextMark> marks_;
    int stopped_ = -1;
    bool single_ = true, folded_ = true;
    std::vector<DiffRow> rows_;
    std::set<int> open_; ///< first rows of stretches that were unfolded
    std::vector<Visible> visible_;
    int added_ = 0, removed_ = 0, longest_ = 0;
};

} // namespace ls::models
