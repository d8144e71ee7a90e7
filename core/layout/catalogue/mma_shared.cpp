#include "core/layout/catalogue/mma_shared.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/layout/catalogue/assemble.h"
#include "core/layout/operations.h"
#include "core/support/checked.h"

namespace ls::catalogue {

namespace {

constexpr std::int64_t kAtomRows = 8;
constexpr int kAtomLength = 3; // log2 of the 8 rows that the swizzle permutes

Status check_shape(std::span<const std::int64_t> shape) {
    if (shape.size() < 2) {
        return error("MMA_SHARED_RANK", fmt::format("an operand needs at least [rows, cols]; {} has rank {}",
                                                    shape_text(shape), shape.size()));
    }
    for (const std::int64_t extent : shape) {
        if (extent < 1)
            return error("LAYOUT_EXTENT",
                         fmt::format("an extent of {} is {}, but must be at least 1", shape_text(shape), extent));
    }
    LS_CHECK(element_count(shape));
    return ok_status();
}

/// Leading axes, each a whole matrix apart.
std::vector<Part> leading_parts(std::span<const std::int64_t> shape) {
    std::vector<Part> parts;
    std::int64_t stride = shape[shape.size() - 2] * shape[shape.size() - 1];
    for (std::size_t d = shape.size() - 2; d-- > 0;) {
        parts.push_back({d, shape[d], stride, axes::m, d + 3 == shape.size() ? "stage" : "batch"});
        stride *= shape[d];
    }
    std::reverse(parts.begin(), parts.end());
    return parts;
}

std::vector<std::string> dim_names(std::size_t rank, std::string_view row, std::string_view col) {
    std::vector<std::string> names;
    for (std::size_t d = 0; d + 2 < rank; ++d) names.push_back(rank == 3 ? "stage" : fmt::format("b{}", d));
    names.emplace_back(row);
    names.emplace_back(col);
    return names;
}

std::string call(std::string_view what, DType dtype, SwizzleMode mode, std::span<const std::int64_t> shape) {
    std::string extents;
    for (const std::int64_t extent : shape) extents += fmt::format("{}{}", extents.empty() ? "" : ", ", extent);
    return fmt::format("{}({}, {}, ({}))", what, info(dtype).brief, name(mode), extents);
}

Status check_multiple(std::string_view code, std::string_view what, std::int64_t extent, std::int64_t of,
                      std::string_view why) {
    if (extent % of == 0) return ok_status();
    return error(std::string(code), fmt::format("{} {} are not a multiple of {} ({})", extent, what, of, why),
                 fmt::format("pad the {} to {}", what, extent > INT64_MAX - of ? of : align_up(extent, of)));
}

/// Puts the mode's swizzle over an assembled tile.
Result<TensorLayout> swizzled(Result<TensorLayout> tile, DType dtype, SwizzleMode mode) {
    if (!tile || mode == SwizzleMode::None) return tile;
    LS_TRY(tile.value().layout, make_layout(ComposeLayout{swizzle_per_element(dtype), static_cast<int>(mode),
                                                          kAtomLength, tile->layout.tile(), true}));
    return tile;
}

Status check_dtype(DType dtype) {
    if (is_power_of_two(bits(dtype)) && bits(dtype) <= 128) return ok_status();
    return error("MMA_SHARED_DTYPE",
                 fmt::format("{} is {} bits wide, which does not divide 16 bytes", info(dtype).brief, bits(dtype)));
}

std::vector<Dim> dims(std::span<const std::int64_t> shape) { return {shape.begin(), shape.end()}; }

/// tile_to that counts whole tiles only, as the reference's division does.
Result<Layout> stacked(const Layout& inner, const Shape& to, const Shape& current) {
    Shape count;
    for (std::size_t d = 0; d < to.size(); ++d) count.push_back(to[d] / current[d]);
    return tile(inner, row_major(count), dims(count), dims(current));
}

/// 16-byte columns one after the other, or plain row-major when the columns are not whole 16-byte units.
std::vector<Part> packed_columns(DType dtype, std::span<const std::int64_t> shape) {
    const std::size_t row = shape.size() - 2, col = shape.size() - 1;
    const std::int64_t unit = 128 / bits(dtype);
    std::vector<Part> parts = leading_parts(shape);
    if (shape[col] % unit != 0) {
        parts.push_back({row, shape[row], shape[col], axes::m, "row"});
        parts.push_back({col, shape[col], 1, axes::m, "column"});
        return parts;
    }
    parts.push_back({row, shape[row], unit, axes::m, "row"});
    parts.push_back({col, shape[col] / unit, shape[row] * unit, axes::m, "16-byte column"});
    parts.push_back({col, unit, 1, axes::m, "within 16 bytes"});
    return parts;
}

} // namespace

std::string_view name(SwizzleMode mode) {
    static constexpr std::array<std::string_view, 4> names{"none", "32B", "64B", "128B"};
    return names[static_cast<std::size_t>(mode)];
}

std::optional<SwizzleMode> swizzle_mode_from_name(std::string_view text) {
    static constexpr std::array<std::array<std::string_view, 4>, 4> spellings{{
        {"none", "0", "NONE", "SWIZZLE_NONE"},
        {"32B", "1", "32b", "SWIZZLE_32B_ATOM"},
        {"64B", "2", "64b", "SWIZZLE_64B_ATOM"},
        {"128B", "3", "128b", "SWIZZLE_128B_ATOM"},
    }};
    for (std::size_t mode = 0; mode < spellings.size(); ++mode) {
        if (std::find(spellings[mode].begin(), spellings[mode].end(), text) != spellings[mode].end()) {
            return static_cast<SwizzleMode>(mode);
        }
    }
    return {};
}

int swizzle_per_element(DType dtype) { return log2_exact(128 / bits(dtype)); }

Result<std::int64_t> mma_atom_columns(DType dtype, SwizzleMode mode) {
    LS_CHECK(check_dtype(dtype));
    if (mode == SwizzleMode::None) {
        return error("MMA_SHARED_MODE", "there is no atom without a swizzle", "use 32B, 64B or 128B");
    }
    return (std::int64_t{128} << static_cast<int>(mode)) / bits(dtype);
}

Result<Layout> mma_atom_layout(DType dtype, SwizzleMode mode) {
    LS_CHECK(check_dtype(dtype));
    const int low = swizzle_per_element(dtype);
    const int length = static_cast<int>(mode);
    TileLayout period;
    period.shard.push_back({std::int64_t{1} << (low + length + kAtomLength), 1, axes::m});
    return make_layout(ComposeLayout{low, length, kAtomLength, std::move(period), true});
}

Result<TensorLayout> mma_shared(DType dtype, SwizzleMode mode, std::span<const std::int64_t> shape) {
    LS_CHECK(check_dtype(dtype));
    LS_CHECK(check_shape(shape));
    const std::size_t row = shape.size() - 2, col = shape.size() - 1;
    std::vector<Part> parts;
    if (mode == SwizzleMode::None) {
        parts = packed_columns(dtype, shape);
    } else {
        LS_TRY(const std::int64_t width, mma_atom_columns(dtype, mode));
        LS_CHECK(check_multiple("MMA_SHARED_ROWS", "rows", shape[row], kAtomRows, "an atom has 8 rows"));
        LS_CHECK(check_multiple("MMA_SHARED_COLS", "columns", shape[col], width,
                                fmt::format("an atom row of {} holds {} {}", name(mode), width, info(dtype).brief)));
        parts = leading_parts(shape);
        parts.push_back({row, shape[row] / kAtomRows, kAtomRows * width, axes::m, "atom down"});
        parts.push_back({row, kAtomRows, width, axes::m, "row in atom"});
        parts.push_back({col, shape[col] / width, shape[row] * width, axes::m, "atom across"});
        parts.push_back({col, width, 1, axes::m, "within atom row"});
    }
    return swizzled(assemble(std::move(parts), {Shape(shape.begin(), shape.end()),
                                                dim_names(shape.size(), "r", "k"),
                                                dtype,
                                                MemorySpace::Smem,
                                                call("mma_shared", dtype, mode, shape),
                                                {},
                                                {}}),
                    dtype, mode);
}

Result<TensorLayout> mma_shared_mn_major(DType dtype, SwizzleMode mode, std::span<const std::int64_t> shape) {
    LS_CHECK(check_shape(shape));
    LS_TRY(const std::int64_t width, mma_atom_columns(dtype, mode));
    const std::size_t mn = shape.size() - 2, k = shape.size() - 1;
    LS_CHECK(check_multiple("MMA_SHARED_ROWS", "rows (MN)", shape[mn], width,
                            fmt::format("an atom of {} holds {} {} along MN", name(mode), width, info(dtype).brief)));
    LS_CHECK(check_multiple("MMA_SHARED_COLS", "columns (K)", shape[k], kAtomRows, "an atom has 8 along K"));
    const std::int64_t atom = width * kAtomRows;
    std::vector<Part> parts = leading_parts(shape);
    parts.push_back({mn, shape[mn] / width, atom, axes::m, "atom along MN"});
    parts.push_back({mn, width, 1, axes::m, "within atom row"});
    parts.push_back({k, shape[k] / kAtomRows, atom * (shape[mn] / width), axes::m, "atom along K"});
    parts.push_back({k, kAtomRows, width, axes::m, "row in atom"});
    return swizzled(assemble(std::move(parts), {Shape(shape.begin(), shape.end()),
                                                dim_names(shape.size(), "mn", "k"),
                                                dtype,
                                                MemorySpace::Smem,
                                                call("mma_shared_mn", dtype, mode, shape),
                                                {},
                                                {}}),
                    dtype, mode);
}

Result<Layout> mma_shared_reference(DType dtype, SwizzleMode mode, std::span<const std::int64_t> shape) {
    LS_CHECK(check_dtype(dtype));
    LS_CHECK(check_shape(shape));
    if (mode == SwizzleMode::None) {
        TileLayout tile;
        for (const Part& part : packed_columns(dtype, shape))
            tile.shard.push_back({part.extent, part.stride, part.axis});
        return canonicalize(Layout(std::move(tile)));
    }
    LS_TRY(const std::int64_t width, mma_atom_columns(dtype, mode));
    Shape atom(shape.size(), 1);
    atom[shape.size() - 2] = kAtomRows;
    atom[shape.size() - 1] = width;
    for (std::size_t d = shape.size() - 2; d < shape.size(); ++d) {
        if (shape[d] < atom[d]) {
            return error("MMA_SHARED_SMALL",
                         fmt::format("{} is smaller than one atom {}", shape_text(shape), shape_text(atom)),
                         "use a narrower swizzle or a larger tile");
        }
    }
    Shape tall = atom;
    tall[shape.size() - 2] = shape[shape.size() - 2];
    LS_TRY(const Layout one, mma_atom_layout(dtype, mode));
    LS_TRY(const Layout column, stacked(one, tall, atom));
    LS_TRY(const Layout whole, stacked(column, Shape(shape.begin(), shape.end()), tall));
    return canonicalize(whole);
}

} // namespace ls::catalogue
