#include "core/figure/element_table.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "core/figure/filter_expression.h"
#include "core/figure/formula.h"
#include "core/figure/grid_sources.h"

namespace ls::figure {

namespace {

using scene::Cell;
using scene::TableColumn;

constexpr std::int64_t kMaxScan = std::int64_t{1} << 26U;

/// How the values of one element are computed, column by column.
class Columns {
public:
    explicit Columns(const ElementMap& map) : map_(map) {
        for (std::size_t d = 0; d < map.tensor.shape.size(); ++d) {
            add(map.tensor.dim_name(d), "coordinate along this dimension", 5);
        }
        if (map.space.wrapped) {
            add("offset", "elements from the start of the memory", 8);
            if (map.tensor.element_bits() % 8 == 0) {
                byte_column_ = titles_.size();
                add("byte", "address of the first byte", 8);
            }
        } else {
            for (const auto* side : {&map.space.down, &map.space.right}) {
                for (const SpaceAxis& a : *side) add(a.axis == axes::m ? "slot" : std::string(a.axis.name()), "value on this axis", 6);
            }
        }
        if (map.space.wrapped) {
            for (std::size_t i = map.levels.size(); i-- > 0;) add(map.levels[i].word, fmt::format("number of the {} inside the part before it", map.levels[i].name), 5);
            if (!map.levels.empty()) add("in " + map.levels.front().word, "place inside the innermost part", 6);
            if (map.tensor.element_bits() >= 8) add("bank", "shared-memory bank of 4 bytes, 32 of them", 5);
        }
    }

    const std::vector<TableColumn>& titles() const { return titles_; }
    /// Names a filter can use: the titles with '_' for what no name may hold.
    std::vector<std::string> filter_names() const {
        std::vector<std::string> names;
        for (const TableColumn& c : titles_) {
            std::string n = c.title;
            for (char& ch : n) {
                if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
            }
            names.push_back(std::move(n));
        }
        return names;
    }

    void values(const std::vector<std::int64_t>& coordinate, std::vector<std::int64_t>& out) const {
        out.assign(coordinate.begin(), coordinate.end());
        const std::int64_t at = map_.linear(coordinate);
        if (!map_.space.wrapped) {
            for (const auto& [axis, value] : map_.space.point(at)) out.push_back(value);
            return;
        }
        const std::int64_t elem = at + map_.space.first_elem();
        const int bits = map_.tensor.element_bits();
        out.push_back(elem);
        if (bits % 8 == 0) out.push_back(elem * (bits / 8));
        std::int64_t rest = at;
        for (std::size_t i = map_.levels.size(); i-- > 0;) {
            out.push_back(rest / map_.levels[i].run);
            rest %= map_.levels[i].run;
        }
        if (!map_.levels.empty()) out.push_back(rest);
        if (bits >= 8) out.push_back(elem * (bits / 8) / 4 % 32);
    }

    std::string text(std::size_t column, std::int64_t value) const {
        return byte_column_ && column == *byte_column_ ? hex_address(value) : fmt::format("{}", value);
    }

private:
    void add(std::string title, std::string help, double width) {
        titles_.push_back({std::move(title), true, width, std::move(help)});
    }
    const ElementMap& map_;
    std::vector<TableColumn> titles_;
    std::optional<std::size_t> byte_column_;
};

std::vector<std::int64_t> unflatten(const Shape& shape, std::int64_t flat) {
    std::vector<std::int64_t> coordinate(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        coordinate[d] = flat % shape[d];
        flat /= shape[d];
    }
    return coordinate;
}

std::int64_t flatten(const Shape& shape, const std::vector<std::int64_t>& coordinate) {
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + coordinate[d];
    return flat;
}

class ElementTable final : public scene::TableSource {
public:
    ElementTable(std::shared_ptr<const ElementMap> map, std::optional<std::vector<std::int64_t>> order)
        : map_(std::move(map)), columns_(*map_), order_(std::move(order)) {
        if (!order_) return;
        position_.reserve(order_->size());
        for (std::size_t i = 0; i < order_->size(); ++i) position_.emplace((*order_)[i], static_cast<std::int64_t>(i));
    }

