// tirx/layout_*, swizzle_tables, axes_scope: one operation a case, {"op": .., "input": {..}, "expect": {..}}.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_tirx_layout_buffer.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "core/layout/catalogue/trainium.h"
#include "core/layout/operations.h"
#include "core/notation/notation.h"

namespace ls::conformance {

namespace {

struct Case {
    const Json& input;
    const Json& expect;
    AxisTarget target;
};

bool ok(const Outcome& outcome) { return outcome.kind == Outcome::Kind::Passed; }

/// "layout": as it is. Other keys end in "canonical": equal canonical forms. "result": null: there is none.
Outcome expect_layout(const Case& c, const Result<Layout>& actual) {
    if (c.expect.contains("error")) return refused_layout(actual);
    for (const auto& [key, wanted] : c.expect.items()) {
        if (wanted.is_null()) {
            if (!actual && actual.error().code.starts_with("LAYOUT_NONE_")) continue;
            return failed(actual ? "expected none, got " + to_string(*actual)
                                 : "expected none, got a refusal: " + actual.error().message);
        }
        if (key == "seps" || key == "separators") continue;
        if (!actual) return failed(fmt::format("refused: {}", actual.error().message));
        const bool canonical = key.ends_with("canonical");
        const Outcome outcome = same_layout(wanted, canonical ? canonicalize(*actual, c.target) : actual);
        if (!ok(outcome)) return failed(fmt::format("{}: {}", key, outcome.why));
    }
    return passed();
}

Result<Layout> layout_at(const Case& c, const char* key) { return layout_from_json(c.input.at(key)); }
Result<std::vector<Dim>> dims_at(const Case& c, const char* key) { return dims_from_json(c.input.at(key)); }

// --- construction

Outcome run_construct(const Case& c) {
    const Json& text = c.input.contains("surface") ? c.input["surface"] : c.input.at("text");
    const Result<TensorLayout> read = read_layout(text.get<std::string>());
    if (c.expect.contains("error")) return refused(read, "a layout");
    return read ? same_layout(c.expect, read->layout) : failed(fmt::format("refused: {}", read.error().message));
}

Outcome run_compose_well_formed(const Case& c) {
    Json compose = c.input;
    compose["kind"] = "compose";
    const Result<Layout> layout = layout_from_json(compose);
    return c.expect.contains("error") ? refused_layout(layout) : same_json(true, layout.ok());
}

Outcome run_trainium(const Case& c) {
    const auto layout = catalogue::trainium(c.input.at("annotation").get<std::string>(),
                                            c.input.at("shape").get<std::vector<std::int64_t>>(),
                                            c.input.value("is_psum", c.input.value("psum", false)));
    if (c.expect.contains("error")) return refused(layout, "a layout");
    return layout ? same_layout(c.expect.at("layout"), layout->layout) : failed(layout.error().message);
}

// --- queries

Outcome run_axis(const Case& c) {
    const Axis axis = Axis::named(c.input.at("axis").get<std::string>());
    // The reference cannot say what an axis without attributes is.
    if (c.expect.contains("error")) return axis.has_attributes() ? failed("the axis has attributes") : passed();
    const auto scope_name = [](std::optional<ScopeKind> scope) {
        return scope ? Json(std::string(name(*scope))) : Json();
    };
    return same_json(c.expect, {{"is_thread", axis.is_thread()},
                                {"is_memory", axis.is_memory()},
                                {"scope", scope_name(axis.scope())},
                                {"subscope", scope_name(axis.subscope())}});
}

Outcome run_get_scope(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    const auto scope = get_scope(layout);
    if (c.expect.contains("error")) return refused(scope, "a scope");
    if (!scope) return failed(scope.error().message);
    if (c.expect.contains("scope_pair_inner_outer")) {
        const Json pair =
            *scope ? Json::array({std::string(name((*scope)->inner)), std::string(name((*scope)->outer))}) : Json();
        if (const Outcome outcome = same_json(c.expect["scope_pair_inner_outer"], pair); !ok(outcome)) return outcome;
    }
    return same_json(c.expect.value("verify_well_formed", true), verify_well_formed(layout).ok());
}

Outcome run_size_span(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    const Json& axis = c.input.at("axis");
    const auto ask = [&](auto without, auto with) {
        return axis.is_null() ? Result<Dim>(without(layout)) : with(layout, Axis::named(axis.get<std::string>()));
    };
    const Result<Dim> elements =
        ask([](const Layout& l) { return size(l); }, [](const Layout& l, Axis a) { return size(l, a); });
    const Result<Dim> reach =
        ask([](const Layout& l) { return span(l); }, [](const Layout& l, Axis a) { return span(l, a); });
    if (c.expect.contains("error")) return refused(elements, "a size");
    if (!elements || !reach) return failed("refused");
    if (c.expect.contains("size")) {
        if (const Outcome outcome = same_dim(c.expect["size"], *elements); !ok(outcome)) return outcome;
    }
    return c.expect.contains("span") ? same_dim(c.expect["span"], *reach) : passed();
}

template <bool (*question)(const Layout&)>
Outcome run_question(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    return same_json(c.expect.items().begin().value(), question(layout));
}

// --- apply

Outcome run_apply(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    const bool shaped = c.input.contains("shape") && !c.input["shape"].is_null();
    const bool linear = c.input.value("arity", "").starts_with("one-arg");
    std::vector<Dim> shape;
    if (shaped) {
        LS_TRY_OUTCOME(shape, dims_at(c, "shape"));
    }
    const auto map = [&](std::span<const Dim> x) {
        return shaped ? apply(layout, x, shape) : linear ? apply(layout, x.front()) : apply_shard(layout, x);
    };
    if (c.expect.contains("error")) {
        LS_TRY_OUTCOME(const std::vector<Dim> coordinate, dims_at(c, "coord"));
        return refused(map(coordinate), "a point");
    }
    for (const Json& row : c.expect.at("table")) {
        LS_TRY_OUTCOME(const std::vector<Dim> coordinate, dims_from_json(row.at(0)));
        LS_TRY_OUTCOME(const AxisMap point, map(coordinate));
        if (const Outcome outcome = same_json(row.at(1), to_json(point)); !ok(outcome))
            return failed(fmt::format("at {}: {}", row.at(0).dump(), outcome.why));
    }
    return passed();
}

Outcome run_apply_to_shape(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    LS_TRY_OUTCOME(const std::vector<Dim> coordinate, dims_at(c, "coord"));
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_at(c, "input_shape"));
    const auto digits = apply_to_shape(layout, coordinate, shape);
    if (c.expect.contains("error")) return refused(digits, "digits");
    if (!digits) return failed(digits.error().message);
    Json list = Json::array();
    for (const Dim& digit : *digits) list.push_back(digit.value());
    return same_json(c.expect.at("per_shard"), list);
}

Outcome run_swizzle_table(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_from_json([&] {
                       Json compose = c.input;
                       compose["kind"] = "compose";
                       return compose;
                   }()));
    Json table = Json::array();
    for (std::int64_t x = 0; x < c.input.at("count").get<std::int64_t>(); ++x)
        table.push_back(swizzle(x, *layout.compose()));
    return same_json(c.expect.at("addr"), table);
}

