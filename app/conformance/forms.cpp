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
    };
    return table;
}

} // namespace ls::conformance
