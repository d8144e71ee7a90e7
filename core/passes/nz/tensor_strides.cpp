#include "core/passes/nz/tensor_strides.h"

#include <fmt/format.h>

#include "core/ir/walk.h"
#include "core/passes/nz/blocked_shape.h"
#include "core/support/checked.h"

namespace ls::nz {

using namespace ir;

namespace {

Expr multiply(const Expr& a, const Expr& b) {
    const auto x = constant(a), y = constant(b);
    if (y == 1) return a;
    if (x == 1) return b;
    if (x && y) {
        if (const CheckedInt product = checked_mul(*x, *y)) return const_int(*product);
    }
    return binary(BinaryOp::Mul, a, b);
}

std::string shown(const Expr& e) {
    const auto v = constant(e);
    return v ? fmt::format("{}", *v) : std::string("a symbol");
}

Diagnostic not_canonical(Span span, std::string message) {
    return error_at(span, "VIEW_NOT_CANONICAL", std::move(message), "leave the stride out: it follows from the shape");
}

/// a >= b, decided for constants only.
std::optional<bool> at_least(const Expr& a, const Expr& b) {
    const auto x = constant(a), y = constant(b);
    if (!x || !y) return {};
    return *x >= *y;
}

Status check_outer(std::span<const Expr> shape, std::span<const Expr> stride, std::size_t count, CanonicalCheck check,
                   Span span) {
    for (std::size_t k = count; k-- > 0;) {
        const Expr packed = multiply(stride[k + 1], shape[k + 1]);
        const auto good = at_least(stride[k], packed);
        if (good ? *good : check.relaxed_symbolic) continue;
        return not_canonical(
            span, good ? fmt::format("stride[{}] = {} is less than stride[{}] * shape[{}] = {}: elements would overlap",
                                     k, shown(stride[k]), k + 1, k + 1, shown(packed))
                       : fmt::format("whether stride[{}] is at least stride[{}] * shape[{}] cannot be decided", k,
                                     k + 1, k + 1));
    }
    return ok_status();
}

} // namespace

Result<std::vector<Expr>> packed_strides(std::span<const Expr> shape, TensorOrder order, Span span) {
    const std::size_t n = shape.size();
    std::vector<Expr> stride(n);
    if (n == 0) return stride;
    std::size_t outer = n - 1; // axes before this one are row-major over what comes behind them
    if (order == TensorOrder::DN) {
        if (n < 2)
            return error_at(span, "VIEW_DN_RANK", "DN needs two axes to exchange; this tensor has one",
                            "annotate it pl.ND");
        stride[n - 2] = const_int(1);
        stride[n - 1] = shape[n - 2];
        if (n >= 3) stride[n - 3] = multiply(shape[n - 2], shape[n - 1]);
        outer = n >= 3 ? n - 3 : 0;
    } else {
        stride[n - 1] = const_int(1);
    }
    for (std::size_t k = outer; k-- > 0;) stride[k] = multiply(stride[k + 1], shape[k + 1]);
    return stride;
}

Status check_canonical_view(std::span<const Expr> shape, std::span<const Expr> stride, TensorOrder order,
                            CanonicalCheck check, Span span) {
    const std::size_t n = shape.size();
    if (n == 0 && stride.empty()) return ok_status(); // a scalar
    if (stride.empty()) {
        return check.strict ? Status(not_canonical(span, "the strides have not been filled in")) : ok_status();
    }
    if (stride.size() != n)
        return not_canonical(span, fmt::format("there are {} strides for {} axes", stride.size(), n));
    if (order != TensorOrder::DN) {
        if (!is_constant(stride[n - 1], 1))
            return not_canonical(span, fmt::format("stride[{}] = {} must be 1", n - 1, shown(stride[n - 1])));
        return check_outer(shape, stride, n - 1, check, span);
    }
    if (n < 2) return not_canonical(span, "DN needs two axes");
    if (!is_constant(stride[n - 2], 1))
        return not_canonical(span, fmt::format("stride[{}] = {} must be 1 for DN", n - 2, shown(stride[n - 2])));
    const auto good = at_least(stride[n - 1], shape[n - 2]);
    if (good ? !*good : !check.relaxed_symbolic) {
        return not_canonical(span, fmt::format("stride[{}] = {} is not known to be at least shape[{}] = {}", n - 1,
                                               shown(stride[n - 1]), n - 2, shown(shape[n - 2])));
    }
    return n < 3 ? ok_status() : check_outer(shape, stride, n - 2, check, span);
}

Status check_blocked(const TensorTypeNode& tensor) {
    if (!tensor.view || tensor.view->order != TensorOrder::NZ || is_blocked_shape(tensor.shape, tensor.dtype))
        return ok_status();
    return error_at(
        tensor.span, "NZ_NOT_BLOCKED",
        fmt::format("an NZ tensor of rank {} reached this pass without being blocked to [B, C/c0, R/16, 16, c0]",
                    tensor.shape.size()),
        "run BlockNzTensorViews before it; if it ran, this is a fault of the passes and not of the program");
}

std::vector<Diagnostic> verify_tensor_views(const ModuleNode& module, CanonicalCheck check) {
    std::vector<Diagnostic> found;
    walk(module, [&](const Node& node) {
        const auto* tensor = as<TensorTypeNode>(&node);
        if (tensor == nullptr || !tensor->view) return true;
        Status s = check_blocked(*tensor);
        if (s.ok())
            s = check_canonical_view(tensor->shape, tensor->view->stride, tensor->view->order, check, tensor->span);
        if (!s.ok()) found.push_back(std::move(s).error());
        return true;
    });
    return found;
}

} // namespace ls::nz
