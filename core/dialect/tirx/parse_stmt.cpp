// Statements and their blocks.
#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/dialect/tirx/ops.h"
#include "core/dialect/tirx/parser.h"

namespace ls::tirx {

using namespace ir;

// --- blocks

void Parser::add(Block& block, Stmt stmt) {
    if (!comments_.empty()) stmt = with_comments(stmt, std::exchange(comments_, {}));
    block.stmts.push_back(std::move(stmt));
}

bool Parser::open_scope(Block& block, Expr scope, Var var, Span span) {
    if (block.open.size() >= static_cast<std::size_t>(kMaxNesting)) {
        fail(span, "IR_TOO_DEEP", "more than 200 attribute statements hold each other in this block",
             "put them into one T.attr({...})");
        return false;
    }
    block.open.push_back(
        {std::move(scope), std::move(var), std::exchange(block.stmts, {}), std::exchange(comments_, {}), span});
    return true;
}

namespace {

const DictNode* attribute_dict(const Expr& scope) {
    const auto* c = as<CallNode>(scope);
    return c != nullptr && c->is_op("attr") && c->args.size() == 1 ? as<DictNode>(c->args[0]) : nullptr;
}

/// Attributes that hold nothing but further attributes are one T.attr({...}).
Expr merged(const Expr& outer, const Seq& body, Seq& inner_body) {
    const auto* only = body->stmts.size() == 1 ? as<WithNode>(body->stmts[0]) : nullptr;
    const DictNode* first = attribute_dict(outer);
    const DictNode* second = only != nullptr && only->comments.empty() ? attribute_dict(only->scope) : nullptr;
    inner_body = body;
    if (first == nullptr || second == nullptr) return outer;
    std::vector<KeyValue> entries = first->entries;
    entries.insert(entries.end(), second->entries.begin(), second->entries.end());
    inner_body = only->body;
    return call("attr", {dict(std::move(entries), outer->span)}, {}, {}, {}, outer->span);
}

Stmt make_with(const Expr& scope, Var var, const Seq& body, Span span) {
    auto made = std::make_shared<WithNode>();
    made->scope = merged(scope, body, made->body);
    made->var = std::move(var);
    made->span = span;
    return seal(std::move(made));
}

} // namespace

Seq Parser::close_block(Block& block) {
    Seq body = seq(std::move(block.stmts));
    while (!block.open.empty()) {
        Block::Open open = std::move(block.open.back());
        block.open.pop_back();
        Stmt made = make_with(open.scope, std::move(open.var), body, open.span);
        if (!open.comments.empty()) made = with_comments(made, std::move(open.comments));
        open.before.push_back(std::move(made));
        body = seq(std::move(open.before));
    }
    return body;
}

Seq Parser::parse_block(std::string_view what) {
    const Nest nest(*this);
    if (nest.too_deep()) return nullptr;
    if (!expect(":", what)) return nullptr;
    const Scope mark = enter_scope();
    Block block;
    if (is(TokenKind::Newline) || is(TokenKind::Trailing)) {
        while (is(TokenKind::Newline) || is(TokenKind::Trailing) || is(TokenKind::Comment)) {
            if (is(TokenKind::Comment))
                comments_.push_back(std::string(text().substr(text().starts_with("# ") ? 2 : 1)));
            next();
        }
        if (!is(TokenKind::Indent)) {
            leave_scope(mark);
            return fail_here(fmt::format("an indented block is expected after {}", what));
        }
        next();
        parse_statements(block);
        if (is(TokenKind::Dedent)) next();
    } else if (!parse_statement(block)) { // if x: break
        skip_statement();
    }
    comments_.clear();
    leave_scope(mark);
    return close_block(block);
}

void Parser::parse_statements(Block& block) {
    while (!is(TokenKind::Dedent) && !is(TokenKind::End) && errors_ < kMaxErrors) {
        if (is(TokenKind::Newline) || is(TokenKind::Trailing) || is(";")) {
            next();
        } else if (is(TokenKind::Comment)) {
            comments_.push_back(std::string(text().substr(text().starts_with("# ") ? 2 : 1)));
            next();
        } else if (is(TokenKind::Indent)) {
            fail_here("this line is indented more than the one before it");
            skip_block();
        } else if (!parse_statement(block)) {
            comments_.clear();
            skip_statement();
        }
    }
}

/// Past the end of the line, and of the block below it.
void Parser::skip_statement() {
    while (!is(TokenKind::Newline) && !is(TokenKind::End) && !is(TokenKind::Dedent) && !is(TokenKind::Indent)) next();
    if (is(TokenKind::Newline)) next();
    while (is(TokenKind::Comment)) next();
    if (is(TokenKind::Indent)) skip_block();
}

void Parser::skip_block() {
    std::size_t depth = 0;
    do {
        if (is(TokenKind::Indent)) ++depth;
        if (is(TokenKind::Dedent)) --depth;
        if (is(TokenKind::End)) return;
        next();
    } while (depth > 0);
}

bool Parser::end_statement() {
    if (is(TokenKind::Newline) || is(TokenKind::Trailing) || is(";") || is(TokenKind::End) || is(TokenKind::Dedent)) {
        return true;
    }
    fail_here(fmt::format("the end of the statement is expected, but there is {}", found()));
    return false;
}

bool Parser::parse_statement(Block& block) {
    const std::size_t first = at_;
    const auto simple = [&](auto made) {
        next();
        made->span = span_from(first);
        add(block, seal(std::move(made)));
        return end_statement();
    };
    if (is(TokenKind::String)) { // a docstring
        next();
        return end_statement();
    }
    if (is("pass")) {
        next();
        return end_statement();
    }
    if (is("if")) return parse_if(block);
    if (is("for")) return parse_for(block);
    if (is("while")) return parse_while(block);
    if (is("with")) return parse_with(block);
    if (is("assert")) return parse_assert(block);
    if (is("return")) return parse_return(block);
    if (is("break")) return simple(std::make_shared<BreakNode>());
    if (is("continue")) return simple(std::make_shared<ContinueNode>());
    if (is("def") || is("class") || is("@") || is("import") || is("from") || is("try") || is("global") ||
        is("nonlocal") || is("del") || is("raise") || is("async")) {
        fail(here(), "TIRX_UNSUPPORTED", fmt::format("\"{}\" runs in Python before the program exists", text()),
             "print the program with mod.script() and read that text");
        return false;
    }
    if (is(TokenKind::Name) && is(":", 1)) return parse_annotated(block);
    if (const auto names = accept_targets()) return parse_assignment(block, *names, first);
    return parse_expression_statement(block);
}

bool Parser::parse_if(Block& block) {
    const std::size_t first = at_;
    std::vector<std::string> comments = std::exchange(comments_, {});
    next();
    Expr condition = parse_expr();
    if (condition == nullptr) return false;
    Seq then_body = parse_block("if");
    if (then_body == nullptr) return false;
    Seq else_body;
    if (is("elif")) {
        const Nest nest(*this);
        if (nest.too_deep()) return false;
        Block inner;
        if (!parse_if(inner)) return false;
        else_body = close_block(inner);
    } else if (is("else")) {
        next();
        else_body = parse_block("else");
        if (else_body == nullptr) return false;
    }
    comments_ = std::move(comments);
    add(block, if_then(std::move(condition), std::move(then_body), std::move(else_body), {}, span_from(first)));
    return true;
}

/// What stands after `in`; for T.grid the extents of all loops.
bool Parser::parse_loop_header(ForNode& loop, std::vector<Expr>& extents) {
    Arguments a;
    const std::size_t first = at_;
    std::string_view kind;
    if (is("range")) {
        kind = "range";
        next();
    } else if (is(TokenKind::Name) && is_dialect_prefix(text()) && is(".", 1)) {
        kind = text(peek(2));
        next();
        next();
        next();
    }
    struct Kind {
        std::string_view name;
        LoopKind kind;
    };
    constexpr Kind kKinds[] = {
        {"range", LoopKind::Range},   {"serial", LoopKind::Range},          {"parallel", LoopKind::Parallel},
        {"unroll", LoopKind::Unroll}, {"vectorized", LoopKind::Vectorized}, {"thread_binding", LoopKind::ThreadBinding},
        {"grid", LoopKind::Grid}};
    const auto* found_kind =
        std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& k) { return k.name == kind; });
    if (found_kind == std::end(kKinds) || !is("(")) {
        fail({peek().begin, peek().end}, "TIRX_LOOP",
             "a loop runs over range, T.serial, T.parallel, T.unroll, "
             "T.vectorized, T.thread_binding or T.grid",
             "loops over other Python values are not part of the program");
        return false;
    }
    if (!parse_arguments(a)) return false;
    loop.loop = found_kind->kind;
    if (loop.loop == LoopKind::Grid) {
        loop.loop = LoopKind::Range;
        extents = std::move(a.args);
        return true;
    }
    Expr step = a.take("step");
    if (step == nullptr && kind == "range" && a.args.size() > 2) step = a.args[2];
    if (const Expr start = a.take("start")) a.args.insert(a.args.begin(), start);
    if (const Expr stop = a.take("stop")) a.args.push_back(stop);
    if (a.args.empty() || a.args.size() > 3) {
        fail(span_from(first), "TIRX_LOOP",
             fmt::format("a loop has a start and a stop, and {} values are written", a.args.size()));
        return false;
    }
    const DType dtype = expr_dtype(a.args.back()).value_or(DType::Int32);
    loop.start = a.args.size() > 1 ? a.args[0] : const_int(0, dtype);
    loop.stop = a.args.size() > 1 ? a.args[1] : a.args[0];
    loop.step = step != nullptr && step->kind != NodeKind::None ? step : const_int(1, dtype);
    if (const Expr unroll = a.take("unroll"); unroll != nullptr && unroll->kind != NodeKind::None) {
        const auto* flag = as<ConstBoolNode>(unroll);
        const bool off = flag != nullptr && !flag->value;
        a.kwargs.push_back(
            {"annotations", dict({{off ? "disable_unroll" : "pragma_unroll", off ? const_bool(true) : unroll}})});
    }
    for (KeyValue& k : a.kwargs) {
        if (k.value->kind != NodeKind::None) loop.kwargs.push_back(std::move(k));
    }
    return true;
}

