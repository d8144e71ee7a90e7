// Names for the variables that a pass adds, so that text printed from the program reads back as the same program.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/ir/stmt.h"

namespace ls {

/// The names of a function's variables. Linear to make, constant time to ask.
class FreshNames {
public:
    FreshNames() = default;
    explicit FreshNames(const ir::Node& root);

    /// `wanted`, or with _1, _2, ... behind it where that is taken; taken from now on.
    std::string make(const std::string& wanted);
    /// From now on taken.
    void reserve(const std::string& name) { taken_.insert(name); }

private:
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, int> next_; ///< where to go on counting for a name
};

/// What the user called it: "x" of "x__ssa_v0".
std::string base_name(const std::string& name);

} // namespace ls
