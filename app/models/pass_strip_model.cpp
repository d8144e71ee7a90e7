#include "app/models/pass_strip_model.h"

#include "app/models/text.h"

namespace ls::models {

namespace {

using State = TracePass::State;

QString state_name(State state) {
    switch (state) {
    case State::Same: return QStringLiteral("same");
    case State::Changed: return QStringLiteral("changed");
    case State::Refused: return QStringLiteral("refused");
    case State::NotRun: return QStringLiteral("notrun");
    }
    return {};
}

} // namespace

void PassStripModel::show(std::shared_ptr<const TraceData> trace) {
    // The same pipeline again (one typed on): what was spread stays spread.
    if (!trace_ || !trace || trace_->passes.size() != trace->passes.size()) spread_.clear();
    trace_ = std::move(trace);
    rebuild();
}

void PassStripModel::rebuild() {
    beginResetModel();
    items_.clear();
    const int n = trace_ ? static_cast<int>(trace_->passes.size()) : 0;
    const auto state = [&](int i) { return trace_->passes[static_cast<std::size_t>(i)].state; };
    for (int i = 0; i < n;) {
        // The program as read is always a box.
        const bool folds = i > 0 && (state(i) == State::Same || state(i) == State::NotRun);
        int end = i + 1;
        if (folds) {
            while (end < n && state(end) == state(i)) ++end;
        }
        if (folds && !spread_.count(i)) {
            items_.push_back({i, end - 1, true});
        } else {
            for (int k = i; k < end; ++k) items_.push_back({k, k, false});
        }
        i = end;
    }
    endResetModel();
}

QVariant PassStripModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Item& item = items_[static_cast<std::size_t>(index.row())];
    const TracePass& pass = trace_->passes[static_cast<std::size_t>(item.first)];
    switch (role) {
    case DotsRole: return item.dots;
    case NumberRole:
        return pass.number == 0 && item.first > 0 ? QStringLiteral("·")
                                                  : QStringLiteral("%1").arg(pass.number, 2, 10, QLatin1Char('0'));
    case Qt::DisplayRole:
    case NameRole: return to_q(pass.name);
    case StateRole: return state_name(pass.state);
    case NoteRole: return to_q(pass.note);
    case FirstRole: return numberNear(item.first, item.last, 1);
    case LastRole: return numberNear(item.last, item.first, -1);
    case CountRole: return item.last - item.first + 1;
    default: return {};
    }
}

QHash<int, QByteArray> PassStripModel::roleNames() const {
    return {{DotsRole, "dots"}, {NumberRole, "number"}, {NameRole, "name"}, {StateRole, "state"},
            {NoteRole, "note"}, {FirstRole, "first"},   {LastRole, "last"}, {CountRole, "count"}};
}

int PassStripModel::numberNear(int from, int to, int step) const {
    // Some passes run without a number; the range is named by the next that has one.
    for (int i = from;; i += step) {
        const int number = trace_->passes[static_cast<std::size_t>(i)].number;
        if (number > 0 || i == to) return number;
    }
}

void PassStripModel::spread(int row) {
    if (row < 0 || row >= rowCount() || !items_[static_cast<std::size_t>(row)].dots) return;
    spread_.insert(items_[static_cast<std::size_t>(row)].first);
    rebuild();
}

void PassStripModel::gather() {
    if (spread_.empty()) return;
    spread_.clear();
    rebuild();
}

int PassStripModel::passAt(int row) const {
    if (row < 0 || row >= rowCount() || items_[static_cast<std::size_t>(row)].dots) return -1;
    return items_[static_cast<std::size_t>(row)].first;
}

int PassStripModel::rowOf(int pass) const {
    for (int i = 0; i < rowCount(); ++i) {
        if (pass >= items_[static_cast<std::size_t>(i)].first && pass <= items_[static_cast<std::size_t>(i)].last)
            return i;
    }
    return -1;
}

} // namespace ls::models
