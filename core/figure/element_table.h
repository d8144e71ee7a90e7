// All elements of a tensor as rows: coordinates, where they live, and their place in the hierarchy.
#pragma once

#include <memory>

#include "core/figure/element_map.h"
#include "core/scene/table.h"

namespace ls::figure {

/// Rows in reading order, or filtered and sorted as `query` says. A filter or a sort over more than 2^26 elements is
/// refused (FIG_TABLE_TOO_LARGE); a cancelled one answers FIG_CANCELLED.
Result<std::shared_ptr<const scene::TableSource>> element_table(const std::shared_ptr<const ElementMap>& map,
                                                                const LayoutFigure::ElementQuery& query, const std::atomic<bool>* cancel);

/// One row per iter: dimension, extent, stride (elements), bytes, meaning.
std::shared_ptr<const scene::TableSource> iter_table(const ElementMap& map);

} // namespace ls::figure
