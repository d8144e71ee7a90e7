#include "core/figure/element_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/layout/operations.h"
#include "core/support/checked.h"

namespace ls::figure {

namespace {

Result<ViewAxes> complete_axes(const TensorLayout& tensor, std::optional<ViewAxes> asked) {
    const std::size_t rank = tensor.shape.size();
    ViewAxes axes;
    if (asked) {
        axes = *asked;
    } else if (rank >= 2) {
        axes.row_dim = rank - 2;
        axes.col_dim = rank - 1;
    } else {
        axes.row_dim = axes.col_dim = 0;
    }
    axes.fixed.resize(rank, 0);
    if (rank >= 2 && (axes.row_dim >= rank || axes.col_dim >= rank || axes.row_dim == axes.col_dim)) {
        return error("FIG_AXES", fmt::format("dimensions {} and {} cannot be shown of a tensor of rank {}", axes.row_dim, axes.col_dim, rank),
                     "choose two different dimensions");
    }
    for (std::size_t d = 0; d < rank; ++d) {
        if (axes.fixed[d] < 0 || axes.fixed[d] >= tensor.shape[d]) {
            return error("FIG_AXES", fmt::format("dimension {} stands at {}, but its extent is {}", tensor.dim_name(d), axes.fixed[d], tensor.shape[d]),
                         "choose a position inside the tensor");
        }
    }
    return axes;
}

} // namespace

Result<std::shared_ptr<const ElementMap>> ElementMap::build(TensorLayout tensor, LayoutFigureOptions options) {
    auto map = std::make_shared<ElementMap>();
    if (tensor.shape.empty()) return error("FIG_SHAPE", "the tensor has no dimensions", "give a shape, such as `| [8, 64]`");
    const CheckedInt count = checked_product(tensor.shape);
    const Dim elements = size(tensor.layout);
    if (!count || !elements.is(*count)) {
        return error("FIG_SHAPE", fmt::format("the shape [{}] does not have the layout's {} elements", fmt::join(tensor.shape, ", "), to_string(elements)),
                     "give a shape whose product is the layout's size");
    }
    if (options.row_bytes < 0 || options.row_bytes > (std::int64_t{1} << 24)) {
        return error("FIG_ROW_BYTES", fmt::format("a row of {} bytes cannot be shown", options.row_bytes), "choose 16 to 16777216 bytes, or 0 to let the picture choose");
    }
    LS_TRY(options.axes, complete_axes(tensor, options.axes));
    // Taking the swizzle off shows the tile itself: the same elements, at the addresses before the XOR.
    TensorLayout shown = tensor;
    if (!options.show_swizzle) shown.layout = Layout(tensor.layout.tile());
    LS_TRY(map->space, physical_space(shown, options.row_bytes));
    if (map->space.wrapped) options.row_bytes = map->space.row_length * tensor.element_bits() / 8;
    map->iters = grouped_iters(shown, map->space);
    map->levels = figure::levels(tensor, map->space, map->iters);
    const Layout folded = linearized(shown.layout, map->space);
    LS_TRY(map->forward, engine::compile_map(folded, tensor.shape));
    map->inverse = engine::Inverse(map->forward);
    // Counted over the places that the picture shows. Layouts whose iters nest have a closed form of any size; of the
    // others only as many are counted one by one as a hand on the keyboard does not notice.
    engine::CoverageOptions limits;
    limits.spans = std::span(&map->space.points, 1);
    limits.memory_limit_bytes = std::int64_t{8} << 20;
    limits.step_limit = std::int64_t{1} << 24;
    if (auto counted = engine::coverage(map->forward, limits); counted.ok()) map->coverage = *counted;
    map->tensor = std::move(tensor);
    map->options = std::move(options);
    return std::shared_ptr<const ElementMap>(std::move(map));
}

bool ElementMap::inside(const std::vector<std::int64_t>& coordinate) const {
    if (coordinate.size() != tensor.shape.size()) return false;
    for (std::size_t d = 0; d < coordinate.size(); ++d) {
        if (coordinate[d] < 0 || coordinate[d] >= tensor.shape[d]) return false;
    }
    return true;
}

std::vector<std::int64_t> ElementMap::copies(const std::vector<std::int64_t>& coordinate) const {
    auto points = forward.points(forward.on(0).index(coordinate), 4096);
    return points.ok() ? std::move(*points) : std::vector<std::int64_t>{linear(coordinate)};
}

std::vector<std::vector<std::int64_t>> ElementMap::coordinates_at(std::int64_t linear) const {
    std::vector<std::vector<std::int64_t>> found;
    const auto owners = inverse.find(std::span(&linear, 1));
    if (!owners.ok()) return found;
    for (const std::int64_t element : owners->elements) found.push_back(inverse.coordinate(element));
    return found;
}

bool ElementMap::everywhere_occupied() const { return coverage && coverage->holes == 0; }

std::int64_t ElementMap::first_owner(std::int64_t linear) const {
    const auto owner = inverse.first(std::span(&linear, 1));
    return owner.ok() ? *owner : engine::Inverse::kNone;
}

} // namespace ls::figure
