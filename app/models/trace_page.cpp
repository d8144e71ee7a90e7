#include "app/models/trace_page.h"

#include <algorithm>
#include <cctype>

#include "app/models/wrapped_text.h"
#include "core/dialect/surface.h"

namespace ls::models {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (true) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return lines;
        text.remove_prefix(end + 1);
    }
}

TracePage::TracePage(const ir::ModuleNode& module) {
    const dialect::Printed printed = dialect::print(module);
    WrappedText wrapped(printed.text);
    for (const std::size_t line : wrapped.source_lines())
        lines.push_back(line < printed.lines.size() ? printed.lines[line] : nullptr);
    text = std::make_shared<const std::string>(wrapped.text());
}

namespace {

/// A text without what passes hang on names ("n0__ssa_v0" was "n0"), and where each of its characters was.
struct Plain {
    std::string text;
    std::vector<std::size_t> at; ///< one more than characters

    explicit Plain(std::string_view line) {
        const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
        for (std::size_t i = 0; i < line.size();) {
            const bool suffix = line.substr(i, 2) == "__" && i > 0 && in_word(line[i - 1]) && i + 2 < line.size() &&
                                std::islower(static_cast<unsigned char>(line[i + 2])) != 0;
            if (suffix) {
                while (i < line.size() && in_word(line[i])) ++i;
                continue;
            }
            at.push_back(i);
            text += line[i++];
        }
        at.push_back(line.size());
    }
};

/// Where `words` stand in `line` as words of their own, not inside longer ones, names as they were written first; empty
/// when they do not.
Span find_words(std::string_view line, std::string_view words) {
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (words.empty()) return {};
    const Plain plain(line);
    for (std::size_t at = plain.text.find(words); at != std::string::npos; at = plain.text.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        const bool runs_on = (at > 0 && in_word(plain.text[at - 1]) && in_word(words.front())) ||
                             (end < plain.text.size() && in_word(plain.text[end]) && in_word(words.back()));
        // A suffix behind the last character belongs to it.
        if (!runs_on) return {plain.at[at], end < plain.text.size() ? plain.at[end] : line.size()};
    }
    return {};
}

/// The spans of a finding are positions in the source. Where they stand in a snapshot: the line of the innermost
/// statement that came from there, and in it the very words if they are still written so.
Span place_in(const TracePage& page, std::string_view source, const Span& span) {
    if (span.empty() && span.begin == 0) return {};
    const std::string_view words = source.substr(std::min(span.begin, source.size()), span.end - span.begin);
    const auto lines = lines_of(*page.text);
    std::size_t best = lines.size();
    std::size_t best_length = static_cast<std::size_t>(-1);
    bool best_says = false;
    for (std::size_t i = 0; i < page.lines.size() && i < lines.size(); ++i) {
        for (const ir::Node* node = page.lines[i]; node != nullptr; node = node->origin.get()) {
            if (node->span.empty() || node->span.begin > span.begin || node->span.end < span.end) continue;
            const std::size_t length = node->span.end - node->span.begin;
            // Of the several lines of one statement the one that has the words.
            const bool says = !find_words(lines[i], words).empty();
            if (length < best_length || (length == best_length && says && !best_says)) {
                best = i;
                best_length = length;
                best_says = says;
            }
            break;
        }
    }
    if (best == lines.size()) return {};
    const auto begin = static_cast<std::size_t>(lines[best].data() - page.text->data());
    if (best_says) {
        const Span at = find_words(lines[best], words);
        return {begin + at.begin, begin + at.end};
    }
    const std::size_t indent = std::min(lines[best].find_first_not_of(' '), lines[best].size());
    return {begin + indent, begin + lines[best].size()};
}

} // namespace

std::vector<Diagnostic> placed(std::vector<Diagnostic> diagnostics, const TracePage& page, std::string_view source) {
    for (Diagnostic& one : diagnostics) {
        one.span = place_in(page, source, one.span);
        for (Diagnostic& note : one.notes) note.span = place_in(page, source, note.span);
    }
    return diagnostics;
}

} // namespace ls::models
