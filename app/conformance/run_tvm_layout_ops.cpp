#include "app/conformance/run_tvm_layout_ops.h"

#include <array>

#include <fmt/format.h>

#include "app/conformance/run_tirx_layout_json.h"
#include "app/conformance/run_tvm_layout_apply.h"
#include "core/layout/operations.h"
#include "core/notation/tirx_text.h"

namespace ls::conformance {

namespace {

const Json& args(const Json& op) {
    static const Json kNone = Json::object();
    const auto found = op.find("args");
    return found == op.end() ? kNone : *found;
}

Outcome expect_layout(const Json& op, const Result<Layout>& actual) {
    if (op.contains("error")) return refused_layout(actual);
    if (op.at("result").is_null()) {
        if (!actual && actual.error().code.starts_with("LAYOUT_NONE_")) return passed();
        return failed(actual ? fmt::format("expected none, got {}", to_string(*actual))
                             : fmt::format("expected none, got a refusal: {}", actual.error().message));
    }
    return same_layout(op.at("result"), actual);
}

template <class T>
Outcome expect_value(const Json& op, const Result<T>& actual) {
    if (op.contains("error")) return refused(actual, "a value");
    if (!actual) return failed(fmt::format("refused: {}", actual.error().message));
    if constexpr (std::is_same_v<T, Dim>) {
        return same_dim(op.at("result"), *actual);
    } else {
        return same_json(op.at("result"), Json(*actual));
    }
}

AxisTarget target_of(const Json& args) {
    return args.contains("target") && args.at("target") == "cuda" ? AxisTarget::Cuda : AxisTarget::None;
}

// --- queries

Outcome run_repr(const Layout& self, const Json& op) {
    const std::string text = notation::print_tirx_repr(self);
    if (self.is_constant()) return same_json(op.at("result"), text);
    // Symbolic terms may be written in another order; the text must read back as the layout.
    return same_layout(text, layout_from_json(op.at("result")));
}

Outcome run_size(const Layout& self, const Json& op) {
    const Json& axis = args(op).at("axis");
    return expect_value<Dim>(op, axis.is_null() ? Result<Dim>(size(self))
                                                : size(self, Axis::named(axis.get<std::string>())));
}

Outcome run_span(const Layout& self, const Json& op) {
    const Json& axis = args(op).at("axis");
    return expect_value<Dim>(op, axis.is_null() ? Result<Dim>(span(self))
                                                : span(self, Axis::named(axis.get<std::string>())));
}

Outcome run_well_formed(const Layout& self, const Json& op) {
    const Status status = verify_well_formed(self);
    if (op.contains("error")) return refused(status, "well-formed");
    return same_json(op.at("result"), status.ok());
}

Outcome run_is_trivial(const Layout& self, const Json& op) {
    // Triviality is a question about the canonical form; where there is none, the question is refused.
    if (op.contains("error")) return refused_layout(canonicalize(self));
    return same_json(op.at("result"), is_trivial(self));
}

Outcome run_get_scope(const Layout& self, const Json& op) {
    const auto scope = get_scope(self);
    if (op.contains("error")) return refused(scope, "a scope");
    if (!scope) return failed(scope.error().message);
    if (!scope->has_value()) return same_json(op.at("result"), nullptr);
    return same_json(op.at("result"),
                     Json::array({std::string(name((*scope)->inner)), std::string(name((*scope)->outer))}));
}

/// Canonical form in which some offsets are not written. A replica of one point stands in for each of them, so that
/// its axis stays among the layout's scopes, and is taken out again.
Result<Layout> canonicalize_without(const Layout& self, std::span<const Axis> dropped, AxisTarget target) {
    TileLayout tile = self.tile();
    for (const Axis axis : dropped) {
        tile.offset.erase(axis);
        tile.replica.push_back({1, 0, axis});
    }
    LS_TRY(const Layout canonical, canonicalize(self.with_tile(tile), target));
    tile = canonical.tile();
    std::erase_if(tile.replica, [](const Iter& iter) { return iter.extent.is(1) && iter.stride.is(0); });
    return canonical.with_tile(std::move(tile));
}

/// When scope fusion puts several offsets on one axis, the reference keeps the one that its hash map holds last. A case
/// does not state that order, so that any of them is right.
Outcome same_but_for_lost_offsets(const Layout& self, const Layout& canonical, const Json& op, const Outcome& outcome) {
    std::vector<Axis> axes;
    for (const auto& [axis, amount] : self.tile().offset) axes.push_back(axis);
    if (axes.size() > 8) return outcome;
    for (unsigned subset = 1; subset < (1U << axes.size()); ++subset) {
        std::vector<Axis> dropped;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            if ((subset >> i & 1U) != 0) dropped.push_back(axes[i]);
        }
        const Result<Layout> other = canonicalize_without(self, dropped, AxisTarget::Cuda);
        const bool collided = other && other->tile().offset.size() == canonical.tile().offset.size();
        if (collided && expect_layout(op, other).kind == Outcome::Kind::Passed) return passed();
    }
    return outcome;
}

Outcome run_canonicalize(const Layout& self, const Json& op) {
    const AxisTarget target = target_of(args(op));
    const Result<Layout> canonical = canonicalize(self, target);
    const Outcome outcome = expect_layout(op, canonical);
    const bool fused = target == AxisTarget::Cuda && canonical && op.contains("result");
    if (outcome.kind == Outcome::Kind::Passed || !fused) return outcome;
    return same_but_for_lost_offsets(self, *canonical, op, outcome);
}

// --- grouping

Outcome run_group(const Layout& self, const Json& op) {
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_from_json(args(op).at("shape")));
    const auto grouped = group(self.tile(), shape);
    if (op.contains("error")) return refused(grouped, "a grouping");
    if (!grouped) return failed(grouped.error().message);
    const Outcome separators = same_json(op.at("result").at("seps"), grouped->separators);
    return separators.kind == Outcome::Kind::Passed ? same_layout(op.at("result").at("layout"), Layout(grouped->layout))
                                                    : separators;
}

