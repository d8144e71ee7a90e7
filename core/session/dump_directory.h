// A directory of pass dumps, as the compiler writes them, as a Trace that is ready to be looked at.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/passes/pipeline.h"
#include "core/support/result.h"

namespace ls::session {

/// Whether it holds files named NN_frontend.py or NN_after_PASS.py, or has a folder `passes_dump` that does.
bool is_dump_directory(const std::filesystem::path& directory);

/// Reads 00_frontend.py and every NN_after_PASS.py (spec/nz.md F) in the order of their numbers. Files of the same text
/// share one module, as passes that change nothing do; lines of a `.log` beside a file become notes on its snapshot
/// (DUMP_LOG). Statements are linked by what they define (match_statements). `passes` gives each snapshot its pass by
/// name; passes that it does not know are named by the file alone. DUMP_EMPTY, DUMP_FILE (which file, and why it does
/// not read), DOC_UNREADABLE.
Result<Trace> read_dump_directory(const std::filesystem::path& directory, std::span<const Pass> passes);

/// The program that the dumps of a directory begin with, as text. DUMP_EMPTY, DOC_UNREADABLE.
Result<std::string> read_dump_source(const std::filesystem::path& directory);

/// The dump directories at or below a folder, in alphabetical order.
std::vector<std::filesystem::path> find_dump_directories(const std::filesystem::path& root);

} // namespace ls::session
