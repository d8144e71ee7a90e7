#include "core/passes/nz/materialize_tensor_strides.h"

#include "core/ir/mutator.h"
#include "core/passes/nz/ptoas_layout.h"
#include "core/passes/nz/tensor_strides.h"

namespace ls::nz {

using namespace ir;

namespace {

class FillStrides final : public Mutator {
public:
    std::vector<Diagnostic> refusals;

protected:
    Type on_type(const Type& type) override {
        const auto* tensor = as<TensorTypeNode>(type);
        if (tensor == nullptr || !tensor->view) return Mutator::on_type(type);
        if (Status s = check_blocked(*tensor); !s.ok()) {
            refusals.push_back(std::move(s).error());
            return type;
        }
        if (!tensor->view->stride.empty() || tensor->shape.empty()) return Mutator::on_type(type);
        auto stride = packed_strides(tensor->shape, tensor->view->order, tensor->span);
        if (!stride.ok()) {
            refusals.push_back(std::move(stride).error());
            return type;
        }
        auto filled = derive(ref_as<TensorTypeNode>(type));
        filled->view->stride = std::move(stride).value();
        return Mutator::on_type(seal(std::move(filled)));
    }
};

} // namespace

PassResult materialize_tensor_strides(const Module& module, const PassContext& context) {
    FillStrides fill;
    PassResult result;
    result.module = fill.mutate(module);
    result.diagnostics = std::move(fill.refusals);
    if (result.diagnostics.empty() && context.verify) result.diagnostics = verify_tensor_views(*result.module);
    if (!result.diagnostics.empty()) {
        result.module = nullptr;
    } else {
        result.diagnostics = ptoas_findings(*result.module, context.ptoas);
    }
    return result;
}

} // namespace ls::nz