Outcome run_group_many(const Layout& self, const Json& op) {
    std::vector<std::vector<Dim>> shapes;
    for (const Json& shape : args(op).at("shapes")) {
        LS_TRY_OUTCOME(std::vector<Dim> dims, dims_from_json(shape));
        shapes.push_back(std::move(dims));
    }
    const auto grouped = group_many(self.tile(), shapes);
    if (op.contains("error")) return refused(grouped, "a grouping");
    if (!grouped) return failed(grouped.error().message);
    const Outcome separators = same_json(op.at("result").at("seps"), grouped->separators);
    return separators.kind == Outcome::Kind::Passed ? same_layout(op.at("result").at("layout"), Layout(grouped->layout))
                                                    : separators;
}

// --- reshaping

Outcome run_permute_dims(const Layout& self, const Json& op) {
    return expect_layout(op, permute_dims(self, args(op).at("perm").get<std::vector<std::size_t>>()));
}

Outcome run_permute_by_groups(const Layout& self, const Json& op) {
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_from_json(args(op).at("group_shape")));
    LS_TRY_OUTCOME(const Grouped grouped, group(self.tile(), shape));
    return expect_layout(op, permute_by_groups(self.with_tile(grouped.layout), grouped.separators,
                                               args(op).at("perm").get<std::vector<std::size_t>>()));
}

Outcome run_slice(const Layout& self, const Json& op) {
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_from_json(args(op).at("shape")));
    std::vector<Region> region;
    for (const Json& range : args(op).at("region_begin_extent")) {
        LS_TRY_OUTCOME(Dim begin, dim_from_json(range.at(0)));
        LS_TRY_OUTCOME(Dim extent, dim_from_json(range.at(1)));
        region.push_back({std::move(begin), std::move(extent)});
    }
    return expect_layout(op, slice(self, shape, region, target_of(args(op))));
}

Outcome run_unpack(const Layout& self, const Json& op) {
    return expect_layout(op, unpack(self, args(op).at("num").get<std::int64_t>()));
}
Outcome run_pack(const Layout& self, const Json& op) {
    return expect_layout(op, pack(self, args(op).at("num").get<std::int64_t>()));
}

Outcome run_broadcast(const Layout& self, const Json& op) {
    const std::size_t count = self.tile().shard.size();
    const auto position = args(op).at("position").get<std::int64_t>(); // -1: behind the last
    const auto axis = args(op).contains("axis") ? Axis::named(args(op).at("axis").get<std::string>()) : Axis();
    return expect_layout(op, broadcast(self, args(op).at("num").get<std::int64_t>(),
                                       position < 0 ? count : static_cast<std::size_t>(position), axis));
}

Outcome run_storage(const Layout& self, const Json& op) { return expect_layout(op, storage(self)); }

// --- tiling and sums; `who` names the argument that stands in for the case's layout

struct Binary {
    Layout layout;
    std::vector<Dim> shape;
};
Result<Binary> binary(const Json& args, std::string_view layout, std::string_view shape) {
    LS_TRY(Layout read, layout_from_json(args.at(std::string(layout))));
    LS_TRY(std::vector<Dim> dims, dims_from_json(args.at(std::string(shape))));
    return Binary{std::move(read), std::move(dims)};
}

Outcome run_tile(const Layout& self, const Json& op) {
    LS_TRY_OUTCOME(const Binary outer, binary(args(op), "outer", "outer_shape"));
    LS_TRY_OUTCOME(const std::vector<Dim> inner_shape, dims_from_json(args(op).at("inner_shape")));
    return expect_layout(op, tile(self, outer.layout.tile(), outer.shape, inner_shape));
}

Outcome run_tile_to(const Layout& self, const Json& op) {
    LS_TRY_OUTCOME(const std::vector<Dim> to, dims_from_json(args(op).at("to_shape")));
    LS_TRY_OUTCOME(const std::vector<Dim> current, dims_from_json(args(op).at("current_shape")));
    return expect_layout(op, tile_to(self, to, current));
}

