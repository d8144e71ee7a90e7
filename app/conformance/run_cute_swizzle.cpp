// cute/cute_swizzle: swizzles, their units, MMA atoms tiled to shapes, descriptors.
#include <map>

#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_cute_json.h"
#include "core/notation/cute_algebra.h"
#include "core/notation/cute_atoms.h"
#include "core/notation/cute_evaluate.h"
#include "core/notation/cute_swizzle.h"

namespace ls::conformance {

namespace {

using cute::Style;

template <class T>
std::string text_of(const Result<T>& value) {
    return value.ok() ? cute::print(*value, Style::Cpp) : "refused: " + value.error().message;
}

void check_apply(const Json& input, const Json& expect, Checks& checks) {
    const auto swizzle = cute::read_swizzle(input.at("swizzle").get<std::string>());
    if (!swizzle) return checks.fail(swizzle.error().message);
    checks.same("print", expect, cute::print(*swizzle));
    checks.same("code", expect, cute::swizzle_code(*swizzle));
    Json values = Json::array();
    for (const Json& offset : input.at("offsets")) values.push_back(cute::apply(*swizzle, offset.get<std::int64_t>()));
    checks.same("values", expect, values);
}

void check_masks(const Json& input, const Json& expect, Checks& checks) {
    checks.same(
        "print", expect,
        text_of(cute::swizzle_from_masks(input.at("Y").get<std::int64_t>(), input.at("Z").get<std::int64_t>())));
}

void check_recast_swizzle(const Json& input, const Json& expect, Checks& checks) {
    const auto swizzle = cute::read_swizzle(input.at("swizzle").get<std::string>());
    if (!swizzle) return checks.fail(swizzle.error().message);
    checks.same("print", expect,
                text_of(cute::recast(*swizzle, input.at("from_bits").get<int>(), input.at("to_bits").get<int>())));
}

void check_recast_composed(const Json& input, const Json& expect, Checks& checks) {
    const auto composed = cute::read_cute(input.at("text").get<std::string>());
    if (!composed) return checks.fail(composed.error().message);
    checks.same("in", expect, cute::print(*composed, Style::Cpp));
    const auto recast = cute::recast(*composed, input.at("from_bits").get<int>(), input.at("to_bits").get<int>());
    checks.same("print", expect, text_of(recast));
    if (recast && expect.contains("element_form"))
        checks.same("element_form", expect, text_of(cute::element_form(*recast)));
}

Result<cute::Composed> atom_of(const Json& input) {
    const std::string name = input.at("atom").get<std::string>();
    const auto atom = cute::atom_from_name(name);
    if (!atom) return error("CUTE_ATOM", "there is no atom " + name);
    return cute::atom_layout(*atom, input.at("bits").get<int>());
}

void check_atom(const Json& input, const Json& expect, Checks& checks) {
    const auto atom = atom_of(input);
    checks.same("print", expect, text_of(atom));
    if (atom) checks.same("element_form", expect, text_of(cute::element_form(*atom)));
}

void check_points(const cute::Composed& layout, const Json& points, const Json& expect, Checks& checks) {
    Json values = Json::array();
    for (const Json& point : points) {
        std::vector<cute::Tree> modes;
        for (const Json& c : point) modes.push_back(cute::Tree::number(c.get<std::int64_t>()));
        const auto value = cute::evaluate(layout, cute::Tree::tuple(std::move(modes)));
        values.push_back(value ? Json(value->offset) : Json(value.error().message));
    }
    checks.same("values", expect, values);
}

void check_tile_to_shape(const Json& input, const Json& expect, Checks& checks) {
    const auto atom = atom_of(input);
    if (!atom) return checks.fail(atom.error().message);
    const auto shape = input.at("shape").get<std::vector<std::int64_t>>();
    std::vector<std::int64_t> step;
    if (input.contains("step") && !input["step"].is_null()) step = input["step"].get<std::vector<std::int64_t>>();
    const auto tiled = cute::tile_to_shape(*atom, shape, step);
    checks.same("print", expect, text_of(tiled));
    if (!tiled) return;
    checks.same("element_form", expect, text_of(cute::element_form(*tiled)));
    checks.same("size", expect, cute::size(tiled->layout));
    checks.same("cosize", expect, cute::cosize(tiled->layout));
    check_points(*tiled, input.value("points", Json::array()), expect, checks);
}

void check_composed_offset(const Json& input, const Json& expect, Checks& checks) {
    const auto composed = cute::read_cute(input.at("text").get<std::string>());
    if (!composed) return checks.fail(composed.error().message);
    checks.same("print", expect, cute::print(*composed, Style::Cpp));
    check_points(*composed, input.at("points"), expect, checks);
}

void check_descriptor(const Json& input, const Json& expect, Checks& checks) {
    const auto atom = atom_of(input);
    if (!atom) return checks.fail(atom.error().message);
    const auto tiled = cute::tile_to_shape(*atom, input.at("smem_shape").get<std::vector<std::int64_t>>());
    checks.same("print", expect, text_of(tiled));
    if (!tiled) return;
    const auto tile = input.at("mma_tile").get<std::vector<std::int64_t>>();
    const auto descriptor = cute::matrix_descriptor(
        *tiled, input.at("major") == "K" ? cute::Major::K : cute::Major::Mn, tile.at(0), tile.at(1),
        input.at("kind") == "gmma_desc" ? cute::Architecture::Sm90 : cute::Architecture::Sm100);
    if (!descriptor) return checks.fail(descriptor.error().message);
    checks.same("start", expect, descriptor->start);
    checks.same("lbo", expect, descriptor->lbo);
    checks.same("sbo", expect, descriptor->sbo);
    checks.same("type", expect, descriptor->type);
    checks.same("word", expect, fmt::format("{:x}", descriptor->word()));
}

void check_from_function(const Json& input, const Json& expect, Checks& checks) {
    const auto found = cute::swizzle_from_table(input.at("table").get<std::vector<std::int64_t>>());
    checks.equal("swizzle", expect.at("swizzle"), found ? Json(cute::print(*found)) : Json());
    if (expect.contains("reason") && !found) checks.equal("reason", expect["reason"], found.error().message);
}

} // namespace

Outcome run_cute_swizzle(const Json& test_case, const Json&) {
    static const std::map<std::string, void (*)(const Json&, const Json&, Checks&), std::less<>> kinds{
        {"apply", check_apply},
        {"from_masks", check_masks},
        {"recast_swizzle", check_recast_swizzle},
        {"recast_composed", check_recast_composed},
        {"atom", check_atom},
        {"tile_to_shape", check_tile_to_shape},
        {"composed_offset", check_composed_offset},
        {"gmma_desc", check_descriptor},
        {"umma_desc", check_descriptor},
        {"from_function", check_from_function},
    };
    const Json& input = test_case.at("input");
    const auto kind = kinds.find(input.at("kind").get<std::string>());
    if (kind == kinds.end()) return skipped("unknown kind " + input["kind"].dump());
    Checks checks;
    kind->second(input, test_case.at("expect"), checks);
    return checks.outcome();
}

bool looks_like_cute_swizzle(const Json& first_case) {
    if (!first_case.contains("input") || !first_case["input"].is_object() || !first_case["input"].contains("kind"))
        return false;
    const Json& input = first_case["input"];
    return input.contains("swizzle") || input.contains("atom") || input.contains("Y") || input.contains("table") ||
           input.contains("text");
}

} // namespace ls::conformance