bool Parser::parse_for(Block& block) {
    const std::size_t first = at_;
    std::vector<std::string> comments = std::exchange(comments_, {});
    next();
    Names names;
    const bool bracket = accept("(");
    while (is(TokenKind::Name)) {
        names.emplace_back(text(), here());
        next();
        if (!accept(",")) break;
    }
    if (bracket && !expect(")", "a loop")) return false;
    if (names.empty()) {
        fail_here("the variable of the loop is expected");
        return false;
    }
    if (!expect("in", "a loop")) return false;
    auto loop = std::make_shared<ForNode>();
    std::vector<Expr> extents;
    if (!parse_loop_header(*loop, extents)) return false;
    if (extents.empty() ? names.size() != 1 : names.size() != extents.size()) {
        fail(names[0].second, "TIRX_LOOP",
             fmt::format("{} variables for {} loops", names.size(), extents.empty() ? 1 : extents.size()));
        return false;
    }
    const Scope mark = enter_scope();
    std::vector<Var> vars;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Expr& extent = extents.empty() ? loop->stop : extents[i];
        vars.push_back(define(names[i].first, scalar_type(expr_dtype(extent).value_or(DType::Int32)), names[i].second));
    }
    Seq body = parse_block("for");
    leave_scope(mark);
    if (body == nullptr) return false;
    loop->span = span_from(first);
    if (extents.empty()) {
        loop->var = vars[0];
        loop->body = std::move(body);
        comments_ = std::move(comments);
        add(block, seal(std::move(loop)));
        return true;
    }
    Stmt inner;
    for (std::size_t i = extents.size(); i-- > 0;) {
        auto one = std::make_shared<ForNode>();
        const DType dtype = expr_dtype(extents[i]).value_or(DType::Int32);
        one->loop = LoopKind::Range;
        one->var = vars[i];
        const auto* bounds = as<TupleNode>(extents[i]); // (start, stop)
        const bool both = bounds != nullptr && bounds->elements.size() == 2;
        one->start = both ? bounds->elements[0] : const_int(0, dtype);
        one->stop = both ? bounds->elements[1] : extents[i];
        one->step = const_int(1, dtype);
        one->body = inner == nullptr ? body : seq({inner});
        one->span = loop->span;
        inner = seal(std::move(one));
    }
    comments_ = std::move(comments);
    add(block, std::move(inner));
    return true;
}

