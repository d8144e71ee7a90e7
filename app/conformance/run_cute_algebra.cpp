// cute/cute_algebra: results in text and in values, and the post-conditions that every operation promises.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_cute_json.h"
#include "core/notation/cute_algebra.h"
#include "core/notation/cute_evaluate.h"

namespace ls::conformance {

namespace {

using cute::Arrangement;
using cute::CuteLayout;
using Answer = Result<CuteLayout>;

/// Strides of single elements mean nothing; they are compared as 0.
CuteLayout normal(CuteLayout layout) {
    const auto visit = [](auto&& self, const cute::Tree& shape, cute::Tree& stride) -> void {
        if (shape.is_leaf && shape.leaf.value == 1) stride.leaf.value = 0;
        for (std::size_t i = 0; i < shape.items.size(); ++i) self(self, shape.items[i], stride.items[i]);
    };
    visit(visit, layout.shape, layout.stride);
    return layout;
}

Json text(const Answer& layout) { return layout ? Json(cute::print(normal(*layout))) : as_text(layout); }
Json normal_text(const Json& expected) {
    const auto layout = cute::read_plain(expected.get<std::string>());
    return layout ? Json(cute::print(normal(*layout))) : expected;
}

Answer plain(const Json& json) { return cute::read_plain(json.get<std::string>()); }

Result<cute::Tiler> tiler_of(const Json& list) {
    cute::Tiler out;
    for (const Json& item : list) {
        if (item == "_") {
            out.emplace_back();
            continue;
        }
        LS_TRY(CuteLayout one, cute::read_plain(item.is_number() ? fmt::format("{}:1", item.get<std::int64_t>())
                                                                 : item.get<std::string>()));
        out.emplace_back(std::move(one));
    }
    return out;
}

/// Text, table and counts of an answer; the table of the result is the meaning, the text its form.
void check_result(const Answer& answer, const Json& expect, Checks& checks) {
    if (!answer) return checks.fail("refused: " + answer.error().message);
    if (expect.contains("result") && expect["result"].is_string())
        checks.equal("result", normal_text(expect["result"]), text(answer));
    if (expect.contains("offsets")) checks.same("offsets", expect, cute::table(*answer));
    if (expect.contains("injective")) {
        const auto injective = cute::injective(*answer);
        checks.same("injective", expect, injective ? Json(*injective) : Json());
    }
}

/// f(i) for all i < count.
template <class F>
void for_all(std::int64_t count, Checks& checks, std::string_view what, F&& holds) {
    for (std::int64_t i = 0; i < count; ++i) {
        if (holds(i)) continue;
        checks.fail(fmt::format("{} does not hold at {}", what, i));
        return;
    }
}

std::int64_t at(const CuteLayout& layout, std::int64_t i) {
    const auto value = cute::crd2idx(i, layout);
    return value ? *value : INT64_MIN;
}

void check_coalesce(const Json& input, const Json& expect, Checks& checks) {
    const Answer a = plain(input.at("a"));
    if (!a) return checks.fail(a.error().message);
    Answer answer = *a;
    if (input.contains("profile")) {
        const auto profile = cute::read_tree(input["profile"].get<std::string>());
        if (!profile) return checks.fail(profile.error().message);
        answer = cute::coalesce(*a, *profile);
    } else {
        answer = cute::coalesce(*a);
        if (answer && cute::depth(answer->shape) > 1) checks.fail("depth > 1: " + cute::print(*answer));
    }
    check_result(answer, expect, checks);
    if (answer)
        for_all(cute::size(*a), checks, "same function", [&](std::int64_t i) { return at(*a, i) == at(*answer, i); });
}

Json witness_json(const cute::CompositionWitness& w) {
    using Kind = cute::CompositionWitness::Kind;
    if (w.kind == Kind::Carry) {
        return {{"kind", "carry"}, {"flat", w.at},   {"coord", w.coordinate},
                {"b", w.b},        {"want", w.want}, {"sum_of_single_mode_values", w.found}};
    }
    Json out{{"leaf", w.leaf}, {"leaf_size", w.leaf_size}, {"step", w.step},
             {"run", w.run},   {"rest", w.rest},           {"at", w.at},
             {"want", w.want}};
    out["kind"] = w.kind == Kind::RunDoesNotDivide ? "run does not divide" : "not additive";
    out[w.kind == Kind::RunDoesNotDivide ? "linear" : "sum"] = w.found;
    return out;
}

void check_composition(const Json& input, const Json& expect, Checks& checks) {
    const Answer a = plain(input.at("a"));
    if (!a) return checks.fail(a.error().message);
    if (input.at("b").is_array()) {
        const auto tiler = tiler_of(input["b"]);
        if (!tiler) return checks.fail(tiler.error().message);
        return check_result(cute::composition(*a, *tiler), expect, checks);
    }
    const Answer b = plain(input.at("b"));
    if (!b) return checks.fail(b.error().message);
    const auto answer = cute::decide_composition(*a, *b);
    if (!answer) return checks.fail(answer.error().message);
    if (expect.contains("pointwise")) {
        Json values = Json::array();
        for (std::int64_t i = 0; i < cute::size(*b); ++i) values.push_back(at(*a, at(*b, i)));
        checks.same("pointwise", expect, values);
    }
    checks.same("exists", expect, answer->layout.has_value());
    if (!answer->layout) {
        if (expect.contains("exact_witness") && expect["exact_witness"].is_object()) {
            // Fields that the case states must agree; where it fails is told by the exact decision alone.
            const Json ours = witness_json(*answer->witness);
            for (const auto& [key, value] : expect["exact_witness"].items()) {
                if (ours.contains(key)) checks.equal("witness " + key, value, ours[key]);
            }
        }
        return;
    }
    if (expect.contains("min_form") && expect["min_form"].is_string())
        checks.equal("min_form", normal_text(expect["min_form"]), text(*answer->layout));
    for_all(cute::size(*b), checks, "R(c) == A(B(c))",
            [&](std::int64_t i) { return at(*answer->layout, i) == at(*a, at(*b, i)); });
}

void check_complement(const Json& input, const Json& expect, Checks& checks) {
    const Answer a = plain(input.at("a"));
    if (!a) return checks.fail(a.error().message);
    std::int64_t n = 0;
    if (input.at("cotarget").is_number()) {
        n = input["cotarget"].get<std::int64_t>();
    } else {
        const auto shape = cute::read_tree(input["cotarget"].get<std::string>());
        if (!shape) return checks.fail(shape.error().message);
        n = cute::size(*shape);
    }
    const Answer answer = cute::complement(*a, n);
    check_result(answer, expect, checks);
    if (!answer) return;
    for_all(cute::size(*answer) - 1, checks, "strictly increasing",
            [&](std::int64_t i) { return at(*answer, i) < at(*answer, i + 1); });
    std::vector<std::int64_t> values, sums; // modes of stride 0 repeat values and count once
    for (std::int64_t i = 0; i < cute::size(*a); ++i) values.push_back(at(*a, i));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (const std::int64_t value : values) {
        for (std::int64_t j = 0; j < cute::size(*answer); ++j) sums.push_back(value + at(*answer, j));
    }
    std::sort(sums.begin(), sums.end());
    const bool distinct = std::adjacent_find(sums.begin(), sums.end()) == sums.end();
    bool prefix = true;
    for (std::size_t i = 0; i < sums.size(); ++i) prefix = prefix && sums[i] == static_cast<std::int64_t>(i);
    checks.same("sums_distinct", expect, distinct);
    checks.same("covers_prefix", expect, prefix);
}

void check_right_inverse(const Json& input, const Json& expect, Checks& checks) {
    const Answer a = plain(input.at("a"));
    if (!a) return checks.fail(a.error().message);
    const Answer answer = cute::right_inverse(*a);
    check_result(answer, expect, checks);
    if (answer)
        for_all(cute::size(*answer), checks, "A(R(i)) == i",
                [&](std::int64_t i) { return at(*a, at(*answer, i)) == i; });
}

void check_left_inverse(const Json& input, const Json& expect, Checks& checks) {
    const Answer a = plain(input.at("a"));
    if (!a) return checks.fail(a.error().message);
    const Answer answer = cute::left_inverse(*a);
    check_result(answer, expect, checks);
    if (!answer) return;
    const bool injective = cute::injective(*a).value_or(false);
    for_all(cute::size(*a), checks, "R(A(i)) == i", [&](std::int64_t i) {
        const std::int64_t back = at(*answer, at(*a, i));
        return injective ? back == i : at(*a, back) == at(*a, i);
    });
}

template <auto single, auto tuple>
void check_arranged(Arrangement arrangement, const Json& input, const Json& expect, Checks& checks) {
    const Answer a = plain(input.at("a"));
    if (!a) return checks.fail(a.error().message);
    const Json& tiler = input.at("tiler");
    if (tiler.is_array()) {
        const auto tiles = tiler_of(tiler);
        if (!tiles) return checks.fail(tiles.error().message);
        return check_result(tuple(*a, *tiles, arrangement), expect, checks);
    }
    const Answer one = plain(tiler);
    if (!one) return checks.fail(one.error().message);
    check_result(single(*a, *one, arrangement), expect, checks);
    if (expect.contains("complement"))
        checks.equal("complement", normal_text(expect["complement"]), text(cute::complement(*one, cute::size(*a))));
}

constexpr auto divide_by = [](const CuteLayout& a, const CuteLayout& t, Arrangement w) {
    return cute::divide(a, t, w);
};
constexpr auto divide_each = [](const CuteLayout& a, const cute::Tiler& t, Arrangement w) {
    return cute::divide(a, t, w);
};
constexpr auto times_one = [](const CuteLayout& a, const CuteLayout& t, Arrangement w) {
    return cute::product(a, t, w);
};
constexpr auto times_each = [](const CuteLayout& a, const cute::Tiler& t, Arrangement w) {
    return cute::product(a, t, w);
};

template <Arrangement arrangement>
void check_divide(const Json& input, const Json& expect, Checks& checks) {
    check_arranged<divide_by, divide_each>(arrangement, input, expect, checks);
}
template <Arrangement arrangement>
void check_product(const Json& input, const Json& expect, Checks& checks) {
    check_arranged<times_one, times_each>(arrangement, input, expect, checks);
}

template <auto operation>
void check_two(const Json& input, const Json& expect, Checks& checks) {
    const Answer a = plain(input.at("a")), b = plain(input.at("tiler"));
    if (!a || !b) return checks.fail("an input cannot be read");
    check_result(operation(*a, *b), expect, checks);
}

void check_tile_to_shape(const Json& input, const Json& expect, Checks& checks) {
    const Answer a = plain(input.at("a"));
    const auto shape = cute::read_tree(input.at("shape").get<std::string>());
    if (!a || !shape) return checks.fail("an input cannot be read");
    std::vector<std::int64_t> extents;
    for (const cute::Tree& item : shape->is_leaf ? std::vector{*shape} : shape->items)
        extents.push_back(cute::size(item));
    const auto step = input.contains("step") && !input["step"].is_null()
                          ? input["step"].get<std::vector<std::int64_t>>()
                          : std::vector<std::int64_t>{};
    const Answer answer = cute::tile_to_shape(*a, extents, step);
    check_result(answer, expect, checks);
    for (std::size_t k = 0; answer && k < extents.size(); ++k)
        checks.equal("mode size", extents[k], cute::size(cute::mode(*answer, k)));
}

template <auto operation>
void check_cast(const Json& input, const Json& expect, Checks& checks) {
    const Answer a = plain(input.at("a"));
    if (!a) return checks.fail(a.error().message);
    check_result(operation(*a, input.at("n").get<std::int64_t>()), expect, checks);
}

void check_max_common_vector(const Json& input, const Json& expect, Checks& checks) {
    const Answer a = plain(input.at("a")), b = plain(input.at("b"));
    if (!a || !b) return checks.fail("an input cannot be read");
    checks.same("result", expect, cute::max_common_vector(*a, *b));
}

void check_tv(const Json& input, const Json& expect, Checks& checks) {
    const Answer threads = plain(input.at("thr")), values = plain(input.at("val"));
    if (!threads || !values) return checks.fail("an input cannot be read");
    const auto answer = cute::make_layout_tv(*threads, *values);
    if (!answer) return checks.fail(answer.error().message);
    check_result(answer->tv, expect, checks);
    if (expect.contains("layout_mn")) checks.equal("layout_mn", normal_text(expect["layout_mn"]), text(answer->mn));
    if (expect.contains("tiler")) {
        std::vector<cute::Tree> extents;
        for (const std::int64_t extent : answer->tiler) extents.push_back(cute::Tree::number(extent));
        checks.same("tiler", expect, cute::print(cute::Tree::tuple(std::move(extents))));
    }
    for_all(cute::size(answer->tv), checks, "mn(tv(t,v)) == t + v·|T|",
            [&](std::int64_t i) { return at(answer->mn, at(answer->tv, i)) == i; });
}

} // namespace

Outcome run_cute_algebra(const Json& test_case, const Json&) {
    using Check = void (*)(const Json&, const Json&, Checks&);
    static const std::map<std::string, Check, std::less<>> operations{
        {"coalesce", check_coalesce},
        {"composition", check_composition},
        {"complement", check_complement},
        {"right_inverse", check_right_inverse},
        {"left_inverse", check_left_inverse},
        {"logical_divide", check_divide<Arrangement::Logical>},
        {"zipped_divide", check_divide<Arrangement::Zipped>},
        {"tiled_divide", check_divide<Arrangement::Tiled>},
        {"flat_divide", check_divide<Arrangement::Flat>},
        {"logical_product", check_product<Arrangement::Logical>},
        {"zipped_product", check_product<Arrangement::Zipped>},
        {"tiled_product", check_product<Arrangement::Tiled>},
        {"flat_product", check_product<Arrangement::Flat>},
        {"blocked_product", check_two<cute::blocked_product>},
        {"raked_product", check_two<cute::raked_product>},
        {"tile_to_shape", check_tile_to_shape},
        {"upcast", check_cast<cute::upcast>},
        {"downcast", check_cast<cute::downcast>},
        {"max_common_vector", check_max_common_vector},
        {"make_layout_tv", check_tv},
    };
    const Json& input = test_case.at("input");
    const auto operation = operations.find(input.at("op").get<std::string>());
    if (operation == operations.end()) return skipped("unknown operation " + input["op"].dump());
    Checks checks;
    operation->second(input, test_case.at("expect"), checks);
    return checks.outcome();
}

bool looks_like_cute_algebra(const Json& first_case) {
    if (!first_case.contains("input") || !first_case["input"].is_object()) return false;
    const Json& input = first_case["input"];
    return input.contains("op") && (input.contains("a") || input.contains("thr")) &&
           input.value("a", Json("")).is_string();
}

} // namespace ls::conformance
