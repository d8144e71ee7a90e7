// Names of the values of a kernel: one space for scalars and tiles, each name once.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace ls::codegen {

class Names {
public:
    /// `wanted` with whatever no identifier may hold made an underscore, and a number behind it if it is taken.
    std::string take(const std::string& wanted);
    /// A name for a value that the program does not name: "s0", "s1", ...
    std::string next() { return take("s" + std::to_string(next_++)); }

private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::size_t> suffix_;
    std::size_t next_ = 0;
};

} // namespace ls::codegen
