// Which statement of a program stands for which of an earlier state of it, when both were read from text and no node
// remembers where it came from.
#pragma once

#include <unordered_map>

#include "core/ir/stmt.h"

namespace ls {

/// For each statement and function of `now`, the one of `before` that it most likely came from: a function of the same
/// name; in it a statement that defines the same variable, else one that defines a variable of the same name up to the
/// suffix that ConvertToSSA adds, else one of the same text. Each is taken once, in source order. Statements without
/// such a partner are not listed. Linear in the size of both.
std::unordered_map<const ir::Node*, const ir::Node*> match_statements(const ir::ModuleNode& before,
                                                                      const ir::ModuleNode& now);

} // namespace ls
