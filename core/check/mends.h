// Ways to mend what a pass refused: edits of the program's text after which the refusal is gone. Each was tried.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/check/mend.h"
#include "core/passes/pipeline.h"

namespace ls::check {

/// Reads and runs a text again: the trace, or nothing when it cannot be read any more.
using Rerun = std::function<std::optional<Trace>(const std::string& text)>;

/// Edits of `source` for the refusal at `refusal` of `trace` (made from that source). Only those after which the program
/// comes further, or is refused less by the same pass; at most four, the mildest first. Empty when nothing that is known
/// helps.
std::vector<Mend> propose_mends(const std::string& source, const Trace& trace, std::size_t refusal, const Rerun& rerun);

} // namespace ls::check
