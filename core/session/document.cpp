#include "core/session/document.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "core/dialect/surface.h"
#include "core/passes/tirx/workbench/gemm_subject.h"
#include "core/session/dump_directory.h"

namespace ls::session {

namespace {

constexpr int kProjectVersion = 1;
constexpr std::array kKindNames{"layout", "program", "ub", "gemm"};

std::optional<DocumentKind> kind_from(std::string_view text) {
    for (std::size_t i = 0; i < kKindNames.size(); ++i) {
        if (text == kKindNames[i]) return static_cast<DocumentKind>(i);
    }
    return {};
}

Diagnostic format_error(std::string message) {
    return error("DOC_FORMAT", std::move(message), "open a project that Layoutscope saved, or a plain text file");
}

} // namespace

std::string_view name(DocumentKind kind) { return kKindNames.at(static_cast<std::size_t>(kind)); }

DocumentKind guess_kind(const std::filesystem::path& path, std::string_view text) {
    const std::string extension = path.extension().string();
    if (path.string().ends_with(".ub.json")) return DocumentKind::UbModel;
    if (path.string().ends_with(".gemm.json")) return DocumentKind::Gemm;
    if (extension == ".py" || extension == ".mlir" || dialect::detect(text, path.string()) != nullptr ||
        text.find("@T.prim_func") != std::string_view::npos) {
        return DocumentKind::Program;
    }
    if (extension == ".json" && (text.find("\"allocs\"") != std::string_view::npos || text.find("\"operator\"") != std::string_view::npos))
        return DocumentKind::UbModel;
    if (extension == ".json" && tirx::looks_like_gemm_subject(text)) return DocumentKind::Gemm;
    return DocumentKind::Layout;
}

Document Document::untitled(DocumentState state, std::string title) {
    Document document;
    document.state_ = std::move(state);
    document.title_ = std::move(title);
    return document;
}

Document Document::untitled(DocumentKind kind, std::string text, std::string title) {
    Document document;
    document.state_ = {kind, std::move(text), nlohmann::json::object()};
    document.title_ = std::move(title);
    return document;
}

namespace {

/// The program that was compiled; its snapshots are read from the directory by whoever shows them.
Result<Document> open_dumps(const std::filesystem::path& directory) {
    LS_TRY(std::string source, read_dump_source(directory));
    std::filesystem::path named = directory;
    while (!named.has_filename() || named.filename() == "passes_dump") named = named.parent_path();
    Document document = Document::untitled(DocumentKind::Program, std::move(source), named.filename().string());
    DocumentState state = document.state();
    state.view = {{"dump_directory", std::filesystem::absolute(directory).string()}};
    return Document::untitled(std::move(state), document.title());
}

} // namespace

Result<Document> Document::open(const std::filesystem::path& path) {
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure)) return open_dumps(path);
    LS_TRY(std::string text, read_file(path));
    if (path.extension() == ".lsc") {
        const nlohmann::json project = nlohmann::json::parse(text, nullptr, false);
        if (project.is_discarded()) return format_error(fmt::format("{} is not valid JSON", path.string()));
        LS_TRY(Document document, from_json(project));
        document.path_ = path;
        if (document.title_.empty()) document.title_ = path.stem().string();
        return document;
    }
    const DocumentKind kind = guess_kind(path, text);
    // A layout file is one layout; the newline that editors add is not part of it.
    if (kind == DocumentKind::Layout) {
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    }
    Document document = untitled(kind, std::move(text), path.filename().string());
    document.path_ = path;
    return document;
}

void Document::edit(std::string step_name, DocumentState next, std::string merge_key) {
    if (next == state_) return;
    const bool merges = !merge_key.empty() && merge_key == open_merge_key_ && position_ == steps_.size() &&
                        position_ > 0 && saved_position_ != position_;
    if (saved_position_ && *saved_position_ > position_) saved_position_.reset(); // the saved state is no longer reachable
    steps_.resize(position_);
    if (merges) {
        steps_.back().after = next;
    } else {
        steps_.push_back({std::move(step_name), state_, next});
        ++position_;
    }
    open_merge_key_ = std::move(merge_key);
    state_ = std::move(next);
}

std::string Document::undo_name() const { return can_undo() ? steps_[position_ - 1].name : std::string{}; }
std::string Document::redo_name() const { return can_redo() ? steps_[position_].name : std::string{}; }

void Document::undo() {
    if (!can_undo()) return;
    state_ = steps_[--position_].before;
    close_merge();
}

void Document::redo() {
    if (!can_redo()) return;
    state_ = steps_[position_++].after;
    close_merge();
}

