#include "views/qml/code_tokens.h"

#include <QtCore/QSet>

#include "views/qml/theme.h"

namespace ls::ui {

namespace {

using Words = QSet<QStringView>;

const Words& keywords(Language language) {
    static const Words layout{u"o", u"Swizzle", u"Sw"};
    static const Words python{u"def",   u"self",  u"return",   u"for",    u"in",     u"if",   u"else",
                              u"elif",  u"while", u"with",     u"as",     u"import", u"from", u"class",
                              u"pass",  u"True",  u"False",    u"None",   u"and",    u"or",   u"not",
                              u"yield", u"break", u"continue", u"assert", u"lambda", u"range"};
    static const Words pto{u"module", u"func", u"return", u"ins", u"outs",  u"scf",  u"attributes", u"to",
                           u"step",   u"if",   u"else",   u"for", u"yield", u"true", u"false"};
    static const Words cpp{u"auto",       u"bool",       u"break",     u"case",    u"class",      u"const",
                           u"constexpr",  u"continue",   u"do",        u"else",    u"extern",     u"for",
                           u"if",         u"inline",     u"namespace", u"return",  u"static",     u"struct",
                           u"switch",     u"template",   u"typename",  u"using",   u"void",       u"volatile",
                           u"while",      u"true",       u"false",     u"nullptr", u"__global__", u"__device__",
                           u"__shared__", u"__aicore__", u"__gm__",    u"asm"};
    switch (language) {
    case Language::Layout: return layout;
    case Language::Python: return python;
    case Language::Pto: return pto;
    case Language::Cpp: return cpp;
    }
    return layout;
}

/// "f16", "i8", "bf16", "int32_t", "float", "INT8": how element types are spelled.
bool is_type_word(QStringView word) {
    static const Words named{u"float", u"half",       u"double", u"index", u"int",  u"char", u"bool",
                             u"uint",  u"bfloat16_t", u"FP16",   u"FP32",  u"BF16", u"INT8", u"INT16",
                             u"INT32", u"INT64",      u"UINT8",  u"INDEX", u"BOOL"};
    if (named.contains(word)) return true;
    static const std::vector<QStringView> stems{u"bf",  u"fp",    u"tf", u"hf", u"uint",
                                                u"int", u"float", u"f",  u"i",  u"u"};
    for (const QStringView stem : stems) {
        if (!word.startsWith(stem, Qt::CaseInsensitive) || word.size() <= stem.size() || !word[stem.size()].isDigit())
            continue;
        const QStringView rest = word.sliced(stem.size());
        qsizetype digits = 0;
        while (digits < rest.size() && rest[digits].isDigit()) ++digits;
        const int bits = rest.first(digits).toInt();
        const QStringView tail = rest.sliced(digits);
        const bool width = bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 19 || bits == 32 || bits == 64;
        if (width && (tail.isEmpty() || tail == u"_t" || tail.startsWith(u"e") || tail.startsWith(u"_e"))) return true;
    }
    return false;
}

bool starts_word(QChar c) { return c.isLetter() || c == u'_'; }
bool continues_word(QChar c) { return c.isLetterOrNumber() || c == u'_'; }

bool starts_comment(QStringView rest, Language language) {
    return language == Language::Python || language == Language::Layout ? rest.startsWith(u'#')
                                                                        : rest.startsWith(u"//");
}

} // namespace

Language language_from(const QString& name) {
    if (name == u"python") return Language::Python;
    if (name == u"pto") return Language::Pto;
    if (name == u"cpp") return Language::Cpp;
    return Language::Layout;
}

std::vector<Token> tokens_of_line(QStringView line, Language language) {
    std::vector<Token> tokens;
    const auto add = [&](qsizetype begin, qsizetype end, TokenKind kind) {
        tokens.push_back({begin, end - begin, kind});
    };
    qsizetype at = 0;
    while (at < line.size()) {
        const QChar c = line[at];
        const qsizetype begin = at;
        if (starts_comment(line.sliced(at), language)) {
            add(at, line.size(), TokenKind::Comment);
            break;
        }
        if (c == u'"' || (c == u'\'' && language != Language::Layout)) {
            ++at;
            while (at < line.size() && line[at] != c) at += line[at] == u'\\' && at + 1 < line.size() ? 2 : 1;
            at = qMin(at + 1, line.size());
            add(begin, at, TokenKind::String);
        } else if (c.isDigit()) {
            while (at < line.size() &&
                   (continues_word(line[at]) || (line[at] == u'.' && at + 1 < line.size() && line[at + 1].isDigit())))
                ++at;
            add(begin, at, TokenKind::Number);
        } else if (language == Language::Pto && (c == u'%' || c == u'@')) {
            ++at;
            while (at < line.size() && continues_word(line[at])) ++at;
            if (c == u'@') add(begin, at, TokenKind::Call);
        } else if (starts_word(c)) {
            while (at < line.size() && (continues_word(line[at]) ||
                                        (line[at] == u'.' && at + 1 < line.size() && starts_word(line[at + 1]))))
                ++at;
            const QStringView word = line.sliced(begin, at - begin);
            qsizetype next = at;
            while (next < line.size() && line[next] == u' ') ++next;
            const QStringView last = word.sliced(word.lastIndexOf(u'.') + 1);
            if (keywords(language).contains(word)) {
                add(begin, at, TokenKind::Keyword);
            } else if (is_type_word(last)) {
                add(begin, at, TokenKind::Type);
            } else if (next < line.size() && (line[next] == u'(' || line[next] == u'[' || word.contains(u'.'))) {
                add(begin, at, TokenKind::Call);
            }
        } else {
            ++at;
        }
    }
    return tokens;
}

QColor color_of(TokenKind kind) {
    const Theme* theme = Theme::instance();
    switch (kind) {
    case TokenKind::Keyword:
    case TokenKind::Type: return theme->keyword();
    case TokenKind::Number: return theme->number();
    case TokenKind::String: return theme->string();
    case TokenKind::Comment: return theme->comment();
    case TokenKind::Call: return theme->call();
    case TokenKind::Plain: break;
    }
    return theme->text();
}

QString styled_line(const QString& line, Language language) {
    // Styled text folds runs of blanks and drops leading ones, be they no-break spaces; it keeps the entity.
    const auto escaped = [](QStringView text) {
        return text.toString()
            .replace(u'\t', QStringLiteral("    "))
            .toHtmlEscaped()
            .replace(u' ', QStringLiteral("&nbsp;"));
    };
    QString out;
    qsizetype at = 0;
    for (const Token& token : tokens_of_line(line, language)) {
        out += escaped(QStringView(line).sliced(at, token.begin - at));
        out += QStringLiteral("<font color=\"%1\">%2</font>")
                   .arg(color_of(token.kind).name(), escaped(QStringView(line).sliced(token.begin, token.length)));
        at = token.begin + token.length;
    }
    return out + escaped(QStringView(line).sliced(at));
}

} // namespace ls::ui
