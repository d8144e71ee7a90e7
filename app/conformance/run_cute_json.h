// What the runners of CuTe cases share: comparing many fields of one case, and texts of layouts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/conformance/runner.h"
#include "core/notation/cute_text.h"
#include "core/support/result.h"

namespace ls::conformance {

inline Json as_json(Json value) { return value; }
template <class T>
Json as_json(const Result<T>& value) {
    return value.ok() ? Json(*value) : Json("refused: " + value.error().message);
}
Json as_text(const Result<cute::CuteLayout>& layout);
Json as_text(const Result<cute::Composed>& layout, cute::Style style);

template <class T>
Outcome refused(const Result<T>& actual) {
    return actual.ok() ? failed("expected a refusal") : passed();
}

/// Collects differences of one case.
class Checks {
public:
    void equal(std::string_view what, const Json& expected, const Json& actual);
    /// Compares with expect[what] when the case states it.
    template <class T>
    void same(const char* what, const Json& expect, const T& actual) {
        if (expect.contains(what)) equal(what, expect[what], as_json(actual));
    }
    void fail(std::string why) { differences_.push_back(std::move(why)); }
    bool fine() const { return differences_.empty(); }
    Outcome outcome() const;

private:
    std::vector<std::string> differences_;
};

} // namespace ls::conformance
