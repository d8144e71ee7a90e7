// tvm/tile_random, tile_structured, compose_ops, swizzle_tiles, symbolic: a layout and the operations asked of it.
// tvm/swizzle_bare: swizzle parameters, their masks and their table.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "app/conformance/run_tvm_layout_ops.h"

namespace ls::conformance {

Outcome run_tvm_layout(const Json& test_case, const Json&) {
    LS_TRY_OUTCOME(const Layout self, layout_from_json(test_case.at("layout")));
    std::string why;
    for (std::size_t i = 0; i < test_case.at("ops").size(); ++i) {
        const Json& op = test_case["ops"][i];
        const Outcome outcome = run_layout_op(self, op);
        if (outcome.kind == Outcome::Kind::Passed) continue;
        why += fmt::format("\n        op {} {} {}: {}", i, op.at("op").get<std::string>(),
                           op.contains("args") ? op.at("args").dump() : "", outcome.why);
    }
    return why.empty() ? passed() : failed(why);
}

Outcome run_tvm_swizzle_bare(const Json& test_case, const Json&) {
    Json parameters = test_case.at("params");
    if (test_case.contains("layout")) parameters["tile"] = test_case.at("layout").at("tile");
    const Result<Layout> layout = layout_from_json(parameters);
    if (test_case.contains("error")) return refused_layout(layout);
    if (!layout) return failed(layout.error().message);
    const ComposeLayout& compose = *layout->compose();
    const std::int64_t inner_mask = (std::int64_t{1} << compose.swizzle_len) - 1;
    const Json masks{{"inner_mask", inner_mask}, {"outer_mask", inner_mask << compose.atom_len}};
    const Json wanted{{"inner_mask", test_case.at("inner_mask")}, {"outer_mask", test_case.at("outer_mask")}};
    if (const Outcome outcome = same_json(wanted, masks); outcome.kind != Outcome::Kind::Passed) return outcome;
    if (const Outcome outcome = same_layout(test_case.at("layout"), layout); outcome.kind != Outcome::Kind::Passed)
        return outcome;
    if (!test_case.contains("linear_table")) return passed();
    Json table = Json::array();
    for (std::size_t x = 0; x < test_case["linear_table"].size(); ++x) {
        LS_TRY_OUTCOME(const AxisMap map, apply(*layout, static_cast<std::int64_t>(x)));
        table.push_back(map.get(axes::m).value());
    }
    return same_json(test_case.at("linear_table"), table);
}

bool looks_like_tvm_layout(const Json& first_case) {
    return first_case.contains("layout") && first_case.contains("ops");
}
bool looks_like_tvm_swizzle_bare(const Json& first_case) {
    return first_case.contains("params") && first_case["params"].contains("swizzle_len");
}

} // namespace ls::conformance
