// layoutscope: everything that the window can do, in a terminal and without a display.
#include "app/cli/command.h"

int main(int argc, char** argv) {
    CLI::App app{"Layoutscope: where every element of a tensor really lives", "layoutscope"};
    app.require_subcommand(1);
    app.set_version_flag("--version", "layoutscope " LS_VERSION);
    app.footer("Exit codes: 0 fine, 1 a finding or a refusal, 2 bad usage or unreadable input.\n"
               "Each command's --help shows examples.");
    int exit_code = ls::cli::kFine;
    for (const ls::cli::AddCommand add : ls::cli::commands()) add(app, exit_code);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& problem) {
        app.exit(problem);
        return ls::cli::kUsage;
    }
    return exit_code;
}
