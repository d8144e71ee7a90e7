// layoutscope memory FILE: where the tiles of a program lie on chip, from when to when, and which of them clash.
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/program.h"
#include "app/cli/text_table.h"
#include "app/cli/ub_picture.h"
#include "core/analysis/tile_lifetimes.h"
#include "core/dialect/surface.h"
#include "core/figure/tile_memory.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/scene/table.h"
#include "core/session/dump_directory.h"
#include "core/support/dtype.h"
#include "views/paint/paint.h"

namespace ls::cli {

namespace {

struct Options {
    std::string file, at, function, chip = "a2a3";
    bool json = false, csv = false, used_only = false;
    ub::PictureOptions picture;
};

std::string shown_name(const TileBuffer& buffer) { return figure::short_tile_name(buffer.name()); }

std::string live_text(const std::vector<LiveTimes>& live) {
    std::string text;
    for (const LiveTimes& t : live) text += fmt::format("{}{}–{}", text.empty() ? "" : ", ", t.first_position(), t.last_position());
    return text;
}

std::string aliases_text(const TileBuffer& buffer) {
    std::string text;
    for (std::size_t i = 1; i < buffer.names.size(); ++i) {
        const TileName& n = buffer.names[i];
        const bool whole = n.begin_byte == buffer.names[0].begin_byte && n.bytes == buffer.names[0].bytes;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", figure::short_tile_name(n.var->name));
        if (!whole && n.begin_byte) text += fmt::format(" at {}+{}", *n.begin_byte, n.bytes);
    }
    return text;
}

/// One memory as a table.
class SpaceTable final : public scene::TableSource {
public:
    SpaceTable(const TileLifetimes& lifetimes, const SpaceUse& use) : lifetimes_(lifetimes), use_(use) {}

    const std::vector<scene::TableColumn>& columns() const override {
        static const std::vector<scene::TableColumn> titles{
            {"#", true, 4, "Number of the buffer, as in the picture"},
            {"tile", false, 20, "What it is called first"},
            {"dtype", false, 6, "Type of its elements"},
            {"shape", false, 12, "In elements"},
            {"address", true, 8, "First byte"},
            {"bytes", true, 8, "That it occupies"},
            {"live", false, 10, "Positions from which to which it is needed"},
            {"also named", false, 20, "Views, results written over it, carried values"},
        };
        return titles;
    }
    std::int64_t row_count() const override { return static_cast<std::int64_t>(use_.buffers.size()); }