bool Parser::parse_while(Block& block) {
    const std::size_t first = at_;
    std::vector<std::string> comments = std::exchange(comments_, {});
    next();
    auto loop = std::make_shared<WhileNode>();
    loop->condition = parse_expr();
    if (loop->condition == nullptr) return false;
    loop->body = parse_block("while");
    if (loop->body == nullptr) return false;
    loop->span = span_from(first);
    comments_ = std::move(comments);
    add(block, seal(std::move(loop)));
    return true;
}

bool Parser::parse_with(Block& block) {
    const std::size_t first = at_;
    std::vector<std::string> comments = std::exchange(comments_, {});
    next();
    struct Item {
        Expr scope;
        Var var;
    };
    std::vector<Item> items;
    const Scope mark = enter_scope();
    bool ok = true;
    do {
        const std::size_t item_first = at_;
        Item item;
        if (const auto tile = accept_tile_name()) {
            item.scope = parse_tile_call(tile->op, tile->scope, item_first);
        } else {
            item.scope = parse_expr();
        }
        ok = item.scope != nullptr;
        if (ok && accept("as")) {
            if (!is(TokenKind::Name)) {
                fail_here("a name is expected after \"as\"");
                ok = false;
                break;
            }
            item.var = define(text(), scalar_type(DType::Int32), here());
            next();
        }
        if (ok) items.push_back(std::move(item));
    } while (ok && accept(","));
    Seq body = ok && items.size() <= kMaxNesting ? parse_block("with") : nullptr;
    leave_scope(mark);
    if (body == nullptr) return false;
    Stmt made;
    for (std::size_t i = items.size(); i-- > 0;) {
        made = make_with(items[i].scope, items[i].var, made == nullptr ? body : seq({made}), span_from(first));
    }
    comments_ = std::move(comments);
    add(block, std::move(made));
    return true;
}

