// Private to this folder: expressions as numbers of plans and back. A symbol is named after its variable; what a layout
// cannot count with (loads, calls) gets a symbol of its own.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/ir/expr.h"
#include "core/layout/dim.h"

namespace ls::tirx::lower {

class Symbols {
public:
    /// A variable that is visible from here on.
    void define(const ir::Var& var);
    /// `wanted`, or with _1, _2, ... behind it where a variable is called so already.
    std::string fresh(const std::string& wanted) const;
    Dim dim(const ir::Expr& expr);
    /// Null only when the number overflowed.
    ir::Expr expr(const Dim& dim) const;
    /// A symbol that stands for `expr`, which no expression of the program is named like.
    Dim stand_in(const ir::Expr& expr);
    std::unordered_map<std::string, ir::Var> variables() const; ///< that are visible, by name

private:
    std::unordered_map<std::string, ir::Expr> meaning_;
    std::vector<std::pair<ir::Expr, Dim>> opaque_;
};

} // namespace ls::tirx::lower
