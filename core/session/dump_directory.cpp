#include "core/session/dump_directory.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "core/dialect/pypto/pypto.h"
#include "core/passes/match_statements.h"
#include "core/session/document.h"

namespace ls::session {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxLogLines = 200;
constexpr int kMaxFolders = 8; ///< levels below the folder that is searched

struct DumpFile {
    int number = 0;
    std::string pass; ///< empty for the program as it was read
    fs::path path;
};

/// "00_frontend.py", "05_after_Simplify.py"; nothing for other files.
std::optional<DumpFile> dump_file(const fs::path& path) {
    if (path.extension() != ".py") return {};
    const std::string stem = path.stem().string();
    const std::size_t digits = stem.find_first_not_of("0123456789");
    if (digits == 0 || digits > 4 || digits == std::string::npos) return {};
    const std::string_view rest = std::string_view(stem).substr(digits);
    constexpr std::string_view kAfter = "_after_";
    DumpFile file{std::stoi(stem.substr(0, digits)), {}, path};
    if (rest == "_frontend") return file;
    if (rest.substr(0, kAfter.size()) != kAfter || rest.size() == kAfter.size()) return {};
    file.pass = rest.substr(kAfter.size());
    return file;
}

std::vector<DumpFile> dump_files(const fs::path& directory) {
    std::vector<DumpFile> files;
    std::error_code failure;
    for (fs::directory_iterator at(directory, failure), end; !failure && at != end; at.increment(failure)) {
        if (auto file = dump_file(at->path())) files.push_back(std::move(*file));
    }
    std::sort(files.begin(), files.end(),
              [](const DumpFile& a, const DumpFile& b) { return std::tie(a.number, a.path) < std::tie(b.number, b.path); });
    return files;
}

fs::path dumps_in(const fs::path& directory) {
    std::error_code failure;
    return fs::is_directory(directory / "passes_dump", failure) ? directory / "passes_dump" : directory;
}

/// A row for a pass that no pipeline here knows. Traces point to their passes for as long as they live, so it is kept.
const Pass* unknown_pass(const std::string& name, int number) {
    struct Named {
        std::string name;
        Pass pass;
    };
    static std::mutex lock;
    static std::deque<Named> known; // a deque: rows do not move when others are added
    const std::lock_guard hold(lock);
    for (const Named& n : known) {
        if (n.name == name && n.pass.number == number) return &n.pass;
    }
    Named& fresh = known.emplace_back(Named{name, {}});
    fresh.pass = {fresh.name, number, PassStatus::NotModelled, "A pass of the dump that is not in the pipeline here."};
    return &fresh.pass;
}

/// A pass that runs twice has two rows, of which a dump behind the first one's means the second: `from` is the row behind
/// the last one that was found, and moves on.
const Pass* pass_named(const std::string& name, int number, std::span<const Pass> passes, std::size_t& from) {
    for (const std::size_t begin : {from, std::size_t{0}}) {
        for (std::size_t i = begin; i < passes.size(); ++i) {
            if (passes[i].name != name) continue;
            from = i + 1;
            return &passes[i];
        }
    }
    return unknown_pass(name, number);
}

std::vector<Diagnostic> log_notes(const fs::path& dump) {
    std::vector<Diagnostic> notes;
    fs::path log = dump;
    log.replace_extension(".log");
    std::error_code failure;
    if (!fs::is_regular_file(log, failure)) return notes;
    const auto text = read_file(log);
    if (!text.ok()) return {text.error()};
    for (std::size_t at = 0; at < text->size() && notes.size() < kMaxLogLines;) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        std::string line = text->substr(at, end - at);
        if (line.find_first_not_of(" \t\r") != std::string::npos) {
            notes.push_back({"DUMP_LOG", Severity::Note, {}, std::move(line), {}, {}});
        }
        at = end + 1;
    }
    return notes;
}

Result<std::vector<DumpFile>> files_of(const fs::path& directory) {
    std::vector<DumpFile> files = dump_files(dumps_in(directory));
    if (!files.empty()) return files;
    return error("DUMP_EMPTY", fmt::format("{} holds no dumps", directory.string()),
                 "dumps are named 00_frontend.py and NN_after_PASS.py");
}

} // namespace

bool is_dump_directory(const fs::path& directory) {
    std::error_code failure;
    return fs::is_directory(directory, failure) && !dump_files(dumps_in(directory)).empty();
}

Result<std::string> read_dump_source(const fs::path& directory) {
    LS_TRY(const std::vector<DumpFile> files, files_of(directory));
    return read_file(files.front().path);
}

Result<Trace> read_dump_directory(const fs::path& directory, std::span<const Pass> passes) {
    LS_TRY(const std::vector<DumpFile> files, files_of(directory));
    Trace trace;
    std::string text_before;
    std::size_t next_row = 0;
    for (const DumpFile& file : files) {
        LS_TRY(std::string text, read_file(file.path));
        Snapshot next;
        next.pass = file.pass.empty() ? nullptr : pass_named(file.pass, file.number, passes, next_row);
        next.name = file.pass.empty() ? "source" : file.pass;
        if (!trace.snapshots.empty() && text == text_before) {
            next.module = trace.last().module;
        } else {
            auto module = pypto::read(text);
            if (!module.ok()) {
                const auto [line, column] = line_column(text, module.error().span.begin);
                return error("DUMP_FILE", fmt::format("{}:{}:{}: {}", file.path.string(), line, column, module.error().message),
                             module.error().hint)
                    .with_note(module.error());
            }
            next.module = std::move(module).value();
            text_before = std::move(text);
        }
        if (!trace.snapshots.empty() && next.module != trace.last().module) {
            const ir::ModuleNode& before = *trace.last().module;
            next.changed = true;
            next.origins = std::make_shared<const OriginLinks>(before, *next.module, match_statements(before, *next.module));
        }
        next.diagnostics = log_notes(file.path);
        trace.snapshots.push_back(std::move(next));
    }
    return trace;
}

std::vector<fs::path> find_dump_directories(const fs::path& root) {
    std::vector<fs::path> found;
    if (!dump_files(root).empty()) return {root};
    std::error_code failure;
    for (fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, failure), end;
         !failure && at != end; at.increment(failure)) {
        if (!at->is_directory(failure)) continue;
        if (at.depth() >= kMaxFolders) at.disable_recursion_pending();
        if (!dump_files(at->path()).empty()) found.push_back(at->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace ls::session
