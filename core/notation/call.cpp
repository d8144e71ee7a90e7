#include "core/notation/call.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/notation/annotation.h"
#include "core/support/checked.h"

namespace ls::notation {

namespace {

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

Diagnostic wrong(Span span, std::string message, std::string_view signature) {
    return error_at(span, "TXT_ARGUMENT", std::move(message), fmt::format("it is called {}", signature));
}

class Reader {
public:
    Reader(std::string_view text, std::size_t base) : text_(text), at_(text, base) {}

    Result<Call> call() {
        Call out;
        at_.skip_space();
        const std::size_t prefix = at_.position();
        if (!((at_.accept("T") || at_.accept("Tx")) && at_.accept("."))) at_.rewind(prefix);
        const std::size_t begin = at_.position();
        out.name_span = at_.here();
        out.name = at_.word();
        if (out.name.empty()) return at_.expected("the name of a layout");
        LS_CHECK(at_.require("("));
        while (!at_.accept(")")) {
            if (!out.arguments.empty()) {
                LS_CHECK(at_.require(",", "',' or ')'"));
                if (at_.accept(")")) break;
            }
            LS_TRY(Argument argument, this->argument());
            out.arguments.push_back(std::move(argument));
        }
        out.span = at_.since(begin);
        LS_CHECK(at_.require_end("shape and type of any layout may follow a '|'"));
        return out;
    }

private:
    Result<Argument> argument() {
        std::string_view keyword;
        const std::size_t begin = at_.position();
        if (const std::string_view word = at_.word(); !word.empty() && at_.accept("="))
            keyword = word;
        else
            at_.rewind(begin);
        const std::size_t value_begin = at_.position();
        LS_TRY(Argument out, value());
        out.keyword = keyword;
        out.span = at_.since(value_begin);
        return out;
    }

    Result<Argument> value() {
        Argument out;
        LS_TRY(const auto quoted, at_.quoted());
        if (quoted) {
            out.kind = Argument::Kind::Word;
            out.word = *quoted;
            return out;
        }
        const char open = at_.peek();
        if (open == '(' || open == '[') return tuple(open == '(' ? ")" : "]");
        // 32x32b and 128B start like numbers and are words; pl.INT8 holds a dot.
        at_.skip_space();
        const std::size_t begin = at_.position();
        std::size_t end = begin;
        while (end < text_.size() && is_word_character(text_[end])) ++end;
        const std::string_view word = text_.substr(begin, end - begin);
        if (!word.empty() && word.find_first_not_of("0123456789") != std::string_view::npos) {
            at_.advance_to(end);
            out.kind = Argument::Kind::Word;
            out.word = word;
            return out;
        }
        LS_TRY(const auto number, at_.signed_number());
        if (!number) return at_.expected("a number, a shape or a word");
        out.integer = *number;
        return out;
    }

    Result<Argument> tuple(std::string_view close) {
        Argument out;
        out.kind = Argument::Kind::Tuple;
        at_.accept(close == ")" ? "(" : "[");
        while (!at_.accept(close)) {
            if (!out.tuple.empty()) {
                LS_CHECK(at_.require(",", fmt::format("',' or '{}'", close)));
                if (at_.accept(close)) break;
            }
            LS_TRY(const auto number, at_.signed_number());
            if (!number) return at_.expected("a number");
            out.tuple.push_back(*number);
        }
        return out;
    }

