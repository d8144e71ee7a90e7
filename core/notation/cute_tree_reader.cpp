#include "core/notation/cute_tree_reader.h"

#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "core/notation/cute_text.h"

namespace ls::cute {

using notation::Cursor;
using notation::kMaxDepth;

namespace {

/// The deepest place where two trees stop being nested alike; empty when they are.
const Places* first_mismatch(const Tree& shape, const Tree& stride, const Places& places) {
    if (shape.is_leaf != stride.is_leaf || shape.items.size() != stride.items.size()) return &places;
    for (std::size_t i = 0; i < shape.items.size(); ++i) {
        if (const Places* found = first_mismatch(shape.items[i], stride.items[i], places.items[i])) return found;
    }
    return nullptr;
}

std::string nesting(const Tree& tree) {
    return tree.is_leaf ? "one number"
                        : fmt::format("{} {}", tree.items.size(), tree.items.size() == 1 ? "mode" : "modes");
}

std::string find_nesting(const Tree& shape, const Tree& stride, const Places& wanted, const Places& places) {
    if (&wanted == &places) return fmt::format("{}, its extent is {}", nesting(stride), nesting(shape));
    for (std::size_t i = 0; i < places.items.size() && i < shape.items.size(); ++i) {
        if (std::string found = find_nesting(shape.items[i], stride.items[i], wanted, places.items[i]); !found.empty())
            return found;
    }
    return {};
}

std::string nesting_at(const CuteLayout& layout, const Places& wanted, const Places& places) {
    return find_nesting(layout.shape, layout.stride, wanted, places);
}

} // namespace

Status TreeReader::check_depth(int depth) {
    if (depth < kMaxDepth) return ok_status();
    return error_at(at_.here(), "TXT_TOO_DEEP", fmt::format("nested deeper than {} levels", kMaxDepth));
}

Result<CuteLayout> TreeReader::plain() {
    CuteLayout out;
    const std::size_t begin = (at_.skip_space(), at_.position());
    LS_TRY(out.shape, tree(0, nullptr));
    if (!at_.accept(":")) {
        out.stride = layout_left(out.shape);
    } else if (keyword({"LayoutLeft", "GenColMajor"})) {
        out.stride = layout_left(out.shape);
    } else if (keyword({"LayoutRight", "GenRowMajor"})) {
        out.stride = layout_right(out.shape);
    } else {
        Places places;
        LS_TRY(out.stride, tree(0, &places));
        if (const Places* at = first_mismatch(out.shape, out.stride, places)) {
            return error_at(at->span, "CUTE_CONGRUENT",
                            fmt::format("the shape {} and the stride {} are not nested alike: this is {}",
                                        print(out.shape), print(out.stride), nesting_at(out, *at, places)),
                            "write one stride for each extent, with the same parentheses");
        }
    }
    Result<std::monostate> fine = check(out);
    if (!fine) return error_at(at_.since(begin), fine.error().code, fine.error().message, fine.error().hint);
    return out;
}

Result<Tree> TreeReader::tree(int depth, Places* places) {
    LS_CHECK(check_depth(depth));
    const std::size_t begin = (at_.skip_space(), at_.position());
    Tree out;
    if (at_.accept("(")) {
        out.is_leaf = false;
        while (!at_.accept(")")) {
            if (!out.items.empty()) {
                LS_CHECK(at_.require(",", "',' or ')'"));
                if (at_.accept(")")) break;
            }
            Places inner;
            LS_TRY(Tree item, tree(depth + 1, &inner));
            out.items.push_back(std::move(item));
            if (places != nullptr) places->items.push_back(std::move(inner));
        }
    } else {
        LS_TRY(out.leaf, leaf());
    }
    if (places != nullptr) places->span = at_.since(begin);
    return out;
}

Result<std::optional<Swizzle>> TreeReader::swizzle() {
    at_.skip_space();
    const std::size_t begin = at_.position();
    const std::string_view rest = at_.text().substr(begin);
    std::array<std::int64_t, 3> numbers{};
    if (rest.substr(0, 3) == "SW_") {
        at_.advance_to(begin + 3);
        for (std::size_t i = 0; i < 3; ++i) {
            if (i > 0) {
                if (at_.text().substr(at_.position(), 1) != "_") return at_.expected("'_'");
                at_.advance_to(at_.position() + 1);
            }
            LS_TRY(const auto number, at_.signed_number());
            if (!number) return at_.expected("a number of the swizzle");
            numbers[i] = *number;
        }
    } else {
        if (!(at_.accept("Swizzle") || at_.accept("Sw") || at_.accept("S")) || !at_.accept("<")) {
            at_.rewind(begin);
            return std::optional<Swizzle>{};
        }
        for (std::size_t i = 0; i < 3; ++i) {
            if (i > 0) LS_CHECK(at_.require(",", {}, "a swizzle has three numbers: Sw<B,M,S>"));
            LS_TRY(const auto number, at_.signed_number());
            if (!number) return at_.expected("a number of the swizzle", "a swizzle has three numbers: Sw<B,M,S>");
            numbers[i] = *number;
        }
        LS_CHECK(at_.require(">"));
        if (at_.accept("{")) LS_CHECK(at_.require("}"));
    }
    const auto [b, m, s] = numbers;
    if (b < 0 || b > 62 || m < 0 || m > 62 || s < -62 || s > 62 || std::abs(s) < b || m + b + std::abs(s) > 62) {
        return error_at(at_.since(begin), "CUTE_SWIZZLE", fmt::format("Sw<{},{},{}> is no swizzle", b, m, s),
                        "B and M are at least 0, |S| at least B, and M+B+|S| at most 62");
    }
    return std::optional(Swizzle{static_cast<int>(b), static_cast<int>(m), static_cast<int>(s)});
}

bool TreeReader::keyword(std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) {
        if (at_.accept(word)) {
            if (at_.accept("{")) at_.accept("}");
            return true;
        }
    }
    return false;
}

