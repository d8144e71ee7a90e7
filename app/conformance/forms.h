// The runners of all forms. Each family lives in files of its own: run_<family>_<what>.cpp.
#pragma once

#include "app/conformance/runner.h"

namespace ls::conformance {

// A runner answers Failed with both values when a value differs, and never throws on a well-formed case.

// ub: unified buffer
Outcome run_ub_partition(const Json& test_case, const Json& whole_file);
bool looks_like_ub_partition(const Json& first_case);
Outcome run_ub_vstep(const Json& test_case, const Json& whole_file);
bool looks_like_ub_vstep(const Json& first_case);
Outcome run_ub_work(const Json& test_case, const Json& whole_file);
bool looks_like_ub_work(const Json& first_case);
Outcome run_ub_liveness(const Json& test_case, const Json& whole_file);
bool looks_like_ub_liveness(const Json& first_case);
Outcome run_ub_tiling_data(const Json& test_case, const Json& whole_file);
bool looks_like_ub_tiling_data(const Json& first_case);
Outcome run_ub_platforms(const Json& test_case, const Json& whole_file);
bool looks_like_ub_platforms(const Json& first_case);
Outcome run_ub_hazards(const Json& test_case, const Json& whole_file);
bool looks_like_ub_hazards(const Json& first_case);
Outcome run_ub_real_examples(const Json& test_case, const Json& whole_file);
bool looks_like_ub_real_examples(const Json& first_case);
Outcome run_ub_whatif_layouts(const Json& test_case, const Json& whole_file);
bool looks_like_ub_whatif_layouts(const Json& first_case);

// tirx: the layout algebra, one operation a case
Outcome run_tirx_layout(const Json& test_case, const Json& whole_file);
bool looks_like_tirx_layout(const Json& first_case);
Outcome run_tirx_compose_symbolic(const Json& test_case, const Json& whole_file);
bool looks_like_tirx_compose_symbolic(const Json& first_case);
// tirx: script text
Outcome run_tirx_script_text(const Json& test_case, const Json& whole_file);
bool looks_like_tirx_script_text(const Json& first_case);
// tvm: the layout algebra, as the reference prints it
Outcome run_tvm_layout(const Json& test_case, const Json& whole_file);
bool looks_like_tvm_layout(const Json& first_case);
// tvm/programs: what the dispatcher makes of whole programs
Outcome run_tvm_program(const Json& test_case, const std::filesystem::path& folder);
bool looks_like_tvm_program(const Json& first_case);
Outcome run_tvm_swizzle_bare(const Json& test_case, const Json& whole_file);
bool looks_like_tvm_swizzle_bare(const Json& first_case);

// hardware layouts: Ascend tensors and tiles, TIRx helper functions
Outcome run_nz_element_offsets(const Json& test_case, const Json& whole_file);
bool looks_like_nz_element_offsets(const Json& first_case);
Outcome run_nz_tile_offsets(const Json& test_case, const Json& whole_file);
bool looks_like_nz_tile_offsets(const Json& first_case);
Outcome run_tirx_helper_layouts(const Json& test_case, const Json& whole_file);
bool looks_like_tirx_helper_layouts(const Json& first_case);
Outcome run_tvm_helpers(const Json& test_case, const Json& whole_file);
bool looks_like_tvm_helpers(const Json& first_case);

// cute: CuTe text, evaluation, swizzles, conversion
Outcome run_cute_eval(const Json& test_case, const Json& whole_file);
bool looks_like_cute_eval(const Json& first_case);
Outcome run_cute_swizzle(const Json& test_case, const Json& whole_file);
bool looks_like_cute_swizzle(const Json& first_case);
Outcome run_cute_to_tirx(const Json& test_case, const Json& whole_file);
bool looks_like_cute_to_tirx(const Json& first_case);
Outcome run_cute_algebra(const Json& test_case, const Json& whole_file);
bool looks_like_cute_algebra(const Json& first_case);
Outcome run_cute_banks(const Json& test_case, const Json& whole_file);
bool looks_like_cute_banks(const Json& first_case);
Outcome run_cute_triton(const Json& test_case, const Json& whole_file);
bool looks_like_cute_triton(const Json& first_case);

// tirx: descriptors, plans of tile primitives, dispatch
Outcome run_tirx_descriptors(const Json& test_case, const Json& whole_file);
bool looks_like_tirx_descriptors(const Json& first_case);
Outcome run_tirx_gemm_async(const Json& test_case, const Json& whole_file);
bool looks_like_tirx_gemm_async(const Json& first_case);
Outcome run_tirx_copy_async(const Json& test_case, const Json& whole_file);
bool looks_like_tirx_copy_async(const Json& first_case);
Outcome run_tirx_dispatch(const Json& test_case, const Json& whole_file);
bool looks_like_tirx_dispatch(const Json& first_case);

// nz: the passes over NZ programs
Outcome run_nz_shape_blocking(const Json& test_case, const Json& whole_file);
bool looks_like_nz_shape_blocking(const Json& first_case);
Outcome run_nz_shape_reject(const Json& test_case, const Json& whole_file);
bool looks_like_nz_shape_reject(const Json& first_case);
Outcome run_nz_strides(const Json& test_case, const Json& whole_file);
bool looks_like_nz_strides(const Json& first_case);
Outcome run_nz_load_rewrite(const Json& test_case, const Json& whole_file);
bool looks_like_nz_load_rewrite(const Json& first_case);
Outcome run_nz_gm_gap(const Json& test_case, const Json& whole_file);
bool looks_like_nz_gm_gap(const Json& first_case);
Outcome run_nz_slice_reshape(const Json& test_case, const Json& whole_file);
bool looks_like_nz_slice_reshape(const Json& first_case);
Outcome run_nz_store_rewrite(const Json& test_case, const Json& whole_file);
bool looks_like_nz_store_rewrite(const Json& first_case);
Outcome run_nz_offset_proofs(const Json& test_case, const Json& whole_file);
bool looks_like_nz_offset_proofs(const Json& first_case);
Outcome run_nz_misc(const Json& test_case, const Json& whole_file);
bool looks_like_nz_misc(const Json& first_case);
Outcome run_nz_store_final_checks(const Json& test_case, const Json& whole_file);
bool looks_like_nz_store_final_checks(const Json& first_case);
Outcome run_nz_l0_chooser(const Json& test_case, const Json& whole_file);
bool looks_like_nz_l0_chooser(const Json& first_case);
Outcome run_nz_descriptors(const Json& test_case, const Json& whole_file);
bool looks_like_nz_descriptors(const Json& first_case);
Outcome run_nz_ptoas_layout(const Json& test_case, const Json& whole_file);
bool looks_like_nz_ptoas_layout(const Json& first_case);

} // namespace ls::conformance
