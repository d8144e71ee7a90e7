#include "core/passes/tile/optimize_orch_tensors.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/nz/block_nz_tensor_views.h"
#include "core/support/checked.h"

namespace ls::tile {

using namespace ir;

namespace {

using Dims = std::vector<Expr>;

bool same_constants(const Dims& a, const Dims& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Expr& x, const Expr& y) {
        const auto m = constant(x), n = constant(y);
        return m && n && *m == *n;
    });
}

/// The last `rank` row-major strides of a tensor; empty when one is no constant.
Dims inner_strides(const Dims& shape, std::size_t rank) {
    if (rank > shape.size()) return {};
    Dims strides(rank);
    std::int64_t stride = 1;
    for (std::size_t i = rank; i-- > 0;) {
        strides[i] = const_int(stride);
        const auto extent = constant(shape[shape.size() - rank + i]);
        const CheckedInt next = extent ? checked_mul(stride, *extent) : CheckedInt{};
        if (i > 0 && !next) return {};
        stride = next.value_or(0);
    }
    return strides;
}

/// By parameter: the shape of the tensor that is sliced for it; empty where there are several.
using Sliced = std::map<std::size_t, Dims>;

std::unordered_map<std::string, Sliced> sliced_inputs(const ModuleNode& module) {
    std::unordered_map<std::string, const FunctionNode*> kernels;
    for (const Function& f : module.functions) {
        if (f->function == FunctionKind::InCore) kernels.emplace(f->name, f.get());
    }
    std::unordered_map<std::string, Sliced> found;
    for (const Function& f : module.functions) {
        if (f->function == FunctionKind::InCore || f->body == nullptr) continue;
        std::unordered_map<const VarNode*, const Dims*> parents;
        for_each_stmt(*f->body, [&](const StmtNode& stmt) {
            const auto* a = as<AssignNode>(&stmt);
            const auto* call = a != nullptr ? as<CallNode>(a->value) : nullptr;
            if (call == nullptr) return;
            if (call->is_op("tensor.slice") && call->args.size() >= 3) {
                const auto* whole = as<VarNode>(call->args[0]);
                const auto* tensor = whole != nullptr ? as<TensorTypeNode>(whole->type) : nullptr;
                if (tensor != nullptr) parents[a->targets[0].get()] = &tensor->shape;
                return;
            }
            const auto kernel = call->callee == CalleeKind::Function ? kernels.find(call->op) : kernels.end();
            if (kernel == kernels.end()) return;
            const auto& params = kernel->second->params;
            for (std::size_t i = 0; i < std::min(call->args.size(), params.size()); ++i) {
                const auto parent = params[i].direction == Direction::In ? parents.find(as<VarNode>(call->args[i])) : parents.end();
                if (parent == parents.end()) continue;
                const auto [at, is_new] = found[call->op].try_emplace(i, *parent->second);
                if (!is_new && !same_constants(at->second, *parent->second)) at->second.clear();
            }
        });
    }
    return found;
}

/// A function whose parameters have other types.
class Retype final : public Mutator {
public:
    explicit Retype(std::unordered_map<const VarNode*, Type> types) : types_(std::move(types)) {}

protected:
    Var on_define(const Var& var) override {
        const auto found = types_.find(var.get());
        if (found == types_.end()) return Mutator::on_define(var);
        auto now = derive(var);
        now->type = found->second;
        Var made = seal(std::move(now));
        replace(var, made);
        return made;
    }

private:
    std::unordered_map<const VarNode*, Type> types_;
};

Function with_strides(const Function& kernel, const Sliced& sliced) {
    std::unordered_map<const VarNode*, Type> types;
    for (const auto& [index, shape] : sliced) {
        const Var& param = kernel->params[index].var;
        const auto tensor = ref_as<TensorTypeNode>(param->type);
        if (tensor == nullptr || shape.empty() || nz::is_nz(param->type) || (tensor->view && !tensor->view->stride.empty())) continue;
        Dims strides = inner_strides(shape, tensor->shape.size());
        if (strides.empty()) continue;
        auto now = derive(tensor);
        if (!now->view) now->view.emplace();
        now->view->stride = std::move(strides);
        types.emplace(param.get(), seal(std::move(now)));
    }
    return types.empty() ? kernel : Retype(std::move(types)).mutate(kernel);
}

} // namespace

PassResult optimize_orch_tensors(const Module& module, const PassContext&) {
    const auto sliced = sliced_inputs(*module);
    auto now = derive(module);
    for (Function& f : now->functions) {
        const auto found = f->function == FunctionKind::InCore ? sliced.find(f->name) : sliced.end();
        if (found != sliced.end()) f = with_strides(f, found->second);
    }
    return PassResult::unchanged(now->functions == module->functions ? module : seal(std::move(now)));
}

} // namespace ls::tile
