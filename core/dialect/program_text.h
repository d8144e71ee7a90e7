// What every reader and printer of programs answers.
#pragma once

#include <string>
#include <vector>

#include "core/ir/stmt.h"
#include "core/support/diagnostic.h"

namespace ls::dialect {

/// Most errors that one reading reports.
inline constexpr std::size_t kMaxErrors = 20;

struct ReadResult {
    ir::Module module;                   ///< null when there is an error among the diagnostics
    std::vector<Diagnostic> diagnostics; ///< errors first to last, at most kMaxErrors; warnings among them
    bool ok() const { return module != nullptr; }
};

struct Printed {
    std::string text;
    /// For each line of the text, the statement or function that it belongs to; null for lines of no node.
    std::vector<const ir::Node*> lines;
};

} // namespace ls::dialect
