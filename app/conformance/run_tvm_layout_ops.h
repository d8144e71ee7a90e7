// One operation of a case's `ops` list: {"op": .., "args": {..}, "result": ..} or {.., "error": ..}.
#pragma once

#include "app/conformance/runner.h"
#include "core/layout/layout.h"

namespace ls::conformance {

Outcome run_layout_op(const Layout& self, const Json& op);

} // namespace ls::conformance
