#include "app/cli/program.h"

#include <algorithm>

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
    dialect::ReadResult read = dialect::read_all(input.text, input.name);
    if (!read.ok()) {
        const auto first = std::find_if(read.diagnostics.begin(), read.diagnostics.end(),
                                        [](const Diagnostic& d) { return d.severity == Severity::Error; });
        return std::move(*first);
    }
    Trace trace = run_pipeline(read.module, pipeline_of(read.module->dialect), context);
    // What reading warned of belongs to the program as it was read.
    for (Diagnostic& finding : read.diagnostics) {
        if (finding.severity == Severity::Warning) trace.snapshots.front().diagnostics.push_back(std::move(finding));
    }
    return trace;
}

std::vector<Diagnostic> findings(const Trace& trace) {
    std::vector<Diagnostic> all;
    for (const Snapshot& snapshot : trace.snapshots) all.insert(all.end(), snapshot.diagnostics.begin(), snapshot.diagnostics.end());
    all.insert(all.end(), trace.refusals.begin(), trace.refusals.end());
    return all;
}

} // namespace ls::cli
