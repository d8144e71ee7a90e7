// How a pass of this pipeline goes over a module: function by function, sharing what did not change.
#pragma once

#include <utility>

#include "core/passes/pass.h"
#include "core/support/result.h"

namespace ls::tirx {

/// `rewrite`: Function → Result<Function>. The first refusal refuses the module.
template <class Rewrite>
PassResult rewrite_functions(const ir::Module& module, Rewrite&& rewrite) {
    std::vector<ir::Function> functions;
    functions.reserve(module->functions.size());
    bool changed = false;
    for (const ir::Function& f : module->functions) {
        Result<ir::Function> made = rewrite(f);
        if (!made) return PassResult::refused(std::move(made).error());
        changed = changed || *made != f;
        functions.push_back(std::move(made).value());
    }
    if (!changed) return PassResult::unchanged(module);
    auto copy = ir::derive(module);
    copy->functions = std::move(functions);
    return PassResult::unchanged(ir::seal(std::move(copy)));
}

/// The function with another body; the same object where the body is.
inline ir::Function with_body(const ir::Function& function, ir::Seq body) {
    if (body == function->body) return function;
    auto copy = ir::derive(function);
    copy->body = std::move(body);
    return ir::seal(std::move(copy));
}

/// An attribute put among the others, which go by key.
void set_attr(std::vector<ir::KeyValue>& attrs, std::string key, ir::Expr value);
void drop_attr(std::vector<ir::KeyValue>& attrs, std::string_view key);

/// The thread axis of T.launch_thread("threadIdx.x", extent); empty for other statements.
std::string_view launched_axis(const ir::WithNode& with);
const ir::Expr& launched_extent(const ir::WithNode& with);
ir::Stmt launch_thread(const ir::Var& var, std::string_view axis, ir::Expr extent, ir::Seq body, const ir::Stmt& from);

} // namespace ls::tirx
