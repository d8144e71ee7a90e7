// layoutscope convert LAYOUT --to NOTATION: the same function in another way of writing.
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/program_listing.h"
#include "core/notation/notation.h"

namespace ls::cli {

namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        c = c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return out;
}

int run(const std::string& layout, const std::string& to, bool json) {
    auto input = read_input(layout);
    if (!input.ok()) return complain(input.error(), {layout, ""}, kUsage);
    if (const dialect::Surface* surface = program_surface(*input)) return convert_program(*input, *surface, to);
    auto tensor = read_layout_input(*input);
    if (!tensor.ok()) return complain(tensor.error(), *input, kFinding);
    if (to == "all") {
        nlohmann::json all = nlohmann::json::object();
        for (const NotationInfo& notation : notations()) {
            const auto text = print_as(*tensor, notation.notation);
            if (json) {
                all[lower(notation.name)] = text.ok() ? nlohmann::json(*text) : nlohmann::json{{"refused", text.error().message}};
            } else {
                fmt::print("{:<15} {}\n", lower(notation.name), text.ok() ? *text : "cannot: " + text.error().message);
            }
        }
        if (json) fmt::print("{}\n", all.dump(2));
        return kFine;
    }
    for (const NotationInfo& notation : notations()) {
        if (lower(notation.name) != to) continue;
        const auto text = print_as(*tensor, notation.notation);
        if (!text.ok()) return complain(text.error(), *input, kFinding);
        fmt::print("{}\n", json ? nlohmann::json{{to, *text}}.dump() : *text);
        return kFine;
    }
    // The option's check leaves only the surfaces of programs.
    return complain(error("CLI_SURFACE", fmt::format("a layout is not written as {}", to), "choose a notation of layouts"), *input, kUsage);
}

} // namespace

void add_convert(CLI::App& app, int& exit_code) {
    struct Options {
        std::string layout, to = "all";
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    std::vector<std::string> names{"all"};
    for (const NotationInfo& notation : notations()) names.push_back(lower(notation.name));
    for (const dialect::Surface& surface : dialect::surfaces()) {
        if (std::find(names.begin(), names.end(), surface.id) == names.end()) names.emplace_back(surface.id);
    }
    CLI::App* command = app.add_subcommand("convert", "Write a layout in another notation; what it cannot say is refused with the reason");
    command->add_option("LAYOUT", options->layout, "Layout text in any notation, a file that holds one or a program, or - for standard input")->required();
    command->add_option("-t,--to", options->to, "Notation to write; all lists every one")->check(CLI::IsMember(names));
    command->add_flag("--json", options->json, "Print JSON");
    command->footer("Examples:\n"
                    "  layoutscope convert '((4,2),8):((1,16),4)' --to tirx\n"
                    "  layoutscope convert 'S[(64, 4, 64):(64, 4096, 1)] | [64, 256]' --to cute\n"
                    "  layoutscope convert 'pl.Tensor[[256, 512], pl.INT8, pl.NZ]'");
    command->callback([options, &exit_code] { exit_code = run(options->layout, options->to, options->json); });
}

} // namespace ls::cli
