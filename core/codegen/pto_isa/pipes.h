// Which hardware queue runs an instruction, and where one queue must wait for another.
//
// The queues of a core run side by side; two instructions on different queues that touch the same bytes, one of them
// writing, need a flag between them. On one queue a barrier does it: the next instruction may begin before the last one
// has ended. What the end of a loop's body leaves behind is waited for at its beginning (the back edges).
#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/codegen/kernel/kernel.h"

namespace ls::codegen {

enum class Pipe : std::uint8_t { Scalar, Mte1, Mte2, Mte3, Matrix, Vector, Fix };
inline constexpr std::size_t kPipes = 7;
std::string_view name(Pipe pipe); ///< "PIPE_MTE2"

/// The queue of an instruction; empty for allocations, numbers, loops and branches.
std::optional<Pipe> pipe_of(const Instruction& instruction, const Kernel& kernel);

/// For every instruction the waits (from, to) that must stand before it; from == to is a barrier.
using Waits = std::map<const Instruction*, std::vector<std::pair<Pipe, Pipe>>>;
Waits find_waits(const Kernel& kernel);

} // namespace ls::codegen
