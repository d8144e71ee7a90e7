// A C++ kernel over pto-isa's headers (spec/nz.md E.3).
#pragma once

#include "core/codegen/export.h"

namespace ls::codegen {

Result<Exported> export_pto_isa(const ir::Module& module, const ExportOptions& options);

} // namespace ls::codegen
