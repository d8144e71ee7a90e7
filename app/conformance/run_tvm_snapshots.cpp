#include "app/conformance/run_tvm_snapshots.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "core/check/tirx_moved.h"
#include "core/dialect/tirx/tirx.h"
#include "core/ir/equality.h"
#include "core/passes/pipeline.h"
#include "core/passes/pipelines.h"

namespace ls::conformance {

namespace {

struct Stage {
    int number = 0;
    std::filesystem::path path;
};

/// NN_Name.txt
std::optional<Stage> stage_of(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    Stage stage{0, path};
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), stage.number);
    const bool ok = error == std::errc() && end == name.data() + 2 && name.size() > 3 && name[2] == '_' &&
                    path.extension() == ".txt";
    return ok ? std::optional(stage) : std::nullopt;
}

std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string first_other_line(std::string_view ours, std::string_view theirs) {
    for (int line = 1;; ++line) {
        const std::string_view a = ours.substr(0, ours.find('\n')), b = theirs.substr(0, theirs.find('\n'));
        if (a != b) return fmt::format("line {}: ours \"{}\", theirs \"{}\"", line, a, b);
        if (a.size() >= ours.size() || b.size() >= theirs.size()) return "one text ends before the other";
        ours.remove_prefix(a.size() + 1);
        theirs.remove_prefix(b.size() + 1);
    }
}

Outcome compare(const Stage& from, const Stage& to) {
    std::vector<Pass> between;
    int last = from.number;
    for (const Pass& p : pipeline_of(ir::Dialect::Tirx)) {
        if (p.number <= from.number || p.number > to.number) continue;
        if (p.status == PassStatus::NotModelled) return skipped(fmt::format("{} is not done here", p.name));
        between.push_back(p);
        last = std::max(last, p.number);
    }
    if (last != to.number) return skipped("the passes before this snapshot are not done here");
    const std::string given = text_of(from.path), wanted = text_of(to.path);
    const Result<ir::Module> before = tirx::read(given);
    if (!before)
        return failed(fmt::format("{} does not read: {}", from.path.filename().string(), before.error().message));
    const Result<ir::Module> after = tirx::read(wanted);
    if (!after) return failed(fmt::format("{} does not read: {}", to.path.filename().string(), after.error().message));
    const Trace trace = run_pipeline(*before, between, {});
    if (!trace.ok())
        return failed(fmt::format("{} refused: {}", trace.refused_by->name, trace.refusals.front().message));
    const ir::Module& ours = trace.last().module;
    const std::string text = tirx::print_text(*ours);
    if (const auto difference = ir::first_difference(ours, *after)) {
        const bool done = std::any_of(between.begin(), between.end(),
                                      [](const Pass& p) { return p.status == PassStatus::Implemented; });
        if (!done) return skipped(fmt::format("{} changes what carries no layout", between.back().name));
        return failed(fmt::format("{}: {}; {}", difference->path, difference->why, first_other_line(text, wanted)));
    }
    Outcome outcome = passed();
    if (text != wanted) outcome.why = first_other_line(text, wanted);
    return outcome;
}

/// The reference's own snapshots run by our threads: between them nothing moves either.
Outcome nothing_moves(const std::vector<Stage>& stages) {
    Trace trace;
    for (const Stage& stage : stages) {
        const Result<ir::Module> module = tirx::read(text_of(stage.path));
        if (!module)
            return failed(fmt::format("{} does not read: {}", stage.path.filename().string(), module.error().message));
        trace.snapshots.push_back({nullptr, stage.path.stem().string(), *module, {}, {}, true, nullptr});
    }
    check::TirxComparison compared;
    if (const auto verdict = check::first_moved(trace, &compared)) return failed(verdict->finding.message);
    return compared.events != 0 ? passed() : skipped("no two snapshots can be run");
}

} // namespace

bool is_snapshot_folder(const std::filesystem::path& folder) {
    std::error_code failure;
    return std::filesystem::is_regular_file(folder / "00_input.txt", failure);
}

FileReport run_snapshot_folder(const std::filesystem::path& folder) {
    FileReport report;
    report.path = folder;
    report.form = "tvm/snapshots";
    std::vector<Stage> stages;
    std::error_code failure;
    for (auto it = std::filesystem::directory_iterator(folder, failure);
         !failure && it != std::filesystem::directory_iterator(); it.increment(failure)) {
        if (const auto stage = stage_of(it->path())) stages.push_back(*stage);
    }
    std::sort(stages.begin(), stages.end(), [](const Stage& a, const Stage& b) { return a.number < b.number; });
    for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
        report.cases.push_back({fmt::format("{}/{}", folder.filename().string(), stages[i + 1].path.stem().string()),
                                compare(stages[i], stages[i + 1])});
    }
    if (stages.size() > 1) {
        report.cases.push_back({fmt::format("{}/addresses", folder.filename().string()), nothing_moves(stages)});
    }
    // All passes at once, from the first snapshot that has none of theirs left out.
    for (const Stage& from : stages) {
        if (stages.size() < 3 || from.number >= stages[stages.size() - 2].number) break;
        Outcome whole = compare(from, stages.back());
        if (whole.kind == Outcome::Kind::Skipped) continue;
        report.cases.push_back({fmt::format("{}/{} to {}", folder.filename().string(), from.path.stem().string(),
                                            stages.back().path.stem().string()),
                                std::move(whole)});
        break;
    }
    return report;
}

} // namespace ls::conformance
