#include "tests/cli/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ls::test {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{60};

struct Pipe {
    int read_end = -1, write_end = -1;
    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
            read_end = ends[0];
            write_end = ends[1];
        }
    }
    ~Pipe() {
        shut(read_end);
        shut(write_end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    static void shut(int& end) {
        if (end >= 0) ::close(end);
        end = -1;
    }
};

[[noreturn]] void become(const Start& start, const Pipe& in, const Pipe& out, const Pipe& err) {
    ::dup2(in.read_end, STDIN_FILENO);
    ::dup2(out.write_end, STDOUT_FILENO);
    ::dup2(err.write_end, STDERR_FILENO);
    std::signal(SIGPIPE, SIG_DFL); // what a shell gives its children
    if (::chdir(start.folder.c_str()) != 0) ::_exit(126);
    std::vector<char*> words;
    for (const std::string& word : start.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execv(words.front(), words.data());
    ::_exit(127);
}

/// Reads what is there; false at the end.
bool take(int from, std::string& into) {
    std::array<char, 65536> bytes;
    const ssize_t count = ::read(from, bytes.data(), bytes.size());
    if (count > 0) into.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

} // namespace

Finished run(const Start& start) {
    std::signal(SIGPIPE, SIG_IGN); // a child that does not read its input must not end us
    Finished finished;
    Pipe in, out, err;
    const auto began = Clock::now();
    const pid_t child = ::fork();
    if (child < 0) {
        ADD_FAILURE() << "fork failed";
        return finished;
    }
    if (child == 0) become(start, in, out, err);
    Pipe::shut(in.read_end);
    Pipe::shut(out.write_end);
    Pipe::shut(err.write_end);
    ::fcntl(in.write_end, F_SETFL, O_NONBLOCK);

    std::size_t fed = 0;
    while (out.read_end >= 0 || err.read_end >= 0) {
        if (fed == start.input.size()) Pipe::shut(in.write_end);
        std::array<pollfd, 3> watched{pollfd{out.read_end, POLLIN, 0}, pollfd{err.read_end, POLLIN, 0},
                                      pollfd{in.write_end, POLLOUT, 0}};
        const auto left = kPatience - (Clock::now() - began);
        const auto wait_ms = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
        if (wait_ms <= 0 || ::poll(watched.data(), watched.size(), static_cast<int>(wait_ms)) == 0) {
            ADD_FAILURE() << "it took longer than " << kPatience.count() << " s";
            ::kill(child, SIGKILL);
            break;
        }
        if (watched[0].revents != 0 && !take(out.read_end, finished.out)) Pipe::shut(out.read_end);
        if (watched[1].revents != 0 && !take(err.read_end, finished.err)) Pipe::shut(err.read_end);
        if (start.stop_reading_after && finished.out.size() >= *start.stop_reading_after) Pipe::shut(out.read_end);
        if (watched[2].revents != 0) {
            const ssize_t count = ::write(in.write_end, start.input.data() + fed, start.input.size() - fed);
            if (count >= 0) fed += static_cast<std::size_t>(count);
            else if (errno != EINTR && errno != EAGAIN) fed = start.input.size(); // it closed its input: that is its right
        }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) finished.signal = WTERMSIG(status);
    finished.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    return finished;
}

std::string program() {
    const char* other = std::getenv("LAYOUTSCOPE_UNDER_TEST");
    return other != nullptr ? other : LS_CLI;
}

Finished layoutscope(std::vector<std::string> words, std::string input) {
    words.insert(words.begin(), program());
    return run({std::move(words), std::move(input), LS_SOURCE_DIR, {}});
}

ScratchFolder::ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "layoutscope-cli-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no scratch folder at " << name;
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string ScratchFolder::write(const std::string& name, const std::string& bytes) const {
    const std::filesystem::path path = path_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
}

std::string read_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path << " cannot be read";
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace ls::test
