// Rewriting a program: rebuilds only what changed and what encloses it. When nothing changed, the answer is the same
// object that was given. New nodes have the old ones as origin.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"

namespace ls::ir {

/// Override the on_* of what you rewrite and call the base version to go on inside. Bodies are walked in source order:
/// operands before the variables that a statement defines, so on_var sees every renaming made by on_define before it.
/// The program must not nest deeper than kMaxDepth (check_depth).
class Mutator {
public:
    Mutator() = default;
    Mutator(const Mutator&) = delete;
    Mutator& operator=(const Mutator&) = delete;
    virtual ~Mutator() = default;

    Module mutate(const Module& module);
    Function mutate(const Function& function) { return on_function(function); }
    Expr mutate(const Expr& expr) { return expr == nullptr ? expr : on_expr(expr); }
    Type mutate(const Type& type) { return type == nullptr ? type : on_type(type); }
    Seq mutate(const Seq& body);

protected:
    virtual Function on_function(const Function& function);
    /// Null drops the statement; a Seq is spliced into the enclosing body.
    virtual Stmt on_stmt(const Stmt& stmt);
    virtual Expr on_expr(const Expr& expr);
    virtual Expr on_call(const Call& call);
    virtual Type on_type(const Type& type);
    /// A use of a variable: what on_define or replace() made of it.
    virtual Expr on_var(const Var& var);
    /// A definition: a new variable if its type changes. Later uses follow.
    virtual Var on_define(const Var& var);

    /// From here on, uses of `var` become `by`.
    void replace(const Var& var, Expr by) { replaced_[var.get()] = std::move(by); }

private:
    template <class T>
    class Edit;

    std::unordered_map<const VarNode*, Expr> replaced_;
};

} // namespace ls::ir
