// What is true of a layout as a whole.
#pragma once

#include <vector>

#include "core/figure/element_map.h"
#include "core/scene/table.h"

namespace ls::figure {

std::vector<scene::PropertyRow> layout_properties(const ElementMap& map);
scene::PropertyRow layout_verdict(const ElementMap& map);

} // namespace ls::figure
