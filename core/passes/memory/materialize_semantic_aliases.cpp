#include "core/passes/memory/materialize_semantic_aliases.h"

#include "core/ir/mutator.h"
#include "core/passes/memory/carried_buffers.h"

namespace ls::memory {

using namespace ir;

namespace {

class PerFunction final : public Mutator {
protected:
    Function on_function(const Function& function) override {
        if (function->function == FunctionKind::Orchestration) return function;
        const Seq body = apply_retypes(function->body, carried_into_place(function->body));
        if (body == function->body) return function;
        auto now = derive(function);
        now->body = body;
        return seal(std::move(now));
    }
};

} // namespace

PassResult materialize_semantic_aliases(const Module& module, const PassContext&) {
    return PassResult::unchanged(PerFunction().mutate(module));
}

} // namespace ls::memory
