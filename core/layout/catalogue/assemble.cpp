#include "core/layout/catalogue/assemble.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/support/checked.h"

namespace ls::catalogue {

Result<TensorLayout> assemble(std::vector<Part> parts, Frame frame) {
    TileLayout tile;
    TensorLayout out;
    for (Part& part : parts) {
        tile.shard.push_back({part.extent, part.stride, part.axis});
        out.roles.push_back({part.dim, std::move(part.role)});
    }
    tile.replica = std::move(frame.replica);
    tile.offset = std::move(frame.offset);
    LS_TRY(out.layout, make_layout(std::move(tile)));
    out.shape = std::move(frame.shape);
    out.dim_names = std::move(frame.dim_names);
    out.dtype = frame.dtype;
    out.space = frame.space;
    out.name = std::move(frame.name);
    return out;
}

Result<std::int64_t> element_count(std::span<const std::int64_t> shape) {
    if (const CheckedInt count = checked_product(shape)) return *count;
    return error("LAYOUT_OVERFLOW", fmt::format("the shape {} holds more than 2^63 elements", shape_text(shape)));
}

std::string shape_text(std::span<const std::int64_t> shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

} // namespace ls::catalogue
