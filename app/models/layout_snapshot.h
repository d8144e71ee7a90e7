// One layout with everything that is computed about it, made in one go and never changed: safe to build on a worker.
#pragma once

#include <atomic>
#include <memory>

#include "core/figure/layout_figure.h"
#include "core/scene/table.h"

namespace ls::models {

struct LayoutSnapshot {
    std::shared_ptr<const figure::LayoutFigure> figure;
    std::shared_ptr<const scene::GridScene> logical, physical;
    std::shared_ptr<const scene::TableSource> iters;
    std::vector<scene::PropertyRow> properties;
    scene::PropertyRow verdict;

    /// Elements beyond which building is worth a thread of its own.
    static constexpr std::int64_t kInlineElements = 1 << 18;

    static Result<std::shared_ptr<const LayoutSnapshot>> build(TensorLayout layout,
                                                               const figure::LayoutFigureOptions& options);
};

/// Product of the shape, or −1 when it does not fit.
std::int64_t element_count(const TensorLayout& layout);

} // namespace ls::models