Outcome tile_inner(const Layout& inner, const Json& op) {
    LS_TRY_OUTCOME(const Binary tiled, binary(args(op), "tiled", "tiled_shape"));
    LS_TRY_OUTCOME(const std::vector<Dim> inner_shape, dims_from_json(args(op).at("inner_shape")));
    return expect_layout(op, is_tile_inner(inner, tiled.layout, tiled.shape, inner_shape, target_of(args(op))));
}

Outcome run_is_tile_inner(const Layout& self, const Json& op) { return tile_inner(self, op); }

Outcome run_perturbed_is_tile_inner(const Layout&, const Json& op) {
    LS_TRY_OUTCOME(const Layout perturbed, layout_from_json(args(op).at("layout")));
    return tile_inner(perturbed, op);
}

Outcome run_row_major_is_tile_inner(const Layout&, const Json& op) {
    LS_TRY_OUTCOME(const std::vector<Dim> shape, dims_from_json(args(op).at("inner_shape")));
    return tile_inner(row_major(shape), op);
}

Outcome run_is_tile_outer(const Layout&, const Json& op) {
    LS_TRY_OUTCOME(const Binary tiled, binary(args(op), "tiled", "tiled_shape"));
    LS_TRY_OUTCOME(const Binary outer, binary(args(op), "outer", "outer_shape"));
    return expect_layout(op, is_tile_outer(outer.layout, tiled.layout, tiled.shape, outer.shape, target_of(args(op))));
}

Outcome run_direct_sum(const Layout& self, const Json& op) {
    LS_TRY_OUTCOME(const Binary left, binary(args(op), "left", "left_shape"));
    LS_TRY_OUTCOME(const std::vector<Dim> right_shape, dims_from_json(args(op).at("right_shape")));
    return expect_layout(op, direct_sum(self, left.layout.tile(), left.shape, right_shape));
}

Outcome run_is_direct_sum_right(const Layout& self, const Json& op) {
    LS_TRY_OUTCOME(const Binary sum, binary(args(op), "sum", "interleaved_shape"));
    LS_TRY_OUTCOME(const std::vector<Dim> right_shape, dims_from_json(args(op).at("right_shape")));
    return expect_layout(op, is_direct_sum_right(self, sum.layout, sum.shape, right_shape));
}

Outcome run_is_direct_sum_left(const Layout&, const Json& op) {
    LS_TRY_OUTCOME(const Binary sum, binary(args(op), "sum", "interleaved_shape"));
    LS_TRY_OUTCOME(const Binary left, binary(args(op), "left", "left_shape"));
    return expect_layout(op, is_direct_sum_left(left.layout, sum.layout, sum.shape, left.shape));
}

struct Operation {
    std::string_view name;
    Outcome (*run)(const Layout& self, const Json& op);
};

constexpr std::array kOperations{
    Operation{"repr", run_repr},
    Operation{"size", run_size},
    Operation{"span", run_span},
    Operation{"verify_well_formed", run_well_formed},
    Operation{"is_trivial", run_is_trivial},
    Operation{"is_swizzle",
              [](const Layout& self, const Json& op) { return same_json(op.at("result"), is_swizzle(self)); }},
    Operation{"is_trainium",
              [](const Layout& self, const Json& op) { return same_json(op.at("result"), is_trainium(self)); }},
    Operation{"get_scope", run_get_scope},
    Operation{"canonicalize", run_canonicalize},
    Operation{"storage", run_storage},
    Operation{"apply_linear", run_apply_linear},
    Operation{"apply_shard", run_apply_shard},
    Operation{"apply_shape", run_apply_shape},
    Operation{"apply_linear_symbolic", run_apply_linear_symbolic},
    Operation{"apply_shape_symbolic", run_apply_shape_symbolic},
    Operation{"group", run_group},
    Operation{"group_many", run_group_many},
    Operation{"permute_dims", run_permute_dims},
    Operation{"permute_by_groups", run_permute_by_groups},
    Operation{"slice", run_slice},
    Operation{"unpack", run_unpack},
    Operation{"pack", run_pack},
    Operation{"broadcast", run_broadcast},
    Operation{"tile", run_tile},
    Operation{"tile_to", run_tile_to},
    Operation{"is_tile_inner", run_is_tile_inner},
    Operation{"perturbed.is_tile_inner", run_perturbed_is_tile_inner},
    Operation{"rowmajor.is_tile_inner", run_row_major_is_tile_inner},
    Operation{"outer.is_tile_outer", run_is_tile_outer},
    Operation{"direct_sum", run_direct_sum},
    Operation{"is_direct_sum_right", run_is_direct_sum_right},
    Operation{"left.is_direct_sum_left", run_is_direct_sum_left},
};

} // namespace

Outcome run_layout_op(const Layout& self, const Json& op) {
    const std::string name = op.at("op").get<std::string>();
    for (const Operation& operation : kOperations) {
        if (operation.name == name) return operation.run(self, op);
    }
    return failed(fmt::format("unknown operation {}", name));
}

} // namespace ls::conformance
