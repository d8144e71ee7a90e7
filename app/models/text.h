// Between UTF-8 of core and UTF-16 of Qt, and how numbers are written in the window.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <QtCore/QString>

#include "core/support/diagnostic.h"

namespace ls::models {

inline QString to_q(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
inline std::string to_std(const QString& text) { return text.toStdString(); }

/// 0x0CAA: upper case, at least four digits.
QString hex(std::int64_t value);
/// "(37, 21)".
QString coordinate_text(const std::vector<std::int64_t>& coordinate);
/// "4096 elements", "1 element".
QString count_text(std::int64_t count, const QString& one, const QString& many);
/// "8192 B", or bits when the bits do not fill bytes: "12 bit".
QString size_text(std::int64_t elements, int element_bits);

/// A byte span of `utf8` as positions in its QString.
struct TextSpan {
    int begin = 0;
    int end = 0;
};
TextSpan utf16_span(std::string_view utf8, const Span& span);
/// The byte position of a position in the QString.
std::size_t utf8_position(const QString& text, int position);

} // namespace ls::models
