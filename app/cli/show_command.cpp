// layoutscope show LAYOUT: what the explorer's right column says, as text, JSON or CSV; of a program its tensors, tiles
// and accesses.
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/program_listing.h"
#include "app/cli/text_table.h"
#include "core/figure/layout_figure.h"
#include "core/notation/notation.h"

namespace ls::cli {

namespace {

struct Options {
    std::string layout;
    std::string format = "text";
    std::string filter;
    std::int64_t elements = 0;
};

nlohmann::json notations_json(const TensorLayout& tensor) {
    nlohmann::json all = nlohmann::json::object();
    for (const NotationInfo& notation : notations()) {
        const auto text = print_as(tensor, notation.notation);
        all[std::string(notation.name)] = text.ok() ? nlohmann::json(*text) : nlohmann::json{{"refused", text.error().message}};
    }
    return all;
}

nlohmann::json table_json(const scene::TableSource& table, std::int64_t rows) {
    nlohmann::json out = nlohmann::json::array();
    for (std::int64_t r = 0; r < std::min(rows, table.row_count()); ++r) {
        nlohmann::json row = nlohmann::json::object();
        for (std::size_t c = 0; c < table.columns().size(); ++c) row[table.columns()[c].title] = table.text(r, c);
        out.push_back(std::move(row));
    }
    return out;
}

void print_text(const figure::LayoutFigure& figure) {
    const TensorLayout& tensor = figure.layout();
    fmt::print("{}\n", tensor.name.empty() ? print_exact(tensor) : tensor.name);
    fmt::print("  shape [{}]{}{}\n\n", fmt::join(tensor.shape, ", "), tensor.dtype ? fmt::format(" of {}", info(*tensor.dtype).brief) : "",
               tensor.space == MemorySpace::Unknown ? "" : fmt::format(" in {}", name(tensor.space)));
    for (const NotationInfo& notation : notations()) {
        if (notation.notation == Notation::TirxReference) continue;
        const auto text = print_as(tensor, notation.notation);
        if (text.ok()) fmt::print("  {:<8} {}\n", notation.name, *text);
    }
    fmt::print("\n{}\n", text_table(*figure.iters()));
    std::size_t widest = 0;
    for (const auto& row : figure.properties()) widest = std::max(widest, row.name.size());
    for (const auto& row : figure.properties()) fmt::print("  {:<{}}  {}\n", row.name, widest, row.value);
}

int run(const Options& options) {
    auto input = read_input(options.layout);
    if (!input.ok()) return complain(input.error(), {options.layout, ""}, kUsage);
    if (const dialect::Surface* surface = program_surface(*input)) {
        if (options.format == "csv" || options.elements != 0 || !options.filter.empty()) {
            return complain(error("CLI_SURFACE", fmt::format("a {} has no table of elements", surface->title),
                                  "ask for one layout, or follow an element with `layoutscope passes --follow`"), {}, kUsage);
        }
        return show_program(*input, *surface, options.format == "json");
    }
    auto tensor = read_layout_input(*input);
    if (!tensor.ok()) return complain(tensor.error(), *input, kFinding);
    const auto figure = figure::LayoutFigure::build(*tensor);
    if (!figure.ok()) return complain(figure.error(), *input, kFinding);

    std::shared_ptr<const scene::TableSource> elements;
    if (options.elements != 0 || !options.filter.empty() || options.format == "csv") {
        const auto table = (*figure)->elements({options.filter, {}, false});
        if (!table.ok()) return complain(table.error(), {options.filter, "--filter"}, kUsage);
        elements = *table;
    }
    const std::int64_t shown = options.elements > 0 ? options.elements : elements ? elements->row_count() : 0;
    if (options.format == "json") {
        nlohmann::json properties = nlohmann::json::object();
        for (const auto& row : (*figure)->properties()) properties[row.name] = row.value;
        nlohmann::json out{{"name", tensor->name}, {"shape", tensor->shape}, {"space", name(tensor->space)},
                           {"notations", notations_json(*tensor)}, {"iters", table_json(*(*figure)->iters(), (*figure)->iters()->row_count())},
                           {"properties", properties}, {"verdict", (*figure)->verdict().value}};
        if (tensor->dtype) out["dtype"] = info(*tensor->dtype).brief;
        if (elements) out["elements"] = table_json(*elements, shown);
        fmt::print("{}\n", out.dump(2));
    } else if (options.format == "csv") {
        fmt::print("{}", csv_table(*elements, shown));
    } else {
        print_text(**figure);
        if (elements) fmt::print("\n{}", text_table(*elements, shown));
    }
    return kFine;
}

} // namespace

void add_show(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("show", "Show a layout: other notations, iters, properties, elements; or what a program moves");
    command->add_option("LAYOUT", options->layout, "Layout text in any notation, a file that holds one or a program, or - for standard input")->required();
    command->add_option("-f,--format", options->format, "text, json or csv (csv: the table of elements)")->check(CLI::IsMember({"text", "json", "csv"}));
    command->add_option("-n,--elements", options->elements, "Also list the first N elements")->check(CLI::NonNegativeNumber);
    command->add_option("--filter", options->filter, "Only elements that meet a condition, such as 'block == 1 && fractal == 2'");
    command->footer("Examples:\n"
                    "  layoutscope show 'nz(64, 64, f16)'\n"
                    "  layoutscope show 'S[(8, 64):(64, 1)] | f16' --elements 4\n"
                    "  layoutscope show '((4,2),8):((1,16),4)' --format json\n"
                    "  layoutscope show 'nz(64, 64, f16)' --filter 'block == 1 && fractal == 2' --format csv");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace ls::cli
