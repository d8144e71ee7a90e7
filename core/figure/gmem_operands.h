// A and B as they stand in global memory, rows one after the other: where the tile's trip begins. K steps keep the colours
// that they have in shared memory.
#pragma once

#include "core/passes/tirx/workbench/gemm_bench.h"
#include "core/passes/tirx/workbench/tmem_rects.h"
#include "core/scene/picture.h"

namespace ls::figure {

struct GmemOptions {
    double width = 360, height = 400;
    std::int64_t mma_k = 16;
    std::int64_t k_step = -1; ///< the chosen one, −1: none
    tirx::MatrixElement lit_a, lit_b; ///< (m, k), (n, k); column −1: the whole row
};

struct GmemGeometry {
    scene::Rect a, b;
    std::int64_t m = 0, n = 0, k = 0;
    bool a_transposed = false, b_transposed = false;
    /// (mn, k) under the pointer; invalid elsewhere. `of_b`: which matrix.
    tirx::MatrixElement element_at(scene::Point at, bool& of_b) const;
};
struct GmemPicture {
    scene::Picture picture;
    GmemGeometry geometry;
};

/// Hit ids: 0 is A, 1 is B.
GmemPicture draw_gmem_operands(const tirx::GemmBench& bench, const GmemOptions& options, const scene::TextMeasure& measure);

} // namespace ls::figure
