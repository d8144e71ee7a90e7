// The pictures, numbers and sentences of one layout: what the explorer shows, the command line prints and the painters
// export. Built once per (layout, options); everything it hands out is immutable and may be used from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/layout/tensor_layout.h"
#include "core/scene/grid.h"
#include "core/scene/table.h"
#include "core/support/result.h"

namespace ls::figure {

/// By which physical property cells are coloured.
enum class ColorBy : std::uint8_t { Block, Offset, Bank, Chunk, Thread, Register, Coordinate };
std::string_view name(ColorBy by);

/// Which logical dimension runs down, which runs right; the others stand at `fixed`.
struct ViewAxes {
    std::size_t row_dim = 0;
    std::size_t col_dim = 1;
    std::vector<std::int64_t> fixed; ///< one per dimension; entries of row_dim and col_dim are ignored

    bool operator==(const ViewAxes&) const = default;
};

struct LayoutFigureOptions {
    std::optional<ViewAxes> axes;           ///< default: the last two dimensions, the others at 0
    std::int64_t row_bytes = 0;             ///< bytes of one row of a linear memory's picture; 0: 128, or more where the picture would be too tall
    std::optional<ColorBy> color;           ///< default: what suits the memory (block in GM, chunk in SMEM, thread in registers)
    bool show_swizzle = true;               ///< false: the picture as if the swizzle were not there (view only)

    bool operator==(const LayoutFigureOptions&) const = default;
};

/// One term of an element's address: digit · stride, with where the digit comes from.
struct FormulaTerm {
    std::int64_t digit = 0;
    std::int64_t stride = 0;
    std::string axis;        ///< "m", "laneid", ...
    std::string expression;  ///< "c÷16", "r%16"
    std::string role;        ///< "block", "line"
};

/// The whole way from a coordinate to bytes.
struct Formula {
    std::vector<std::int64_t> coordinate;
    std::vector<FormulaTerm> terms;                           ///< strides descending within an axis; axis m last
    std::vector<std::pair<std::string, std::int64_t>> point;  ///< axis, value (swizzle applied)
    std::optional<std::int64_t> unswizzled_elems;             ///< m before the swizzle, when there is one
    std::string swizzle_text;                                 ///< "1621 ⊕ (1621 >> 3 & 56)", empty without swizzle
    std::optional<std::int64_t> offset_elems;                 ///< on m
    std::optional<std::int64_t> byte;                         ///< byte of the first bit, when element_bits % 8 == 0
    std::vector<std::vector<std::pair<std::string, std::int64_t>>> replicas; ///< the other points of the element
    std::string text() const; ///< one line: "(37, 21) → 1·1024 + 2·256 + 5·16 + 5·1 = 1621 → 0x0CAA"
};

/// One level of the address read outside-in: `count` equal parts, the element is in part `index`.
struct RulerLevel {
    std::string name;        ///< "block 1"
    std::string size_text;   ///< "2048 B"
    std::int64_t count = 1;
    std::int64_t index = 0;
    std::int64_t first = 0;  ///< number printed in part 0 (address or element), step per part below
    std::int64_t step = 1;
    std::string part_name;   ///< "fractal"; empty: parts print numbers only
    bool part_is_byte = false; ///< first/step are byte addresses (hex) rather than elements
};

class LayoutFigure {
public:
    /// Refuses symbolic layouts (FIG_SYMBOLIC), shapes that do not fit the layout and offsets beyond 2^62 bytes.
    static Result<std::shared_ptr<const LayoutFigure>> build(TensorLayout layout, LayoutFigureOptions options = {});
    virtual ~LayoutFigure() = default;

    virtual const TensorLayout& layout() const = 0;
    virtual const LayoutFigureOptions& options() const = 0; ///< with every default filled in
    virtual const std::vector<ColorBy>& color_choices() const = 0;

    virtual std::shared_ptr<const scene::GridScene> logical() const = 0;
    virtual std::shared_ptr<const scene::GridScene> physical() const = 0;

    /// The coordinate shown at a cell of the logical picture, and back (empty when it lies on another slice).
    virtual std::vector<std::int64_t> coordinate(scene::Cell logical) const = 0;
    virtual std::optional<scene::Cell> logical_cell(const std::vector<std::int64_t>& coordinate) const = 0;
    /// Coordinates that live at a cell of the physical picture: none in a hole, several where they overlap.
    virtual std::vector<std::vector<std::int64_t>> coordinates_at(scene::Cell physical) const = 0;
    virtual std::vector<scene::Cell> physical_cells(const std::vector<std::int64_t>& coordinate) const = 0;

    virtual Formula formula(const std::vector<std::int64_t>& coordinate) const = 0;
    virtual std::vector<RulerLevel> ruler(const std::vector<std::int64_t>& coordinate) const = 0;

    /// dimension, extent, stride (elements), bytes, meaning: one row per iter.
    virtual std::shared_ptr<const scene::TableSource> iters() const = 0;
    /// injective, coverage, span, contiguity, alignment, assembler verdicts.
    virtual std::vector<scene::PropertyRow> properties() const = 0;
    /// Short verdict for the pill: "dense bijection", "7168 holes", "2 elements share an address".
    virtual scene::PropertyRow verdict() const = 0;

    struct ElementQuery {
        std::string filter;           ///< "block == 1 && fractal == 2"; empty: all
        std::optional<std::size_t> sort_column;
        bool descending = false;
    };
    /// All elements as a table (coordinates, offset, byte, levels, threads). Refuses a bad filter with a span in it
    /// (FILTER_*). May take long for millions of elements: polls `cancel`.
    virtual Result<std::shared_ptr<const scene::TableSource>> elements(const ElementQuery& query,
                                                                       const std::atomic<bool>* cancel = nullptr) const = 0;

    /// "37, 21" coordinate; "1621" offset; "0x0CAA" byte address. Answers the logical coordinate or why there is none.
    virtual Result<std::vector<std::int64_t>> find(std::string_view text) const = 0;
};

} // namespace ls::figure
