// The reference's helper functions by name and arguments, answered by the catalogue.
#pragma once

#include <string_view>

#include "app/conformance/runner.h"
#include "core/layout/layout.h"

namespace ls::conformance {

/// What a helper answers besides its layout.
struct HelperAnswer {
    Layout layout;
    std::int64_t repeat = 0;
    std::int64_t registers = 0;
};

/// mma_shared_layout, mma_atom_layout, mn_major_shared_layout, tmem_datapath_layout, tmem_mma_operand_layout,
/// tcgen05_atom_layout, wg_local_layout, sf_tmem_layout, sf_smem_layout, TileLayout.trainium. Unknown argument names
/// are refused (TXT_ARGUMENT), as a call with them would be.
Result<HelperAnswer> call_helper(std::string_view name, const Json& arguments);
/// [1, ..., 8, width]; refused for mode NONE.
Result<std::vector<std::int64_t>> call_mma_atom_shape(const Json& arguments);

} // namespace ls::conformance
