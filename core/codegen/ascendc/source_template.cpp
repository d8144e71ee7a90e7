#include "core/codegen/ascendc/source_template.h"

namespace ls::codegen {

namespace {

std::string replace_names(std::string_view line, const TemplateValues& values) {
    std::string out;
    while (!line.empty()) {
        const std::size_t begin = line.find('@');
        const std::size_t end = begin == std::string_view::npos ? begin : line.find('@', begin + 1);
        if (end == std::string_view::npos) break;
        const auto value = values.find(line.substr(begin + 1, end - begin - 1));
        if (value == values.end()) {
            out += line.substr(0, begin + 1);
            line.remove_prefix(begin + 1);
            continue;
        }
        out += line.substr(0, begin);
        out += value->second;
        line.remove_prefix(end + 1);
    }
    out += line;
    return out;
}

} // namespace

std::string fill_template(std::string_view source, std::string_view word, const TemplateValues& values) {
    constexpr std::string_view kIf = "//@if ";
    std::string out;
    bool shown = true;
    while (!source.empty()) {
        const std::size_t newline = source.find('\n');
        const std::string_view line = source.substr(0, newline);
        source.remove_prefix(newline == std::string_view::npos ? source.size() : newline + 1);
        if (line.starts_with(kIf)) {
            shown = line.substr(kIf.size()) == word;
        } else if (line == "//@else") {
            shown = !shown;
        } else if (line == "//@end") {
            shown = true;
        } else if (shown) {
            out += replace_names(line, values);
            out += '\n';
        }
    }
    return out;
}

} // namespace ls::codegen
