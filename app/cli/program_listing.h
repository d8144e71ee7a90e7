// What `show` and `convert` say of a whole program: its tensors, tiles and the windows that it moves.
#pragma once

#include <string>

#include "app/cli/input.h"
#include "core/dialect/surface.h"

namespace ls::cli {

/// The program's surface when the input is one; null for layouts.
const dialect::Surface* program_surface(const Input& input);

int show_program(const Input& input, const dialect::Surface& surface, bool json);
/// Prints the program in its usual spacing; `to` is a surface's id, or "all". CLI_SURFACE for any other surface.
int convert_program(const Input& input, const dialect::Surface& surface, const std::string& to);

} // namespace ls::cli
