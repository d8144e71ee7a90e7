// Runs NVIDIA's compiler, assembler included, where it is installed.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/codegen/export.h"

namespace ls::codegen {

/// On the PATH, or where its installer puts it; empty when it is not there.
inline std::string nvcc_path() {
    if (std::system("nvcc --version >/dev/null 2>&1") == 0) return "nvcc";
    const std::string usual = "/usr/local/cuda/bin/nvcc";
    return std::filesystem::exists(usual) ? usual : std::string();
}
inline bool nvcc_found() { return !nvcc_path().empty(); }

/// Compiles the last file (the others lie beside it) for this architecture: nothing when it is well, else what nvcc says.
inline std::string assemble(const std::vector<SourceFile>& files, const std::string& arch) {
    namespace fs = std::filesystem;
    static int count = 0;
    const fs::path folder = fs::temp_directory_path() / fmt::format("ls_nvcc_{}_{}", static_cast<const void*>(&count), count++);
    fs::create_directories(folder);
    for (const SourceFile& f : files) std::ofstream(folder / f.name) << f.text;
    const std::string number = arch.substr(3);
    const std::string command = fmt::format("cd {0} && {1} -std=c++17 -gencode arch=compute_{2},code=sm_{2} -c -o out.o {3} >log 2>&1", folder.string(), nvcc_path(), number, files.back().name);
    std::string said;
    if (std::system(command.c_str()) != 0) {
        std::ifstream log(folder / "log");
        said.assign(std::istreambuf_iterator<char>(log), {});
        if (said.empty()) said = "nvcc failed and said nothing";
    }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return said;
}

} // namespace ls::codegen
