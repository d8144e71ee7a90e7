// Layouts of cases: reading them, and comparing them by structure or, where they are symbolic, by value.
#include "app/conformance/run_tirx_layout_json.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "app/conformance/run_tirx_layout_expression.h"
#include "core/layout/symbol.h"
#include "core/notation/tirx_text.h"

namespace ls::conformance {

namespace {

Result<std::vector<Iter>> iters_from_json(const Json& list) {
    std::vector<Iter> iters;
    for (const Json& entry : list) {
        LS_TRY(Dim extent, dim_from_json(entry.at(0)));
        LS_TRY(Dim stride, dim_from_json(entry.at(1)));
        iters.push_back({std::move(extent), std::move(stride), Axis::named(entry.at(2).get<std::string>())});
    }
    return iters;
}

/// The two layouts as lists of numbers in a fixed order; empty when their structures differ.
struct Pair {
    Dim expected;
    Dim actual;
};
bool pair_up(const std::vector<Iter>& expected, const std::vector<Iter>& actual, std::vector<Pair>& pairs) {
    if (expected.size() != actual.size()) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i].axis != actual[i].axis) return false;
        pairs.push_back({expected[i].extent, actual[i].extent});
        pairs.push_back({expected[i].stride, actual[i].stride});
    }
    return true;
}

bool same_value(const Dim& a, const Dim& b) {
    if (a == b) return true;
    if (a.is_overflow() || b.is_overflow()) return false;
    std::mt19937_64 random(7);
    std::vector<std::string> names = variables(a - b);
    for (int sample = 0; sample < 200; ++sample) {
        Values values;
        for (const std::string& name : names)
            values[name] = static_cast<std::int64_t>(1 + random() % (sample < 100 ? 9 : 4000));
        const auto value_of = [&values](std::string_view name) -> std::optional<std::int64_t> {
            const auto found = values.find(name);
            return found == values.end() ? std::nullopt : std::optional(found->second);
        };
        const auto left = evaluate(a, value_of);
        const auto right = evaluate(b, value_of);
        if (!left || left != right) return false;
    }
    return true;
}

bool same_by_value(const Layout& expected, const Layout& actual) {
    if (expected.is_compose() != actual.is_compose()) return false;
    if (expected.is_compose()) {
        ComposeLayout a = *expected.compose();
        ComposeLayout b = *actual.compose();
        a.tile = b.tile = {};
        if (!(a == b)) return false;
    }
    std::vector<Pair> pairs;
    const TileLayout& a = expected.tile();
    const TileLayout& b = actual.tile();
    if (!pair_up(a.shard, b.shard, pairs) || !pair_up(a.replica, b.replica, pairs) ||
        a.offset.size() != b.offset.size())
        return false;
    for (auto i = a.offset.begin(), j = b.offset.begin(); i != a.offset.end(); ++i, ++j) {
        if (i->first != j->first) return false;
        pairs.push_back({i->second, j->second});
    }
    return std::all_of(pairs.begin(), pairs.end(), [](const Pair& p) { return same_value(p.expected, p.actual); });
}

std::string show(const Result<Layout>& layout) {
    return layout ? notation::print_tirx(*layout) : fmt::format("{}: {}", layout.error().code, layout.error().message);
}

} // namespace

Result<Dim> dim_from_json(const Json& json) {
    if (json.is_number_integer()) return Dim(json.get<std::int64_t>());
    // A number in TIRx notation is an offset on axis m.
    LS_TRY(const Layout layout, notation::read_tirx(json.get<std::string>(), {}, notation::Symbols::Keep));
    return layout.tile().offset.get(axes::m);
}

Result<std::vector<Dim>> dims_from_json(const Json& list) {
    std::vector<Dim> dims;
    for (const Json& entry : list) {
        LS_TRY(Dim dim, dim_from_json(entry));
        dims.push_back(std::move(dim));
    }
    return dims;
}

Result<Layout> layout_from_json(const Json& json) {
    if (json.is_string()) return notation::read_tirx(json.get<std::string>(), {}, notation::Symbols::Keep);
    if (json.value("kind", "tile") == "compose" || json.contains("per_element")) {
        ComposeLayout compose;
        compose.per_element = json.at("per_element").get<int>();
        compose.swizzle_len = json.at("swizzle_len").get<int>();
        compose.atom_len = json.at("atom_len").get<int>();
        compose.swizzle_inner = json.value("swizzle_inner", true);
        if (json.contains("tile")) {
            LS_TRY(const Layout tile, layout_from_json(json.at("tile")));
            compose.tile = tile.tile();
        }
        return make_layout(std::move(compose));
    }
    TileLayout tile;
    LS_TRY(tile.shard, iters_from_json(json.at("shard")));
    LS_TRY(tile.replica, iters_from_json(json.value("replica", Json::array())));
    const Json offset = json.value("offset", Json::object());
    for (const auto& [axis, amount] : offset.items()) {
        LS_TRY(Dim value, dim_from_json(amount));
        tile.offset.emplace(Axis::named(axis), std::move(value));
    }
    return make_layout(std::move(tile));
}

Outcome same_layout(const Json& expected, const Result<Layout>& actual) {
    const Result<Layout> wanted = layout_from_json(expected);
    if (!wanted) return failed(fmt::format("the expected layout cannot be read: {}", wanted.error().message));
    if (actual && (*wanted == *actual || same_by_value(*wanted, *actual))) return passed();
    return failed(fmt::format("expected {}, got {}", show(wanted), show(actual)));
}

Outcome same_dim(const Json& expected, const Dim& actual) {
    const Result<Dim> wanted = dim_from_json(expected);
    if (wanted && same_value(*wanted, actual)) return passed();
    return failed(fmt::format("expected {}, got {}", expected.dump(), to_string(actual)));
}

Outcome refused_layout(const Result<Layout>& actual) { return refused(actual, show(actual)); }

Json to_json(const AxisMap& map) {
    Json json = Json::object();
    for (const auto& [axis, amount] : map) {
        json[std::string(axis.name())] = amount.is_constant() ? Json(amount.value()) : Json(to_string(amount));
    }
    return json;
}

Outcome same_json(const Json& expected, const Json& actual) {
    return expected == actual ? passed() : failed(fmt::format("expected {}, got {}", expected.dump(), actual.dump()));
}

} // namespace ls::conformance
