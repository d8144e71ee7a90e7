// The kernels of a module, each taken apart into what runs on the device and what the host does before it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/codegen/cuda/c_type.h"
#include "core/codegen/export.h"

namespace ls::codegen::cuda {

struct KernelParameter {
    enum class Kind : std::uint8_t { Pointer, TensorMap, Scalar };
    ir::Var var;
    Kind kind = Kind::Scalar;
    CType type;    ///< element of a pointer, or the scalar
    ir::Expr host; ///< what the host passes; null: the caller of the launcher gives it
};

/// One dimension of the launch: "blockIdx.x", "threadIdx.x", "clusterCtaIdx.x".
struct LaunchDimension {
    std::string tag;
    ir::Expr extent;
};

struct CudaKernel {
    std::string name; ///< of the __global__ function
    std::string stem; ///< of the files
    std::string arch; ///< "sm_100a"
    ir::Ref<ir::Node> origin;
    std::vector<KernelParameter> parameters;
    std::vector<ir::Stmt> body;
    std::vector<LaunchDimension> dimensions;
    std::vector<ir::Param> host_parameters; ///< of the function that launches it; empty when the module has none
    std::vector<ir::Stmt> host_body;        ///< before the launch: tensor maps, values
    bool has_host = false;

    /// Product of the extents of threadIdx.*; nothing when one is not a constant.
    std::optional<std::int64_t> threads() const;
    const ir::ExprNode* extent(std::string_view tag) const;
};

/// Both shapes of a lowered program: one function whose launch stands in it, and functions of their own for host and
/// device. Codes: CG_CUDA_NO_KERNEL, CG_CUDA_NOT_LOWERED, CG_CUDA_TYPE.
Result<std::vector<CudaKernel>> find_kernels(const ir::Module& module, const ExportOptions& options);

/// Elements of a buffer or a parameter, where its shape is constant.
std::optional<std::int64_t> constant_elements(const ir::BufferTypeNode& type);
/// The tag of a `with T.launch_thread(tag, extent)`; empty for other statements.
std::string_view launch_tag(const ir::StmtNode& stmt);

} // namespace ls::codegen::cuda
