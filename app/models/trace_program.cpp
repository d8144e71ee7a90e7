// From program text to the trace that the Passes view shows.
#include "app/models/trace_data.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "app/models/trace_page.h"
#include "core/check/mends.h"
#include "core/codegen/export.h"
#include "core/dialect/surface.h"
#include "core/figure/proof_figure.h"
#include "core/figure/transfer_figure.h"
#include "core/passes/export_options.h"
#include "core/passes/pipeline.h"
#include "core/passes/pipelines.h"
#include "core/session/dump_directory.h"

namespace ls::models {

namespace {

using State = TracePass::State;

/// Refusals whose mends are looked for: each costs a run of the passes for every edit that is tried.
constexpr std::size_t kMostMended = 16;

std::string changed_lines_note(const std::string& before, const std::string& after) {
    std::unordered_multiset<std::string_view> old;
    for (const std::string_view line : lines_of(before)) old.insert(line);
    std::size_t fresh = 0;
    for (const std::string_view line : lines_of(after)) {
        if (const auto found = old.find(line); found != old.end())
            old.erase(found);
        else
            ++fresh;
    }
    const std::size_t count = std::max(fresh, old.size());
    return count == 0 ? "same text" : fmt::format("{} {}", count, count == 1 ? "line" : "lines");
}

std::vector<int> access_lines(const TracePage& page, const TraceAccesses& accesses, int snapshot) {
    std::vector<int> list;
    for (const ir::Node* node : page.lines) list.push_back(node == nullptr ? -1 : accesses.access_of(snapshot, node));
    return list;
}

TracePass described(const Pass& pass) {
    TracePass one;
    one.number = pass.number;
    one.name = pass.name;
    one.about = pass.about;
    one.text = std::make_shared<const std::string>();
    return one;
}

std::vector<KernelSource> export_all(const Trace& trace, const PassContext& context, const TracePage& page) {
    std::vector<KernelSource> sources;
    const ir::Module& module = trace.last().module;
    const codegen::ExportOptions options = export_options(context, trace);
    for (const codegen::Target& target : codegen::targets()) {
        if (!codegen::fits(target, module->dialect)) continue;
        if (!codegen::fits(target, module->dialect)) continue;
        KernelSource source;
        source.title = target.title;
        source.language = target.language == "mlir" ? "pto" : target.language == "cuda" ? "cpp" : std::string(target.language);
        auto exported = target.run(module, options);
        if (!exported.ok()) {
            source.diagnostics.push_back(std::move(exported).error());
            sources.push_back(std::move(source));
            continue;
        }
        for (codegen::SourceFile& file : exported->files) {
            KernelSource one = source;
            one.file = std::move(file.name);
            one.text = std::move(file.text);
            one.diagnostics = exported->diagnostics;
            for (const auto& node : file.lines) {
                const auto found =
                    node ? std::find(page.lines.begin(), page.lines.end(), node.get()) : page.lines.end();
                one.lines.push_back(found == page.lines.end() ? 0 : static_cast<int>(found - page.lines.begin()) + 1);
            }
            sources.push_back(std::move(one));
        }
    }
    return sources;
}

/// A hint at the place in the pipeline, for the progress.
std::string name_at(std::span<const Pass> passes, int index) {
    const auto at = static_cast<std::size_t>(index);
    return at < passes.size() ? std::string(passes[at].name) : std::string();
}

/// Everything of a trace that the view shows, exports apart.
void show_trace(TraceData& data, const std::shared_ptr<const Trace>& trace, const std::string& text,
                const check::Rerun& rerun, std::shared_ptr<TracePage>& page) {
    data.accesses = TraceAccesses(trace);
    data.pictures = TracePictures(trace);
    data.snapshots = static_cast<int>(trace->snapshots.size());
    for (std::size_t s = 0; s < trace->snapshots.size(); ++s) {
        const Snapshot& snapshot = trace->snapshots[s];
        TracePass one = snapshot.pass != nullptr ? described(*snapshot.pass) : TracePass{};
        one.name = snapshot.name;
        if (s == 0) one.about = "The program as it was read.";
        const std::shared_ptr<TracePage> before = page;
        if (!page || snapshot.changed) page = std::make_shared<TracePage>(*snapshot.module);
        one.text = page->text;
        one.state = s == 0 || snapshot.changed ? State::Changed : State::Same;
        if (s > 0 && snapshot.changed) one.note = changed_lines_note(*before->text, *page->text);
        one.diagnostics = placed(snapshot.diagnostics, *page, text);
        one.proofs = figure::coordinate_proofs(snapshot.proofs, text);
        one.line_access = access_lines(*page, data.accesses, static_cast<int>(s));
        data.passes.push_back(std::move(one));
    }
    if (trace->ok()) return;
    TracePass refused = described(*trace->refused_by);
    refused.state = State::Refused;
    refused.text = page->text;
    refused.diagnostics = placed(trace->refusals, *page, text);
    refused.proofs = figure::coordinate_proofs(trace->refused_proofs, text);
    const auto errors = std::count_if(refused.diagnostics.begin(), refused.diagnostics.end(),
                                      [](const Diagnostic& one) { return one.severity == Severity::Error; });
    refused.note = errors == 1 ? "refused" : fmt::format("{} refusals", errors);
    refused.line_access = access_lines(*page, data.accesses, data.snapshots - 1);
    for (std::size_t i = 0; i < std::min(trace->refusals.size(), kMostMended); ++i)
        refused.mends.push_back(check::propose_mends(text, *trace, i, rerun));
    for (const ProofRecord& record : trace->refused_proofs) {
        data.clamped = figure::clamped_window(record, *trace->last().module);
        if (data.clamped) break;
    }
    data.passes.push_back(std::move(refused));
}

PassContext context_for(const TraceOptions& options) {
    PassContext context;
    if (const Hardware* hardware = find_hardware(options.chip)) context.hardware = hardware;
    context.ptoas.minor = options.ptoas_minor;
    return context;
}

} // namespace

std::vector<TraceChip> trace_chips() {
    std::vector<TraceChip> chips;
    for (const Hardware& one : all_hardware()) {
        // The last of its names is the one it is sold under: "Ascend910B".
        std::string title = one.names.empty() ? one.id : one.names.back();
        constexpr std::string_view family = "Ascend";
        if (title.starts_with(family)) title.insert(family.size(), " ");
        chips.push_back({one.id, fmt::format("{} ({})", title, one.id)});
    }
    return chips;
}

TraceData trace_program(const std::string& text, const TraceOptions& options, const TraceProgress& progress) {
    TraceData data;
    std::shared_ptr<TracePage> page;
    if (!options.dump_directory.empty()) {
        auto read = session::read_dump_directory(options.dump_directory, pipeline_of(ir::Dialect::Pypto));
        if (!read.ok()) {
            data.reading.push_back(std::move(read).error());
            return data;
        }
        show_trace(data, std::make_shared<const Trace>(std::move(*read)), text, {}, page);
        return data;
    }
    dialect::ReadResult read = dialect::read_all(text, options.file_name);
    data.reading = std::move(read.diagnostics);
    if (!read.ok()) return data;
    data.dialect = dialect::surface_of(read.module->dialect).id;
    data.language = dialect::surface_of(read.module->dialect).language;

    const PassContext context = context_for(options);
    const std::span<const Pass> pipeline = pipeline_of(read.module->dialect);
    int done = 0;
    const auto cancelled = [&] {
        const bool go_on = !progress || progress(done, static_cast<int>(pipeline.size()), name_at(pipeline, done));
        ++done;
        return !go_on;
    };
    const auto trace = std::make_shared<const Trace>(run_pipeline(read.module, pipeline, context, cancelled));
    // An edit is tried as far as the pass that refused: what comes behind it cannot mend it.
    const std::span<const Pass> tried = pipeline.first(std::min(trace->snapshots.size(), pipeline.size()));
    const check::Rerun rerun = [&](const std::string& edited) -> std::optional<Trace> {
        const bool go_on = !progress || progress(done, static_cast<int>(pipeline.size()), "mends");
        const dialect::ReadResult again = go_on ? dialect::read_all(edited, options.file_name) : dialect::ReadResult{};
        if (!again.ok()) return std::nullopt;
        return run_pipeline(again.module, tried, context);
    };
    show_trace(data, trace, text, rerun, page);
    if (!trace->ok()) {
        for (std::size_t i = data.passes.size() - 1; i < pipeline.size(); ++i) {
            TracePass later = described(pipeline[i]);
            later.state = State::NotRun;
            data.passes.push_back(std::move(later));
        }
    } else if (data.passes.size() == pipeline.size() + 1) {
        data.kernels = export_all(*trace, context, *page);
    }
    return data;
}

} // namespace ls::models
