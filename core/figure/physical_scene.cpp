// The memory, or the threads and their registers, as the hardware sees them.
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

class PhysicalCells final : public scene::CellSource {
public:
    PhysicalCells(std::shared_ptr<const ElementMap> map, ColorRule rule) : map_(std::move(map)), rule_(std::move(rule)) {}

    void colors(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols, ColorKey* out) const override {
        const PhysicalSpace& space = map_->space;
        const bool ask = rule_.needs_coordinate() || !map_->everywhere_occupied();
        const bool contiguous = cols.size() > 1 && cols.back() - cols.front() + 1 == static_cast<std::int64_t>(cols.size());
        std::vector<std::int64_t> linear(cols.size());
        std::vector<std::int64_t> owner(ask ? cols.size() : 0);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ColorKey* line = out + i * cols.size();
            const std::int64_t first = rows[i] * space.row_length;
            for (std::size_t j = 0; j < cols.size(); ++j) linear[j] = first + cols[j];
            if (!rule_.needs_coordinate()) rule_.keys(linear, line);
            if (ask) find_owners(linear, contiguous, owner);
            for (std::size_t j = 0; j < cols.size(); ++j) {
                // The last row of a wrapped memory may end early, and a layout may leave holes.
                const bool empty = linear[j] >= space.points || (ask && owner[j] == engine::Inverse::kNone);
                if (empty) {
                    line[j] = ColorKey::role(scene::Role::Sunken);
                } else if (rule_.needs_coordinate()) {
                    line[j] = ColorRule::coordinate_key(owner[j], map_->element_count());
                }
            }
        }
    }

    std::string label(Cell cell, CellLabel which) const override {
        const std::int64_t at = map_->space.linear(cell);
        if (at >= map_->space.points) return {};
        const std::int64_t elem = at + map_->space.first_elem();
        const int bits = map_->tensor.element_bits();
        switch (which) {
        case CellLabel::Offset: return fmt::format("{}", map_->space.wrapped ? elem : cell.col);
        case CellLabel::Address: return map_->space.wrapped && bits % 8 == 0 ? hex_address(elem * (bits / 8)) : std::string();
        case CellLabel::Bank: return map_->space.wrapped ? fmt::format("{}", (elem * bits / 32) % 32) : std::string();
        case CellLabel::Block: return map_->levels.empty() ? std::string() : figure::block_label(*map_, map_->levels.size() - 1, at).short_name;
        case CellLabel::Thread: return map_->space.down.empty() ? std::string() : fmt::format("{}", cell.row);
        case CellLabel::Coordinate:
        case CellLabel::FlatIndex: break;
        case CellLabel::None: return {};
        }
        const auto here = map_->coordinates_at(at);
        if (here.empty()) return {};
        if (here.size() > 1) return fmt::format("{}×", here.size());
        if (which == CellLabel::Coordinate) return fmt::format("{}", fmt::join(here.front(), ","));
        std::int64_t flat = 0;
        for (std::size_t d = 0; d < here.front().size(); ++d) flat = flat * map_->tensor.shape[d] + here.front()[d];
        return fmt::format("{}", flat);
    }

    scene::BlockLabel block_label(std::size_t level, Cell cell) const override {
        const std::int64_t at = map_->space.linear(cell);
        return at < map_->space.points ? figure::block_label(*map_, level, at) : scene::BlockLabel{};
    }

    std::string row_tick(std::int64_t row) const override {
        if (map_->space.wrapped) return address_text(row * map_->space.row_length);
        std::vector<std::int64_t> values;
        for (const SpaceAxis& a : map_->space.down) values.push_back(a.min + row * map_->space.row_length / a.weight % a.extent);
        return values.empty() ? fmt::format("{}", row) : fmt::format("{}", fmt::join(values, "·"));
    }
    std::string col_tick(std::int64_t col) const override {
        if (!map_->space.wrapped) return fmt::format("{}", col);
        const std::int64_t bits = col * map_->tensor.element_bits();
        return bits % 8 == 0 ? fmt::format("+{}", bits / 8) : fmt::format("+{} bit", bits);
    }
    std::string row_pill(Cell cell) const override {
        if (map_->space.wrapped) return row_tick(cell.row);
        return axis_values(map_->space.down, map_->space.linear(cell));
    }
    std::string col_pill(Cell cell) const override {
        if (map_->space.wrapped) return col_tick(cell.col) + (map_->tensor.element_bits() % 8 == 0 ? " B" : "");
        return axis_values(map_->space.right, map_->space.linear(cell));
    }

    std::string describe(Cell cell) const override {
        const std::int64_t at = map_->space.linear(cell);
        if (at >= map_->space.points) return "behind the last element";
        const auto here = map_->coordinates_at(at);
        const std::string where = map_->space.wrapped ? fmt::format("byte {}", address_text(at)) : axis_values(map_->space.down, at) + " " + axis_values(map_->space.right, at);
        if (here.empty()) return where + ", no element lives here";
        if (here.size() == 1) return describe_element(*map_, here.front());
        return fmt::format("{}, {} elements share it, the first is {}", where, here.size(), fmt::join(here.front(), ", "));
    }

    std::vector<Cell> linked(Cell cell) const override {
        std::vector<Cell> cells;
        const std::int64_t at = map_->space.linear(cell);
        if (at >= map_->space.points) return cells;
        for (const auto& coordinate : map_->coordinates_at(at)) {
            const Cell logical = logical_cell_of(*map_, coordinate);
            if (logical.valid()) cells.push_back(logical);
        }
        return cells;
    }

