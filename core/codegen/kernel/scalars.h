// Integer expressions of a program to scalar instructions of a kernel.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/codegen/kernel/kernel.h"

namespace ls::codegen {

/// A finding at a node's place in the source.
inline Diagnostic at(const ir::Node& node, std::string code, std::string message, std::string hint) {
    return error_at(node.span, std::move(code), std::move(message), std::move(hint));
}

class ScalarLowering {
public:
    /// `current` is the statement that new instructions come from; both must outlive this.
    ScalarLowering(Kernel& kernel, const ir::Ref<ir::Node>& current) : kernel_(kernel), current_(current) {}

    void bind(const ir::VarNode& var, Scalar value) { scalars_[&var] = std::move(value); }
    /// Appends what computes `expr` to `out`; `name` is what the result is called. CG_SCALAR when it has no device form.
    Result<Scalar> lower(const ir::Expr& expr, Body& out, const std::string& name = {});
    Scalar compute(std::string op, std::vector<Scalar> operands, Body& out, std::string name = {});
    /// The hardware has no negative coordinates; whatever is not a constant is clamped to 0, and the proof of
    /// BlockNzTensorViews is what keeps the clamp from ever mattering.
    Result<Scalar> clamped(const ir::Expr& offset, Body& out);

private:
    Result<Scalar> block_scalar(const ir::CallNode& call, Body& out, std::string name);

    Kernel& kernel_;
    const ir::Ref<ir::Node>& current_;
    std::unordered_map<const ir::VarNode*, Scalar> scalars_;
    std::size_t next_scalar_ = 0;
};

} // namespace ls::codegen
