#include "core/codegen/kernel/names.h"

#include <cctype>

namespace ls::codegen {

namespace {

/// "c16_index", "cn1_i32", "cst_1", "true": constants of the text are called so.
bool is_constant_name(const std::string& name) {
    if (name.rfind("cst", 0) == 0 || name == "true" || name == "false") return true;
    const std::size_t digits = name.rfind("cn", 0) == 0 ? 2 : 1;
    const std::size_t end = name.find_first_not_of("0123456789", digits);
    return name.front() == 'c' && end != digits && end != std::string::npos && name[end] == '_';
}

} // namespace

std::string Names::take(const std::string& wanted) {
    std::string name = wanted.empty() ? "v" : wanted;
    for (char& c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 || (std::isalnum(byte) == 0 && c != '_')) c = '_';
    }
    if (is_constant_name(name) || std::isdigit(static_cast<unsigned char>(name.front())) != 0) name.insert(0, "v_");
    if (taken_.insert(name).second) return name;
    std::size_t& suffix = suffix_[name];
    std::string numbered;
    do numbered = name + "_" + std::to_string(++suffix);
    while (!taken_.insert(numbered).second);
    return numbered;
}

} // namespace ls::codegen
