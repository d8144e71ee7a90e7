// What is chosen about the pictures: types, colours, labels, rows, dimensions, the table of elements.
#include <algorithm>
#include <array>
#include <limits>

#include <QtConcurrent/QtConcurrentRun>

#include "app/models/explorer.h"
#include "app/models/text.h"
#include "core/notation/notation.h"

namespace ls::models {

namespace {

using scene::CellLabel;

/// Types that a tensor's elements may have; index and task ids are scalars of programs.
const std::vector<DType>& element_types() {
    static const std::vector<DType> types = [] {
        std::vector<DType> list;
        for (const DTypeInfo& one : all_dtypes()) {
            if (one.type != DType::Index && one.type != DType::TaskId) list.push_back(one.type);
        }
        return list;
    }();
    return types;
}

QString label_name(CellLabel label) {
    switch (label) {
    case CellLabel::None: return QObject::tr("None");
    case CellLabel::Coordinate: return QObject::tr("Coordinate");
    case CellLabel::Offset: return QObject::tr("Offset");
    case CellLabel::Address: return QObject::tr("Address");
    case CellLabel::FlatIndex: return QObject::tr("Index");
    case CellLabel::Bank: return QObject::tr("Bank");
    case CellLabel::Block: return QObject::tr("Block");
    case CellLabel::Thread: return QObject::tr("Thread");
    }
    return {};
}

QString tone_name(scene::Role role) {
    switch (role) {
    case scene::Role::Fine: return QStringLiteral("fine");
    case scene::Role::Warning: return QStringLiteral("warning");
    case scene::Role::Finding: return QStringLiteral("finding");
    default: return QStringLiteral("neutral");
    }
}

/// Where `text` names the type `type` as a word of its own: [begin, end) in characters.
std::optional<TextSpan> find_dtype_word(const QString& text, DType type) {
    qsizetype at = 0;
    while (at < text.size()) {
        if (!text[at].isLetter()) {
            ++at;
            continue;
        }
        const qsizetype begin = at;
        while (at < text.size() && (text[at].isLetterOrNumber() || text[at] == QLatin1Char('_'))) ++at;
        if (dtype_from_name(to_std(text.mid(begin, at - begin))) == type)
            return TextSpan{static_cast<int>(begin), static_cast<int>(at)};
    }
    return {};
}

} // namespace

QString Explorer::verdict() const { return shown_ ? to_q(shown_->verdict.value) : QString(); }
QString Explorer::verdictTone() const { return shown_ ? tone_name(shown_->verdict.tone) : QString(); }

QString Explorer::elementsText() const {
    return shown_ ? count_text(element_count(shown_->figure->layout()), tr("element"), tr("elements")) : QString();
}

QString Explorer::sizeText() const {
    return shown_ ? size_text(element_count(shown_->figure->layout()), shown_->figure->layout().element_bits())
                  : QString();
}

QString Explorer::spaceText() const { return shown_ ? to_q(name(shown_->figure->layout().space)) : QString(); }

QStringList Explorer::dtypes() const {
    QStringList names;
    for (const DType type : element_types()) {
        names << QStringLiteral("%1 · %2 bit").arg(to_q(info(type).brief)).arg(bits(type));
    }
    return names;
}

int Explorer::dtypeIndex() const {
    if (!shown_ || !shown_->figure->layout().dtype) return -1;
    const auto& types = element_types();
    const auto found = std::find(types.begin(), types.end(), *shown_->figure->layout().dtype);
    return found == types.end() ? -1 : static_cast<int>(found - types.begin());
}

QString Explorer::dtypeText() const {
    const int index = dtypeIndex();
    return index < 0 ? tr("no type") : dtypes().at(index);
}

void Explorer::chooseDtype(int index) {
    const auto& types = element_types();
    if (!read_ || index < 0 || index >= static_cast<int>(types.size())) return;
    const DType wanted = types[static_cast<std::size_t>(index)];
    QString next = text_;
    if (const auto word = read_->dtype ? find_dtype_word(text_, *read_->dtype) : std::nullopt) {
        // Spelled as the text spells it: pl.FP16 stays a pl name.
        const QString old = text_.mid(word->begin, word->end - word->begin);
        const bool pypto = old == to_q(info(*read_->dtype).pypto) && !info(wanted).pypto.empty();
        next.replace(word->begin, word->end - word->begin, to_q(pypto ? info(wanted).pypto : info(wanted).brief));
    } else if (text_.contains(QLatin1Char('|'))) {
        next = text_.trimmed() + QStringLiteral(" ") + to_q(info(wanted).brief);
    } else {
        next = text_.trimmed() + QStringLiteral(" | ") + to_q(info(wanted).brief);
    }
    if (next == text_) return;
    text_ = next;
    emit textChanged();
    store(tr("Change type"));
    check();
}

views::GridHandle Explorer::logical() const {
    return shown_ ? views::GridHandle(shown_->logical) : views::GridHandle();
}
views::GridHandle Explorer::physical() const {
    return shown_ ? views::GridHandle(shown_->physical) : views::GridHandle();
}
views::TableHandle Explorer::iters() const { return shown_ ? views::TableHandle(shown_->iters) : views::TableHandle(); }

QStringList Explorer::colors() const {
    QStringList names;
    if (shown_) {
        for (const figure::ColorBy by : shown_->figure->color_choices()) names << to_q(figure::name(by));
    }
    return names;
}

int Explorer::colorIndex() const {
    if (!shown_) return -1;
    const auto& choices = shown_->figure->color_choices();
    const auto found =
        std::find(choices.begin(), choices.end(), shown_->figure->options().color.value_or(figure::ColorBy::Block));
    return found == choices.end() ? -1 : static_cast<int>(found - choices.begin());
}

void Explorer::setColorIndex(int index) {
    if (!shown_ || index < 0 || index >= colors().size() || index == colorIndex()) return;
    state_.color = shown_->figure->color_choices()[static_cast<std::size_t>(index)];
    changeView(tr("Change colours"));
}

QStringList Explorer::labels() const {
    QStringList names;
    if (shown_ && shown_->logical) {
        for (const CellLabel label : shown_->logical->label_choices) names << label_name(label);
    }
    return names;
}

int Explorer::labelIndex() const {
    const QStringList names = labels();
    if (names.isEmpty()) return -1;
    const auto index = state_.label ? names.indexOf(to_q(*state_.label)) : 0;
    return index < 0 ? 0 : static_cast<int>(index);
}

int Explorer::label() const {
    const int index = labelIndex();
    return index < 0 ? 0 : static_cast<int>(shown_->logical->label_choices[static_cast<std::size_t>(index)]);
}

void Explorer::setLabelIndex(int index) {
    const QStringList names = labels();
    if (index < 0 || index >= names.size() || index == labelIndex()) return;
    state_.label = to_std(names[index]);
    store(tr("Change labels"), "labels");
    emit shown();
}

QList<int> Explorer::rowChoices() const {
    // A row that is no whole number of elements would break elements; registers and lanes have rows of their own.
    if (!read_) return {};
    const bool linear = shown_ && shown_->physical && shown_->figure->layout().space != MemorySpace::Tmem &&
                        shown_->figure->layout().space != MemorySpace::Registers;
    if (!linear) return {};
    QList<int> choices;
    for (const int bytes : {32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}) {
        if (bytes * 8 % read_->element_bits() == 0) choices << bytes;
    }
    return choices;
}

void Explorer::setRowBytes(int bytes) {
    if (bytes <= 0 || bytes == rowBytes()) return;
    state_.row_bytes = bytes;
    changeView(tr("Change row length"));
}

bool Explorer::hasSwizzle() const { return shown_ && shown_->figure->layout().layout.is_compose(); }

void Explorer::setShowSwizzle(bool show) {
    if (show == state_.show_swizzle) return;
    state_.show_swizzle = show;
    changeView(show ? tr("Swizzle on") : tr("Swizzle off"));
}

void Explorer::changeView(const QString& step, const std::string& merge_key) {
    store(step, merge_key);
    rebuild();
}

figure::ViewAxes Explorer::axesNow() const {
    if (state_.axes) return *state_.axes;
    if (shown_ && shown_->figure->options().axes) return *shown_->figure->options().axes;
    return {};
}

QVariantList Explorer::dims() const {
    QVariantList list;
    if (!shown_) return list;
    const TensorLayout& layout = shown_->figure->layout();
    const figure::ViewAxes axes = axesNow();
    for (std::size_t d = 0; d < layout.shape.size(); ++d) {
        const QString place = d == axes.row_dim   ? QStringLiteral("row")
                              : d == axes.col_dim ? QStringLiteral("column")
                                                  : QStringLiteral("fixed");
        const std::int64_t value = d < axes.fixed.size() ? axes.fixed[d] : 0;
        list << QVariantMap{{"name", to_q(layout.dim_name(d))},
                            {"extent", static_cast<double>(layout.shape[d])},
                            {"place", place},
                            {"value", static_cast<double>(value)}};
    }
    return list;
}

void Explorer::putOn(int dim, bool rows) {
    if (!shown_ || dim < 0 || dim >= static_cast<int>(shown_->figure->layout().shape.size())) return;
    figure::ViewAxes axes = axesNow();
    axes.fixed.resize(shown_->figure->layout().shape.size(), 0);
    const auto wanted = static_cast<std::size_t>(dim);
    std::size_t& mine = rows ? axes.row_dim : axes.col_dim;
    std::size_t& other = rows ? axes.col_dim : axes.row_dim;
    if (mine == wanted) return;
    if (other == wanted) other = mine;
    mine = wanted;
    state_.axes = axes;
    changeView(tr("Change dimensions"));
}

void Explorer::fix(int dim, double value) {
    if (!shown_ || dim < 0 || dim >= static_cast<int>(shown_->figure->layout().shape.size())) return;
    figure::ViewAxes axes = axesNow();
    axes.fixed.resize(shown_->figure->layout().shape.size(), 0);
    const auto at = static_cast<std::size_t>(dim);
    const auto wanted =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(value), 0, shown_->figure->layout().shape[at] - 1);
    if (axes.fixed[at] == wanted) return;
    axes.fixed[at] = wanted;
    state_.axes = axes;
    changeView(tr("Move slice"), "slice" + std::to_string(dim));
}

