// What the runners of layout cases share: layouts as JSON, and comparing them by meaning.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/conformance/runner.h"
#include "core/layout/operations.h"

namespace ls::conformance {

/// {"kind": "tile", "shard": [[extent, stride, axis], ...], "replica": ..., "offset": {axis: amount}}, or
/// {"kind": "compose", "per_element": .., "tile": {...}}, or text in TIRx notation. Refused as make_layout refuses.
Result<Layout> layout_from_json(const Json& json);

/// Integers, or texts of expressions.
Result<Dim> dim_from_json(const Json& json);
Result<std::vector<Dim>> dims_from_json(const Json& list);

/// Passed when `actual` is `expected` (JSON or text); where numbers are symbolic they are compared by value under
/// assignments of their variables.
Outcome same_layout(const Json& expected, const Result<Layout>& actual);
Outcome same_dim(const Json& expected, const Dim& actual);

/// Passed when the product refused; its message is its own.
template <class T>
Outcome refused(const Result<T>& actual, const std::string& got) {
    return actual.ok() ? failed("expected a refusal, got " + got) : passed();
}
Outcome refused_layout(const Result<Layout>& actual);

/// An AxisMap as the cases write it: {"m": 3}. Only for constants.
Json to_json(const AxisMap& map);

/// Failed with both values unless they are equal.
Outcome same_json(const Json& expected, const Json& actual);

} // namespace ls::conformance

/// LS_TRY_OUTCOME(auto x, f()): binds x to f()'s value, or answers that the product refused.
#define LS_TRY_OUTCOME(declaration, expression)                                                                        \
    auto LS_CONCAT(ls_try_, __LINE__) = (expression);                                                                  \
    if (!LS_CONCAT(ls_try_, __LINE__).ok())                                                                            \
        return ls::conformance::failed("refused: " + LS_CONCAT(ls_try_, __LINE__).error().message);                    \
    declaration = std::move(LS_CONCAT(ls_try_, __LINE__)).value()
