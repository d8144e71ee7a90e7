#include "core/passes/export_options.h"

namespace ls {

codegen::ExportOptions export_options(const PassContext& context, std::string function) {
    codegen::ExportOptions options;
    options.chip = context.hardware->id;
    options.function = std::move(function);
    for (const auto& [space, limits] : context.hardware->memories) {
        options.memory.push_back({space, limits.bytes, limits.align_bytes});
    }
    return options;
}

codegen::ExportOptions export_options(const PassContext& context, const Trace& trace, std::string function) {
    codegen::ExportOptions options = export_options(context, std::move(function));
    const std::size_t kept = trace.last().module->functions.size();
    for (std::size_t s = trace.snapshots.size(); s-- > 0;) {
        const ir::Module& module = trace.snapshots[s].module;
        if (module->functions.size() <= kept) continue;
        options.host = module;
        break;
    }
    return options;
}

} // namespace ls
