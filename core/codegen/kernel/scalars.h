// Expressions over numbers to scalar instructions of a kernel.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/codegen/kernel/kernel.h"
#include "core/codegen/kernel/names.h"

namespace ls::codegen {

/// A finding at a node's place in the source.
inline Diagnostic at(const ir::Node& node, std::string code, std::string message, std::string hint) {
    return error_at(node.span, std::move(code), std::move(message), std::move(hint));
}

bool is_float(DType type);
bool is_unsigned(DType type);

class ScalarLowering {
public:
    /// `current` is the statement that new instructions come from; all must outlive this.
    ScalarLowering(Kernel& kernel, Names& names, const ir::Ref<ir::Node>& current) : kernel_(kernel), names_(names), current_(current) {}

    void bind(const ir::VarNode& var, Scalar value) { scalars_[&var] = std::move(value); }
    const Scalar* find(const ir::VarNode& var) const;
    /// Appends what computes `expr` to `out`, in the type that the expression has; `name` is what the result is called.
    /// CG_SCALAR when it has no device form.
    Result<Scalar> lower(const ir::Expr& expr, Body& out, const std::string& name = {});
    /// The same, as an index: shapes, offsets, bounds.
    Result<Scalar> lower_index(const ir::Expr& expr, Body& out);
    /// The hardware has no negative coordinates; whatever is not a constant is clamped to 0, and the proof of
    /// BlockNzTensorViews is what keeps the clamp from ever mattering.
    Result<Scalar> clamped(const ir::Expr& offset, Body& out);

    /// One instruction; folds integers. A comparison's result is a condition.
    Scalar compute(std::string op, std::vector<Scalar> operands, Body& out, const std::string& name = {});
    /// The same number in another type. Constants change type without an instruction.
    Scalar convert(const Scalar& value, DType to, Body& out, const std::string& name = {});
    /// Text without signs (MLIR's arithmetic) needs a bridge from and to "ui32" and its like.
    Scalar bridged(const Scalar& value, Body& out);
    Scalar unbridged(const Scalar& value, Body& out);

private:
    Result<Scalar> lower_binary(const ir::BinaryNode& node, Body& out, const std::string& name);
    Result<Scalar> lower_unary(const ir::UnaryNode& node, Body& out, const std::string& name);
    Result<Scalar> lower_logical(const ir::BinaryNode& node, Scalar lhs, Scalar rhs, Body& out, const std::string& name);
    Result<Scalar> block_scalar(const ir::CallNode& call, Body& out, const std::string& name);
    Scalar truth(const Scalar& value, Body& out);
    std::string named(const std::string& name) { return name.empty() ? names_.next() : names_.take(name); }

    Kernel& kernel_;
    Names& names_;
    const ir::Ref<ir::Node>& current_;
    std::unordered_map<const ir::VarNode*, Scalar> scalars_;
};

} // namespace ls::codegen
