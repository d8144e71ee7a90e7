// nz/descriptors, nz/ptoas_layout: what is written for an access, and what each assembler version makes of its view.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_nz_case.h"
#include "core/codegen/export.h"
#include "core/passes/nz/block_nz_tensor_views.h"
#include "core/passes/nz/blocked_shape.h"
#include "core/passes/nz/materialize_tensor_strides.h"
#include "core/passes/nz/ptoas_layout.h"

namespace ls::conformance {

using namespace ir;

namespace {

using Numbers = std::vector<std::int64_t>;

/// The logical window whose blocked form the case gives.
struct LogicalWindow {
    Numbers offsets, shape;
};
LogicalWindow logical_window(const Numbers& tensor, const Numbers& offsets, const Numbers& partition) {
    LogicalWindow w;
    w.offsets.assign(tensor.size(), 0);
    w.shape.assign(tensor.size(), 1);
    std::int64_t batch = offsets[0];
    for (std::size_t i = tensor.size() - 2; i-- > 0;) {
        w.offsets[i] = batch % tensor[i];
        batch /= tensor[i];
    }
    const std::size_t rows = tensor.size() - 2, cols = tensor.size() - 1;
    w.offsets[rows] = offsets[2] * partition[3];
    w.offsets[cols] = offsets[1] * partition[4];
    w.shape[rows] = partition[2] * partition[3];
    w.shape[cols] = partition[1] * partition[4];
    return w;
}

/// All files of one target as one text.
Result<std::string> exported(const Module& module, std::string_view target) {
    const codegen::Target* t = codegen::find_target(target);
    if (t == nullptr) return error("runner", fmt::format("there is no target {}", target));
    LS_TRY(const codegen::Exported e, t->run(module, {}));
    std::string text;
    for (const codegen::SourceFile& f : e.files) text += f.text;
    return text;
}

Outcome contains(const std::string& text, const Json& test_case, const char* key) {
    if (!test_case.contains(key) || text.find(test_case[key].get<std::string>()) != std::string::npos) return passed();
    return failed(
        fmt::format("{} is not in the text:\nexpected {}\ntext\n{}", key, test_case[key].get<std::string>(), text));
}

Numbers numbers(const Json& list) {
    Numbers out;
    for (const Json& v : list) out.push_back(v.is_number_integer() ? v.get<std::int64_t>() : -1);
    return out;
}

} // namespace

bool looks_like_nz_descriptors(const Json& c) {
    return c.contains("pto_make_tensor_view") || c.contains("base_offset_elems");
}

Outcome run_nz_descriptors(const Json& test_case, const Json&) {
    NzCase program(Json::object());
    const DType dtype = dtype_of(test_case.at("dtype"));
    const LogicalWindow window = logical_window(numbers(test_case.at("tensor_shape")), numbers(test_case.at("offsets")),
                                                numbers(test_case.at("partition")));
    program.param("x", tensor_type(const_ints({16, 16}), dtype));
    const Var w = program.param("w", nz_tensor(program.exprs(test_case["tensor_shape"]), dtype));
    const std::vector<Expr> shape = const_ints(window.shape);
    program.define("t", tile_type({shape[shape.size() - 2], shape.back()}, dtype, TileSpace::Mat),
                   call("tile.load", {w, tuple(const_ints(window.offsets)), tuple(shape)},
                        {{"target_memory", symbol("pl.Mem.Mat")}}));
    const PassResult blocked = nz::block_nz_tensor_views(program.module(), {});
    if (!blocked.ok()) return failed("refused: " + blocked.error().message);
    const PassResult strided = nz::materialize_tensor_strides(blocked.module, {});
    if (!strided.ok()) return failed("refused: " + strided.error().message);

    const auto& load = *as<CallNode>(find_assign(*strided.module, "t")->value);
    const auto* tensor = as<TensorTypeNode>(as<VarNode>(load.args[0])->type);
    for (const Outcome& o : {same_exprs(program, "blocked_shape", test_case.at("blocked_shape"), tensor->shape),
                             same_exprs(program, "strides", test_case.at("strides"), tensor->view->stride),
                             same_exprs(program, "offsets", test_case.at("offsets"), operand(load, 1)),
                             same_exprs(program, "partition", test_case.at("partition"), operand(load, 2))}) {
        if (o.kind != Outcome::Kind::Passed) return o;
    }
    std::int64_t base = 0;
    const std::vector<Expr> offsets = operand(load, 1);
    for (std::size_t i = 0; i < offsets.size(); ++i) base += *constant(offsets[i]) * *constant(tensor->view->stride[i]);
    if (test_case.contains("base_offset_elems") && test_case["base_offset_elems"] != base)
        return failed(fmt::format("base: got {}", base));

    const auto pto = exported(strided.module, "pto"), cpp = exported(strided.module, "pto-isa");
    if (!pto.ok()) return failed("not exported: " + pto.error().message);
    if (!cpp.ok()) return failed("not exported: " + cpp.error().message);
    if (base != 0 && cpp->find(fmt::format(" + {}", base)) == std::string::npos)
        return failed("the pointer does not move:\n" + *cpp);
    for (const Outcome& o : {contains(*pto, test_case, "pto_make_tensor_view"),
                             contains(*pto, test_case, "pto_partition_view"), contains(*cpp, test_case, "cpp")}) {
        if (o.kind != Outcome::Kind::Passed) return o;
    }
    return passed();
}

bool looks_like_nz_ptoas_layout(const Json& c) { return c.contains("infer_le_0_60"); }

Outcome run_nz_ptoas_layout(const Json& test_case, const Json&) {
    const Numbers shape = numbers(test_case.at("shape")), strides = numbers(test_case.at("strides"));
    const nz::PtoView view{shape, strides, test_case.at("elem_bytes").get<int>()};
    const PtoasVersion older{0, 60}, newer = nz::kExplicitLayouts;
    const auto violation = nz::explicit_nz_violation(view, newer);
    const std::initializer_list<std::pair<const char*, Json>> answers{
        {"explicit_nz_ok_ge_0_61", !violation.has_value()},
        {"first_violation", violation ? Json(*violation) : Json()},
        {"infer_without_attr_ge_0_61", std::string(nz::inferred_layout(view, newer))},
        {"infer_le_0_60", std::string(nz::inferred_layout(view, older))},
        {"explicit_nz_ok_le_0_60", !nz::explicit_nz_violation(view, older).has_value()},
    };
    for (const auto& [key, value] : answers) {
        if (test_case.contains(key) && test_case[key] != value) {
            return failed(fmt::format("{}: expected {}, got {}", key, test_case[key].dump(), value.dump()));
        }
    }
    return passed();
}

} // namespace ls::conformance
