// What went wrong (or is worth knowing), where, and how to mend it. Errors are values: they travel in Result<T>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ls {

/// Half-open byte range [begin, end) of a source text. An empty span at 0 means "no place in a text".
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;

    bool empty() const { return begin == end; }
    bool operator==(const Span&) const = default;
};

enum class Severity : std::uint8_t { Error, Warning, Note };

/// One finding. `code` is stable and documented (`NZ_GM_GAP`, `TXT_EXPECTED`); `message` names the values seen;
/// `hint` says how to mend it. The same value is printed in the terminal and shown in the window.
struct Diagnostic {
    std::string code;
    Severity severity = Severity::Error;
    Span span;
    std::string message;
    std::string hint;
    std::vector<Diagnostic> notes; ///< related places, shown under the finding

    Diagnostic& with_hint(std::string text) &;
    Diagnostic&& with_hint(std::string text) &&;
    Diagnostic&& with_note(Diagnostic note) &&;

    bool operator==(const Diagnostic&) const = default;
};

/// An error without a place; readers set the span where they know it.
Diagnostic error(std::string code, std::string message, std::string hint = {});
Diagnostic error_at(Span span, std::string code, std::string message, std::string hint = {});
Diagnostic warning_at(Span span, std::string code, std::string message, std::string hint = {});

/// 1-based line and column (in bytes) of a position in `text`.
struct LineColumn {
    std::size_t line = 1;
    std::size_t column = 1;
};
LineColumn line_column(std::string_view text, std::size_t position);

/// Renders one finding for a terminal:
///
///     error[NZ_ROWS_UNALIGNED] weights.py:6:21: shape[-2]=200 must be a positive multiple of 16
///       6 |     w: pl.Tensor[[200, 512], pl.INT8, pl.NZ],
///         |                   ^~~
///     help: pad the rows to 208
///
/// `source` may be empty (then no line is quoted). With `colour` ANSI escapes mark severity and caret.
std::string render(const Diagnostic& diagnostic, std::string_view source, std::string_view name, bool colour = false);

} // namespace ls
