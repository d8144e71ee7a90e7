// A snapshot as text, long lines broken, with what its lines stand for. Knows no Qt.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/stmt.h"
#include "core/support/diagnostic.h"

namespace ls::models {

std::vector<std::string_view> lines_of(std::string_view text);

struct TracePage {
    std::vector<const ir::Node*> lines; ///< for each line its statement; null for none
    std::shared_ptr<const std::string> text;

    explicit TracePage(const ir::ModuleNode& module);
};

/// Findings whose spans are positions in `source`, placed in the page.
std::vector<Diagnostic> placed(std::vector<Diagnostic> diagnostics, const TracePage& page, std::string_view source);

} // namespace ls::models
