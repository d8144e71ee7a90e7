#include "core/layout/catalogue/scale_factors.h"

#include <fmt/format.h>

#include "core/layout/catalogue/assemble.h"
#include "core/support/checked.h"

namespace ls::catalogue {

namespace {

Status check(const ScaleFactors& sf, std::int64_t row_unit) {
    if (sf.rows < 1 || sf.rows % row_unit != 0) {
        return error("SF_ROWS", fmt::format("{} rows are not a positive multiple of {}", sf.rows, row_unit));
    }
    if (sf.per_mma != 1 && sf.per_mma != 2 && sf.per_mma != 4) {
        return error("SF_PER_MMA", fmt::format("an MMA reads 1, 2 or 4 scales of a row, not {}", sf.per_mma));
    }
    if (sf.reuse < 1 || sf.pipe_depth.value_or(1) < 1) {
        return error("LAYOUT_EXTENT",
                     fmt::format("reuse {} and pipe depth {} must be at least 1", sf.reuse, sf.pipe_depth.value_or(1)));
    }
    const Shape shape{sf.rows, sf.sf_k, sf.reuse, sf.pipe_depth.value_or(1), 16};
    if (sf.sf_k >= 1) LS_CHECK(element_count(shape));
    return ok_status();
}

/// [pipe,] rows, sf_k[, reuse]: parts of rows and sf_k come with dim 0 and 1 and move behind the pipe axis.
Result<TensorLayout> staged(std::vector<Part> parts, const ScaleFactors& sf, std::int64_t stage_stride, Axis axis,
                            Axis reuse_axis, std::string_view name, std::optional<DType> dtype, MemorySpace space,
                            std::vector<Iter> replica) {
    const std::size_t shift = sf.pipe_depth ? 1 : 0;
    for (Part& part : parts) part.dim += shift;
    Shape shape{sf.rows, sf.sf_k};
    std::vector<std::string> names{"r", "k"};
    if (sf.reuse > 1) {
        parts.push_back({2 + shift, sf.reuse, 0, reuse_axis, "reuse"});
        shape.push_back(sf.reuse);
        names.emplace_back("reuse");
    }
    if (sf.pipe_depth) {
        parts.insert(parts.begin(), {0, *sf.pipe_depth, stage_stride, axis, "stage"});
        shape.insert(shape.begin(), *sf.pipe_depth);
        names.insert(names.begin(), "stage");
    }
    std::string call = fmt::format("{}({}, {}, {}", name, sf.rows, sf.sf_k, sf.per_mma);
    if (sf.reuse > 1) call += fmt::format(", reuse={}", sf.reuse);
    if (sf.pipe_depth) call += fmt::format(", pipe_depth={}", *sf.pipe_depth);
    return assemble(std::move(parts),
                    {std::move(shape), std::move(names), dtype, space, call + ")", std::move(replica), {}});
}

} // namespace

Result<TensorLayout> sf_tmem(const ScaleFactors& sf, std::optional<DType> dtype) {
    LS_CHECK(check(sf, 32));
    if (sf.sf_k < 1 || sf.sf_k % sf.per_mma != 0) {
        return error("SF_K", fmt::format("{} scales of a row are not a positive multiple of the {} that one MMA reads",
                                         sf.sf_k, sf.per_mma));
    }
    // Cells of four scales: `pack` MMAs share a cell as far as they divide.
    const std::int64_t slabs = sf.rows / 32;
    const std::int64_t mmas = sf.sf_k / sf.per_mma;
    std::int64_t pack = 4 / sf.per_mma;
    while (mmas % pack != 0) pack /= 2;
    std::vector<Part> parts{{0, slabs, 4, axes::TCol, "row slab"}, {0, 32, 1, axes::TLane, "lane"}};
    if (mmas / pack > 1) parts.push_back({1, mmas / pack, 4 * slabs, axes::TCol, "cell"});
    if (pack > 1) parts.push_back({1, pack, sf.per_mma, axes::TCol, "MMA in cell"});
    if (sf.per_mma > 1) parts.push_back({1, sf.per_mma, 1, axes::TCol, "scale of MMA"});
    const Axis reuse_axis = slabs == 1 && !sf.pipe_depth ? axes::TLane : axes::TCol;
    return staged(std::move(parts), sf, 4 * slabs, axes::TCol, reuse_axis, "sf_tmem", dtype, MemorySpace::Tmem,
                  {{4, 32, axes::TLane}});
}

Result<TensorLayout> sf_smem(const ScaleFactors& sf, std::optional<DType> dtype) {
    LS_CHECK(check(sf, 128));
    if (sf.sf_k < 1 || sf.sf_k % 4 != 0) {
        return error("SF_K", fmt::format("{} scales of a row are not a positive multiple of 4, one cell", sf.sf_k));
    }
    const std::int64_t cells = sf.sf_k / 4;
    std::vector<Part> parts;
    const auto add = [&](std::size_t dim, std::int64_t extent, std::int64_t stride, std::string_view role) {
        if (extent > 1) parts.push_back({dim, extent, stride, axes::m, std::string(role)});
    };
    add(0, sf.rows / 128, 512 * cells, "row block");
    add(0, 4, 4, "row slab");
    add(0, 32, 16, "row in slab");
    add(1, cells, 512, "cell");
    add(1, sf.per_mma, 4 / sf.per_mma, "scale of MMA");
    add(1, 4 / sf.per_mma, 1, "MMA in cell");
    return staged(std::move(parts), sf, sf.rows * sf.sf_k, axes::m, axes::m, "sf_smem", dtype, MemorySpace::Smem, {});
}

} // namespace ls::catalogue