    const std::vector<TableColumn>& columns() const override { return columns_.titles(); }
    std::int64_t row_count() const override { return order_ ? static_cast<std::int64_t>(order_->size()) : map_->element_count(); }
    std::string text(std::int64_t row, std::size_t column) const override {
        std::vector<std::int64_t> values;
        columns_.values(unflatten(map_->tensor.shape, flat(row)), values);
        return columns_.text(column, values[column]);
    }
    std::optional<Cell> cell(std::int64_t row) const override {
        const Cell at = logical_cell_of(*map_, unflatten(map_->tensor.shape, flat(row)));
        return at.valid() ? std::optional(at) : std::nullopt;
    }
    std::optional<std::int64_t> row_of(Cell cell) const override {
        const std::int64_t element = flatten(map_->tensor.shape, coordinate_of(*map_, cell));
        if (!order_) return element;
        const auto found = position_.find(element);
        return found == position_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    std::int64_t flat(std::int64_t row) const { return order_ ? (*order_)[static_cast<std::size_t>(row)] : row; }

    std::shared_ptr<const ElementMap> map_;
    Columns columns_;
    std::optional<std::vector<std::int64_t>> order_; ///< flat indices of the rows; empty: all, in reading order
    std::unordered_map<std::int64_t, std::int64_t> position_;
};

class FixedTable final : public scene::TableSource {
public:
    FixedTable(std::vector<TableColumn> columns, std::vector<std::vector<std::string>> rows)
        : columns_(std::move(columns)), rows_(std::move(rows)) {}
    const std::vector<TableColumn>& columns() const override { return columns_; }
    std::int64_t row_count() const override { return static_cast<std::int64_t>(rows_.size()); }
    std::string text(std::int64_t row, std::size_t column) const override { return rows_[static_cast<std::size_t>(row)][column]; }
    std::optional<Cell> cell(std::int64_t) const override { return {}; }
    std::optional<std::int64_t> row_of(Cell) const override { return {}; }

private:
    std::vector<TableColumn> columns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace

Result<std::shared_ptr<const scene::TableSource>> element_table(const std::shared_ptr<const ElementMap>& map,
                                                                const LayoutFigure::ElementQuery& query, const std::atomic<bool>* cancel) {
    const Columns columns(*map);
    const std::vector<std::string> names = columns.filter_names();
    LS_TRY(const FilterExpression filter, FilterExpression::read(query.filter, names));
    std::optional<std::vector<std::int64_t>> order;
    if (!filter.selects_everything() || query.sort_column) {
        const std::int64_t count = map->element_count();
        if (count > kMaxScan) {
            return error("FIG_TABLE_TOO_LARGE", fmt::format("the tensor has {} elements; filtering and sorting go up to {}", count, kMaxScan),
                         "leave the filter empty, or look at a smaller tensor of the same layout");
        }
        order.emplace();
        std::vector<std::int64_t> keys;
        std::vector<std::int64_t> values;
        std::vector<std::int64_t> coordinate(map->tensor.shape.size(), 0);
        for (std::int64_t flat = 0; flat < count; ++flat) {
            if ((flat & 0xFFFF) == 0 && cancel != nullptr && cancel->load(std::memory_order_relaxed)) return error("FIG_CANCELLED", "the table was cancelled");
            columns.values(coordinate, values);
            if (filter.selects(values)) {
                order->push_back(flat);
                if (query.sort_column && *query.sort_column < values.size()) keys.push_back(values[*query.sort_column]);
            }
            for (std::size_t d = coordinate.size(); d-- > 0 && ++coordinate[d] == map->tensor.shape[d];) coordinate[d] = 0;
        }
        if (keys.size() == order->size() && !keys.empty()) {
            std::vector<std::uint32_t> by_key(keys.size());
            std::iota(by_key.begin(), by_key.end(), 0U);
            std::stable_sort(by_key.begin(), by_key.end(), [&](std::uint32_t a, std::uint32_t b) {
                return query.descending ? keys[a] > keys[b] : keys[a] < keys[b];
            });
            std::vector<std::int64_t> sorted(order->size());
            std::transform(by_key.begin(), by_key.end(), sorted.begin(), [&](std::uint32_t i) { return (*order)[i]; });
            *order = std::move(sorted);
        }
    }
    return std::shared_ptr<const scene::TableSource>(std::make_shared<ElementTable>(map, std::move(order)));
}

std::shared_ptr<const scene::TableSource> iter_table(const ElementMap& map) {
    std::vector<TableColumn> columns{{"dim", false, 4, "logical dimension that this iter indexes"},
                                     {"extent", true, 6, "number of steps"},
                                     {"stride", true, 8, "distance of one step, in elements or in units of its axis"},
                                     {"bytes", true, 7, "distance of one step in bytes"},
                                     {"meaning", false, 15, "what one step is"}};
    const int bits = map.tensor.element_bits();
    std::vector<std::vector<std::string>> rows;
    const auto stride_text = [](const Dim& stride, Axis axis) {
        return axis == axes::m ? fmt::format("{}", stride.value()) : fmt::format("{}@{}", stride.value(), axis.name());
    };
    const auto bytes_of = [bits](const Dim& stride, Axis axis) {
        if (axis != axes::m) return std::string("–");
        const std::int64_t total = stride.value() * bits;
        return total % 8 == 0 ? fmt::format("{}", total / 8) : fmt::format("{} bit", total);
    };
    for (const GroupedIter& iter : map.iters) {
        std::string meaning = iter.role;
        if (meaning.empty() && iter.stride == 0 && iter.extent > 1) meaning = "broadcast";
        rows.push_back({iter.dim == GroupedIter::kFlat ? "x" : map.tensor.dim_name(iter.dim), fmt::format("{}", iter.extent),
                        stride_text(iter.stride, iter.axis), bytes_of(iter.stride, iter.axis), std::move(meaning)});
    }
    for (const Iter& iter : map.tensor.layout.tile().replica) {
        rows.push_back({"copies", fmt::format("{}", iter.extent.value()), stride_text(iter.stride, iter.axis), bytes_of(iter.stride, iter.axis), "replica"});
    }
    for (const auto& [axis, amount] : map.tensor.layout.tile().offset) {
        rows.push_back({"offset", "–", stride_text(amount, axis), bytes_of(amount, axis), "offset"});
    }
    if (const ComposeLayout* compose = map.tensor.layout.compose()) {
        rows.push_back({"swizzle", fmt::format("{},{},{}", compose->per_element, compose->swizzle_len, compose->atom_len), "–", "–",
                        fmt::format("XOR of {} bits, {}", compose->swizzle_len, compose->swizzle_inner ? "inner" : "outer")});
    }
    return std::make_shared<FixedTable>(std::move(columns), std::move(rows));
}

} // namespace ls::figure
