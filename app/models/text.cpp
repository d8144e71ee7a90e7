#include "app/models/text.h"

#include <algorithm>

#include <QtCore/QStringList>

namespace ls::models {

QString hex(std::int64_t value) {
    if (value < 0) return QStringLiteral("−") + hex(-value);
    return QStringLiteral("0x") + QString::number(value, 16).toUpper().rightJustified(4, QLatin1Char('0'));
}

QString coordinate_text(const std::vector<std::int64_t>& coordinate) {
    QStringList parts;
    for (const std::int64_t one : coordinate) parts << QString::number(one);
    return QStringLiteral("(%1)").arg(parts.join(QStringLiteral(", ")));
}

QString count_text(std::int64_t count, const QString& one, const QString& many) {
    return QStringLiteral("%1 %2").arg(count).arg(count == 1 ? one : many);
}

QString size_text(std::int64_t elements, int element_bits) {
    const double bits = static_cast<double>(elements) * element_bits;
    if (bits > 9e15) return QStringLiteral("%1 B").arg(bits / 8, 0, 'e', 2);
    const std::int64_t exact = elements * element_bits;
    return exact % 8 == 0 ? QStringLiteral("%1 B").arg(exact / 8) : QStringLiteral("%1 bit").arg(exact);
}

TextSpan utf16_span(std::string_view utf8, const Span& span) {
    const std::size_t begin = std::min(span.begin, utf8.size()), end = std::min(std::max(span.end, begin), utf8.size());
    const auto position = [&](std::size_t bytes) { return static_cast<int>(to_q(utf8.substr(0, bytes)).size()); };
    return {position(begin), position(end)};
}

std::size_t utf8_position(const QString& text, int position) {
    return static_cast<std::size_t>(text.left(std::max(0, position)).toUtf8().size());
}

} // namespace ls::models
