// nz/shape_blocking, nz/shape_reject, nz/strides_canonical: types through BlockNzTensorViews and
// MaterializeTensorStrides.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_nz_case.h"
#include "core/passes/nz/block_nz_tensor_views.h"
#include "core/passes/nz/blocked_shape.h"
#include "core/passes/nz/materialize_tensor_strides.h"
#include "core/passes/nz/tensor_strides.h"

namespace ls::conformance {

using namespace ir;

namespace {

const TensorTypeNode* type_of_param(const PassResult& result, std::string_view name) {
    for (const Param& p : result.module->functions[0]->params) {
        if (p.var->name == name) return as<TensorTypeNode>(p.var->type);
    }
    return nullptr;
}

/// A program that uses the NZ tensor as the case's condition says.
void apply_condition(NzCase& program, const Json& test_case, DType dtype) {
    const std::string condition = test_case.value("condition", "");
    const std::vector<Expr> shape = program.exprs(test_case.at("logical_shape"));
    auto type = std::make_shared<TensorTypeNode>();
    type->shape = shape;
    type->dtype = dtype;
    type->view.emplace();
    type->view->order = TensorOrder::NZ;
    if (condition.find("Distributed") != std::string::npos) type->distributed = true;
    if (condition.find("valid_shape") != std::string::npos) type->view->valid_shape = shape;
    if (condition.find("stride") != std::string::npos) type->view->stride = *nz::packed_strides(shape, TensorOrder::ND);
    const Type sealed = seal(std::move(type));
    const Var w = program.param("w", sealed);
    const Var x = program.param("x", tensor_type(shape, dtype));
    if (condition.find("callee is a program function") != std::string::npos ||
        condition.find("GlobalVar") != std::string::npos) {
        program.add(eval(call_function("callee", {w})));
    } else if (condition.find("tensor.view") != std::string::npos ||
               condition.find("reinterpret_view") != std::string::npos) {
        program.define("v", tensor_type(shape, dtype), call("tensor.view", {w, tuple(shape)}));
        program.define("u", tensor_type(shape, dtype),
                       call("tensor.reinterpret_view", {w}, {{"dtype", dtype_name(dtype)}}));
    } else if (const std::size_t at = condition.find("used by "); at != std::string::npos) {
        const std::size_t end = condition.find(' ', at + 8);
        const std::string op = condition.substr(at + 8, end - at - 8);
        const std::size_t argument_at = condition.find("argument ");
        const std::size_t argument =
            argument_at == std::string::npos ? 0 : std::stoul(condition.substr(argument_at + 9));
        std::vector<Expr> args;
        for (std::size_t i = 0; i < std::max<std::size_t>(argument + 1, 3); ++i)
            args.push_back(i == argument ? Expr(w) : Expr(x));
        program.define("r", tensor_type(shape, dtype), call(op, std::move(args)));
    } else if (condition.find("two NZ") != std::string::npos) {
        program.define("r", tensor_type(shape, dtype), call("tensor.add", {w, w}));
    }
}

} // namespace

bool looks_like_nz_shape_blocking(const Json& c) {
    return c.contains("logical_shape") && c.contains("blocked_shape") && c.contains("strides") && !c.contains("points");
}

Outcome run_nz_shape_blocking(const Json& test_case, const Json&) {
    NzCase program(Json::object());
    const DType dtype = dtype_of(test_case.at("dtype"));
    const Var w = program.param("w", nz_tensor(program.exprs(test_case.at("logical_shape")), dtype));
    const PassResult blocked = nz::block_nz_tensor_views(program.module(), {});
    if (!blocked.ok()) return failed("refused: " + blocked.error().message);
    const TensorTypeNode* type = type_of_param(blocked, "w");
    if (Outcome o = same_exprs(program, "blocked_shape", test_case.at("blocked_shape"), type->shape);
        o.kind != Outcome::Kind::Passed)
        return o;
    if (const auto c0 = nz::c0_elems(dtype); test_case.contains("c0") && (!c0.ok() || test_case["c0"] != *c0))
        return failed("another c0");
    if (nz::block_nz_tensor_views(blocked.module, {}).module != blocked.module)
        return failed("blocking twice changed the module");
    const PassResult strided = nz::materialize_tensor_strides(blocked.module, {});
    if (!strided.ok()) return failed("refused: " + strided.error().message);
    if (Outcome o = same_exprs(program, "strides", test_case.at("strides"), type_of_param(strided, "w")->view->stride);
        o.kind != Outcome::Kind::Passed)
        return o;
    if (!test_case.contains("elements") || test_case["elements"].is_null()) return passed();
    std::int64_t elements = 1;
    for (const Expr& e : type->shape) elements *= constant(e).value_or(0);
    return elements == test_case["elements"]
               ? passed()
               : failed(fmt::format("elements: expected {}, got {}", test_case["elements"].dump(), elements));
}

bool looks_like_nz_shape_reject(const Json& c) {
    return c.contains("logical_shape") && c.contains("reason") && c.contains("accept");
}

Outcome run_nz_shape_reject(const Json& test_case, const Json&) {
    NzCase program(Json::object());
    apply_condition(program, test_case, dtype_of(test_case.at("dtype")));
    const PassResult result = nz::block_nz_tensor_views(program.module(), {});
    if (test_case.at("accept").get<bool>())
        return result.ok() ? passed() : failed("refused: " + result.error().message);
    return refused_with(test_case.at("reason"), result);
}

bool looks_like_nz_strides(const Json& c) {
    const std::string kind = c.value("kind", "");
    return kind == "materialize" || kind == "is_blocked_nz_shape" || kind == "check_canonical_strict";
}

Outcome run_nz_strides(const Json& test_case, const Json&) {
    const std::string kind = test_case.at("kind").get<std::string>();
    NzCase program(Json::object());
    const std::vector<Expr> shape = program.exprs(test_case.at("shape"));
    if (kind == "is_blocked_nz_shape") {
        const bool blocked = nz::is_blocked_shape(shape, dtype_of(test_case.at("dtype")));
        return blocked == test_case.at("expect").get<bool>() ? passed()
                                                             : failed(fmt::format("blocked: got {}", blocked));
    }
    const auto order = tensor_order_from_name(test_case.at("layout").get<std::string>());
    if (!order) return failed("unknown layout " + test_case.at("layout").dump());
    if (kind == "check_canonical_strict") {
        const Status s = nz::check_canonical_view(shape, program.exprs(test_case.at("strides")), *order);
        return s.ok() == test_case.at("ok").get<bool>()
                   ? passed()
                   : failed(s.ok() ? "it passed" : "it failed: " + s.error().message);
    }
    if (kind != "materialize") return failed("unknown kind " + kind);
    // An NZ shape says its element type by its last axis.
    DType dtype = DType::Fp32;
    for (const DType d : {DType::Int8, DType::Fp16, DType::Fp32, DType::Int64}) {
        if (*order == TensorOrder::NZ && !shape.empty() && is_constant(shape.back(), *nz::c0_elems(d))) dtype = d;
    }
    TensorView view;
    view.order = *order;
    program.param("t", tensor_type(shape, dtype, view));
    const PassResult result = nz::materialize_tensor_strides(program.module(), {});
    if (!result.ok()) return failed("refused: " + result.error().message);
    return same_exprs(program, "strides", test_case.at("strides"), type_of_param(result, "t")->view->stride);
}

} // namespace ls::conformance
