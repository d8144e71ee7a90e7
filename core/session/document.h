// What is open: its text, how it is viewed, and every edit as a named, undoable step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/support/result.h"

namespace ls::session {

enum class DocumentKind : std::uint8_t { Layout, Program, UbModel, Gemm };
std::string_view name(DocumentKind kind);

/// Everything that undo restores. A value: copies share nothing.
struct DocumentState {
    DocumentKind kind = DocumentKind::Layout;
    std::string text;                 ///< layout text, program text, UB model JSON, or a gemm_async subject as JSON
    nlohmann::json view;              ///< view settings (axes, row bytes, colours, pins, stage), free form by view
    bool operator==(const DocumentState&) const = default;
};

/// Guesses from a file's name and content.
DocumentKind guess_kind(const std::filesystem::path& path, std::string_view text);

class Document {
public:
    static Document untitled(DocumentKind kind, std::string text, std::string title = {});
    static Document untitled(DocumentState state, std::string title = {});
    /// Reads a text file, a project file (`.lsc`, JSON) or a directory of pass dumps. DOC_UNREADABLE, DOC_VERSION,
    /// DOC_FORMAT, DUMP_EMPTY.
    static Result<Document> open(const std::filesystem::path& path);

    const DocumentState& state() const { return state_; }
    const std::string& title() const { return title_; }
    void set_title(std::string title) { title_ = std::move(title); }
    const std::optional<std::filesystem::path>& path() const { return path_; }
    bool modified() const { return position_ != saved_position_; }

    /// One named step. Consecutive edits with the same non-empty `merge_key` become one step (typing, dragging).
    void edit(std::string step_name, DocumentState next, std::string merge_key = {});
    bool can_undo() const { return position_ > 0; }
    bool can_redo() const { return position_ < steps_.size(); }
    std::string undo_name() const;
    std::string redo_name() const;
    void undo();
    void redo();
    /// Ends a merge, so that the next edit with the same key is a step of its own.
    void close_merge() { open_merge_key_.clear(); }

    /// `.lsc` is a project file: kind, text, view, title. Any other name gets the plain text. Written beside the target
    /// and renamed over it.
    Status save(const std::filesystem::path& path);
    nlohmann::json to_json() const;
    static Result<Document> from_json(const nlohmann::json& project);

private:
    struct Step {
        std::string name;
        DocumentState before;
        DocumentState after;
    };
    DocumentState state_;
    std::string title_;
    std::optional<std::filesystem::path> path_;
    std::vector<Step> steps_;
    std::size_t position_ = 0;
    std::optional<std::size_t> saved_position_ = 0;
    std::string open_merge_key_;
};

/// Writes `bytes` beside `path` and renames: a reader sees the old or the new file, never half of one.
Status write_file_atomically(const std::filesystem::path& path, std::string_view bytes);
Result<std::string> read_file(const std::filesystem::path& path);

/// The autosave of all open documents: one JSON file, written atomically. `restore` answers an empty list when there is none.
class Autosave {
public:
    explicit Autosave(std::filesystem::path file) : file_(std::move(file)) {}
    Status store(const std::vector<const Document*>& documents) const;
    Result<std::vector<Document>> restore() const;
    void discard() const;

private:
    std::filesystem::path file_;
};

} // namespace ls::session
