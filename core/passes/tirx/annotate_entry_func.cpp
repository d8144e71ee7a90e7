#include "core/passes/tirx/annotate_entry_func.h"

#include "core/passes/tirx/function_pass.h"

namespace ls::tirx {

using namespace ir;

PassResult annotate_entry_func(const Module& module, const PassContext&) {
    const bool alone = module->functions.size() == 1;
    std::size_t exposed = 0;
    for (const Function& f : module->functions) exposed += f->attr("global_symbol") != nullptr ? 1 : 0;
    if (!alone && exposed != 1) return PassResult::unchanged(module);
    return rewrite_functions(module, [&](const Function& f) -> Result<Function> {
        const bool entry = alone || f->attr("global_symbol") != nullptr;
        if (!entry || f->attr("tirx.is_entry_func") != nullptr) return f;
        auto copy = derive(f);
        set_attr(copy->attrs, "tirx.is_entry_func", const_bool(true));
        return Function(seal(std::move(copy)));
    });
}

} // namespace ls::tirx
