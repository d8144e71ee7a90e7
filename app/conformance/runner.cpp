#include "app/conformance/runner.h"

#include "app/conformance/run_tvm_snapshots.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

namespace ls::conformance {

namespace {

const Form* find_form(const std::filesystem::path& path, const Json& first_case) {
    const std::string stem = path.stem().string();
    const std::string family = path.parent_path().filename().string();
    const auto all = forms();
    for (const Form& form : all) {
        if (form.stem == stem && form.family == family) return &form;
    }
    // Families share names (descriptors.json): in another folder the content must agree too.
    for (const Form& form : all) {
        if (form.stem == stem && form.looks_like != nullptr && form.looks_like(first_case)) return &form;
    }
    for (const Form& form : all) {
        if (form.looks_like != nullptr && form.looks_like(first_case)) return &form;
    }
    return nullptr;
}

/// Cases without an id are named by their position, so that a report can always be acted on.
std::string case_id(const Json& test_case, std::size_t index) {
    const auto id = test_case.find("id");
    return id != test_case.end() && id->is_string() ? id->get<std::string>() : fmt::format("#{}", index);
}

FileReport run_file(const std::filesystem::path& path) {
    FileReport report;
    report.path = path;
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        report.unreadable = "cannot be opened";
        return report;
    }
    const Json file = Json::parse(in, nullptr, false);
    if (file.is_discarded()) {
        report.unreadable = "is not valid JSON";
        return report;
    }
    const Json* cases = file.is_array() ? &file : file.is_object() && file.contains("cases") ? &file["cases"] : nullptr;
    // A file that is one single case (tiling_data, liveness) counts as a list of one.
    const Json single = Json::array({file});
    if (cases == nullptr || !cases->is_array()) cases = &single;
    if (cases->empty()) return report;

    const Form* form = find_form(path, cases->front());
    if (form != nullptr) report.form = fmt::format("{}/{}", form->family, form->stem);
    for (std::size_t i = 0; i < cases->size(); ++i) {
        const Json& test_case = (*cases)[i];
        CaseReport one{case_id(test_case, i), {}};
        if (form == nullptr) {
            one.outcome = skipped("no runner for this kind of file");
        } else {
            try {
                one.outcome = form->run_beside != nullptr ? form->run_beside(test_case, path.parent_path())
                                                          : form->run(test_case, file);
            } catch (const Json::exception& malformed) {
                one.outcome = failed(fmt::format("the case is not of the expected form: {}", malformed.what()));
            }
        }
        report.cases.push_back(std::move(one));
    }
    return report;
}

} // namespace

std::vector<FileReport> run_path(const std::filesystem::path& path) {
    std::vector<std::filesystem::path> files;
    std::vector<std::filesystem::path> folders;
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure)) {
        if (is_snapshot_folder(path)) folders.push_back(path);
        for (auto it = std::filesystem::recursive_directory_iterator(path, failure);
             !failure && it != std::filesystem::recursive_directory_iterator(); it.increment(failure)) {
            if (it->is_regular_file(failure) && it->path().extension() == ".json") files.push_back(it->path());
            if (it->is_directory(failure) && is_snapshot_folder(it->path())) folders.push_back(it->path());
        }
        std::sort(folders.begin(), folders.end());
        std::sort(files.begin(), files.end());
    } else {
        files.push_back(path);
    }
    std::vector<FileReport> reports;
    reports.reserve(files.size() + folders.size());
    for (const auto& file : files) reports.push_back(run_file(file));
    for (const auto& folder : folders) reports.push_back(run_snapshot_folder(folder));
    return reports;
}

} // namespace ls::conformance
