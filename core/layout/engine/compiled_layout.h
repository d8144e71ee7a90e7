// A constant layout seen through a logical shape, compiled once for one axis and then evaluated in bulk.
//
//     LS_TRY(auto compiled, engine::compile(layout, shape));
//     compiled.offset(coordinate);                      // one element
//     compiled.fill(out);                               // all, row-major
//     compiled.fill({begin, extent}, out);              // a window
//     compiled.sample({0, 1, fixed, rows, cols}, out);  // every (row, column) that a picture asks for
//
// Offsets are in units of the axis (elements for m). Replicas take no part unless a displacement is given.
// Compiled layouts are immutable: any number of threads may use one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/layout/engine/fast_div.h"
#include "core/layout/engine/lower.h"
#include "core/layout/engine/watch.h"
#include "core/layout/layout.h"
#include "core/support/result.h"

namespace ls::engine {

class BlockPlan;

/// Smallest and largest value, both included.
struct Bounds {
    std::int64_t low = 0;
    std::int64_t high = 0;
    bool operator==(const Bounds&) const = default;
};

/// Coordinates [begin_d, begin_d + extent_d) of every dimension, row-major. Both lists have one entry a dimension.
struct Window {
    std::span<const std::int64_t> begin;
    std::span<const std::int64_t> extent;
};

/// The cells (rows[i], cols[j]) of two dimensions of the shape; `fixed` holds the coordinate of every other dimension
/// (one entry a dimension; those of row_dim and col_dim are not read). Indices may come in any order, also repeated.
struct Section {
    std::size_t row_dim = 0;
    std::size_t col_dim = 1;
    std::span<const std::int64_t> fixed;
    std::span<const std::int64_t> rows;
    std::span<const std::int64_t> cols;
};

struct FillOptions {
    std::int64_t displacement = 0; ///< of the copy to list, added before the swizzle; see CompiledMap::displacements
    const Watch* watch = nullptr;
};

class CompiledLayout {
public:
    CompiledLayout(); ///< the empty tile seen through the empty shape: one element, at 0

    const Shape& shape() const { return shape_; }
    Axis axis() const { return axis_; }
    /// product(shape)
    std::int64_t elements() const { return elements_; }

    /// Of one element; every coordinate inside its extent, index in [0, elements()). Other input gives an unspecified
    /// number. A few nanoseconds, no allocation.
    std::int64_t offset(std::span<const std::int64_t> coordinate) const;
    std::int64_t offset_linear(std::int64_t index) const;
    /// Row-major index of a coordinate and back. Both inside the shape.
    std::int64_t index(std::span<const std::int64_t> coordinate) const;
    Shape coordinate(std::int64_t index) const;

    /// Contains every offset of every copy. Both ends are reached unless the layout is swizzled, or larger than the
    /// shape.
    Bounds bounds() const { return bounds_; }
    /// The same before the swizzle.
    Bounds plain_bounds() const { return plain_; }
    /// Whether fill and sample may write int32.
    bool fits_int32() const;
    const Swizzle& swizzle() const { return swizzle_; }

    /// Writes the offsets of the whole shape, or of a window, in row-major order. out.size() must be the number of
    /// elements (ENGINE_OUT_SIZE). Refuses windows that leave the shape (ENGINE_WINDOW), int32 where an offset does not
    /// fit (ENGINE_INT32) and displacements that no copy has (ENGINE_DISPLACEMENT). ENGINE_CANCELLED leaves
    /// `out` half written.
    Status fill(std::span<std::int32_t> out, const FillOptions& options = {}) const;
    Status fill(std::span<std::int64_t> out, const FillOptions& options = {}) const;
    Status fill(const Window& window, std::span<std::int32_t> out, const FillOptions& options = {}) const;
    Status fill(const Window& window, std::span<std::int64_t> out, const FillOptions& options = {}) const;
    /// The elements [first, first + out.size()) in row-major order. Refusals as above.
    Status fill_range(std::int64_t first, std::span<std::int32_t> out, const FillOptions& options = {}) const;
    Status fill_range(std::int64_t first, std::span<std::int64_t> out, const FillOptions& options = {}) const;

    /// out[i · cols.size() + j] = offset of (rows[i], cols[j]). ENGINE_SECTION when an index is outside the shape or
    /// row_dim = col_dim; otherwise as fill. About a nanosecond a cell.
    Status sample(const Section& section, std::span<std::int32_t> out, const FillOptions& options = {}) const;
    Status sample(const Section& section, std::span<std::int64_t> out, const FillOptions& options = {}) const;

    /// Whether the offset before the swizzle is a sum of one function of each coordinate. True whenever the layout can
    /// be grouped by the shape; `sample` is slower otherwise.
    bool is_separable() const { return separable_; }

    /// For every dimension d the largest n that divides its extent such that n elements along d, starting at a multiple
    /// of n, always lie one after the other (step 1): the widest vector access. A safe lower bound when the layout is
    /// swizzled or not separable.
    Shape contiguous_runs() const;

    /// The digits behind it, innermost first; digits of other axes have stride 0. See lower.h.
    std::span<const Digit> digits() const { return digits_; }
    /// Where element 0 lies before the swizzle.
    std::int64_t origin() const { return origin_; }

private:
    friend CompiledLayout compile_axis(const Lowered& lowered, const AxisRange& range);

    std::int64_t plain_offset(std::int64_t index) const;
    Status check_output(std::int64_t count, std::size_t size, bool narrow, const FillOptions& options) const;
    template <class T>
    Status fill_rows(const Window& window, std::span<T> out, const FillOptions& options) const;
    template <class T>
    Status fill_run(std::int64_t first, std::span<T> out, const FillOptions& options) const;
    template <class T>
    Status fill_section(const Section& section, std::span<T> out, const FillOptions& options) const;

    Shape shape_;
    Axis axis_;
    std::int64_t elements_ = 1;
    std::int64_t origin_ = 0;
    std::vector<Digit> digits_;
    std::vector<Radix> radices_;  ///< the same for the evaluation of one element, without the outermost digit
    std::int64_t top_stride_ = 0; ///< of the outermost digit, which takes what is left
    Swizzle swizzle_;
    Bounds plain_;
    Bounds bounds_;
    Bounds replica_; ///< of the displacements of all copies
    bool separable_ = true;
    std::shared_ptr<const BlockPlan> plan_;
};

/// Compiles what `layout` does on `axis` for coordinates inside `shape`, read as apply(x..., shape) reads them. On an
/// axis that the layout does not name every element is at 0. Refusals: see lower.h.
Result<CompiledLayout> compile(const Layout& layout, std::span<const std::int64_t> shape, Axis axis = {});
/// The same from digits that have been lowered before; `range` is one of lowered.axes.
CompiledLayout compile_axis(const Lowered& lowered, const AxisRange& range);

} // namespace ls::engine
