// Statements and their blocks.
#include <fmt/format.h>

#include "core/dialect/pypto/parser.h"
#include "core/ir/equality.h"

namespace ls::pypto {

using namespace ir;

Type type_of(const Expr& value) {
    if (const auto* v = as<VarNode>(value)) return v->type;
    return infer_type(value);
}

// --- names

Var Parser::lookup(std::string_view name, Span span) {
    if (const auto local = scope_.find(name); local != scope_.end()) return local->second;
    if (const auto global = globals_.find(name); global != globals_.end()) return global->second;
    warn(span, "PYPTO_UNDEFINED", fmt::format("\"{}\" is not defined before this", name),
         "it is taken as a value that is known only when the program runs");
    Var free = var(std::string(name), nullptr, span);
    bind(name, free);
    return free;
}

Var Parser::define(std::string_view name, Type type, Span span) {
    Var v = var(std::string(name), std::move(type), span);
    bind(name, v);
    return v;
}

Var Parser::assigned(std::string_view name, const Type& type, Span span) {
    const auto known = scope_.find(name);
    if (known != scope_.end()) {
        const Type& old = known->second->type;
        if (type == nullptr || old == nullptr || structurally_equal(old, type)) {
            if (old != nullptr || type == nullptr) return known->second;
        }
    }
    return define(name, type, span);
}

// --- comments

void Parser::take_comments() {
    for (; is(TokenKind::Comment) || is(TokenKind::Trailing); next()) {
        std::string_view line = text().substr(1);
        if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
        pending_comments_.push_back({std::string(line), peek().column});
    }
}

std::vector<std::string> Parser::comments_for_stmt() {
    std::vector<std::string> lines;
    lines.reserve(pending_comments_.size());
    for (PendingComment& c : pending_comments_) lines.push_back(std::move(c.text));
    pending_comments_.clear();
    return lines;
}

// --- recovery

/// Skips an Indent and everything up to its Dedent.
void Parser::skip_block() {
    int depth = 0;
    do {
        if (is(TokenKind::Indent)) ++depth;
        if (is(TokenKind::Dedent)) --depth;
        next();
    } while (depth > 0 && !is(TokenKind::End));
}

/// Skips what is left of the logical line, and the block under it.
void Parser::recover() {
    while (!is(TokenKind::Newline) && !is(TokenKind::End) && !is(TokenKind::Dedent)) next();
    if (is(TokenKind::Newline)) next();
    std::size_t ahead = 0;
    while (peek(ahead).kind == TokenKind::Comment) ++ahead;
    if (peek(ahead).kind == TokenKind::Indent) {
        at_ += ahead;
        skip_block();
    }
    named_yield_.reset();
    pending_comments_.clear();
}

// --- blocks

Seq Parser::parse_block() {
    const Nest nest(*this);
    if (nest.too_deep() || !expect(":", "the line that opens a block")) return nullptr;
    named_yield_.reset();
    std::vector<Stmt> stmts;
    const std::size_t line = at_;
    if (!is(TokenKind::Newline) && !is(TokenKind::Trailing)) { // if x: break
        if (!parse_line(stmts)) return nullptr;
        return seq(std::move(stmts), span_from(line));
    }
    take_comments();
    if (is(TokenKind::Newline)) next();
    take_comments();
    if (!is(TokenKind::Indent)) {
        return fail_here("an indented block is expected here",
                         "indent its lines by four more columns; an empty block is \"pass\"");
    }
    const std::uint32_t column = peek().column;
    next();
    const std::size_t first = at_;
    while (true) {
        take_comments();
        if (is(TokenKind::Dedent) || is(TokenKind::End)) break;
        if (is(TokenKind::Indent)) {
            fail_here("this line is indented more than the block that it stands in",
                      fmt::format("indent it by {} columns", column));
            skip_block();
        } else if (!parse_stmt(stmts)) {
            recover();
        }
        if (errors_ >= kMaxErrors) return nullptr;
    }
    // Comment lines at the end belong to this block if they are indented like it, else to what follows it.
    auto trailing = std::make_shared<CommentNode>();
    std::vector<PendingComment> later;
    for (PendingComment& c : pending_comments_) {
        if (c.column >= column && later.empty())
            trailing->comments.push_back(std::move(c.text));
        else
            later.push_back(std::move(c));
    }
    pending_comments_ = std::move(later);
    if (!trailing->comments.empty()) stmts.push_back(seal(std::move(trailing)));
    const Span span = span_from(first);
    if (is(TokenKind::Dedent)) next();
    return seq(std::move(stmts), span);
}

bool Parser::parse_stmt(std::vector<Stmt>& out) {
    std::vector<std::string> comments = comments_for_stmt();
    named_yield_.reset();
    const std::size_t before = out.size();
    if (is("if") || is("for") || is("while") || is("with")) {
        Stmt compound = is("if") ? parse_if() : is("for") ? parse_for() : is("while") ? parse_while() : parse_with();
        if (compound == nullptr) return false;
        out.push_back(std::move(compound));
    } else {
        if (!parse_line(out)) return false;
        for (std::string& line : comments_for_stmt())
            comments.push_back(std::move(line)); // behind the code, or a doc string
    }
    if (comments.empty()) return true;
    if (out.size() > before) {
        out[before] = with_comments(out[before], std::move(comments));
    } else {
        for (std::string& line : comments) pending_comments_.push_back({std::move(line), UINT32_MAX});
    }
    return true;
}

/// One logical line: simple statements between semicolons.
bool Parser::parse_line(std::vector<Stmt>& out) {
    do {
        if (is(TokenKind::Newline)) break;
        if (!parse_simple(out)) return false;
    } while (accept(";"));
    if (is(TokenKind::Trailing)) take_comments();
    if (is(TokenKind::Newline)) {
        next();
        return true;
    }
    if (is(TokenKind::End) || is(TokenKind::Dedent)) return true;
    fail_here(fmt::format("the statement should end here, but there is {}", found()));
    return false;
}

bool Parser::parse_simple(std::vector<Stmt>& out) {
    const std::size_t first = at_;
    if (accept("pass") || accept("...")) return true;
    if (is("break") || is("continue")) {
        const bool leave = is("break");
        next();
        const auto placed = [&](auto node) -> Stmt {
            node->span = span_from(first);
            return seal(std::move(node));
        };
        out.push_back(leave ? placed(std::make_shared<BreakNode>()) : placed(std::make_shared<ContinueNode>()));
        return true;
    }
    if (accept("return")) {
        std::vector<Expr> values;
        while (!is(TokenKind::Newline) && !is(TokenKind::Trailing) && !is(TokenKind::End) && !is(";")) {
            Expr value = parse_expr();
            if (value == nullptr) return false;
            values.push_back(std::move(value));
            if (!accept(",")) break;
        }
        // return (a, b) is return a, b
        if (const auto* t = values.size() == 1 ? as<TupleNode>(values[0]) : nullptr; t != nullptr && t->parentheses) {
            values = std::vector<Expr>(t->elements);
        }
        out.push_back(return_values(std::move(values), span_from(first)));
        return true;
    }
    if (accept("assert")) {
        auto n = std::make_shared<AssertNode>();
        if ((n->condition = parse_expr()) == nullptr) return false;
        if (accept(",") && (n->message = parse_expr()) == nullptr) return false;
        n->span = span_from(first);
        out.push_back(seal(std::move(n)));
        return true;
    }
    if (is("import") || (is("from") && peek(1).kind == TokenKind::Name)) {
        while (!is(TokenKind::Newline) && !is(TokenKind::Trailing) && !is(TokenKind::End)) next();
        auto n = std::make_shared<RawNode>();
        n->span = span_from(first);
        n->text = std::string(source_.substr(n->span.begin, n->span.end - n->span.begin));
        out.push_back(seal(std::move(n)));
        return true;
    }
    for (const std::string_view keyword :
         {"def", "class", "try", "async", "raise", "del", "global", "nonlocal", "match"}) {
        if (is(keyword) && (peek(1).kind == TokenKind::Name || text(peek(1)) == ":")) {
            fail_here(fmt::format("\"{}\" has no meaning inside a function of a program", keyword));
            return false;
        }
    }
    if (is("(") && at_names_in_parentheses()) {
        Stmt s = parse_assignment();
        if (s == nullptr) return false;
        out.push_back(std::move(s));
        return true;
    }
    if (is(TokenKind::Name) && peek(1).kind == TokenKind::Punct) {
        const std::string_view after = text(peek(1));
        if (after == ":" || after == "=" || (after == "," && peek(2).kind == TokenKind::Name)) {
            Stmt s = parse_assignment();
            if (s == nullptr) return false;
            out.push_back(std::move(s));
            return true;
        }
        if (after.size() >= 2 && after.back() == '=' && after != "==" && after != "!=" && after != "<=" &&
            after != ">=" && after != ":=") {
            Stmt s = parse_augmented();
            if (s == nullptr) return false;
            out.push_back(std::move(s));
            return true;
        }
    }
    return parse_expression_stmt(out);
}

bool Parser::parse_names(std::vector<NameAt>& names, std::string_view close) {
    while (!is(close)) {
        if (!is(TokenKind::Name)) {
            fail_here(fmt::format("a variable's name is expected here, but there is {}", found()));
            return false;
        }
        names.push_back({text(), here()});
        next();
        if (!accept(",")) break;
    }
    return expect(close, "a list of names");
}

/// "(a, b) =": the parentheses mean nothing.
bool Parser::at_names_in_parentheses() const {
    std::size_t ahead = 1;
    while (peek(ahead).kind == TokenKind::Name && text(peek(ahead + 1)) == ",") ahead += 2;
    if (peek(ahead).kind == TokenKind::Name) ++ahead;
    return ahead > 1 && text(peek(ahead)) == ")" && text(peek(ahead + 1)) == "=";
}

Stmt Parser::parse_assignment() {
    const std::size_t first = at_;
    std::vector<NameAt> names;
    Type type;
    bool annotated = false;
    if (accept("(")) {
        if (!parse_names(names, ")") || !expect("=", "an assignment")) return nullptr;
    } else if (text(peek(1)) == ",") {
        if (!parse_names(names, "=")) return nullptr;
    } else {
        names.push_back({text(), here()});
        next();
        if (accept(":")) {
            annotated = true;
            if ((type = parse_type()) == nullptr) return nullptr;
        }
        if (!expect("=", "an assignment")) return nullptr;
    }
    Expr value = parse_expr();
    if (value == nullptr) return nullptr;
    if (is(",")) { // a, b = x, y
        std::vector<Expr> elements{std::move(value)};
        while (accept(",")) {
            if (is(TokenKind::Newline)) break;
            Expr e = parse_expr();
            if (e == nullptr) return nullptr;
            elements.push_back(std::move(e));
        }
        value = tuple(std::move(elements), {}, true);
    }
    return finish_assignment(std::move(names), std::move(type), annotated, std::move(value), first);
}

namespace {

/// An annotation may leave out the memory of a tile where the operation says it (target_memory=, the result of a product).
Type with_memory_of(Type type, const Expr& value) {
    const auto* tile = as<TileTypeNode>(type);
    if (tile == nullptr || tile->space || tile->memref || as<CallNode>(value) == nullptr) return type;
    const Type said = infer_type(value);
    const auto* from = as<TileTypeNode>(said);
    if (from == nullptr || !from->space) return type;
    auto filled = std::make_shared<TileTypeNode>(*tile);
    filled->space = from->space;
    return filled;
}

} // namespace

Stmt Parser::finish_assignment(std::vector<NameAt> names, Type type, bool annotated, Expr value, std::size_t first) {
    const Span span = span_from(first);
    if (const auto* c = as<CallNode>(value); c != nullptr && c->is_op("yield_")) {
        return yield_stmt(std::move(names), type, *c, span);
    }
    if (names.size() == 1) {
        if (!annotated) type = type_of(value);
        if (annotated) type = with_memory_of(std::move(type), value);
        return assign(assigned(names[0].name, type, names[0].span), std::move(value), span, annotated);
    }
    const Type whole = type_of(value);
    const auto* parts = as<TupleTypeNode>(whole);
    const auto* literal = as<TupleNode>(value);
    std::vector<Var> targets;
    for (std::size_t i = 0; i < names.size(); ++i) {
        Type part;
        if (parts != nullptr && i < parts->elements.size()) part = parts->elements[i];
        if (literal != nullptr && i < literal->elements.size()) part = type_of(literal->elements[i]);
        targets.push_back(assigned(names[i].name, part, names[i].span));
    }
    return assign(std::move(targets), std::move(value), span);
}

Stmt Parser::yield_stmt(std::vector<NameAt> names, const Type& type, const CallNode& value, Span span) {
    if (!names.empty() && names.size() != value.args.size()) {
        return fail(span, "PYPTO_YIELD",
                    fmt::format("{} names are given to {} yielded values", names.size(), value.args.size()),
                    "give each value one name");
    }
    if (!names.empty()) {
        NamedYield y{std::move(names), {}, span};
        for (const Expr& v : value.args) y.types.push_back(type != nullptr ? type : type_of(v));
        named_yield_ = std::move(y);
    }
    return yield_values(value.args, span);
}

Stmt Parser::parse_augmented() {
    const std::size_t first = at_;
    const NameAt name{text(), here()};
    next();
    std::string_view op_text = text();
    op_text.remove_suffix(1);
    next();
    const Expr old = lookup(name.name, name.span);
    Expr by = parse_expr();
    if (by == nullptr) return nullptr;
    std::optional<BinaryOp> op;
    for (const BinaryOp b : {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::FloorDiv,
                             BinaryOp::Mod, BinaryOp::Pow, BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor}) {
        if (spelling(b) == op_text) op = b;
    }
    if (!op)
        return fail(name.span, "PYPTO_UNSUPPORTED", fmt::format("\"{}=\" is not read", op_text),
                    "write the assignment out");
    Expr value = make_binary(*op, old, std::move(by), span_from(first));
    if (value == nullptr) return nullptr;
    return finish_assignment({name}, {}, false, std::move(value), first);
}

bool Parser::parse_expression_stmt(std::vector<Stmt>& out) {
    const std::size_t first = at_;
    Expr value = parse_expr();
    if (value == nullptr) return false;
    if (const auto* doc = as<StringNode>(value)) { // a doc string says what a comment would
        std::string_view rest = doc->value;
        while (true) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            pending_comments_.push_back({std::string(rest.substr(0, end)), UINT32_MAX});
            if (end == rest.size()) return true;
            rest.remove_prefix(end + 1);
        }
    }
    if (accept("=")) {
        if (as<SubscriptNode>(value) == nullptr && as<TupleGetNode>(value) == nullptr) {
            fail(span_from(first), "PYPTO_SYNTAX", "only a variable or an indexed element can be assigned to");
            return false;
        }
        Expr stored = parse_expr();
        if (stored == nullptr) return false;
        out.push_back(store(std::move(value), std::move(stored), span_from(first)));
        return true;
    }
    const auto* c = as<CallNode>(value);
    if (c != nullptr && c->is_op("yield_")) {
        Stmt s = yield_stmt({}, nullptr, *c, span_from(first));
        if (s == nullptr) return false;
        out.push_back(std::move(s));
        return true;
    }
    if (c != nullptr && c->is_op("func_attr") && func_attrs_ != nullptr) {
        const auto* entries = c->args.size() == 1 ? as<DictNode>(c->args[0]) : nullptr;
        if (entries == nullptr) {
            fail(span_from(first), "PYPTO_SYNTAX", "pl.func_attr takes one dictionary");
            return false;
        }
        func_attrs_->insert(func_attrs_->end(), entries->entries.begin(), entries->entries.end());
        return true;
    }
    out.push_back(eval(std::move(value), span_from(first)));
    return true;
}

} // namespace ls::pypto
