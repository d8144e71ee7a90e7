#include "tests/cli/help_pages.h"

#include <sstream>

#include <gtest/gtest.h>

#include "tests/cli/process.h"

namespace ls::test {

namespace {

enum class Part { Other, Subcommands, Examples };

/// "  -f,--format TEXT:{text,json}  ..." names -f and --format.
void read_options(const std::string& line, std::vector<std::string>& into) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    std::istringstream spellings(first);
    for (std::string one; std::getline(spellings, one, ',');) {
        if (one.starts_with('-')) into.push_back(one);
    }
}

void read_page(const std::string& path, const std::string& name, std::vector<std::string> command, std::vector<HelpPage>& pages) {
    std::vector<std::string> words{path};
    words.insert(words.end(), command.begin(), command.end());
    words.emplace_back("--help");
    const Finished help = run({words, {}, LS_SOURCE_DIR, {}});
    EXPECT_EQ(help.exit_code, 0) << help.err;
    HelpPage page{std::move(command), help.out, {}, {}, {}};
    Part part = Part::Other;
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) continue;
        if (line.front() != ' ') {
            part = line == "Subcommands:" ? Part::Subcommands : line == "Examples:" ? Part::Examples : Part::Other;
            continue;
        }
        const std::string text = line.substr(line.find_first_not_of(' '));
        if (part == Part::Subcommands && line[2] != ' ') page.subcommands.push_back(text.substr(0, text.find(' ')));
        else if (part == Part::Examples && text.starts_with(name + " ")) page.examples.push_back(text);
        else if (text.front() == '-') read_options(text, page.options);
    }
    pages.push_back(page);
    for (const std::string& sub : page.subcommands) {
        std::vector<std::string> deeper = page.command;
        deeper.push_back(sub);
        read_page(path, name, deeper, pages);
    }
}

} // namespace

std::string HelpPage::title() const {
    std::string out = "layoutscope";
    for (const std::string& word : command) out += " " + word;
    return out;
}

std::vector<HelpPage> read_help(const std::string& path, const std::string& name) {
    std::vector<HelpPage> pages;
    read_page(path, name, {}, pages);
    return pages;
}

} // namespace ls::test
