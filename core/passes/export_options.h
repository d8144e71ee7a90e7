// Exporting for the chip that the passes ran for.
#pragma once

#include <string>

#include "core/codegen/export.h"
#include "core/passes/pipeline.h"

namespace ls {

/// `function`: only this one; empty: every kernel of the module.
codegen::ExportOptions export_options(const PassContext& context, std::string function = {});
/// For the last snapshot of a trace. Passes may drop the host's functions on the way: they are taken from the last snapshot
/// that had them.
codegen::ExportOptions export_options(const PassContext& context, const Trace& trace, std::string function = {});

} // namespace ls
