// A program through its pipeline, for the commands that show passes and export kernels.
#pragma once

#include <string>
#include <vector>

#include "app/cli/input.h"
#include "core/passes/pipeline.h"

namespace ls::cli {

struct ProgramOptions {
    std::string chip = "a2a3";
    int ptoas_minor = 61;
};

/// CLI_CHIP for a chip that is not known.
Result<PassContext> pass_context(const ProgramOptions& options);

/// Reads a program in whatever surface it is written and runs the passes of that surface. Findings of reading come back as the error; refusals of passes are in the trace.
Result<Trace> run_program(const Input& input, const PassContext& context);

/// Everything that the passes said, first to last.
std::vector<Diagnostic> findings(const Trace& trace);

} // namespace ls::cli