nlohmann::json Document::to_json() const {
    return {{"layoutscope", kProjectVersion},
            {"kind", name(state_.kind)},
            {"title", title_},
            {"text", state_.text},
            {"view", state_.view},
            {"path", path_ ? path_->string() : std::string{}}};
}

Result<Document> Document::from_json(const nlohmann::json& project) {
    if (!project.is_object() || !project.contains("layoutscope")) {
        return format_error("this JSON has no member \"layoutscope\", so it is not a project");
    }
    const nlohmann::json& version = project["layoutscope"];
    if (!version.is_number_integer() || version.get<std::int64_t>() > kProjectVersion) {
        return error("DOC_VERSION", fmt::format("the project has version {}, this program reads up to {}", version.dump(), kProjectVersion),
                     "open it with a newer Layoutscope");
    }
    const auto text_of = [&](const char* key) {
        const auto it = project.find(key);
        return it != project.end() && it->is_string() ? it->get<std::string>() : std::string{};
    };
    const auto kind = kind_from(text_of("kind"));
    if (!kind) return format_error(fmt::format("unknown document kind \"{}\"", text_of("kind")));
    Document document = untitled(*kind, text_of("text"), text_of("title"));
    if (const auto view = project.find("view"); view != project.end()) document.state_.view = *view;
    if (const std::string path = text_of("path"); !path.empty()) document.path_ = path;
    return document;
}

Status Document::save(const std::filesystem::path& path) {
    if (path.extension() == ".lsc") {
        nlohmann::json project = to_json();
        project.erase("path"); // a project may be moved and shared; where it was last is nobody's business
        LS_CHECK(write_file_atomically(path, project.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"));
    } else {
        // A program or layout that came from a text file goes back as text; its view settings live in a project only.
        LS_CHECK(write_file_atomically(path, state_.text.ends_with('\n') || state_.text.empty() ? state_.text : state_.text + "\n"));
    }
    path_ = path;
    saved_position_ = position_;
    close_merge();
    return ok_status();
}

Result<std::string> read_file(const std::filesystem::path& path) {
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure)) {
        return error("DOC_UNREADABLE", fmt::format("{} is a folder", path.string()), "name a file in it");
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        return error("DOC_UNREADABLE", fmt::format("{} cannot be opened: {}", path.string(), std::strerror(errno)),
                     "check the name and the permissions");
    }
    std::string text;
    char block[1 << 16];
    while (in.read(block, sizeof block) || in.gcount() > 0) text.append(block, static_cast<std::size_t>(in.gcount()));
    return text;
}

Status write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
    const auto refuse = [&](std::string_view what, int number) -> Status {
        return error("DOC_UNWRITABLE", fmt::format("{} cannot be {}: {}", path.string(), what, std::strerror(number)),
                     "check free space and permissions of the folder");
    };
    const std::filesystem::path beside = path.string() + fmt::format(".{}.part", ::getpid());
    std::FILE* out = std::fopen(beside.c_str(), "wb");
    if (out == nullptr) return refuse("written", errno);
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size() && std::fflush(out) == 0 &&
                         ::fsync(::fileno(out)) == 0;
    const int write_error = errno;
    const bool closed = std::fclose(out) == 0;
    if (!written || !closed) {
        std::remove(beside.c_str());
        return refuse("written", write_error);
    }
    if (std::rename(beside.c_str(), path.c_str()) != 0) {
        const int rename_error = errno;
        std::remove(beside.c_str());
        return refuse("replaced", rename_error);
    }
    return ok_status();
}

Status Autosave::store(const std::vector<const Document*>& documents) const {
    nlohmann::json list = nlohmann::json::array();
    for (const Document* document : documents) list.push_back(document->to_json());
    std::error_code failure;
    std::filesystem::create_directories(file_.parent_path(), failure);
    return write_file_atomically(file_, nlohmann::json{{"layoutscope-autosave", kProjectVersion}, {"documents", list}}.dump(
                                            -1, ' ', false, nlohmann::json::error_handler_t::replace));
}

Result<std::vector<Document>> Autosave::restore() const {
    std::vector<Document> documents;
    std::error_code failure;
    if (!std::filesystem::exists(file_, failure)) return documents;
    LS_TRY(const std::string text, read_file(file_));
    const nlohmann::json saved = nlohmann::json::parse(text, nullptr, false);
    if (saved.is_discarded() || !saved.is_object() || !saved.contains("documents") || !saved["documents"].is_array()) {
        return format_error(fmt::format("the autosave {} is damaged", file_.string()));
    }
    for (const auto& one : saved["documents"]) {
        LS_TRY(Document document, Document::from_json(one));
        documents.push_back(std::move(document));
    }
    return documents;
}

void Autosave::discard() const {
    std::error_code failure;
    std::filesystem::remove(file_, failure);
}

} // namespace ls::session
