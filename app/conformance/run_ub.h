// What the runners of vectors/ub share: reading a case's parameters, and comparing values by name.
#pragma once

#include <optional>
#include <string>

#include "app/conformance/runner.h"
#include "core/ub/cgdr/device_partition.h"
#include "core/ub/cgdr/params.h"
#include "core/ub/finding.h"

namespace ls::conformance::ub {

/// Passed when every value that `expected` names is the same in `ours` (numbers within 1e-6); else the first
/// difference, with its path and both values. `ours` may hold more.
Outcome compare(const Json& expected, const Json& ours);

std::int64_t integer(const Json& object, const char* key, std::int64_t otherwise);
/// nullopt for null and for a missing key.
std::optional<std::int64_t> optional_integer(const Json& object, const char* key);
std::optional<bool> optional_bool(const Json& object, const char* key);

ls::ub::cgdr::Variant variant_of(const Json& test_case);
ls::ub::cgdr::HostInput host_input_of(const Json& params, ls::ub::cgdr::Variant variant);
ls::ub::cgdr::DeviceInput device_input_of(const Json& params, ls::ub::cgdr::Variant variant);

/// {"code": ..., "subject": ..., numbers by name; begin and end also as "bytes": [begin, end]}.
Json to_json(const ls::ub::Finding& finding);

} // namespace ls::conformance::ub
