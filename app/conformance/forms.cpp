#include "app/conformance/forms.h"

#include <array>

namespace ls::conformance {

std::span<const Form> forms() {
    // family, file stem, how a file of another name is recognised, runner
    static const std::vector<Form> table{
        {"ub", "partition", looks_like_ub_partition, run_ub_partition},
        {"ub", "vstep", looks_like_ub_vstep, run_ub_vstep},
        {"ub", "work", looks_like_ub_work, run_ub_work},
        {"ub", "liveness", looks_like_ub_liveness, run_ub_liveness},
        {"ub", "tiling_data", looks_like_ub_tiling_data, run_ub_tiling_data},
        {"ub", "platforms", looks_like_ub_platforms, run_ub_platforms},
        {"ub", "hazards", looks_like_ub_hazards, run_ub_hazards},
        {"ub", "real_examples", looks_like_ub_real_examples, run_ub_real_examples},
        {"ub", "whatif_layouts", looks_like_ub_whatif_layouts, run_ub_whatif_layouts},
        {"tirx", "layout_apply", looks_like_tirx_layout, run_tirx_layout},
        {"tirx", "layout_canonicalize", looks_like_tirx_layout, run_tirx_layout},
        {"tirx", "layout_construct", looks_like_tirx_layout, run_tirx_layout},
        {"tirx", "layout_direct_sum", looks_like_tirx_layout, run_tirx_layout},
        {"tirx", "layout_group", looks_like_tirx_layout, run_tirx_layout},
        {"tirx", "layout_misc", looks_like_tirx_layout, run_tirx_layout},
        {"tirx", "layout_size_span", looks_like_tirx_layout, run_tirx_layout},
        {"tirx", "layout_slice", looks_like_tirx_layout, run_tirx_layout},
        {"tirx", "layout_tile", looks_like_tirx_layout, run_tirx_layout},
        {"tirx", "swizzle_tables", looks_like_tirx_layout, run_tirx_layout},
        {"tirx", "axes_scope", looks_like_tirx_layout, run_tirx_layout},
        {"tirx", "compose_symbolic", looks_like_tirx_compose_symbolic, run_tirx_compose_symbolic},
        {"tirx", "script_text", looks_like_tirx_script_text, run_tirx_script_text},
        {"tirx", "descriptors", looks_like_tirx_descriptors, run_tirx_descriptors},
        {"tirx", "gemm_async", looks_like_tirx_gemm_async, run_tirx_gemm_async},
        {"tirx", "copy_async", looks_like_tirx_copy_async, run_tirx_copy_async},
        {"tirx", "dispatch", looks_like_tirx_dispatch, run_tirx_dispatch},
        {"tvm", "tile_random", looks_like_tvm_layout, run_tvm_layout},
        {"tvm", "tile_structured", looks_like_tvm_layout, run_tvm_layout},
        {"tvm", "compose_ops", looks_like_tvm_layout, run_tvm_layout},
        {"tvm", "swizzle_tiles", looks_like_tvm_layout, run_tvm_layout},
        {"tvm", "symbolic", looks_like_tvm_layout, run_tvm_layout},
        {"tvm", "swizzle_bare", looks_like_tvm_swizzle_bare, run_tvm_swizzle_bare},
        {"nz", "nz_element_offsets", looks_like_nz_element_offsets, run_nz_element_offsets},
        {"nz", "tile_offsets", looks_like_nz_tile_offsets, run_nz_tile_offsets},
        {"tirx", "helper_layouts", looks_like_tirx_helper_layouts, run_tirx_helper_layouts},
        {"tvm", "helpers", looks_like_tvm_helpers, run_tvm_helpers},
        {"programs", "index", looks_like_tvm_program, nullptr, run_tvm_program},
        {"cute", "cute_eval", looks_like_cute_eval, run_cute_eval},
        {"cute", "cute_swizzle", looks_like_cute_swizzle, run_cute_swizzle},
        {"cute", "cute_to_tirx", looks_like_cute_to_tirx, run_cute_to_tirx},
        {"cute", "cute_algebra", looks_like_cute_algebra, run_cute_algebra},
        {"cute", "banks", looks_like_cute_banks, run_cute_banks},
        {"cute", "triton", looks_like_cute_triton, run_cute_triton},
        {"nz", "shape_blocking", looks_like_nz_shape_blocking, run_nz_shape_blocking},
        {"nz", "shape_reject", looks_like_nz_shape_reject, run_nz_shape_reject},
        {"nz", "strides_canonical", looks_like_nz_strides, run_nz_strides},
        {"nz", "load_rewrite", looks_like_nz_load_rewrite, run_nz_load_rewrite},
        {"nz", "gm_gap", looks_like_nz_gm_gap, run_nz_gm_gap},
        {"nz", "slice_reshape", looks_like_nz_slice_reshape, run_nz_slice_reshape},
        {"nz", "store_rewrite", looks_like_nz_store_rewrite, run_nz_store_rewrite},
        {"nz", "offset_proofs", looks_like_nz_offset_proofs, run_nz_offset_proofs},
        {"nz", "misc", looks_like_nz_misc, run_nz_misc},
        {"nz", "store_final_checks", looks_like_nz_store_final_checks, run_nz_store_final_checks},
        {"nz", "l0_chooser", looks_like_nz_l0_chooser, run_nz_l0_chooser},
        {"nz", "descriptors", looks_like_nz_descriptors, run_nz_descriptors},
        {"nz", "ptoas_layout", looks_like_nz_ptoas_layout, run_nz_ptoas_layout},
    };
    return table;
}

} // namespace ls::conformance