bool Parser::parse_assert(Block& block) {
    const std::size_t first = at_;
    next();
    auto made = std::make_shared<AssertNode>();
    made->condition = parse_expr();
    if (made->condition == nullptr) return false;
    if (accept(",")) {
        made->message = parse_expr();
        if (made->message == nullptr) return false;
    }
    // A bare text is a RuntimeError of one part.
    if (made->message != nullptr && made->message->kind == NodeKind::String) {
        made->message = tuple({string("RuntimeError"), tuple({made->message})}, made->message->span, true);
    }
    made->span = span_from(first);
    add(block, seal(std::move(made)));
    return end_statement();
}

bool Parser::parse_return(Block& block) {
    const std::size_t first = at_;
    next();
    std::vector<Expr> values;
    if (!is(TokenKind::Newline) && !is(TokenKind::Trailing) && !is(TokenKind::End) && !is(TokenKind::Dedent)) {
        Expr value = parse_expr();
        if (value == nullptr) return false;
        if (value->kind != NodeKind::None) values.push_back(std::move(value));
    }
    add(block, return_values(std::move(values), span_from(first)));
    return end_statement();
}

void Parser::store(Block& block, Expr target, Expr value, Span span) {
    // A bare number takes the type of what it is stored into.
    value = as_dtype(value, expr_dtype(target));
    add(block, ir::store(std::move(target), std::move(value), span));
}

