// The compiled map of one tensor: coordinates to linear indices of physical space and back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/figure/layout_figure.h"
#include "core/figure/levels.h"
#include "core/figure/physical_space.h"
#include "core/layout/engine/coverage.h"
#include "core/layout/engine/inverse.h"
#include "core/layout/engine/map.h"

namespace ls::figure {

/// Everything that the pictures of one layout share. Immutable after `build`.
struct ElementMap {
    TensorLayout tensor;          ///< as given
    LayoutFigureOptions options;  ///< every default filled in
    PhysicalSpace space;
    std::vector<GroupedIter> iters;
    std::vector<Level> levels;
    engine::CompiledMap forward;  ///< of the linearized layout: one axis, values are linear indices of `space`
    engine::Inverse inverse;
    std::optional<engine::Coverage> coverage; ///< empty when it was too large to count

    static Result<std::shared_ptr<const ElementMap>> build(TensorLayout tensor, LayoutFigureOptions options);

    std::int64_t element_count() const { return forward.elements(); }
    bool inside(const std::vector<std::int64_t>& coordinate) const;
    /// Linear index of the first copy.
    std::int64_t linear(const std::vector<std::int64_t>& coordinate) const { return forward.on(0).offset(coordinate); }
    /// Linear indices of all copies, the first one first.
    std::vector<std::int64_t> copies(const std::vector<std::int64_t>& coordinate) const;
    /// Who lives there, at most 1024.
    std::vector<std::vector<std::int64_t>> coordinates_at(std::int64_t linear) const;
    /// The smallest element there (row-major index), or engine::Inverse::kNone.
    std::int64_t first_owner(std::int64_t linear) const;
    /// Every linear index of the picture holds an element, so that no cell has to ask.
    bool everywhere_occupied() const;
};

} // namespace ls::figure
