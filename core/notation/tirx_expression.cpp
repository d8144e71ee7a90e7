#include "core/notation/tirx_expression.h"

#include <utility>

#include <fmt/format.h>

namespace ls::notation {

namespace {

bool is_axis_pair(const TirxNode& node) {
    return node.kind == TirxNode::Kind::Tuple && node.items.size() == 2 && node.items[0].is_number() &&
           node.items[1].kind == TirxNode::Kind::String;
}

/// A single tuple stands for its items. A stride (4, "laneid") is one stride when there is one extent.
void flatten(std::vector<TirxNode>& nodes, bool one_expected) {
    if (nodes.size() != 1 || nodes[0].kind != TirxNode::Kind::Tuple) return;
    if (one_expected && is_axis_pair(nodes[0])) return;
    std::vector<TirxNode> items = std::move(nodes[0].items);
    nodes = std::move(items);
}

} // namespace

Status TirxExpressionReader::check_depth(int depth) {
    if (depth < kMaxDepth) return ok_status();
    return error_at(at_.here(), "TXT_TOO_DEEP", fmt::format("nested deeper than {} levels", kMaxDepth));
}

void TirxExpressionReader::accept_prefix() {
    const std::size_t begin = at_.position();
    if ((at_.accept("T") || at_.accept("Tx")) && at_.accept(".")) return;
    at_.rewind(begin);
}

/// term (('+' | '-') term)*
Result<TirxNode> TirxExpressionReader::sum(int depth) {
    LS_CHECK(check_depth(depth));
    const std::size_t begin = (at_.skip_space(), at_.position());
    LS_TRY(TirxNode left, term(depth));
    while (true) {
        const bool minus = at_.looking_at("-");
        if (!minus && !at_.looking_at("+")) return left;
        at_.accept(minus ? "-" : "+");
        LS_TRY(TirxNode right, term(depth));
        LS_CHECK(add(left, right, minus));
        left.span = at_.since(begin);
    }
}

Status TirxExpressionReader::add(TirxNode& left, TirxNode& right, bool minus) {
    for (const TirxNode* side : {&left, &right}) {
        if (side->kind != TirxNode::Kind::Sum) {
            return error_at(side->span, "TXT_EXPECTED", "a tuple or a string cannot be added");
        }
    }
    if (minus && (right.shard || right.replica)) {
        return error_at(right.span, "TXT_EXPECTED", "S[...] and R[...] cannot be subtracted", "join them with '+'");
    }
    if (left.is_number() && right.is_number()) {
        Dim value = minus ? left.number() - right.number() : left.number() + right.number();
        LS_CHECK(check_overflow(value, right.span));
        left.amounts.begin()->second = std::move(value);
        return ok_status();
    }
    for (const auto& [axis, amount] : right.amounts) {
        const auto [entry, fresh] = left.amounts.emplace(axis, Dim(0));
        Dim value = minus ? entry->second - amount : (fresh ? amount : entry->second + amount);
        LS_CHECK(check_overflow(value, right.span));
        entry->second = std::move(value);
    }
    // The first S wins and the last R wins, as in the reference's spec builder.
    if (!left.shard) left.shard = std::move(right.shard);
    if (right.replica) left.replica = std::move(right.replica);
    left.bare = left.bare && right.bare;
    return ok_status();
}

/// factor (('*' | '//' | '%' | '@') factor)*, all on one level as in Python
Result<TirxNode> TirxExpressionReader::term(int depth) {
    const std::size_t begin = (at_.skip_space(), at_.position());
    LS_TRY(TirxNode left, factor(depth + 1));
    while (true) {
        if (at_.accept("@")) {
            LS_TRY(const Axis axis, axis_name());
            LS_TRY(const Dim amount, number(left, "what stands before '@'"));
            left.amounts = {{axis, amount}};
            left.bare = false;
        } else if (at_.looking_at("*") || at_.looking_at("//") || at_.looking_at("%")) {
            const char op = at_.peek();
            at_.accept(op == '/' ? "//" : op == '*' ? "*" : "%");
            LS_TRY(const TirxNode right, factor(depth + 1));
            LS_TRY(const Dim a, number(left, "a factor"));
            LS_TRY(const Dim b, number(right, "a factor"));
            if (op != '*' && b.is(0)) return error_at(right.span, "TXT_NUMBER", "division by zero");
            Dim value = op == '*' ? a * b : op == '/' ? floor_div(a, b) : floor_mod(a, b);
            left.span = at_.since(begin);
            LS_CHECK(check_overflow(value, left.span));
            left.amounts.begin()->second = std::move(value);
        } else {
            left.span = at_.since(begin);
            return left;
        }
    }
}

Result<TirxNode> TirxExpressionReader::factor(int depth) {
    LS_CHECK(check_depth(depth));
    const std::size_t begin = (at_.skip_space(), at_.position());
    TirxNode node;
    if (at_.accept("-")) {
        LS_TRY(const TirxNode inner, factor(depth + 1));
        LS_TRY(const Dim value, number(inner, "what follows '-'"));
        node.amounts = {{axes::m, Dim(0) - value}};
    } else if (at_.accept("(")) {
        LS_TRY(node, parenthesis(depth));
    } else if (at_.looking_at("\"") || at_.looking_at("'")) {
        LS_TRY(const auto text, at_.quoted());
        node.kind = TirxNode::Kind::String;
        node.string = *text;
    } else {
        LS_TRY(const auto value, at_.number());
        if (value) {
            node.amounts = {{axes::m, *value}};
        } else {
            LS_TRY(node, name(depth));
        }
    }
    node.span = at_.since(begin);
    return node;
}

/// Behind '(': a tuple, or an expression in parentheses.
Result<TirxNode> TirxExpressionReader::parenthesis(int depth) {
    TirxNode tuple;
    tuple.kind = TirxNode::Kind::Tuple;
    bool comma = false;
    while (!at_.accept(")")) {
        if (!tuple.items.empty()) {
            LS_CHECK(at_.require(",", "',' or ')'"));
            comma = true;
            if (at_.accept(")")) break;
        }
        LS_TRY(TirxNode item, sum(depth + 1));
        tuple.items.push_back(std::move(item));
    }
    if (comma || tuple.items.empty()) return tuple;
    return std::move(tuple.items.front());
}

/// S[...], R[...] or a named value.
Result<TirxNode> TirxExpressionReader::name(int depth) {
    const std::size_t begin = at_.position();
    accept_prefix();
    for (const bool shard : {true, false}) {
        const std::size_t rewind = at_.position();
        if (at_.accept(shard ? "S" : "R") && at_.accept("[")) {
            LS_TRY(std::vector<Iter> iters, bracket(shard ? "S" : "R", depth));
            TirxNode node;
            (shard ? node.shard : node.replica) = std::move(iters);
            return node;
        }
        at_.rewind(rewind);
    }
    at_.rewind(begin);
    const Span place = at_.here();
    const std::string_view word = at_.word();
    if (word.empty()) return at_.expected("a number, a name, '(', S[...] or R[...]");
    TirxNode node;
    if (const auto known = values_.find(word); known != values_.end()) {
        node.amounts = {{axes::m, known->second}};
    } else if (symbols_ == Symbols::Keep) {
        node.amounts = {{axes::m, Dim::symbol(std::string(word))}};
    } else {
        return error_at(place, "TXT_SYMBOL", fmt::format("'{}' has no value", word),
                        fmt::format("give it one behind the layout: ... | {}=64", word));
    }
    return node;
}

Result<std::vector<Iter>> TirxExpressionReader::bracket(std::string_view which, int depth) {
    std::vector<TirxNode> extents;
    LS_TRY(const bool extents_listed, bracket_side(extents, ":]", depth));
    if (at_.accept("]")) return default_strides(extents);
    if (extents_listed) {
        return error_at(at_.here(), "TXT_EXPECTED", "expected ']' here, found ':'",
                        fmt::format("with strides the extents need parentheses: {}[(2, 3):(3, 1)]", which));
    }
    LS_CHECK(at_.require(":", "':' or ']'"));
    const std::size_t strides_begin = at_.position();
    std::vector<TirxNode> strides;
    LS_TRY(const bool strides_listed, bracket_side(strides, "]", depth));
    if (strides_listed) {
        return error_at(strides[1].span, "TXT_EXPECTED", "expected ']' here, found another stride",
                        fmt::format("several strides need parentheses: {}[(2, 3):(3, 1)]", which));
    }
    const Span strides_span = at_.since(strides_begin);
    LS_CHECK(at_.require("]", "']'"));
    flatten(extents, false);
    flatten(strides, extents.size() == 1);
    if (extents.size() != strides.size()) {
        return error_at(strides_span, "TXT_STRIDE_COUNT",
                        fmt::format("{} extents but {} strides", extents.size(), strides.size()),
                        "write one stride for each extent, e.g. S[(8, 64):(64, 1)]");
    }
    std::vector<Iter> iters;
    iters.reserve(extents.size());
    for (std::size_t i = 0; i < extents.size(); ++i) {
        LS_TRY(Iter iter, make_iter(extents[i], strides[i]));
        iters.push_back(std::move(iter));
    }
    return iters;
}

/// Reads "a" or "a, b, c" up to a character of `stop`. Answers whether commas were written outside parentheses.
Result<bool> TirxExpressionReader::bracket_side(std::vector<TirxNode>& out, std::string_view stop, int depth) {
    const auto stops = [&] { return at_.peek() != '\0' && stop.find(at_.peek()) != std::string_view::npos; };
    bool listed = false;
    while (!stops()) {
        if (!out.empty()) {
            LS_CHECK(at_.require(",", stop == "]" ? "']'" : "':', ',' or ']'"));
            listed = true;
            if (stops()) break;
        }
        LS_TRY(TirxNode node, sum(depth + 1));
        out.push_back(std::move(node));
    }
    return listed && out.size() > 1;
}

Result<std::vector<Iter>> TirxExpressionReader::default_strides(std::vector<TirxNode>& extents) {
    flatten(extents, false);
    std::vector<Dim> shape;
    for (const TirxNode& extent : extents) {
        LS_TRY(Dim value, extent_of(extent));
        shape.push_back(std::move(value));
    }
    std::vector<Iter> iters = row_major(std::span<const Dim>(shape)).shard;
    for (std::size_t i = 0; i < iters.size(); ++i) LS_CHECK(check_overflow(iters[i].stride, extents[i].span));
    return iters;
}

Result<Dim> TirxExpressionReader::extent_of(const TirxNode& node) {
    if (node.kind == TirxNode::Kind::Tuple) {
        return error_at(node.span, "TXT_NESTED_SHAPE", "nested shapes are not written in S[...]",
                        "write the flat list, e.g. S[(4, 2, 2, 4):(...)], or the whole layout in CuTe form: "
                        "((4,2),(2,4)):(...)");
    }
    LS_TRY(Dim value, number(node, "an extent"));
    if (value.is_constant() && value.value() < 1) {
        return error_at(node.span, "LAYOUT_EXTENT",
                        fmt::format("an extent is {}, but must be at least 1", value.value()));
    }
    return value;
}

Result<Iter> TirxExpressionReader::make_iter(const TirxNode& extent, const TirxNode& stride) {
    Iter iter;
    LS_TRY(iter.extent, extent_of(extent));
    if (stride.kind == TirxNode::Kind::String) {
        iter.stride = 1;
        LS_TRY(iter.axis, checked_axis(stride.string, stride.span));
    } else if (is_axis_pair(stride)) {
        iter.stride = stride.items[0].number();
        LS_TRY(iter.axis, checked_axis(stride.items[1].string, stride.items[1].span));
    } else if (stride.kind == TirxNode::Kind::Tuple || stride.shard || stride.replica || stride.amounts.size() != 1) {
        return error_at(stride.span, "TXT_EXPECTED", "a stride is one number on one axis",
                        "write 4, 4@laneid or (4, \"laneid\")");
    } else {
        iter.axis = stride.amounts.begin()->first;
        iter.stride = stride.amounts.begin()->second;
    }
    return iter;
}

Result<Dim> TirxExpressionReader::number(const TirxNode& node, std::string_view what) {
    if (node.is_number()) return node.number();
    return error_at(node.span, "TXT_EXPECTED", fmt::format("{} must be a number", what));
}

Status TirxExpressionReader::check_overflow(const Dim& value, Span span) {
    if (!value.is_overflow()) return ok_status();
    return error_at(span, "TXT_NUMBER", "this does not fit 64 bits");
}

Result<Axis> TirxExpressionReader::axis_name() {
    const Span place = at_.here();
    LS_TRY(const auto text, at_.quoted());
    if (text) return checked_axis(*text, place);
    const std::size_t begin = at_.position();
    accept_prefix();
    if (!(at_.accept("Axis") && at_.accept("."))) at_.rewind(begin);
    const std::string_view word = at_.word();
    if (word.empty()) return at_.expected("the name of an axis", "for example 4@laneid, 1@TCol; bare numbers are on m");
    return Axis::named(word);
}

Result<Axis> TirxExpressionReader::checked_axis(std::string_view text, Span span) {
    Cursor inner(text);
    if (inner.word() == text && !text.empty()) return Axis::named(text);
    return error_at(span, "TXT_EXPECTED", fmt::format("'{}' is not the name of an axis", text));
}

} // namespace ls::notation
