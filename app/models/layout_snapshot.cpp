#include "app/models/layout_snapshot.h"

#include "core/support/checked.h"

namespace ls::models {

Result<std::shared_ptr<const LayoutSnapshot>> LayoutSnapshot::build(TensorLayout layout,
                                                                    const figure::LayoutFigureOptions& options) {
    LS_TRY(auto figure, figure::LayoutFigure::build(std::move(layout), options));
    auto snapshot = std::make_shared<LayoutSnapshot>();
    snapshot->logical = figure->logical();
    snapshot->physical = figure->physical();
    snapshot->iters = figure->iters();
    snapshot->properties = figure->properties();
    snapshot->verdict = figure->verdict();
    snapshot->figure = std::move(figure);
    return std::shared_ptr<const LayoutSnapshot>(std::move(snapshot));
}

std::int64_t element_count(const TensorLayout& layout) { return checked_product(layout.shape).value_or(-1); }

} // namespace ls::models
