// Reader of TIRx layout text. One recursive descent over Python-like expressions: every sub-expression is a Node, and
// what it may be (a number, an iter's stride, a whole S[...] + R[...] sum) is decided where it is used.
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/notation/cursor.h"
#include "core/notation/tirx_text.h"

namespace ls::notation {

namespace {

/// One expression: a tuple, a string, or a sum of axis amounts that may carry a shard and a replica.
struct Node {
    enum class Kind : std::uint8_t { Sum, Tuple, String };
    Kind kind = Kind::Sum;
    Span span;
    std::vector<Node> items;                ///< Tuple
    std::string_view string;                ///< String
    AxisMap amounts;                        ///< Sum; a bare number is an amount on m
    bool bare = true;                       ///< Sum: no '@' was written
    std::optional<std::vector<Iter>> shard; ///< Sum
    std::optional<std::vector<Iter>> replica;

    bool is_number() const { return kind == Kind::Sum && bare && !shard && !replica; }
    const Dim& number() const { return amounts.begin()->second; }
};

class Reader {
public:
    Reader(Cursor& cursor, const SymbolValues& values, Symbols symbols)
        : at_(cursor), values_(values), symbols_(symbols) {}

    Result<Layout> layout(int depth = 0) {
        LS_CHECK(check_depth(depth));
        const std::size_t begin = (at_.skip_space(), at_.position());
        accept_prefix();
        if (at_.accept("ComposeLayout")) return compose(begin, depth);
        if (at_.accept("TileLayout")) return tile_call(begin, depth);
        at_.rewind(begin);
        LS_TRY(const Node spec, sum(depth));
        return finish(spec, begin);
    }

private:
    Status check_depth(int depth) {
        if (depth < kMaxDepth) return ok_status();
        return error_at(at_.here(), "TXT_TOO_DEEP", fmt::format("nested deeper than {} levels", kMaxDepth));
    }

    void accept_prefix() {
        const std::size_t begin = at_.position();
        if ((at_.accept("T") || at_.accept("Tx")) && at_.accept(".")) return;
        at_.rewind(begin);
    }

    // --- whole layouts

    Result<Layout> finish(const Node& spec, std::size_t begin) {
        if (spec.kind != Node::Kind::Sum) {
            return error_at(spec.span, "TXT_EXPECTED", "expected S[...], R[...] or an offset here",
                            "a TIRx layout looks like S[(8, 64):(64, 1)]");
        }
        TileLayout tile;
        tile.shard = spec.shard.value_or(std::vector<Iter>{});
        tile.replica = spec.replica.value_or(std::vector<Iter>{});
        tile.offset = spec.amounts;
        return placed(make_layout(std::move(tile)), begin);
    }

    Result<Layout> placed(Result<Layout> layout, std::size_t begin) {
        if (!layout && layout.error().span.empty()) layout.error().span = at_.since(begin);
        return layout;
    }

    Result<Layout> tile_call(std::size_t begin, int depth) {
        if (at_.accept(".")) {
            LS_CHECK(at_.require("from_iters", "'from_iters'"));
            return from_iters(begin, depth);
        }
        LS_CHECK(at_.require("("));
        if (at_.accept(")")) return placed(make_layout(TileLayout{}), begin);
        LS_TRY(const Node spec, sum(depth + 1));
        LS_CHECK(at_.require(")", "'+' or ')'"));
        return finish(spec, begin);
    }

    /// from_iters([shard=] [iter, ...], [replica=] [...], [offset=] {axis: amount, ...})
    Result<Layout> from_iters(std::size_t begin, int depth) {
        LS_CHECK(at_.require("("));
        TileLayout tile;
        for (int position = 0; !at_.accept(")"); ++position) {
            if (position > 0) {
                LS_CHECK(at_.require(",", "',' or ')'"));
                if (at_.accept(")")) break;
            }
            int which = position;
            if (accept_keyword("shard"))
                which = 0;
            else if (accept_keyword("replica"))
                which = 1;
            else if (accept_keyword("offset"))
                which = 2;
            if (which > 2) return at_.expected("')'", "from_iters takes shard, replica and offset");
            if (which == 2) {
                LS_TRY(tile.offset, offset_map(depth));
            } else {
                LS_TRY((which == 0 ? tile.shard : tile.replica), iter_list(depth));
            }
        }
        return placed(make_layout(std::move(tile)), begin);
    }

