// The coloured cells of a grid as an image that is no larger than the screen: one texel a cell when zoomed in, one
// texel a device pixel, holding the mean of its cells, when zoomed out. Works within a time budget and refines while
// idle.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/scene/color_lut.h"
#include "core/scene/draw_list.h"
#include "core/scene/grid.h"
#include "core/scene/grid_camera.h"
#include "core/scene/sample_plan.h"

namespace ls::scene {

/// Keeps the last image. When the camera only pans, the image is scrolled and only what came into sight is filled.
///
/// Means are built pass by pass (sample_plan.h). What has no passes yet is first shown at half or quarter resolution if
/// a full one would not fit the budget; a picture is therefore never point-sampled and never late.
class GridFill {
public:
    struct Outcome {
        bool changed = false; ///< image() differs from the call before
        bool more = false;    ///< another call would refine it; false: the image is final
    };

    /// Brings the image up to date. Takes about `budget`, or a little more where even a coarse picture costs more.
    /// `lut` must outlive the next call or be followed by invalidate().
    Outcome update(const GridView& view, std::shared_ptr<const CellSource> source, const ColorLut& lut,
                   std::chrono::nanoseconds budget);
    /// Forgets everything: the source's answers or the theme have changed.
    void invalidate();

    /// In points of the view's area; no pixels when no cell is seen.
    const CellImage& image() const { return image_; }
    bool more() const { return !unfinished_.empty(); }
    /// Cells asked from the source so far.
    std::uint64_t samples() const { return samples_; }

    /// The final image in one go, for painters.
    static CellImage complete(const GridView& view, std::shared_ptr<const CellSource> source, const ColorLut& lut);

private:
    /// One axis of the texel lattice; it is tied to the grid, not to the screen, so that panning keeps texels.
    struct Axis {
        double per_texel = 1;   ///< cells
        std::int64_t first = 0; ///< lattice index of the image's first texel
        int count = 0;
        double at = 0, length = 0; ///< points
        bool same_lattice(const Axis& o) const { return per_texel == o.per_texel; }
    };
    /// Texels [row, row+rows) × [col, col+cols) of the image that lack passes.
    struct Region {
        int row = 0, col = 0, rows = 0, cols = 0;
        std::size_t passes = 0;
        bool blank = true; ///< nothing is shown there yet
        std::int64_t area() const { return std::int64_t{rows} * cols; }
    };

    static Axis lay_axis(double origin, double scale, double length, double dpr, std::int64_t cells);
    void adopt(const GridView& view, const Axis& rows, const Axis& cols);
    void scroll(const Axis& rows, const Axis& cols);
    void expose(Region region);
    bool show_blank(std::int64_t budget_ns);
    void run_passes(Region& region, std::size_t count);
    void show(const Region& region);
    void show_coarse(const Region& region, int factor);
    double pass_cost(const Region& region) const;
    void ask(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& cols);

    std::shared_ptr<const CellSource> source_;
    const ColorLut* lut_ = nullptr;
    std::int64_t grid_rows_ = 0, grid_cols_ = 0;
    Axis row_axis_, col_axis_;
    AxisPlan row_plan_, col_plan_;
    std::vector<SamplePass> passes_;
    CellImage image_;
    std::vector<std::uint64_t> sums_; ///< ColorLut sums of each texel; of use only inside unfinished regions
    std::vector<Region> unfinished_;
    std::uint64_t samples_ = 0;
    double sample_ns_ = 2.5; ///< measured cost of a cell asked and summed

    // Kept between calls so that frames do not allocate.
    std::vector<ColorKey> keys_;
    std::vector<std::int64_t> ask_rows_, ask_cols_;
    std::vector<Rgba> spare_pixels_;
    std::vector<std::uint64_t> spare_sums_;
};

} // namespace ls::scene