/// Calls, and stores into elements: buf[i] = x, buf[i] += x.
bool Parser::parse_expression_statement(Block& block) {
    const std::size_t first = at_;
    if (const auto tile = accept_tile_name()) {
        Expr made = parse_tile_call(tile->op, tile->scope, first);
        if (made == nullptr) return false;
        add(block, eval(std::move(made), span_from(first)));
        return end_statement();
    }
    Expr value = parse_expr();
    if (value == nullptr) return false;
    struct Augmented {
        std::string_view spelling;
        BinaryOp op;
    };
    constexpr Augmented kAugmented[] = {{"+=", BinaryOp::Add},    {"-=", BinaryOp::Sub},       {"*=", BinaryOp::Mul},
                                        {"/=", BinaryOp::Div},    {"//=", BinaryOp::FloorDiv}, {"%=", BinaryOp::Mod},
                                        {"&=", BinaryOp::BitAnd}, {"|=", BinaryOp::BitOr},     {"^=", BinaryOp::BitXor},
                                        {"<<=", BinaryOp::Shl},   {">>=", BinaryOp::Shr}};
    const auto* augmented =
        std::find_if(std::begin(kAugmented), std::end(kAugmented), [&](const Augmented& x) { return is(x.spelling); });
    if (is("=") || augmented != std::end(kAugmented)) {
        const bool plain = is("=");
        if (value->kind != NodeKind::Subscript) {
            fail(value->span, "TIRX_SYNTAX", "only names and elements of buffers can be assigned to");
            return false;
        }
        next();
        Expr stored = parse_expr();
        if (stored == nullptr) return false;
        if (!plain) {
            stored = checked(make_binary(augmented->op, value, stored, span_from(first)));
            if (stored == nullptr) return false;
        }
        store(block, std::move(value), std::move(stored), span_from(first));
        return end_statement();
    }
    const Span span = span_from(first);
    const auto* c = as<CallNode>(value);
    if (c == nullptr || c->callee != CalleeKind::Op) {
        add(block, eval(std::move(value), span));
        return end_statement();
    }
    if (c->op == "func_attr") {
        const auto* entries = c->args.size() == 1 ? as<DictNode>(c->args[0]) : nullptr;
        if (entries == nullptr || attributes_ == nullptr) {
            fail(span, "TIRX_ARGUMENT", "T.func_attr takes one dictionary");
            return false;
        }
        attributes_->insert(attributes_->end(), entries->entries.begin(), entries->entries.end());
        return end_statement();
    }
    if (c->op == "device_entry") {
        value = call("attr", {dict({{"tirx.device_entry", const_int(1, DType::Bool)}})}, {}, {}, {}, span);
        return end_statement() && open_scope(block, std::move(value), nullptr, span);
    }
    if (c->op == "attr" || c->op == "launch_thread" || c->op == "hint") {
        return end_statement() && open_scope(block, std::move(value), nullptr, span);
    }
    if (c->op == "evaluate" && c->args.size() == 1) value = c->args[0];
    if (c->op == "buffer_store" && c->args.size() == 3) {
        const auto* indices = as<TupleNode>(c->args[2]);
        Expr target =
            subscript(c->args[0], indices != nullptr ? indices->elements : std::vector<Expr>{c->args[2]}, span);
        store(block, std::move(target), c->args[1], span);
        return end_statement();
    }
    add(block, eval(std::move(value), span));
    return end_statement();
}

} // namespace ls::tirx
