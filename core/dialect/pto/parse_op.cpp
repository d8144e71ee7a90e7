// One operation, whatever it is called: its operands, types and attributes, and the words between them as a form.
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "core/dialect/pto/forms.h"
#include "core/dialect/pto/parser.h"
#include "core/dialect/pto/spelling.h"
#include "core/dialect/pto/types.h"

namespace ls::pto {

using namespace ir;

namespace {

constexpr std::array<std::string_view, 8> kPlainOps{"return", "call", "br", "cond_br", "unreachable", "yield", "module",
                                                    "func"};

bool is_op_word(std::string_view word) {
    if (word.find('.') != std::string_view::npos) return true;
    return std::find(kPlainOps.begin(), kPlainOps.end(), word) != kPlainOps.end();
}

/// A type that is written as a bare word.
bool is_number_type(std::string_view word) { return word == "none" || pto_dtype(word).has_value(); }

bool opens(std::string_view sign) { return sign == "(" || sign == "[" || sign == "{"; }
bool closes(std::string_view sign) { return sign == ")" || sign == "]" || sign == "}"; }

} // namespace

bool Parser::starts_op(std::size_t at) const {
    const Token& t = tokens_[at];
    const auto kind_at = [&](std::size_t i) { return tokens_[std::min(i, tokens_.size() - 1)].kind; };
    const auto text_at = [&](std::size_t i) { return text(tokens_[std::min(i, tokens_.size() - 1)]); };
    switch (t.kind) {
    case TokenKind::End:
    case TokenKind::Label: return true;
    case TokenKind::Word: return is_op_word(text(t));
    case TokenKind::String: return t.line_start && text_at(at + 1) == "(";
    case TokenKind::Value: {
        std::size_t i = at + 1;
        while (text_at(i) == "," && kind_at(i + 1) == TokenKind::Value) i += 2;
        if (text_at(i) == ":" && kind_at(i + 1) == TokenKind::Int) i += 2;
        return text_at(i) == "=";
    }
    default: return t.kind == TokenKind::Punct && text(t) == "}";
    }
}

/// Behind a '{': attributes have names there, regions operations.
bool Parser::starts_region(std::size_t at) const {
    const Token& first = tokens_[std::min(at + 1, tokens_.size() - 1)];
    const std::string_view second = text(tokens_[std::min(at + 2, tokens_.size() - 1)]);
    switch (first.kind) {
    case TokenKind::Value:
    case TokenKind::Label: return true;
    case TokenKind::String: return second == "(";
    case TokenKind::Word: {
        if (second == "=" || second == ",") return false;
        const std::string_view word = text(first);
        if (second == "}") return word == "return" || word.ends_with(".yield") || word.ends_with(".return");
        return is_op_word(word);
    }
    default: return false;
    }
}

bool Parser::parse_results(std::vector<ResultName>& into) {
    if (!is(TokenKind::Value)) return true;
    do {
        if (!is(TokenKind::Value)) return fail_here(fmt::format("a name must stand here, found {}", found())), false;
        ResultName name{text().substr(1), 0, here()};
        next();
        if (is(":") && is(TokenKind::Int, 1)) {
            const std::string_view digits = text(1);
            const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), name.count);
            if (problem != std::errc{} || name.count == 0 || name.count > 1000) {
                next();
                return fail_here(fmt::format("{} results", digits), "an operation has 1 to 1000 results"), false;
            }
            next();
            next();
        }
        into.push_back(name);
    } while (accept(","));
    return expect("=", "behind the names of the results");
}

bool Parser::parse_op(std::vector<Stmt>& out) {
    std::vector<std::string> before = comments_here();
    const std::size_t first = at_;
    if (is(TokenKind::Label)) {
        Stmt block = parse_block();
        if (block == nullptr) return false;
        out.push_back(noted(block, std::move(before), {}));
        return true;
    }
    std::vector<ResultName> results;
    if (!parse_results(results)) return false;
    const std::string_view op = text();
    const bool quoted = is(TokenKind::String);
    if (!quoted && (!is(TokenKind::Word) || !is_op_word(op))) {
        return fail_here(fmt::format("an operation must stand here, found {}", found()),
                         "operations are named dialect.name, such as pto.tload or arith.constant"),
               false;
    }
    std::vector<std::string> behind;
    Stmt stmt;
    if (op == "arith.constant") {
        stmt = parse_constant(results, first);
    } else if (op == "scf.for") {
        if ((stmt = parse_for(results, first, behind)) == nullptr) return false;
    } else if (op == "scf.if") {
        if ((stmt = parse_if(results, first, behind)) == nullptr) return false;
    }
    if (stmt == nullptr) {
        Generic g;
        g.first = first;
        g.op = quoted ? std::string(op.substr(1, op.size() - 2)) : std::string(op);
        g.quoted = quoted;
        next();
        if (!parse_generic(g) || !finish_generic(g, results, out)) return false;
        stmt = out.back();
        out.pop_back();
    }
    std::string tail = take_behind();
    for (const std::string& extra : behind) tail = tail.empty() ? extra : extra + " " + tail;
    out.push_back(noted(stmt, std::move(before), std::move(tail)));
    return true;
}

