#include "core/passes/tirx/plan/descriptor_report.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace ls::tirx {

namespace {

constexpr std::int64_t kMaxWalk = std::int64_t{1} << 22;
constexpr std::int64_t kMaxSteps = 4096;
constexpr std::int64_t kMaxRows = 256;

/// The largest number of rows up to 256 that divides MN; all of them when none does.
std::int64_t default_tile(std::int64_t mn) {
    if (mn <= kMaxRows) return mn;
    for (std::int64_t rows = kMaxRows; rows >= 8; rows -= 8) {
        if (mn % rows == 0) return rows;
    }
    return mn;
}

tensor_core::MatrixUse use_of(const DescriptorReport& report, DType dtype) {
    tensor_core::MatrixUse use;
    use.mn_major = report.operand.mn_major;
    const std::int64_t mn_bytes = report.tile_mn * bits(dtype) / 8;
    const bool swizzled = report.operand.swizzle != tensor_core::SmemSwizzle::None;
    const std::int64_t groups_of_k = ceil_div(report.tile_k, 8) - 1;
    if (!report.operand.mn_major) {
        use.leading_steps = 1;
        use.stride_steps = ceil_div(report.tile_mn, 8) - 1;
    } else if (swizzled) {
        use.leading_steps = ceil_div(mn_bytes, tensor_core::atom_row_bytes(report.operand.swizzle)) - 1;
        use.stride_steps = groups_of_k;
    } else {
        use.leading_steps = groups_of_k;
        use.stride_steps = ceil_div(mn_bytes, 16) - 1;
    }
    return use;
}

/// Positions of the two dimensions of the region that are not 1.
std::array<std::size_t, 2> matrix_dims(const Operand& operand) {
    std::array<std::size_t, 2> dims{};
    std::size_t found = 0;
    for (std::size_t d = 0; d < operand.region.size() && found < 2; ++d) {
        if (!operand.region[d].extent.is(1)) dims[found++] = d;
    }
    return dims;
}

Status walk(const DescriptorQuery& query, DescriptorReport& report) {
    const Operand& operand = query.operand;
    if (report.mn * report.k > kMaxWalk) return ok_status();
    const auto [first, second] = matrix_dims(operand);
    const int width = bits(operand.dtype);
    std::vector<Dim> coordinates = begins(operand);
    LS_TRY(const auto start, constants(coordinates, "the begin of the region,"));
    for (const DescriptorReport::Step& step : report.steps) {
        const auto descriptor = report.operand.descriptor(query.base_address_bytes + step.offset_16b * 16);
        for (std::int64_t mn = 0; mn < report.tile_mn; ++mn) {
            for (std::int64_t k = 0; k < report.tile_k; ++k) {
                const std::int64_t row = step.tile * report.tile_mn + mn;
                const std::int64_t column = step.k_iteration * report.tile_k + k;
                coordinates[first] = start[first] + (query.transposed ? column : row);
                coordinates[second] = start[second] + (query.transposed ? row : column);
                LS_TRY(const AxisMap at, apply(*operand.layout, coordinates, operand.shape));
                const std::int64_t expected = query.base_address_bytes * 8 + at.get(axes::m).constant().value_or(-1) * width;
                const std::int64_t actual = tensor_core::element_bit_address(descriptor, report.operand.mn_major, width, mn, k);
                ++report.elements;
                if (expected == actual) {
                    ++report.matching;
                } else if (!report.witness) {
                    report.witness = DescriptorReport::Witness{row, column, expected / 8, actual / 8};
                }
            }
        }
    }
    return ok_status();
}

} // namespace

Result<DescriptorReport> report_descriptor(const DescriptorQuery& query) {
    DescriptorReport report;
    LS_TRY(report.operand, match_smem_operand(query.operand, query.transposed));
    LS_TRY(const auto shape, constants(non_unit(extents(query.operand)), "an extent of the operand,"));
    if (shape.size() != 2) {
        return error("SMEM_OPERAND_SHAPE", fmt::format("Expected exactly 2 non-unit dims in the region, got {}", to_string(extents(query.operand))));
    }
    report.mn = shape[query.transposed ? 1 : 0];
    report.k = shape[query.transposed ? 0 : 1];
    report.tile_k = instruction_k(query.operand.dtype);
    report.tile_mn = query.tile_mn.value_or(default_tile(report.mn));
    if (report.k % report.tile_k != 0) {
        return error("GEMM_SHAPE", fmt::format("K is {}, but an instruction takes {} elements of {} (32 bytes)", report.k, report.tile_k,
                                               info(query.operand.dtype).tirx),
                     "take a region of whole instructions along K");
    }
    if (report.tile_mn < 1 || report.mn % report.tile_mn != 0) {
        return error("GEMM_SHAPE", fmt::format("{} rows of an instruction do not divide the region's {}", report.tile_mn, report.mn));
    }
    const std::int64_t count = report.mn / report.tile_mn * (report.k / report.tile_k);
    if (count > kMaxSteps) return error("GEMM_SHAPE", fmt::format("the region takes {} instructions; at most {} are listed", count, kMaxSteps));
    LS_TRY(report.word, encode(report.operand.descriptor(query.base_address_bytes), query.generation));
    report.fields = tensor_core::matrix_fields(report.word, query.generation, use_of(report, query.operand.dtype));
    LS_TRY(const OperandTiles tiles, OperandTiles::make(query.operand, query.transposed));
    for (std::int64_t tile = 0; tile < report.mn / report.tile_mn; ++tile) {
        for (std::int64_t ki = 0; ki < report.k / report.tile_k; ++ki) {
            LS_TRY(const Dim offset, tiles.offset_16b(Dim(tile * report.tile_mn), Dim(ki * report.tile_k)));
            LS_TRY(const auto units, constants(std::span(&offset, 1), "an offset"));
            report.steps.push_back({tile, ki, units[0], tensor_core::add_16b_units(report.word, units[0])});
        }
    }
    LS_CHECK(walk(query, report));
    return report;
}

} // namespace ls::tirx
