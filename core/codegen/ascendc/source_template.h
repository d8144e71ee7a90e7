// Source templates: @NAME@ is replaced, and lines between //@if WORD, //@else and //@end depend on a set of words.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace ls::codegen {

using TemplateValues = std::map<std::string, std::string, std::less<>>;

/// `word` is the one word that is true. A name without a value stays as it is, so that a test can find it.
std::string fill_template(std::string_view source, std::string_view word, const TemplateValues& values);

} // namespace ls::codegen
