// An operand in shared memory as the banks see it: lines of 128 bytes, eight chunks of 16 bytes, coloured by K step; the
// window of one instruction's descriptor outlined, swizzle atoms bracketed, the whole operand small beside it.
#pragma once

#include <optional>

#include "core/passes/tirx/workbench/gemm_bench.h"
#include "core/passes/tirx/workbench/tmem_rects.h"
#include "core/scene/picture.h"

namespace ls::figure {

struct SmemTileOptions {
    double width = 760, height = 400;
    std::int64_t first_line = 0;  ///< of those in view
    bool swizzled = true;         ///< false: before the XOR
    char row_letter = 'm';        ///< 'n' for B
    std::int64_t mma_k = 16;      ///< K of an instruction: a colour each
    /// What the chosen instruction reads: rows and columns of K; empty for none.
    std::int64_t window_mn = 0, window_mn_count = 0, window_k = 0, window_k_count = 0;
    tirx::MatrixElement lit;      ///< (mn, k) that is looked at
    std::string note;             ///< under the picture
};

/// Where things lie, so that the pointer finds them.
struct SmemTileGeometry {
    scene::Rect grid, minimap;
    double line_height = 18, chunk_width = 60, gap = 0; ///< gap between atoms
    std::int64_t first_line = 0, lines_shown = 0, lines = 0, atom_lines = 8;
    double line_y(std::int64_t line) const;
    /// Index into SmemTile::chunks, −1 beside the grid.
    std::int64_t chunk_at(scene::Point at) const;
    /// A line of the minimap, −1 beside it.
    std::int64_t minimap_line(scene::Point at) const;
};

struct SmemTilePicture {
    scene::Picture picture;
    SmemTileGeometry geometry;
};

/// Hit ids are chunk indices.
SmemTilePicture draw_smem_tile(const tirx::GemmSide& side, const SmemTileOptions& options, const scene::TextMeasure& measure);

/// "A[2, 16..23] · chunk 0 · banks 0–3 · 0x0500".
std::string chunk_text(const tirx::GemmSide& side, std::int64_t chunk, bool swizzled);

} // namespace ls::figure
