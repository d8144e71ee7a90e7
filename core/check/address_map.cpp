// Windows of tensors as layouts: what a load or a store touches, element by element.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/check/access.h"
#include "core/layout/catalogue/nz.h"
#include "core/layout/engine/compiled_layout.h"
#include "core/layout/operations.h"
#include "core/support/checked.h"

namespace ls::check {

namespace {

std::vector<Dim> dims(const Shape& shape) { return {shape.begin(), shape.end()}; }

Result<Shape> constant_shape(const std::vector<ir::Expr>& exprs, const Bindings& bindings, const ir::ModuleNode& module,
                             std::string_view what, std::string_view tensor) {
    Shape values;
    for (std::size_t i = 0; i < exprs.size(); ++i) {
        const auto value = evaluate(exprs[i], bindings, module);
        if (!value) {
            return error("CHECK_DYNAMIC", fmt::format("{} {} of {} is not known: it depends on values that only a launch gives", what, i, tensor),
                         "give the names values to see the addresses");
        }
        values.push_back(*value);
    }
    return values;
}

/// Blocked NZ: rank 5 ending in [16, c0] (spec/nz.md C.2).
bool is_blocked_nz(const Shape& shape, std::int64_t c0) { return shape.size() == 5 && shape[3] == catalogue::kFractalRows && shape[4] == c0; }

Result<TensorLayout> strided(const ir::TensorTypeNode& type, Shape shape, const Bindings& bindings, const ir::ModuleNode& module,
                             const std::string& tensor) {
    TensorLayout out;
    out.dtype = type.dtype;
    out.space = MemorySpace::Gm;
    out.name = tensor;
    Shape strides;
    if (type.view && !type.view->stride.empty()) {
        LS_TRY(strides, constant_shape(type.view->stride, bindings, module, "stride", tensor));
    }
    if (strides.size() != shape.size()) {
        const TileLayout packed = row_major(shape);
        strides.clear();
        for (const Iter& iter : packed.shard) strides.push_back(iter.stride.value());
        if (type.view && type.view->order == ir::TensorOrder::DN && shape.size() >= 2) {
            const std::size_t n = shape.size();
            strides[n - 2] = 1;
            strides[n - 1] = shape[n - 2];
        }
    }
    TileLayout tile;
    for (std::size_t d = 0; d < shape.size(); ++d) tile.shard.push_back({shape[d], strides[d], axes::m});
    out.layout = Layout(std::move(tile));
    out.shape = std::move(shape);
    if (out.shape.size() == 2) out.dim_names = {"r", "c"};
    if (out.shape.size() == 3) out.dim_names = {"b", "r", "c"};
    return out;
}

/// Names and roles of a blocked NZ tensor, so that pictures before and after blocking speak of the same parts.
void name_blocked(TensorLayout& tensor) {
    tensor.dim_names = {"b", "block", "fractal", "line", "in_line"};
    tensor.roles = {{0, "batch"}, {1, "column block"}, {2, "fractal"}, {3, "line in fractal"}, {4, "within C0 line"}};
}

} // namespace

Result<TensorLayout> tensor_layout(const ir::TensorTypeNode& type, const std::string& tensor, const Bindings& bindings) {
    const ir::ModuleNode no_module;
    LS_TRY(Shape shape, constant_shape(type.shape, bindings, no_module, "extent", tensor));
    const ir::TensorOrder order = type.view ? type.view->order : ir::TensorOrder::ND;
    if (order == ir::TensorOrder::MX_A_ZZ || order == ir::TensorOrder::MX_B_NN) {
        return error("CHECK_ORDER", fmt::format("{} is in {} order, whose addresses are not modelled here", tensor, ir::name(order)), "look at an ND, DN or NZ tensor");
    }
    if (order == ir::TensorOrder::NZ) {
        LS_TRY(const std::int64_t c0, catalogue::c0_elements(type.dtype));
        if (!is_blocked_nz(shape, c0)) {
            LS_TRY(TensorLayout logical, catalogue::nz_tensor(shape, type.dtype));
            logical.name = tensor;
            return logical;
        }
        LS_TRY(TensorLayout blocked, strided(type, std::move(shape), bindings, no_module, tensor));
        name_blocked(blocked);
        return blocked;
    }
    return strided(type, std::move(shape), bindings, no_module, tensor);
}

Result<AddressMap> address_map(const Access& access, const ir::ModuleNode& module, const Bindings& bindings) {
    AddressMap map;
    LS_TRY(map.tensor, tensor_layout(*access.tensor_type, access.tensor, bindings));
    LS_TRY(map.begin, constant_shape(access.offsets, bindings, module, "offset", access.tensor));
    LS_TRY(map.extent, constant_shape(access.sizes, bindings, module, "size", access.tensor));
    const Shape& shape = map.tensor.shape;
    if (map.begin.size() != shape.size() || map.extent.size() != shape.size()) {
        return error("CHECK_RANK", fmt::format("the window of {} has {} offsets and {} sizes, but the tensor has rank {}", access.tensor,
                                               map.begin.size(), map.extent.size(), shape.size()),
                     "write one offset and one size for each dimension");
    }
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const CheckedInt end = checked_add(map.begin[d], map.extent[d]);
        if (map.begin[d] >= 0 && map.extent[d] >= 1 && end && *end <= shape[d]) continue;
        return error("CHECK_WINDOW", fmt::format("the window [{}, +{}) of dimension {} leaves {}, whose extent is {}", map.begin[d], map.extent[d],
                                                 map.tensor.dim_name(d), access.tensor, shape[d]),
                     "move the window inside the tensor");
    }
    for (const ir::Expr& offset : access.offsets) map.assumed = map.assumed || !ir::constant(offset);

