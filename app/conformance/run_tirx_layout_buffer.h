// Buffer views of tirx/layout_misc: "[8,16].sub[5]", ".local()".
#pragma once

#include "app/conformance/runner.h"

namespace ls::conformance {

Outcome run_buffer_sub(const Json& input, const Json& expect);
Outcome run_buffer_local(const Json& input, const Json& expect);

} // namespace ls::conformance
