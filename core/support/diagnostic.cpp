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

constexpr std::size_t kLongestQuote = 160;   ///< bytes of a source line
constexpr std::size_t kBeforeCaret = 60;     ///< of them in front of the place, where a line is cut
constexpr std::size_t kLongestMessage = 1000;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// `at`, moved back to where a UTF-8 character begins.
std::size_t character_begin(std::string_view text, std::size_t at) {
    while (at > 0 && at < text.size() && is_continuation(text[at])) --at;
    return at;
}

/// A line as it may be shown: control characters must not reach the terminal.
std::string printable(std::string_view line) {
    std::string out(line);
    for (char& c : out) {
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == '\x7f') c = '?';
    }
    return out;
}

/// The part of a line around a place, with … where it was cut. `from` is where the place is in `text`, in bytes.
struct Quote {
    std::string text;
    std::size_t from = 0;
};
Quote quote(std::string_view line, std::size_t from) {
    from = std::min(from, line.size());
    if (line.size() <= kLongestQuote) return {printable(line), from};
    const std::size_t begin = from <= kBeforeCaret ? 0 : character_begin(line, std::min(from - kBeforeCaret, line.size() - kLongestQuote));
    const std::size_t end = character_begin(line, std::min(line.size(), begin + kLongestQuote));
    const std::string_view left = begin > 0 ? "…" : "";
    return {fmt::format("{}{}{}", left, printable(line.substr(begin, end - begin)), end < line.size() ? "…" : ""),
            from - begin + left.size()};
}

/// Messages name the values seen, and a value may be a megabyte.
std::string shortened(std::string_view message) {
    if (message.size() <= kLongestMessage) return std::string(message);
    const std::size_t half = kLongestMessage / 2;
    const std::size_t tail = character_begin(message, message.size() - half);
    return fmt::format("{} … {}", message.substr(0, character_begin(message, half)), message.substr(tail));
}

/// The caret line must stay under its text even behind tabs and multi-byte characters.
std::string caret_line(std::string_view line, std::size_t from, std::size_t length) {
    std::string out;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < line.size() && i < from + length; ++i) {
        if (is_continuation(line[i])) continue;
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
    out += fmt::format(": {}{}{}\n", ink.strong, printable(shortened(diagnostic.message)), ink.reset);

    if (placed) {
        const std::size_t begin = std::min(diagnostic.span.begin, source.size());
        const std::size_t line_begin = begin == 0 ? 0 : source.rfind('\n', begin - 1) + 1;
        std::size_t line_end = source.find('\n', begin);
        if (line_end == std::string_view::npos) line_end = source.size();
        const std::string_view line = source.substr(line_begin, line_end - line_begin);
        const std::string number = fmt::format("{}", at.line);
        const std::size_t span_end = std::min(std::max(diagnostic.span.end, begin), line_end);
        const Quote shown = quote(line, begin - line_begin);
        out += fmt::format("  {}{} |{} {}\n", ink.dim, number, ink.reset, shown.text);
        out += fmt::format("  {}{} |{} {}{}{}\n", ink.dim, std::string(number.size(), ' '), ink.reset, tint,
                           caret_line(shown.text, shown.from, span_end - begin), ink.reset);
    }
    if (!diagnostic.hint.empty()) out += fmt::format("{}help:{} {}\n", ink.note, ink.reset, shortened(diagnostic.hint));
    for (const Diagnostic& note : diagnostic.notes) out += render(note, source, name, colour);
    return out;
}

} // namespace ls
