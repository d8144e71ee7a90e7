// cute/triton: encodings as linear layouts, their text, and the same map as a tile or a swizzled tile.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_cute_json.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "core/notation/triton_convert.h"

namespace ls::conformance {

namespace {

/// Every line without its leading spaces: the cases indent further bases by two, Triton itself by three.
std::string unindented(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (!line.empty()) out += fmt::format("{}\n", line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

Json bases_json(const triton::LinearLayout& linear) {
    Json out = Json::object();
    for (const triton::InDim& dim : linear.in()) out[dim.name] = dim.bases;
    return out;
}

void check_points(const triton::LinearLayout& linear, const Json& points, Checks& checks) {
    for (const Json& point : points) {
        std::map<std::string, std::int64_t, std::less<>> index;
        for (const auto& [name, value] : point.at("in").items()) index[name] = value.get<std::int64_t>();
        checks.equal(point["in"].dump(), point.at("out"), linear.at(index));
    }
}

void same(const Json& text, const Result<Layout>& actual, std::string_view what, Checks& checks) {
    const Outcome outcome = same_layout(text, actual);
    if (outcome.kind == Outcome::Kind::Passed) return;
    // The same map may be fused further or less.
    const Result<Layout> wanted = layout_from_json(text);
    if (wanted && actual) {
        const Result<Layout> a = canonicalize(*wanted), b = canonicalize(*actual);
        if (a && b && *a == *b) return;
    }
    checks.fail(fmt::format("{}: {}", what, outcome.why));
}

void check_padded(const triton::Attribute& attribute, const std::vector<std::int64_t>& shape, const Json& expect,
                  Checks& checks) {
    const auto padded = triton::padded_shared(attribute, shape);
    if (!padded) return checks.fail(padded.error().message);
    checks.same("padded_size", expect, padded->size());
    const auto tensor = triton::to_tensor(attribute, shape);
    if (!tensor) return checks.fail(tensor.error().message);
    if (expect.contains("tile_layout") && expect["tile_layout"].is_string())
        same(expect["tile_layout"], tensor->layout, "tile_layout", checks);
    const std::vector<Dim> extents(shape.begin(), shape.end());
    for (const Json& point : expect.value("points", Json::array())) {
        const auto coordinate = dims_from_json(point.at("coord"));
        const auto at = coordinate ? apply(tensor->layout, *coordinate, extents) : Result<AxisMap>(coordinate.error());
        checks.equal("at " + point["coord"].dump(), point.at("offset"),
                     at ? Json(at->get(axes::m).value()) : Json(at.error().message));
    }
}

} // namespace

Outcome run_cute_triton(const Json& test_case, const Json&) {
    const Json& input = test_case.at("input");
    const Json& expect = test_case.at("expect");
    const auto attribute = triton::read_attribute(input.at("attr").get<std::string>());
    if (expect.contains("error")) return refused(attribute);
    if (!attribute) return failed(attribute.error().message);
    const auto shape = input.at("shape").get<std::vector<std::int64_t>>();
    Checks checks;
    if (attribute->name == "padded_shared") {
        check_padded(*attribute, shape, expect, checks);
        return checks.outcome();
    }
    const auto linear = triton::to_linear(*attribute, shape);
    if (!linear) return failed(linear.error().message);
    checks.same("bases", expect, bases_json(*linear));
    if (expect.contains("out_dims")) {
        Json outs = Json::array();
        for (const triton::OutDim& dim : linear->out()) outs.push_back({dim.name, dim.size});
        checks.same("out_dims", expect, outs);
    }
    if (expect.contains("text"))
        checks.equal("text", unindented(expect["text"].get<std::string>()), unindented(linear->text()));
    check_points(*linear, expect.value("points", Json::array()), checks);
    if (expect.contains("tile_layout")) {
        const auto tile = triton::tile_of(*linear);
        if (expect["tile_layout"].is_null()) {
            if (tile)
                checks.fail("expected no tile");
            else
                checks.same("tile_reason", expect, tile.error().message);
        } else {
            same(expect["tile_layout"], tile, "tile_layout", checks);
        }
    }
    if (expect.contains("compose_layout") && expect["compose_layout"].is_string()) {
        same(expect["compose_layout"], triton::layout_of(*attribute, *linear), "compose_layout", checks);
    }
    return checks.outcome();
}

bool looks_like_cute_triton(const Json& first_case) {
    return first_case.contains("input") && first_case["input"].is_object() && first_case["input"].contains("attr");
}

} // namespace ls::conformance