    std::vector<Region> region;
    for (std::size_t d = 0; d < shape.size(); ++d) region.push_back({map.begin[d], map.extent[d]});
    LS_TRY(const Layout sliced, slice(map.tensor.layout, dims(shape), region));
    map.window = map.tensor;
    map.window.roles.clear();
    map.window.dim_names = {"r", "c"};
    map.window.name = fmt::format("{}[{}]", access.tensor, fmt::join(map.begin, ", "));

    const bool blocked = map.tensor.dim_names.size() == 5 && map.tensor.dim_names[1] == "block";
    if (blocked) {
        // (batch, block, fractal, line, in line) → rows (batch, fractal, line) by columns (block, in line).
        LS_TRY(const Grouped grouped, group(sliced.tile(), dims(map.extent)));
        const std::vector<std::size_t> order{0, 2, 3, 1, 4};
        LS_TRY(map.window.layout, permute_by_groups(Layout(grouped.layout), grouped.separators, order));
        map.window.shape = {map.extent[0] * map.extent[2] * map.extent[3], map.extent[1] * map.extent[4]};
    } else {
        map.window.layout = sliced;
        std::int64_t rows = 1;
        for (std::size_t d = 0; d + 1 < shape.size(); ++d) rows *= map.extent[d];
        map.window.shape = {rows, map.extent.back()};
    }
    return map;
}

std::int64_t AddressMap::byte_of(std::int64_t row, std::int64_t col) const {
    const std::vector<Dim> at{row, col};
    const auto point = apply(window.layout, at, dims(window.shape));
    return point.ok() ? point->get(axes::m).value() * tensor.element_bits() / 8 : -1;
}

std::vector<std::int64_t> AddressMap::coordinate_of(std::int64_t row, std::int64_t col) const {
    std::vector<std::int64_t> at = begin;
    if (tensor.dim_names.size() == 5 && tensor.dim_names[1] == "block") {
        const std::int64_t lines = extent[3];
        const std::int64_t fractals = extent[2];
        at[0] += row / (fractals * lines);
        at[1] += col / extent[4];
        at[2] += row / lines % fractals;
        at[3] += row % lines;
        at[4] += col % extent[4];
        return at;
    }
    std::int64_t rest = row;
    at.back() += col;
    for (std::size_t d = at.size() - 1; d-- > 0;) {
        at[d] += rest % extent[d];
        rest /= extent[d];
    }
    return at;
}

Result<std::optional<Witness>> compare(const AddressMap& before, const AddressMap& after) {
    if (before.window.shape != after.window.shape) {
        return error("CHECK_SHAPE", fmt::format("the window was [{}] and became [{}]", fmt::join(before.window.shape, ", "), fmt::join(after.window.shape, ", ")),
                     "a pass may not change how much is moved");
    }
    LS_TRY(const auto a, engine::compile(before.window.layout, before.window.shape));
    LS_TRY(const auto b, engine::compile(after.window.layout, after.window.shape));
    std::optional<Witness> witness;
    const std::int64_t bytes = std::max(1, before.tensor.element_bits() / 8);
    const std::int64_t bytes_after = std::max(1, after.tensor.element_bits() / 8);
    const std::int64_t cols = before.window.shape[1];
    std::vector<std::int64_t> left(static_cast<std::size_t>(cols));
    std::vector<std::int64_t> right(static_cast<std::size_t>(cols));
    for (std::int64_t row = 0; row < before.window.shape[0]; ++row) {
        LS_CHECK(a.fill_range(row * cols, left));
        LS_CHECK(b.fill_range(row * cols, right));
        for (std::int64_t col = 0; col < cols; ++col) {
            const auto i = static_cast<std::size_t>(col);
            if (left[i] * bytes == right[i] * bytes_after) continue;
            if (!witness) witness = Witness{row, col, left[i] * bytes, right[i] * bytes_after, 0};
            ++witness->differing;
        }
    }
    return witness;
}

} // namespace ls::check
