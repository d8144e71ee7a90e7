// A result in tensor memory: 128 lanes down, 512 columns of 32 bits across; what the buffer has, what this call writes,
// which warp reaches which lanes.
#pragma once

#include <vector>

#include "core/passes/tirx/workbench/gemm_bench.h"
#include "core/passes/tirx/workbench/tmem_rects.h"
#include "core/scene/picture.h"

namespace ls::figure {

struct TmemMapOptions {
    double width = 560, height = 400;
    std::int64_t mi = 0, ni = 0;              ///< the chosen instruction's tile
    tirx::MatrixElement lit;                  ///< element of C that is looked at
    std::int64_t lit_row = -1, lit_column = -1; ///< all of a row or of a column, when an element of A or of B is looked at
    std::vector<tirx::MatrixElement> owned;   ///< what the same thread holds
};

struct TmemMapGeometry {
    scene::Rect grid;
    tirx::TmemCell cell_at(scene::Point at) const;
};
struct TmemMapPicture {
    scene::Picture picture;
    TmemMapGeometry geometry;
};

inline constexpr std::int64_t kTmemLanes = 128, kTmemColumns = 512;

/// Hit ids are warps.
TmemMapPicture draw_tmem_map(const tirx::GemmBench& bench, std::span<const tirx::TmemRect> rects, const TmemMapOptions& options,
                             const scene::TextMeasure& measure);

/// The registers of the readback: threads down, registers across. Hit ids are warps.
struct RegisterMapOptions {
    double width = 400, height = 400;
    tirx::RegisterPlace lit;
    std::string note;
};
struct RegisterMapGeometry {
    scene::Rect grid;
    std::int64_t threads = 0, per_thread = 0;
    tirx::RegisterPlace place_at(scene::Point at) const;
};
struct RegisterMapPicture {
    scene::Picture picture;
    RegisterMapGeometry geometry;
};
RegisterMapPicture draw_register_map(const tirx::RegisterOwners& owners, const RegisterMapOptions& options, const scene::TextMeasure& measure);

} // namespace ls::figure
