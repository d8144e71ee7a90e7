// Programs: the class, its functions, and what stands around them.
#include <fmt/format.h>

#include "core/dialect/pypto/parser.h"

namespace ls::pypto {

using namespace ir;

// --- findings

std::nullptr_t Parser::fail(Span span, std::string code, std::string message, std::string hint) {
    ++errors_;
    if (errors_ <= kMaxErrors)
        diagnostics_.push_back(error_at(span, std::move(code), std::move(message), std::move(hint)));
    return nullptr;
}

void Parser::warn(Span span, std::string code, std::string message, std::string hint) {
    constexpr std::size_t kMaxWarnings = 200;
    if (diagnostics_.size() < kMaxWarnings) {
        diagnostics_.push_back(warning_at(span, std::move(code), std::move(message), std::move(hint)));
    }
}

bool Parser::expect(std::string_view spelling, std::string_view where) {
    if (accept(spelling)) return true;
    fail_here(fmt::format("\"{}\" is expected in {}, but there is {}", spelling, where, found()));
    return false;
}

// --- the program

ReadResult Parser::run() {
    auto module = std::make_shared<ModuleNode>();
    while (errors_ < kMaxErrors) {
        take_comments();
        constexpr std::string_view kHeader = "pypto.program: ";
        for (const PendingComment& c : pending_comments_) {
            if (program_name_.empty() && c.text.substr(0, kHeader.size()) == kHeader)
                program_name_ = c.text.substr(kHeader.size());
        }
        std::erase_if(pending_comments_,
                      [&](const PendingComment& c) { return c.text.substr(0, kHeader.size()) == kHeader; });
        if (is(TokenKind::End)) break;
        parse_top_level(*module);
    }
    module->name = program_name_.empty() ? module->class_name : program_name_;
    if (module->class_name == module->name) module->class_name.clear();
    if (errors_ == 0 && module->functions.empty()) {
        fail({0, 0}, "PYPTO_EMPTY", "there is no function in this text",
             "a program is a class with @pl.program that holds functions with @pl.function");
    }
    ReadResult result;
    if (errors_ == 0) {
        Module sealed = seal(std::move(module));
        if (Status s = check_depth(*sealed); !s.ok())
            diagnostics_.push_back(std::move(s).error());
        else
            result.module = std::move(sealed);
    }
    result.diagnostics = std::move(diagnostics_);
    return result;
}

void Parser::parse_top_level(ModuleNode& module) {
    if (is(TokenKind::Newline) || is(TokenKind::Dedent)) return next();
    if (is(TokenKind::Indent)) return skip_block();
    std::vector<Decorator> decorators;
    std::vector<std::string> comments = comments_for_stmt();
    if (is("@")) {
        if (!parse_decorators(decorators)) return recover();
        take_comments();
    }
    if (is("class")) return parse_class(module);
    if (is("def")) {
        if (decorators.empty()) { // plain Python beside the program
            warn(here(), "PYPTO_SKIPPED", "this function has no decorator, so it is no part of the program",
                 "put @pl.function above it");
            return recover();
        }
        Function f = parse_function(decorators, std::move(comments));
        if (f == nullptr) return recover();
        module.functions.push_back(std::move(f));
        return;
    }
    const bool named = is(TokenKind::Name) && peek(1).kind == TokenKind::Punct;
    if (named && (text(peek(1)) == "=" || text(peek(1)) == ":")) return parse_module_assignment(module);
    if (!is("import") && !is("from") && !is(TokenKind::String)) {
        warn(here(), "PYPTO_SKIPPED",
             fmt::format("what starts with {} is no part of a program and is skipped", found()));
    }
    recover();
}

/// NAME = pl.dynamic("NAME"), or a constant: a number, an element type, a named constant.
void Parser::parse_module_assignment(ModuleNode& module) {
    const NameAt name{text(), here()};
    const std::size_t first = at_;
    next();
    const std::size_t errors_before = errors_;
    const std::size_t diagnostics_before = diagnostics_.size();
    if (accept(":")) static_cast<void>(parse_type());
    Expr value;
    if (accept("=")) value = parse_expr();
    const auto* c = as<CallNode>(value);
    if (c != nullptr && c->is_op("dynamic")) {
        Var v = var(std::string(name.name), scalar_type(DType::Index), span_from(first));
        globals_[name.name] = v;
        module.dynamic_symbols.push_back(std::move(v));
    } else if (value != nullptr && (as<ConstIntNode>(value) != nullptr || as<ConstFloatNode>(value) != nullptr ||
                                    as<DTypeNameNode>(value) != nullptr || as<ir::SymbolNode>(value) != nullptr ||
                                    as<ConstBoolNode>(value) != nullptr || as<StringNode>(value) != nullptr)) {
        constants_[name.name] = value;
    } else {
        // Ordinary Python: whatever it is, it is no part of the program.
        errors_ = errors_before;
        diagnostics_.resize(diagnostics_before);
        warn(name.span, "PYPTO_SKIPPED",
             fmt::format("\"{}\" is not a constant that this reader understands, so it is skipped", name.name));
    }
    recover();
}

void Parser::parse_class(ModuleNode& module) {
    next();
    if (!is(TokenKind::Name)) {
        fail_here("the program's name is expected here");
        return recover();
    }
    module.class_name = std::string(text());
    next();
    if (accept("(")) {
        std::vector<Expr> bases;
        if (!parse_expr_list(bases, ")")) return recover();
    }
    if (!expect(":", "a class")) return recover();
    take_comments();
    if (is(TokenKind::Newline)) next();
    take_comments();
    if (!is(TokenKind::Indent)) {
        fail_here("the functions of the program are expected here, indented");
        return;
    }
    next();
    while (errors_ < kMaxErrors) {
        take_comments();
        if (is(TokenKind::Dedent) || is(TokenKind::End)) break;
        if (is(TokenKind::Indent)) {
            skip_block();
            continue;
        }
        std::vector<std::string> comments = comments_for_stmt();
        std::vector<Decorator> decorators;
        if (is("@") && !parse_decorators(decorators)) {
            recover();
            continue;
        }
        take_comments();
        if (is("def")) {
            Function f = parse_function(decorators, std::move(comments));
            if (f == nullptr)
                recover();
            else
                module.functions.push_back(std::move(f));
        } else if (is(TokenKind::Name) && text(peek(1)) == "=") {
            parse_module_assignment(module);
        } else {
            if (!is("pass") && !is(TokenKind::String)) {
                fail_here(fmt::format("a function is expected here, but there is {}", found()));
            }
            recover();
        }
    }
    if (is(TokenKind::Dedent)) next();
}

bool Parser::parse_decorators(std::vector<Decorator>& into) {
    while (accept("@")) {
        Decorator d;
        if (!is(TokenKind::Name)) {
            fail_here("a decorator's name is expected after \"@\"");
            return false;
        }
        d.name = std::string(text());
        next();
        while (is(".") && peek(1).kind == TokenKind::Name) {
            next();
            d.name += '.';
            d.name += text();
            next();
        }
        if (accept("(") && !parse_arguments(d.arguments)) return false;
        if (is(TokenKind::Trailing)) take_comments();
        if (is(TokenKind::Newline)) next();
        take_comments();
        into.push_back(std::move(d));
    }
    return true;
}

bool Parser::apply_decorators(FunctionNode& f, const std::vector<Decorator>& decorators, Span span) {
    const auto last_name = [](const Expr& e) {
        const auto* s = as<ir::SymbolNode>(e);
        return s != nullptr ? s->last() : std::string_view{};
    };
    for (const Decorator& d : decorators) {
        if (d.name == "pl.jit.inline" || d.name == "pl.inline")
            f.function = FunctionKind::Inline;
        else if (d.name == "pl.jit.incore")
            f.function = FunctionKind::InCore;
        else if (d.name != "pl.function" && d.name != "pl.jit" && d.name != "staticmethod") {
            warn(span, "PYPTO_SKIPPED", fmt::format("the decorator {} is not known and has no effect", d.name));
            continue;
        }
        for (const KeyValue& k : d.arguments.kwargs) {
            if (k.key == "type") {
                const auto kind = function_kind_from_name(last_name(k.value));
                if (!kind || *kind == FunctionKind::Kernel || *kind == FunctionKind::PrimFunc) {
                    fail(k.value->span, "PYPTO_FUNCTION",
                         fmt::format("there is no function type \"{}\"", last_name(k.value)),
                         "use Orchestration, InCore, AIC, AIV, Group, Spmd, Inline, Graph or Opaque");
                    return false;
                }
                f.function = *kind;
            } else if (k.key == "level" && !last_name(k.value).empty()) {
                f.level = std::string(last_name(k.value));
            } else if (k.key == "role" && !last_name(k.value).empty()) {
                f.role = std::string(last_name(k.value));
            } else if (k.key == "auto_scope" && as<ConstBoolNode>(k.value) != nullptr) {
                f.auto_scope = as<ConstBoolNode>(k.value)->value;
            } else {
                f.options.push_back(k);
            }
        }
        f.attrs.insert(f.attrs.end(), d.arguments.attrs.begin(), d.arguments.attrs.end());
    }
    return true;
}

bool Parser::parse_params(FunctionNode& f) {
    if (!expect("(", "a function")) return false;
    while (!is(")")) {
        if (is("*") || is("/") || is("**")) {
            next();
            if (accept(",")) continue;
        }
        if (!is(TokenKind::Name)) {
            fail_here(fmt::format("a parameter's name is expected here, but there is {}", found()));
            return false;
        }
        const NameAt name{text(), here()};
        next();
        if (name.name == "self" && f.params.empty() && !is(":")) {
            f.has_self = true;
        } else {
            Param p;
            Type type;
            if (accept(":")) {
                const bool out = is("pl") && text(peek(2)) == "Out", inout = is("pl") && text(peek(2)) == "InOut";
                if (out || inout) {
                    next(), next(), next();
                    p.direction = out ? Direction::Out : Direction::InOut;
                    if (!expect("[", "a parameter's direction")) return false;
                }
                if ((type = parse_type()) == nullptr) return false;
                if ((out || inout) && !expect("]", "a parameter's direction")) return false;
            }
            if (accept("=") && parse_expr() == nullptr) return false; // a default means nothing to a program
            p.var = define(name.name, std::move(type), name.span);
            f.params.push_back(std::move(p));
        }
        if (!accept(",")) break;
    }
    return expect(")", "the parameters");
}

bool Parser::parse_returns(FunctionNode& f) {
    if (!accept("->")) return true;
    if (accept("None")) return true;
    Type type = parse_type();
    if (type == nullptr) return false;
    // tuple[A, B] says that there are two results, pl.Tuple[A, B] that the one result is a tuple.
    const auto* parts = as<TupleTypeNode>(type);
    if (parts != nullptr && source_.substr(type->span.begin, 3) != "pl.")
        f.returns = parts->elements;
    else
        f.returns.push_back(std::move(type));
    return true;
}

Function Parser::parse_function(const std::vector<Decorator>& decorators, std::vector<std::string> comments) {
    const std::size_t first = at_;
    next();
    if (!is(TokenKind::Name)) return fail_here("the function's name is expected here");
    auto f = std::make_shared<FunctionNode>();
    f->name = std::string(text());
    f->comments = std::move(comments);
    next();
    scope_.clear();
    if (!parse_params(*f) || !parse_returns(*f)) return nullptr;
    f->span = span_from(first);
    if (!apply_decorators(*f, decorators, f->span)) return nullptr;
    func_attrs_ = &f->attrs;
    Seq body = parse_block();
    func_attrs_ = nullptr;
    if (body == nullptr) return nullptr;
    if (named_yield_) {
        return fail(named_yield_->span, "PYPTO_YIELD", "a function returns, it does not yield", "write return");
    }
    f->body = std::move(body);
    if (f->returns.size() == 1)
        functions_[source_.substr(tokens_[first + 1].begin, f->name.size())] = f->returns[0];
    else if (f->returns.size() > 1)
        functions_[source_.substr(tokens_[first + 1].begin, f->name.size())] = tuple_type(f->returns);
    return seal(std::move(f));
}

// --- doors

ReadResult read_all(std::string_view source) {
    auto tokens = tokenize(source);
    if (!tokens.ok()) return {nullptr, {std::move(tokens).error()}};
    return Parser(source, std::move(tokens).value()).run();
}

Result<Module> read(std::string_view source) {
    ReadResult result = read_all(source);
    if (result.ok()) return result.module;
    for (Diagnostic& d : result.diagnostics) {
        if (d.severity == Severity::Error) return std::move(d);
    }
    return error("PYPTO_SYNTAX", "the text cannot be read");
}

} // namespace ls::pypto
