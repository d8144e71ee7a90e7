#include "app/conformance/run_cute_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls::conformance {

Json as_text(const Result<cute::CuteLayout>& layout) {
    return layout.ok() ? cute::print(*layout) : "refused: " + layout.error().message;
}

Json as_text(const Result<cute::Composed>& layout, cute::Style style) {
    return layout.ok() ? cute::print(*layout, style) : "refused: " + layout.error().message;
}

void Checks::equal(std::string_view what, const Json& expected, const Json& actual) {
    if (expected != actual)
        differences_.push_back(fmt::format("{}: expected {}, got {}", what, expected.dump(), actual.dump()));
}

Outcome Checks::outcome() const {
    return differences_.empty() ? passed() : failed(fmt::format("{}", fmt::join(differences_, "; ")));
}

} // namespace ls::conformance
