#include "core/passes/orchestration/materialize_valid_shape_symbols.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "core/ir/equality.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/orchestration/calls.h"

namespace ls::orchestration {

using namespace ir;

namespace {

/// Where a symbol stands bare: axis `axis` of the valid_shape of parameter `param`.
struct Slot {
    std::size_t param = 0, axis = 0;
};

struct Unbound {
    Var symbol;
    std::vector<Slot> slots;
};

bool runs_on_device(FunctionKind kind) {
    return kind == FunctionKind::InCore || kind == FunctionKind::AIC || kind == FunctionKind::AIV || kind == FunctionKind::Spmd;
}

const TensorTypeNode* tensor_of(const Expr& value) {
    const auto* var = as<VarNode>(value);
    return var != nullptr ? as<TensorTypeNode>(var->type) : nullptr;
}

/// The symbols of a kernel that nothing gives a value, in the order in which they are written.
std::vector<Unbound> unbound_symbols(const FunctionNode& kernel, const std::unordered_map<const VarNode*, Var>& symbols) {
    std::unordered_set<const VarNode*> bound;
    for (const Param& p : kernel.params) {
        bound.insert(p.var.get());
        const auto* tensor = as<TensorTypeNode>(p.var->type);
        for (std::size_t i = 0; tensor != nullptr && i < tensor->shape.size(); ++i) bound.insert(as<VarNode>(tensor->shape[i]));
    }
    std::vector<Unbound> found;
    for (std::size_t p = 0; p < kernel.params.size(); ++p) {
        const auto* tensor = as<TensorTypeNode>(kernel.params[p].var->type);
        for (std::size_t axis = 0; tensor != nullptr && tensor->view && axis < tensor->view->valid_shape.size(); ++axis) {
            const Expr& extent = tensor->view->valid_shape[axis];
            for (const VarNode* var : used_vars(*extent)) {
                const auto symbol = symbols.find(var);
                if (symbol == symbols.end() || bound.count(var) != 0) continue;
                auto known = std::find_if(found.begin(), found.end(), [&](const Unbound& u) { return u.symbol.get() == var; });
                if (known == found.end()) known = found.insert(found.end(), {symbol->second, {}});
                if (extent.get() == var) known->slots.push_back({p, axis});
            }
        }
    }
    return found;
}

using Kernels = std::unordered_map<const FunctionNode*, std::vector<Unbound>>;

class HandOver final : public Mutator {
public:
    HandOver(const Kernels& kernels, const ModuleNode& module) : kernels_(kernels), module_(module) {}
    std::vector<Diagnostic> refusals;

protected:
    Function on_function(const Function& function) override {
        const Function now = Mutator::on_function(function);
        const auto found = kernels_.find(function.get());
        if (found == kernels_.end()) return now;
        auto n = derive(now);
        n->origin = function;
        std::vector<Param> params;
        for (const Unbound& u : found->second) params.push_back({u.symbol, Direction::In});
        n->params.insert(n->params.begin(), params.begin(), params.end());
        return seal(std::move(n));
    }

    Expr on_call(const Call& old) override {
        const Expr now = Mutator::on_call(old);
        const auto task = as_task(old.get(), module_);
        const auto found = task ? kernels_.find(task->callee) : kernels_.end();
        if (found == kernels_.end()) return now;
        std::vector<Expr> values;
        for (const Unbound& u : found->second) values.push_back(value_of(u, *task, *old));
        if (std::find(values.begin(), values.end(), nullptr) != values.end()) return now;
        auto n = derive(ref_as<CallNode>(now));
        n->args.insert(n->args.begin() + static_cast<std::ptrdiff_t>(task->args_begin), values.begin(), values.end());
        for (KeyValue& attr : n->attrs) {
            const auto* list = as<TupleNode>(attr.value);
            if (list == nullptr) continue;
            std::vector<Expr> elements = list->elements;
            if (attr.key == "arg_directions") {
                elements.insert(elements.begin(), values.size(), symbol("pl.adir.scalar"));
            } else if (attr.key == "arg_direction_overrides") {
                for (Expr& e : elements) e = const_int(constant(e).value_or(0) + static_cast<std::int64_t>(values.size()));
            } else {
                continue;
            }
            attr.value = tuple(std::move(elements));
        }
        return seal(std::move(n));
    }

private:
    /// What the operands say of the symbol; null, and a refusal, when they do not agree.
    Expr value_of(const Unbound& u, const Task& task, const CallNode& call) {
        Expr value;
        for (const Slot& slot : u.slots) {
            const TensorTypeNode* tensor = slot.param < task.args.size() ? tensor_of(task.args[slot.param]) : nullptr;
            if (tensor == nullptr) continue;
            const bool whole = !tensor->view || tensor->view->valid_shape.empty();
            const std::vector<Expr>& valid = whole ? tensor->shape : tensor->view->valid_shape;
            if (slot.axis >= valid.size()) continue;
            if (value != nullptr && !structurally_equal(value, valid[slot.axis])) {
                refusals.push_back(error_at(call.span, "VALID_SYMBOL",
                                            fmt::format("two operands of {} say different extents for {}", task.callee->name, u.symbol->name),
                                            "hand over tensors that are valid equally far, or name the extents by two symbols"));
                return nullptr;
            }
            value = valid[slot.axis];
        }
        if (value == nullptr) {
            refusals.push_back(error_at(call.span, "VALID_SYMBOL",
                                        fmt::format("{} of {} stands in no valid_shape by itself, so no operand says what it is", u.symbol->name,
                                                    task.callee->name),
                                        "write the symbol alone in one parameter's valid_shape, or hand the extent over as a scalar"));
        }
        return value == nullptr ? nullptr : mutate(value);
    }

    const Kernels& kernels_;
    const ModuleNode& module_;
};

} // namespace

PassResult materialize_valid_shape_symbols(const Module& module, const PassContext&) {
    std::unordered_map<const VarNode*, Var> symbols;
    for (const Var& s : module->dynamic_symbols) symbols.emplace(s.get(), s);
    Kernels kernels;
    for (const Function& f : module->functions) {
        if (!runs_on_device(f->function)) continue;
        if (auto unbound = unbound_symbols(*f, symbols); !unbound.empty()) kernels.emplace(f.get(), std::move(unbound));
    }
    if (kernels.empty()) return PassResult::unchanged(module);
    HandOver hand_over(kernels, *module);
    PassResult result;
    result.module = hand_over.mutate(module);
    result.diagnostics = std::move(hand_over.refusals);
    if (!result.diagnostics.empty()) result.module = nullptr;
    return result;
}

} // namespace ls::orchestration
