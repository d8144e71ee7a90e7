// cute/cute_eval: layouts printed, measured and evaluated.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_cute_json.h"
#include "core/notation/cute_algebra.h"
#include "core/notation/cute_evaluate.h"

namespace ls::conformance {

Outcome run_cute_eval(const Json& test_case, const Json&) {
    const auto read = cute::read_plain(test_case.at("input").get<std::string>());
    const Json& expect = test_case.at("expect");
    if (expect.contains("error")) return refused(read);
    if (!read) return failed("refused: " + read.error().message);
    const cute::CuteLayout& layout = *read;
    Checks checks;
    checks.same("print_cpp", expect, cute::print(layout, cute::Style::Cpp));
    checks.same("print_plain", expect, cute::print(layout));
    checks.same("size", expect, cute::size(layout));
    checks.same("cosize", expect, cute::cosize(layout));
    checks.same("cosize_pycute", expect, cute::cosize_pycute(layout));
    checks.same("min_offset", expect, cute::min_offset(layout));
    checks.same("rank", expect, cute::rank(layout.shape));
    checks.same("depth", expect, cute::depth(layout.shape));
    if (expect.contains("offsets")) checks.same("offsets", expect, cute::table(layout));
    if (expect.contains("coalesce")) {
        checks.same("coalesce", expect, as_text(cute::coalesce(layout)));
    }
    const auto decided = [](std::optional<bool> answer) { return answer ? Json(*answer) : Json(); };
    checks.same("injective", expect, decided(cute::injective(layout)));
    checks.same("compact", expect, decided(cute::compact(layout)));
    for (const Json& point : expect.value("nested", Json::array())) {
        const auto coordinate = cute::read_tree(point.at("coord").get<std::string>());
        if (!coordinate) return failed(coordinate.error().message);
        checks.equal("at " + point["coord"].get<std::string>(), point.at("offset"),
                     as_json(cute::crd2idx(*coordinate, layout)));
    }
    return checks.outcome();
}

bool looks_like_cute_eval(const Json& first_case) {
    return first_case.contains("input") && first_case["input"].is_string() && first_case.contains("expect") &&
           first_case["expect"].contains("print_plain");
}

} // namespace ls::conformance
