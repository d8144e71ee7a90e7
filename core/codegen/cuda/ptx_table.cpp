// The rows of ptx_family.h, by what they do. Names are those that kernels of the reference carry.
#include <array>

#include "core/codegen/cuda/ptx_family.h"

namespace ls::codegen::cuda {

namespace {

using enum Needs;

constexpr std::array kRows{
    // --- tensor memory and the fifth-generation tensor core
    FamilyRow{"tcgen05_alloc", "tcgen05", "alloc cta_group::1|cta_group::2 sync aligned shared::cta? b32", "[s] u32", Blackwell, true},
    FamilyRow{"tcgen05_dealloc", "tcgen05", "dealloc cta_group::1|cta_group::2 sync aligned b32", "u32 u32", Blackwell, true},
    FamilyRow{"tcgen05_relinquish_alloc_permit", "tcgen05", "relinquish_alloc_permit cta_group::1|cta_group::2 sync aligned", "", Blackwell, true},
    FamilyRow{"tcgen05_ld", "tcgen05", "ld sync aligned 16x64b|16x128b|16x256b|32x32b x1|x2|x4|x8|x16|x32|x64|x128 pack::16b? b32", "{=b32*tmem} [t]", Blackwell},
    FamilyRow{"tcgen05_ld_split", "tcgen05", "ld sync aligned 16x32bx2 x1|x2|x4|x8|x16|x32|x64|x128 pack::16b? b32", "{=b32*tmem} [t] #", Blackwell},
    FamilyRow{"tcgen05_st", "tcgen05", "st sync aligned 16x64b|16x128b|16x256b|32x32b x1|x2|x4|x8|x16|x32|x64|x128 unpack::16b? b32", "[t] {b32*tmem}", Blackwell},
    FamilyRow{"tcgen05_st_split", "tcgen05", "st sync aligned 16x32bx2 x1|x2|x4|x8|x16|x32|x64|x128 unpack::16b? b32", "[t] # {b32*tmem}", Blackwell},
    FamilyRow{"tcgen05_wait", "tcgen05", "wait::ld|wait::st sync aligned", "", Blackwell, true},
    FamilyRow{"tcgen05_cp", "tcgen05", "cp cta_group::1|cta_group::2 128x256b|4x256b|128x128b|64x128b|32x128b warpx2::02_13|warpx2::01_23|warpx4? b8x16? b6x16_p32|b4x16_p64?", "[t] b64", Blackwell},
    FamilyRow{"tcgen05_mma_ss", "tcgen05", "mma cta_group::1|cta_group::2 kind::f16|kind::tf32|kind::f8f6f4|kind::i8", "[t] u64 u64 u32 {u32*mask} p", Blackwell},
    FamilyRow{"tcgen05_mma_ts", "tcgen05", "mma cta_group::1|cta_group::2 kind::f16|kind::tf32|kind::f8f6f4|kind::i8", "[t] [t] u64 u32 {u32*mask} p", Blackwell},
    FamilyRow{"tcgen05_mma_block_scale_ss", "tcgen05", "mma cta_group::1|cta_group::2 kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4 block_scale scale_vec::1X|scale_vec::2X|scale_vec::4X", "[t] u64 u64 u32 [t] [t] p", Blackwell},
    FamilyRow{"tcgen05_mma_block_scale_ts", "tcgen05", "mma cta_group::1|cta_group::2 kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4 block_scale scale_vec::1X|scale_vec::2X|scale_vec::4X", "[t] [t] u64 u32 [t] [t] p", Blackwell},
    FamilyRow{"tcgen05_mma_block_scale_block_ss", "tcgen05", "mma cta_group::1|cta_group::2 kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4 block_scale block16|block32", "[t] u64 u64 u32 [t] [t] p", Blackwell},
    FamilyRow{"tcgen05_mma_block_scale_block_ts", "tcgen05", "mma cta_group::1|cta_group::2 kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4 block_scale block16|block32", "[t] [t] u64 u32 [t] [t] p", Blackwell},
    FamilyRow{"tcgen05_mma_ws_ss", "tcgen05", "mma ws cta_group::1 kind::f16|kind::tf32|kind::f8f6f4|kind::i8", "[t] u64 u64 u32 p u64", Blackwell},
    FamilyRow{"tcgen05_mma_ws_ts", "tcgen05", "mma ws cta_group::1 kind::f16|kind::tf32|kind::f8f6f4|kind::i8", "[t] [t] u64 u32 p u64", Blackwell},
    FamilyRow{"tcgen05_fence", "tcgen05", "fence::before_thread_sync|fence::after_thread_sync", "", Blackwell, true},
    FamilyRow{"tcgen05_commit", "tcgen05", "commit cta_group::1|cta_group::2 mbarrier::arrive::one shared::cluster? b64", "[s]", Blackwell, true},
    FamilyRow{"tcgen05_commit_multicast", "tcgen05", "commit cta_group::1|cta_group::2 mbarrier::arrive::one shared::cluster? multicast::cluster b64", "[s] u16", Blackwell, true},

    // --- barriers in shared memory
    FamilyRow{"mbarrier_init", "mbarrier", "init shared|shared::cta? b64", "[a] u32"},
    FamilyRow{"mbarrier_inval", "mbarrier", "inval shared|shared::cta? b64", "[a]"},
    FamilyRow{"mbarrier_arrive_nocount", "mbarrier", "arrive release|relaxed? cta|cluster? shared|shared::cta|shared::cluster? b64", "_ [a]"},
    FamilyRow{"mbarrier_arrive", "mbarrier", "arrive release|relaxed? cta|cluster? shared|shared::cta|shared::cluster? b64", "_ [a] u32"},
    FamilyRow{"mbarrier_arrive_drop_nocount", "mbarrier", "arrive_drop release|relaxed? cta|cluster? shared|shared::cta|shared::cluster? b64", "_ [a]"},
    FamilyRow{"mbarrier_arrive_drop", "mbarrier", "arrive_drop release|relaxed? cta|cluster? shared|shared::cta|shared::cluster? b64", "_ [a] u32"},
    FamilyRow{"mbarrier_arrive_expect_tx", "mbarrier", "arrive expect_tx release|relaxed? cta|cluster? shared|shared::cta|shared::cluster? b64", "_ [a] u32"},
    FamilyRow{"mbarrier_arrive_drop_expect_tx", "mbarrier", "arrive_drop expect_tx release|relaxed? cta|cluster? shared|shared::cta|shared::cluster? b64", "_ [a] u32"},
    FamilyRow{"mbarrier_arrive_state", "mbarrier", "arrive release|relaxed? cta|cluster? shared|shared::cta? b64", "=b64i [a]"},
    FamilyRow{"mbarrier_arrive_count_state", "mbarrier", "arrive release|relaxed? cta|cluster? shared|shared::cta? b64", "=b64i [a] u32"},
    FamilyRow{"mbarrier_arrive_expect_tx_state", "mbarrier", "arrive expect_tx release|relaxed? cta|cluster? shared|shared::cta? b64", "=b64i [a] u32"},
    FamilyRow{"mbarrier_test_wait_parity", "mbarrier", "test_wait parity acquire|relaxed? cta|cluster? shared|shared::cta? b64", "=p [a] u32", Sm90},
    FamilyRow{"mbarrier_try_wait_parity", "mbarrier", "try_wait parity acquire|relaxed? cta|cluster? shared|shared::cta? b64", "=p [a] u32 u32", Sm90},
    FamilyRow{"mbarrier_try_wait_parity_no_hint", "mbarrier", "try_wait parity acquire|relaxed? cta|cluster? shared|shared::cta? b64", "=p [a] u32", Sm90},
    FamilyRow{"mbarrier_test_wait", "mbarrier", "test_wait acquire|relaxed? cta|cluster? shared|shared::cta? b64", "=p [a] b64i"},
    FamilyRow{"mbarrier_try_wait", "mbarrier", "try_wait acquire|relaxed? cta|cluster? shared|shared::cta? b64", "=p [a] b64i", Sm90},
    FamilyRow{"mbarrier_expect_tx", "mbarrier", "expect_tx relaxed? cta|cluster? shared|shared::cta|shared::cluster? b64", "[a] u32", Sm90},
    FamilyRow{"mbarrier_complete_tx", "mbarrier", "complete_tx relaxed? cta|cluster? shared|shared::cta|shared::cluster? b64", "[a] u32", Sm90},

    // --- asynchronous copies
    FamilyRow{"cp_async_wait_group", "cp", "async wait_group", "#", Sm80, true},
    FamilyRow{"cp_async_wait_all", "cp", "async wait_all", "", Sm80, true},
    FamilyRow{"cp_async_commit_group", "cp", "async commit_group", ""},
    FamilyRow{"cp_async_ca", "cp", "async ca shared|shared::cta global L2::cache_hint? L2::64B|L2::128B|L2::256B?", "[s] [g] # L2::cache_hint?u64"},
    FamilyRow{"cp_async_cg", "cp", "async cg shared|shared::cta global L2::cache_hint? L2::64B|L2::128B|L2::256B?", "[s] [g] # L2::cache_hint?u64"},
    FamilyRow{"cp_async_ca_src_size", "cp", "async ca shared|shared::cta global L2::cache_hint? L2::64B|L2::128B|L2::256B?", "[s] [g] # u32 L2::cache_hint?u64"},
    FamilyRow{"cp_async_cg_src_size", "cp", "async cg shared|shared::cta global L2::cache_hint? L2::64B|L2::128B|L2::256B?", "[s] [g] # u32 L2::cache_hint?u64"},
    FamilyRow{"cp_async_ca_ignore_src", "cp", "async ca shared|shared::cta global L2::cache_hint? L2::64B|L2::128B|L2::256B?", "[s] [g] # p L2::cache_hint?u64"},
    FamilyRow{"cp_async_cg_ignore_src", "cp", "async cg shared|shared::cta global L2::cache_hint? L2::64B|L2::128B|L2::256B?", "[s] [g] # p L2::cache_hint?u64"},
    FamilyRow{"cp_async_mbarrier_arrive", "cp", "async mbarrier arrive noinc? shared|shared::cta? b64", "[a]"},
    FamilyRow{"cp_async_bulk_commit_group", "cp", "async bulk commit_group", "", Sm90},
    FamilyRow{"cp_async_bulk_wait_group", "cp", "async bulk wait_group read?", "#", Sm90, true},
    FamilyRow{"cp_async_bulk_g2s_cta", "cp", "async bulk shared::cta global mbarrier::complete_tx::bytes L2::cache_hint?", "[s] [g] u32 [s] L2::cache_hint?u64", Sm90},
    FamilyRow{"cp_async_bulk_g2s_cluster", "cp", "async bulk shared::cluster global mbarrier::complete_tx::bytes multicast::cluster? L2::cache_hint?", "[s] [g] u32 [s] multicast::cluster?u16 L2::cache_hint?u64", Sm90},
    FamilyRow{"cp_async_bulk_s2c", "cp", "async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes", "[s] [s] u32 [s]", Sm90},
    FamilyRow{"cp_async_bulk_s2g", "cp", "async bulk global shared::cta bulk_group L2::cache_hint? cp_mask?", "[g] [s] u32 L2::cache_hint?u64 cp_mask?u16", Sm90},
    FamilyRow{"cp_async_bulk_prefetch", "cp", "async bulk prefetch L2 global L2::cache_hint?", "[g] u32 L2::cache_hint?u64", Sm90},
    FamilyRow{"cp_async_bulk_tensor_g2s_cluster", "cp", "async bulk tensor 1d|2d|3d|4d|5d shared::cluster global tile|tile::gather4? mbarrier::complete_tx::bytes multicast::cluster? cta_group::1|cta_group::2? L2::cache_hint?", "[s] [g,{s32*coords}] [s] multicast::cluster?u16 L2::cache_hint?u64", Sm90},
    FamilyRow{"cp_async_bulk_tensor_g2s_cta", "cp", "async bulk tensor 1d|2d|3d|4d|5d shared::cta global tile|tile::gather4? mbarrier::complete_tx::bytes cta_group::1|cta_group::2? L2::cache_hint?", "[s] [g,{s32*coords}] [s] L2::cache_hint?u64", Sm90},
    FamilyRow{"cp_async_bulk_tensor_s2g", "cp", "async bulk tensor 1d|2d|3d|4d|5d global shared::cta tile|tile::scatter4? bulk_group L2::cache_hint?", "[g,{s32*coords}] [s] L2::cache_hint?u64", Sm90},
    FamilyRow{"cp_reduce_async_bulk_tensor", "cp", "reduce async bulk tensor 1d|2d|3d|4d|5d global shared::cta add|min|max|inc|dec|and|or|xor tile? bulk_group L2::cache_hint?", "[g,{s32*coords}] [s] L2::cache_hint?u64", Sm90},
    FamilyRow{"cp_async_bulk_tensor_prefetch", "cp", "async bulk prefetch tensor 1d|2d|3d|4d|5d L2 global tile|tile::gather4? L2::cache_hint?", "[g,{s32*coords}] L2::cache_hint?u64", Sm90},
    FamilyRow{"prefetch", "prefetch", "global|local|const|param? L1|L2? L2::evict_last|L2::evict_normal? tensormap?", "[g]"},

    // --- fences and barriers of threads
    FamilyRow{"fence_mbarrier_init", "fence", "mbarrier_init release cluster", "", Sm90, true},
    FamilyRow{"fence_proxy", "fence", "proxy alias|async global|shared::cta|shared::cluster?", "", Sm90, true},
    FamilyRow{"fence_proxy_tensormap_release", "fence", "proxy tensormap::generic release cta|cluster|gpu|sys", "", Sm90, true},
    FamilyRow{"fence_proxy_tensormap_acquire", "fence", "proxy tensormap::generic acquire cta|cluster|gpu|sys", "[g] 128", Sm90, true},
    FamilyRow{"fence", "fence", "sc|acq_rel|acquire|release? cta|cluster|gpu|sys", "", Sm80, true},
    FamilyRow{"bar_sync", "bar", "cta? sync", "u32", Sm80, true},
    FamilyRow{"bar_sync_count", "bar", "cta? sync", "u32 u32", Sm80, true},
    FamilyRow{"bar_arrive", "bar", "cta? arrive", "u32 u32", Sm80, true},
    FamilyRow{"bar_warp_sync", "bar", "warp sync", "u32", Sm80, true},
    FamilyRow{"barrier_sync", "barrier", "cta? sync aligned?", "u32", Sm80, true},
    FamilyRow{"barrier_sync_count", "barrier", "cta? sync aligned?", "u32 u32", Sm80, true},
    FamilyRow{"barrier_arrive", "barrier", "cta? arrive aligned?", "u32 u32", Sm80, true},
    FamilyRow{"barrier_cluster_arrive", "barrier", "cluster arrive release|relaxed? aligned?", "", Sm90, true},
    FamilyRow{"barrier_cluster_wait", "barrier", "cluster wait acquire? aligned?", "", Sm90, true},
    FamilyRow{"griddepcontrol", "griddepcontrol", "launch_dependents|wait", "", Sm90, true},
    FamilyRow{"setmaxnreg", "setmaxnreg", "inc|dec sync aligned u32", "#", Accelerated, true},

    // --- within a warp and a cluster
    FamilyRow{"elect_sync", "elect.sync", "", "=b32i|=p u32", Sm90},
    FamilyRow{"shfl_sync", "shfl.sync", "up|down|bfly|idx b32", "=type type u32 u32 u32"},
    FamilyRow{"redux_sync", "redux.sync", "add|min|max u32|s32", "=type type u32"},
    FamilyRow{"redux_sync_bitwise", "redux.sync", "and|or|xor b32", "=b32i b32i u32"},
    FamilyRow{"redux_sync_f32", "redux.sync", "min|max abs? NaN? f32", "=type type u32", Blackwell},
    FamilyRow{"vote_sync_ballot", "vote.sync", "ballot b32", "=type p u32"},
    FamilyRow{"activemask", "activemask", "b32", "=type"},
    FamilyRow{"mapa", "mapa", "shared::cluster? u64", "=type ptr u32", Sm90, false, false},
    FamilyRow{"mapa_u32", "mapa", "shared::cluster u32", "=type u32 u32", Sm90, false, false},
    FamilyRow{"getctarank", "getctarank", "shared::cluster u32|u64", "=u32 type", Sm90, false, false},

    // --- matrices of a warp
    FamilyRow{"ldmatrix", "ldmatrix", "sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16", "{=b32*num} [a]"},
    FamilyRow{"ldmatrix_m16n16_b8", "ldmatrix", "sync aligned m16n16 x1|x2 trans shared|shared::cta? b8", "{=b32*num} [a]", Blackwell},
    FamilyRow{"stmatrix", "stmatrix", "sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16", "[a] {b32*num}", Sm90},
    FamilyRow{"stmatrix_m16n8_b8", "stmatrix", "sync aligned m16n8 x1|x2|x4 trans shared|shared::cta? b8", "[a] {b32*num}", Blackwell},
    FamilyRow{"mma", "mma", "sync aligned m16n8k4|m16n8k8|m16n8k16|m16n8k32 row col f32 f16|bf16|tf32|e4m3|e5m2 f16|bf16|tf32|e4m3|e5m2 f32", "{=f32*mma_c} {u32*mma_a} {u32*mma_b} {f32*mma_c}"},
    FamilyRow{"mma_f16acc", "mma", "sync aligned m16n8k8|m16n8k16|m16n8k32 row col f16 f16|e4m3|e5m2 f16|e4m3|e5m2 f16", "{=u32*mma_c} {u32*mma_a} {u32*mma_b} {u32*mma_c}"},
    FamilyRow{"mma_int", "mma", "sync aligned m16n8k16|m16n8k32 row col satfinite? s32 u8|s8 u8|s8 s32", "{=u32*mma_c} {u32*mma_a} {u32*mma_b} {u32*mma_c}"},
    FamilyRow{"wgmma_fence", "wgmma", "fence sync aligned", "", Hopper, true},
    FamilyRow{"wgmma_commit_group", "wgmma", "commit_group sync aligned", "", Hopper, true},
    FamilyRow{"wgmma_wait_group", "wgmma", "wait_group sync aligned", "#", Hopper, true},

    // --- plain loads, stores and atomics
    FamilyRow{"ld", "ld", "weak|acquire|relaxed|volatile? cta|cluster|gpu|sys? global|shared|shared::cta|shared::cluster|local? ca|cg|cs|lu|cv? nc? L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate? L2::cache_hint? L2::64B|L2::128B|L2::256B? b8|u8|s8|b16|u16|s16|b32|u32|s32|b64|u64|s64|f32|f64", "=type [a] L2::cache_hint?u64"},
    FamilyRow{"ld_vec", "ld", "weak|acquire|relaxed|volatile? cta|cluster|gpu|sys? global|shared|shared::cta|shared::cluster|local? ca|cg|cs|lu|cv? nc? L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate? L2::cache_hint? L2::64B|L2::128B|L2::256B? v2|v4 b8|u8|s8|b16|u16|s16|b32|u32|s32|b64|u64|s64|f32|f64", "{=type*vec} [a] L2::cache_hint?u64"},
    FamilyRow{"ld_vec256", "ld", "weak|acquire|relaxed|volatile? cta|cluster|gpu|sys? global? ca|cg|cs|lu|cv? nc? L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate? L2::evict_first|L2::evict_last|L2::evict_normal? L2::64B|L2::128B|L2::256B? v4|v8 b32|u32|s32|f32|b64|u64|s64|f64", "{=type*vec} [a]", Sm100},
    FamilyRow{"st", "st", "weak|release|relaxed|volatile? cta|cluster|gpu|sys? global|shared|shared::cta|shared::cluster|local? wb|cg|cs|wt? L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate? L2::cache_hint? b8|u8|s8|b16|u16|s16|b32|u32|s32|b64|u64|s64|f32|f64", "[a] type L2::cache_hint?u64"},
    FamilyRow{"st_vec", "st", "weak|release|relaxed|volatile? cta|cluster|gpu|sys? global|shared|shared::cta|shared::cluster|local? wb|cg|cs|wt? L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate? L2::cache_hint? v2|v4 b8|u8|s8|b16|u16|s16|b32|u32|s32|b64|u64|s64|f32|f64", "[a] {type*vec} L2::cache_hint?u64"},
    FamilyRow{"st_vec256", "st", "weak|release|relaxed|volatile? cta|cluster|gpu|sys? global? wb|cg|cs|wt? L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate? L2::evict_first|L2::evict_last|L2::evict_normal? v4|v8 b32|u32|s32|f32|b64|u64|s64|f64", "[a] {type*vec}", Sm100},
    FamilyRow{"atom", "atom", "relaxed|acquire|release|acq_rel? cta|cluster|gpu|sys? global|shared|shared::cta|shared::cluster? and|or|xor|add|inc|dec|min|max L2::cache_hint? b32|b64|u32|u64|s32|s64|f32|f64", "=type [a] type L2::cache_hint?u64"},
    FamilyRow{"red", "red", "relaxed|release? cta|cluster|gpu|sys? global|shared|shared::cta|shared::cluster? and|or|xor|add|inc|dec|min|max L2::cache_hint? b32|b64|u32|u64|s32|s64|f32|f64", "[a] type L2::cache_hint?u64"},

    // --- arithmetic that the elementwise and reduction variants use
    FamilyRow{"add", "add", "rn|rz|rm|rp? ftz? sat? f32|f64|f32x2", "=type type type", Sm80},
    FamilyRow{"sub", "sub", "rn|rz|rm|rp? ftz? sat? f32|f64|f32x2", "=type type type", Sm80},
    FamilyRow{"mul", "mul", "rn|rz|rm|rp? ftz? sat? f32|f64|f32x2", "=type type type", Sm80},
    FamilyRow{"fma", "fma", "rn|rz|rm|rp ftz? sat? f32|f64|f32x2", "=type type type type", Sm80},
    FamilyRow{"max", "max", "ftz? NaN? abs? f32|f64|u16|u32|u64|s16|s32|s64", "=type type type"},
    FamilyRow{"min", "min", "ftz? NaN? abs? f32|f64|u16|u32|u64|s16|s32|s64", "=type type type"},
    FamilyRow{"max3", "max", "ftz? NaN? abs? f32", "=type type type type", Sm100},
    FamilyRow{"min3", "min", "ftz? NaN? abs? f32", "=type type type type", Sm100},
    FamilyRow{"ex2", "ex2", "approx ftz? f32", "=type type"},
    FamilyRow{"rcp", "rcp", "approx|rn|rz|rm|rp ftz? f32|f64", "=type type"},
    FamilyRow{"cvt_f16x2_f32", "cvt", "rn|rz relu? satfinite? f16x2 f32", "=f16x2 f32 f32"},
    FamilyRow{"cvt_bf16x2_f32", "cvt", "rn|rz relu? satfinite? bf16x2 f32", "=bf16x2 f32 f32"},
    FamilyRow{"cvt_f8x2_f32", "cvt", "rn satfinite relu? e4m3x2|e5m2x2 f32", "=u16 f32 f32", Sm90},
    FamilyRow{"cvt_f16x2_f8x2", "cvt", "rn relu? f16x2 e4m3x2|e5m2x2", "=f16x2 u16", Sm90},
    FamilyRow{"mov_pack_b32x2", "mov", "b64", "=b64 {b32*2}", Sm80, false, false},
    FamilyRow{"mov_unpack_b32x2", "mov", "b64", "{=b32*2} b64", Sm80, false, false},
    FamilyRow{"mov", "mov", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "=type type", Sm80, false, false},
};

} // namespace

std::span<const FamilyRow> ptx_rows() { return kRows; }

} // namespace ls::codegen::cuda
