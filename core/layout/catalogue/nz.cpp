#include "core/layout/catalogue/nz.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/layout/catalogue/assemble.h"
#include "core/support/checked.h"

namespace ls::catalogue {

namespace {

constexpr int kLineBits = 256; // a C0 line is 32 bytes

std::string named(std::string_view what, std::span<const std::int64_t> shape, DType dtype) {
    std::string out = fmt::format("{}(", what);
    for (const std::int64_t extent : shape) out += fmt::format("{}, ", extent);
    return out + fmt::format("{})", info(dtype).brief);
}

Status check_rank(std::span<const std::int64_t> shape) {
    if (shape.size() >= 2) return ok_status();
    return error("NZ_RANK_LT_2",
                 fmt::format("the layout needs at least [rows, cols]; {} has rank {}", shape_text(shape), shape.size()),
                 "add the missing axis, e.g. [1, 1, ...]");
}

Status check_extents(std::span<const std::int64_t> shape) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] < 1) {
            return error("LAYOUT_EXTENT",
                         fmt::format("shape[{}] of {} is {}, but must be at least 1", d, shape_text(shape), shape[d]));
        }
    }
    return ok_status();
}

/// "pad to 208" for an extent that is not a whole number of blocks.
std::string pad_hint(std::string_view what, std::int64_t extent, std::int64_t block) {
    if (extent < 1 || extent > INT64_MAX - block) return fmt::format("use a positive multiple of {}", block);
    return fmt::format("pad the {} to {}", what, align_up(extent, block));
}

/// Names of the dimensions of [..., R, C].
std::vector<std::string> matrix_dim_names(std::size_t rank) {
    std::vector<std::string> names;
    for (std::size_t d = 0; d + 2 < rank; ++d) names.push_back(rank == 3 ? "b" : fmt::format("b{}", d));
    if (rank >= 2) names.emplace_back("r");
    names.emplace_back("c");
    return names;
}

/// The leading axes, row-major over matrices of `matrix` elements.
std::vector<Part> batch_parts(std::span<const std::int64_t> shape, std::int64_t matrix) {
    std::vector<Part> parts;
    if (shape.size() < 3) return parts;
    std::int64_t stride = matrix;
    for (std::size_t d = shape.size() - 2; d-- > 0;) {
        parts.push_back({d, shape[d], stride, axes::m, "batch"});
        stride *= shape[d]; // the whole product was checked by element_count
    }
    std::reverse(parts.begin(), parts.end());
    return parts;
}

struct TileOrderInfo {
    std::string_view name;
    std::string_view call; ///< the named layout
    bool boxes_by_columns; ///< col_major blayout: boxes go down the rows first
    bool boxed;
    bool box_by_columns; ///< col_major slayout
};
constexpr std::array<TileOrderInfo, 6> kOrders{{
    {"ND", "nd_tile", false, false, false},
    {"DN", "dn_tile", true, false, false},
    {"NZ", "nz_tile", true, true, false},
    {"ZN", "zn_tile", false, true, true},
    {"ZZ", "zz_tile", false, true, false},
    {"NN", "nn_tile", true, true, true},
}};
const TileOrderInfo& info(TileOrder order) { return kOrders[static_cast<std::size_t>(order)]; }

} // namespace

Result<std::int64_t> c0_elements(DType dtype) {
    const int width = dtype == DType::Fp64 ? 0 : bits(dtype); // pypto gives FP64 no width
    if (width < 8) {
        return error("NZ_DTYPE_SUBBYTE",
                     fmt::format("{} has no 32-byte C0 line: it is {} bits wide", ls::info(dtype).brief, width),
                     "use a type of whole bytes, or pl.ND");
    }
    if (kLineBits % width != 0) {
        return error("NZ_DTYPE_UNSUPPORTED",
                     fmt::format("{} bits of {} do not divide the 32-byte C0 line", width, ls::info(dtype).brief),
                     "use a type of 8, 16, 32 or 64 bits");
    }
    return kLineBits / width;
}

