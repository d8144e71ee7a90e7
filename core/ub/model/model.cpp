#include "core/ub/model/model.h"

#include <algorithm>
#include <array>

namespace ls::ub {

namespace {

constexpr std::array<std::string_view, 3> kPositions{"VECIN", "VECOUT", "VECCALC"};

template <class List>
auto find_named(const List& list, std::string_view name) -> decltype(list.data()) {
    const auto at = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
    return at == list.end() ? nullptr : &*at;
}

} // namespace

std::string_view name(Position position) { return kPositions[static_cast<std::size_t>(position)]; }

std::optional<Position> position_from_name(std::string_view text) {
    const auto at = std::find(kPositions.begin(), kPositions.end(), text);
    if (at == kPositions.end()) return {};
    return static_cast<Position>(at - kPositions.begin());
}

std::string_view dtype_text(DType type) {
    switch (type) {
    case DType::Fp32: return "fp32";
    case DType::Fp16: return "fp16";
    case DType::Bf16: return "bf16";
    default: return info(type).tirx.empty() ? info(type).brief : info(type).tirx;
    }
}

const Parameter* Model::find_param(std::string_view wanted) const { return find_named(params, wanted); }
const Alloc* Model::find_alloc(std::string_view wanted) const { return find_named(allocs, wanted); }

} // namespace ls::ub
