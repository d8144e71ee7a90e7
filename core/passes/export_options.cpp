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

} // namespace ls
