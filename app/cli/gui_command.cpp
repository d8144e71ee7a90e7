// layoutscope gui [FILE]: starts the desktop program that was installed beside this one.
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/input.h"

namespace ls::cli {

namespace {

int run(const std::vector<std::string>& files) {
    std::error_code failure;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failure);
    const std::string beside = (self.parent_path() / "layoutscope-gui").string();
    std::vector<std::string> words{beside};
    words.insert(words.end(), files.begin(), files.end());
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(beside.c_str(), arguments.data());
    // Only a failed start comes back here.
    return complain(error("CLI_GUI", fmt::format("{} cannot be started: {}", beside, std::strerror(errno)),
                          "install the desktop program, or build with -DLS_GUI=ON"),
                    {}, kUsage);
}

} // namespace

void add_gui(CLI::App& app, int& exit_code) {
    auto files = std::make_shared<std::vector<std::string>>();
    CLI::App* command = app.add_subcommand("gui", "Open the desktop program");
    command->add_option("FILE", *files, "Documents to open");
    command->footer("Examples:\n  layoutscope gui\n  layoutscope gui resources/examples/nz_slice.py");
    command->callback([files, &exit_code] { exit_code = run(*files); });
}

} // namespace ls::cli
