// Words of a program or a layout, for colouring only: never refuses, never looks beyond one line.
#pragma once

#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringView>
#include <QtGui/QColor>

namespace ls::ui {

enum class Language { Layout, Python, Pto, Cpp };
/// "layout", "python", "pto", "cpp"; anything else is Layout.
Language language_from(const QString& name);

enum class TokenKind { Plain, Keyword, Type, Number, String, Comment, Call };

struct Token {
    qsizetype begin = 0;
    qsizetype length = 0;
    TokenKind kind = TokenKind::Plain;
};

/// The coloured words of one line, ascending; what is plain is left out.
std::vector<Token> tokens_of_line(QStringView line, Language language);

QColor color_of(TokenKind kind);

/// The line as styled text (`Text.StyledText`): escaped, spaces kept, words coloured for the present theme.
QString styled_line(const QString& line, Language language);

} // namespace ls::ui
