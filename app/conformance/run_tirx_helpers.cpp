// tirx/helper_layouts: hardware layouts, with tables of where elements lie.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_tirx_helper_call.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "core/layout/operations.h"
#include "core/notation/tirx_text.h"

namespace ls::conformance {

namespace {

/// Equal as written, or equal once both are canonical: the reference canonicalizes some helpers and not others.
Outcome same_canonical(const Json& expected, const Layout& actual) {
    const Outcome as_written = same_layout(expected, actual);
    if (as_written.kind == Outcome::Kind::Passed) return as_written;
    LS_TRY_OUTCOME(const Layout wanted, layout_from_json(expected));
    LS_TRY_OUTCOME(const Layout wanted_canonical, canonicalize(wanted));
    LS_TRY_OUTCOME(const Layout canonical, canonicalize(actual));
    return wanted_canonical == canonical ? passed() : as_written;
}

/// [[coordinate, {axis: value}], ...] over the given shape.
Outcome same_table(const Json& table, const Layout& layout, const Json& shape) {
    LS_TRY_OUTCOME(const std::vector<Dim> extents, dims_from_json(shape));
    for (const Json& row : table) {
        LS_TRY_OUTCOME(const std::vector<Dim> coordinate, dims_from_json(row.at(0)));
        LS_TRY_OUTCOME(const AxisMap at, apply(layout, coordinate, extents));
        const Outcome one = same_json(row.at(1), to_json(at));
        if (one.kind != Outcome::Kind::Passed) return failed(fmt::format("at {}: {}", row.at(0).dump(), one.why));
    }
    return passed();
}

} // namespace

Outcome run_tirx_helper_layouts(const Json& test_case, const Json&) {
    const Json& input = test_case.at("input");
    const Json& expect = test_case.at("expect");
    const std::string op = test_case.at("op").get<std::string>();
    const Result<HelperAnswer> answer = call_helper(op, input);
    if (expect.contains("error")) return refused(answer, answer ? notation::print_tirx(answer->layout) : "");
    if (!answer) return failed(fmt::format("refused: {}: {}", answer.error().code, answer.error().message));

    const Json& wanted = expect.contains("atom_layout") ? expect["atom_layout"] : expect.at("layout");
    if (const Outcome one = same_canonical(wanted, answer->layout); one.kind != Outcome::Kind::Passed) return one;
    if (expect.contains("atom_shape")) {
        LS_TRY_OUTCOME(const std::vector<std::int64_t> shape, call_mma_atom_shape(input));
        if (const Outcome one = same_json(expect["atom_shape"], shape); one.kind != Outcome::Kind::Passed) return one;
    }
    if (expect.contains("span")) {
        if (const Outcome one = same_dim(expect["span"], span(answer->layout)); one.kind != Outcome::Kind::Passed)
            return one;
    }
    if (expect.contains("storage_span")) {
        if (const Outcome one = same_dim(expect["storage_span"], span(storage(answer->layout)));
            one.kind != Outcome::Kind::Passed)
            return one;
    }
    if (expect.contains("rep")) {
        if (const Outcome one = same_json(expect["rep"], answer->repeat); one.kind != Outcome::Kind::Passed) return one;
    }
    if (expect.contains("regs_per_thread")) {
        if (const Outcome one = same_json(expect["regs_per_thread"], answer->registers);
            one.kind != Outcome::Kind::Passed)
            return one;
    }
    Json shape = input.contains("tensor_shape") ? input["tensor_shape"]
                 : input.contains("shape")      ? input["shape"]
                                                : Json();
    if (shape.is_null() && input.contains("cols")) shape = Json::array({input.value("rows", 128), input["cols"]});
    for (const char* table : {"apply_table", "sample"}) {
        if (!expect.contains(table)) continue;
        if (const Outcome one = same_table(expect[table], answer->layout, shape); one.kind != Outcome::Kind::Passed)
            return one;
    }
    return passed();
}

bool looks_like_tirx_helper_layouts(const Json& first_case) {
    const std::string op =
        first_case.contains("op") && first_case["op"].is_string() ? first_case["op"].get<std::string>() : "";
    return op.find("_layout") != std::string::npos || op == "mma_atom" || op == "alloc_tcgen05_mma_AB";
}

} // namespace ls::conformance
