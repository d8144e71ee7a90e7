// PTO IR text for PTOAS (spec/nz.md E.1).
#pragma once

#include "core/codegen/export.h"

namespace ls::codegen {

Result<Exported> export_pto_text(const ir::Module& module, const ExportOptions& options);

} // namespace ls::codegen
