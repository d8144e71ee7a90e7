// Loops, branches, regions and blocks.
#include <fmt/format.h>

#include "core/dialect/pto/parser.h"
#include "core/dialect/pto/spelling.h"
#include "core/dialect/pto/types.h"

namespace ls::pto {

using namespace ir;

namespace {

/// `%r:2` names r#0 and r#1; the uses say so too.
constexpr std::string_view kPackMark = "#";

} // namespace

std::vector<Var> Parser::define_results(const std::vector<ResultName>& names, const std::vector<TypeText>& types) {
    std::vector<Var> vars;
    for (const ResultName& name : names) {
        for (std::size_t i = 0; i < std::max<std::size_t>(name.count, 1); ++i) {
            std::string_view spelled = name.name;
            if (name.count > 0) spelled = names_.emplace_back(fmt::format("{}{}{}", name.name, kPackMark, i));
            vars.push_back(define(spelled, vars.size() < types.size() ? types[vars.size()] : TypeText{}, name.span));
        }
    }
    return vars;
}

Expr Parser::parse_value(std::string_view where) {
    if (!is(TokenKind::Value)) return fail_here(fmt::format("a value must stand {}, found {}", where, found()));
    Var var = known(text().substr(1));
    if (var == nullptr) {
        return fail(here(), "PTO_UNDEFINED", fmt::format("{} is not defined here", text()),
                    "define it before it is used, in this region or one around it");
    }
    next();
    return var;
}

/// iter_args(%a = %b, ...) -> (T, ...)
bool Parser::parse_carried(ForNode& loop) {
    if (!accept("iter_args")) return true;
    if (!expect("(", "behind iter_args")) return false;
    while (!is(")")) {
        if (!loop.iter_args.empty() && !expect(",", "between carried values")) return false;
        const Span span = here();
        const std::string_view name = text();
        if (!is(TokenKind::Value)) return fail_here("a carried value needs a name", "write %name = %value"), false;
        next();
        if (!expect("=", "behind the name of a carried value")) return false;
        const Expr init = parse_value("behind =");
        if (init == nullptr) return false;
        const auto& source = *as<VarNode>(init);
        loop.iter_args.push_back({make_var(name.substr(1), {source.type, text_of(source)}, span), init});
    }
    return expect(")", "behind the carried values");
}

Stmt Parser::parse_for(const std::vector<ResultName>& results, std::size_t first, std::vector<std::string>& behind) {
    next();
    auto loop = std::make_shared<ForNode>();
    const std::string_view name = text();
    const Span name_span = here();
    if (!is(TokenKind::Value)) return fail_here("scf.for must name its variable", "write scf.for %i = %lb to %ub step %s");
    next();
    if (!expect("=", "behind the loop's variable")) return {};
    if ((loop->start = parse_value("behind =")) == nullptr || !expect("to", "behind the first value")) return {};
    if ((loop->stop = parse_value("behind to")) == nullptr || !expect("step", "behind the last value")) return {};
    if ((loop->step = parse_value("behind step")) == nullptr) return {};
    if (!parse_carried(*loop)) return {};
    std::vector<TypeText> types;
    if (accept("->") && !parse_type_list(types)) return {};
    const auto* start = as<VarNode>(loop->start);
    TypeText type{start->type, text_of(*start)};
    if (accept(":")) {
        type = parse_type();
        if (type.type == nullptr) return {};
    }
    {
        Scope scope(*this);
        if (scope.too_deep()) return {};
        loop->var = define(name.substr(1), type, name_span);
        for (const IterArg& carried : loop->iter_args) bind(carried.var, carried.var->span);
        if ((loop->body = parse_region("scf.for")) == nullptr) return {};
    }
    if (is("{")) behind.push_back(take_attributes_text());
    loop->results = define_results(results, types);
    if (loop->results.size() != loop->iter_args.size()) {
        return fail(span_from(first), "PTO_RESULTS",
                    fmt::format("the loop carries {} values and names {} results", loop->iter_args.size(),
                                loop->results.size()),
                    "name one result for each carried value");
    }
    loop->span = span_from(first);
    return seal(std::move(loop));
}

Stmt Parser::parse_if(const std::vector<ResultName>& results, std::size_t first, std::vector<std::string>& behind) {
    next();
    auto branch = std::make_shared<IfNode>();
    if ((branch->condition = parse_value("behind scf.if")) == nullptr) return {};
    std::vector<TypeText> types;
    if (accept("->") && !parse_type_list(types)) return {};
    {
        Scope scope(*this);
        if (scope.too_deep() || (branch->then_body = parse_region("scf.if")) == nullptr) return {};
    }
    if (accept("else")) {
        Scope scope(*this);
        if (scope.too_deep() || (branch->else_body = parse_region("else")) == nullptr) return {};
    }
    if (is("{")) behind.push_back(take_attributes_text());
    branch->results = define_results(results, types);
    if (branch->results.size() != types.size()) {
        return fail(span_from(first), "PTO_RESULTS",
                    fmt::format("the branch answers {} values and names {} results", types.size(),
                                branch->results.size()),
                    "name one result for each type behind ->");
    }
    branch->span = span_from(first);
    return seal(std::move(branch));
}

/// An operation with regions: With(op, [statements]), or With(op, [With(region, ...), ...]) where it has several.
Stmt Parser::region_stmt(Generic& g, std::vector<KeyValue> attrs, const std::vector<Var>& results) {
    if (!results.empty()) attrs.push_back({std::string(spelling::kResults), lambda(results, none())});
    if (!g.definitions.empty()) attrs.push_back({std::string(spelling::kArgs), lambda(g.definitions, none())});
    const Span span = span_from(g.first);
    auto with = std::make_shared<WithNode>();
    with->span = span;
    with->scope = call(g.op, std::move(g.args), std::move(g.attributes), std::move(attrs), {}, span);
    if (g.regions.size() == 1) {
        with->body = g.regions[0];
    } else {
        std::vector<Stmt> parts;
        for (const Seq& region : g.regions) {
            auto part = std::make_shared<WithNode>();
            part->span = region->span;
            part->scope = call(std::string(spelling::kRegion), {});
            part->body = region;
            parts.push_back(seal(std::move(part)));
        }
        with->body = seq(std::move(parts), span);
    }
    return seal(std::move(with));
}

/// { statements }
Seq Parser::parse_region(std::string_view what) {
    const std::size_t first = at_;
    if (!expect("{", fmt::format("before the body of {}", what))) return {};
    std::vector<Stmt> stmts;
    parse_stmts(stmts);
    if (!is("}")) {
        return fail(span_from(first), "PTO_BRACKET", fmt::format("the body of {} is never closed", what),
                    "close it with '}'");
    }
    next();
    return seq(std::move(stmts), span_from(first));
}

void Parser::parse_stmts(std::vector<Stmt>& out) {
    while (!is(TokenKind::End) && !is("}")) {
        if (errors_ >= dialect::kMaxErrors) {
            at_ = tokens_.size() - 1;
            return;
        }
        const std::size_t first = at_;
        if (!parse_op(out)) recover(first);
    }
    if (std::vector<std::string> last = comments_here(); !last.empty()) {
        auto comment = std::make_shared<CommentNode>();
        comment->comments = std::move(last);
        out.push_back(seal(std::move(comment)));
    }
}

/// ^bb0(%x: T, ...): and the operations up to the next label.
Stmt Parser::parse_block() {
    const std::size_t first = at_;
    const std::string label(text());
    next();
    std::vector<Var> args;
    if (accept("(")) {
        while (!is(")")) {
            if (!args.empty() && !expect(",", "between a block's values")) return {};
            const Span span = here();
            const std::string_view name = text();
            if (!is(TokenKind::Value)) return fail_here("a block's value needs a name", "write ^bb0(%x: index):");
            next();
            if (!expect(":", "behind the name of a block's value")) return {};
            const TypeText type = parse_type();
            if (type.type == nullptr) return {};
            args.push_back(define(name.substr(1), type, span));
        }
        next();
    }
    if (!expect(":", "behind a block's label")) return {};
    std::vector<Stmt> stmts;
    while (!is(TokenKind::End) && !is("}") && !is(TokenKind::Label)) {
        if (errors_ >= dialect::kMaxErrors) return {};
        const std::size_t begin = at_;
        if (!parse_op(stmts)) recover(begin);
    }
    std::vector<KeyValue> attrs;
    if (!args.empty()) attrs.push_back({std::string(spelling::kArgs), lambda(args, none())});
    auto with = std::make_shared<WithNode>();
    with->span = span_from(first);
    with->scope = call(label, {}, {}, std::move(attrs));
    with->body = seq(std::move(stmts), with->span);
    return seal(std::move(with));
}

/// To the next line that begins an operation, on this level; behind `first` in any case.
void Parser::recover(std::size_t first) {
    int depth = 0;
    if (at_ == first) next();
    while (!is(TokenKind::End)) {
        if (depth <= 0 && peek().line_start && !is("}") && starts_op(at_)) return;
        if (is("{")) ++depth;
        if (is("}") && --depth < 0) return;
        next();
    }
}

} // namespace ls::pto
