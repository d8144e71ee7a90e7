// The operations of tvm cases that map coordinates: tables of numbers, and expressions of variables.
#pragma once

#include "app/conformance/runner.h"
#include "core/layout/layout.h"

namespace ls::conformance {

Outcome run_apply_linear(const Layout& self, const Json& op);
Outcome run_apply_shard(const Layout& self, const Json& op);
Outcome run_apply_shape(const Layout& self, const Json& op);
Outcome run_apply_linear_symbolic(const Layout& self, const Json& op);
Outcome run_apply_shape_symbolic(const Layout& self, const Json& op);

/// Compares a map of expressions with a symbolic result, by value, over coordinates below `limits` (symbols: any).
Outcome same_expressions(const Json& expected, const AxisMap& actual, const std::map<std::string, std::int64_t>& limits);

} // namespace ls::conformance
