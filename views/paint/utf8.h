// UTF-8 for painters: whatever bytes come in, valid text goes out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ls::paint {

/// Code points of `text`; each invalid byte and each control character becomes U+FFFD.
std::vector<char32_t> code_points(std::string_view text);
void append_utf8(std::string& out, char32_t c);
/// Escaped for XML element content and attributes.
std::string xml_escaped(std::string_view text);

} // namespace ls::paint
