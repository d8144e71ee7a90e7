// Where a command's input comes from, and how it complains about it.
#pragma once

#include <string>
#include <string_view>

#include "core/layout/tensor_layout.h"
#include "core/support/result.h"

namespace ls::cli {

struct Input {
    std::string text;
    std::string name; ///< file name, "<stdin>", or empty when the argument itself was the text
};

/// "-" reads standard input, an existing file is read, anything else is the text itself. `must_be_file`: an argument that
/// is neither is refused (DOC_UNREADABLE) instead of being taken as text.
Result<Input> read_input(const std::string& argument, bool must_be_file = false);

/// Prints the finding on standard error with its source line; answers the exit code that it means.
int complain(const Diagnostic& diagnostic, const Input& input, int exit_code);

/// Reads a layout text, without the newlines that files end with.
Result<TensorLayout> read_layout_input(Input& input);

/// "37,33" or "37 33" as integers. CLI_COORDINATE names what it could not read.
Result<std::vector<std::int64_t>> read_coordinate(std::string_view text);

bool colour_wanted(); ///< standard error is a terminal and NO_COLOR is not set

} // namespace ls::cli
