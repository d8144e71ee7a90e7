// Encodings of Blackwell's tensor memory: accumulators and scale factors.
#include <algorithm>

#include <fmt/format.h>

#include "core/notation/triton_layout_internal.h"

namespace ls::triton {

namespace {

constexpr std::int64_t kHalfRows = 64;

/// How a pair of CTAs shares an M = 64 accumulator.
enum class Pairing : std::uint8_t { None, Plain, Left, Right };

Result<Pairing> pairing_of(const Attribute& attribute) {
    if (const auto mode = attribute.word("ctaMode")) {
        if (*mode == "twocta_lhs") return Pairing::Left;
        if (*mode == "twocta_rhs") return Pairing::Right;
        return error_at(attribute.find("ctaMode")->span, "TRITON_KEY", fmt::format("there is no ctaMode '{}'", *mode),
                        "known: twocta_lhs, twocta_rhs");
    }
    return attribute.flag("twoCTAs") ? Pairing::Plain : Pairing::None;
}

LinearLayout cols(std::int64_t size, std::size_t dim) { return LinearLayout::identity(size, "col", dim_name(dim)); }
LinearLayout rows(std::int64_t size, std::size_t dim) { return LinearLayout::identity(size, "row", dim_name(dim)); }

/// Adds single bases to the rows; out sizes follow.
LinearLayout with_row_bases(const LinearLayout& layout, std::initializer_list<Basis> bases) {
    std::vector<InDim> ins = layout.in();
    for (InDim& dim : ins) {
        if (dim.name == "row") dim.bases.insert(dim.bases.end(), bases);
    }
    return LinearLayout(std::move(ins), layout.out());
}

/// 64 rows of one CTA: 16 in each warp's 32 lanes; the other 16 hold the next block, along M if there is one, else N.
LinearLayout interleaved_rows(std::int64_t m, std::int64_t n, std::int64_t block_n) {
    const LinearLayout base = rows(16, 0) * cols(block_n, 1);
    const Basis other = m > kHalfRows ? Basis{kHalfRows, 0} : n > block_n ? Basis{0, block_n} : Basis{0, 0};
    return with_row_bases(base, {other, {16, 0}, {32, 0}});
}

/// The tile that one MMA of this CTA fills, before it is repeated.
LinearLayout accumulator_tile(std::int64_t block_m, std::int64_t block_n, std::int64_t m, std::int64_t n,
                              Pairing pairing) {
    if (block_m != kHalfRows) return rows(block_m, 0) * cols(block_n, 1);
    switch (pairing) {
    case Pairing::None: return interleaved_rows(m, n, block_n);
    case Pairing::Left: return with_row_bases(rows(kHalfRows, 0) * cols(block_n, 1), {{0, 0}});
    case Pairing::Right:
        if (block_n == 1) return with_row_bases(rows(kHalfRows, 0) * cols(1, 1), {{0, 0}});
        return with_row_bases(rows(kHalfRows, 0) * cols(block_n / 2, 1), {{0, block_n / 2}});
    case Pairing::Plain: break;
    }
    return rows(kHalfRows, 0) * cols(block_n, 1);
}

/// The last column bit becomes row bit 64: columns' halves lie in the lanes' halves.
LinearLayout fold_last_column(const LinearLayout& layout) {
    std::vector<InDim> ins = layout.in();
    const auto row = std::find_if(ins.begin(), ins.end(), [](const InDim& d) { return d.name == "row"; });
    const auto col = std::find_if(ins.begin(), ins.end(), [](const InDim& d) { return d.name == "col"; });
    if (row == ins.end() || col == ins.end() || col->bases.empty()) return layout;
    row->bases.push_back(col->bases.back());
    col->bases.pop_back();
    return LinearLayout(std::move(ins), layout.out());
}

/// In-dimensions in the order row, col, block.
LinearLayout ordered(const LinearLayout& layout) {
    std::vector<InDim> ins;
    for (const char* name : {"row", "col", "block"}) {
        ins.push_back(layout.has_in(name) ? layout.in(name) : InDim{name, {}});
    }
    return LinearLayout(std::move(ins), layout.out());
}

} // namespace

Result<LinearLayout> tensor_memory(const Attribute& attribute, std::span<const std::int64_t> shape, int) {
    if (shape.size() != 2)
        return error_at(attribute.span, "TRITON_RANK",
                        fmt::format("tensor memory holds matrices, the tensor has rank {}", shape.size()));
    LS_TRY(const std::int64_t block_m, power(attribute, "blockM", 128));
    LS_TRY(const std::int64_t full_block_n, power(attribute, "blockN", 512));
    if (block_m != 64 && block_m != 128)
        return error_at(attribute.find("blockM")->span, "TRITON_KEY",
                        fmt::format("blockM is {}, but must be 64 or 128", block_m));
    std::int64_t stride = attribute.flag("unpacked") ? 2 : 1;
    if (attribute.find("colStride") != nullptr) {
        LS_TRY(stride, power(attribute, "colStride", 32));
    }
    if (attribute.flag("fp4Padded")) stride *= 2;
    LS_TRY(const Pairing pairing, pairing_of(attribute));
    LS_TRY(const LinearLayout cga, cga_of(attribute, 2));
    const Extents tile = per_cta(cga, shape);
    if (tile[0] < block_m) {
        return error_at(attribute.span, "TRITON_SHAPE",
                        fmt::format("{} rows of a CTA are fewer than blockM = {}", tile[0], block_m),
                        "use a smaller blockM");
    }
    const std::int64_t block_n = std::min(full_block_n, tile[1]);
    LinearLayout layout =
        LinearLayout::zeros(stride, "col", dim_name(1)) * accumulator_tile(block_m, block_n, tile[0], tile[1], pairing);
    layout = layout.transposed(dim_names(2));
    // What is left repeats in the columns, along M first.
    layout *= cols(std::max<std::int64_t>(1, tile[0] / layout.out_size("dim0")), 0);
    layout *= cols(std::max<std::int64_t>(1, tile[1] / layout.out_size("dim1")), 1);
    if (pairing == Pairing::Plain && block_m == kHalfRows) layout = fold_last_column(layout);
    return ordered(combine(layout, cga, shape));
}

Result<LinearLayout> tensor_memory_scales(const Attribute& attribute, std::span<const std::int64_t> shape, int) {
    if (shape.size() != 2)
        return error_at(attribute.span, "TRITON_RANK",
                        fmt::format("scales are a matrix, the tensor has rank {}", shape.size()));
    bool k_first = false;
    if (const auto order = attribute.word("blockRepOrder")) {
        if (*order != "kThenMn" && *order != "mnThenK") {
            return error_at(attribute.find("blockRepOrder")->span, "TRITON_KEY",
                            fmt::format("there is no blockRepOrder '{}'", *order), "known: mnThenK, kThenMn");
        }
        k_first = *order == "kThenMn";
    }
    LS_TRY(const LinearLayout cga, cga_of(attribute, 2));
    const Extents tile = per_cta(cga, shape);
    // 32 rows, copied to all four lane groups; a 32-bit column holds 4 scales of a row.
    LinearLayout layout = rows(32, 0) * LinearLayout::zeros(4, "row", dim_name(0)) * cols(4, 1) * cols(2, 0);
    if (tile[0] > kHalfRows) layout *= cols(2, 0);
    const std::int64_t more_m = std::max<std::int64_t>(1, tile[0] / layout.out_size("dim0"));
    const std::int64_t more_k = std::max<std::int64_t>(1, tile[1] / layout.out_size("dim1"));
    layout *= k_first ? cols(more_k, 1) * cols(more_m, 0) : cols(more_m, 0) * cols(more_k, 1);
    return ordered(combine(layout.transposed(dim_names(2)), cga, shape));
}

} // namespace ls::triton
