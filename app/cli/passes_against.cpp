#include "app/cli/passes_against.h"

#include <filesystem>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "core/check/against_dumps.h"
#include "core/dialect/pypto/pypto.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/scene/diff.h"
#include "core/session/dump_directory.h"

namespace ls::cli {

namespace {

struct Row {
    std::size_t compared = 0, changing = 0, equal = 0, equal_changing = 0, differs = 0, refused = 0;
    std::size_t unsaid = 0; ///< of the equal ones: the dump does not say where some results lie
};

struct Finding {
    std::string dump, pass, where, why;
    bool refused = false;
};

void print_differing_lines(const std::string& ours, const std::string& real) {
    const auto left = scene::split_lines(ours);
    const auto right = scene::split_lines(real);
    for (const scene::DiffRow& row : scene::diff_text(ours, real).rows) {
        using Kind = scene::DiffRow::Kind;
        if (row.kind == Kind::Removed || row.kind == Kind::Changed) fmt::print("    ours {}\n", left[*row.left]);
        if (row.kind == Kind::Added || row.kind == Kind::Changed) fmt::print("    real {}\n", right[*row.right]);
    }
}

void print_table(const std::vector<const Pass*>& order, const std::map<const Pass*, Row>& rows) {
    fmt::print("  {:<28} {:>8}  {:>8}  {:>14}  {:>7}  {:>7}\n", "pass", "compared", "changing", "equal", "differs", "refused");
    std::size_t unsaid = 0;
    for (const Pass* pass : order) {
        const Row& r = rows.at(pass);
        fmt::print("  {:<28} {:>8}  {:>8}  {:>14}  {:>7}  {:>7}\n", pass->name, r.compared, r.changing,
                   fmt::format("{} ({} of {})", r.equal, r.equal_changing, r.changing), r.differs, r.refused);
        unsaid += r.unsaid;
    }
    if (unsaid > 0) {
        fmt::print("  {} of the equal ones are equal as far as a dump says: where results of several values lie is not printed\n", unsaid);
    }
}

/// The whole pipeline over each directory: how far our own states are the real ones.
int chain_against(const AgainstOptions& options, const std::vector<std::filesystem::path>& directories, const PassContext& context) {
    int exit_code = kFine;
    std::size_t whole = 0, last = 0;
    nlohmann::json out = nlohmann::json::array();
    if (!options.json) fmt::print("  {:<64} {:>7}  {:<5} {}\n", "program", "equal", "end", "first pass that differs");
    for (const auto& directory : directories) {
        const auto dumps = session::read_dump_directory(directory, nz::nz_pipeline());
        if (!dumps.ok()) {
            exit_code = complain(dumps.error(), {}, kFinding);
            continue;
        }
        const std::string program = std::filesystem::relative(directory, options.directory).string();
        const check::ChainComparison c = check::compare_chain(*dumps, nz::nz_pipeline(), context);
        whole += c.first_differing == nullptr ? 1 : 0;
        last += c.last_equal ? 1 : 0;
        if (c.first_differing != nullptr) exit_code = kFinding;
        const std::string why = c.difference                    ? fmt::format("{}: {}", c.difference->path, c.difference->why)
                                : c.first_differing == nullptr ? std::string()
                                                               : fmt::format("refused by {}: {}", c.ours.refused_by->name, c.ours.refusals.front().message);
        if (options.json) {
            out.push_back({{"dump", program}, {"compared", c.compared}, {"equal", c.equal}, {"last_equal", c.last_equal},
                           {"first_differing", c.first_differing != nullptr ? c.first_differing->name : ""}, {"why", why}});
            continue;
        }
        fmt::print("  {:<64} {:>7}  {:<5} {}\n", program, fmt::format("{}/{}", c.equal, c.compared), c.last_equal ? "equal" : "-",
                   c.first_differing != nullptr ? c.first_differing->name : "");
        if (!why.empty()) fmt::print("      {}\n", why);
    }
    if (options.json) {
        fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
        fmt::print("  {} of {} programs are equal after every pass, {} at the end\n", whole, directories.size(), last);
    }
    return exit_code;
}

} // namespace

int passes_against(const AgainstOptions& options, const PassContext& context) {
    const auto directories = session::find_dump_directories(options.directory);
    if (directories.empty()) {
        return complain(error("DUMP_EMPTY", fmt::format("there are no dumps below {}", options.directory),
                              "dumps are named 00_frontend.py and NN_after_PASS.py"), {}, kUsage);
    }
    if (options.chain) return chain_against(options, directories, context);
    std::map<const Pass*, Row> rows;
    std::vector<Finding> findings;
    int exit_code = kFine;
    for (const auto& directory : directories) {
        const auto dumps = session::read_dump_directory(directory, nz::nz_pipeline());
        const std::string name = std::filesystem::relative(directory, options.directory).string();
        if (!dumps.ok()) {
            exit_code = complain(dumps.error(), {}, kFinding);
            continue;
        }
        for (const check::PassComparison& c : check::compare_passes(*dumps, context)) {
            if (!options.pass.empty() && c.pass->name != options.pass) continue;
            Row& row = rows[c.pass];
            ++row.compared;
            row.changing += c.changes ? 1 : 0;
            if (c.agreement == check::Agreement::Equal) {
                ++row.equal;
                row.unsaid += c.allocations_unsaid ? 1 : 0;
                row.equal_changing += c.changes ? 1 : 0;
                continue;
            }
            exit_code = kFinding;
            const bool refused = c.agreement == check::Agreement::Refused;
            ++(refused ? row.refused : row.differs);
            Finding f{name, std::string(c.pass->name), {}, {}, refused};
            if (refused) {
                for (const Diagnostic& d : c.diagnostics) {
                    if (d.severity == Severity::Error && f.where.empty()) f.where = d.code, f.why = d.message;
                }
            } else {
                f.where = c.difference->path, f.why = c.difference->why;
            }
            if (!options.pass.empty() && !options.json) {
                fmt::print("{}: {} {}: {}\n", f.dump, refused ? "refused," : "differs at", f.where, f.why);
                if (!refused) print_differing_lines(pypto::print_text(*c.ours), pypto::print_text(*dumps->snapshots[c.snapshot].module));
            }
            findings.push_back(std::move(f));
        }
    }
    std::vector<const Pass*> order;
    for (const Pass& p : nz::nz_pipeline()) {
        if (rows.count(&p) != 0) order.push_back(&p);
    }
    if (options.json) {
        nlohmann::json out{{"dumps", directories.size()}, {"passes", nlohmann::json::array()}, {"findings", nlohmann::json::array()}};
        for (const Pass* p : order) {
            const Row& r = rows.at(p);
            out["passes"].push_back({{"pass", p->name}, {"compared", r.compared}, {"changing", r.changing}, {"equal", r.equal},
                                     {"equal_changing", r.equal_changing}, {"differs", r.differs}, {"refused", r.refused}, {"allocations_unsaid", r.unsaid}});
        }
        for (const Finding& f : findings) {
            out["findings"].push_back({{"dump", f.dump}, {"pass", f.pass}, {"refused", f.refused}, {"at", f.where}, {"why", f.why}});
        }
        fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
        return exit_code;
    }
    if (options.pass.empty()) {
        for (const Finding& f : findings) {
            fmt::print("  {:<24} {}  {}\n      {}{}: {}\n", f.pass, f.refused ? "refused" : "differs", f.dump, f.refused ? "" : "at ", f.where, f.why);
        }
    }
    print_table(order, rows);
    fmt::print("  {} directories of dumps\n", directories.size());
    return exit_code;
}

} // namespace ls::cli
