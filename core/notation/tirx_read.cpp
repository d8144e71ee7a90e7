// Reader of whole TIRx layouts: TileLayout(...), from_iters(...), ComposeLayout(...) and bare sums of S[...] and
// R[...].
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/notation/tirx_expression.h"
#include "core/notation/tirx_text.h"

namespace ls::notation {

namespace {

class Reader {
public:
    Reader(Cursor& cursor, const SymbolValues& values, Symbols symbols)
        : at_(cursor), expression_(cursor, values, symbols) {}

    Result<Layout> layout(int depth = 0) {
        LS_CHECK(expression_.check_depth(depth));
        const std::size_t begin = (at_.skip_space(), at_.position());
        expression_.accept_prefix();
        if (at_.accept("ComposeLayout")) return compose(begin, depth);
        if (at_.accept("TileLayout")) return tile_call(begin, depth);
        at_.rewind(begin);
        LS_TRY(const TirxNode spec, expression_.sum(depth));
        return finish(spec, begin);
    }

private:
    Result<Layout> finish(const TirxNode& spec, std::size_t begin) {
        if (spec.kind != TirxNode::Kind::Sum) {
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
        LS_TRY(const TirxNode spec, expression_.sum(depth + 1));
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
            expression_.accept_prefix();
            at_.accept("Iter");
            LS_CHECK(at_.require("(", "'(' of an iter (extent, stride, axis)"));
            LS_TRY(const TirxNode extent, expression_.sum(depth + 1));
            LS_CHECK(at_.require(",", "',' between extent and stride"));
            LS_TRY(const TirxNode stride, expression_.sum(depth + 1));
            LS_TRY(Iter iter, expression_.make_iter(extent, stride));
            if (at_.accept(",") && at_.peek() != ')') {
                LS_TRY(iter.axis, expression_.axis_name());
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
            LS_TRY(const Axis axis, expression_.axis_name());
            LS_CHECK(at_.require(":"));
            LS_TRY(const TirxNode amount, expression_.sum(depth + 1));
            LS_TRY(const Dim value, expression_.number(amount, "an offset"));
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

    Cursor& at_;
    TirxExpressionReader expression_;
};

} // namespace

Result<Layout> read_tirx(std::string_view text, const SymbolValues& values, Symbols symbols, std::size_t base) {
    Cursor cursor(text, base);
    LS_TRY(Layout layout, Reader(cursor, values, symbols).layout());
    LS_CHECK(cursor.require_end("terms are joined with '+'; shape and type follow a '|': S[512:1] | f16 [8, 64]"));
    return layout;
}

} // namespace ls::notation
