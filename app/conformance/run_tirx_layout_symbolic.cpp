// tirx/compose_symbolic: swizzled addresses of symbolic coordinates, their fallback, and grouping by symbolic shapes.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_tirx_layout_expression.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "app/conformance/run_tvm_layout_apply.h"
#include "core/layout/symbol.h"

namespace ls::conformance {

namespace {

/// "base ^ 16" with base written out.
std::string with_base(const Json& expect) {
    std::string text = expect.at("m").get<std::string>();
    if (!expect.contains("base")) return text;
    const std::size_t at = text.find("base");
    return text.replace(at, 4, "(" + expect["base"].get<std::string>() + ")");
}

bool divides(const Dim& dim) {
    if (!dim.is_symbolic()) return false;
    const SymbolNode& node = *dim.node();
    if (node.kind == SymbolKind::FloorDiv || node.kind == SymbolKind::FloorMod) return true;
    for (const Dim& operand : node.operands) {
        if (divides(operand)) return true;
    }
    for (const SymbolTerm& term : node.terms) {
        for (const Dim& factor : term.factors) {
            if (divides(factor)) return true;
        }
    }
    return false;
}

/// Values of the coordinates in their extents, and of the layout's own symbols.
Ranges coordinate_ranges(const Layout& layout, std::span<const std::string> names) {
    constexpr std::int64_t kSymbol = 60;
    Ranges ranges;
    for (const auto& [axis, amount] : layout.tile().offset) {
        for (const std::string& name : variables(amount)) ranges[name] = {0, kSymbol};
    }
    const auto& shard = layout.tile().shard;
    for (std::size_t i = 0; i < names.size(); ++i)
        ranges[names[i]] = {0, names.size() == shard.size() ? shard[i].extent.value() - 1 : size(layout).value() - 1};
    return ranges;
}

std::vector<Dim> symbols(std::span<const std::string> names) {
    std::vector<Dim> result;
    for (const std::string& name : names) result.push_back(Dim::symbol(name));
    return result;
}

/// The address is the numeric one for every coordinate of the ranges.
Outcome agrees_with_numbers(const Layout& layout, std::span<const std::string> names, const AxisMap& symbolic) {
    const std::int64_t count = size(layout).value();
    for (std::int64_t x = 0; x < count; ++x) {
        std::vector<Dim> extents;
        for (const Iter& iter : layout.tile().shard) extents.push_back(iter.extent);
        const std::vector<Dim> digits = names.size() == extents.size() ? split_digits(x, extents) : std::vector<Dim>{x};
        Values values;
        for (std::size_t i = 0; i < names.size(); ++i) values[names[i]] = digits[i].value();
        LS_TRY_OUTCOME(const AxisMap numbers, apply(layout, x));
        const auto address = evaluate(symbolic.get(axes::m), [&](std::string_view name) -> std::optional<std::int64_t> {
            const auto found = values.find(name);
            return found == values.end() ? std::nullopt : std::optional(found->second);
        });
        if (address != numbers.get(axes::m).constant()) {
            return failed(fmt::format("element {}: expected {}, got {} from {}", x, to_string(numbers.get(axes::m)),
                                      address ? fmt::format("{}", *address) : "nothing",
                                      to_string(symbolic.get(axes::m))));
        }
    }
    return passed();
}

Outcome run_apply_symbolic(const Json& input, const Json& expect) {
    LS_TRY_OUTCOME(const Layout layout, layout_from_json(input.at("layout")));
    const auto names = input.at("coord").get<std::vector<std::string>>();
    const std::vector<Dim> coordinates = symbols(names);
    const bool linear = names.size() == 1;
    LS_TRY_OUTCOME(const AxisMap map, linear ? apply(layout, coordinates.front()) : apply_shard(layout, coordinates));
    if (linear) { // described in words: the full swizzle of the linear address
        if (!divides(map.get(axes::m))) return failed(fmt::format("no // or % in {}", to_string(map.get(axes::m))));
        return agrees_with_numbers(layout, names, map);
    }
    return same_expressions({{"m", with_base(expect)}}, map, coordinate_ranges(layout, names));
}

/// The four tiles that the structured form does not cover; named by the text of the tile, over ComposeLayout(3, 3, 3).
Outcome run_fallback(const Json& input) {
    const std::string text = input.at("tile").get<std::string>();
    const bool outer = text.find('=') != std::string::npos;
    const std::string tile = outer ? "S[(8, 8):(64, 1)] + 8" : text;
    LS_TRY_OUTCOME(const Layout layout,
                   layout_from_json(fmt::format("ComposeLayout(3, 3, 3, {}{})", tile, outer ? ", False" : "")));
    const std::vector<std::string> names{"x", "y"};
    LS_TRY_OUTCOME(const AxisMap map, apply_shard(layout, symbols(names)));
    // The fallback divides the whole address by 2^M; the structured form never divides it.
    const std::string address = to_string(map.get(axes::m));
    if (address.find("// 8") == std::string::npos && address.find("% 8") == std::string::npos) {
        return failed(fmt::format("expected the full swizzle, got {}", address));
    }
    return layout.is_constant() ? agrees_with_numbers(layout, names, map) : passed();
}

/// `e = n%16 + 2` behind a comma defines a name that the layout and the shapes use.
Outcome run_group_many(const Json& input, const Json& expect) {
    const std::string text = input.at("layout").get<std::string>();
    const std::size_t comma = text.find(", ");
    const std::size_t equals = text.find(" = ");
    const std::string name = text.substr(comma + 2, equals - comma - 2);
    LS_TRY_OUTCOME(const Dim value, dim_from_json(text.substr(equals + 3)));
    const auto defined = [&](const Dim& dim) {
        return substitute(
            dim, [&](std::string_view symbol) { return symbol == name ? std::optional(value) : std::nullopt; });
    };
    const auto define = [&](TileLayout tile) {
        for (Iter& iter : tile.shard) {
            iter.extent = defined(iter.extent);
            iter.stride = defined(iter.stride);
        }
        return tile;
    };
    LS_TRY_OUTCOME(const Layout layout, layout_from_json(text.substr(0, comma)));
    std::vector<std::vector<Dim>> shapes;
    for (const Json& shape : input.at("shapes")) {
        LS_TRY_OUTCOME(std::vector<Dim> dims, dims_from_json(shape));
        for (Dim& dim : dims) dim = defined(dim);
        shapes.push_back(std::move(dims));
    }
    const auto grouped = group_many(define(layout.tile()), shapes);
    if (expect.contains("error")) return refused(grouped, "a grouping");
    if (!grouped) return failed(grouped.error().message);
    LS_TRY_OUTCOME(const Layout wanted, layout_from_json(expect.at("layout")));
    if (!(define(wanted.tile()) == grouped->layout)) {
        return failed(fmt::format("expected {}, got {}", to_string(define(wanted.tile())), to_string(grouped->layout)));
    }
    return same_json(expect.at("separators"), grouped->separators);
}

} // namespace

Outcome run_tirx_compose_symbolic(const Json& test_case, const Json&) {
    const std::string op = test_case.at("op").get<std::string>();
    const Json& input = test_case.at("input");
    if (op == "apply_symbolic") return run_apply_symbolic(input, test_case.at("expect"));
    if (op == "apply_symbolic_fallback") return run_fallback(input);
    if (op == "group_many_symbolic") return run_group_many(input, test_case.at("expect"));
    return failed(fmt::format("unknown operation {}", op));
}

bool looks_like_tirx_compose_symbolic(const Json& first_case) {
    return first_case.contains("op") && first_case["op"].is_string() &&
           first_case["op"].get<std::string>().find("_symbolic") != std::string::npos;
}

} // namespace ls::conformance
