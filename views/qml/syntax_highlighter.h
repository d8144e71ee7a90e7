// Colours the words of a QML TextEdit: `LsSyntax { document: edit.textDocument; language: "layout" }`.
#pragma once

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtGui/QSyntaxHighlighter>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/QQuickTextDocument>

#include "views/qml/code_tokens.h"

namespace ls::ui {

class Syntax : public QObject {
    Q_OBJECT
    QML_NAMED_ELEMENT(LsSyntax)
    Q_PROPERTY(QQuickTextDocument* document READ document WRITE setDocument NOTIFY documentChanged)
    Q_PROPERTY(QString language READ language WRITE setLanguage NOTIFY languageChanged)

public:
    explicit Syntax(QObject* parent = nullptr);
    ~Syntax() override;

    QQuickTextDocument* document() const { return document_; }
    void setDocument(QQuickTextDocument* document);
    QString language() const { return language_; }
    void setLanguage(const QString& language);

    /// One line as styled text, for rows that are not edited.
    Q_INVOKABLE QString styled(const QString& line) const { return styled_line(line, language_from(language_)); }

signals:
    void documentChanged();
    void languageChanged();

private:
    class Highlighter;
    void rehighlight();
    QQuickTextDocument* document_ = nullptr;
    QString language_ = QStringLiteral("layout");
    QPointer<Highlighter> highlighter_; ///< a child of the text document, which may go before us
};

} // namespace ls::ui
