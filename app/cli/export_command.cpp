// layoutscope export FILE --target T: kernel source of a program.
#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/program.h"
#include "core/codegen/export.h"
#include "core/dialect/surface.h"
#include "core/passes/export_options.h"
#include "core/session/document.h"

namespace ls::cli {

namespace {

struct Options {
    std::string file, target, output, function, chip = "a2a3", arch, after;
    int ptoas_minor = 61;
    bool as_is = false;
};

/// The program to export: what the passes make of it, or what stands in the file.
Result<Trace> prepare(const Input& input, const PassContext& context, bool as_is) {
    if (!as_is) return run_program(input, context);
    LS_TRY(const ir::Module module, dialect::read(input.text, input.name));
    return run_pipeline(module, {}, context);
}

int run(const Options& options) {
    auto input = read_input(options.file, true);
    if (!input.ok()) return complain(input.error(), {options.file, ""}, kUsage);
    const auto context = pass_context({options.chip, options.ptoas_minor});
    if (!context.ok()) return complain(context.error(), {}, kUsage);
    const auto program = prepare(*input, *context, options.as_is);
    if (!program.ok()) return complain(program.error(), *input, kFinding);
    int exit_code = kFine;
    for (const Diagnostic& finding : findings(*program)) {
        complain(finding, *input, kFinding);
        if (finding.severity == Severity::Error) exit_code = kFinding;
    }
    if (exit_code != kFine) return exit_code;

    const ir::Dialect dialect = program->last().module->dialect;
    const codegen::Target* target = codegen::find_target(!options.target.empty() ? options.target : dialect == ir::Dialect::Tirx ? "cuda" : "pto");
    codegen::ExportOptions wanted = export_options(*context, *program, options.function);
    if (!options.arch.empty()) wanted.chip = options.arch;
    const auto exported = target->run(program->last().module, wanted);
    if (!exported.ok()) return complain(exported.error(), *input, kFinding);
    for (const Diagnostic& finding : exported->diagnostics) complain(finding, *input, kFine);
    const auto& files = exported->files;
    if (options.output.empty()) {
        fmt::print("{}", files.front().text);
        std::fflush(stdout); // so that what is said about the text stands after it
        for (std::size_t i = 1; i < files.size(); ++i) fmt::print(stderr, "{} is written beside it with -o\n", files[i].name);
        return kFine;
    }
    // A folder takes every file under its own name; a file name is the kernel's, and the others go beside it.
    std::error_code failure;
    const std::filesystem::path output(options.output);
    const bool folder = std::filesystem::is_directory(output, failure) || !output.has_filename() || (files.size() > 1 && !output.has_extension());
    const std::filesystem::path parent = folder ? output : output.parent_path();
    if (folder) std::filesystem::create_directories(parent, failure); // a misspelt path of a file is not made
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::filesystem::path path = i == 0 && !folder ? output : parent / files[i].name;
        if (const Status written = session::write_file_atomically(path, files[i].text); !written.ok()) return complain(written.error(), {}, kUsage);
        fmt::print("{}\n", path.string());
    }
    return kFine;
}

} // namespace

void add_export(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    std::vector<std::string> ids;
    std::string about = "Examples:\n"
                        "  layoutscope export resources/examples/nz_slice.py --target pto\n"
                        "  layoutscope export resources/examples/nz_slice.py --target pto-isa\n"
                        "  layoutscope export resources/examples/tirx_gemm.py --target cuda --arch sm_100a -o out\n\nTargets:\n";
    for (const auto& target : codegen::targets()) {
        ids.emplace_back(target.id);
        about += fmt::format("  {:<9} {}: {}\n", target.id, target.title, target.about);
    }
    CLI::App* command = app.add_subcommand("export", "Export kernel source of a program");
    command->add_option("FILE", options->file, "A program (pypto, PTO or TIRx text), or - for standard input")->required();
    command->add_option("-t,--target", options->target, "What to write; default: pto, for a TIRx program cuda")->check(CLI::IsMember(ids));
    command->add_option("-o,--output", options->output, "File or folder to write; default: standard output");
    command->add_option("--function", options->function, "Only this function");
    command->add_option("--chip", options->chip, "a2a3 (910B, 910C) or a5 (950)")->check(CLI::IsMember({"a2a3", "a5"}));
    command->add_option("--arch", options->arch, "For cuda: sm_100a, sm_90a, ... instead of the program's own")->check([](const std::string& text) {
        return text.starts_with("sm_") && text.size() < 12 ? std::string() : std::string("an architecture is written sm_100a");
    });
    command->add_option("--ptoas", options->ptoas_minor, "PTOAS version 0.N that the text is for")->check(CLI::Range(1, 999));
    command->add_flag("--as-is", options->as_is, "Export the program as it stands, without running passes: the last file of a dump");
    command->footer(about);
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace ls::cli