    bool accept_keyword(std::string_view name) {
        const std::size_t begin = at_.position();
        if (at_.accept(name) && at_.accept("=")) return true;
        at_.rewind(begin);
        return false;
    }

    Result<std::vector<Iter>> iter_list(int depth) {
        std::vector<Iter> iters;
        LS_CHECK(at_.require("[", "'[' with iters (extent, stride, axis)"));
        while (!at_.accept("]")) {
            if (!iters.empty()) {
                LS_CHECK(at_.require(",", "',' or ']'"));
                if (at_.accept("]")) break;
            }
            accept_prefix();
            at_.accept("Iter");
            LS_CHECK(at_.require("(", "'(' of an iter (extent, stride, axis)"));
            LS_TRY(const Node extent, sum(depth + 1));
            LS_CHECK(at_.require(",", "',' between extent and stride"));
            LS_TRY(const Node stride, sum(depth + 1));
            LS_TRY(Iter iter, make_iter(extent, stride));
            if (at_.accept(",") && at_.peek() != ')') {
                LS_TRY(iter.axis, axis_name());
            }
            LS_CHECK(at_.require(")", "')' of the iter"));
            iters.push_back(std::move(iter));
        }
        return iters;
    }

    Result<AxisMap> offset_map(int depth) {
        AxisMap offsets;
        LS_CHECK(at_.require("{", "'{' with axis: amount pairs"));
        for (bool first = true; !at_.accept("}"); first = false) {
            if (!first) {
                LS_CHECK(at_.require(",", "',' or '}'"));
                if (at_.accept("}")) break;
            }
            LS_TRY(const Axis axis, axis_name());
            LS_CHECK(at_.require(":"));
            LS_TRY(const Node amount, sum(depth + 1));
            LS_TRY(const Dim value, number(amount, "an offset"));
            offsets.insert_or_assign(axis, value);
        }
        return offsets;
    }

    /// ComposeLayout(M, B, S, layout[, swizzle_inner])
    Result<Layout> compose(std::size_t begin, int depth) {
        LS_CHECK(at_.require("("));
        ComposeLayout result;
        const std::size_t parameters = at_.position();
        Span swizzle_span;
        struct Parameter {
            std::string_view name;
            int ComposeLayout::*member;
        };
        for (const Parameter p :
             {Parameter{"per_element", &ComposeLayout::per_element},
              Parameter{"swizzle_len", &ComposeLayout::swizzle_len}, Parameter{"atom_len", &ComposeLayout::atom_len}}) {
            accept_keyword(p.name);
            const Span place = at_.here();
            LS_TRY(const auto value, at_.signed_number());
            if (!value) return at_.expected(fmt::format("the number {}", p.name), kComposeHint);
            if (*value < 0 || *value > 62) {
                return error_at(place, "LAYOUT_SWIZZLE", fmt::format("{} is {}, but must be 0 to 62", p.name, *value),
                                kComposeHint);
            }
            result.*p.member = static_cast<int>(*value);
            swizzle_span = at_.since(parameters);
            LS_CHECK(at_.require(",", {}, kComposeHint));
        }
        if (!accept_keyword("tile_layout")) accept_keyword("layout");
        const std::size_t tile_begin = at_.position();
        LS_TRY(const Layout inner, layout(depth + 1));
        if (inner.is_compose()) {
            return error_at(at_.since(tile_begin), "TXT_NESTED_SWIZZLE", "a ComposeLayout inside a ComposeLayout",
                            "one layout holds one swizzle; write the plain S[...] here");
        }
        result.tile = inner.tile();
        if (at_.accept(",") && at_.peek() != ')') {
            accept_keyword("swizzle_inner");
            if (at_.accept("False") || at_.accept("false"))
                result.swizzle_inner = false;
            else if (!at_.accept("True") && !at_.accept("true"))
                return at_.expected("True or False (swizzle_inner)");
        }
        LS_CHECK(at_.require(")", "',' or ')'"));
        Result<Layout> whole = make_layout(std::move(result));
        if (!whole && whole.error().code == "LAYOUT_SWIZZLE") whole.error().span = swizzle_span;
        return placed(std::move(whole), begin);
    }

    static constexpr const char* kComposeHint = "ComposeLayout(per_element, swizzle_len, atom_len, layout); the "
                                                "128-byte swizzle of 16-bit elements is ComposeLayout(3, 3, 3, S[...])";

