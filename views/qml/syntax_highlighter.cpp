#include "views/qml/syntax_highlighter.h"

#include <QtGui/QTextDocument>

#include "views/qml/theme.h"

namespace ls::ui {

class Syntax::Highlighter : public QSyntaxHighlighter {
public:
    Highlighter(QTextDocument* document, const Syntax& owner) : QSyntaxHighlighter(document), owner_(owner) {}

protected:
    void highlightBlock(const QString& text) override {
        for (const Token& token : tokens_of_line(text, language_from(owner_.language()))) {
            QTextCharFormat format;
            format.setForeground(color_of(token.kind));
            setFormat(static_cast<int>(token.begin), static_cast<int>(token.length), format);
        }
    }

private:
    const Syntax& owner_;
};

Syntax::Syntax(QObject* parent) : QObject(parent) {
    connect(Theme::instance(), &Theme::changed, this, &Syntax::rehighlight);
}

Syntax::~Syntax() { delete highlighter_; }

void Syntax::rehighlight() {
    if (highlighter_) highlighter_->rehighlight();
}

void Syntax::setDocument(QQuickTextDocument* document) {
    if (document == document_) return;
    document_ = document;
    delete highlighter_;
    if (document_ && document_->textDocument()) highlighter_ = new Highlighter(document_->textDocument(), *this);
    emit documentChanged();
}

void Syntax::setLanguage(const QString& language) {
    if (language == language_) return;
    language_ = language;
    rehighlight();
    emit languageChanged();
}

} // namespace ls::ui
