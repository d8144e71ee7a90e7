// Private to core/layout: steps on lists of iters that several operations share.
#pragma once

#include <span>
#include <vector>

#include "core/layout/operations.h"

namespace ls {

/// Drops iters of extent 1; if nothing else is left, one (1, 1) on the axis of the first stays.
void drop_units(std::vector<Iter>& shard);
/// Merges neighbours that count on like one iter: (e0, e1·s1)(e1, s1) is (e0·e1, s1).
void fuse_neighbours(std::vector<Iter>& shard);

bool has_axis(std::span<const Iter> shard, Axis axis);
/// True when b may stand for a: equal extents, and the same stride and axis unless the extent is 1.
bool same_steps(const Iter& a, const Iter& b);

/// Iters of dimension d of a grouped layout.
std::span<const Iter> dimension(const Grouped& grouped, std::size_t d);

AxisMap sum(const AxisMap& a, const AxisMap& b);
/// a - b on every axis that either names; entries of 0 stay.
AxisMap difference(const AxisMap& a, const AxisMap& b);
/// Iters of `all` that do not occur in `known`.
std::vector<Iter> others(std::span<const Iter> all, std::span<const Iter> known);

/// [a0, b0, a1, b1, ...]
std::vector<Dim> interleave(std::span<const Dim> a, std::span<const Dim> b);
/// a[i] / b[i]; LAYOUT_DIVIDE where one does not divide evenly.
Result<std::vector<Dim>> divide(std::span<const Dim> a, std::span<const Dim> b);

/// The tile that an operation works on: a bare swizzle's tile is read as S[Π shape:1], whatever its own size.
TileLayout working_tile(const Layout& layout, std::span<const Dim> shape);
bool same_swizzle(const ComposeLayout& a, const ComposeLayout& b);

} // namespace ls
