// layoutscope render LAYOUT -o FILE: the explorer's picture as SVG, PNG or PDF, without a display.
#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "core/figure/explorer_picture.h"
#include "core/session/document.h"
#include "views/paint/paint.h"

namespace ls::cli {

namespace {

struct Options {
    std::string layout, output, format, part = "both", color, label, element, theme = "light";
    double width = 1280, height = 720, scale = 2;
    std::int64_t row_bytes = 0;
    bool no_swizzle = false, patterns = false;
    std::vector<std::string> axes;
    std::vector<std::int64_t> fixed;
};

constexpr std::array kColors{figure::ColorBy::Block, figure::ColorBy::Offset, figure::ColorBy::Bank, figure::ColorBy::Chunk,
                             figure::ColorBy::Thread, figure::ColorBy::Register, figure::ColorBy::Coordinate};
constexpr std::array kLabels{std::pair("none", scene::CellLabel::None), std::pair("coordinate", scene::CellLabel::Coordinate),
                             std::pair("offset", scene::CellLabel::Offset), std::pair("address", scene::CellLabel::Address),
                             std::pair("index", scene::CellLabel::FlatIndex), std::pair("bank", scene::CellLabel::Bank),
                             std::pair("block", scene::CellLabel::Block), std::pair("thread", scene::CellLabel::Thread)};

/// "16 B chunk" is too long a word for an option.
std::string color_word(figure::ColorBy by) { return by == figure::ColorBy::Chunk ? "chunk" : std::string(figure::name(by)); }

Result<figure::LayoutFigureOptions> figure_options(const Options& options, const TensorLayout& tensor) {
    figure::LayoutFigureOptions out;
    out.row_bytes = options.row_bytes;
    out.show_swizzle = !options.no_swizzle;
    for (const figure::ColorBy by : kColors) {
        if (options.color == color_word(by)) out.color = by;
    }
    if (!options.axes.empty()) {
        figure::ViewAxes axes;
        axes.fixed = options.fixed;
        std::array<std::size_t*, 2> targets{&axes.row_dim, &axes.col_dim};
        for (std::size_t i = 0; i < 2; ++i) {
            std::size_t dim = 0;
            while (dim < tensor.shape.size() && tensor.dim_name(dim) != options.axes[i]) ++dim;
            if (dim == tensor.shape.size()) {
                std::string names;
                for (std::size_t d = 0; d < tensor.shape.size(); ++d) names += (d == 0 ? "" : ", ") + tensor.dim_name(d);
                return error("CLI_AXES", fmt::format("there is no dimension {}", options.axes[i]), "the dimensions are " + names);
            }
            *targets[i] = dim;
        }
        out.axes = axes;
    }
    return out;
}

int run(const Options& options) {
    auto input = read_input(options.layout);
    if (!input.ok()) return complain(input.error(), {options.layout, ""}, kUsage);
    auto tensor = read_layout_input(*input);
    if (!tensor.ok()) return complain(tensor.error(), *input, kFinding);
    const auto shown = figure_options(options, *tensor);
    if (!shown.ok()) return complain(shown.error(), {}, kUsage);
    const auto built = figure::LayoutFigure::build(*tensor, *shown);
    if (!built.ok()) return complain(built.error(), *input, kFinding);

    std::string format = options.format;
    if (format.empty()) {
        format = std::filesystem::path(options.output).extension().string();
        format = format.empty() ? "svg" : format.substr(1);
    }
    figure::ExplorerPictureOptions picture;
    picture.width = options.width;
    picture.height = options.height;
    picture.patterns = options.patterns;
    picture.part = options.part == "logical" ? figure::PicturePart::Logical : options.part == "physical" ? figure::PicturePart::Physical : figure::PicturePart::Both;
    for (const auto& [word, label] : kLabels) {
        if (options.label == word) picture.label = label;
    }
    if (!options.element.empty()) {
        auto element = (*built)->find(options.element);
        if (!element.ok()) return complain(element.error(), {options.element, "--element"}, kFinding);
        picture.element = *element;
    }
    const scene::Theme& theme = scene::Theme::builtin(options.theme == "dark" ? scene::Theme::Kind::Dark : scene::Theme::Kind::Light);
    const scene::DrawList list = figure::explorer_picture(**built, picture, *paint::text_measure(), theme);
    paint::PaintOptions painting;
    painting.scale = options.scale;
    painting.title = options.layout;

    const auto bytes = format == "png" ? paint::paint_png(list, theme, painting) : format == "pdf" ? paint::paint_pdf(list, theme, painting)
                       : format == "svg" ? paint::paint_svg(list, theme, painting)
                                         : Result<std::string>(error("CLI_FORMAT", fmt::format("'{}' is no picture format", format), "use svg, png or pdf"));
    if (!bytes.ok()) return complain(bytes.error(), {}, kUsage);
    if (options.output.empty() || options.output == "-") {
        std::fwrite(bytes->data(), 1, bytes->size(), stdout);
        return kFine;
    }
    if (const Status written = session::write_file_atomically(options.output, *bytes); !written.ok()) return complain(written.error(), {}, kUsage);
    return kFine;
}

} // namespace

void add_render(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    std::vector<std::string> colors, labels;
    for (const figure::ColorBy by : kColors) colors.push_back(color_word(by));
    for (const auto& [word, label] : kLabels) labels.emplace_back(word);
    CLI::App* command = app.add_subcommand("render", "Draw a layout as SVG, PNG or PDF");
    command->add_option("LAYOUT", options->layout, "Layout text in any notation, a file that holds one, or - for standard input")->required();
    command->add_option("-o,--output", options->output, "File to write; its ending chooses the format. Default: SVG on standard output");
    command->add_option("--format", options->format, "svg, png or pdf, where the file's name does not say")->check(CLI::IsMember({"svg", "png", "pdf"}));
    command->add_option("--part", options->part, "both, logical or physical")->check(CLI::IsMember({"both", "logical", "physical"}));
    command->add_option("--color", options->color, "Property that colours the cells")->check(CLI::IsMember(colors));
    command->add_option("--label", options->label, "What cells carry where they are large enough")->check(CLI::IsMember(labels));
    command->add_option("--element", options->element, "Light one element: a coordinate, an offset or a byte address");
    command->add_option("--axes", options->axes, "Names of the dimensions that run down and right")->expected(2);
    command->add_option("--fixed", options->fixed, "Where the other dimensions stand: one number for each dimension")->delimiter(',');
    command->add_option("--row-bytes", options->row_bytes, "Bytes in a row of the memory picture")->check(CLI::Range(1, 1 << 24));
    command->add_flag("--no-swizzle", options->no_swizzle, "Show the tile as if the swizzle were not there");
    command->add_flag("--patterns", options->patterns, "Patterns beside colours");
    command->add_option("--theme", options->theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    command->add_option("--width", options->width, "Points")->check(CLI::Range(320.0, 8192.0));
    command->add_option("--height", options->height, "Points; a picture with less to show is lower")->check(CLI::Range(240.0, 8192.0));
    command->add_option("--scale", options->scale, "PNG: pixels per point")->check(CLI::Range(0.25, 8.0));
    command->footer("Examples:\n"
                    "  layoutscope render 'nz(64, 64, f16)' --element 37,21 -o nz.png\n"
                    "  layoutscope render 'mma_shared(f16, 128B, (128, 64))' --part physical -o swizzle.svg\n"
                    "  layoutscope render 'S[(8, 4, 4):(4@laneid, 1@laneid, 1)] | f32 [8, 16]' --theme dark -o fragment.pdf");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace ls::cli