    std::string_view text_;
    Cursor at_;
};

std::string_view kind_name(ParameterKind kind) {
    switch (kind) {
    case ParameterKind::Integer: return "a number";
    case ParameterKind::Extents:
    case ParameterKind::Tuple: return "a shape (64, 128)";
    case ParameterKind::DType: return "an element type";
    case ParameterKind::Word: return "a word";
    case ParameterKind::Flag: break;
    }
    return "True or False";
}

bool fits(const Argument& argument, ParameterKind kind) {
    switch (kind) {
    case ParameterKind::Integer: return argument.kind == Argument::Kind::Integer;
    case ParameterKind::Extents: return argument.kind != Argument::Kind::Word;
    case ParameterKind::Tuple: return argument.kind == Argument::Kind::Tuple;
    case ParameterKind::DType: return argument.kind == Argument::Kind::Word;
    case ParameterKind::Word: return argument.kind != Argument::Kind::Tuple;
    case ParameterKind::Flag: break;
    }
    return argument.kind == Argument::Kind::Word ||
           (argument.kind == Argument::Kind::Integer && (argument.integer == 0 || argument.integer == 1));
}

} // namespace

std::optional<std::string_view> called_name(std::string_view text) {
    Cursor at(text);
    at.skip_space();
    const std::size_t begin = at.position();
    if (!((at.accept("T") || at.accept("Tx")) && at.accept("."))) at.rewind(begin);
    const std::string_view name = at.word();
    if (name.empty() || !at.accept("(")) return {};
    return name;
}

Result<Call> read_call(std::string_view text, std::size_t base) { return Reader(text, base).call(); }

Result<Bound> bind(const Call& call, std::span<const Parameter> parameters, std::string_view signature) {
    Bound bound;
    bound.values_.resize(parameters.size());
    bound.dtypes_.resize(parameters.size());
    std::size_t next = 0;
    for (std::size_t a = 0; a < call.arguments.size(); ++a) {
        Argument argument = call.arguments[a];
        std::size_t target = parameters.size();
        if (!argument.keyword.empty()) {
            for (std::size_t p = 0; p < parameters.size(); ++p) {
                if (parameters[p].name == argument.keyword) target = p;
            }
            if (target == parameters.size()) {
                return wrong(argument.span, fmt::format("{} has no argument '{}'", call.name, argument.keyword),
                             signature);
            }
            if (bound.values_[target])
                return wrong(argument.span, fmt::format("'{}' is given twice", argument.keyword), signature);
        } else {
            while (next < parameters.size() && !parameters[next].required && !fits(argument, parameters[next].kind))
                ++next;
            if (next == parameters.size())
                return wrong(argument.span, fmt::format("this argument is one too many for {}", call.name), signature);
            target = next++;
        }
        const Parameter& parameter = parameters[target];
        if (!fits(argument, parameter.kind)) {
            return wrong(argument.span,
                         fmt::format("{} of {} must be {}", parameter.name, call.name, kind_name(parameter.kind)),
                         signature);
        }
        if (parameter.kind == ParameterKind::Extents && argument.kind == Argument::Kind::Integer) {
            argument.tuple = {argument.integer};
            while (argument.keyword.empty() && a + 1 < call.arguments.size() && call.arguments[a + 1].keyword.empty() &&
                   call.arguments[a + 1].kind == Argument::Kind::Integer) {
                argument.tuple.push_back(call.arguments[++a].integer);
                argument.span.end = call.arguments[a].span.end;
            }
        }
        if (parameter.kind == ParameterKind::DType) {
            std::string_view name = argument.word;
            if (name.substr(0, 3) == "pl.") name.remove_prefix(3);
            LS_TRY(bound.dtypes_[target], find_dtype(name, argument.span));
        }
        if (parameter.kind == ParameterKind::Flag && argument.kind == Argument::Kind::Word) {
            const bool yes = argument.word == "True" || argument.word == "true";
            if (!yes && argument.word != "False" && argument.word != "false") {
                return wrong(argument.span, fmt::format("{} of {} must be True or False", parameter.name, call.name),
                             signature);
            }
            argument.integer = yes ? 1 : 0;
        }
        bound.values_[target] = std::move(argument);
    }
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        if (parameters[p].required && !bound.values_[p]) {
            return wrong(call.span, fmt::format("{} needs {}", call.name, parameters[p].name), signature);
        }
    }
    return bound;
}

} // namespace ls::notation
