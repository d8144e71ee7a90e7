// layoutscope map LAYOUT [COORDINATE...]: logical to physical and back, with every term of the address.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "core/figure/layout_figure.h"
#include "core/notation/notation.h"

namespace ls::cli {

namespace {

struct Options {
    std::string layout;
    std::vector<std::string> coordinates;
    std::vector<std::string> find;
    std::string format = "text";
};

nlohmann::json formula_json(const figure::Formula& formula) {
    nlohmann::json terms = nlohmann::json::array();
    for (const auto& term : formula.terms) {
        terms.push_back({{"digit", term.digit}, {"stride", term.stride}, {"axis", term.axis}, {"expression", term.expression}, {"role", term.role}});
    }
    nlohmann::json point = nlohmann::json::object();
    for (const auto& [axis, value] : formula.point) point[axis] = value;
    nlohmann::json out{{"coordinate", formula.coordinate}, {"point", point}, {"terms", terms}, {"text", formula.text()}};
    if (formula.byte) out["byte"] = *formula.byte;
    if (formula.unswizzled_elems) out["unswizzled"] = *formula.unswizzled_elems;
    nlohmann::json replicas = nlohmann::json::array();
    for (const auto& replica : formula.replicas) {
        nlohmann::json one = nlohmann::json::object();
        for (const auto& [axis, value] : replica) one[axis] = value;
        replicas.push_back(std::move(one));
    }
    if (!replicas.empty()) out["replicas"] = replicas;
    return out;
}

int run(const Options& options) {
    auto input = read_input(options.layout);
    if (!input.ok()) return complain(input.error(), {options.layout, ""}, kUsage);
    auto tensor = read_layout_input(*input);
    if (!tensor.ok()) return complain(tensor.error(), *input, kFinding);
    const auto built = figure::LayoutFigure::build(*tensor);
    if (!built.ok()) return complain(built.error(), *input, kFinding);
    const figure::LayoutFigure& figure = **built;

    std::vector<figure::Formula> answers;
    for (const std::string& text : options.coordinates) {
        const auto coordinate = read_coordinate(text);
        if (!coordinate.ok()) return complain(coordinate.error(), {text, "COORDINATE"}, kUsage);
        const auto found = figure.find(fmt::format("{}", fmt::join(*coordinate, ", ")));
        if (!found.ok()) return complain(found.error(), {}, kFinding);
        answers.push_back(figure.formula(*found));
    }
    for (const std::string& text : options.find) {
        const auto found = figure.find(text);
        if (!found.ok()) return complain(found.error(), {text, "--find"}, kFinding);
        answers.push_back(figure.formula(*found));
    }
    if (options.format == "json") {
        nlohmann::json out = nlohmann::json::array();
        for (const auto& answer : answers) out.push_back(formula_json(answer));
        fmt::print("{}\n", out.dump(2));
    } else {
        for (const auto& answer : answers) fmt::print("{}\n", answer.text());
    }
    return kFine;
}

} // namespace

void add_map(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("map", "Map elements: coordinate to address with every term, or an address back");
    command->add_option("LAYOUT", options->layout, "Layout text in any notation, a file that holds one, or - for standard input")->required();
    command->add_option("COORDINATE", options->coordinates, "Logical coordinates such as 37,21");
    command->add_option("--find", options->find, "Elements by where they live: an offset such as 1621, or a byte address such as 0x0CAA");
    command->add_option("-f,--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
    command->footer("Examples:\n"
                    "  layoutscope map 'nz(64, 64, f16)' 37,21\n"
                    "  layoutscope map 'nz(64, 64, f16)' --find 0x0CAA\n"
                    "  layoutscope map 'mma_shared(f16, 128B, (128, 64))' 5,9 --format json");
    command->callback([options, &exit_code] {
        if (options->coordinates.empty() && options->find.empty()) {
            throw CLI::RequiredError("COORDINATE or --find");
        }
        exit_code = run(*options);
    });
}

} // namespace ls::cli
