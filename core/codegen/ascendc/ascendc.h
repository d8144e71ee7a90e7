// AscendC C++ from unified-buffer plans (spec ub 11): the kernel's partition and scheduler, the host tiling, and a
// program that checks both against the explorer's own tables on any C++17 compiler.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"
#include "core/ub/cgdr/host_plan.h"
#include "core/ub/model/partition.h"

namespace ls::codegen {

struct AscendcFile {
    std::string name; ///< "cgdr_kernel.h"
    std::string text;
    /// origins[i] (0-based line): the buffer or view that the line requests or carves; empty elsewhere.
    std::vector<std::string> origins;
};

struct CgdrExportOptions {
    std::vector<std::int32_t>
        seq_lens; ///< batch that the check program distributes; empty: one sequence of the plan's rows
    bool has_gamma = false;
    float scale = 1.0F;
};

/// cgdr_tiling.h, cgdr_kernel.h, cgdr_host_tiling.h, ascendc_stub.h, cgdr_check.cpp. The kernel is compiled with
/// kernel_operator.h, or with the stub under -DUB_EXPORT_STUB. CG_ASCENDC_NO_PLAN when no V step fits, errors of
/// ub::work::distribute for an impossible batch.
Result<std::vector<AscendcFile>> export_cgdr(const ub::cgdr::HostPlan& plan, const CgdrExportOptions& options);

/// NAME_buffers.h, ascendc_stub.h, NAME_check.cpp for any model: InitBuffer and GetWithOffset calls with the model's
/// own expressions. Parameters stay changeable at run time. CG_ASCENDC_NAME for a name that C++ cannot have,
/// CG_ASCENDC_TYPE for an element type that AscendC has not, and errors of the model's evaluation.
Result<std::vector<AscendcFile>> export_model(const ub::CompiledModel& model, std::string_view name);

} // namespace ls::codegen
