// The table of subcommands of `layoutscope`. One file a command: <name>_command.cpp.
#pragma once

#include <span>

#include <CLI/CLI.hpp>

namespace ls::cli {

/// What every command answers to the shell.
enum ExitCode : int {
    kFine = 0,    ///< nothing to complain about
    kFinding = 1, ///< a finding, a refusal, a failed case
    kUsage = 2,   ///< bad usage or unreadable input
};

/// Adds its subcommand to `app`; when it runs it stores its exit code in `exit_code`.
using AddCommand = void (*)(CLI::App& app, int& exit_code);

/// Every command, in the order in which --help lists them.
std::span<const AddCommand> commands();

void add_show(CLI::App& app, int& exit_code);
void add_map(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_desc(CLI::App& app, int& exit_code);
void add_desc_gemm(CLI::App& desc, int& exit_code);
void add_passes(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_l0(CLI::App& app, int& exit_code);
void add_memory(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_ub(CLI::App& app, int& exit_code);
void add_conformance(CLI::App& app, int& exit_code);
void add_gui(CLI::App& app, int& exit_code);

} // namespace ls::cli
