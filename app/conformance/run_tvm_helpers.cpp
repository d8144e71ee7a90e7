// tvm/helpers: the reference's helper functions, with what it prints and where elements lie.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_tirx_helper_call.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "core/layout/operations.h"
#include "core/notation/tirx_text.h"

namespace ls::conformance {

namespace {

/// {"shape": [..], "coords": [[..], ..], "result": {axis: [values]}}; an axis without an entry is nowhere in the map.
Outcome same_apply(const Json& table, const Layout& layout) {
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_from_json(table.at("shape")));
    const Json& coordinates = table.at("coords");
    const Json& result = table.at("result");
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        LS_TRY_OUTCOME(const std::vector<Dim> coordinate, dims_from_json(coordinates[i]));
        LS_TRY_OUTCOME(const AxisMap at, apply(layout, coordinate, shape));
        Json wanted = Json::object();
        for (const auto& [axis, values] : result.items()) wanted[axis] = values.at(i);
        const Outcome one = same_json(wanted, to_json(at));
        if (one.kind != Outcome::Kind::Passed) return failed(fmt::format("at {}: {}", coordinates[i].dump(), one.why));
    }
    return passed();
}

Outcome same_axis(const Json& name, const Json& expected) {
    const Axis axis = Axis::named(name.get<std::string>());
    const auto scope_name = [](std::optional<ScopeKind> scope) {
        return scope ? Json(std::string(ls::name(*scope))) : Json();
    };
    Json actual{{"is_thread", axis.is_thread()},
                {"is_memory", axis.is_memory()},
                {"get_scope", scope_name(axis.scope())},
                {"get_subscope", scope_name(axis.subscope())}};
    // The reference has no answer for an axis that was never registered; ours holds it to be no thread axis.
    for (const char* question : {"is_thread", "is_memory"}) {
        if (expected.at(question).is_object() && !axis.is_thread()) actual[question] = expected[question];
    }
    return same_json(expected, actual);
}

} // namespace

Outcome run_tvm_helpers(const Json& test_case, const Json&) {
    const std::string fn = test_case.at("fn").get<std::string>();
    const Json& args = test_case.at("args");
    if (fn == "Axis") return same_axis(args.at("name"), test_case.at("result"));
    if (fn == "mma_atom_shape") {
        const auto shape = call_mma_atom_shape(args);
        if (test_case.contains("error")) return refused(shape, shape ? Json(*shape).dump() : "");
        if (!shape) return failed("refused: " + shape.error().message);
        return same_json(test_case.at("result"), *shape);
    }
    const Result<HelperAnswer> answer = call_helper(fn, args);
    if (test_case.contains("error")) return refused(answer, answer ? notation::print_tirx(answer->layout) : "");
    if (!answer) return failed(fmt::format("refused: {}: {}", answer.error().code, answer.error().message));
    const Layout& layout = answer->layout;
    std::vector<Outcome> checks{same_layout(test_case.at("layout"), layout)};
    if (test_case.contains("repr")) checks.push_back(same_json(test_case["repr"], notation::print_tirx_repr(layout)));
    if (test_case.contains("size")) checks.push_back(same_dim(test_case["size"], size(layout)));
    if (test_case.contains("span")) checks.push_back(same_dim(test_case["span"], span(layout)));
    if (test_case.contains("canonical")) checks.push_back(same_layout(test_case["canonical"], canonicalize(layout)));
    if (test_case.contains("apply_shape")) checks.push_back(same_apply(test_case["apply_shape"], layout));
    for (Outcome& check : checks) {
        if (check.kind != Outcome::Kind::Passed) return check;
    }
    return passed();
}

bool looks_like_tvm_helpers(const Json& first_case) { return first_case.contains("fn") && first_case.contains("args"); }

} // namespace ls::conformance
