// layoutscope passes FILE: the program after every pass, and what each one changed. FILE may be a directory of the
// compiler's own dumps.
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/passes_against.h"
#include "app/cli/program.h"
#include "core/check/access.h"
#include "core/check/tirx_moved.h"
#include "core/dialect/surface.h"
#include "core/figure/formula.h"
#include "core/figure/program_figure.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/scene/diff.h"
#include "core/session/dump_directory.h"

namespace ls::cli {

namespace {

struct Options {
    std::string file, at, diff, follow, against, chip = "a2a3";
    int ptoas_minor = 61;
    bool json = false, all = false, chain = false;
};

std::string text_of(const Snapshot& snapshot) { return dialect::print(*snapshot.module).text; }

/// By name, or by number where names repeat ("Simplify" runs twice).
std::optional<std::size_t> find_snapshot(const Trace& trace, const std::string& asked) {
    for (std::size_t i = 0; i < trace.snapshots.size(); ++i) {
        const Snapshot& s = trace.snapshots[i];
        if (s.name == asked || (s.pass != nullptr && fmt::format("{:02}", s.pass->number) == asked) || (s.pass != nullptr && fmt::format("{}", s.pass->number) == asked)) return i;
    }
    return {};
}

std::string known_names(const Trace& trace) {
    std::string names;
    for (const Snapshot& s : trace.snapshots) names += (names.empty() ? "" : ", ") + s.name;
    return names;
}

void print_diff(const std::string& before, const std::string& after) {
    const bool colour = ::isatty(STDOUT_FILENO) != 0;
    const auto left = scene::split_lines(before);
    const auto right = scene::split_lines(after);
    const auto put = [&](char mark, std::string_view line, std::string_view ink) {
        fmt::print("{}{} {}{}\n", colour ? ink : "", mark, line, colour ? "\x1b[0m" : "");
    };
    for (const scene::DiffRow& row : scene::diff_text(before, after).rows) {
        using Kind = scene::DiffRow::Kind;
        if (row.kind == Kind::Same) put(' ', left[*row.left], "");
        if (row.kind == Kind::Removed || row.kind == Kind::Changed) put('-', left[*row.left], "\x1b[31m");
        if (row.kind == Kind::Added || row.kind == Kind::Changed) put('+', right[*row.right], "\x1b[32m");
    }
}

nlohmann::json diagnostic_json(const Diagnostic& d) {
    return {{"code", d.code}, {"severity", d.severity == Severity::Error ? "error" : d.severity == Severity::Warning ? "warning" : "note"},
            {"message", d.message}, {"hint", d.hint}, {"begin", d.span.begin}, {"end", d.span.end}};
}

nlohmann::json trace_json(const Trace& trace) {
    nlohmann::json snapshots = nlohmann::json::array();
    for (const Snapshot& s : trace.snapshots) {
        nlohmann::json one{{"name", s.name}, {"number", s.pass != nullptr ? s.pass->number : 0}, {"changed", s.changed}};
        if (s.changed || s.pass == nullptr) one["text"] = text_of(s);
        one["diagnostics"] = nlohmann::json::array();
        for (const Diagnostic& d : s.diagnostics) one["diagnostics"].push_back(diagnostic_json(d));
        nlohmann::json moved = nlohmann::json::array();
        for (const check::Access& access : check::accesses(*s.module)) {
            nlohmann::json a{{"access", access.text()}, {"function", access.function}};
            if (const auto map = check::address_map(access, *s.module); map.ok()) {
                a["begin"] = map->begin;
                a["extent"] = map->extent;
                a["first_byte"] = map->byte_of(0, 0);
            }
            moved.push_back(std::move(a));
        }
        one["accesses"] = std::move(moved);
        snapshots.push_back(std::move(one));
    }
    nlohmann::json out{{"snapshots", snapshots}};
    if (!trace.ok()) {
        out["refused_by"] = trace.refused_by->name;
        for (const Diagnostic& d : trace.refusals) out["refusals"].push_back(diagnostic_json(d));
    }
    return out;
}

void print_list(const Trace& trace, bool all) {
    std::size_t quiet = 0;
    const auto flush = [&quiet] {
        if (quiet > 0) fmt::print("       ·  {} pass{} changed nothing\n", quiet, quiet == 1 ? "" : "es");
        quiet = 0;
    };
    for (const Snapshot& s : trace.snapshots) {
        if (s.pass != nullptr && !s.changed && s.diagnostics.empty() && !all) {
            ++quiet;
            continue;
        }
        flush();
        const std::string number = s.pass == nullptr ? "00" : s.pass->number == 0 ? "  " : fmt::format("{:02}", s.pass->number);
        fmt::print("  {}  {}  {:<28} {}\n", number, s.pass == nullptr || s.changed ? "●" : "·", s.name, s.pass == nullptr ? "the program as it was read" : s.pass->about);
    }
    flush();
    if (!trace.ok()) fmt::print("  {:02}  ✗  {:<28} refused\n", trace.refused_by->number, trace.refused_by->name);
}

/// "w:5,33": element (5, 33) of the first window of tensor w.
int print_followed(const Trace& trace, const std::string& asked) {
    const std::size_t colon = asked.rfind(':');
    const auto element = read_coordinate(colon == std::string::npos ? asked : std::string_view(asked).substr(colon + 1));
    if (!element.ok()) return complain(element.error(), {}, kUsage);
    if (colon == std::string::npos || element->size() != 2) {
        return complain(error("CLI_FOLLOW", fmt::format("'{}' names no element", asked), "write TENSOR:ROW,COLUMN, such as w:5,33"), {}, kUsage);
    }
    std::vector<ir::Module> modules;
    for (const Snapshot& s : trace.snapshots) modules.push_back(s.module);
    const auto all = check::accesses(*modules.front());
    const std::string tensor = asked.substr(0, colon);
    const auto access = std::find_if(all.begin(), all.end(), [&](const check::Access& a) { return a.tensor == tensor || a.tile == tensor; });
    if (access == all.end()) {
        std::string names;
        for (const check::Access& a : all) names += (names.empty() ? "" : ", ") + a.tensor;
        return complain(error("CLI_FOLLOW", fmt::format("no load or store touches {}", tensor), names.empty() ? "the program moves no elements" : "they touch " + names), {}, kUsage);
    }
    const auto followed = figure::follow_element(modules, 0, static_cast<std::size_t>(access - all.begin()), (*element)[0], (*element)[1]);
    fmt::print("{}, element ({}, {}) of the window\n", access->text(), (*element)[0], (*element)[1]);
    int exit_code = kFine;
    for (const figure::FollowedElement& here : followed) {
        const Snapshot& s = trace.snapshots[here.snapshot];
        if (here.snapshot > 0 && !s.changed) continue;
        if (here.moved) exit_code = kFinding;
        fmt::print("  {:<28} {:<28} {}{}\n", s.name, here.byte ? fmt::format("[{}]", fmt::join(here.coordinate, ", ")) : "–",
                   here.byte ? "byte " + figure::hex_address(*here.byte) : here.why, here.moved ? "   moved: this pass sends it elsewhere" : "");
    }
    return exit_code;
}

/// Whether the threads of a TIRx program do the same after every pass.
int print_moved(const Trace& trace, const Input& input) {
    if (trace.snapshots.front().module->dialect != ir::Dialect::Tirx) return kFine;
    check::TirxComparison compared;
    const auto verdict = check::first_moved(trace, &compared);
    int exit_code = kFine;
    if (verdict) {
        complain(verdict->finding, input, kFinding);
        exit_code = kFinding;
    } else if (compared.events != 0) {
        fmt::print("\n  {} threads, {} effects compared from pass to pass: every element goes where it went\n", compared.threads,
                   compared.events);
    }
    for (const Diagnostic& d : check::outside_accesses(*trace.snapshots.front().module)) complain(d, input, kFinding);
    return exit_code;
}

int run(const Options& options) {
    const auto context = pass_context({options.chip, options.ptoas_minor});
    if (!context.ok()) return complain(context.error(), {}, kUsage);
    if (!options.against.empty()) return passes_against({options.against, options.diff, options.chain, options.json}, *context);
    if (options.file.empty()) {
        return complain(error("CLI_NOTHING", "there is no program to run", "name a program, or dumps with --against"), {}, kUsage);
    }
    const bool dumps = session::is_dump_directory(options.file);
    auto input = dumps ? Result<Input>(Input{"", options.file}) : read_input(options.file, true);
    if (!input.ok()) return complain(input.error(), {options.file, ""}, kUsage);
    const auto trace = dumps ? session::read_dump_directory(options.file, nz::nz_pipeline()) : run_program(*input, *context);
    if (!trace.ok()) return complain(trace.error(), *input, kFinding);

    if (options.json) {
        fmt::print("{}\n", trace_json(*trace).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    } else if (!options.at.empty() || !options.diff.empty()) {
        const std::string& asked = options.at.empty() ? options.diff : options.at;
        const auto index = find_snapshot(*trace, asked);
        if (!index) {
            return complain(error("CLI_PASS", fmt::format("there is no snapshot after {}", asked), "the snapshots are " + known_names(*trace)), {}, kUsage);
        }
        const Snapshot& here = trace->snapshots[*index];
        if (!options.at.empty()) {
            fmt::print("{}", text_of(here));
        } else {
            print_diff(*index == 0 ? std::string() : text_of(trace->snapshots[*index - 1]), text_of(here));
        }
    } else if (!options.follow.empty()) {
        if (const int code = print_followed(*trace, options.follow); code != kFine) return code;
    } else {
        print_list(*trace, options.all);
        if (const int code = print_moved(*trace, *input); code != kFine) return code;
    }
    int exit_code = kFine;
    for (const Diagnostic& finding : findings(*trace)) {
        complain(finding, *input, kFinding);
        if (finding.severity == Severity::Error) exit_code = kFinding;
    }
    return exit_code;
}

} // namespace

void add_passes(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("passes", "Run a program through its passes and show what each one changed");
    command->add_option("FILE", options->file, "A program (pypto, PTO or TIRx text), a directory of pass dumps, or - for standard input");
    command->add_option("--at", options->at, "Print the program after this pass (name or number)");
    command->add_option("--diff", options->diff, "Print what this pass changed (name or number)");
    command->add_option("--follow", options->follow, "Follow one element of a load or store through every pass: TENSOR:ROW,COLUMN");
    command->add_option("--against", options->against,
                        "Run every pass on the compiler's own dumps below this directory and compare with the next one; with --diff PASS "
                        "only that one, and its differing lines");
    command->add_flag("--chain", options->chain, "With --against: run the whole pipeline from the first dump on and say how far it agrees");
    command->add_flag("--all", options->all, "Also list passes that changed nothing");
    command->add_flag("--json", options->json, "Print every snapshot, its findings and its accesses as JSON");
    command->add_option("--chip", options->chip, "a2a3 (910B, 910C) or a5 (950)")->check(CLI::IsMember({"a2a3", "a5"}));
    command->add_option("--ptoas", options->ptoas_minor, "PTOAS version 0.N")->check(CLI::Range(1, 999));
    command->footer("Examples:\n"
                    "  layoutscope passes resources/examples/nz_slice.py\n"
                    "  layoutscope passes resources/examples/nz_slice.py --diff BlockNzTensorViews\n"
                    "  layoutscope passes resources/examples/nz_slice.py --at 33\n"
                    "  layoutscope passes resources/examples/nz_slice.py --follow w:5,33\n"
                    "  layoutscope passes build_output/passes_dump\n"
                    "  layoutscope passes --against build_output\n"
                    "  layoutscope passes --against build_output --chain");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace ls::cli
