// The doors through which foreign bytes come in: what libFuzzer and the smoke tests drive.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ls::fuzz {

/// Reads `text` and everything that can be asked of what was read. Answers what is wrong: a text that was read, printed
/// and does not read back as the same, or a finding that points outside the text. Empty when all is well; a crash or a
/// report of a sanitizer is the other way to fail.
using Reader = std::string (*)(std::string_view text);

struct Door {
    std::string_view name; ///< its seeds are in tests/fuzz/corpus/<name>
    Reader read;
};
std::span<const Door> doors();

} // namespace ls::fuzz
