// AnnotateEntryFunc: the one function of a module is where it is entered. spec/tirx.md 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// Sets tirx.is_entry_func on the only function, or on the only one with a global symbol.
PassResult annotate_entry_func(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