/// %c = arith.constant 16 : index. Null, with nothing read, for constants of other types.
Stmt Parser::parse_constant(const std::vector<ResultName>& results, std::size_t first) {
    if (results.size() != 1 || results[0].count != 0) return {};
    const std::string_view written = text(1);
    const std::size_t start = at_;
    Expr value;
    TypeText type;
    const Span span{peek(1).begin, peek(1).end};
    if (is("true", 1) || is("false", 1)) {
        if (is(":", 2)) return {};
        value = const_bool(written == "true", span);
        type = type_from("i1", span);
        at_ += 2;
    } else if ((is(TokenKind::Int, 1) || is(TokenKind::Float, 1)) && is(":", 2) && is(TokenKind::Word, 3)) {
        const auto dtype = pto_dtype(text(3));
        if (!dtype) return {};
        if (is(TokenKind::Int, 1)) {
            std::int64_t number = 0;
            const auto [end, problem] = std::from_chars(written.data(), written.data() + written.size(), number);
            if (problem != std::errc{} || end != written.data() + written.size()) return {};
            if (fmt::format("{}", number) != written) return {};
            value = const_int(number, *dtype, span);
        } else {
            double number = 0;
            std::from_chars(written.data(), written.data() + written.size(), number);
            value = const_float(number, *dtype, std::string(written), span);
        }
        type = type_from(text(3), {peek(3).begin, peek(3).end});
        at_ += 4;
    } else {
        return {};
    }
    if (!starts_op(at_) && !is("loc")) {
        at_ = start;
        return {};
    }
    const Var var = define(results[0].name, type, results[0].span);
    constants_.emplace(var.get(), value);
    return assign(var, value, span_from(first));
}

// ---------------------------------------------------------------------------------------------- any operation

bool Parser::parse_generic(Generic& g) {
    int depth = 0;
    while (depth > 0 || !(starts_op(at_) || (is("loc") && is("(", 1)))) {
        if (is(TokenKind::End)) {
            return fail(span_from(g.first), "PTO_SYNTAX", fmt::format("{} is not finished: a bracket is open", g.op),
                        "close it"),
                   false;
        }
        if (!parse_generic_item(g, depth)) return false;
        if (depth < 0) return fail_here("this bracket closes none that is open", "remove it"), false;
    }
    for (const Token& t : g.unknown) {
        return fail({t.begin, t.end}, "PTO_UNDEFINED", fmt::format("{} is not defined here", text(t)),
                    "define it before this operation"),
               false;
    }
    return true;
}

bool Parser::parse_generic_item(Generic& g, int& depth) {
    const Token& t = peek();
    const std::string_view spelled = text();
    const bool space = t.space_before;
    if (is(TokenKind::Value)) return parse_operand(g, space);
    if (is("[") && parse_operand_list(g, space)) return true;
    if (is("{")) {
        if (starts_region(at_)) return parse_region_item(g, space);
        if (g.attributes.empty()) {
            g.items.push_back({Item::Kind::Attributes, 0, space, false, {}, here()});
            return parse_attributes(g.attributes);
        }
    }
    if (is(TokenKind::Type) || (is(TokenKind::Word) && is_number_type(spelled))) {
        g.items.push_back({Item::Kind::Type, g.types.size(), space, false, {}, here()});
        g.types.push_back(type_from(spelled, here()));
        next();
        return true;
    }
    if (is(TokenKind::Punct)) depth += opens(spelled) ? 1 : closes(spelled) ? -1 : 0;
    if (depth >= 0) {
        const bool arrow = depth == 0 && (spelled == "->" || spelled == "to");
        g.items.push_back({Item::Kind::Text, 0, space, arrow, spelled, here()});
        next();
    }
    return true;
}

