#include "core/passes/tirx/plan/tcgen05_cp_shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls::tirx {

const std::vector<CpShape>& cp_shapes() {
    static const std::vector<CpShape> table{
        {"128x256b", "", 128, 256, {{128, 1}}, {}},
        {"4x256b", "", 4, 256, {{4, 32}}, {}},
        {"128x128b", "", 128, 128, {{128, 1}}, {}},
        {"64x128b", "warpx2::02_13", 64, 128, {{64, 1}}, {{2, 64}}},
        {"64x128b", "warpx2::01_23", 64, 128, {{2, 64}, {32, 1}}, {{2, 32}}},
        {"32x128b", "warpx4", 32, 128, {{32, 1}}, {{4, 32}}},
    };
    return table;
}

std::string full_name(const CpShape& shape) {
    return shape.multicast.empty() ? std::string(shape.shape) : fmt::format("{}.{}", shape.shape, shape.multicast);
}

std::optional<std::string> text_of(const Config& config, std::string_view key) {
    const ConfigValue* value = find(config, key);
    if (value == nullptr) return {};
    if (const auto* string = std::get_if<std::string>(value)) return *string;
    return to_string(*value);
}

Result<const CpShape*> asked_shape(const std::string& shape, const std::optional<std::string>& multicast) {
    std::vector<const CpShape*> fitting;
    std::vector<std::string_view> allowed;
    for (const CpShape& row : cp_shapes()) {
        if (row.shape != shape) continue;
        allowed.push_back(row.multicast.empty() ? "none" : row.multicast);
        if (!multicast || *multicast == row.multicast) fitting.push_back(&row);
    }
    if (allowed.empty()) {
        return error("CP_CONFIG", fmt::format("unknown tcgen05.cp shape '{}'", shape),
                     "the shapes are 128x256b, 4x256b, 128x128b, 64x128b and 32x128b");
    }
    if (fitting.empty()) {
        return error("CP_CONFIG", fmt::format("illegal multicast '{}' for tcgen05.cp shape '{}'", *multicast, shape),
                     fmt::format("allowed: {}", fmt::join(allowed, ", ")));
    }
    if (fitting.size() > 1) {
        return error("CP_CONFIG", fmt::format("tcgen05.cp shape '{}' requires an explicit multicast config", shape),
                     fmt::format("choose one of {}", fmt::join(allowed, ", ")));
    }
    return fitting.front();
}

} // namespace ls::tirx
