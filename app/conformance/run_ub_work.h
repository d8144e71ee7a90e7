// Work distributions in the form of the case files.
#pragma once

#include "app/conformance/runner.h"
#include "core/ub/work/distribution.h"

namespace ls::conformance::ub {

ls::ub::work::WorkInput work_input_of(const Json& params);
/// Quota, loads, makespan, ... under the names of the files.
Json distribution_json(const ls::ub::work::Distribution& distribution);
Json row_ranges_json(const ls::ub::work::Distribution& distribution);

} // namespace ls::conformance::ub