/// [i][j]: the chunk, counted from the linear start of row i, that holds logical chunk j of row i.
Outcome run_chunk_permutation(const Case& c) {
    LS_TRY_OUTCOME(const Layout atom, layout_at(c, "atom"));
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_at(c, "atom_shape"));
    const std::int64_t chunk = c.input.at("chunk_elems").get<std::int64_t>();
    const std::int64_t cols = shape[1].value();
    Json rows = Json::array();
    for (std::int64_t row = 0; row < shape[0].value(); ++row) {
        Json order = Json::array();
        for (std::int64_t col = 0; col < cols; col += chunk) {
            const std::array<Dim, 2> coordinate{row, col};
            LS_TRY_OUTCOME(const AxisMap point, apply(atom, coordinate, shape));
            order.push_back(floor_div(point.get(axes::m).value() - row * cols, chunk));
        }
        rows.push_back(std::move(order));
    }
    return same_json(c.expect.at("per_row_chunk_order"), rows);
}

// --- canonical form and grouping

Outcome run_canonicalize(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    return expect_layout(c, canonicalize(layout, c.target));
}

Outcome run_canonical_equal(const Case& c) {
    LS_TRY_OUTCOME(const Layout a, layout_at(c, "a"));
    LS_TRY_OUTCOME(const Layout b, layout_at(c, "b"));
    LS_TRY_OUTCOME(const Layout a_canonical, canonicalize(a, c.target));
    LS_TRY_OUTCOME(const Layout b_canonical, canonicalize(b, c.target));
    return same_json(c.expect.at("equal"), a_canonical == b_canonical);
}

