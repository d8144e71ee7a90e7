// What the program says of itself: every command with its options, read from --help.
#pragma once

#include <string>
#include <vector>

namespace ls::test {

struct HelpPage {
    std::vector<std::string> command; ///< {}, {"show"}, {"ub", "partition"}
    std::string text;
    std::vector<std::string> options;     ///< "--format", "-f", as spelled
    std::vector<std::string> subcommands;
    std::vector<std::string> examples;    ///< "layoutscope show 'nz(64, 64, f16)'"

    std::string title() const; ///< "layoutscope ub partition"
};

/// Of the program at `path` and of all its commands, parents first.
std::vector<HelpPage> read_help(const std::string& path, const std::string& name);

} // namespace ls::test
