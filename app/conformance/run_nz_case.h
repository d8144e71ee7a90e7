// What the runners of NZ rewrites share: a small program built from a case, and expressions as cases write them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/conformance/runner.h"
#include "core/ir/stmt.h"
#include "core/passes/pass.h"

namespace ls::conformance {

/// Builds one kernel function. Names in expressions are the variables of the case's bindings:
/// {assign: expr}, {loop: [start, step]}, {call: op}, {param: true}, {iter_arg: true}, {}: a parameter.
class NzCase {
public:
    /// Binds every name; loops enclose what comes after them. Throws Json::exception on malformed bindings.
    explicit NzCase(const Json& bindings);

    /// Integer, name of a dynamic extent, or ["op", operands...].
    ir::Expr expr(const Json& json);
    std::vector<ir::Expr> exprs(const Json& list);
    ir::Expr list(const Json& values) { return ir::tuple(exprs(values)); }

    ir::Var param(std::string name, ir::Type type, ir::Direction direction = ir::Direction::In);
    void add(ir::Stmt stmt) { stmts_.push_back(std::move(stmt)); }
    ir::Var define(std::string name, ir::Type type, ir::Expr value);

    /// The function with everything that was added, inside the loops of the bindings.
    ir::Module module(bool marked_blocked = false) const;

private:
    ir::Var variable(const std::string& name);

    std::map<std::string, ir::Var> vars_;
    std::vector<ir::Param> params_;
    std::vector<std::function<std::vector<ir::Stmt>(std::vector<ir::Stmt>)>> around_; ///< outermost first
    std::vector<ir::Stmt> stmts_;
};

DType dtype_of(const Json& name);
ir::Type nz_tensor(std::vector<ir::Expr> shape, DType dtype);
/// The chip that a case's "backend" names; A2/A3 when it has none.
const Hardware& hardware_of(const Json& test_case);

/// The statement of the rewritten module that assigns to `name`; null when there is none.
const ir::AssignNode* find_assign(const ir::ModuleNode& module, std::string_view name);
/// Elements of an operand that is a list.
std::vector<ir::Expr> operand(const ir::CallNode& call, std::size_t index);

/// Equal up to folding of constants; a leading (batch) coordinate is compared by value, since its sum may be grouped
/// freely.
Outcome same_exprs(NzCase& names, const std::string& what, const Json& expected, const std::vector<ir::Expr>& actual);
/// Passed when the pass refused with this code.
Outcome refused_with(const Json& reason, const PassResult& result);
std::string shown(const std::vector<ir::Expr>& exprs);

} // namespace ls::conformance
