// cute/cute_to_tirx: the same function in both notations.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_cute_json.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "core/notation/cute_convert.h"
#include "core/notation/cute_evaluate.h"
#include "core/notation/cute_swizzle.h"
#include "core/notation/notation.h"

namespace ls::conformance {

namespace {

std::vector<Dim> dims(const Shape& values) { return {values.begin(), values.end()}; }

std::string without_spaces(std::string text) {
    std::erase(text, ' ');
    return text;
}

/// Our layout at a logical coordinate.
Result<AxisMap> at(const TensorLayout& tensor, const Json& coordinate) {
    return apply(tensor.layout, dims(coordinate.get<Shape>()), dims(tensor.shape));
}

void check_cute_to_tirx(const Json& input, const Json& expect, Checks& checks) {
    const auto composed = cute::read_cute(input.at("cute").get<std::string>());
    if (!composed) return checks.fail(composed.error().message);
    const auto tensor = cute::to_tensor(*composed);
    if (!tensor) return checks.fail(tensor.error().message);
    checks.same("shape", expect, Json(tensor->shape));
    const Outcome coordinate_form = same_layout(expect.at("tirx_coord"), tensor->layout);
    if (coordinate_form.kind != Outcome::Kind::Passed) checks.fail("tirx_coord: " + coordinate_form.why);
    checks.same("size", expect, cute::size(composed->layout));
    if (expect.contains("element_bits")) checks.same("element_bits", expect, composed->element_bits);
    if (expect.contains("element_form")) {
        const auto form = cute::element_form(*composed);
        checks.same("element_form", expect, as_text(form, cute::Style::Plain));
    }
    for (const Json& point : expect.value("points", Json::array())) {
        const auto place = at(*tensor, point.at("coord"));
        checks.equal("at " + point["coord"].dump(), point.at("offset"),
                     place ? Json(place->get(axes::m).value()) : Json(place.error().message));
        std::vector<cute::Tree> modes;
        for (const Json& c : point["coord"]) modes.push_back(cute::Tree::number(c.get<std::int64_t>()));
        const cute::Tree coordinate =
            composed->layout.shape.is_leaf ? modes.at(0) : cute::Tree::tuple(std::move(modes));
        const auto value = cute::evaluate(*composed, coordinate);
        checks.equal("CuTe at " + point["coord"].dump(), point.at("offset"),
                     value ? Json(value->offset) : Json(value.error().message));
    }
    if (!expect.contains("tirx_flat")) return;
    const auto flat = cute::to_flat(composed->layout);
    const Outcome flat_form = same_layout(expect["tirx_flat"], flat);
    if (flat_form.kind != Outcome::Kind::Passed) checks.fail("tirx_flat: " + flat_form.why);
    for (std::size_t x = 0; flat && x < expect.value("flat_table", Json::array()).size(); ++x) {
        const auto place = apply(*flat, static_cast<std::int64_t>(x));
        checks.equal(fmt::format("flat {}", x), expect["flat_table"][x],
                     place ? Json(place->get(axes::m).value()) : Json(place.error().message));
    }
}

void check_tirx_to_cute(const Json& input, const Json& expect, Checks& checks) {
    auto tensor = read_layout(input.at("tirx").get<std::string>());
    if (!tensor) return checks.fail(tensor.error().message);
    tensor->shape = input.at("shape").get<Shape>();
    const auto cute = cute::from_tensor(*tensor);
    if (expect.at("cute").is_null()) {
        if (cute) checks.fail("expected a refusal, got " + cute::print(cute->composed));
        return;
    }
    if (!cute) return checks.fail(cute.error().message);
    checks.equal("cute", without_spaces(expect["cute"].get<std::string>()),
                 without_spaces(cute::print(cute->composed)));
    if (expect.contains("axes")) {
        Json names = Json::array();
        for (const Axis& axis : cute->axes) names.push_back(std::string(axis.name()));
        checks.same("axes", expect, names);
    }
    for (const Json& point : expect.value("points", Json::array())) {
        std::vector<cute::Tree> modes;
        for (const Json& c : point.at("coord")) modes.push_back(cute::Tree::number(c.get<std::int64_t>()));
        const auto value = modes.size() == 1 ? cute::evaluate(cute->composed, modes[0].leaf.value)
                                             : cute::evaluate(cute->composed, cute::Tree::tuple(std::move(modes)));
        checks.equal("at " + point["coord"].dump(), point.at("offset"),
                     value ? Json(value->offset) : Json(value.error().message));
        const auto place = at(*tensor, point["coord"]);
        checks.equal("TIRx at " + point["coord"].dump(), point.at("offset"),
                     place ? Json(place->get(axes::m).value()) : Json(place.error().message));
    }
}

/// The axis that the case wants for threads: the first one in its text.
Axis thread_axis(const std::string& tirx) {
    const std::size_t sign = tirx.find('@');
    if (sign == std::string::npos) return axes::laneid;
    const std::size_t end = tirx.find_first_of(",)] ", sign);
    return Axis::named(tirx.substr(sign + 1, end - sign - 1));
}

void check_tv_to_tirx(const Json& input, const Json& expect, Checks& checks) {
    const auto tv = cute::read_plain(input.at("cute_tv").get<std::string>());
    if (!tv) return checks.fail(tv.error().message);
    const auto mn = input.at("mn_shape").get<Shape>();
    const Axis threads = thread_axis(expect.at("tirx").get<std::string>());
    const auto fragment = cute::fragment_from_tv(*tv, mn.at(0), mn.at(1), threads);
    if (!fragment) return checks.fail(fragment.error().message);
    const Outcome same = same_layout(expect["tirx"], fragment->layout);
    if (same.kind != Outcome::Kind::Passed) checks.fail(same.why);
    for (const Json& point : expect.value("points", Json::array())) {
        const auto place = at(*fragment, point.at("coord"));
        if (!place) {
            checks.fail(place.error().message);
            continue;
        }
        for (const auto& [key, value] : point.items()) {
            if (key == "coord") continue;
            checks.equal(fmt::format("{} at {}", key, point["coord"].dump()), value,
                         place->get(key == "value" ? axes::m : Axis::named(key)).value());
        }
    }
}

} // namespace

Outcome run_cute_to_tirx(const Json& test_case, const Json&) {
    const Json& input = test_case.at("input");
    const std::string direction = input.at("dir").get<std::string>();
    Checks checks;
    if (direction == "cute->tirx")
        check_cute_to_tirx(input, test_case.at("expect"), checks);
    else if (direction == "tirx->cute")
        check_tirx_to_cute(input, test_case.at("expect"), checks);
    else if (direction == "tv->tirx")
        check_tv_to_tirx(input, test_case.at("expect"), checks);
    else
        return skipped("unknown direction " + direction);
    return checks.outcome();
}

bool looks_like_cute_to_tirx(const Json& first_case) {
    return first_case.contains("input") && first_case["input"].is_object() && first_case["input"].contains("dir");
}

} // namespace ls::conformance
