// The tensor as its author sees it.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/figure/formula.h"
#include "core/figure/grid_sources.h"

namespace ls::figure {

namespace {

using scene::Cell;
using scene::CellLabel;
using scene::ColorKey;

class LogicalCells final : public scene::CellSource {
public:
    LogicalCells(std::shared_ptr<const ElementMap> map, ColorRule rule) : map_(std::move(map)), rule_(std::move(rule)) {}

    void colors(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols, ColorKey* out) const override {
        if (rule_.needs_coordinate()) {
            const auto& shape = map_->tensor.shape;
            const ViewAxes& view = *map_->options.axes;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                for (std::size_t j = 0; j < cols.size(); ++j) {
                    std::int64_t flat = 0;
                    for (std::size_t d = 0; d < shape.size(); ++d) {
                        const std::int64_t at = shape.size() == 1 || d == view.col_dim ? cols[j] : d == view.row_dim ? rows[i] : view.fixed[d];
                        flat = flat * shape[d] + at;
                    }
                    out[i * cols.size() + j] = ColorRule::coordinate_key(flat, map_->element_count());
                }
            }
            return;
        }
        // One band at a time, so that the scratch stays in the cache however large the picture is.
        constexpr std::size_t kBand = 1U << 14U;
        const std::size_t rows_per_band = std::max<std::size_t>(1, kBand / std::max<std::size_t>(1, cols.size()));
        std::vector<std::int64_t> linear(std::min(rows_per_band, rows.size()) * cols.size());
        for (std::size_t first = 0; first < rows.size(); first += rows_per_band) {
            const std::size_t count = std::min(rows_per_band, rows.size() - first);
            sample(rows.subspan(first, count), cols, linear.data());
            rule_.keys(std::span(linear).first(count * cols.size()), out + first * cols.size());
        }
    }

    std::string label(Cell cell, CellLabel which) const override {
        const std::vector<std::int64_t> coordinate = coordinate_of(*map_, cell);
        const std::int64_t at = map_->linear(coordinate);
        const std::int64_t elem = at + map_->space.first_elem();
        const int bits = map_->tensor.element_bits();
        switch (which) {
        case CellLabel::None: return {};
        case CellLabel::Coordinate: return fmt::format("{}", fmt::join(coordinate, ","));
        case CellLabel::Offset:
            return map_->space.wrapped ? fmt::format("{}", elem) : fmt::format("{}", map_->space.cell(at).col);
        case CellLabel::Address: return map_->space.wrapped && bits % 8 == 0 ? hex_address(elem * (bits / 8)) : std::string();
        case CellLabel::FlatIndex: {
            std::int64_t flat = 0;
            for (std::size_t d = 0; d < coordinate.size(); ++d) flat = flat * map_->tensor.shape[d] + coordinate[d];
            return fmt::format("{}", flat);
        }
        case CellLabel::Bank: return map_->space.wrapped ? fmt::format("{}", (elem * bits / 32) % 32) : std::string();
        case CellLabel::Block: return map_->levels.empty() ? std::string() : figure::block_label(*map_, map_->levels.size() - 1, at).short_name;
        case CellLabel::Thread: return map_->space.down.empty() ? std::string() : fmt::format("{}", map_->space.cell(at).row);
        }
        return {};
    }

    scene::BlockLabel block_label(std::size_t level, Cell cell) const override {
        return figure::block_label(*map_, level, map_->linear(coordinate_of(*map_, cell)));
    }
    std::string row_tick(std::int64_t row) const override { return fmt::format("{}", row); }
    std::string col_tick(std::int64_t col) const override { return fmt::format("{}", col); }
    std::string row_pill(Cell cell) const override { return fmt::format("{} {}", row_name(), cell.row); }
    std::string col_pill(Cell cell) const override { return fmt::format("{} {}", col_name(), cell.col); }
    std::string describe(Cell cell) const override { return describe_element(*map_, coordinate_of(*map_, cell)); }
    std::vector<Cell> linked(Cell cell) const override { return physical_cells_of(*map_, coordinate_of(*map_, cell)); }

