#include "core/codegen/cuda/builtins.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace ls::codegen::cuda {

namespace {

constexpr std::string_view kWaitBody = R"(  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 P1, [%0], %1, %2;\n"
      "@P1 bra.uni DONE;\n"
      "bra.uni LAB_WAIT;\n"
      "DONE:\n"
      "}\n"
      :: "r"(address), "r"(phase), "r"(0x989680u) : "memory");
)";

constexpr std::array kBuiltins{
    // --- descriptors: the fields of spec/tirx.md 7.5 and 7.6
    Builtin{"cuda.tcgen05.encode_matrix_descriptor", "tvm_builtin_ptx_tcgen05_encode_matrix_descriptor",
            "uint64_t* desc, void* addr, int ldo, int sdo, int swizzle", "",
            R"(  // 0-13 address >> 4, 16-29 leading offset, 32-45 stride offset, 46 version 1, 61-63 layout type
  const uint64_t layout = swizzle == 0 ? 0 : swizzle == 1 ? 6 : swizzle == 2 ? 4 : swizzle == 3 ? 2 : 1;
  const uint64_t address = (__cvta_generic_to_shared(addr) >> 4) & 0x3FFF;
  *desc = address | (uint64_t)(ldo & 0x3FFF) << 16 | (uint64_t)(sdo & 0x3FFF) << 32 | (uint64_t)1 << 46 | layout << 61;
)",
            5},
    Builtin{"cuda.wgmma.encode_matrix_descriptor", "ptx_wgmma_encode_matrix_descriptor",
            "uint64_t* desc, void* addr, int ldo, int sdo, int swizzle", "",
            R"(  // 0-13 address >> 4, 16-29 leading offset, 32-45 stride offset, 62-63 layout type
  const uint64_t layout = swizzle == 0 ? 0 : swizzle == 1 ? 3 : swizzle == 2 ? 2 : 1;
  const uint64_t address = (__cvta_generic_to_shared(addr) >> 4) & 0x3FFF;
  *desc = address | (uint64_t)(ldo & 0x3FFF) << 16 | (uint64_t)(sdo & 0x3FFF) << 32 | layout << 62;
)",
            5},
    Builtin{"instr_descriptor", "ptx_tcgen05_encode_instr_descriptor",
            "uint32_t* desc, int M, int N, int d_format, int a_format, int b_format, bool trans_a, bool trans_b, bool neg_a, bool neg_b, bool sat_d, bool is_sparse",
            "",
            R"(  *desc = (uint32_t)is_sparse << 2 | (uint32_t)sat_d << 3 | (uint32_t)d_format << 4 | (uint32_t)a_format << 7 | (uint32_t)b_format << 10 |
          (uint32_t)neg_a << 13 | (uint32_t)neg_b << 14 | (uint32_t)trans_a << 15 | (uint32_t)trans_b << 16 |
          (uint32_t)(N >> 3) << 17 | (uint32_t)(M >> 4) << 24;
)",
            12},
    Builtin{"instr_descriptor_block_scaled", "ptx_tcgen05_encode_instr_descriptor_block_scaled",
            "uint32_t* desc, int M, int N, int a_format, int b_format, int s_format, bool trans_a, bool trans_b, bool neg_a, bool neg_b, bool is_sparse",
            "",
            R"(  *desc = (uint32_t)is_sparse << 2 | (uint32_t)a_format << 7 | (uint32_t)b_format << 10 | (uint32_t)neg_a << 13 | (uint32_t)neg_b << 14 |
          (uint32_t)trans_a << 15 | (uint32_t)trans_b << 16 | (uint32_t)(N >> 3) << 17 | (uint32_t)s_format << 23 | (uint32_t)(M >> 4) << 24;
)",
            11},
    Builtin{"cuda.runtime_instr_desc", "tvm_builtin_cuda_runtime_instr_desc", "uint32_t* desc, uint32_t sf_id", "",
            "  *desc = (*desc & ~0x60000030u) | (sf_id << 29) | (sf_id << 4);\n", 2},
    Builtin{"cuda.get_tmem_addr", "tvm_builtin_cuda_get_tmem_addr", "uint32_t addr, int row_offset, int col_offset", "uint32",
            R"(  // lane in the upper 16 bits, column in the lower
  return (((addr >> 16) + row_offset) & 0xFFFF) << 16 | (((addr & 0xFFFF) + col_offset) & 0xFFFF);
)",
            3},

    // --- barriers and threads
    Builtin{"cuda.mbarrier_wait", "tvm_builtin_cuda_mbarrier_wait", "void* barrier, int phase", "", "", 2},
    Builtin{"cuda.mbarrier_wait_raw", "tvm_builtin_cuda_mbarrier_wait_raw_u32", "unsigned int address, int phase", "", kWaitBody, 2},
    Builtin{"cuda.mbarrier_wait_acquire_cluster", "tvm_builtin_cuda_mbarrier_wait_acquire_cluster", "void* barrier, int phase", "",
            R"(  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT_AC:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra.uni DONE_AC;\n"
      "bra.uni LAB_WAIT_AC;\n"
      "DONE_AC:\n"
      "}\n"
      :: "r"((uint32_t)__cvta_generic_to_shared(barrier)), "r"(phase) : "memory");
)",
            2},
    Builtin{"cuda.elect_sync", "tvm_builtin_elect_one_sync_op", "", "uint32",
            R"(  uint32_t elected = 0;
  asm volatile("{ .reg .pred p; elect.sync _|p, %1; @p mov.s32 %0, 1; }" : "+r"(elected) : "r"(0xFFFFFFFFu));
  return elected;
)",
            0},
    Builtin{"cuda.cluster_sync", "tvm_builtin_cuda_cluster_sync", "", "",
            "  asm volatile(\"barrier.cluster.arrive.aligned;\" ::: \"memory\");\n  asm volatile(\"barrier.cluster.wait.aligned;\" ::: \"memory\");\n", 0},
    Builtin{"cuda.warpgroup_sync", "tvm_builtin_cuda_warpgroup_sync", "int name_bar_id", "",
            "  asm volatile(\"bar.sync %0, 128;\" :: \"r\"(name_bar_id) : \"memory\");\n", 1},
    Builtin{"cuda.cta_sync", "__syncthreads", "", "", "", 0},
    Builtin{"cuda.warp_sync", "__syncwarp", "", "", "", 0},
    Builtin{"cuda.thread_fence", "__threadfence", "", "", "", 0},
    Builtin{"cuda.nano_sleep", "__nanosleep", "", "", "", 1},
    Builtin{"cuda.syncthreads_and", "__syncthreads_and", "", "int32", "", 1},
    Builtin{"cuda.syncthreads_or", "__syncthreads_or", "", "int32", "", 1},
    Builtin{"cuda.__shfl_sync", "__shfl_sync", "", "=1", "", 4},
    Builtin{"cuda.__shfl_up_sync", "__shfl_up_sync", "", "=1", "", 4},
    Builtin{"cuda.__shfl_down_sync", "__shfl_down_sync", "", "=1", "", 4},
    Builtin{"cuda.__shfl_xor_sync", "__shfl_xor_sync", "", "=1", "", 4},
    Builtin{"cuda.__activemask", "__activemask", "", "uint32", "", 0},
    Builtin{"cuda.any_sync", "__any_sync", "", "int32", "", 2},
    Builtin{"cuda.ballot_sync", "__ballot_sync", "", "uint32", "", 2},
    Builtin{"cuda.reduce_add_sync_u32", "__reduce_add_sync", "", "uint32", "", 2},
    Builtin{"cuda.reduce_min_sync_u32", "__reduce_min_sync", "", "uint32", "", 2},
    Builtin{"cuda.ffs_u32", "__ffs", "", "int32", "", 1},
    Builtin{"cuda.thread_rank", "tvm_builtin_cuda_thread_rank", "", "int32",
            "  return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));\n", 0},

    // --- addresses and bits
    Builtin{"cuda.cvta_generic_to_shared", "tvm_builtin_cuda_cvta_generic_to_shared", "const void* p", "uint32",
            "  return (uint32_t)__cvta_generic_to_shared(p);\n", 1},
    Builtin{"cuda.smem_addr_from_uint64", "tvm_builtin_cuda_smem_addr_from_uint64", "uint64_t cluster_addr", "uint32", "  return (uint32_t)cluster_addr;\n", 1},
    Builtin{"cuda.uint_as_float", "__uint_as_float", "", "float32", "", 1},
    Builtin{"cuda.float_as_uint", "__float_as_uint", "", "uint32", "", 1},
    Builtin{"cuda.half2float", "__half2float", "", "float32", "", 1},
    Builtin{"cuda.bfloat162float", "__bfloat162float", "", "float32", "", 1},
    Builtin{"cuda.fdividef", "__fdividef", "", "float32", "", 2},
    Builtin{"cuda.atomic_add", "atomicAdd", "", "=1", "", 2},
    Builtin{"cuda.atomic_cas", "atomicCAS", "", "=1", "", 3},
    Builtin{"cuda.make_float2", "tvm_builtin_make_float2", "float x, float y", "uint64",
            "  return (uint64_t)__float_as_uint(y) << 32 | __float_as_uint(x);\n", 2},
    Builtin{"cuda.float2_x", "tvm_builtin_float2_x", "uint64_t packed", "float32", "  return __uint_as_float((uint32_t)packed);\n", 1},
    Builtin{"cuda.float2_y", "tvm_builtin_float2_y", "uint64_t packed", "float32", "  return __uint_as_float((uint32_t)(packed >> 32));\n", 1},
    Builtin{"cuda.float22half2", "tvm_builtin_cuda_float22half2", "void* dst, void* src", "", "  *(half2*)dst = __float22half2_rn(*(float2*)src);\n", 2},
    Builtin{"cuda.half8tofloat8", "tvm_builtin_cuda_half8tofloat8", "void* src, void* dst", "",
            "  for (int i = 0; i < 4; ++i) ((float2*)dst)[i] = __half22float2(((half2*)src)[i]);\n", 2},
    Builtin{"cuda.float8tohalf8", "tvm_builtin_cuda_float8tohalf8", "void* src, void* dst", "",
            "  for (int i = 0; i < 4; ++i) ((half2*)dst)[i] = __float22half2_rn(((float2*)src)[i]);\n", 2},
};

