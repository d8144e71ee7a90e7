// Python-like integer expressions of expected results, evaluated as they stand: an oracle that shares nothing with Dim.
//
//     i0 * 64 + T.bitwise_xor(i1 % 8, T.shift_left(T.bitwise_and(i0, 7), 3))
//     T.Let(body, where={name: value})        x ^ y, x & y, x << y, x >> y, //, %, min(a, b), max(a, b)
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ls::conformance {

using Values = std::map<std::string, std::int64_t, std::less<>>;

/// Nothing when the text is no such expression, a name has no value, or a divisor is 0.
std::optional<std::int64_t> evaluate_text(std::string_view text, const Values& values);

} // namespace ls::conformance
