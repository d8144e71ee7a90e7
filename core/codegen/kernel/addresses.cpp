#include "core/codegen/kernel/addresses.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::codegen {

Status assign_addresses(Kernel& kernel, const ir::FunctionNode& function, const std::vector<SpaceLimit>& limits) {
    using Key = std::pair<ir::TileSpace, std::size_t>;
    // Tiles of one buffer may be of different sizes; it has the greatest.
    std::map<Key, std::int64_t> sizes;
    for (const Tile& tile : kernel.tiles) {
        if (tile.from_pipe) continue;
        const CheckedInt elements = checked_mul(tile.rows, tile.cols);
        const CheckedInt size_bits = elements ? checked_mul(*elements, bits(tile.dtype)) : CheckedInt{};
        if (!size_bits) return error_at(function.span, "CG_CAPACITY", fmt::format("the size of {} does not fit 64 bits", tile.name), "use smaller tiles");
        std::int64_t& size = sizes[Key(tile.space, tile.buffer)];
        size = std::max(size, ceil_div(*size_bits, 8));
    }
    std::map<Key, std::int64_t> placed;
    std::map<ir::TileSpace, std::int64_t> next;
    for (Tile& tile : kernel.tiles) {
        if (tile.from_pipe) continue;
        const Key key(tile.space, tile.buffer);
        if (const auto known = placed.find(key); known != placed.end()) {
            tile.address_bytes = known->second;
            continue;
        }
        const auto limit = std::find_if(limits.begin(), limits.end(), [&](const SpaceLimit& l) { return l.space == tile.space; });
        // A fractal starts at a whole fractal where no chip says otherwise.
        const std::int64_t alignment = limit == limits.end() || limit->alignment_bytes < 1 ? 512 : limit->alignment_bytes;
        const std::int64_t begin = align_up(next[tile.space], alignment);
        const CheckedInt end = checked_add(begin, sizes.at(key));
        if (!end || (limit != limits.end() && *end > limit->capacity_bytes)) {
            return error_at(function.span, "CG_CAPACITY",
                            end ? fmt::format("{} needs {} bytes of {}, but {} has {}", tile.name, *end, ir::name(tile.space), kernel.chip, limit->capacity_bytes)
                                : fmt::format("the size of {} does not fit 64 bits", tile.name),
                            "use smaller tiles, or run the memory passes, which let tiles share bytes");
        }
        tile.address_bytes = begin;
        placed[key] = begin;
        next[tile.space] = *end;
    }
    return ok_status();
}

} // namespace ls::codegen
