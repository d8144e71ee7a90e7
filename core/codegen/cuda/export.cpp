#include <fmt/format.h>

#include "core/codegen/cuda/device.h"
#include "core/codegen/cuda/print.h"

namespace ls::codegen {

Result<Exported> export_cuda(const ir::Module& module, const ExportOptions& options) {
    if (module->dialect != ir::Dialect::Tirx) {
        return error("CG_CUDA_DIALECT", "CUDA is written from TIRx programs", "export this program as pto or pto-isa");
    }
    LS_CHECK(ir::check_depth(*module));
    LS_TRY(const std::vector<cuda::CudaKernel> kernels, cuda::find_kernels(module, options));
    Exported exported;
    for (const cuda::CudaKernel& kernel : kernels) {
        LS_TRY(const cuda::SharedMemory shared, cuda::plan_shared(kernel));
        LS_TRY(SourceFile device, cuda::print_device(kernel, shared));
        LS_TRY(SourceFile launcher, cuda::print_launcher(kernel, shared));
        LS_TRY(std::optional<SourceFile> program, cuda::print_check_program(kernel));
        exported.files.push_back(std::move(device));
        exported.files.push_back(std::move(launcher));
        if (program) {
            exported.files.push_back(std::move(*program));
        } else {
            exported.diagnostics.push_back(warning_at(kernel.origin->span, "CG_CUDA_NO_MAIN", fmt::format("{}: no check program is written, since the module does not say the size of every argument and how each tensor map is encoded", kernel.name), "export a snapshot that still has its host function"));
        }
    }
    return exported;
}

} // namespace ls::codegen
