// Which hardware queue runs an instruction, and where one queue must wait for another.
//
// The queues of a core run side by side; two instructions on different queues that touch the same bytes, one of them
// writing, need a flag between them. Loops are walked twice, so that what the end of the body leaves behind is waited for
// at its beginning (the back edges).
#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/codegen/kernel/kernel.h"

namespace ls::codegen {

enum class Pipe : std::uint8_t { Mte1, Mte2, Mte3, Matrix, Vector, Fix };
std::string_view name(Pipe pipe); ///< "PIPE_MTE2"

/// The queue of a tile instruction; empty for allocations, scalars, loops and branches.
std::optional<Pipe> pipe_of(const Instruction& instruction, const Kernel& kernel);

/// For every tile instruction the waits (from, to) that must stand before it.
using Waits = std::map<const Instruction*, std::vector<std::pair<Pipe, Pipe>>>;
Waits find_waits(const Kernel& kernel);

} // namespace ls::codegen
