// What is written in, at and about one cell; shared by both pictures.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/figure/formula.h"
#include "core/figure/grid_sources.h"

namespace ls::figure {

scene::BlockLabel block_label(const ElementMap& map, std::size_t level, std::int64_t linear) {
    scene::BlockLabel label;
    if (level >= map.levels.size()) return label;
    // Outermost part first; each number counts inside the part before it.
    std::int64_t within = map.space.points;
    std::int64_t rest = linear;
    std::int64_t begin = 0;
    for (std::size_t i = map.levels.size(); i-- > level;) {
        const Level& l = map.levels[i];
        if (l.run >= within) continue;
        // Threads, lanes and small groups of them are named at the axis; only whole warps are worth a name in the picture.
        if (!map.space.wrapped && l.word.rfind("warp", 0) != 0) continue;
        const std::int64_t index = rest / l.run;
        if (!label.name.empty()) {
            label.name += " · ";
            label.short_name += "·";
        }
        label.name += fmt::format("{} {}", l.word, index);
        label.short_name += fmt::format("{}", index);
        begin += index * l.run;
        rest -= index * l.run;
        within = l.run;
    }
    const int bits = map.tensor.element_bits();
    if (map.space.wrapped && bits % 8 == 0) {
        label.detail = hex_address((begin + map.space.first_elem()) * (bits / 8));
    } else if (!map.space.wrapped && !map.space.down.empty()) {
        const SpaceAxis& inner = map.space.down.back();
        label.detail = fmt::format("{} {}", inner.axis.name(), inner.min + begin / inner.weight % inner.extent);
    }
    return label;
}

scene::Cell logical_cell_of(const ElementMap& map, const std::vector<std::int64_t>& coordinate) {
    const ViewAxes& view = *map.options.axes;
    if (coordinate.size() == 1) return {0, coordinate[0]};
    for (std::size_t d = 0; d < coordinate.size(); ++d) {
        if (d != view.row_dim && d != view.col_dim && coordinate[d] != view.fixed[d]) return {};
    }
    return {coordinate[view.row_dim], coordinate[view.col_dim]};
}

std::vector<std::int64_t> coordinate_of(const ElementMap& map, scene::Cell cell) {
    if (map.tensor.shape.size() == 1) return {cell.col};
    const ViewAxes& view = *map.options.axes;
    std::vector<std::int64_t> coordinate = view.fixed;
    coordinate[view.row_dim] = cell.row;
    coordinate[view.col_dim] = cell.col;
    return coordinate;
}

std::vector<scene::Cell> physical_cells_of(const ElementMap& map, const std::vector<std::int64_t>& coordinate) {
    std::vector<scene::Cell> cells;
    if (!map.inside(coordinate)) return cells;
    for (const std::int64_t at : map.copies(coordinate)) cells.push_back(map.space.cell(at));
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

std::string describe_element(const ElementMap& map, const std::vector<std::int64_t>& coordinate) {
    std::vector<std::string> parts;
    for (std::size_t d = 0; d < coordinate.size(); ++d) {
        const std::string dim = map.tensor.dim_name(d);
        parts.push_back(fmt::format("{} {}", dim == "r" ? "row" : dim == "c" ? "column" : dim, coordinate[d]));
    }
    const std::int64_t at = map.linear(coordinate);
    const int bits = map.tensor.element_bits();
    for (const auto& [axis, value] : map.space.point(at)) {
        if (map.space.wrapped && bits % 8 == 0) {
            parts.push_back(fmt::format("byte {}", hex_address(value * (bits / 8))));
        } else {
            parts.push_back(fmt::format("{} {}", axis.name(), value));
        }
    }
    if (map.space.wrapped && !map.levels.empty()) parts.push_back(block_label(map, 0, at).name);
    if (map.forward.copies() > 1) parts.push_back(fmt::format("{} copies", map.forward.copies()));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace ls::figure