Result<Leaf> TreeReader::leaf() {
    Leaf out;
    const char next = at_.peek();
    if (next == '_') {
        at_.advance_to(at_.position() + 1);
        LS_TRY(const auto number, at_.signed_number());
        if (!number) return at_.expected("a number behind '_'", "'_' alone stands in tilers, not in layouts");
        out.value = *number;
        out.is_static = true;
    } else if (at_.accept("?")) {
        out.unknown = true;
        LS_CHECK(unknown_attributes(out));
    } else if (at_.accept("Int") || at_.accept("C")) {
        LS_CHECK(at_.require("<"));
        LS_TRY(const auto number, at_.signed_number());
        if (!number) return at_.expected("a number");
        LS_CHECK(at_.require(">"));
        out.value = *number;
        out.is_static = true;
        if (at_.accept("{"))
            LS_CHECK(at_.require("}"));
        else if (at_.looking_at("()"))
            at_.accept("()");
    } else if (at_.accept("E")) {
        LS_CHECK(basis_list(out));
        return out;
    } else {
        LS_TRY(const auto number, at_.signed_number());
        if (!number) return at_.expected("a number, '_8', '?' or '('", kCuteExample);
        out.value = *number;
    }
    LS_CHECK(basis_path(out));
    return out;
}

/// "{i64 div=8}", "{i64}", "{div=3}"
Status TreeReader::unknown_attributes(Leaf& out) {
    if (!at_.accept("{")) return ok_status();
    while (!at_.accept("}")) {
        if (at_.accept(",")) continue;
        if (at_.accept("i64")) {
            out.unknown_bits = 64;
        } else if (at_.accept("i32")) {
            out.unknown_bits = 32;
        } else if (at_.accept("div")) {
            LS_CHECK(at_.require("="));
            LS_TRY(const auto divisor, at_.number());
            if (!divisor || *divisor < 1) return at_.expected("a positive number");
            out.divisor = *divisor;
        } else {
            return at_.expected("i32, i64, div=N or '}'");
        }
    }
    return ok_status();
}

/// "@1@0": the last one is the outermost.
Status TreeReader::basis_path(Leaf& out) {
    while (at_.accept("@")) {
        LS_TRY(const auto index, at_.number());
        if (!index)
            return at_.expected("the number of a coordinate",
                                "CuTe's basis strides are numbered: 4@0; named axes are TIRx's: S[8:4@laneid]");
        LS_CHECK(check_basis(*index, out));
        out.basis.insert(out.basis.begin(), *index);
    }
    return ok_status();
}

/// "<0,1>{}": outermost first, factor 1.
Status TreeReader::basis_list(Leaf& out) {
    LS_CHECK(at_.require("<"));
    while (!at_.accept(">")) {
        if (!out.basis.empty()) LS_CHECK(at_.require(",", "',' or '>'"));
        LS_TRY(const auto index, at_.number());
        if (!index) return at_.expected("the number of a coordinate");
        LS_CHECK(check_basis(*index, out));
        out.basis.push_back(*index);
    }
    if (at_.accept("{")) LS_CHECK(at_.require("}"));
    out.is_static = true;
    return ok_status();
}

Status TreeReader::check_basis(std::int64_t index, const Leaf& leaf) {
    if (index < 64 && leaf.basis.size() < 16) return ok_status();
    return at_.expected("a coordinate below 64, at most 16 deep");
}

} // namespace ls::cute