constexpr std::array kMath{"exp",  "exp2", "exp10", "log",  "log2",  "log10", "log1p", "sqrt", "rsqrt", "sin",       "cos",
                           "tan",  "sinh", "cosh",  "tanh", "asin",  "acos",  "atan",  "fabs", "floor", "ceil",      "trunc",
                           "erf",  "pow",  "fmod",  "fma",  "atan2", "hypot", "round", "fmin", "fmax",  "nearbyint"};

} // namespace

const Builtin* find_builtin(std::string_view op) {
    const auto* found = std::find_if(kBuiltins.begin(), kBuiltins.end(), [&](const Builtin& b) { return b.op == op; });
    return found == kBuiltins.end() ? nullptr : found;
}

std::string builtin_source(const Builtin& builtin) {
    if (builtin.op == "cuda.mbarrier_wait") {
        // A generic pointer is turned into an address first; the loop is the same.
        return fmt::format("__forceinline__ __device__ void {}({}) {{\n  const uint32_t address = (uint32_t)__cvta_generic_to_shared(barrier);\n{}}}\n",
                           builtin.helper, builtin.parameters, kWaitBody);
    }
    if (builtin.body.empty()) return {};
    const auto type = c_type_from_name(builtin.returns);
    const std::string returns = type ? spelling(*type) : std::string("void");
    return fmt::format("__forceinline__ __device__ {} {}({}) {{\n{}}}\n", returns, builtin.helper, builtin.parameters, builtin.body);
}

std::string math_function(std::string_view op, DType dtype) {
    if (op == "abs") op = "fabs";
    if (op == "power") op = "pow";
    if (std::find(kMath.begin(), kMath.end(), op) == kMath.end()) return {};
    return dtype == DType::Fp64 ? std::string(op) : std::string(op) + "f";
}

} // namespace ls::codegen::cuda