bool Parser::parse_operand(Generic& g, bool space) {
    const Var var = known(text().substr(1));
    Item item{Item::Kind::Value, g.args.size(), space, false, text(), here()};
    if (var == nullptr) {
        // A name that is not bound yet is one that the operation gives to its regions; its first value says its type.
        item.kind = Item::Kind::Definition;
        item.index = g.definitions.size() + g.unknown.size();
        g.unknown.push_back(peek());
    } else {
        g.args.push_back(var);
        g.arg_texts.push_back(text_of(*var));
    }
    g.items.push_back(item);
    next();
    return true;
}

/// [%a, 2, %b]: one operand. Nothing is read when the brackets hold anything else.
bool Parser::parse_operand_list(Generic& g, bool space) {
    std::size_t end = at_ + 1;
    while (tokens_[end].kind == TokenKind::Value || tokens_[end].kind == TokenKind::Int) {
        const std::string_view sign = text(tokens_[end + 1]);
        if (sign == "]") break;
        if (sign != ",") return false;
        end += 2;
    }
    const bool ends = tokens_[end].kind == TokenKind::Value || tokens_[end].kind == TokenKind::Int;
    if (!ends) return false;
    std::vector<Expr> elements;
    for (std::size_t i = at_ + 1; i <= end; i += 2) {
        const Token& t = tokens_[i];
        if (t.kind == TokenKind::Value) {
            Var var = known(text(t).substr(1));
            if (var == nullptr) return false;
            elements.push_back(std::move(var));
            continue;
        }
        std::int64_t value = 0;
        const std::string_view digits = text(t);
        const auto [last, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (problem != std::errc{} || last != digits.data() + digits.size()) return false;
        elements.push_back(const_int(value, DType::Index, {t.begin, t.end}));
    }
    const std::size_t first = at_;
    at_ = end + 2;
    g.items.push_back({Item::Kind::Value, g.args.size(), space, false, {}, span_from(first)});
    g.args.push_back(tuple(std::move(elements), span_from(first)));
    g.arg_texts.push_back(nullptr);
    return true;
}

bool Parser::parse_region_item(Generic& g, bool space) {
    Scope scope(*this);
    if (scope.too_deep()) return false;
    // %i = %init in front of the regions: the definition has the type of its value.
    const std::size_t old = g.definitions.size();
    for (std::size_t i = 0; i < g.items.size() && !g.unknown.empty(); ++i) {
        if (g.items[i].kind != Item::Kind::Definition || g.items[i].index < old) continue;
        const Token& t = g.unknown[g.items[i].index - old];
        TypeText type;
        if (i + 2 < g.items.size() && g.items[i + 1].text == "=" && g.items[i + 2].kind == Item::Kind::Value) {
            if (const auto* init = as<VarNode>(g.args[g.items[i + 2].index])) type = {init->type, text_of(*init)};
        }
        g.definitions.push_back(make_var(text(t).substr(1), type, {t.begin, t.end}));
    }
    g.unknown.clear();
    for (const Var& var : g.definitions) bind(var, var->span);
    g.items.push_back({Item::Kind::Region, g.regions.size(), space, false, {}, here()});
    Seq region = parse_region(g.op);
    if (region == nullptr) return false;
    g.regions.push_back(std::move(region));
    return true;
}

/// Types of results stand behind the arrow; without one the last types of the operation are theirs.
std::vector<TypeText> Parser::result_types(Generic& g, std::size_t results) {
    std::vector<TypeText> types(results);
    if (results == 0 || g.types.empty()) return types;
    if (g.op == "arith.cmpi" || g.op == "arith.cmpf") {
        types[0] = type_from("i1", {});
        return types;
    }
    std::size_t begin = g.types.size() - std::min(results, g.types.size());
    const auto arrow = std::find_if(g.items.rbegin(), g.items.rend(), [](const Item& i) { return i.arrow; });
    if (arrow != g.items.rend()) {
        const auto typed =
            std::find_if(arrow.base(), g.items.end(), [](const Item& i) { return i.kind == Item::Kind::Type; });
        begin = typed == g.items.end() ? g.types.size() : typed->index;
    }
    std::size_t given = 0;
    for (Item& item : g.items) {
        if (item.kind != Item::Kind::Type || item.index < begin || given == results) continue;
        types[given] = g.types[item.index];
        item.kind = Item::Kind::ResultType;
        item.index = given++;
    }
    return types;
}

/// The operation's words with its operands, types and attributes taken out.
std::string Parser::form_of(const Generic& g) {
    std::string form;
    std::vector<std::size_t> untyped;
    std::size_t next_untyped = 0;
    bool placeholder = false;
    for (const Item& item : g.items) {
        const bool opened = !form.empty() && (form.back() == '(' || form.back() == '[');
        const bool shuts = item.kind == Item::Kind::Text && (item.text == ")" || item.text == "]" || item.text == ",");
        // A number behind a placeholder would become part of it.
        const bool runs_on = placeholder && item.kind == Item::Kind::Text && item.text.front() >= '0' &&
                             item.text.front() <= '9';
        if ((item.space && !opened && !shuts) || runs_on) form += ' ';
        placeholder = item.kind != Item::Kind::Text;
        switch (item.kind) {
        case Item::Kind::Value:
            form += fmt::format("${}", item.index);
            if (g.arg_texts[item.index] != nullptr) untyped.push_back(item.index);
            break;
        case Item::Kind::Type: {
            const bool fits = next_untyped < untyped.size() &&
                              g.arg_texts[untyped[next_untyped]] == g.types[item.index].text;
            form += fits ? fmt::format("$t{}", untyped[next_untyped++]) : *g.types[item.index].text;
            break;
        }
        case Item::Kind::ResultType: form += fmt::format("$r{}", item.index); break;
        case Item::Kind::Attributes: form += "{}"; break;
        case Item::Kind::Definition: form += fmt::format("$d{}", item.index); break;
        case Item::Kind::Region: form += "$g"; break;
        case Item::Kind::Text:
            for (const char c : one_line(item.text)) {
                if (c == '$') form += '$';
                form += c;
            }
            break;
        }
    }
    return form;
}

bool Parser::finish_generic(Generic& g, const std::vector<ResultName>& names, std::vector<Stmt>& out) {
    std::size_t count = 0;
    for (const ResultName& name : names) count += std::max<std::size_t>(name.count, 1);
    std::vector<TypeText> types = result_types(g, count);
    std::string form = form_of(g);
    const Span span = span_from(g.first);

    if (names.empty() && g.attributes.empty() && g.regions.empty() && !g.quoted) {
        const bool plain = form.find_first_of("(){}") == std::string::npos;
        if (plain && g.op == "scf.yield") {
            out.push_back(yield_values(g.args, span));
            return true;
        }
        if (plain && g.op == "return") {
            out.push_back(return_values(g.args, span));
            return true;
        }
    }
    if (g.op == "pto.alloc_tile") refine_alloc(g, form, types);
    refine_view(g, types);
    if (Expr value = known_value(g, form, types); value != nullptr && count == 1) {
        const std::vector<Var> results = define_results(names, types);
        out.push_back(assign(results[0], std::move(value), span));
        return true;
    }

    std::vector<KeyValue> attrs;
    const std::size_t plain_args = g.args.size();
    const bool has_attributes = std::any_of(g.items.begin(), g.items.end(),
                                            [](const Item& i) { return i.kind == Item::Kind::Attributes; });
    if (form != usual_form(g.op, plain_args, has_attributes) || !g.regions.empty()) {
        attrs.push_back({std::string(spelling::kForm), string(std::move(form))});
    }
    if (g.quoted) attrs.push_back({std::string(spelling::kGeneric), const_bool(true)});
    const std::vector<Var> results = define_results(names, types);
    if (count == 1 && types[0].type != nullptr && as<TensorTypeNode>(types[0].type) != nullptr) {
        const auto& tensor = *as<TensorTypeNode>(types[0].type);
        const std::string usual = g.op == "pto.partition_view" ? partition_text(tensor) : view_text(tensor);
        if (usual != *types[0].text) attrs.push_back({std::string(spelling::kType), string(*types[0].text)});
    }
    if (!g.regions.empty()) {
        out.push_back(region_stmt(g, std::move(attrs), results));
        return true;
    }
    Expr value = call(g.op, std::move(g.args), std::move(g.attributes), std::move(attrs),
                      count == 1 ? types[0].type : Type{}, span);
    if (count == 0) {
        out.push_back(eval(std::move(value), span));
    } else {
        out.push_back(count == 1 ? assign(results[0], std::move(value), span) : assign(results, std::move(value), span));
    }
    return true;
}

} // namespace ls::pto
