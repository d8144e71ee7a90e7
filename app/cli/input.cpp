#include "app/cli/input.h"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "core/notation/notation.h"
#include "core/session/document.h"

namespace ls::cli {

Result<Input> read_input(const std::string& argument, bool must_be_file) {
    if (argument == "-") {
        return Input{std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()), "<stdin>"};
    }
    std::error_code failure;
    // A layout text can be longer than any file name may be: then it is no file, and that is no failure.
    if (must_be_file || std::filesystem::is_regular_file(argument, failure)) {
        LS_TRY(std::string text, session::read_file(argument));
        return Input{std::move(text), argument};
    }
    return Input{argument, ""};
}

bool colour_wanted() { return ::isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

int complain(const Diagnostic& diagnostic, const Input& input, int exit_code) {
    fmt::print(stderr, "{}", render(diagnostic, input.text, input.name, colour_wanted()));
    return exit_code;
}

Result<TensorLayout> read_layout_input(Input& input) {
    while (!input.text.empty() && (input.text.back() == '\n' || input.text.back() == '\r')) input.text.pop_back();
    return read_layout(input.text);
}

Result<std::vector<std::int64_t>> read_coordinate(std::string_view text) {
    std::vector<std::int64_t> values;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    const auto skip = [&] {
        while (at != end && (*at == ' ' || *at == ',' || *at == '(' || *at == ')')) ++at;
    };
    for (skip(); at != end; skip()) {
        std::int64_t value = 0;
        const bool hex = end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
        const auto [next, problem] = std::from_chars(at + (hex ? 2 : 0), end, value, hex ? 16 : 10);
        if (problem != std::errc{}) {
            const auto place = static_cast<std::size_t>(at - text.data());
            return error_at({place, text.size()}, "CLI_COORDINATE", fmt::format("'{}' is not a number of 64 bits", text.substr(place)),
                            "write a coordinate such as 37,33, or an address such as 0x0CAA");
        }
        values.push_back(value);
        at = next;
    }
    if (values.empty()) return error("CLI_COORDINATE", "there is no number in it", "write a coordinate such as 37,33");
    return values;
}

} // namespace ls::cli
