// From program text to the trace that the Passes view shows.
#include "app/models/trace_data.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "app/models/wrapped_text.h"
#include "core/codegen/export.h"
#include "core/dialect/surface.h"
#include "core/passes/export_options.h"
#include "core/passes/pipeline.h"
#include "core/passes/pipelines.h"

namespace ls::models {

namespace {

using State = TracePass::State;

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (true) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return lines;
        text.remove_prefix(end + 1);
    }
}

/// A snapshot as text, long lines broken, with what its lines stand for.
struct Page {
    std::vector<const ir::Node*> lines;
    std::shared_ptr<const std::string> text;

    explicit Page(const ir::ModuleNode& module) {
        const dialect::Printed printed = dialect::print(module);
        WrappedText wrapped(printed.text);
        for (const std::size_t line : wrapped.source_lines())
            lines.push_back(line < printed.lines.size() ? printed.lines[line] : nullptr);
        text = std::make_shared<const std::string>(wrapped.text());
    }
};

/// Where `words` stand in `line` as words of their own, not inside longer ones; npos when they do not.
std::size_t find_words(std::string_view line, std::string_view words) {
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (words.empty()) return std::string_view::npos;
    for (std::size_t at = line.find(words); at != std::string_view::npos; at = line.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        const bool runs_on = (at > 0 && in_word(line[at - 1]) && in_word(words.front())) ||
                             (end < line.size() && in_word(line[end]) && in_word(words.back()));
        if (!runs_on) return at;
    }
    return std::string_view::npos;
}

/// The spans of a finding are positions in the source. Where they stand in a snapshot: the line of the innermost
/// statement that came from there, and in it the very words if they are still written so.
Span place_in(const Page& page, std::string_view source, const Span& span) {
    if (span.empty() && span.begin == 0) return {};
    const std::string_view words = source.substr(std::min(span.begin, source.size()), span.end - span.begin);
    const auto lines = lines_of(*page.text);
    std::size_t best = lines.size();
    std::size_t best_length = static_cast<std::size_t>(-1);
    bool best_says = false;
    for (std::size_t i = 0; i < page.lines.size() && i < lines.size(); ++i) {
        for (const ir::Node* node = page.lines[i]; node != nullptr; node = node->origin.get()) {
            if (node->span.empty() || node->span.begin > span.begin || node->span.end < span.end) continue;
            const std::size_t length = node->span.end - node->span.begin;
            // Of the several lines of one statement the one that has the words.
            const bool says = find_words(lines[i], words) != std::string_view::npos;
            if (length < best_length || (length == best_length && says && !best_says)) {
                best = i;
                best_length = length;
                best_says = says;
            }
            break;
        }
    }
    if (best == lines.size()) return {};
    const auto begin = static_cast<std::size_t>(lines[best].data() - page.text->data());
    if (best_says) {
        const std::size_t at = find_words(lines[best], words);
        return {begin + at, begin + at + words.size()};
    }
    const std::size_t indent = std::min(lines[best].find_first_not_of(' '), lines[best].size());
    return {begin + indent, begin + lines[best].size()};
}

std::vector<Diagnostic> placed(std::vector<Diagnostic> diagnostics, const Page& page, std::string_view source) {
    for (Diagnostic& one : diagnostics) {
        one.span = place_in(page, source, one.span);
        for (Diagnostic& note : one.notes) note.span = place_in(page, source, note.span);
    }
    return diagnostics;
}

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

std::vector<int> access_lines(const Page& page, const TraceAccesses& accesses, int snapshot) {
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

std::vector<KernelSource> export_all(const ir::Module& module, const PassContext& context, const Page& page) {
    std::vector<KernelSource> sources;
    const codegen::ExportOptions options = export_options(context);
    for (const codegen::Target& target : codegen::targets()) {
        KernelSource source;
        source.title = target.title;
        source.language = target.language == "mlir" ? "pto" : std::string(target.language);
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

} // namespace

TraceData trace_program(const std::string& text, const TraceProgress& progress) {
    TraceData data;
    dialect::ReadResult read = dialect::read_all(text);
    data.reading = std::move(read.diagnostics);
    if (!read.ok()) return data;
    data.language = dialect::surface_of(read.module->dialect).language;

    const PassContext context;
    const std::span<const Pass> pipeline = pipeline_of(read.module->dialect);
    int done = 0;
    const auto cancelled = [&] {
        const std::string what = done < static_cast<int>(pipeline.size())
                                     ? std::string(pipeline[static_cast<std::size_t>(done)].name)
                                     : std::string();
        const bool go_on = !progress || progress(done, static_cast<int>(pipeline.size()), what);
        ++done;
        return !go_on;
    };
    auto trace = std::make_shared<const Trace>(run_pipeline(read.module, pipeline, context, cancelled));
    data.accesses = TraceAccesses(trace);
    data.snapshots = static_cast<int>(trace->snapshots.size());

    std::shared_ptr<Page> page;
    for (std::size_t s = 0; s < trace->snapshots.size(); ++s) {
        const Snapshot& snapshot = trace->snapshots[s];
        TracePass one = snapshot.pass != nullptr ? described(*snapshot.pass) : TracePass{};
        if (snapshot.pass == nullptr) {
            one.name = "source";
            one.about = "The program as it was read.";
        }
        const std::shared_ptr<Page> before = page;
        if (!page || snapshot.changed) page = std::make_shared<Page>(*snapshot.module);
        one.text = page->text;
        one.state = s == 0 || snapshot.changed ? State::Changed : State::Same;
        if (s > 0 && snapshot.changed) one.note = changed_lines_note(*before->text, *page->text);
        one.diagnostics = placed(snapshot.diagnostics, *page, text);
        one.line_access = access_lines(*page, data.accesses, static_cast<int>(s));
        data.passes.push_back(std::move(one));
    }
    if (!trace->ok()) {
        TracePass refused = described(*trace->refused_by);
        refused.state = State::Refused;
        refused.text = page->text;
        refused.diagnostics = placed(trace->refusals, *page, text);
        const auto errors = std::count_if(refused.diagnostics.begin(), refused.diagnostics.end(),
                                          [](const Diagnostic& one) { return one.severity == Severity::Error; });
        refused.note = errors == 1 ? "refused" : fmt::format("{} refusals", errors);
        refused.line_access = access_lines(*page, data.accesses, data.snapshots - 1);
        data.passes.push_back(std::move(refused));
        for (std::size_t i = data.passes.size() - 1; i < pipeline.size(); ++i) {
            TracePass later = described(pipeline[i]);
            later.state = State::NotRun;
            data.passes.push_back(std::move(later));
        }
    } else if (data.passes.size() == pipeline.size() + 1) {
        data.kernels = export_all(trace->last().module, context, *page);
    }
    return data;
}

} // namespace ls::models
