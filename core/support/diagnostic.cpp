#include "core/support/diagnostic.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace ls {

Diagnostic& Diagnostic::with_hint(std::string text) & {
    hint = std::move(text);
    return *this;
}

Diagnostic&& Diagnostic::with_hint(std::string text) && {
    hint = std::move(text);
    return std::move(*this);
}

Diagnostic&& Diagnostic::with_note(Diagnostic note) && {
    notes.push_back(std::move(note));
    return std::move(*this);
}

Diagnostic error(std::string code, std::string message, std::string hint) {
    return error_at({}, std::move(code), std::move(message), std::move(hint));
}

Diagnostic error_at(Span span, std::string code, std::string message, std::string hint) {
    return {std::move(code), Severity::Error, span, std::move(message), std::move(hint), {}};
}

Diagnostic warning_at(Span span, std::string code, std::string message, std::string hint) {
    return {std::move(code), Severity::Warning, span, std::move(message), std::move(hint), {}};
}

LineColumn line_column(std::string_view text, std::size_t position) {
    position = std::min(position, text.size());
    const std::string_view before = text.substr(0, position);
    const auto newlines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t last = before.rfind('\n');
    return {newlines + 1, last == std::string_view::npos ? position + 1 : position - last};
}

namespace {

struct Palette {
    std::string_view strong, error, warning, note, dim, reset;
};
constexpr Palette kPlain{"", "", "", "", "", ""};
constexpr Palette kAnsi{"\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[2m", "\x1b[0m"};

std::string_view word(Severity severity) {
    switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: break;
    }
    return "note";
}

/// The caret line must stay under its text even behind tabs and multi-byte characters.
std::string caret_line(std::string_view line, std::size_t from, std::size_t length) {
    std::string out;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < line.size() && i < from + length; ++i) {
        const auto byte = static_cast<unsigned char>(line[i]);
        const bool continuation = (byte & 0xC0U) == 0x80U;
        if (continuation) continue;
        if (i < from) {
            out += line[i] == '\t' ? '\t' : ' ';
        } else {
            out += shown++ == 0 ? '^' : '~';
        }
    }
    if (shown == 0) {
        out.append(from > line.size() ? from - line.size() : 0, ' ');
        out += '^';
    }
    return out;
}

} // namespace

std::string render(const Diagnostic& diagnostic, std::string_view source, std::string_view name, bool colour) {
    const Palette& ink = colour ? kAnsi : kPlain;
    const std::string_view tint = diagnostic.severity == Severity::Error     ? ink.error
                                  : diagnostic.severity == Severity::Warning ? ink.warning
                                                                             : ink.note;
    const bool placed = !source.empty() && !(diagnostic.span.begin == 0 && diagnostic.span.end == 0);
    const LineColumn at = line_column(source, diagnostic.span.begin);

    std::string out = fmt::format("{}{}", tint, word(diagnostic.severity));
    if (!diagnostic.code.empty()) out += fmt::format("[{}]", diagnostic.code);
    out += ink.reset;
    if (!name.empty()) {
        out += placed ? fmt::format(" {}:{}:{}", name, at.line, at.column) : fmt::format(" {}", name);
    }
    out += fmt::format(": {}{}{}\n", ink.strong, diagnostic.message, ink.reset);

    if (placed) {
        const std::size_t begin = std::min(diagnostic.span.begin, source.size());
        const std::size_t line_begin = begin == 0 ? 0 : source.rfind('\n', begin - 1) + 1;
        std::size_t line_end = source.find('\n', begin);
        if (line_end == std::string_view::npos) line_end = source.size();
        const std::string_view line = source.substr(line_begin, line_end - line_begin);
        const std::string number = fmt::format("{}", at.line);
        const std::size_t span_end = std::min(std::max(diagnostic.span.end, begin), line_end);
        out += fmt::format("  {}{} |{} {}\n", ink.dim, number, ink.reset, line);
        out += fmt::format("  {}{} |{} {}{}{}\n", ink.dim, std::string(number.size(), ' '), ink.reset, tint,
                           caret_line(line, begin - line_begin, span_end - begin), ink.reset);
    }
    if (!diagnostic.hint.empty()) out += fmt::format("{}help:{} {}\n", ink.note, ink.reset, diagnostic.hint);
    for (const Diagnostic& note : diagnostic.notes) out += render(note, source, name, colour);
    return out;
}

} // namespace ls
