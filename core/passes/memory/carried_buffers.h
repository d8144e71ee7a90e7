// Which values must lie in the buffer of a carried value, so that nothing has to be copied when the loop goes round.
// Private to the memory passes.
#pragma once

#include <vector>

#include "core/passes/memory/retype.h"
#include "core/support/diagnostic.h"

namespace ls::memory {

/// For every loop: what it yields is made in the buffer that its carried value starts in, as far as the operations on
/// the way allow it and nobody else still needs that buffer.
Retypes carried_into_place(const ir::Seq& body);

/// For every If whose one branch adds into an accumulator while the other starts a new one: the new one starts in the
/// accumulator's buffer. There is no copy from accumulator to accumulator.
Retypes accumulators_into_place(const ir::Seq& body);

} // namespace ls::memory
