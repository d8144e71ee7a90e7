// layoutscope ub export: AscendC source of a partition, with a program that checks it.
#include <filesystem>

#include <fmt/format.h>

#include "app/cli/ub_commands.h"
#include "core/codegen/ascendc/ascendc.h"
#include "core/session/document.h"

namespace ls::cli::ub {

namespace {

struct Options {
    ModelOptions model;
    ShapeOptions shape;
    std::string output, name;
    std::vector<std::int32_t> lens;
    double scale = 1;
    bool gamma = false;
};

Result<std::vector<codegen::AscendcFile>> export_kernel(const Options& o) {
    LS_TRY(const Shape shape, read_shape(o.shape));
    LS_TRY(const ls::ub::cgdr::HostPlan plan, ls::ub::cgdr::plan_host(shape.input));
    codegen::CgdrExportOptions options;
    options.seq_lens = o.lens;
    options.has_gamma = o.gamma;
    options.scale = static_cast<float>(o.scale);
    return codegen::export_cgdr(plan, options);
}

int run(const Options& o) {
    Input source;
    Result<std::vector<codegen::AscendcFile>> files = error("CLI_NOTHING", "nothing to export");
    if (o.model.given()) {
        int code = kFine;
        const auto loaded = load_model(o.model, o.shape, code);
        if (!loaded) return code;
        source = loaded->source;
        const std::string stem = std::filesystem::path(source.name).stem().string();
        files = codegen::export_model(loaded->model, !o.name.empty()                  ? o.name
                                                     : stem.empty() || stem[0] == '<' ? "model"
                                                                                      : stem);
    } else {
        files = export_kernel(o);
    }
    if (!files.ok()) return complain(files.error(), source, kFinding);
    if (o.output.empty()) {
        for (const codegen::AscendcFile& file : *files) fmt::print("// ---- {}\n{}", file.name, file.text);
        return kFine;
    }
    std::error_code failure;
    std::filesystem::create_directories(o.output, failure);
    for (const codegen::AscendcFile& file : *files) {
        const std::filesystem::path path = std::filesystem::path(o.output) / file.name;
        if (const Status written = session::write_file_atomically(path, file.text); !written.ok())
            return complain(written.error(), {}, kUsage);
        fmt::print("{}\n", path.string());
    }
    return kFine;
}

} // namespace

void add_export(CLI::App& app, int& exit_code) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "export", "AscendC source: partition, scheduler, host tiling, and a program that checks them");
    o->model.add_to(*command);
    o->shape.add_to(*command);
    command->add_option("-o,--output", o->output, "Folder to write to; without it everything is printed");
    command->add_option("--name", o->name, "Name of the exported class, for a model file");
    command->add_option("--lens", o->lens, "Rows of each batch, for the check program")->delimiter(',');
    command->add_option("--scale", o->scale, "scaleValue")->capture_default_str();
    command->add_flag("--gamma", o->gamma, "hasGamma");
    command->footer("Examples:\n"
                    "  layoutscope ub export -o out --dv 256 --lens 512,8\n"
                    "  layoutscope ub export resources/examples/ub_rows.json -o out --name MyKernel\n"
                    "  cd out && g++ -std=c++17 -DUB_EXPORT_STUB cgdr_check.cpp -o check && ./check");
    command->callback([o, &exit_code] { exit_code = run(*o); });
}

} // namespace ls::cli::ub