Result<NzBlocking> nz_blocking(std::span<const std::int64_t> shape, DType dtype) {
    LS_CHECK(check_rank(shape));
    LS_TRY(const std::int64_t c0, c0_elements(dtype));
    const std::int64_t rows = shape[shape.size() - 2];
    const std::int64_t cols = shape[shape.size() - 1];
    if (rows <= 0 || rows % kFractalRows != 0) {
        return error("NZ_ROWS_UNALIGNED", fmt::format("shape[-2]={} must be a positive multiple of 16", rows),
                     pad_hint("rows", rows, kFractalRows));
    }
    if (cols <= 0 || cols % c0 != 0) {
        return error(
            "NZ_COLS_UNALIGNED",
            fmt::format("shape[-1]={} must be a positive multiple of c0={} for {}", cols, c0, ls::info(dtype).brief),
            pad_hint("columns", cols, c0));
    }
    LS_CHECK(check_extents(shape));
    LS_TRY(const std::int64_t elements, element_count(shape));
    const std::int64_t matrix = rows * cols;
    return NzBlocking{{elements / matrix, cols / c0, rows / kFractalRows, kFractalRows, c0},
                      {matrix, rows * c0, kFractalRows * c0, c0, 1}};
}

Result<TensorLayout> nz_tensor(std::span<const std::int64_t> shape, DType dtype) {
    LS_TRY(const NzBlocking blocking, nz_blocking(shape, dtype));
    const auto& [extents, strides] = blocking;
    const std::size_t row = shape.size() - 2, col = shape.size() - 1;
    std::vector<Part> parts = batch_parts(shape, strides[0]);
    parts.push_back({row, extents[2], strides[2], axes::m, "fractal"});
    parts.push_back({row, extents[3], strides[3], axes::m, "line in fractal"});
    parts.push_back({col, extents[1], strides[1], axes::m, "column block"});
    parts.push_back({col, extents[4], strides[4], axes::m, "within C0 line"});
    return assemble(std::move(parts), {Shape(shape.begin(), shape.end()),
                                       matrix_dim_names(shape.size()),
                                       dtype,
                                       MemorySpace::Gm,
                                       named("nz", shape, dtype),
                                       {},
                                       {}});
}

Result<TensorLayout> nd_tensor(std::span<const std::int64_t> shape, DType dtype) {
    if (shape.empty()) return error("LAYOUT_EXTENT", "the shape has no extents", "write at least one");
    LS_CHECK(check_extents(shape));
    LS_CHECK(element_count(shape));
    std::vector<Part> parts;
    std::int64_t stride = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        const std::size_t from_last = shape.size() - 1 - d;
        parts.push_back({d, shape[d], stride, axes::m, from_last == 0 ? "column" : from_last == 1 ? "row" : "batch"});
        stride *= shape[d];
    }
    std::reverse(parts.begin(), parts.end());
    return assemble(std::move(parts), {Shape(shape.begin(), shape.end()),
                                       matrix_dim_names(shape.size()),
                                       dtype,
                                       MemorySpace::Gm,
                                       named("row_major", shape, dtype),
                                       {},
                                       {}});
}

Result<TensorLayout> dn_tensor(std::span<const std::int64_t> shape, DType dtype) {
    LS_CHECK(check_rank(shape));
    LS_CHECK(check_extents(shape));
    LS_CHECK(element_count(shape));
    const std::size_t row = shape.size() - 2, col = shape.size() - 1;
    std::vector<Part> parts = batch_parts(shape, shape[row] * shape[col]);
    parts.push_back({row, shape[row], 1, axes::m, "row"});
    parts.push_back({col, shape[col], shape[row], axes::m, "column"});
    return assemble(std::move(parts), {Shape(shape.begin(), shape.end()),
                                       matrix_dim_names(shape.size()),
                                       dtype,
                                       MemorySpace::Gm,
                                       named("col_major", shape, dtype),
                                       {},
                                       {}});
}

std::string_view name(TileOrder order) { return info(order).name; }

