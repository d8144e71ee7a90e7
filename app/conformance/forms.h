// The runners of all forms. Each family lives in files of its own: run_<family>_<what>.cpp.
#pragma once

#include "app/conformance/runner.h"

namespace ls::conformance {

// A runner answers Failed with both values when a value differs, and never throws on a well-formed case.

} // namespace ls::conformance
