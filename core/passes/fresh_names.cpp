#include "core/passes/fresh_names.h"

#include <fmt/format.h>

#include "core/ir/walk.h"

namespace ls {

FreshNames::FreshNames(const ir::Node& root) {
    ir::walk(root, [this](const ir::Node& node) {
        if (const auto* v = ir::as<ir::VarNode>(&node)) taken_.insert(v->name);
        return true;
    });
}

std::string FreshNames::make(const std::string& wanted) {
    std::string name = wanted;
    if (taken_.count(name) != 0) {
        int& next = next_[wanted];
        do name = fmt::format("{}_{}", wanted, ++next);
        while (taken_.count(name) != 0);
    }
    taken_.insert(name);
    return name;
}

std::string base_name(const std::string& name) { return name.substr(0, name.find("__")); }

} // namespace ls
