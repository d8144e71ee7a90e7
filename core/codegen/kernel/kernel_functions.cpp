#include <fmt/format.h>

#include "core/codegen/kernel/kernel.h"
#include "core/ir/walk.h"

namespace ls::codegen {

Result<std::vector<ir::Function>> kernel_functions(const ir::ModuleNode& module, const std::string& only) {
    std::vector<ir::Function> found;
    for (const ir::Function& function : module.functions) {
        if (!only.empty() && function->name != only) continue;
        bool tile_work = false;
        ir::for_each_call(*function, [&](const ir::CallNode& call) {
            tile_work = tile_work || (call.callee == ir::CalleeKind::Op && (call.op.rfind("tile.", 0) == 0 || call.op.rfind("pto.t", 0) == 0));
        });
        if (tile_work) found.push_back(function);
    }
    if (!found.empty()) return found;
    return error("CG_NO_KERNEL", only.empty() ? "no function of the program works on tiles" : fmt::format("there is no kernel named {}", only),
                 "export a program that loads, computes and stores tiles");
}

} // namespace ls::codegen
