// Modules and functions, and what all parts of the reader stand on: names, types, attributes, comments.
#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "core/dialect/pto/parser.h"
#include "core/dialect/pto/spelling.h"
#include "core/dialect/pto/types.h"

namespace ls::pto {

using namespace ir;

// ---------------------------------------------------------------------------------------------- tokens, findings

bool Parser::expect(std::string_view spelling, std::string_view where) {
    if (accept(spelling)) return true;
    fail_here(fmt::format("'{}' must stand {}, found {}", spelling, where, found()));
    return false;
}

Span Parser::span_from(std::size_t first_token) const {
    const std::size_t last = at_ == 0 ? 0 : at_ - 1;
    return {tokens_[first_token].begin, std::max(tokens_[std::max(last, first_token)].end, tokens_[first_token].begin)};
}

std::string Parser::found() const {
    if (is(TokenKind::End)) return "the end of the text";
    std::string_view shown = text().substr(0, 40);
    return fmt::format("'{}'", one_line(shown.substr(0, shown.find('\n'))));
}

std::nullptr_t Parser::fail(Span span, std::string code, std::string message, std::string hint) {
    if (errors_++ < dialect::kMaxErrors) {
        diagnostics_.push_back(error_at(span, std::move(code), std::move(message), std::move(hint)));
    }
    return nullptr;
}

void Parser::warn(Span span, std::string code, std::string message, std::string hint) {
    if (diagnostics_.size() < 10 * dialect::kMaxErrors) {
        diagnostics_.push_back(warning_at(span, std::move(code), std::move(message), std::move(hint)));
    }
}

// ---------------------------------------------------------------------------------------------- names

Parser::Scope::~Scope() {
    while (parser_.bound_.size() > mark_) {
        parser_.scope_.erase(parser_.bound_.back());
        parser_.bound_.pop_back();
    }
    --parser_.nesting_;
}

bool Parser::Scope::too_deep() const {
    if (parser_.nesting_ <= kMaxNesting) return false;
    parser_.fail(parser_.here(), "IR_TOO_DEEP", fmt::format("regions nest more than {} levels deep here", kMaxNesting),
                 "move the inner loops into a function");
    return true;
}

Var Parser::known(std::string_view name) const {
    if (const auto found = scope_.find(name); found != scope_.end()) return found->second;
    // %r#0 of an operation with one result is that result.
    if (name.ends_with("#0")) {
        if (const auto found = scope_.find(name.substr(0, name.size() - 2)); found != scope_.end()) return found->second;
    }
    return {};
}

Var Parser::make_var(std::string_view name, const TypeText& type, Span span) {
    Var made = var(std::string(name), type.type, span);
    type_texts_[made.get()] = type.text;
    return made;
}

void Parser::bind(const Var& var, Span span) {
    // The scope's keys must outlive it: they are names in the source, or of packs.
    const std::string_view name = source_.substr(span.begin, span.end - span.begin).substr(1);
    const bool from_source = name == var->name;
    const std::string_view key = from_source ? name : std::string_view(names_.emplace_back(var->name));
    if (!scope_.emplace(key, var).second) {
        fail(span, "PTO_REDEFINED", fmt::format("%{} is defined already", var->name), "give one of the two another name");
        return;
    }
    bound_.push_back(key);
}

Var Parser::define(std::string_view name, const TypeText& type, Span span) {
    Var made = make_var(name, type, span);
    bind(made, span);
    return made;
}

// ---------------------------------------------------------------------------------------------- types

TypeText Parser::type_from(std::string_view raw, Span span) {
    if (const auto found = types_.find(raw); found != types_.end()) return found->second;
    TypeText made;
    made.type = read_type(raw, span);
    made.text = intern(type_text(*made.type));
    types_.emplace(raw, made);
    return made;
}

/// A type, or a function's: (T, T) -> T.
TypeText Parser::parse_type() {
    if (is(TokenKind::Type) || is(TokenKind::Word)) {
        const TypeText type = type_from(text(), here());
        next();
        return type;
    }
    if (is("(")) {
        const std::size_t first = at_;
        int depth = 0;
        do {
            depth += is("(") ? 1 : is(")") ? -1 : 0;
            next();
            if (depth == 0 && is("->")) {
                next();
                if (!is("(")) {
                    next();
                    break;
                }
            }
        } while (!is(TokenKind::End) && (depth > 0 || is("(")));
        const Span span = span_from(first);
        return type_from(source_.substr(span.begin, span.end - span.begin), span);
    }
    fail_here(fmt::format("a type must stand here, found {}", found()), "such as index, f16 or !pto.ptr<f16>");
    return {};
}

const std::string* Parser::text_of(const VarNode& var) const {
    const auto found = type_texts_.find(&var);
    return found == type_texts_.end() ? nullptr : found->second;
}

bool Parser::parse_type_list(std::vector<TypeText>& into) {
    if (!accept("(")) {
        into.push_back(parse_type());
        return into.back().type != nullptr;
    }
    while (!is(")")) {
        if (!into.empty() && !expect(",", "between types")) return false;
        into.push_back(parse_type());
        if (into.back().type == nullptr) return false;
    }
    next();
    return true;
}

// ---------------------------------------------------------------------------------------------- comments

namespace {

std::string comment_text(std::string_view text) {
    return std::string(text.starts_with("// ") ? text.substr(3) : text);
}

} // namespace

std::vector<std::string> Parser::comments_here() {
    std::vector<std::string> out;
    for (; next_trivia_ < trivia_.size() && trivia_[next_trivia_].before <= at_; ++next_trivia_) {
        // Empty lines that stood apart inside an operation come together here; one is enough.
        std::string line = comment_text(trivia_[next_trivia_].text);
        if (!line.empty() || out.empty() || !out.back().empty()) out.push_back(std::move(line));
    }
    return out;
}

std::string Parser::take_behind() {
    std::string out;
    if (is("loc") && is("(", 1)) {
        const std::size_t first = at_;
        int depth = 0;
        do {
            next();
            depth += is("(") ? 1 : is(")") ? -1 : 0;
        } while (depth > 0 && !is(TokenKind::End));
        next();
        const Span span = span_from(first);
        out = one_line(source_.substr(span.begin, span.end - span.begin));
    }
    if (next_trivia_ < trivia_.size() && trivia_[next_trivia_].before == at_ && !trivia_[next_trivia_].own_line) {
        out += (out.empty() ? "" : " ") + std::string(trivia_[next_trivia_++].text);
    }
    return out;
}

Stmt Parser::noted(const Stmt& stmt, std::vector<std::string> before, const std::string& behind) {
    if (!behind.empty()) before.push_back(spelling::kBehind + behind);
    return before.empty() ? stmt : with_comments(stmt, std::move(before));
}

// ---------------------------------------------------------------------------------------------- attributes

bool Parser::parse_attributes(std::vector<KeyValue>& into) {
    if (!expect("{", "before attributes")) return false;
    while (!is("}")) {
        if (!into.empty() && !expect(",", "between attributes")) return false;
        if (!is(TokenKind::Word) && !is(TokenKind::String)) {
            return fail_here(fmt::format("an attribute's name must stand here, found {}", found())), false;
        }
        KeyValue one{std::string(text()), {}};
        const Span span = here();
        next();
        one.value = accept("=") ? parse_attribute_value() : none(span);
        if (one.value == nullptr) return false;
        into.push_back(std::move(one));
    }
    next();
    return true;
}

/// Numbers, strings and truth values as what they are; anything else as its text.
Expr Parser::parse_attribute_value() {
    const std::size_t first = at_;
    int depth = 0;
    while (!is(TokenKind::End)) {
        if (depth == 0 && (is(",") || is("}"))) break;
        if (is(TokenKind::Punct)) {
            depth += is("(") || is("[") || is("{") ? 1 : is(")") || is("]") || is("}") ? -1 : 0;
            if (depth < 0) break;
        }
        next();
    }
    const Span span = span_from(first);
    if (at_ == first) return fail_here("an attribute has no value", "write a value behind =");
    const std::string_view written = source_.substr(span.begin, span.end - span.begin);
    const Token& token = tokens_[first];
    if (at_ == first + 1) {
        if (token.kind == TokenKind::String) return string(std::string(written.substr(1, written.size() - 2)), span);
        if (written == "true" || written == "false") return const_bool(written == "true", span);
    }
    const bool typed = at_ == first + 3 && text(tokens_[first + 1]) == ":";
    if (token.kind == TokenKind::Int && (at_ == first + 1 || typed)) {
        const std::string_view digits = text(token);
        const auto dtype = typed ? read_type(text(tokens_[first + 2]), span) : scalar_type(DType::Index);
        std::int64_t value = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        const auto* scalar = as<ScalarTypeNode>(dtype);
        // A type of index is not printed, so an index that says so stays text.
        const bool said = typed && scalar != nullptr && scalar->dtype == DType::Index;
        if (problem == std::errc{} && end == digits.data() + digits.size() && scalar != nullptr && !said &&
            fmt::format("{}", value) == digits) {
            return const_int(value, scalar->dtype, span);
        }
    }
    return symbol(one_line(written), span);
}

std::string Parser::take_attributes_text() {
    const std::size_t first = at_;
    int depth = 0;
    do {
        depth += is("{") ? 1 : is("}") ? -1 : 0;
        next();
    } while (depth > 0 && !is(TokenKind::End));
    const Span span = span_from(first);
    return one_line(source_.substr(span.begin, span.end - span.begin));
}

// ---------------------------------------------------------------------------------------------- functions

std::size_t Parser::column(const Token& t) const {
    const std::size_t line = source_.rfind('\n', t.begin);
    return line == std::string_view::npos ? t.begin : t.begin - line - 1;
}

bool Parser::parse_params(FunctionNode& f) {
    if (!expect("(", "before the parameters")) return false;
    std::vector<Expr> attributes;
    bool any = false;
    while (!is(")")) {
        if (!f.params.empty() && !expect(",", "between parameters")) return false;
        const Span span = here();
        std::string_view name;
        if (is(TokenKind::Value)) {
            name = text().substr(1);
            next();
            if (!expect(":", "behind the name of a parameter")) return false;
        }
        const TypeText type = parse_type();
        if (type.type == nullptr) return false;
        // A declaration may leave its parameters without names.
        f.params.push_back({name.empty() ? make_var(name, type, span) : define(name, type, span), Direction::In});
        std::vector<KeyValue> one;
        if (is("{") && !parse_attributes(one)) return false;
        any = any || !one.empty();
        attributes.push_back(dict(std::move(one)));
    }
    next();
    if (any) f.options.push_back({std::string(spelling::kArgAttrs), tuple(std::move(attributes))});
    return true;
}

Function Parser::parse_function() {
    auto f = std::make_shared<FunctionNode>();
    f->comments = comments_here();
    f->function = FunctionKind::Kernel;
    const std::size_t first = at_;
    next();
    Scope scope(*this);
    if (is("private") || is("public") || is("nested")) {
        f->options.push_back({std::string(spelling::kVisibility), symbol(std::string(text()), here())});
        next();
    }
    if (!is(TokenKind::Symbol)) return fail_here(fmt::format("a function's @name must stand here, found {}", found()));
    f->name = std::string(text().substr(1));
    next();
    if (!parse_params(*f)) return {};
    if (accept("->")) {
        std::vector<TypeText> types;
        if (!parse_type_list(types)) return {};
        for (const TypeText& one : types) f->returns.push_back(one.type);
        if (types.empty()) f->options.push_back({std::string(spelling::kNoResults), const_bool(true)});
    }
    if (accept("attributes") && !parse_attributes(f->attrs)) return {};
    if (is("{")) {
        const Token& inside = peek(1);
        const std::size_t indent = column(inside) - std::min(column(inside), column(tokens_[first]));
        if (inside.line_start && tokens_[first].line_start && indent != spelling::kIndent && indent <= 8) {
            f->options.push_back({std::string(spelling::kBodyIndent), const_int(static_cast<std::int64_t>(indent))});
        }
        if ((f->body = parse_region("@" + f->name)) == nullptr) return {};
    }
    if (std::string behind = take_behind(); !behind.empty()) f->comments.push_back(spelling::kBehind + behind);
    f->span = span_from(first);
    return seal(std::move(f));
}

// ---------------------------------------------------------------------------------------------- modules

/// Operations that stand beside the functions, as a function without a name.
void Parser::parse_loose(ModuleNode& module) {
    std::vector<Stmt> stmts;
    const std::size_t first = at_;
    // An alias: #map = affine_map<...>, !t = !pto.ptr<f16>.
    if ((is(TokenKind::Attr) || is(TokenKind::Type)) && is("=", 1)) {
        std::vector<std::string> before = comments_here();
        std::size_t end = at_ + 1;
        while (tokens_[end].kind != TokenKind::End && !tokens_[end].line_start) ++end;
        at_ = end;
        auto raw = std::make_shared<RawNode>();
        raw->span = span_from(first);
        raw->text = one_line(source_.substr(raw->span.begin, raw->span.end - raw->span.begin));
        stmts.push_back(noted(seal(std::move(raw)), std::move(before), take_behind()));
    } else if (!parse_op(stmts)) {
        recover(first);
        return;
    }
    auto f = std::make_shared<FunctionNode>();
    f->function = FunctionKind::Kernel;
    f->span = span_from(first);
    f->body = seq(std::move(stmts), f->span);
    module.functions.push_back(seal(std::move(f)));
}

void Parser::parse_top_level(ModuleNode& module, int parent) {
    while (!is(TokenKind::End) && !is("}") && errors_ < dialect::kMaxErrors) {
        const std::size_t first = at_;
        if (is("module") || is("builtin.module")) {
            if (!parse_module(module, parent)) recover(first);
        } else if (is("func.func")) {
            if (Function f = parse_function()) {
                module.functions.push_back(std::move(f));
            } else {
                recover(first);
            }
        } else {
            Scope scope(*this);
            parse_loose(module);
        }
    }
}

bool Parser::parse_module(ModuleNode& module, int parent) {
    Scope scope(*this);
    if (scope.too_deep()) return false;
    const auto index = modules_.size();
    modules_.push_back({parent, module.functions.size(), 0, {}, {}, comments_here(), {}});
    next();
    if (is(TokenKind::Symbol)) {
        modules_[index].name = std::string(text().substr(1));
        next();
    }
    if (accept("attributes")) {
        std::vector<KeyValue> attributes;
        if (!parse_attributes(attributes)) return false;
        modules_[index].attributes = std::move(attributes);
    }
    const std::size_t open = at_;
    if (!expect("{", "before the functions of a module")) return false;
    parse_top_level(module, static_cast<int>(index));
    if (!is("}")) {
        fail({tokens_[open].begin, tokens_[open].end}, "PTO_BRACKET", "this module is never closed", "close it with '}'");
        return false;
    }
    modules_[index].last = comments_here();
    next();
    modules_[index].end = module.functions.size();
    return true;
}

namespace {

Expr lines_of(const std::vector<std::string>& lines) {
    std::vector<Expr> out;
    for (const std::string& line : lines) out.push_back(string(line));
    return tuple(std::move(out));
}

} // namespace

/// One module around everything is the usual case and needs no words.
void Parser::finish_module(ModuleNode& module) {
    const bool usual = modules_.size() == 1 && modules_[0].begin == 0 && modules_[0].end == module.functions.size();
    if (usual) {
        ModuleEntry& only = modules_[0];
        module.name = std::move(only.name);
        module.attrs = std::move(only.attributes);
        if (!only.comments.empty()) module.attrs.push_back({std::string(spelling::kHead), lines_of(only.comments)});
        if (!only.last.empty()) module.attrs.push_back({std::string(spelling::kLast), lines_of(only.last)});
    } else {
        std::vector<Expr> entries;
        for (const ModuleEntry& one : modules_) {
            std::vector<KeyValue> entry{{"parent", const_int(one.parent)},
                                        {"begin", const_int(static_cast<std::int64_t>(one.begin))},
                                        {"end", const_int(static_cast<std::int64_t>(one.end))},
                                        {"name", string(one.name)},
                                        {"attributes", dict(one.attributes)},
                                        {"comments", lines_of(one.comments)},
                                        {"last", lines_of(one.last)}};
            entries.push_back(dict(std::move(entry)));
        }
        module.attrs.push_back({std::string(spelling::kModules), tuple(std::move(entries))});
    }
    std::vector<std::string> tail = comments_here();
    while (!tail.empty() && tail.back().empty()) tail.pop_back();
    if (!tail.empty()) module.attrs.push_back({std::string(spelling::kTail), lines_of(tail)});
}

ReadResult Parser::run() {
    auto module = std::make_shared<ModuleNode>();
    module->dialect = Dialect::PtoText;
    module->span = {0, source_.size()};
    parse_top_level(*module, -1);
    if (errors_ == 0 && !is(TokenKind::End)) fail_here("this closes nothing that is open", "remove it");
    if (errors_ == 0 && module->functions.empty() && modules_.empty()) {
        fail({}, "PTO_EMPTY", "there is no module and no function in the text", "write module { func.func @name() { return } }");
    }
    ReadResult result;
    if (errors_ == 0) {
        finish_module(*module);
        Module sealed = seal(std::move(module));
        if (Status depth = check_depth(*sealed); depth.ok()) {
            result.module = std::move(sealed);
        } else {
            diagnostics_.push_back(std::move(depth).error());
        }
    }
    result.diagnostics = std::move(diagnostics_);
    return result;
}

ReadResult read_all(std::string_view source) {
    auto tokens = tokenize(source);
    if (!tokens.ok()) return {nullptr, {std::move(tokens).error()}};
    return Parser(source, std::move(tokens).value()).run();
}

Result<Module> read(std::string_view source) {
    ReadResult result = read_all(source);
    if (result.ok()) return result.module;
    const auto first = std::find_if(result.diagnostics.begin(), result.diagnostics.end(),
                                    [](const Diagnostic& d) { return d.severity == Severity::Error; });
    return *first;
}

bool looks_like(std::string_view source) {
    constexpr std::string_view kWords[] = {"func.func", "module {", "module attributes {", "module @", "!pto."};
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [&](std::string_view words) { return source.find(words) != std::string_view::npos; });
}

} // namespace ls::pto
