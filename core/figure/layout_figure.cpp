#include "core/figure/layout_figure.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/figure/element_table.h"
#include "core/figure/formula.h"
#include "core/figure/grid_sources.h"
#include "core/figure/properties.h"

namespace ls::figure {

namespace {

class Figure final : public LayoutFigure {
public:
    Figure(std::shared_ptr<const ElementMap> map, std::vector<ColorBy> choices) : map_(std::move(map)), choices_(std::move(choices)) {
        const ColorRule rule(*map_->options.color, map_->space, map_->levels, map_->tensor.element_bits());
        logical_ = logical_scene(map_, rule);
        physical_ = physical_scene(map_, rule);
    }

    const TensorLayout& layout() const override { return map_->tensor; }
    const LayoutFigureOptions& options() const override { return map_->options; }
    const std::vector<ColorBy>& color_choices() const override { return choices_; }
    std::shared_ptr<const scene::GridScene> logical() const override { return logical_; }
    std::shared_ptr<const scene::GridScene> physical() const override { return physical_; }

    std::vector<std::int64_t> coordinate(scene::Cell cell) const override { return coordinate_of(*map_, cell); }
    std::optional<scene::Cell> logical_cell(const std::vector<std::int64_t>& coordinate) const override {
        const scene::Cell cell = map_->inside(coordinate) ? logical_cell_of(*map_, coordinate) : scene::Cell{};
        return cell.valid() ? std::optional(cell) : std::nullopt;
    }
    std::vector<std::vector<std::int64_t>> coordinates_at(scene::Cell physical) const override {
        const std::int64_t at = map_->space.linear(physical);
        if (at < 0 || at >= map_->space.points) return {};
        return map_->coordinates_at(at);
    }
    std::vector<scene::Cell> physical_cells(const std::vector<std::int64_t>& coordinate) const override {
        return physical_cells_of(*map_, coordinate);
    }

    Formula formula(const std::vector<std::int64_t>& coordinate) const override {
        if (!map_->inside(coordinate)) return {};
        return make_formula(map_->tensor, map_->space, map_->iters, map_->copies(coordinate), coordinate, map_->options.show_swizzle);
    }
    std::vector<RulerLevel> ruler(const std::vector<std::int64_t>& coordinate) const override {
        if (!map_->inside(coordinate)) return {};
        return make_ruler(map_->tensor, map_->space, map_->levels, map_->linear(coordinate));
    }
    std::shared_ptr<const scene::TableSource> iters() const override { return iter_table(*map_); }
    std::vector<scene::PropertyRow> properties() const override { return layout_properties(*map_); }
    scene::PropertyRow verdict() const override { return layout_verdict(*map_); }
    Result<std::shared_ptr<const scene::TableSource>> elements(const ElementQuery& query, const std::atomic<bool>* cancel) const override {
        return element_table(map_, query, cancel);
    }

    Result<std::vector<std::int64_t>> find(std::string_view text) const override {
        LS_TRY(const std::vector<std::int64_t> numbers, read_numbers(text));
        const TensorLayout& tensor = map_->tensor;
        const bool hex = text.find("0x") != std::string_view::npos || text.find("0X") != std::string_view::npos;
        if (numbers.size() == tensor.shape.size() && !(numbers.size() == 1 && hex)) {
            for (std::size_t d = 0; d < numbers.size(); ++d) {
                if (numbers[d] >= 0 && numbers[d] < tensor.shape[d]) continue;
                return error("FIG_FIND", fmt::format("{} = {} is outside the tensor: its extent is {}", tensor.dim_name(d), numbers[d], tensor.shape[d]),
                             fmt::format("coordinates of {} run from 0 to {}", tensor.dim_name(d), tensor.shape[d] - 1));
            }
            return numbers;
        }
        if (numbers.size() != 1) {
            return error("FIG_FIND", fmt::format("{} numbers do not make a coordinate of this tensor of rank {}", numbers.size(), tensor.shape.size()),
                         "write one number for each dimension, an offset, or a byte address such as 0x0CAA");
        }
        return at_address(numbers.front(), hex);
    }

private:
    static Result<std::vector<std::int64_t>> read_numbers(std::string_view text) {
        std::vector<std::int64_t> numbers;
        const char* at = text.data();
        const char* const end = at + text.size();
        while (at != end) {
            if (*at == ' ' || *at == ',' || *at == '(' || *at == ')') {
                ++at;
                continue;
            }
            const bool hex = end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
            std::int64_t value = 0;
            const auto [next, problem] = std::from_chars(at + (hex ? 2 : 0), end, value, hex ? 16 : 10);
            if (problem != std::errc{}) {
                const auto place = static_cast<std::size_t>(at - text.data());
                return error_at({place, text.size()}, "FIG_FIND", fmt::format("'{}' is not a number", text.substr(place)),
                                "search a coordinate (37, 21), an offset (1621) or a byte address (0x0CAA)");
            }
            numbers.push_back(value);
            at = next;
        }
        if (numbers.empty()) return error("FIG_FIND", "there is nothing to search for", "write a coordinate, an offset or a byte address");
        return numbers;
    }

    /// `value` is a byte address when it was written in hexadecimal, else an offset in elements.
    Result<std::vector<std::int64_t>> at_address(std::int64_t value, bool is_byte) const {
        const PhysicalSpace& space = map_->space;
        if (!space.wrapped) {
            return error("FIG_FIND", "a single number names no place here: the elements lie on several axes", "search a coordinate instead");
        }
        const int bits = map_->tensor.element_bits();
        // A byte address names the element that holds that byte.
        const std::int64_t linear = (is_byte ? (bits >= 8 ? value / (bits / 8) : value * (8 / bits)) : value) - space.first_elem();
        const std::string spelled = is_byte ? fmt::format("byte {}", hex_address(value)) : fmt::format("offset {}", value);
        if (linear < 0 || linear >= space.points) {
            return error("FIG_FIND", fmt::format("{} is outside the tensor, which ends at {}", spelled,
                                                 is_byte && bits >= 8 ? "byte " + hex_address((space.points + space.first_elem()) * (bits / 8) - 1)
                                                                      : fmt::format("offset {}", space.points + space.first_elem() - 1)),
                         "search a smaller address");
        }
        const auto owners = map_->coordinates_at(linear);
        if (owners.empty()) return error("FIG_FIND", fmt::format("no element lives at {}", spelled), "the layout leaves a hole there");
        return owners.front();
    }

    std::shared_ptr<const ElementMap> map_;
    std::vector<ColorBy> choices_;
    std::shared_ptr<const scene::GridScene> logical_;
    std::shared_ptr<const scene::GridScene> physical_;
};

} // namespace

Result<std::shared_ptr<const LayoutFigure>> LayoutFigure::build(TensorLayout layout, LayoutFigureOptions options) {
    LS_TRY(auto map, ElementMap::build(std::move(layout), std::move(options)));
    std::vector<ColorBy> choices = figure::color_choices(map->tensor, map->space, map->levels);
    if (!map->options.color || std::find(choices.begin(), choices.end(), *map->options.color) == choices.end()) {
        auto with_default = std::make_shared<ElementMap>(*map);
        with_default->options.color = choices.front();
        map = std::move(with_default);
    }
    return std::shared_ptr<const LayoutFigure>(std::make_shared<Figure>(std::move(map), std::move(choices)));
}

} // namespace ls::figure