    // --- expressions

    /// term (('+' | '-') term)*
    Result<Node> sum(int depth) {
        LS_CHECK(check_depth(depth));
        const std::size_t begin = (at_.skip_space(), at_.position());
        LS_TRY(Node left, term(depth));
        while (true) {
            const bool minus = at_.looking_at("-");
            if (!minus && !at_.looking_at("+")) return left;
            at_.accept(minus ? "-" : "+");
            LS_TRY(Node right, term(depth));
            LS_CHECK(add(left, right, minus));
            left.span = at_.since(begin);
        }
    }

    Status add(Node& left, Node& right, bool minus) {
        for (const Node* side : {&left, &right}) {
            if (side->kind != Node::Kind::Sum) {
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
    Result<Node> term(int depth) {
        const std::size_t begin = (at_.skip_space(), at_.position());
        LS_TRY(Node left, factor(depth + 1));
        while (true) {
            if (at_.accept("@")) {
                LS_TRY(const Axis axis, axis_name());
                LS_TRY(const Dim amount, number(left, "what stands before '@'"));
                left.amounts = {{axis, amount}};
                left.bare = false;
            } else if (at_.looking_at("*") || at_.looking_at("//") || at_.looking_at("%")) {
                const char op = at_.peek();
                at_.accept(op == '/' ? "//" : op == '*' ? "*" : "%");
                LS_TRY(const Node right, factor(depth + 1));
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

    Result<Node> factor(int depth) {
        LS_CHECK(check_depth(depth));
        const std::size_t begin = (at_.skip_space(), at_.position());
        Node node;
        if (at_.accept("-")) {
            LS_TRY(const Node inner, factor(depth + 1));
            LS_TRY(const Dim value, number(inner, "what follows '-'"));
            node.amounts = {{axes::m, Dim(0) - value}};
        } else if (at_.accept("(")) {
            LS_TRY(node, parenthesis(depth));
        } else if (at_.looking_at("\"") || at_.looking_at("'")) {
            LS_TRY(const auto text, at_.quoted());
            node.kind = Node::Kind::String;
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
    Result<Node> parenthesis(int depth) {
        Node tuple;
        tuple.kind = Node::Kind::Tuple;
        bool comma = false;
        while (!at_.accept(")")) {
            if (!tuple.items.empty()) {
                LS_CHECK(at_.require(",", "',' or ')'"));
                comma = true;
                if (at_.accept(")")) break;
            }
            LS_TRY(Node item, sum(depth + 1));
            tuple.items.push_back(std::move(item));
        }
        if (comma || tuple.items.empty()) return tuple;
        return std::move(tuple.items.front());
    }

    /// S[...], R[...] or a named value.
    Result<Node> name(int depth) {
        const std::size_t begin = at_.position();
        accept_prefix();
        for (const bool shard : {true, false}) {
            const std::size_t rewind = at_.position();
            if (at_.accept(shard ? "S" : "R") && at_.accept("[")) {
                LS_TRY(std::vector<Iter> iters, bracket(shard ? "S" : "R", depth));
                Node node;
                (shard ? node.shard : node.replica) = std::move(iters);
                return node;
            }
            at_.rewind(rewind);
        }
        at_.rewind(begin);
        const Span place = at_.here();
        const std::string_view word = at_.word();
        if (word.empty()) return at_.expected("a number, a name, '(', S[...] or R[...]");
        Node node;
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

    // --- S[...] and R[...]

    Result<std::vector<Iter>> bracket(std::string_view which, int depth) {
        std::vector<Node> extents;
        LS_TRY(const bool extents_listed, bracket_side(extents, ":]", depth));
        if (at_.accept("]")) return default_strides(extents);
        if (extents_listed) {
            return error_at(at_.here(), "TXT_EXPECTED", "expected ']' here, found ':'",
                            fmt::format("with strides the extents need parentheses: {}[(2, 3):(3, 1)]", which));
        }
        LS_CHECK(at_.require(":", "':' or ']'"));
        const std::size_t strides_begin = at_.position();
        std::vector<Node> strides;
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
    Result<bool> bracket_side(std::vector<Node>& out, std::string_view stop, int depth) {
        const auto stops = [&] { return at_.peek() != '\0' && stop.find(at_.peek()) != std::string_view::npos; };
        bool listed = false;
        while (!stops()) {
            if (!out.empty()) {
                LS_CHECK(at_.require(",", stop == "]" ? "']'" : "':', ',' or ']'"));
                listed = true;
                if (stops()) break;
            }
            LS_TRY(Node node, sum(depth + 1));
            out.push_back(std::move(node));
        }
        return listed && out.size() > 1;
    }

    /// A single tuple stands for its items. A stride (4, "laneid") is one stride when there is one extent.
    static void flatten(std::vector<Node>& nodes, bool one_expected) {
        if (nodes.size() != 1 || nodes[0].kind != Node::Kind::Tuple) return;
        if (one_expected && is_axis_pair(nodes[0])) return;
        std::vector<Node> items = std::move(nodes[0].items);
        nodes = std::move(items);
    }

    static bool is_axis_pair(const Node& node) {
        return node.kind == Node::Kind::Tuple && node.items.size() == 2 && node.items[0].is_number() &&
               node.items[1].kind == Node::Kind::String;
    }

    Result<std::vector<Iter>> default_strides(std::vector<Node>& extents) {
        flatten(extents, false);
        std::vector<Dim> shape;
        for (const Node& extent : extents) {
            LS_TRY(Dim value, extent_of(extent));
            shape.push_back(std::move(value));
        }
        std::vector<Iter> iters = row_major(std::span<const Dim>(shape)).shard;
        for (std::size_t i = 0; i < iters.size(); ++i) LS_CHECK(check_overflow(iters[i].stride, extents[i].span));
        return iters;
    }

    Result<Dim> extent_of(const Node& node) {
        if (node.kind == Node::Kind::Tuple) {
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

    Result<Iter> make_iter(const Node& extent, const Node& stride) {
        Iter iter;
        LS_TRY(iter.extent, extent_of(extent));
        if (stride.kind == Node::Kind::String) {
            iter.stride = 1;
            LS_TRY(iter.axis, checked_axis(stride.string, stride.span));
        } else if (is_axis_pair(stride)) {
            iter.stride = stride.items[0].number();
            LS_TRY(iter.axis, checked_axis(stride.items[1].string, stride.items[1].span));
        } else if (stride.kind == Node::Kind::Tuple || stride.shard || stride.replica || stride.amounts.size() != 1) {
            return error_at(stride.span, "TXT_EXPECTED", "a stride is one number on one axis",
                            "write 4, 4@laneid or (4, \"laneid\")");
        } else {
            iter.axis = stride.amounts.begin()->first;
            iter.stride = stride.amounts.begin()->second;
        }
        return iter;
    }

    // --- leaves

    Result<Dim> number(const Node& node, std::string_view what) {
        if (node.is_number()) return node.number();
        return error_at(node.span, "TXT_EXPECTED", fmt::format("{} must be a number", what));
    }

    Status check_overflow(const Dim& value, Span span) {
        if (!value.is_overflow()) return ok_status();
        return error_at(span, "TXT_NUMBER", "this does not fit 64 bits");
    }

    Result<Axis> axis_name() {
        const Span place = at_.here();
        LS_TRY(const auto text, at_.quoted());
        if (text) return checked_axis(*text, place);
        const std::size_t begin = at_.position();
        accept_prefix();
        if (!(at_.accept("Axis") && at_.accept("."))) at_.rewind(begin);
        const std::string_view word = at_.word();
        if (word.empty())
            return at_.expected("the name of an axis", "for example 4@laneid, 1@TCol; bare numbers are on m");
        return Axis::named(word);
    }

    Result<Axis> checked_axis(std::string_view text, Span span) {
        Cursor inner(text);
        if (inner.word() == text && !text.empty()) return Axis::named(text);
        return error_at(span, "TXT_EXPECTED", fmt::format("'{}' is not the name of an axis", text));
    }

    Cursor& at_;
    const SymbolValues& values_;
    Symbols symbols_;
};

} // namespace

Result<Layout> read_tirx(std::string_view text, const SymbolValues& values, Symbols symbols, std::size_t base) {
    Cursor cursor(text, base);
    LS_TRY(Layout layout, Reader(cursor, values, symbols).layout());
    LS_CHECK(cursor.require_end("terms are joined with '+'; shape and type follow a '|': S[512:1] | f16 [8, 64]"));
    return layout;
}

} // namespace ls::notation