Result<Box> inner_box(TileOrder order, DType dtype, Fractal fractal) {
    if (bits(dtype) < 8) {
        return error("TILE_DTYPE_SUBBYTE",
                     fmt::format("{} is narrower than a byte; a tile has no box of it", ls::info(dtype).brief),
                     "use the packed byte type");
    }
    const TileOrderInfo& form = info(order);
    if (!form.boxed) return Box{1, 1};
    const std::int64_t bytes = whole_bytes(dtype);
    if (fractal == Fractal::Accumulator) return Box{16, 16};
    if (fractal == Fractal::Scale) {
        if (bytes != 1) {
            return error("TILE_DTYPE_BOX",
                         fmt::format("a box of 32 bytes holds 16 x 2 one-byte scales, {} has {} bytes",
                                     ls::info(dtype).brief, bytes),
                         "use f8e8m0, or the 512-byte fractal");
        }
        return form.box_by_columns ? Box{2, 16} : Box{16, 2};
    }
    const std::int64_t line = 32 / bytes;
    return form.box_by_columns ? Box{line, kFractalRows} : Box{kFractalRows, line};
}

Result<TensorLayout> tile_layout(TileOrder order, std::int64_t rows, std::int64_t cols, DType dtype, Fractal fractal,
                                 MemorySpace space) {
    LS_TRY(const Box box, inner_box(order, dtype, fractal));
    const Shape shape{rows, cols};
    LS_CHECK(check_extents(shape));
    LS_CHECK(element_count(shape));
    // A single row is a partial box that the hardware allows: its line lies as the first line of a full box would.
    const std::int64_t box_rows = rows == 1 ? 1 : box.rows;
    if (rows % box_rows != 0) {
        return error("TILE_ROWS_UNALIGNED",
                     fmt::format("{} rows are not whole boxes of {} x {}", rows, box.rows, box.cols),
                     pad_hint("rows", rows, box.rows));
    }
    if (cols % box.cols != 0) {
        return error("TILE_COLS_UNALIGNED",
                     fmt::format("{} columns are not whole boxes of {} x {}", cols, box.rows, box.cols),
                     pad_hint("columns", cols, box.cols));
    }
    const TileOrderInfo& form = info(order);
    const std::string fractal_text =
        fractal == Fractal::Operand || !form.boxed ? "" : fmt::format(", fractal={}", static_cast<int>(fractal));
    const std::string tile_name =
        fmt::format("{}({}, {}, {}{})", form.call, rows, cols, ls::info(dtype).brief, fractal_text);
    Frame frame{shape, {"r", "c"}, dtype, space, tile_name, {}, {}};
    if (!form.boxed) {
        const std::int64_t row_stride = form.boxes_by_columns ? 1 : cols;
        const std::int64_t col_stride = form.boxes_by_columns ? rows : 1;
        return assemble({{0, rows, row_stride, axes::m, "row"}, {1, cols, col_stride, axes::m, "column"}},
                        std::move(frame));
    }
    // Offset formulas of A.4, with the box's full area even when only one row of it exists.
    const std::int64_t row_box_stride = form.boxes_by_columns ? box.rows * box.cols : cols * box.rows;
    const std::int64_t col_box_stride = form.boxes_by_columns ? rows * box.cols : box.rows * box.cols;
    const std::int64_t row_stride = form.box_by_columns ? 1 : box.cols;
    const std::int64_t col_stride = form.box_by_columns ? box.rows : 1;
    const std::string_view row_role = form.box_by_columns ? "within line" : "line in box";
    const std::string_view col_role = form.box_by_columns ? "line in box" : "within line";
    return assemble(
        {{0, rows / box_rows, row_box_stride, axes::m, "box row"},
         {0, box_rows, row_stride, axes::m, std::string(row_role)},
         {1, cols / box.cols, col_box_stride, axes::m, form.boxes_by_columns ? "column block" : "box column"},
         {1, box.cols, col_stride, axes::m, std::string(col_role)}},
        std::move(frame));
}

Status check_unboxed_line(TileOrder order, std::int64_t rows, std::int64_t cols, DType dtype) {
    const TileOrderInfo& form = info(order);
    if (form.boxed || rows < 1 || cols < 1) return ok_status();
    const std::int64_t line = form.boxes_by_columns ? rows : cols;
    const std::int64_t per_unit = std::max<std::int64_t>(1, kLineBits / bits(dtype));
    if (line % per_unit == 0) return ok_status();
    return error("TILE_LINE_UNALIGNED",
                 fmt::format("a line of {} {} is not a whole number of 32-byte units", line, ls::info(dtype).brief),
                 pad_hint(form.boxes_by_columns ? "rows" : "columns", line, per_unit));
}

} // namespace ls::catalogue