Outcome run_group(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_at(c, "shape"));
    const auto grouped = group(layout.tile(), shape);
    if (c.expect.contains("error")) return refused(grouped, "a grouping");
    if (!grouped) return failed(grouped.error().message);
    const Outcome outcome = same_json(c.expect.at("seps"), grouped->separators);
    return ok(outcome) ? expect_layout(c, Layout(grouped->layout)) : outcome;
}

Outcome run_group_many(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    std::vector<std::vector<Dim>> shapes;
    for (const Json& shape : c.input.at("shapes")) {
        LS_TRY_OUTCOME(std::vector<Dim> dims, dims_from_json(shape));
        shapes.push_back(std::move(dims));
    }
    const auto grouped = group_many(layout.tile(), shapes);
    if (c.expect.contains("error")) return refused(grouped, "a grouping");
    if (!grouped) return failed(grouped.error().message);
    const Outcome outcome = same_json(c.expect.at("separators"), grouped->separators);
    return ok(outcome) ? expect_layout(c, Layout(grouped->layout)) : outcome;
}

// --- tiling, sums, slices

Outcome run_tile(const Case& c) {
    LS_TRY_OUTCOME(const Layout inner, layout_at(c, "inner"));
    LS_TRY_OUTCOME(const Layout outer, layout_at(c, "outer"));
    LS_TRY_OUTCOME(const std::vector<Dim> outer_shape, dims_at(c, "outer_shape"));
    LS_TRY_OUTCOME(const std::vector<Dim> inner_shape, dims_at(c, "inner_shape"));
    return expect_layout(c, tile(inner, outer.tile(), outer_shape, inner_shape));
}

Outcome run_tile_to(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    LS_TRY_OUTCOME(const std::vector<Dim> to, dims_at(c, "to_shape"));
    LS_TRY_OUTCOME(const std::vector<Dim> current, dims_at(c, "current_shape"));
    return expect_layout(c, tile_to(layout, to, current));
}

Outcome run_is_tile(const Case& c, bool inner) {
    LS_TRY_OUTCOME(const Layout self, layout_at(c, "self"));
    LS_TRY_OUTCOME(const Layout tiled, layout_at(c, "tiled"));
    LS_TRY_OUTCOME(const std::vector<Dim> tiled_shape, dims_at(c, "tiled_shape"));
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_at(c, inner ? "inner_shape" : "outer_shape"));
    return expect_layout(c, inner ? is_tile_inner(self, tiled, tiled_shape, shape, c.target)
                                  : is_tile_outer(self, tiled, tiled_shape, shape, c.target));
}
Outcome run_is_tile_inner(const Case& c) { return run_is_tile(c, true); }
Outcome run_is_tile_outer(const Case& c) { return run_is_tile(c, false); }

Outcome run_direct_sum(const Case& c) {
    LS_TRY_OUTCOME(const Layout right, layout_at(c, "self_right"));
    LS_TRY_OUTCOME(const Layout left, layout_at(c, "left"));
    LS_TRY_OUTCOME(const std::vector<Dim> left_shape, dims_at(c, "left_shape"));
    LS_TRY_OUTCOME(const std::vector<Dim> right_shape, dims_at(c, "right_shape"));
    return expect_layout(c, direct_sum(right, left.tile(), left_shape, right_shape));
}

Outcome run_is_direct_sum(const Case& c, bool right) {
    LS_TRY_OUTCOME(const Layout self, layout_at(c, "self"));
    LS_TRY_OUTCOME(const Layout sum, layout_at(c, "sum"));
    LS_TRY_OUTCOME(const std::vector<Dim> interleaved, dims_at(c, "interleaved_shape"));
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_at(c, right ? "right_shape" : "left_shape"));
    return expect_layout(c, right ? is_direct_sum_right(self, sum, interleaved, shape)
                                  : is_direct_sum_left(self, sum, interleaved, shape));
}
Outcome run_is_direct_sum_right(const Case& c) { return run_is_direct_sum(c, true); }
Outcome run_is_direct_sum_left(const Case& c) { return run_is_direct_sum(c, false); }

Outcome run_slice(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_at(c, "shape"));
    std::vector<Region> region;
    for (const Json& range : c.input.at("region_begin_end")) {
        LS_TRY_OUTCOME(const Dim begin, dim_from_json(range.at(0)));
        LS_TRY_OUTCOME(const Dim end, dim_from_json(range.at(1)));
        region.push_back({begin, end - begin});
    }
    return expect_layout(c, slice(layout, shape, region, c.target));
}

