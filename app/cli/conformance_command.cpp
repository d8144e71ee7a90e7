// layoutscope conformance PATH...
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/conformance/runner.h"

namespace ls::cli {

namespace {

using conformance::FileReport;
using conformance::Outcome;

struct Tally {
    std::size_t passed = 0, failed = 0, skipped = 0;

    void count(const FileReport& report) {
        for (const auto& one : report.cases) {
            switch (one.outcome.kind) {
            case Outcome::Kind::Passed: ++passed; break;
            case Outcome::Kind::Failed: ++failed; break;
            case Outcome::Kind::Skipped: ++skipped; break;
            }
        }
    }
    std::string text() const { return fmt::format("{} passed, {} failed, {} skipped", passed, failed, skipped); }
};

void print_failures(const FileReport& report, bool verbose) {
    for (const auto& one : report.cases) {
        if (verbose && one.outcome.kind == Outcome::Kind::Passed && !one.outcome.why.empty()) {
            fmt::print("    passed {}, with other text: {}\n", one.id, one.outcome.why);
        }
        if (one.outcome.kind != Outcome::Kind::Failed) continue;
        fmt::print("    FAILED {}{}\n", one.id, verbose ? fmt::format(": {}", one.outcome.why) : "");
    }
}

int run(const std::vector<std::string>& paths, bool verbose) {
    Tally total;
    bool unreadable = false;
    for (const std::string& path : paths) {
        for (const FileReport& report : conformance::run_path(path)) {
            if (!report.unreadable.empty()) {
                fmt::print(stderr, "error[CONF_UNREADABLE] {}: {}\n", report.path.string(), report.unreadable);
                unreadable = true;
                continue;
            }
            Tally here;
            here.count(report);
            total.count(report);
            fmt::print("{}: {}{}\n", report.path.string(), here.text(),
                       report.form.empty() ? "  (no runner for this kind of file)" : "");
            print_failures(report, verbose);
        }
    }
    fmt::print("{}\n", total.text());
    if (unreadable) return kUsage;
    return total.failed == 0 ? kFine : kFinding;
}

} // namespace

void add_conformance(CLI::App& app, int& exit_code) {
    struct Options {
        std::vector<std::string> paths;
        bool verbose = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("conformance", "Run conformance cases (JSON) and count what passes");
    command->add_option("PATH", options->paths, "Files of cases, or folders of such files")->required();
    command->add_flag("-v,--verbose", options->verbose, "Say for each failed case what differed");
    command->footer("Examples:\n"
                    "  layoutscope conformance tests/conformance/nz\n"
                    "  layoutscope conformance -v tests/conformance/tirx/layout_slice.json");
    command->callback([options, &exit_code] { exit_code = run(options->paths, options->verbose); });
}

} // namespace ls::cli
