#include "app/cli/program.h"

#include <fmt/format.h>

#include "core/dialect/surface.h"
#include "core/passes/pipelines.h"

namespace ls::cli {

Result<PassContext> pass_context(const ProgramOptions& options) {
    PassContext context;
    context.hardware = find_hardware(options.chip);
    if (context.hardware == nullptr) return error("CLI_CHIP", fmt::format("there is no chip named {}", options.chip), "use a2a3 or a5");
    context.ptoas.minor = options.ptoas_minor;
    return context;
}

Result<Trace> run_program(const Input& input, const PassContext& context) {
    LS_TRY(const ir::Module module, dialect::read(input.text, input.name));
    return run_pipeline(module, pipeline_of(module->dialect), context);
}

std::vector<Diagnostic> findings(const Trace& trace) {
    std::vector<Diagnostic> all;
    for (const Snapshot& snapshot : trace.snapshots) all.insert(all.end(), snapshot.diagnostics.begin(), snapshot.diagnostics.end());
    all.insert(all.end(), trace.refusals.begin(), trace.refusals.end());
    return all;
}

} // namespace ls::cli