    std::string row_name() const { return map_->tensor.shape.size() == 1 ? "" : map_->tensor.dim_name(map_->options.axes->row_dim); }
    std::string col_name() const { return map_->tensor.dim_name(map_->tensor.shape.size() == 1 ? 0 : map_->options.axes->col_dim); }

private:
    void sample(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols, std::int64_t* out) const {
        const std::span<std::int64_t> cells(out, rows.size() * cols.size());
        if (map_->tensor.shape.size() == 1) {
            for (std::size_t j = 0; j < cols.size(); ++j) cells[j] = map_->forward.on(0).offset_linear(cols[j]);
            return;
        }
        const ViewAxes& view = *map_->options.axes;
        const Status sampled = map_->forward.on(0).sample({view.row_dim, view.col_dim, view.fixed, rows, cols}, cells);
        // Only indices outside the tensor are refused, and a canvas asks for none; a picture of nothing is the honest answer.
        if (!sampled.ok()) std::fill(cells.begin(), cells.end(), 0);
    }

    std::shared_ptr<const ElementMap> map_;
    ColorRule rule_;
};

std::vector<CellLabel> label_choices(const ElementMap& map) {
    std::vector<CellLabel> choices;
    if (map.space.wrapped) {
        choices = {CellLabel::Offset, CellLabel::Coordinate, CellLabel::Address, CellLabel::FlatIndex, CellLabel::Bank};
        if (map.tensor.element_bits() % 8 != 0) std::erase(choices, CellLabel::Address);
    } else {
        choices = {CellLabel::Thread, CellLabel::Offset, CellLabel::Coordinate, CellLabel::FlatIndex};
    }
    if (!map.levels.empty()) choices.push_back(CellLabel::Block);
    return choices;
}

} // namespace

std::shared_ptr<const scene::GridScene> logical_scene(const std::shared_ptr<const ElementMap>& map, const ColorRule& rule) {
    auto picture = std::make_shared<scene::GridScene>();
    auto cells = std::make_shared<LogicalCells>(map, rule);
    const auto& shape = map->tensor.shape;
    const ViewAxes& view = *map->options.axes;
    const bool vector = shape.size() == 1; // shown as one row
    picture->title = "Logical";
    picture->rows = vector ? 1 : shape[view.row_dim];
    picture->cols = vector ? shape[0] : shape[view.col_dim];
    picture->corner = vector ? cells->col_name() : fmt::format("{} \\ {}", cells->row_name(), cells->col_name());
    if (vector) {
        picture->subtitle = fmt::format("[{} elements]", shape[0]);
    } else {
        std::vector<std::string> parts;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            if (d == view.row_dim || d == view.col_dim) continue;
            parts.push_back(fmt::format("{} = {} of {}", map->tensor.dim_name(d), view.fixed[d], shape[d]));
        }
        picture->subtitle = fmt::format("[{} {}, {} {}]", picture->rows, cells->row_name() == "r" ? "rows" : cells->row_name(), picture->cols,
                                        cells->col_name() == "c" ? "columns" : cells->col_name());
        if (!parts.empty()) picture->subtitle += fmt::format(" at {}", fmt::join(parts, ", "));
    }
    const int bits = map->tensor.element_bits();
    for (const Level& level : map->levels) {
        scene::GridLevel line;
        line.name = level.name;
        line.rows = vector ? 1 : level.footprint[view.row_dim];
        line.cols = vector ? level.footprint[0] : level.footprint[view.col_dim];
        if (map->space.wrapped) line.size_text = bytes_text(level.run, bits);
        const bool says_size = line.size_text.empty() || line.name.rfind(line.size_text, 0) == 0; // "16 B chunk"
        picture->legend_lines.push_back({picture->levels.size(), says_size ? line.name : line.name + " " + line.size_text});
        picture->levels.push_back(std::move(line));
    }
    picture->legend = rule.legend();
    picture->label_choices = label_choices(*map);
    picture->cells = std::move(cells);
    return picture;
}

} // namespace ls::figure
