#include "views/paint/utf8.h"

namespace ls::paint {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool allowed(char32_t c) {
    return c >= 0x20 && c != 0x7F && !(c >= 0x80 && c < 0xA0) && !(c >= 0xD800 && c < 0xE000) && c != 0xFFFE &&
           c != 0xFFFF && c <= 0x10FFFF;
}

} // namespace

std::vector<char32_t> code_points(std::string_view text) {
    std::vector<char32_t> out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80            ? 1
                                   : (lead >> 5U) == 0x6  ? 2
                                   : (lead >> 4U) == 0xE  ? 3
                                   : (lead >> 3U) == 0x1E ? 4
                                                          : 0;
        char32_t c = length == 1 ? lead : length == 0 ? kReplacement : lead & (0x7FU >> length);
        bool good = length > 0 && i + length <= text.size();
        for (std::size_t k = 1; good && k < length; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            good = (next & 0xC0U) == 0x80;
            c = (c << 6U) | (next & 0x3FU);
        }
        constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
        good = good && c >= kLeast[length] && allowed(c);
        out.push_back(good ? c : kReplacement);
        i += good ? length : 1;
    }
    return out;
}

void append_utf8(std::string& out, char32_t c) {
    const auto put = [&out](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | (c >> 6U));
        put(0x80 | (c & 0x3FU));
    } else if (c < 0x10000) {
        put(0xE0 | (c >> 12U));
        put(0x80 | ((c >> 6U) & 0x3FU));
        put(0x80 | (c & 0x3FU));
    } else {
        put(0xF0 | (c >> 18U));
        put(0x80 | ((c >> 12U) & 0x3FU));
        put(0x80 | ((c >> 6U) & 0x3FU));
        put(0x80 | (c & 0x3FU));
    }
}

std::string xml_escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (char32_t c : code_points(text)) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: append_utf8(out, c);
        }
    }
    return out;
}

} // namespace ls::paint
