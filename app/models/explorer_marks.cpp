// What is pointed at, selected, pinned and searched for.
#include <algorithm>

#include "app/models/explorer.h"
#include "app/models/text.h"

namespace ls::models {

using views::GridCell;
using views::GridPin;

bool Explorer::inside(const Coordinate& coordinate) const {
    const Shape& shape = read_ ? read_->shape : shown_ ? shown_->figure->layout().shape : Shape{};
    if (coordinate.size() != shape.size()) return false;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (coordinate[d] < 0 || coordinate[d] >= shape[d]) return false;
    }
    return true;
}

void Explorer::dropMarksOutside() {
    const auto outside = [this](const Coordinate& coordinate) { return !inside(coordinate); };
    std::erase_if(state_.pins, outside);
    std::erase_if(state_.selected, outside);
    if (hover_ && outside(*hover_)) hover_.reset();
    hole_.reset();
}

std::optional<Coordinate> Explorer::at(const GridCell& cell, bool physical) const {
    if (!shown_ || !cell.valid()) return {};
    const auto& scene = physical ? shown_->physical : shown_->logical;
    if (!scene || cell.cell().row >= scene->rows || cell.cell().col >= scene->cols) return {};
    if (!physical) return shown_->figure->coordinate(cell);
    auto all = shown_->figure->coordinates_at(cell);
    return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

void Explorer::hoverLogical(const GridCell& cell) { setHover(at(cell, false), {}); }

void Explorer::hoverPhysical(const GridCell& cell) {
    auto coordinate = at(cell, true);
    const auto hole = !coordinate && shown_ && cell.valid() ? std::optional(cell.cell()) : std::nullopt;
    setHover(std::move(coordinate), hole);
}

void Explorer::clearHover() { setHover({}, {}); }

void Explorer::setHover(std::optional<Coordinate> coordinate, std::optional<scene::Cell> hole) {
    if (coordinate == hover_ && hole == hole_) return;
    hover_ = std::move(coordinate);
    hole_ = hole;
    emit hoverChanged();
    refreshFormula();
}

GridCell Explorer::logicalOf(const Coordinate& coordinate) const {
    if (!shown_ || coordinate.size() != shown_->figure->layout().shape.size()) return {};
    const auto cell = shown_->figure->logical_cell(coordinate);
    return cell ? GridCell(*cell) : GridCell();
}

QList<GridCell> Explorer::physicalOf(const Coordinate& coordinate) const {
    QList<GridCell> cells;
    if (!shown_ || coordinate.size() != shown_->figure->layout().shape.size()) return cells;
    for (const scene::Cell cell : shown_->figure->physical_cells(coordinate)) cells << GridCell(cell);
    return cells;
}

GridCell Explorer::physicalOfLogical(const GridCell& cell) const {
    const auto coordinate = at(cell, false);
    const auto cells = coordinate ? physicalOf(*coordinate) : QList<GridCell>();
    return cells.isEmpty() ? GridCell() : cells.first();
}

GridCell Explorer::logicalOfPhysical(const GridCell& cell) const {
    const auto coordinate = at(cell, true);
    return coordinate ? logicalOf(*coordinate) : GridCell();
}

GridCell Explorer::logicalHover() const { return hover_ ? logicalOf(*hover_) : GridCell(); }

GridCell Explorer::physicalHover() const {
    if (hole_) return GridCell(*hole_);
    const auto cells = hover_ ? physicalOf(*hover_) : QList<GridCell>();
    return cells.isEmpty() ? GridCell() : cells.first();
}

QList<GridCell> Explorer::physicalAlso() const { return hover_ ? physicalOf(*hover_).mid(1) : QList<GridCell>(); }

QList<GridCell> Explorer::logicalSelected() const {
    if (state_.selected.empty()) return {};
    const GridCell cell = logicalOf(state_.selected.front());
    return cell.valid() ? QList<GridCell>{cell} : QList<GridCell>{};
}

QList<GridCell> Explorer::physicalSelected() const {
    return state_.selected.empty() ? QList<GridCell>{} : physicalOf(state_.selected.front());
}

QList<GridPin> Explorer::logicalPins() const {
    QList<GridPin> list;
    for (std::size_t i = 0; i < state_.pins.size(); ++i) {
        GridPin pin;
        pin.cell = logicalOf(state_.pins[i]);
        pin.number = static_cast<int>(i) + 1;
        if (pin.cell.valid()) list << pin;
    }
    return list;
}

QList<GridPin> Explorer::physicalPins() const {
    QList<GridPin> list;
    for (std::size_t i = 0; i < state_.pins.size(); ++i) {
        for (const GridCell& cell : physicalOf(state_.pins[i])) {
            GridPin pin;
            pin.cell = cell;
            pin.number = static_cast<int>(i) + 1;
            list << pin;
        }
    }
    return list;
}

QVariantList Explorer::pins() const {
    QVariantList list;
    if (!shown_) return list;
    for (std::size_t i = 0; i < state_.pins.size(); ++i) {
        if (state_.pins[i].size() != shown_->figure->layout().shape.size()) continue;
        const figure::Formula formula = shown_->figure->formula(state_.pins[i]);
        QStringList roles;
        for (const auto& term : formula.terms) {
            if (!term.role.empty()) roles << QStringLiteral("%1 %2").arg(to_q(term.role)).arg(term.digit);
        }
        QString address = formula.byte ? hex(*formula.byte) : QString();
        if (address.isEmpty()) {
            QStringList parts;
            for (const auto& [axis, value] : formula.point) parts << QStringLiteral("%1 %2").arg(to_q(axis)).arg(value);
            address = parts.join(QStringLiteral(", "));
        }
        list << QVariantMap{{"number", static_cast<int>(i) + 1},
                            {"coordinate", coordinate_text(state_.pins[i])},
                            {"address", address},
                            {"where", roles.join(QStringLiteral(" · "))}};
    }
    return list;
}

QString Explorer::hoverText() const {
    if (!shown_) return {};
    if (hole_) return to_q(shown_->physical->cells->describe(*hole_));
    if (!hover_) return {};
    const GridCell cell = logicalOf(*hover_);
    return cell.valid() ? to_q(shown_->logical->cells->describe(cell)) : coordinate_text(*hover_);
}

void Explorer::select(std::optional<Coordinate> coordinate) {
    std::vector<Coordinate> next;
    if (coordinate) next.push_back(std::move(*coordinate));
    if (next == state_.selected) return;
    state_.selected = std::move(next);
    store(tr("Select element"), "select");
    emit marksChanged();
    refreshFormula();
}

void Explorer::selectLogical(const GridCell& cell) { select(at(cell, false)); }
void Explorer::selectPhysical(const GridCell& cell) { select(at(cell, true)); }
void Explorer::clearSelection() { select({}); }

int Explorer::pinOf(const Coordinate& coordinate) const {
    const auto found = std::find(state_.pins.begin(), state_.pins.end(), coordinate);
    return found == state_.pins.end() ? 0 : static_cast<int>(found - state_.pins.begin()) + 1;
}

void Explorer::pin(const Coordinate& coordinate) {
    if (const int number = pinOf(coordinate)) {
        removePin(number);
        return;
    }
    if (state_.pins.size() >= ExplorerState::kMostPins) {
        emit said(tr("Nine elements are pinned; take one off first"));
        return;
    }
    state_.pins.push_back(coordinate);
    store(tr("Pin element"));
    emit marksChanged();
    refreshFormula();
}

void Explorer::togglePin() {
    if (hover_)
        pin(*hover_);
    else if (!state_.selected.empty())
        pin(state_.selected.front());
}

void Explorer::pinLogical(const GridCell& cell) {
    if (const auto coordinate = at(cell, false)) pin(*coordinate);
}

void Explorer::pinPhysical(const GridCell& cell) {
    if (const auto coordinate = at(cell, true)) pin(*coordinate);
}

void Explorer::pinPlace(const QString& text) {
    if (!shown_) return;
    if (auto found = shown_->figure->find(to_std(text.trimmed())); found.ok()) pin(*found);
}

void Explorer::removePin(int number) {
    if (number < 1 || number > static_cast<int>(state_.pins.size())) return;
    state_.pins.erase(state_.pins.begin() + number - 1);
    store(tr("Take pin off"));
    emit marksChanged();
    refreshFormula();
}

void Explorer::clearPins() {
    if (state_.pins.empty()) return;
    state_.pins.clear();
    store(tr("Take all pins off"));
    emit marksChanged();
    refreshFormula();
}

void Explorer::goTo(const Coordinate& coordinate) {
    if (!shown_) return;
    if (!shown_->figure->logical_cell(coordinate)) {
        // It lies on another slice: bring that slice in front.
        figure::ViewAxes axes = axesNow();
        axes.fixed.resize(coordinate.size(), 0);
        for (std::size_t d = 0; d < coordinate.size(); ++d) {
            if (d != axes.row_dim && d != axes.col_dim) axes.fixed[d] = coordinate[d];
        }
        state_.axes = axes;
        changeView(tr("Move slice"));
    }
    select(coordinate);
    const auto cells = physicalOf(coordinate);
    emit centreAsked(logicalOf(coordinate), cells.isEmpty() ? GridCell() : cells.first());
}

void Explorer::goToPin(int number) {
    if (number >= 1 && number <= static_cast<int>(state_.pins.size()))
        goTo(Coordinate(state_.pins[static_cast<std::size_t>(number) - 1]));
}

QString Explorer::find(const QString& text) {
    if (!shown_) return tr("There is no layout to search in");
    auto found = shown_->figure->find(to_std(text.trimmed()));
    if (!found.ok()) return to_q(found.error().message);
    goTo(found.value());
    return {};
}

QString Explorer::peek(const QString& text) const {
    if (!shown_ || text.trimmed().isEmpty()) return {};
    const auto found = shown_->figure->find(to_std(text.trimmed()));
    return found.ok() ? coordinate_text(*found) : QString();
}

} // namespace ls::models
