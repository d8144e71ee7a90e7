// The tables beside the memory map: views, books, candidates of the V-step search, the tiling record, who takes the
// bytes. All of one plan, without Qt.
#pragma once

#include <memory>

#include "app/models/rows_table.h"
#include "app/models/ub_plan.h"

namespace ls::models {

/// The cell of a buffer's or view's row: row = buffer, column = view + 1, 0 for the buffer itself.
scene::Cell ub_cell(figure::UbTarget target);
std::optional<figure::UbTarget> ub_target_of(scene::Cell cell);

using TablePtr = std::shared_ptr<const RowsTable>;
TablePtr ub_views_table(const UbPlan& plan);
/// Host against device, term by term; without an operator what the model's host budgets and its views take.
TablePtr ub_books_table(const UbPlan& plan);
TablePtr ub_candidates_table(const UbPlan& plan);
TablePtr ub_record_table(const UbPlan& plan);
TablePtr ub_culprits_table(const UbPlan& plan);

} // namespace ls::models
