#include "core/passes/pipelines.h"

#include "core/passes/nz/nz_pipeline.h"
#include "core/passes/ptoas/ptoas_pipeline.h"
#include "core/passes/tirx/tirx_pipeline.h"

namespace ls {

std::span<const Pass> pipeline_of(ir::Dialect dialect) {
    switch (dialect) {
    case ir::Dialect::Pypto: return nz::nz_pipeline();
    case ir::Dialect::PtoText: return ptoas::ptoas_pipeline();
    case ir::Dialect::Tirx: return tirx::tirx_pipeline();
    }
    return {};
}

} // namespace ls
