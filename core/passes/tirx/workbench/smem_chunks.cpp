#include "core/passes/tirx/workbench/smem_chunks.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace ls::tirx {

namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 20;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 24;
constexpr std::int64_t kLdmatrixRows = 8;

} // namespace

Result<SmemTile> SmemTile::make(const Operand& operand, bool transposed, std::int64_t base_bytes, bool swizzled) {
    if (!operand.layout) return error("PLAN_NO_LAYOUT", fmt::format("buffer {} has no layout", operand.name));
    LS_TRY(const auto shape, constants(operand.shape, "an extent of the buffer,"));
    const std::vector<Dim> region_extents = extents(operand), region_begins = begins(operand);
    LS_TRY(const auto extent, constants(region_extents, "an extent of the region,"));
    SmemTile tile;
    LS_TRY(tile.begin_, constants(region_begins, "the begin of the region,"));
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < extent.size(); ++d)
        if (extent[d] != 1 || extent.size() == 2) dims.push_back(d);
    if (dims.size() != 2) return error("SMEM_OPERAND_SHAPE", fmt::format("Expected exactly 2 non-unit dims in the region, got {}", to_string(region_extents)));
    tile.mn_dim_ = dims[transposed ? 1 : 0];
    tile.k_dim_ = dims[transposed ? 0 : 1];
    tile.mn = extent[tile.mn_dim_];
    tile.k = extent[tile.k_dim_];
    tile.element_bits = bits(operand.dtype);
    if (tile.mn * tile.k > kMostElements)
        return error("BENCH_SIZE", fmt::format("the operand has {} by {} elements; pictures are drawn up to {}", tile.mn, tile.k, kMostElements), "take a smaller tile");
    Layout layout = *operand.layout;
    if (!swizzled && layout.is_compose()) layout = Layout(without_swizzle(layout, operand.shape));
    LS_TRY(tile.map_, engine::compile_map(layout, shape));
    if (const auto* on_m = tile.map_.find(axes::m)) tile.on_m_ = {*on_m};
    if (tile.on_m_.empty()) return error("BENCH_BYTES", fmt::format("the layout of {} names no address m", operand.name));
    tile.base_bits_ = base_bytes * 8;
    std::int64_t low = 0, high = 0;
    for (std::int64_t i = 0; i < tile.mn; ++i) {
        for (std::int64_t j = 0; j < tile.k; ++j) {
            const std::int64_t bit = tile.bit_address(i, j);
            if (i == 0 && j == 0) low = high = bit;
            low = std::min(low, bit);
            high = std::max(high, bit + tile.element_bits);
        }
    }
    if (low < 0 || high - low > kMostBytes * 8)
        return error("BENCH_BYTES", fmt::format("the region of {} reaches from byte {} to byte {}", operand.name, low / 8, high / 8));
    tile.first_byte = low / 8 / kLineBytes * kLineBytes;
    tile.chunks.resize(static_cast<std::size_t>((high / 8 - tile.first_byte + kLineBytes - 1) / kLineBytes * (kLineBytes / kChunkBytes)));
    for (std::int64_t i = 0; i < tile.mn; ++i) {
        for (std::int64_t j = 0; j < tile.k; ++j) {
            SmemChunk& chunk = tile.chunks[tile.chunk_of(i, j)];
            if (chunk.elements++ == 0) chunk = {i, i, j, j, 1};
            chunk.mn_first = std::min(chunk.mn_first, i);
            chunk.mn_last = std::max(chunk.mn_last, i);
            chunk.k_first = std::min(chunk.k_first, j);
            chunk.k_last = std::max(chunk.k_last, j);
        }
    }
    tile.mn_contiguous = tile.mn > 1 && tile.bit_address(1, 0) - tile.bit_address(0, 0) == tile.element_bits;
    return tile;
}

std::int64_t SmemTile::bit_address(std::int64_t mn_at, std::int64_t k_at) const {
    std::array<std::int64_t, 8> coordinate{};
    const std::size_t rank = std::min(begin_.size(), coordinate.size());
    std::copy_n(begin_.begin(), rank, coordinate.begin());
    coordinate[mn_dim_] += mn_at;
    coordinate[k_dim_] += k_at;
    return base_bits_ + on_m_.front().offset(std::span(coordinate).first(rank)) * element_bits;
}

std::string_view name(AccessKind kind) {
    static constexpr std::array<std::string_view, 5> names{"ldmatrix, one phase", "ldmatrix .x4", "16-byte loads", "one row", "one column"};
    return names[static_cast<std::size_t>(kind)];
}

Result<BankAccess> bank_access(const SmemTile& tile, AccessKind kind, std::int64_t mn, std::int64_t k) {
    BankAccess access;
    access.kind = kind;
    const std::int64_t chunk_elems = std::max<std::int64_t>(1, kChunkBytes * 8 / tile.element_bits);
    const auto add = [&](std::int64_t i, std::int64_t j, std::int64_t align) {
        if (i >= tile.mn || j >= tile.k) {
            access.addresses.emplace_back();
            access.elements.push_back({-1, -1});
            return;
        }
        access.addresses.emplace_back(tile.byte_address(i, j) / align * align);
        access.elements.push_back({i, j});
    };
    // Contiguous elements go along the inner dimension; a "row" of ldmatrix is one chunk, the next row one step of the other.
    const std::int64_t inner = tile.mn_contiguous ? tile.mn : tile.k;
    const std::int64_t inner_at = tile.mn_contiguous ? mn : k, outer_at = tile.mn_contiguous ? k : mn;
    const std::int64_t inner_begin = inner_at / chunk_elems * chunk_elems;
    const auto place = [&](std::int64_t outer, std::int64_t in, std::int64_t align) {
        tile.mn_contiguous ? add(in, outer, align) : add(outer, in, align);
    };
    switch (kind) {
    case AccessKind::LdmatrixPhase:
    case AccessKind::Ldmatrix4:
        for (std::int64_t lane = 0; lane < (kind == AccessKind::Ldmatrix4 ? kWarpLanes : kLdmatrixRows); ++lane) {
            // .x4 reads 16 rows by two chunks, as an A fragment of 16 by 32 bytes does.
            const std::int64_t matrix = lane / kLdmatrixRows;
            place(outer_at + lane % kLdmatrixRows + matrix % 2 * kLdmatrixRows, inner_begin + matrix / 2 * chunk_elems, kChunkBytes);
        }
        break;
    case AccessKind::Vector: {
        const std::int64_t per_row = std::max<std::int64_t>(1, std::min<std::int64_t>(inner / chunk_elems, 8));
        for (std::int64_t lane = 0; lane < kWarpLanes; ++lane) place(outer_at + lane / per_row, lane % per_row * chunk_elems, kChunkBytes);
        break;
    }
    case AccessKind::Row:
    case AccessKind::Column:
        access.access_bytes = std::max(1, tile.element_bits / 8);
        for (std::int64_t lane = 0; lane < kWarpLanes; ++lane)
            kind == AccessKind::Row ? add(mn, k + lane, access.access_bytes) : add(mn + lane, k, access.access_bytes);
        break;
    }
    if (kind == AccessKind::LdmatrixPhase || kind == AccessKind::Ldmatrix4) {
        LS_TRY(access.report, matrix_bank_conflicts(access.addresses, kind == AccessKind::Ldmatrix4 ? 4 : 1));
    } else {
        LS_TRY(access.report, bank_conflicts(access.addresses, access.access_bytes));
    }
    return access;
}

} // namespace ls::tirx