    std::string text(std::int64_t row, std::size_t column) const override {
        const std::size_t index = use_.buffers[static_cast<std::size_t>(row)];
        const TileBuffer& b = lifetimes_.buffers[index];
        const auto& tile = *ir::as<ir::TileTypeNode>(b.var().type);
        const auto dims = ir::constant_dims(tile.shape);
        switch (column) {
        case 0: return fmt::format("{}", index);
        case 1: return shown_name(b);
        case 2: return std::string(info(tile.dtype).brief);
        case 3: return dims ? fmt::format("[{}]", fmt::join(*dims, ", ")) : "–";
        case 4: return b.begin_byte ? fmt::format("{}", *b.begin_byte) : "–";
        case 5: return fmt::format("{}", b.bytes);
        case 6: return live_text(b.live);
        default: return aliases_text(b);
        }
    }
    std::optional<scene::Cell> cell(std::int64_t) const override { return {}; }
    std::optional<std::int64_t> row_of(scene::Cell) const override { return {}; }

private:
    const TileLifetimes& lifetimes_;
    const SpaceUse& use_;
};

/// The module whose tiles are asked about: as it is when it has addresses, else after the passes that give them.
struct Chosen {
    ir::Module module;
    std::string snapshot;
    std::vector<Diagnostic> findings;
};

bool has_addresses(const ir::ModuleNode& module) {
    bool any = false;
    for (const ir::Function& f : module.functions) any = any || tile_lifetimes(*f).has_addresses;
    return any;
}

Result<Chosen> choose(const Options& options, const Input& input, const PassContext& context) {
    const bool dumps = session::is_dump_directory(options.file);
    if (!dumps && options.at.empty()) {
        auto read = dialect::read(input.text, input.name);
        if (!read.ok()) return std::move(read).error();
        if (has_addresses(**read) || (*read)->dialect != ir::Dialect::Pypto) return Chosen{*read, "as read", {}};
    }
    const auto trace = dumps ? session::read_dump_directory(options.file, nz::nz_pipeline()) : run_program(input, context);
    if (!trace.ok()) return trace.error();
    const std::string wanted = options.at.empty() ? "AllocateMemoryAddr" : options.at;
    const Snapshot* snapshot = trace->after(wanted);
    if (snapshot == nullptr && options.at.empty() && !trace->ok()) {
        // What did not fit is what is asked about: show it with the lifetimes alone.
        return Chosen{trace->last().module, trace->last().name, findings(*trace)};
    }
    if (snapshot == nullptr) {
        std::string names;
        for (const Snapshot& s : trace->snapshots) names += (names.empty() ? "" : ", ") + s.name;
        return error("CLI_PASS", fmt::format("there is no snapshot after {}", wanted), "the snapshots are " + names);
    }
    return Chosen{snapshot->module, snapshot->name, findings(*trace)};
}

nlohmann::json times_json(const TileLifetimes& lifetimes, const std::vector<LiveTimes>& live) {
    nlohmann::json all = nlohmann::json::array();
    for (const LiveTimes& t : live) {
        all.push_back({{"from", t.first_position()}, {"to", t.last_position()}, {"from_write", t.first % 2 != 0}, {"to_read", t.last % 2 == 0},
                       {"from_what", lifetimes.positions[t.first_position()].what}, {"to_what", lifetimes.positions[t.last_position()].what}});
    }
    return all;
}

nlohmann::json function_json(const TileLifetimes& lifetimes, const Hardware& hardware) {
    nlohmann::json out{{"function", lifetimes.function}, {"positions", nlohmann::json::array()}, {"spaces", nlohmann::json::array()}, {"conflicts", nlohmann::json::array()}};
    for (const TilePosition& p : lifetimes.positions) out["positions"].push_back({{"what", p.what}, {"subject", p.subject}, {"depth", p.depth}});
    for (const SpaceUse& use : lifetimes.spaces) {
        nlohmann::json space{{"space", ir::name(use.space)}, {"high_water_bytes", use.high_water_bytes}, {"peak_live_bytes", use.peak_live_bytes}, {"peak_position", use.peak_position},
                             {"without_address", use.without_address}, {"live_bytes", use.live_bytes}, {"buffers", nlohmann::json::array()}};
        if (const auto capacity = hardware.capacity_bytes(use.space)) {
            space["capacity_bytes"] = *capacity;
            space["fits"] = use.high_water_bytes <= *capacity;
        }
        for (const std::size_t i : use.buffers) {
            const TileBuffer& b = lifetimes.buffers[i];
            nlohmann::json buffer{{"index", i}, {"bytes", b.bytes}, {"live", times_json(lifetimes, b.live)}, {"names", nlohmann::json::array()}};
            if (b.begin_byte) buffer["address"] = *b.begin_byte;
            for (const TileName& n : b.names) {
                nlohmann::json name{{"name", n.var->name}, {"bytes", n.bytes}, {"type", figure::tile_shape_text(*n.var)}, {"live", times_json(lifetimes, n.live)}};
                if (n.begin_byte) name["address"] = *n.begin_byte;
                buffer["names"].push_back(std::move(name));
            }
            space["buffers"].push_back(std::move(buffer));
        }
        out["spaces"].push_back(std::move(space));
    }
    for (const TileConflict& c : lifetimes.conflicts) {
        out["conflicts"].push_back({{"first", c.first_name}, {"second", c.second_name}, {"space", ir::name(lifetimes.buffers[c.first].space)}, {"begin_byte", c.begin_byte},
                                    {"end_byte", c.end_byte}, {"from", c.times.first_position()}, {"to", c.times.last_position()}});
    }
    return out;
}

/// What is wrong in one function; the sentences of the table.
int print_function(const TileLifetimes& lifetimes, const Hardware& hardware, bool csv) {
    int exit_code = kFine;
    if (!csv) fmt::print("{}: {} buffers, {} positions\n", lifetimes.function, lifetimes.buffers.size(), lifetimes.positions.size());
    for (const SpaceUse& use : lifetimes.spaces) {
        const SpaceTable table(lifetimes, use);
        if (csv) {
            fmt::print("{}", csv_table(table));
            continue;
        }
        const auto capacity = hardware.capacity_bytes(use.space);
        fmt::print("\n{}: {} of {} B used, {} B live at the peak (position {}, {})\n", ir::name(use.space), use.high_water_bytes,
                   capacity ? fmt::format("{}", *capacity) : "?", use.peak_live_bytes, use.peak_position, lifetimes.positions[use.peak_position].what);
        fmt::print("{}", text_table(table));
        if (capacity && use.high_water_bytes > *capacity) {
            fmt::print("  ✗ {} B more than {} has\n", use.high_water_bytes - *capacity, hardware.id);
            exit_code = kFinding;
        }
        if (use.without_address > 0) fmt::print("  {} without a constant address\n", use.without_address);
    }
    for (const TileConflict& c : lifetimes.conflicts) {
        exit_code = kFinding;
        if (csv) continue;
        fmt::print("\n✗ {} and {} have {} bytes {}–{} in common and are both live from position {} ({}) to {} ({})\n", c.first_name, c.second_name,
                   ir::name(lifetimes.buffers[c.first].space), c.begin_byte, c.end_byte - 1, c.times.first_position(), lifetimes.positions[c.times.first_position()].what,
                   c.times.last_position(), lifetimes.positions[c.times.last_position()].what);
    }
    if (!csv && !lifetimes.has_addresses && !lifetimes.buffers.empty()) fmt::print("\nBuffers have no addresses yet, so that conflicts cannot be told.\n");
    return exit_code;
}

int run(const Options& options) {
    const auto context = pass_context({options.chip, 61});
    if (!context.ok()) return complain(context.error(), {}, kUsage);
    const bool dumps = session::is_dump_directory(options.file);
    auto input = dumps ? Result<Input>(Input{"", options.file}) : read_input(options.file, true);
    if (!input.ok()) return complain(input.error(), {options.file, ""}, kUsage);
    auto chosen = choose(options, *input, *context);
    if (!chosen.ok()) return complain(chosen.error(), *input, chosen.error().code == "CLI_PASS" ? kUsage : kFinding);

    int exit_code = kFine;
    for (const Diagnostic& finding : chosen->findings) {
        complain(finding, *input, kFinding);
        if (finding.severity == Severity::Error) exit_code = kFinding;
    }
    std::vector<TileLifetimes> functions;
    for (const ir::Function& f : chosen->module->functions) {
        if (!options.function.empty() && f->name != options.function) continue;
        TileLifetimes one = tile_lifetimes(*f);
        if (!one.buffers.empty()) functions.push_back(std::move(one));
    }
    if (functions.empty()) {
        return complain(error("CLI_NO_TILES", options.function.empty() ? "no function of the program has tiles" : fmt::format("no function {} with tiles", options.function),
                              "name a program with kernels; a kernel written with tensors gets its tiles in ConvertTensorToTileOps"),
                        *input, kUsage);
    }
    const Hardware& hardware = *context->hardware;
    nlohmann::json json{{"snapshot", chosen->snapshot}, {"chip", hardware.id}, {"functions", nlohmann::json::array()}};
    for (const TileLifetimes& f : functions) {
        if (options.json) {
            json["functions"].push_back(function_json(f, hardware));
            if (!f.conflicts.empty()) exit_code = kFinding;
        } else {
            if (&f != &functions.front() && !options.csv) fmt::print("\n");
            exit_code = std::max(exit_code, print_function(f, hardware, options.csv));
        }
    }
    if (options.json) fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    if (options.picture.wanted()) {
        figure::TileMemoryOptions drawing;
        drawing.width = options.picture.width;
        drawing.used_only = options.used_only;
        const auto picture = figure::tile_memory_picture(functions, hardware, drawing, *paint::text_measure());
        if (const int code = ub::write_pictures(picture, options.picture); code != kFine) return code;
    }
    return exit_code;
}

} // namespace

void add_memory(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("memory", "Show where tiles lie on chip, from when to when, and which of them clash");
    command->add_option("FILE", options->file, "A program (pypto or PTO text), a directory of pass dumps, or - for standard input")->required();
    command->add_option("--at", options->at, "Look at the program after this pass instead of after AllocateMemoryAddr");
    command->add_option("--function", options->function, "Only this function");
    command->add_option("--chip", options->chip, "a2a3 (910B, 910C) or a5 (950)")->check(CLI::IsMember({"a2a3", "a5"}));
    command->add_flag("--json", options->json, "Print positions, buffers, names, lifetimes and conflicts as JSON");
    command->add_flag("--csv", options->csv, "Print the tables as CSV");
    command->add_flag("--used", options->used_only, "Let the picture's scale end with what is used instead of with the capacity");
    options->picture.add_to(*command);
    command->footer("Examples:\n"
                    "  layoutscope memory resources/examples/nz_slice.py\n"
                    "  layoutscope memory resources/examples/nz_slice.py --chip a5 --json\n"
                    "  layoutscope memory build_output/passes_dump --png memory.png");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace ls::cli
