// A function to a kernel (spec/nz.md E.1): its arguments, and the whole.
#include <algorithm>

#include <fmt/format.h>

#include "core/codegen/kernel/addresses.h"
#include "core/codegen/kernel/lower_pto.h"
#include "core/codegen/kernel/lowering.h"
#include "core/layout/catalogue/nz.h"
#include "core/support/checked.h"

namespace ls::codegen {

Result<Kernel> Lowering::run() {
    kernel_.name = function_->name;
    kernel_.chip = options_.chip;
    kernel_.origin = function_;
    current_ = function_;
    LS_CHECK(arguments());
    scopes_.emplace_back();
    LS_CHECK(body(function_->body, kernel_.body));
    kernel_.kind = kind();
    for (Instruction& one : kernel_.body) {
        if (auto* pipe = std::get_if<OpenPipe>(&one.what)) pipe->no_split = !splits_pipe_;
    }
    if (buffers_.placed()) {
        LS_CHECK(check_addresses());
    } else {
        LS_CHECK(assign_addresses(kernel_, *function_, options_.memory));
    }
    return std::move(kernel_);
}

Status Lowering::arguments() {
    std::size_t position = 0;
    for (const ir::Param& param : function_->params) {
        if (ir::as<ir::TensorTypeNode>(param.var->type) != nullptr) names_.take(fmt::format("arg{}", position++));
    }
    first_scalar_ = position;
    for (const ir::Param& param : function_->params) {
        const auto* scalar = ir::as<ir::ScalarTypeNode>(param.var->type);
        if (scalar == nullptr) continue;
        const std::string value = names_.take(fmt::format("arg{}", position++));
        kernel_.scalars.push_back({param.var->name, value, scalar->dtype});
        scalars_.bind(*param.var, scalars_.bridged({value, {}, {}, scalar->dtype, false}, kernel_.body));
    }
    for (const ir::Param& param : function_->params) {
        if (const auto* type = ir::as<ir::TensorTypeNode>(param.var->type)) LS_CHECK(tensor_argument(param, *type));
    }
    return ok_status();
}

Result<Scalar> Lowering::extent(const ir::Param& param, const ir::Expr& expr) {
    if (const auto value = ir::constant(expr)) return constant_scalar(*value);
    const auto* var = ir::as<ir::VarNode>(expr);
    if (var == nullptr) {
        return at(*param.var, "CG_TYPE", fmt::format("an extent of {} is neither a number nor a name", param.var->name), "give it a constant or a pl.dynamic name");
    }
    if (scalars_.find(*var) == nullptr) {
        // A name without a parameter of its own is handed over behind the parameters, in the order of first mention.
        const auto known = std::find_if(kernel_.scalars.begin(), kernel_.scalars.end(), [&](const ScalarArgument& s) { return s.name == var->name; });
        if (known == kernel_.scalars.end()) {
            const std::string value = names_.take(fmt::format("arg{}", first_scalar_ + kernel_.scalars.size()));
            kernel_.scalars.push_back({var->name, value, DType::Index});
            scalars_.bind(*var, {value, {}, {}, DType::Index, true});
        } else {
            scalars_.bind(*var, {known->value, {}, {}, known->dtype, true});
        }
    }
    return scalars_.lower_index(expr, kernel_.body);
}

Status Lowering::tensor_argument(const ir::Param& param, const ir::TensorTypeNode& type) {
    TensorArgument argument;
    argument.name = param.var->name;
    argument.view = names_.take(argument.name + "_view");
    argument.position = kernel_.tensors.size();
    argument.dtype = type.dtype;
    argument.order = type.view ? type.view->order : ir::TensorOrder::ND;
    argument.written = param.direction != ir::Direction::In;
    if (type.distributed) {
        return at(*param.var, "CG_DISTRIBUTED", fmt::format("{} lives on several devices; peers' addresses come from a runtime that is not modelled here", param.var->name),
                  "export the functions that work on this device's memory alone");
    }
    for (const ir::Expr& dim : type.shape) {
        LS_TRY(Scalar value, extent(param, dim));
        argument.shape.push_back(std::move(value));
    }
    if (argument.order == ir::TensorOrder::NZ) {
        const auto c0 = catalogue::c0_elements(type.dtype);
        const std::size_t rank = argument.shape.size();
        if (!c0.ok() || rank != 5 || argument.shape[3].value != catalogue::kFractalRows || argument.shape[4].value != *c0) {
            return at(*param.var, "CG_BLOCKED", fmt::format("the NZ tensor {} is still logical, rank {}", param.var->name, rank),
                      "run BlockNzTensorViews before exporting");
        }
    }
    LS_CHECK(strides(param, type, argument));
    tensors_[param.var.get()] = kernel_.tensors.size();
    kernel_.tensors.push_back(std::move(argument));
    return ok_status();
}

Status Lowering::strides(const ir::Param& param, const ir::TensorTypeNode& type, TensorArgument& argument) {
    const std::size_t rank = argument.shape.size();
    // The assembler reads a tensor of one column as DN whatever it is called, and a tile of one column is column-major.
    const bool column = rank >= 2 && argument.shape.back().value == 1 && (argument.order == ir::TensorOrder::ND || argument.order == ir::TensorOrder::DN);
    if (column) argument.order = ir::TensorOrder::DN;
    if (type.view && type.view->stride.size() == rank) {
        for (const ir::Expr& stride : type.view->stride) {
            LS_TRY(Scalar value, scalars_.lower_index(stride, kernel_.body));
            argument.strides.push_back(std::move(value));
        }
        return ok_status();
    }
    // Packed: row-major, and with the last two exchanged for DN.
    std::vector<std::size_t> order(rank);
    for (std::size_t d = 0; d < rank; ++d) order[d] = d;
    if (argument.order == ir::TensorOrder::DN && rank >= 2) std::swap(order[rank - 1], order[rank - 2]);
    argument.strides.assign(rank, constant_scalar(1));
    Scalar running = constant_scalar(1);
    for (std::size_t i = rank; i-- > 0;) {
        argument.strides[order[i]] = running;
        if (i == 0) break;
        LS_TRY(running, multiply(running, argument.shape[order[i]], *param.var));
    }
    return ok_status();
}

Result<Scalar> Lowering::multiply(const Scalar& a, const Scalar& b, const ir::Node& place) {
    if (a.value && b.value && !checked_mul(*a.value, *b.value)) {
        return at(place, "CG_OVERFLOW", fmt::format("{} times {} does not fit 64 bits", *a.value, *b.value), "check the extents");
    }
    if (a.value == 1) return b;
    if (b.value == 1) return a;
    return scalars_.compute("muli", {a, b}, kernel_.body);
}

KernelKind Lowering::kind() const {
    if (function_->function == ir::FunctionKind::AIC) return KernelKind::Cube;
    if (function_->function == ir::FunctionKind::AIV) return KernelKind::Vector;
    const auto in = [&](ir::TileSpace space) {
        return std::any_of(kernel_.tiles.begin(), kernel_.tiles.end(), [&](const Tile& t) { return t.space == space; });
    };
    // Before ExpandMixedKernel a function says InCore whatever it runs on; the memories it uses say it better.
    if (in(ir::TileSpace::Acc) && !in(ir::TileSpace::Vec)) return KernelKind::Cube;
    return KernelKind::Plain;
}

Result<Kernel> lower_kernel(const ir::Function& function, const ExportOptions& options) {
    if (function->function == ir::FunctionKind::Kernel) return lower_pto_kernel(function, options);
    return Lowering(function, options).run();
}

} // namespace ls::codegen
