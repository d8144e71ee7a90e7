// The operations of tvm cases that map coordinates: tables of numbers, and expressions of variables.
#pragma once

#include <map>
#include <string>

#include "app/conformance/runner.h"
#include "core/layout/layout.h"

namespace ls::conformance {

Outcome run_apply_linear(const Layout& self, const Json& op);
Outcome run_apply_shard(const Layout& self, const Json& op);
Outcome run_apply_shape(const Layout& self, const Json& op);
Outcome run_apply_linear_symbolic(const Layout& self, const Json& op);
Outcome run_apply_shape_symbolic(const Layout& self, const Json& op);

/// Values that a variable may take: a coordinate in [0, extent), another symbol in [1, ...].
struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
};
using Ranges = std::map<std::string, Range>;

/// Compares a map of expressions with a symbolic result, by value, over the ranges of the variables.
Outcome same_expressions(const Json& expected, const AxisMap& actual, const Ranges& ranges);

} // namespace ls::conformance
