// layoutscope ub: the unified buffer of Ascend vector kernels.
#include <array>

#include "app/cli/ub_commands.h"

namespace ls::cli {

void add_ub(CLI::App& app, int& exit_code) {
    static constexpr std::array kCommands{ub::add_partition, ub::add_check,    ub::add_fit,    ub::add_overlay,
                                          ub::add_what_if,   ub::add_vstep,    ub::add_record, ub::add_work,
                                          ub::add_export,    ub::add_platforms};
    CLI::App* command =
        app.add_subcommand("ub", "Unified buffer: partition, V-step search, overlays, work distribution");
    command->require_subcommand(1);
    for (const AddCommand add : kCommands) add(*command, exit_code);
    command->footer("Each subcommand has its own --help with examples. Model files: resources/schema/ub.schema.json.");
}

} // namespace ls::cli
