// The upstream compiler's passes in their order, from the program that a user writes to what code is generated from.
#pragma once

#include <span>

#include "core/passes/pass.h"

namespace ls::nz {

/// All of them, spec/nz.md B; those that nothing here depends on pass the module through and say so.
std::span<const Pass> nz_pipeline();

/// What a user may call the status of a pass: "implemented", "leaves layouts alone", "not modelled".
std::string_view name(PassStatus status);

} // namespace ls::nz
