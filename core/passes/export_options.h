// Exporting for the chip that the passes ran for.
#pragma once

#include <string>

#include "core/codegen/export.h"
#include "core/passes/pass.h"

namespace ls {

/// `function`: only this one; empty: every kernel of the module.
codegen::ExportOptions export_options(const PassContext& context, std::string function = {});

} // namespace ls
