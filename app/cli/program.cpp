#include "app/cli/program.h"

#include <fmt/format.h>

#include "core/dialect/pypto/pypto.h"
#include "core/passes/nz/nz_pipeline.h"

namespace ls::cli {

Result<Trace> run_program(const Input& input, const ProgramOptions& options) {
    LS_TRY(const ir::Module module, pypto::read(input.text));
    PassContext context;
    context.hardware = find_hardware(options.chip);
    if (context.hardware == nullptr) return error("CLI_CHIP", fmt::format("there is no chip named {}", options.chip), "use a2a3 or a5");
    context.ptoas.minor = options.ptoas_minor;
    return run_pipeline(module, nz::nz_pipeline(), context);
}

std::vector<Diagnostic> findings(const Trace& trace) {
    std::vector<Diagnostic> all;
    for (const Snapshot& snapshot : trace.snapshots) all.insert(all.end(), snapshot.diagnostics.begin(), snapshot.diagnostics.end());
    all.insert(all.end(), trace.refusals.begin(), trace.refusals.end());
    return all;
}

codegen::ExportOptions export_options(const Hardware& hardware, std::string function, int ptoas_minor) {
    codegen::ExportOptions options;
    options.chip = hardware.id;
    options.function = std::move(function);
    options.ptoas_minor = ptoas_minor;
    for (const auto& [space, limits] : hardware.memories) options.memory.push_back({space, limits.bytes, limits.align_bytes});
    return options;
}

} // namespace ls::cli
