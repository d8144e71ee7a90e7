// Layouts inside programs: the text goes to the layout reader; its symbols are variables of the program.
#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/dims.h"
#include "core/dialect/tirx/parser.h"
#include "core/layout/symbol.h"
#include "core/notation/tirx_text.h"

namespace ls::tirx {

using namespace ir;

std::size_t Parser::after_bracket(std::size_t open) const {
    std::size_t depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
        const std::uint64_t w = tokens_[i].word;
        if (w == pypto::word("(") || w == pypto::word("[") || w == pypto::word("{")) ++depth;
        if (w == pypto::word(")") || w == pypto::word("]") || w == pypto::word("}")) {
            if (--depth == 0) return i + 1;
        }
    }
    return tokens_.size() - 1;
}

/// From `first` (a dialect prefix or the layout's own first name) up to where the sum of terms ends.
Expr Parser::parse_layout(std::size_t first) {
    std::size_t end = at_;
    const bool bare = text(tokens_[end]) == "S" || text(tokens_[end]) == "R";
    const auto term_end = [&](std::size_t from) {
        while (from < tokens_.size() && tokens_[from].word != pypto::word("(") &&
               tokens_[from].word != pypto::word("[") && tokens_[from].kind != TokenKind::Newline &&
               tokens_[from].kind != TokenKind::End) {
            ++from;
        }
        return from < tokens_.size() && tokens_[from].kind == TokenKind::Punct ? after_bracket(from) : from;
    };
    end = term_end(end);
    // S[...] + R[...] + 4@laneid without TileLayout(...) around it: up to the end of the argument or line.
    if (bare) {
        while (end + 1 < tokens_.size() && tokens_[end].kind != TokenKind::Newline &&
               tokens_[end].kind != TokenKind::Trailing && tokens_[end].kind != TokenKind::End &&
               tokens_[end].word != pypto::word(",") && tokens_[end].word != pypto::word(")") &&
               tokens_[end].word != pypto::word("}")) {
            const bool opens = tokens_[end].word == pypto::word("(") || tokens_[end].word == pypto::word("[");
            end = opens ? after_bracket(end) : end + 1;
        }
    }
    const Span span{tokens_[first].begin, end > first ? tokens_[end - 1].end : tokens_[first].end};
    at_ = std::min(end, tokens_.size() - 1);
    Result<Layout> layout =
        notation::read_tirx(source_.substr(span.begin, span.end - span.begin), {}, notation::Symbols::Keep, span.begin);
    if (!layout) return fail(std::move(layout).error());
    auto resolved = resolve(*layout, span);
    return resolved ? layout_value(std::move(*resolved), span) : nullptr;
}

namespace {

/// The layout with each of its numbers changed by `change`; false when one could not be.
template <class Change>
bool change_numbers(TileLayout& tile, Change&& change) {
    for (std::vector<Iter>* iters : {&tile.shard, &tile.replica}) {
        for (Iter& i : *iters) {
            if (!change(i.extent) || !change(i.stride)) return false;
        }
    }
    for (auto& [axis, amount] : tile.offset) {
        if (!change(amount)) return false;
    }
    return true;
}

} // namespace

std::optional<Layout> Parser::resolve(const Layout& layout, Span span) {
    if (layout.is_constant()) return layout;
    TileLayout tile = layout.tile();
    const auto change = [&](Dim& dim) {
        if (dim.is_constant()) return true;
        bool known = true;
        dim = substitute(dim, [&](std::string_view name) -> std::optional<Dim> {
            const Binding* binding = find(name);
            if (binding == nullptr) {
                if (known) undefined(name, span);
                known = false;
                return {};
            }
            const auto value = to_dim(binding->alias != nullptr ? binding->alias : Expr(binding->var));
            if (!value && known) {
                fail(span, "TIRX_TYPE", fmt::format("\"{}\" is no whole number, but this layout counts with it", name),
                     "layouts count with loop variables, parameters and ids");
            }
            known = known && value.has_value();
            return value;
        });
        return known;
    };
    if (!change_numbers(tile, change)) return {};
    Result<Layout> made = layout.is_compose() ? Result<Layout>(layout.with_tile(tile)) : make_layout(tile);
    if (made) return std::move(*made);
    Diagnostic why = std::move(made).error();
    if (why.span.empty()) why.span = span;
    fail(std::move(why));
    return {};
}

} // namespace ls::tirx
