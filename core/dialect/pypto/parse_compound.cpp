// Statements with blocks, and what they yield.
#include <fmt/format.h>

#include "core/dialect/pypto/parser.h"

namespace ls::pypto {

using namespace ir;

namespace {

struct LoopName {
    std::string_view name;
    LoopKind kind;
};
constexpr LoopName kLoops[] = {
    {"pl.range", LoopKind::Range},       {"pl.parallel", LoopKind::Parallel}, {"pl.unroll", LoopKind::Unroll},
    {"pl.pipeline", LoopKind::Pipeline}, {"pl.spmd", LoopKind::Spmd},         {"pl.split_aiv", LoopKind::SplitAiv},
    {"range", LoopKind::Range},
};

} // namespace

bool Parser::take_results(std::optional<NamedYield> first, std::optional<NamedYield> second, std::vector<Var>& into) {
    if (!first) first.swap(second);
    if (!first) return true;
    if (second) {
        bool same = first->names.size() == second->names.size();
        for (std::size_t i = 0; same && i < first->names.size(); ++i)
            same = first->names[i].name == second->names[i].name;
        if (!same) {
            fail(second->span, "PYPTO_YIELD", "both branches must yield under the same names, in the same order");
            return false;
        }
    }
    for (std::size_t i = 0; i < first->names.size(); ++i) {
        Type type = first->types[i];
        if (type == nullptr && second) type = second->types[i];
        into.push_back(define(first->names[i].name, std::move(type), first->names[i].span));
    }
    named_yield_.reset();
    return true;
}

Stmt Parser::parse_if() {
    const std::size_t first = at_;
    next();
    auto n = std::make_shared<IfNode>();
    if ((n->condition = parse_expr()) == nullptr) return nullptr;
    n->span = span_from(first);
    if ((n->then_body = parse_block()) == nullptr) return nullptr;
    std::optional<NamedYield> then_yield = std::exchange(named_yield_, std::nullopt);
    std::optional<NamedYield> else_yield;
    if (is("elif")) {
        const Nest nest(*this);
        if (nest.too_deep()) return nullptr;
        std::vector<Stmt> nested(1);
        if ((nested[0] = parse_if()) == nullptr) return nullptr;
        n->else_body = seq(std::move(nested));
    } else if (accept("else")) {
        if ((n->else_body = parse_block()) == nullptr) return nullptr;
        else_yield = std::exchange(named_yield_, std::nullopt);
    }
    if (!take_results(std::move(then_yield), std::move(else_yield), n->results)) return nullptr;
    return seal(std::move(n));
}

/// The carried values: one initial value for each name.
bool Parser::carry(const std::vector<NameAt>& names, const std::vector<KeyValue>& kwargs, Span span,
                   std::vector<IterArg>& into) {
    std::vector<Expr> inits;
    for (const KeyValue& k : kwargs) {
        if (k.key != "init_values") continue;
        const auto* list = as<TupleNode>(k.value);
        if (list != nullptr)
            inits = list->elements;
        else
            inits.push_back(k.value);
    }
    if (inits.size() != names.size()) {
        fail(span, "PYPTO_CARRY",
             fmt::format("{} carried values are named, but init_values gives {}", names.size(), inits.size()),
             "give each carried value a name and an initial value");
        return false;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        into.push_back({define(names[i].name, type_of(inits[i]), names[i].span), std::move(inits[i])});
    }
    return true;
}

Stmt Parser::parse_for() {
    const std::size_t first = at_;
    next();
    std::vector<NameAt> names;
    if (accept("(")) {
        if (!parse_names(names, ")") || !expect("in", "a loop")) return nullptr;
        return parse_carried_while(std::move(names), first);
    }
    if (!is(TokenKind::Name))
        return fail_here(fmt::format("the loop's variable is expected here, but there is {}", found()));
    const NameAt variable{text(), here()};
    next();
    if (accept(",")) {
        if (is(TokenKind::Name)) { // for a, b in pl.while_(...): the parentheses may be left out
            names.push_back(variable);
            return parse_names(names, "in") ? parse_carried_while(std::move(names), first) : nullptr;
        }
        if (!expect("(", "the carried values of a loop") || !parse_names(names, ")")) return nullptr;
    }
    if (!expect("in", "a loop")) return nullptr;
    const std::size_t call_at = at_;
    Expr value = parse_expr();
    if (value == nullptr) return nullptr;
    auto n = std::make_shared<ForNode>();
    n->span = span_from(first);
    const auto* c = as<CallNode>(value);
    const LoopName* loop = nullptr;
    for (const LoopName& l : kLoops) {
        const std::string_view short_name = c != nullptr && c->callee == CalleeKind::Op
                                                ? l.name.substr(std::min<std::size_t>(3, l.name.size()))
                                                : l.name;
        if (c != nullptr && c->op == short_name && (c->callee == CalleeKind::Op) == (l.name.substr(0, 3) == "pl."))
            loop = &l;
    }
    if (loop == nullptr) {
        return fail(span_from(call_at), "PYPTO_LOOP", "this is not something to loop over",
                    "use pl.range, pl.parallel, pl.unroll, pl.pipeline, pl.spmd or pl.split_aiv");
    }
    std::vector<Expr> bounds = c->args;
    const bool by_name = loop->kind == LoopKind::Spmd && bounds.empty(); // pl.spmd(core_num=n) is pl.spmd(n)
    for (const KeyValue& k : c->kwargs) {
        if (by_name && k.key == "core_num") bounds.push_back(k.value);
    }
    if (bounds.empty() || bounds.size() > 3) {
        return fail(span_from(call_at), "PYPTO_LOOP",
                    fmt::format("a loop has one to three bounds, here are {}", bounds.size()),
                    "write stop, or start, stop, or start, stop, step");
    }
    n->loop = loop->kind;
    n->start = bounds.size() > 1 ? bounds[0] : const_int(0);
    n->stop = bounds.size() > 1 ? bounds[1] : bounds[0];
    n->step = bounds.size() > 2 ? bounds[2] : const_int(1);
    n->attrs = c->attrs;
    for (const KeyValue& k : c->kwargs) {
        if (k.key != "init_values" && !(by_name && k.key == "core_num")) n->kwargs.push_back(k);
    }
    if (!carry(names, c->kwargs, span_from(call_at), n->iter_args)) return nullptr;
    n->var = define(variable.name, scalar_type(scalar_dtype(n->start).value_or(DType::Index)), variable.span);
    if ((n->body = parse_block()) == nullptr) return nullptr;
    if (!take_results(std::exchange(named_yield_, std::nullopt), {}, n->results)) return nullptr;
    return seal(std::move(n));
}

Stmt Parser::parse_while() {
    const std::size_t first = at_;
    next();
    auto n = std::make_shared<WhileNode>();
    if ((n->condition = parse_expr()) == nullptr) return nullptr;
    n->span = span_from(first);
    if ((n->body = parse_block()) == nullptr) return nullptr;
    if (!take_results(std::exchange(named_yield_, std::nullopt), {}, n->results)) return nullptr;
    return seal(std::move(n));
}

/// for (a, b) in pl.while_(init_values=(x, y)): its block starts with pl.cond(condition).
Stmt Parser::parse_carried_while(std::vector<NameAt> names, std::size_t first) {
    const std::size_t call_at = at_;
    Expr value = parse_expr();
    if (value == nullptr) return nullptr;
    const auto* c = as<CallNode>(value);
    if (c == nullptr || !c->is_op("while_")) {
        return fail(span_from(call_at), "PYPTO_LOOP", "carried values without a loop variable belong to pl.while_");
    }
    auto n = std::make_shared<WhileNode>();
    n->span = span_from(first);
    if (!carry(names, c->kwargs, span_from(call_at), n->iter_args)) return nullptr;
    Seq body = parse_block();
    if (body == nullptr) return nullptr;
    const auto* head = body->stmts.empty() ? nullptr : as<EvalNode>(body->stmts[0]);
    const auto* condition = head != nullptr ? as<CallNode>(head->value) : nullptr;
    if (condition == nullptr || !condition->is_op("cond") || condition->args.size() != 1) {
        return fail(n->span, "PYPTO_LOOP", "the block of pl.while_ must start with pl.cond(condition)");
    }
    n->condition = condition->args[0];
    n->body = seq(std::vector<Stmt>(body->stmts.begin() + 1, body->stmts.end()), body->span);
    if (!take_results(std::exchange(named_yield_, std::nullopt), {}, n->results)) return nullptr;
    return seal(std::move(n));
}

Stmt Parser::parse_with() {
    struct Item {
        Expr scope;
        std::optional<NameAt> as;
    };
    const std::size_t first = at_;
    next();
    std::vector<Item> items;
    do {
        Item item{parse_expr(), {}};
        if (item.scope == nullptr) return nullptr;
        if (as<CallNode>(item.scope) == nullptr) {
            return fail(item.scope->span, "PYPTO_SYNTAX",
                        "a scope like pl.at(...) or pl.spmd(...) is expected after \"with\"");
        }
        if (accept("as")) {
            if (!is(TokenKind::Name)) return fail_here("a name is expected after \"as\"");
            item.as = NameAt{text(), here()};
            next();
        }
        items.push_back(std::move(item));
    } while (accept(","));
    const Span span = span_from(first);
    std::vector<Var> vars;
    for (const Item& item : items) vars.push_back(item.as ? define(item.as->name, nullptr, item.as->span) : Var{});
    Seq body = parse_block();
    if (body == nullptr) return nullptr;
    // A yield that ends a scope yields for the loop or branch around it: named_yield_ stays.
    Stmt out;
    for (std::size_t i = items.size(); i-- > 0;) {
        auto n = std::make_shared<WithNode>();
        n->span = span;
        n->scope = std::move(items[i].scope);
        n->var = std::move(vars[i]);
        n->body = out == nullptr ? std::move(body) : seq({std::move(out)});
        out = seal(std::move(n));
    }
    return out;
}

} // namespace ls::pypto
