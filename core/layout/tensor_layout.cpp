#include "core/layout/tensor_layout.h"

#include <array>

namespace ls {

std::string_view name(MemorySpace space) {
    static constexpr std::array<std::string_view, 11> names{"unknown", "GM",   "L1",   "L0A",  "L0B",      "L0C",
                                                            "UB",      "Bias", "SMEM", "TMEM", "registers"};
    const auto index = static_cast<std::size_t>(space);
    return index < names.size() ? names[index] : names[0];
}

std::string TensorLayout::dim_name(std::size_t dim) const {
    if (dim < dim_names.size() && !dim_names[dim].empty()) return dim_names[dim];
    return "d" + std::to_string(dim);
}

} // namespace ls
