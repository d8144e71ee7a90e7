#include "core/passes/front/outline_scopes.h"
#include "core/passes/front/scope_outliner.h"

namespace ls::front {

using namespace ir;

PassResult outline_hierarchy_scopes(const Module& module, const PassContext&) {
    return outline_in(module, [&](const Function& f, std::unordered_set<std::string>& names) -> Outlined {
        if (f->function != FunctionKind::Opaque) return {f, {}, {}};
        return outline_scopes(f, ScopeKind::Hierarchy, names, *module, false);
    });
}

} // namespace ls::front