private:
    std::string address_text(std::int64_t linear) const {
        const std::int64_t bits = (linear + map_->space.first_elem()) * map_->tensor.element_bits();
        return bits % 8 == 0 ? hex_address(bits / 8) : fmt::format("bit {}", bits);
    }
    static std::string axis_values(const std::vector<SpaceAxis>& side, std::int64_t linear) {
        std::vector<std::string> parts;
        parts.reserve(side.size());
        for (const SpaceAxis& a : side) {
            const std::string axis(a.axis == axes::m ? "slot" : a.axis.name());
            parts.push_back(fmt::format("{} {}", axis, a.min + linear / a.weight % a.extent));
        }
        return fmt::format("{}", fmt::join(parts, " · "));
    }
    void find_owners(std::span<const std::int64_t> linear, bool contiguous, std::span<std::int64_t> owner) const {
        if (contiguous && map_->inverse.fill_first(linear.front(), owner).ok()) return;
        for (std::size_t j = 0; j < linear.size(); ++j) owner[j] = map_->first_owner(linear[j]);
    }

    std::shared_ptr<const ElementMap> map_;
    ColorRule rule_;
};

std::string space_subtitle(const ElementMap& map) {
    const std::string memory(name(map.tensor.space));
    if (map.space.wrapped) return map.tensor.space == MemorySpace::Unknown ? "byte order" : memory + ", byte order";
    std::vector<std::string> down, right;
    for (const SpaceAxis& a : map.space.down) down.push_back(fmt::format("{} {}", a.extent, a.axis.name()));
    for (const SpaceAxis& a : map.space.right) right.push_back(fmt::format("{} {}", a.extent, a.axis == axes::m ? "slots" : a.axis.name()));
    return fmt::format("{}{}{}{}", map.tensor.space == MemorySpace::Unknown ? "" : memory + ", ", fmt::join(down, " · "),
                       down.empty() || right.empty() ? "" : " by ", fmt::join(right, " · "));
}

} // namespace

std::shared_ptr<const scene::GridScene> physical_scene(const std::shared_ptr<const ElementMap>& map, const ColorRule& rule) {
    auto picture = std::make_shared<scene::GridScene>();
    const PhysicalSpace& space = map->space;
    picture->title = "Physical";
    picture->subtitle = space_subtitle(*map);
    picture->rows = space.rows();
    picture->cols = space.row_length;
    if (!space.wrapped) {
        std::vector<std::string_view> names;
        for (const SpaceAxis& a : space.down) names.push_back(a.axis.name());
        picture->corner = fmt::format("{}", fmt::join(names, "·"));
        // Many threads with few registers each: wider cells make a picture that can be read.
        picture->cell_aspect = std::clamp(static_cast<double>(picture->rows) / (2.0 * static_cast<double>(picture->cols)), 1.0, 8.0);
    }
    const int bits = map->tensor.element_bits();
    for (std::size_t i = 0; i < map->levels.size(); ++i) {
        const Level& level = map->levels[i];
        scene::GridLevel line;
        line.name = level.name;
        if (level.run <= space.row_length) {
            line.cols = level.run;
        } else if (level.run % space.row_length == 0) {
            line.rows = level.run / space.row_length;
            line.cols = space.row_length;
        } else {
            // A part that ends inside a row is no box here: its outline is left out, its place among the levels is kept.
            line.rows = space.rows();
            line.cols = space.row_length;
        }
        if (space.wrapped) line.size_text = bytes_text(level.run, bits);
        picture->levels.push_back(std::move(line));
    }
    if (space.wrapped) {
        picture->legend.push_back({{}, fmt::format("Row\t{} = {} elements{}", bytes_text(space.row_length, bits), space.row_length,
                                                   map->tensor.dtype ? fmt::format(" of {}", info(*map->tensor.dtype).brief) : "")});
    }
    if (!map->everywhere_occupied()) picture->legend.push_back({{ColorKey::role(scene::Role::Sunken)}, "no element lives here"});
    picture->label_choices = {CellLabel::Offset, CellLabel::Coordinate, CellLabel::FlatIndex};
    if (space.wrapped) {
        if (bits % 8 == 0) picture->label_choices.push_back(CellLabel::Address);
        picture->label_choices.push_back(CellLabel::Bank);
    } else {
        picture->label_choices = {CellLabel::Coordinate, CellLabel::FlatIndex, CellLabel::Offset};
        if (!space.down.empty()) picture->label_choices.push_back(CellLabel::Thread);
    }
    if (!map->levels.empty()) picture->label_choices.push_back(CellLabel::Block);
    picture->cells = std::make_shared<PhysicalCells>(map, rule);
    return picture;
}

} // namespace ls::figure
