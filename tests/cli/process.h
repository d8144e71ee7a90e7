// Starts a program, feeds it, and keeps everything that it says.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ls::test {

struct Finished {
    int exit_code = -1;         ///< -1 when a signal ended the program
    int signal = 0;             ///< 0 when it ended by itself
    std::string out, err;
    double seconds = 0;
};

struct Start {
    std::vector<std::string> words;            ///< program and arguments
    std::string input;                         ///< for its standard input, which is closed afterwards
    std::filesystem::path folder = LS_SOURCE_DIR;
    /// Reads this many bytes of standard output and then closes the pipe, as `head -c` does.
    std::optional<std::size_t> stop_reading_after;
};
/// Ends a program that takes longer than a minute (signal 9).
Finished run(const Start& start);

/// The command line under test: the one that was built, or what the variable LAYOUTSCOPE_UNDER_TEST names (an installed one).
std::string program();

/// `layoutscope words...`, in the source folder.
Finished layoutscope(std::vector<std::string> words, std::string input = {});

/// A folder of its own for one test, gone when it ends.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    std::string write(const std::string& name, const std::string& bytes) const; ///< answers the file's path

private:
    std::filesystem::path path_;
};

std::string read_bytes(const std::filesystem::path& path);

} // namespace ls::test
