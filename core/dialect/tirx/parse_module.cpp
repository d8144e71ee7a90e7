// Programs: the module, its functions, and what stands around them.
#include <algorithm>

#include <fmt/format.h>

#include "core/dialect/tirx/parser.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"

namespace ls::tirx {

using namespace ir;

namespace {

/// The lexer is Python's, shared with the other Python-like surface; what it finds is said in this dialect's codes.
Diagnostic lexer_finding(Diagnostic why) {
    struct Code {
        std::string_view lexer, own;
    };
    constexpr Code kCodes[] = {{"PYPTO_BRACKET", "TIRX_BRACKET"},   {"PYPTO_INDENT", "TIRX_INDENT"},
                               {"PYPTO_STRING", "TIRX_STRING"},     {"PYPTO_CHARACTER", "TIRX_CHARACTER"},
                               {"PYPTO_TOO_LONG", "TIRX_TOO_LONG"}, {"PYPTO_UNSUPPORTED", "TIRX_UNSUPPORTED"}};
    for (const Code& c : kCodes) {
        if (why.code == c.lexer) why.code = c.own;
    }
    return why;
}

} // namespace

// --- findings

std::nullptr_t Parser::fail(Span span, std::string code, std::string message, std::string hint) {
    return fail(error_at(span, std::move(code), std::move(message), std::move(hint)));
}

std::nullptr_t Parser::fail(Diagnostic why) {
    ++errors_;
    if (errors_ <= kMaxErrors) diagnostics_.push_back(lexer_finding(std::move(why)));
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

// --- names

bool Parser::is_dialect_prefix(std::string_view name) const { return dialect_prefixes_.contains(name); }

const Binding* Parser::find(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? nullptr : &found->second;
}

void Parser::bind(std::string_view name, Binding binding) {
    const auto known = names_.find(name);
    undo_.emplace_back(name, known == names_.end() ? std::nullopt : std::optional(known->second));
    names_[name] = std::move(binding);
}

Var Parser::define(std::string_view name, Type type, Span span) {
    Var v = var(unique_.take(std::string(name)), std::move(type), span);
    bind(name, {v, nullptr});
    by_unique_name_[v->name] = v;
    return v;
}

void Parser::leave_scope(Scope scope) {
    unique_.leave(scope.names);
    for (; undo_.size() > scope.bindings; undo_.pop_back()) {
        auto& [name, before] = undo_.back();
        if (before) {
            names_[name] = std::move(*before);
        } else {
            names_.erase(name);
        }
    }
}

void Parser::undefined(std::string_view name, Span span) {
    fail(span, "TIRX_NAME", fmt::format("\"{}\" is not defined here", name),
         "Python values from outside the program are not known; print it with mod.script()");
}

// --- the program

ReadResult Parser::run() {
    auto module = std::make_shared<ModuleNode>();
    module->dialect = Dialect::Tirx;
    while (!is(TokenKind::End) && errors_ < kMaxErrors) {
        const std::size_t before = at_;
        parse_top_level(*module);
        if (at_ == before) next();
    }
    if (errors_ == 0 && module->functions.empty()) {
        fail({0, 0}, "TIRX_EMPTY", "there is no function in this text",
             "a program is a function with @T.prim_func, or a class with @I.ir_module that holds such functions");
    }
    ReadResult result;
    result.diagnostics = std::move(diagnostics_);
    if (errors_ > 0) return result;
    module->span = {0, source_.size()};
    Module sealed = seal(std::move(module));
    if (const Status deep = check_depth(*sealed); !deep) {
        result.diagnostics.push_back(deep.error());
        return result;
    }
    result.module = std::move(sealed);
    return result;
}

void Parser::parse_top_level(ModuleNode& module) {
    if (is(TokenKind::Newline) || is(TokenKind::Trailing) || is(TokenKind::Comment) || is(";")) {
        next();
    } else if (is("from") || is("import")) {
        parse_import();
    } else if (is("@") || is("def") || is("class")) {
        if (is("class")) return parse_class(module);
        parse_function(module);
    } else if (is(TokenKind::String)) {
        next();
    } else if (const auto names = accept_targets()) {
        // K = 4096: a constant that the functions use.
        Expr value = parse_expr();
        const bool fits = value != nullptr && names->size() == 1;
        if (fits && value->kind != NodeKind::Call) bind((*names)[0].first, {nullptr, std::move(value)});
        if (value != nullptr && !fits)
            fail((*names)[0].second, "TIRX_UNSUPPORTED", "only single constants are read here");
        skip_statement();
    } else {
        fail_here(fmt::format("a function is expected here, but there is {}", found()),
                  "a program is a function with @T.prim_func, or a class with @I.ir_module");
        skip_statement();
    }
}

/// from tvm.script import tirx as T: what the dialect is called in this text.
void Parser::parse_import() {
    std::string_view what;
    while (!is(TokenKind::Newline) && !is(TokenKind::End)) {
        if (is("as") && peek(1).kind == TokenKind::Name) {
            next();
            if (what == "tirx" || what == "tir") dialect_prefixes_.insert(text());
            if (what == "tile") {
                dialect_prefixes_.insert(text());
                tile_prefixes_.insert(text());
            }
        } else if (is(TokenKind::Name)) {
            what = text();
        }
        next();
    }
}

void Parser::parse_class(ModuleNode& module) {
    next();
    if (!is(TokenKind::Name)) {
        fail_here("the name of the module is expected after \"class\"");
        return skip_statement();
    }
    class_name_ = text();
    module.class_name = class_name_;
    module.name = class_name_;
    next();
    if (!expect(":", "class")) return skip_statement();
    while (is(TokenKind::Newline) || is(TokenKind::Trailing) || is(TokenKind::Comment)) next();
    if (!is(TokenKind::Indent)) {
        fail_here("an indented block is expected after class");
        return;
    }
    next();
    while (!is(TokenKind::Dedent) && !is(TokenKind::End) && errors_ < kMaxErrors) {
        if (is(TokenKind::Newline) || is(TokenKind::Trailing) || is(TokenKind::Comment) || is(TokenKind::String)) {
            next();
        } else if (is("@") || is("def")) {
            parse_function(module);
        } else if (is("pass")) {
            next();
        } else if (is("I") && is(".", 1)) {
            // I.module_attrs({...})
            next();
            next();
            const std::string_view what = text();
            next();
            Arguments a;
            if (!is("(") || !parse_arguments(a)) return skip_statement();
            const auto* entries = a.args.size() == 1 ? as<DictNode>(a.args[0]) : nullptr;
            if (what == "module_attrs" && entries != nullptr) {
                module.attrs = entries->entries;
            } else {
                fail(a.span, "TIRX_UNSUPPORTED", fmt::format("I.{} is not read", what));
            }
        } else {
            fail_here(fmt::format("a function is expected in this class, but there is {}", found()));
            skip_statement();
        }
    }
    if (is(TokenKind::Dedent)) next();
}

bool Parser::parse_decorators(FunctionNode& function, bool& is_class) {
    while (accept("@")) {
        const std::size_t first = at_;
        std::string_view last;
        while (is(TokenKind::Name)) {
            last = text();
            next();
            if (!accept(".")) break;
        }
        Arguments a;
        if (is("(") && !parse_arguments(a)) return false;
        is_class = last == "ir_module";
        if (!is_class && last != "prim_func" && last != "jit") {
            fail(span_from(first), "TIRX_UNSUPPORTED", fmt::format("functions with @{} are not read", last),
                 "programs are functions with @T.prim_func");
            return false;
        }
        function.options = std::move(a.kwargs);
        while (is(TokenKind::Newline) || is(TokenKind::Trailing) || is(TokenKind::Comment)) next();
    }
    return true;
}

bool Parser::parse_parameters(FunctionNode& function) {
    if (is("[")) {
        fail_here("type parameters of functions are not read", "name the variables in the shapes, in quotes");
        return false;
    }
    if (!expect("(", "a function")) return false;
    while (!is(")")) {
        if (!is(TokenKind::Name)) {
            fail_here(fmt::format("a parameter is expected, but there is {}", found()));
            return false;
        }
        const std::string_view name = text();
        const Span span = here();
        next();
        if (!accept(":")) {
            fail(span, "TIRX_TYPE", fmt::format("the parameter \"{}\" has no type", name),
                 "write it as in \"a: T.handle\" or \"A: T.Buffer((128,), \\\"float32\\\")\"");
            return false;
        }
        Type type = parse_annotation();
        if (type == nullptr) return false;
        function.params.push_back({define(name, std::move(type), span), Direction::In});
        if (is(")")) break;
        if (!expect(",", "the parameters")) return false;
    }
    next();
    if (accept("->")) {
        if (is("None")) {
            next();
        } else {
            Type type = parse_annotation();
            if (type == nullptr) return false;
            function.returns.push_back(std::move(type));
        }
    }
    return true;
}

void Parser::parse_function(ModuleNode& module) {
    const std::size_t first = at_;
    auto function = std::make_shared<FunctionNode>();
    function->function = FunctionKind::PrimFunc;
    bool is_class = false;
    if (!parse_decorators(*function, is_class)) {
        skip_statement();
        if (is("def") || is("class")) skip_statement();
        return;
    }
    if (is_class && is("class")) return parse_class(module);
    if (!expect("def", "a function")) return skip_statement();
    if (!is(TokenKind::Name)) {
        fail_here("the name of the function is expected");
        return skip_statement();
    }
    function->name = text();
    next();
    const Scope mark = enter_scope();
    find_shared_scalars();
    comments_.clear();
    let_bound_.clear();
    declared_.clear();
    by_unique_name_.clear();
    attributes_ = &function->attrs;
    const bool ok = parse_parameters(*function);
    if (ok) function->body = parse_block("a function");
    attributes_ = nullptr;
    leave_scope(mark);
    if (!ok || function->body == nullptr) return skip_statement();
    function->span = span_from(first);
    clean_up(*function);
    module.functions.push_back(seal(std::move(function)));
}

/// The printed form x: T.uint32 does not tell shared from local memory. What hardware addresses is shared: where
/// tensor memory's address is written, and barriers. Looks for
///     allocated_addr=x[     mbar=T.address_of(x     T.cuda.cvta_generic_to_shared(T.address_of(x
/// and for x: T.uint64 that nothing names again: descriptors are always written, so it is a barrier that nobody waits for.
void Parser::find_shared_scalars() {
    shared_scalars_.clear();
    std::unordered_map<std::string_view, int> named;
    std::vector<std::string_view> wide;
    std::size_t depth = 0;
    for (std::size_t i = at_; i + 1 < tokens_.size(); ++i) {
        const TokenKind kind = tokens_[i].kind;
        if (kind == TokenKind::Indent) ++depth;
        if (kind == TokenKind::Dedent && (depth == 0 || --depth == 0)) break;
        if (kind != TokenKind::Name) continue;
        const std::string_view name = text(tokens_[i]);
        ++named[name];
        const auto token = [&](std::size_t ahead) {
            return i + ahead < tokens_.size() ? text(tokens_[i + ahead]) : std::string_view();
        };
        if (name == "allocated_addr" && token(1) == "=") shared_scalars_.insert(token(2));
        const bool addressed =
            (name == "mbar" && token(1) == "=") || (name == "cvta_generic_to_shared" && token(1) == "(");
        if (addressed && token(3) == "." && token(4) == "address_of" && token(5) == "(")
            shared_scalars_.insert(token(6));
        const bool declared = token(1) == ":" && token(2) == "T" && token(3) == "." && token(4) == "uint64";
        if (declared && i + 5 < tokens_.size() && tokens_[i + 5].kind == TokenKind::Newline) wide.push_back(name);
    }
    for (const std::string_view name : wide) {
        if (named[name] == 1) shared_scalars_.insert(name);
    }
}

namespace {

/// Drops the statements that define these variables.
class WithoutDefinitions final : public Mutator {
public:
    explicit WithoutDefinitions(const std::unordered_set<const VarNode*>& dropped) : dropped_(dropped) {}

private:
    Stmt on_stmt(const Stmt& stmt) override {
        const auto* a = as<AssignNode>(stmt);
        const auto* c = a != nullptr ? as<CallNode>(a->value) : nullptr;
        const bool declares = c != nullptr && a->targets.size() == 1 && (c->args.empty() || c->op == "match_buffer");
        if (declares && dropped_.contains(a->targets[0].get())) return nullptr;
        return Mutator::on_stmt(stmt);
    }
    const std::unordered_set<const VarNode*>& dropped_;
};

} // namespace

void Parser::clean_up(FunctionNode& function) {
    if (function.body->depth > kMaxDepth) return; // refused later
    std::unordered_map<const VarNode*, std::size_t> handles;
    for (std::size_t i = 0; i < function.params.size(); ++i) {
        if (as<PtrTypeNode>(function.params[i].var->type) != nullptr) handles[function.params[i].var.get()] = i;
    }
    std::unordered_map<const VarNode*, std::size_t> uses;
    std::unordered_map<const VarNode*, Var> matched;
    if (!handles.empty()) {
        walk(*function.body, [&](const Node& node) {
            if (const auto* v = as<VarNode>(&node); v != nullptr && handles.contains(v)) ++uses[v];
            const auto* a = as<AssignNode>(&node);
            const auto* c = a != nullptr ? as<CallNode>(a->value) : nullptr;
            if (c != nullptr && c->is_op("match_buffer") && c->args.size() == 1) {
                const auto* handle = as<VarNode>(c->args[0]);
                if (handle != nullptr && handles.contains(handle)) matched[handle] = a->targets[0];
            }
            return true;
        });
    }
    std::unordered_set<const VarNode*> dropped = let_bound_;
    for (const auto& [handle, buffer] : matched) {
        if (uses[handle] != 1) continue;
        function.params[handles[handle]].var = buffer;
        dropped.insert(buffer.get());
    }
    if (!dropped.empty()) function.body = WithoutDefinitions(dropped).mutate(function.body);
}

ReadResult read_all(std::string_view source) {
    Result<std::vector<Token>> tokens = pypto::tokenize(source);
    if (tokens) return Parser(source, std::move(*tokens)).run();
    return {nullptr, {lexer_finding(std::move(tokens).error())}};
}

Result<Module> read(std::string_view source) {
    ReadResult result = read_all(source);
    if (result.ok()) return std::move(result.module);
    const auto first = std::find_if(result.diagnostics.begin(), result.diagnostics.end(),
                                    [](const Diagnostic& d) { return d.severity == Severity::Error; });
    return *first;
}

} // namespace ls::tirx
