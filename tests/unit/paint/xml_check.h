// A small judge of well-formed XML, independent of the writer under test.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ls::paint::testing_support {

/// Empty when `xml` is well formed, else what is wrong and where. Knows elements, attributes, text and the five
/// entities; refuses duplicate attributes, bare < and &, wrong nesting and text outside the root.
inline std::string xml_fault(std::string_view xml) {
    std::size_t i = 0;
    std::vector<std::string> open;
    bool root_seen = false;
    const auto fault = [&](const std::string& what) { return what + " at byte " + std::to_string(i); };
    const auto is_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
               c == ':';
    };
    const auto name = [&] {
        const std::size_t from = i;
        while (i < xml.size() && is_name(xml[i])) ++i;
        return std::string(xml.substr(from, i - from));
    };
    const auto bad_text = [](std::string_view text) {
        for (std::size_t k = 0; k < text.size(); ++k) {
            if (text[k] == '<') return true;
            if (text[k] != '&') continue;
            const std::string_view rest = text.substr(k);
            if (!rest.starts_with("&amp;") && !rest.starts_with("&lt;") && !rest.starts_with("&gt;") &&
                !rest.starts_with("&quot;") && !rest.starts_with("&apos;"))
                return true;
        }
        return false;
    };
    while (i < xml.size()) {
        if (xml[i] != '<') {
            const std::size_t end = std::min(xml.find('<', i), xml.size());
            const std::string_view text = xml.substr(i, end - i);
            if (bad_text(text)) return fault("bad text");
            if (open.empty() && text.find_first_not_of(" \n\t\r") != std::string_view::npos)
                return fault("text outside the root");
            i = end;
            continue;
        }
        ++i;
        if (i < xml.size() && xml[i] == '/') {
            ++i;
            const std::string n = name();
            if (open.empty() || open.back() != n) return fault("</" + n + "> closes nothing");
            open.pop_back();
            if (i >= xml.size() || xml[i] != '>') return fault("unfinished end tag");
            ++i;
            continue;
        }
        const std::string n = name();
        if (n.empty()) return fault("no element name");
        if (open.empty() && root_seen) return fault("second root");
        root_seen = true;
        std::set<std::string> attributes;
        while (i < xml.size() && xml[i] == ' ') {
            while (i < xml.size() && xml[i] == ' ') ++i;
            if (i < xml.size() && (xml[i] == '/' || xml[i] == '>')) break;
            const std::string a = name();
            if (a.empty() || !attributes.insert(a).second) return fault("attribute '" + a + "' of " + n);
            if (xml.substr(i, 2) != "=\"") return fault("attribute without value");
            i += 2;
            const std::size_t end = xml.find('"', i);
            if (end == std::string_view::npos || bad_text(xml.substr(i, end - i))) return fault("bad attribute value");
            i = end + 1;
        }
        if (xml.substr(i, 2) == "/>") {
            i += 2;
        } else if (i < xml.size() && xml[i] == '>') {
            ++i;
            open.push_back(n);
        } else {
            return fault("unfinished tag " + n);
        }
    }
    if (!open.empty()) return fault("<" + open.back() + "> is not closed");
    return root_seen ? std::string{} : fault("no root");
}

} // namespace ls::paint::testing_support
