// Are two programs the same up to the names of their variables?
#pragma once

#include <optional>
#include <string>

#include "core/ir/stmt.h"

namespace ls::ir {

/// The first place where two programs differ, in source order.
struct Difference {
    std::string path; ///< "main.body[3].value.args[1].elements[0]"
    std::string why;  ///< "512 here, 256 there"
    Ref<Node> left;   ///< null when that side has nothing here
    Ref<Node> right;
};

struct EqualityOptions {
    bool comments = false; ///< compare comment lines too
    bool types = true;     ///< compare the types of variables
    bool names = false;    ///< compare names of variables instead of only their use
};

/// Variables correspond by where they are defined; a free variable corresponds to one of the same name. Spelling
/// (brackets, digits of a float), call result types and spans are not compared; implicit tile views are filled in.
std::optional<Difference> first_difference(const Module& left, const Module& right, EqualityOptions options = {});
std::optional<Difference> first_difference(const Function& left, const Function& right, EqualityOptions options = {});
std::optional<Difference> first_difference(const Stmt& left, const Stmt& right, EqualityOptions options = {});
std::optional<Difference> first_difference(const Expr& left, const Expr& right, EqualityOptions options = {});
std::optional<Difference> first_difference(const Type& left, const Type& right, EqualityOptions options = {});

template <class T>
bool structurally_equal(const T& left, const T& right, EqualityOptions options = {}) {
    return !first_difference(left, right, options).has_value();
}

} // namespace ls::ir
