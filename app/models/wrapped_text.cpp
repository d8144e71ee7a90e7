#include "app/models/wrapped_text.h"

#include <algorithm>

namespace ls::models {

namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kStep = 4;
constexpr int kMostDepth = 12;

bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

struct Bracket {
    std::size_t open = kNone, close = kNone;
    std::vector<std::size_t> commas; ///< at its own level
};

/// The outermost bracket that holds most; empty when none holds a comma.
Bracket longest_bracket(std::string_view text) {
    Bracket best, now;
    int depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '#') {
            break;
        } else if (opens(c)) {
            if (depth++ == 0) now = {i, kNone, {}};
        } else if (closes(c) && depth > 0) {
            if (--depth == 0) {
                now.close = i;
                if (!now.commas.empty() && (best.open == kNone || now.close - now.open > best.close - best.open))
                    best = now;
            }
        } else if (c == ',' && depth == 1) {
            now.commas.push_back(i);
        }
    }
    return best;
}

} // namespace

WrappedText::WrappedText(std::string_view text, std::size_t width) : width_(width) {
    std::size_t begin = 0, line = 0;
    while (true) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view one = text.substr(begin, end - begin);
        const std::size_t indent = std::min(one.find_first_not_of(' '), one.size());
        wrap(one.substr(indent), begin + indent, indent, line++, 0);
        if (end == text.size()) break;
        begin = end + 1;
    }
    text_.pop_back(); // the newline that put() left behind the last line
}

void WrappedText::put(std::string_view part, std::size_t from, std::size_t indent, std::size_t line) {
    text_.append(part.empty() ? 0 : indent, ' ');
    pieces_.push_back({from, text_.size(), part.size()});
    text_.append(part);
    text_.push_back('\n');
    source_lines_.push_back(line);
}

void WrappedText::wrap(std::string_view part, std::size_t from, std::size_t indent, std::size_t line, int depth) {
    if (indent + part.size() <= width_ || depth > kMostDepth) return put(part, from, indent, line);
    const Bracket bracket = longest_bracket(part);
    if (bracket.open == kNone) return put(part, from, indent, line);
    put(part.substr(0, bracket.open + 1), from, indent, line);
    std::size_t begin = bracket.open + 1;
    const auto item = [&](std::size_t end) {
        while (begin < end && part[begin] == ' ') ++begin;
        if (begin < end) wrap(part.substr(begin, end - begin), from + begin, indent + kStep, line, depth + 1);
        begin = end;
    };
    for (const std::size_t comma : bracket.commas) item(comma + 1);
    item(bracket.close);
    wrap(part.substr(bracket.close), from + bracket.close, indent, line, depth + 1);
}

std::size_t WrappedText::position(std::size_t from) const {
    auto after = std::upper_bound(pieces_.begin(), pieces_.end(), from,
                                  [](std::size_t at, const Piece& piece) { return at < piece.from; });
    if (after == pieces_.begin()) return 0;
    const Piece& piece = *std::prev(after);
    return piece.to + std::min(from - piece.from, piece.length);
}

Span WrappedText::map(const Span& span) const {
    if (span.empty() && span.begin == 0) return {};
    return {position(span.begin), std::max(position(span.begin), position(span.end))};
}

} // namespace ls::models
