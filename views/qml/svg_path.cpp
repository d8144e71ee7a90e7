#include "views/qml/svg_path.h"

#include <optional>

#include <QtCore/QXmlStreamReader>

namespace ls::ui {

namespace {

class PathReader {
public:
    explicit PathReader(QStringView text) : text_(text) {}

    QPainterPath read() {
        QPainterPath path;
        QChar command;
        while (skip_separators(), at_ < text_.size()) {
            if (text_[at_].isLetter()) command = text_[at_++];
            if (command == u'Z') {
                path.closeSubpath();
                continue;
            }
            if (!step(path, command)) break;
        }
        return path;
    }

private:
    bool step(QPainterPath& path, QChar command) {
        const QPointF now = path.currentPosition();
        const auto point = [&]() -> std::optional<QPointF> {
            const auto x = number(), y = number();
            if (!x || !y) return {};
            return QPointF(*x, *y);
        };
        switch (command.unicode()) {
        case u'M':
            if (const auto p = point()) {
                path.moveTo(*p);
                return true;
            }
            return false;
        case u'L':
            if (const auto p = point()) {
                path.lineTo(*p);
                return true;
            }
            return false;
        case u'H':
            if (const auto x = number()) {
                path.lineTo(*x, now.y());
                return true;
            }
            return false;
        case u'V':
            if (const auto y = number()) {
                path.lineTo(now.x(), *y);
                return true;
            }
            return false;
        case u'C': {
            const auto a = point(), b = point(), c = point();
            if (!a || !b || !c) return false;
            path.cubicTo(*a, *b, *c);
            return true;
        }
        default: return false;
        }
    }

    void skip_separators() {
        while (at_ < text_.size() && (text_[at_].isSpace() || text_[at_] == u',')) ++at_;
    }

    std::optional<double> number() {
        skip_separators();
        const qsizetype begin = at_;
        while (at_ < text_.size() &&
               (text_[at_].isDigit() || text_[at_] == u'.' || (at_ == begin && text_[at_] == u'-')))
            ++at_;
        bool fine = false;
        const double value = text_.sliced(begin, at_ - begin).toDouble(&fine);
        return fine ? std::optional(value) : std::nullopt;
    }

    QStringView text_;
    qsizetype at_ = 0;
};

} // namespace

QPainterPath outline_of_svg(const QByteArray& svg) {
    QPainterPath path;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        const QXmlStreamAttributes attributes = xml.attributes();
        const auto value = [&](const char* key) { return attributes.value(QLatin1String(key)).toDouble(); };
        if (xml.name() == u"path") {
            path.addPath(PathReader(attributes.value(QLatin1String("d"))).read());
        } else if (xml.name() == u"rect") {
            path.addRoundedRect(QRectF(value("x"), value("y"), value("width"), value("height")), value("rx"),
                                value("rx"));
        } else if (xml.name() == u"circle") {
            path.addEllipse(QPointF(value("cx"), value("cy")), value("r"), value("r"));
        }
    }
    return path;
}

} // namespace ls::ui