// --- others

Outcome run_storage(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    return expect_layout(c, storage(layout));
}

Outcome run_pack(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    return expect_layout(c, pack(layout, c.input.at("num").get<std::int64_t>()));
}
Outcome run_unpack(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    return expect_layout(c, unpack(layout, c.input.at("num").get<std::int64_t>()));
}

Outcome run_permute_by_groups(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    return expect_layout(c, permute_by_groups(layout, c.input.at("seps").get<std::vector<std::size_t>>(),
                                              c.input.at("perm").get<std::vector<std::size_t>>()));
}
Outcome run_permute_dims(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    return expect_layout(c, permute_dims(layout, c.input.at("perm").get<std::vector<std::size_t>>()));
}

Outcome run_broadcast(const Case& c) {
    LS_TRY_OUTCOME(const Layout layout, layout_at(c, "layout"));
    const auto position = c.input.at("position").get<std::int64_t>(); // -1: behind the last
    const std::size_t at = position < 0 ? layout.tile().shard.size() : static_cast<std::size_t>(position);
    return expect_layout(
        c, broadcast(layout, c.input.at("num").get<std::int64_t>(), at, Axis::named(c.input.value("axis", "m"))));
}

struct Operation {
    std::string_view name;
    Outcome (*run)(const Case& c);
};

constexpr std::array kOperations{
    Operation{"construct", run_construct},
    Operation{"parse_default_strides", run_construct},
    Operation{"compose_well_formed", run_compose_well_formed},
    Operation{"trainium", run_trainium},
    Operation{"axis", run_axis},
    Operation{"get_scope", run_get_scope},
    Operation{"size_span", run_size_span},
    Operation{"is_trivial", run_question<is_trivial>},
    Operation{"is_swizzle", run_question<is_swizzle>},
    Operation{"is_trainium", run_question<is_trainium>},
    Operation{"apply", run_apply},
    Operation{"apply_to_shape", run_apply_to_shape},
    Operation{"swizzle_table", run_swizzle_table},
    Operation{"atom_chunk_permutation", run_chunk_permutation},
    Operation{"canonicalize", run_canonicalize},
    Operation{"canonical_equal", run_canonical_equal},
    Operation{"group", run_group},
    Operation{"group_many", run_group_many},
    Operation{"tile", run_tile},
    Operation{"tile_to", run_tile_to},
    Operation{"is_tile_inner", run_is_tile_inner},
    Operation{"is_tile_outer", run_is_tile_outer},
    Operation{"direct_sum", run_direct_sum},
    Operation{"is_direct_sum_right", run_is_direct_sum_right},
    Operation{"is_direct_sum_left", run_is_direct_sum_left},
    Operation{"slice", run_slice},
    Operation{"storage", run_storage},
    Operation{"pack", run_pack},
    Operation{"unpack", run_unpack},
    Operation{"permute_dims", run_permute_dims},
    Operation{"permute_by_groups", run_permute_by_groups},
    Operation{"broadcast", run_broadcast},
    Operation{"buffer_sub", [](const Case& c) { return run_buffer_sub(c.input, c.expect); }},
    Operation{"buffer_local", [](const Case& c) { return run_buffer_local(c.input, c.expect); }},
};

const Operation* find_operation(const Json& test_case) {
    if (!test_case.contains("op") || !test_case["op"].is_string()) return nullptr;
    const std::string name = test_case["op"].get<std::string>();
    const auto found =
        std::find_if(kOperations.begin(), kOperations.end(), [&](const Operation& op) { return op.name == name; });
    return found == kOperations.end() ? nullptr : &*found;
}

} // namespace

Outcome run_tirx_layout(const Json& test_case, const Json&) {
    const Operation* operation = find_operation(test_case);
    if (operation == nullptr) return failed(fmt::format("unknown operation {}", test_case.at("op").dump()));
    const bool cuda = test_case.contains("target") && test_case["target"] == "cuda";
    return operation->run({test_case.at("input"), test_case.at("expect"), cuda ? AxisTarget::Cuda : AxisTarget::None});
}

bool looks_like_tirx_layout(const Json& first_case) {
    return first_case.contains("input") && first_case.contains("expect") && find_operation(first_case) != nullptr;
}

} // namespace ls::conformance
