// The table of PTX instructions, the helpers that follow from it, and which of them a call means.
#include "core/codegen/cuda/ptx_family.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/codegen/nvcc.h"

namespace ls::codegen::cuda {
namespace {

std::string text_of(std::string_view row, std::vector<std::string> modifiers) {
    const auto found = resolve_family(row, modifiers);
    return found.ok() ? helper_source(*found) : found.error().message;
}

PtxArgument argument(DType dtype) { return {value_of(dtype), {}, 0}; }
PtxArgument number(std::int64_t value) { return {value_of(DType::Int32), value, 0}; }
PtxArgument address() { return {kVoidPointer, {}, 0}; }

std::string meant(std::string_view text, std::vector<PtxArgument> arguments, bool guarded = false, bool keeps = false) {
    const auto found = resolve_ptx(split_ptx(text), arguments, guarded, keeps);
    return found.ok() ? helper_name(*found) : found.error().code + ": " + found.error().message;
}

TEST(PtxFamily, NamesAreUniqueAndRowsAreWhole) {
    std::set<std::string_view> names;
    for (const Family& f : ptx_families()) {
        EXPECT_TRUE(names.insert(f.row->name).second) << f.row->name;
        for (const Operand& o : f.operands) {
            const bool has_type = o.kind == Operand::Kind::Register || o.kind == Operand::Kind::Predicate;
            EXPECT_EQ(o.type.empty(), !has_type) << f.row->name;
            if (o.only_with.empty()) continue;
            const bool written = std::any_of(f.modifiers.begin(), f.modifiers.end(), [&](const Modifier& m) { return std::find(m.choices.begin(), m.choices.end(), o.only_with) != m.choices.end(); });
            EXPECT_TRUE(written) << f.row->name << " has an operand for " << o.only_with << ", which it never writes";
        }
    }
    EXPECT_GT(names.size(), 100U);
}

TEST(PtxFamily, AssemblyTextsOfTheSpecification) {
    EXPECT_NE(text_of("tcgen05_alloc", {"alloc", "cta_group::1", "sync", "aligned", "shared::cta", "b32"})
                  .find("asm volatile(\"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;\" :  : \"r\"(a0), \"r\"(a1) : \"memory\");"),
              std::string::npos);
    EXPECT_NE(text_of("tcgen05_mma_ss", {"mma", "cta_group::1", "kind::f16"})
                  .find("{ .reg .pred ps0; setp.ne.b32 ps0, %8, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, {%4, %5, %6, %7}, ps0; }"),
              std::string::npos);
    EXPECT_NE(text_of("tcgen05_mma_ss", {"mma", "cta_group::2", "kind::f16"}).find("setp.ne.b32 ps0, %12, 0;"), std::string::npos);
    EXPECT_NE(text_of("tcgen05_mma_ts", {"mma", "cta_group::1", "kind::f16"}).find("[%0], [%1], %2, %3,"), std::string::npos);
    EXPECT_NE(text_of("tcgen05_mma_ws_ss", {"mma", "ws", "cta_group::1", "kind::f16"})
                  .find("setp.ne.b32 ps0, %4, 0; tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, ps0, %5; }"),
              std::string::npos);
    EXPECT_NE(text_of("tcgen05_mma_block_scale_ss", {"mma", "cta_group::1", "kind::mxf8f6f4", "block_scale", "scale_vec::1X"})
                  .find("setp.ne.b32 ps0, %6, 0; tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%0], %1, %2, %3, [%4], [%5], ps0; }"),
              std::string::npos);
    EXPECT_NE(text_of("tcgen05_ld", {"ld", "sync", "aligned", "32x32b", "x4", "b32"}).find("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0, %1, %2, %3}, [%4];"), std::string::npos);
    EXPECT_NE(text_of("tcgen05_st", {"st", "sync", "aligned", "16x64b", "x1", "b32"}).find("tcgen05.st.sync.aligned.16x64b.x1.b32 [%0], {%1};"), std::string::npos);
    EXPECT_NE(text_of("mbarrier_arrive_expect_tx", {"arrive", "expect_tx", "shared", "b64"}).find("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"), std::string::npos);
    EXPECT_NE(text_of("cp_async_bulk_tensor_g2s_cluster", {"async", "bulk", "tensor", "3d", "shared::cluster", "global", "mbarrier::complete_tx::bytes", "cta_group::1"})
                  .find("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::1 [%0], [%1, {%2, %3, %4}], [%5];"),
              std::string::npos);
    EXPECT_NE(text_of("elect_sync", {}).find("elect.sync %0|pd0, %2; selp.b32 %1, 1, 0, pd0; }"), std::string::npos);
}

TEST(PtxFamily, MemoryIsClobberedByAddressesAndFencesButNotByTensorMemory) {
    EXPECT_EQ(text_of("tcgen05_mma_ss", {"mma", "cta_group::1", "kind::f16"}).find("\"memory\""), std::string::npos);
    EXPECT_EQ(text_of("tcgen05_ld", {"ld", "sync", "aligned", "32x32b", "x1", "b32"}).find("\"memory\""), std::string::npos);
    EXPECT_NE(text_of("fence_proxy", {"proxy", "async"}).find("\"memory\""), std::string::npos);
    EXPECT_NE(text_of("ldmatrix", {"sync", "aligned", "m8n8", "x4", "shared", "b16"}).find("\"memory\""), std::string::npos);
}

TEST(PtxResolve, OperandsDecideBetweenFamilies) {
    const std::vector<PtxArgument> ss{argument(DType::UInt32), argument(DType::UInt64), argument(DType::UInt64), argument(DType::UInt32), number(0), number(0), number(0), number(0), argument(DType::Bool)};
    std::vector<PtxArgument> ts = ss;
    ts[1] = argument(DType::UInt32);
    EXPECT_EQ(meant("tcgen05.mma.cta_group::1.kind::f16", ss), "tvm_builtin_ptx_tcgen05_mma_ss_mma_cta_group__1_kind__f16");
    EXPECT_EQ(meant("tcgen05.mma.cta_group::1.kind::f16", ts), "tvm_builtin_ptx_tcgen05_mma_ts_mma_cta_group__1_kind__f16");
    EXPECT_EQ(meant("mbarrier.arrive.shared.b64", {address()}), "tvm_builtin_ptx_mbarrier_arrive_nocount_arrive_shared_b64");
    EXPECT_EQ(meant("mbarrier.arrive.shared.b64", {address(), number(3)}), "tvm_builtin_ptx_mbarrier_arrive_arrive_shared_b64");
    EXPECT_EQ(meant("mbarrier.arrive.shared.b64", {argument(DType::UInt64), address()}), "tvm_builtin_ptx_mbarrier_arrive_state_arrive_shared_b64");
    // One mnemonic, three shapes: pack, unpack, move.
    EXPECT_EQ(meant("mov.b64", {argument(DType::UInt64), argument(DType::Fp32), argument(DType::Fp32)}), "tvm_builtin_ptx_mov_pack_b32x2_b64_u64_f32");
    EXPECT_EQ(meant("mov.b64", {argument(DType::UInt32), argument(DType::UInt32), argument(DType::UInt64)}), "tvm_builtin_ptx_mov_unpack_b32x2_b64");
    EXPECT_EQ(meant("mov.b64", {argument(DType::UInt64), argument(DType::UInt64)}), "tvm_builtin_ptx_mov_b64");
    EXPECT_EQ(meant("cp.async.cg.shared.global", {address(), address(), number(16), argument(DType::Bool)}), "tvm_builtin_ptx_cp_async_cg_ignore_src_async_cg_shared_global_16");
    EXPECT_EQ(meant("cp.async.cg.shared.global", {address(), address(), number(16), argument(DType::UInt32)}), "tvm_builtin_ptx_cp_async_cg_src_size_async_cg_shared_global_16");
}

TEST(PtxResolve, NamesSayTypesConstantsGuardsAndDisplacements) {
    EXPECT_EQ(meant("ld.global.b32", {argument(DType::Fp32), address()}), "tvm_builtin_ptx_ld_global_b32_f32");
    EXPECT_EQ(meant("ld.global.b32", {argument(DType::UInt32), address()}), "tvm_builtin_ptx_ld_global_b32");
    EXPECT_EQ(meant("ld.global.b32", {argument(DType::UInt32), address()}, true), "tvm_builtin_ptx_ld_global_b32_pred_undef");
    EXPECT_EQ(meant("ld.global.b32", {argument(DType::UInt32), address()}, true, true), "tvm_builtin_ptx_ld_global_b32_pred_keep");
    EXPECT_EQ(meant("st.global.u32", {{kVoidPointer, {}, 16}, argument(DType::UInt32)}, true), "tvm_builtin_ptx_st_global_u32_addr0_p16_pred");
    EXPECT_EQ(meant("setmaxnreg.inc.sync.aligned.u32", {number(240)}), "tvm_builtin_ptx_setmaxnreg_inc_sync_aligned_u32_240");
    // As authors write modifiers in Python: keywords with an underscore, colons as two, in any order.
    EXPECT_EQ(meant("fence.proxy.async_.shared__cta", {}), "tvm_builtin_ptx_fence_proxy_proxy_async_shared__cta");
    EXPECT_EQ(meant("shfl_sync.idx.b32", {argument(DType::UInt32), argument(DType::UInt32), number(0), number(31), number(-1)}), "tvm_builtin_ptx_shfl_sync_idx_b32");
}

TEST(PtxResolve, SaysWhatIsWrong) {
    EXPECT_EQ(meant("tcgen05.mma.cta_group::3.kind::f16", {}), "CG_CUDA_PTX: no instruction tcgen05.mma.cta_group::3.kind::f16 is known here");
    EXPECT_EQ(meant("tcgen05.ld.sync.aligned.32x32b.x4.b32", {address()}), "CG_CUDA_PTX: tcgen05.ld.sync.aligned.32x32b.x4.b32: it takes 5 operands, not 1");
    // 256 registers: a thread has no more than 128 in one load.
    EXPECT_EQ(meant("tcgen05.ld.sync.aligned.16x256b.x64.b32", {}), "CG_CUDA_PTX: no instruction tcgen05.ld.sync.aligned.16x256b.x64.b32 is known here");
    EXPECT_EQ(meant("ld.global.f32", {argument(DType::UInt32), address()}), "CG_CUDA_PTX: ld.global.f32: an operand has a type that it does not take");
}

TEST(PtxResolve, KnowsWhereAnInstructionExists) {
    const auto missing = [](std::string_view family, std::vector<std::string> modifiers, std::string_view arch) {
        const auto found = resolve_family(family, modifiers);
        return found.ok() ? missing_on(*found, arch).value_or("") : found.error().message;
    };
    const std::vector<std::string> mma{"mma", "cta_group::1", "kind::f16"};
    EXPECT_EQ(missing("tcgen05_mma_ss", mma, "sm_100a"), "");
    EXPECT_EQ(missing("tcgen05_mma_ss", mma, "sm_103a"), "");
    EXPECT_EQ(missing("tcgen05_mma_ss", mma, "sm_100"), "needs sm_100a or its like (sm_103a, sm_110a)");
    EXPECT_EQ(missing("tcgen05_mma_ss", mma, "sm_120a"), "needs sm_100a or its like (sm_103a, sm_110a)");
    EXPECT_EQ(missing("wgmma_fence", {"fence", "sync", "aligned"}, "sm_100a"), "exists on sm_90a alone; later chips have tcgen05 instead");
    EXPECT_EQ(missing("wgmma_fence", {"fence", "sync", "aligned"}, "sm_90a"), "");
    const std::vector<std::string> copy{"async", "bulk", "tensor", "2d", "shared::cluster", "global", "mbarrier::complete_tx::bytes"};
    std::vector<std::string> grouped = copy;
    grouped.emplace_back("cta_group::1");
    EXPECT_EQ(missing("cp_async_bulk_tensor_g2s_cluster", copy, "sm_90a"), "");
    EXPECT_EQ(missing("cp_async_bulk_tensor_g2s_cluster", grouped, "sm_90a"), "needs sm_100 or above");
}

/// Forms of a family to be assembled: the first one, unless the instruction does not exist with the first of everything.
std::vector<std::vector<std::string>> forms_of(const Family& f) {
    struct Form {
        std::string_view family;
        std::vector<std::string> modifiers;
    };
    static const std::vector<Form> chosen{
        {"tcgen05_cp", {"cp", "cta_group::1", "32x128b", "warpx4"}},
        {"tcgen05_cp", {"cp", "cta_group::2", "64x128b", "warpx2::02_13"}},
        {"tcgen05_cp", {"cp", "cta_group::1", "128x256b"}},
        {"tcgen05_ld", {"ld", "sync", "aligned", "16x256b", "x32", "b32"}},
        {"tcgen05_ld", {"ld", "sync", "aligned", "16x128b", "x64", "pack::16b", "b32"}},
        {"tcgen05_mma_ss", {"mma", "cta_group::2", "kind::f8f6f4"}},
        {"tcgen05_mma_ss", {"mma", "cta_group::1", "kind::tf32"}},
        {"tcgen05_mma_block_scale_ss", {"mma", "cta_group::1", "kind::mxf4nvf4", "block_scale", "scale_vec::4X"}},
        {"tcgen05_mma_block_scale_block_ss", {"mma", "cta_group::1", "kind::mxf8f6f4", "block_scale", "block32"}},
        {"tcgen05_mma_block_scale_block_ts", {"mma", "cta_group::1", "kind::mxf4nvf4", "block_scale", "block16"}},
        {"cp_async_bulk_tensor_g2s_cluster", {"async", "bulk", "tensor", "5d", "shared::cluster", "global", "tile", "mbarrier::complete_tx::bytes", "multicast::cluster", "L2::cache_hint"}},
        {"cp_async_bulk_tensor_g2s_cluster", {"async", "bulk", "tensor", "2d", "shared::cluster", "global", "tile::gather4", "mbarrier::complete_tx::bytes"}},
        {"cp_async_bulk_tensor_s2g", {"async", "bulk", "tensor", "3d", "global", "shared::cta", "tile", "bulk_group"}},
        {"cp_async_cg", {"async", "cg", "shared", "global", "L2::cache_hint", "L2::128B"}},
        {"fence", {"acq_rel", "cluster"}},
        {"fence_proxy", {"proxy", "async", "shared::cta"}},
        {"prefetch", {"tensormap"}},
        {"prefetch", {"global", "L2"}},
        {"mbarrier_try_wait_parity", {"try_wait", "parity", "acquire", "cta", "shared::cta", "b64"}},
        {"mma", {"sync", "aligned", "m16n8k16", "row", "col", "f32", "bf16", "bf16", "f32"}},
        {"mma", {"sync", "aligned", "m16n8k8", "row", "col", "f32", "tf32", "tf32", "f32"}},
        {"mma_f16acc", {"sync", "aligned", "m16n8k16", "row", "col", "f16", "f16", "f16", "f16"}},
        {"mma_int", {"sync", "aligned", "m16n8k32", "row", "col", "satfinite", "s32", "s8", "u8", "s32"}},
        {"ld", {"global", "nc", "L1::no_allocate", "L2::cache_hint", "L2::128B", "u32"}},
        {"ld", {"acquire", "gpu", "global", "b16"}},
        {"ld", {"shared", "u8"}},
        {"ld_vec", {"global", "v4", "f32"}},
        {"ld_vec256", {"global", "v8", "b32"}},
        {"st", {"shared", "b16"}},
        {"st_vec256", {"global", "v4", "b64"}},
        {"add", {"rn", "ftz", "f32x2"}},
        {"max3", {"ftz", "f32"}},
        {"atom", {"relaxed", "gpu", "global", "add", "f32"}},
    };
    std::vector<std::vector<std::string>> forms;
    for (const Form& c : chosen) {
        if (c.family == f.row->name) forms.push_back(c.modifiers);
    }
    if (!forms.empty()) return forms;
    std::vector<std::string> first;
    for (const Modifier& m : f.modifiers) {
        const bool space = std::find(m.choices.begin(), m.choices.end(), "shared::cta") != m.choices.end() || m.choices.front() == "shared::cluster";
        if (!m.optional || (space && m.choices.front().starts_with("shared"))) first.emplace_back(m.choices.front());
    }
    return {first};
}

/// The helper, and a kernel that calls it with its own parameters.
std::string called(const PtxInstruction& instruction, std::size_t number) {
    const std::string source = helper_source(instruction);
    const std::size_t open = source.find('('), close = source.find(')');
    std::string declared = source.substr(open + 1, close - open - 1), passed;
    declared.erase(std::remove(declared.begin(), declared.end(), '&'), declared.end());
    for (std::size_t at = 0; at < declared.size();) {
        const std::size_t comma = std::min(declared.find(", ", at), declared.size());
        const std::size_t name = declared.rfind(' ', comma - 1) + 1;
        passed += (passed.empty() ? "" : ", ") + declared.substr(name, comma - name);
        at = comma + 2;
    }
    return fmt::format("{}extern \"C\" __global__ void k{}({}) {{ {}({}); }}\n", source, number, declared, helper_name(instruction), passed);
}

std::string every_helper(std::string_view arch, std::set<std::string>& names) {
    std::string source = "#include <cstdint>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n";
    for (const Family& f : ptx_families()) {
        for (const auto& modifiers : forms_of(f)) {
            auto instruction = resolve_family(f.row->name, modifiers);
            EXPECT_TRUE(instruction.ok()) << (instruction.ok() ? "" : instruction.error().message);
            if (!instruction.ok() || missing_on(*instruction, arch)) continue;
            for (const Operand& o : f.operands) {
                const bool bytes = f.row->name.starts_with("cp_async_c");
                if (o.kind == Operand::Kind::Immediate) instruction->constants.emplace_back(f.row->name == "setmaxnreg" ? "32" : bytes ? "16" : "0");
            }
            if (names.insert(helper_name(*instruction)).second) source += called(*instruction, names.size());
        }
    }
    return source;
}

TEST(PtxHelpers, EveryFamilyAssembles) {
    if (!nvcc_found()) GTEST_SKIP() << "nvcc is not on this machine";
    for (const char* arch : {"sm_100a", "sm_90a"}) {
        std::set<std::string> names;
        const std::string source = every_helper(arch, names);
        EXPECT_GT(names.size(), arch == std::string("sm_100a") ? 120U : 80U);
        EXPECT_EQ(assemble({{"helpers.cu", source, {}}}, arch), "") << arch;
    }
}

} // namespace
} // namespace ls::codegen::cuda
