// Runs conformance cases (JSON) on the product: one Form per kind of file, chosen by its path and content.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace ls::conformance {

using Json = nlohmann::json;

struct Outcome {
    enum class Kind { Passed, Failed, Skipped };
    Kind kind = Kind::Passed;
    std::string why; ///< what differed, with both values; why it was skipped; a remark on what passed
};
inline Outcome passed() { return {}; }
inline Outcome failed(std::string why) { return {Outcome::Kind::Failed, std::move(why)}; }
inline Outcome skipped(std::string why) { return {Outcome::Kind::Skipped, std::move(why)}; }

/// One kind of file. `stem` is the file's name without folder and extension ("layout_slice"); a file of another name
/// is recognised by `looks_like` (called with its first case).
struct Form {
    std::string_view family; ///< folder: "tirx", "nz", ...
    std::string_view stem;
    bool (*looks_like)(const Json& first_case);
    Outcome (*run)(const Json& test_case, const Json& whole_file); ///< null where run_beside is there
    /// Of files whose cases name programs in folders beside them.
    Outcome (*run_beside)(const Json& test_case, const std::filesystem::path& folder) = nullptr;
};

/// Every form that the product knows; one line each, in forms.cpp.
std::span<const Form> forms();

struct CaseReport { std::string id; Outcome outcome; };
struct FileReport {
    std::filesystem::path path;
    std::string form;          ///< "tirx/layout_slice", or empty when unknown (all skipped)
    std::vector<CaseReport> cases;
    std::string unreadable;    ///< why the file could not be read at all
};

/// A file, or every *.json and every folder of snapshots below a folder (each sorted by path).
std::vector<FileReport> run_path(const std::filesystem::path& path);

} // namespace ls::conformance
