// Moving values to another allocation: variables get new types, and what shares their bytes follows. Private to the
// memory passes.
#pragma once

#include <unordered_map>

#include "core/ir/stmt.h"

namespace ls::memory {

/// New types by the variables that get them.
using Retypes = std::unordered_map<const ir::VarNode*, ir::Type>;

/// Applies them where the variables are defined. A view whose operand moved to another buffer moves with it.
ir::Seq apply_retypes(const ir::Seq& body, const Retypes& retypes);

/// A copy of a name (x = y) lies where y lies, and so does what is written over an operand that moved.
ir::Seq follow_copies(const ir::Seq& body);

} // namespace ls::memory
