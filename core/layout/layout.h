// Layouts: from a logical coordinate to a set of points on named axes.
//
//     x  ↦  { D(x) + O + Σ r_t·s_t  |  0 ≤ r_t < e_t }
//
// D(x) splits x over the shard (first iter = most significant digit) and sums digit·stride per axis; O is the offset;
// the replica iters say where else the element lives. Source: spec/tirx.md 1.2.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/layout/axis.h"
#include "core/layout/axis_map.h"
#include "core/layout/dim.h"
#include "core/support/result.h"

namespace ls {

struct Iter {
    Dim extent;
    Dim stride;
    Axis axis;

    bool operator==(const Iter&) const = default;
};

struct TileLayout {
    std::vector<Iter> shard;
    std::vector<Iter> replica; ///< order carries no meaning; equality ignores it
    AxisMap offset;            ///< an entry of 0 is kept until canonicalized

    bool operator==(const TileLayout& other) const;
};

/// A tile seen through an XOR swizzle of its linear element offset m (the tile may only produce axis m):
///
///     m  =  | ... | S+B-1 .. S | ... | B-1 .. 0 |  M-1 .. 0 |        M = per_element, B = swizzle_len, S = atom_len
///                   outer bits         inner bits  untouched
///     inner (swizzle_inner):  inner bits ^= outer bits        outer: outer bits ^= inner bits
///
/// Well-formed iff M ≥ 0, B ≥ 0, S ≥ B and M+S+B ≤ 62. A bare swizzle is a ComposeLayout over S[2^(M+B+S):1].
struct ComposeLayout {
    int per_element = 0;
    int swizzle_len = 0;
    int atom_len = 0;
    TileLayout tile;
    bool swizzle_inner = true;

    bool operator==(const ComposeLayout&) const = default;
};

/// The swizzle on numbers. `offset` in elements, ≥ 0.
std::int64_t swizzle(std::int64_t offset, const ComposeLayout& parameters);

class Layout {
public:
    Layout() = default;                                          ///< the empty tile: one point, at 0
    Layout(TileLayout tile) : form_(std::move(tile)) {}          // NOLINT: a tile is a layout
    Layout(ComposeLayout compose) : form_(std::move(compose)) {} // NOLINT

    bool is_compose() const { return form_.index() == 1; }
    const ComposeLayout* compose() const { return std::get_if<ComposeLayout>(&form_); }
    /// The tile itself, or the tile under the swizzle.
    const TileLayout& tile() const { return is_compose() ? std::get<1>(form_).tile : std::get<0>(form_); }
    /// Same swizzle (if any) over another tile.
    Layout with_tile(TileLayout tile) const;

    /// True when every extent, stride and offset is a constant.
    bool is_constant() const;

    /// Structural: shard order, replica as a set, offsets, swizzle parameters.
    bool operator==(const Layout&) const = default;

private:
    std::variant<TileLayout, ComposeLayout> form_;
};

/// Refuses an ill-formed swizzle (LAYOUT_SWIZZLE), extents < 1 (LAYOUT_EXTENT) and overflow (LAYOUT_OVERFLOW).
Result<Layout> make_layout(TileLayout tile);
Result<Layout> make_layout(ComposeLayout compose);

/// Extents d_i with row-major strides on `axis`.
TileLayout row_major(std::span<const Dim> shape, Axis axis = {});
TileLayout row_major(std::span<const std::int64_t> shape, Axis axis = {});

using Shape = std::vector<std::int64_t>;
std::vector<Dim> to_dims(std::span<const std::int64_t> shape);

/// Π shape; the empty product is 1.
Dim product(std::span<const Dim> shape);

/// A total order of iters (axis, extent, stride), in which canonical forms keep their replicas.
bool iter_before(const Iter& a, const Iter& b);

/// As the surface syntax of spec/tirx.md 1.3 writes it: "S[(8, 4):(4@laneid, 1)] + R[2:4] + 3".
std::string to_string(const Layout& layout);
std::string to_string(std::span<const Dim> shape); ///< "(8, 16)"

} // namespace ls
