#include "app/models/layout_compare.h"

#include <fmt/format.h>

#include "core/layout/engine/compare.h"

namespace ls::models {

Result<LayoutComparison> compare_layouts(const TensorLayout& here, const TensorLayout& there) {
    LS_TRY(const engine::CompiledMap a, engine::compile_map(here.layout, here.shape));
    LS_TRY(const engine::CompiledMap own, engine::compile_map(there.layout, there.shape));
    if (a.elements() != own.elements()) {
        return error("CMP_SIZE",
                     fmt::format("this layout has {} elements and the other {}", a.elements(), own.elements()),
                     "compare layouts of one tensor");
    }
    LS_TRY(const engine::CompiledMap b, engine::compile_map(there.layout, here.shape));
    LS_TRY(const engine::Comparison found, engine::compare(a, b));
    LayoutComparison result;
    result.elements = a.elements();
    result.differing = found.differing;
    if (found.first) {
        result.first = found.first->coordinate;
        result.first_here = fmt::format("{} {}", found.first->axis.name(), found.first->left);
        result.first_there = fmt::format("{} {}", found.first->axis.name(), found.first->right);
    }
    return result;
}

} // namespace ls::models