// --- the table of elements

void Explorer::setFilter(const QString& filter) {
    if (filter == to_filter_) return;
    to_filter_ = filter;
    queryElements();
}

void Explorer::sortBy(int column, bool descending) {
    if (column == sort_column_ && descending == sort_descending_) return;
    sort_column_ = column;
    sort_descending_ = column >= 0 && descending;
    queryElements();
}

QString Explorer::filterErrorCode() const { return filter_error_ ? to_q(filter_error_->code) : QString(); }

QString Explorer::filterError() const {
    if (!filter_error_) return {};
    return to_q(filter_error_->hint.empty() ? filter_error_->message
                                            : filter_error_->message + "; " + filter_error_->hint);
}

QString Explorer::elementsNote() const {
    if (!shown_ || !elements_.valid()) return {};
    const auto all = element_count(shown_->figure->layout());
    const auto rows = static_cast<std::int64_t>(elements_.rowCount());
    return rows == all ? QString::number(all) : tr("%1 of %2 shown").arg(rows).arg(all);
}

void Explorer::cancelElements() {
    if (element_cancel_) element_cancel_->store(true);
}

void Explorer::queryElements() {
    cancelElements();
    delete element_query_;
    element_query_ = nullptr;
    elements_busy_ = false;
    if (!shown_) {
        elements_ = {};
        filter_error_.reset();
        emit elementsChanged();
        return;
    }
    figure::LayoutFigure::ElementQuery query;
    query.filter = to_std(to_filter_.trimmed());
    if (sort_column_ >= 0) query.sort_column = static_cast<std::size_t>(sort_column_);
    query.descending = sort_descending_;
    element_cancel_ = std::make_shared<std::atomic<bool>>(false);
    const auto ask = [figure = shown_->figure, query, cancel = element_cancel_]() -> ElementsAnswer {
        auto table = figure->elements(query, cancel.get());
        if (table.ok()) return {std::move(table).value(), {}};
        return {nullptr, std::move(table).error()};
    };
    const auto take = [this](const ElementsAnswer& answer) {
        // A filter that is being typed keeps the rows of the last good one.
        filter_error_ = answer.why;
        if (answer.table) elements_ = views::TableHandle(answer.table);
        emit elementsChanged();
    };
    const std::int64_t count = element_count(shown_->figure->layout());
    const bool quick =
        (query.filter.empty() && !query.sort_column) || (count >= 0 && count <= LayoutSnapshot::kInlineElements / 4);
    if (quick) {
        take(ask());
        return;
    }
    elements_busy_ = true;
    emit elementsChanged();
    element_query_ = new QFutureWatcher<ElementsAnswer>(this);
    connect(element_query_, &QFutureWatcher<ElementsAnswer>::finished, this, [this, take, watcher = element_query_] {
        if (watcher != element_query_) return;
        element_query_->deleteLater();
        element_query_ = nullptr;
        elements_busy_ = false;
        take(watcher->result());
    });
    element_query_->setFuture(QtConcurrent::run(ask));
}

} // namespace ls::models
