#include "app/models/explorer_state.h"

#include <array>

#include "core/support/checked.h"

namespace ls::models {

namespace {

using figure::ColorBy;

constexpr std::array kColors{ColorBy::Block,  ColorBy::Offset,   ColorBy::Bank,      ColorBy::Chunk,
                             ColorBy::Thread, ColorBy::Register, ColorBy::Coordinate};

template <class T>
std::optional<T> member(const nlohmann::json& object, const char* key) {
    const auto it = object.find(key);
    if (it == object.end()) return {};
    if constexpr (std::is_same_v<T, bool>) {
        return it->is_boolean() ? std::optional<T>(it->get<T>()) : std::nullopt;
    } else if constexpr (std::is_same_v<T, std::string>) {
        return it->is_string() ? std::optional<T>(it->get<T>()) : std::nullopt;
    } else {
        return it->is_number_integer() ? std::optional<T>(it->get<T>()) : std::nullopt;
    }
}

std::optional<Coordinate> coordinate_from(const nlohmann::json& list) {
    if (!list.is_array()) return {};
    Coordinate coordinate;
    for (const auto& one : list) {
        if (!one.is_number_integer()) return {};
        coordinate.push_back(one.get<std::int64_t>());
    }
    return coordinate;
}

std::vector<Coordinate> coordinates_from(const nlohmann::json& object, const char* key, std::size_t most) {
    std::vector<Coordinate> coordinates;
    const auto it = object.find(key);
    if (it == object.end() || !it->is_array()) return coordinates;
    for (const auto& one : *it) {
        if (auto coordinate = coordinate_from(one); coordinate && coordinates.size() < most)
            coordinates.push_back(std::move(*coordinate));
    }
    return coordinates;
}

} // namespace

std::int64_t ExplorerState::row_bytes_for(const TensorLayout& layout) const {
    constexpr std::int64_t kLeast = 128, kMost = 65536, kThread = 4;
    if (row_bytes > 0) return row_bytes;
    const std::int64_t elements = checked_product(layout.shape).value_or(0), bits = layout.element_bits();
    std::int64_t bytes = kLeast;
    // rows > kThread · columns
    while (bytes<kMost&& static_cast<double>(elements)> static_cast<double>(kThread) *
           (bytes * 8.0 / static_cast<double>(bits)) * (bytes * 8.0 / static_cast<double>(bits)))
        bytes *= 2;
    return bytes;
}

figure::LayoutFigureOptions ExplorerState::options(const TensorLayout& layout) const {
    figure::LayoutFigureOptions options;
    options.axes = axes;
    options.row_bytes = row_bytes_for(layout);
    options.color = color;
    options.show_swizzle = show_swizzle;
    return options;
}

nlohmann::json ExplorerState::to_json() const {
    // Defaults are left out, so that a document that was only looked at is not changed by it.
    nlohmann::json view = nlohmann::json::object();
    if (row_bytes != ExplorerState{}.row_bytes) view["row_bytes"] = row_bytes;
    if (color) view["color"] = figure::name(*color);
    if (axes) view["axes"] = {{"row", axes->row_dim}, {"col", axes->col_dim}, {"fixed", axes->fixed}};
    if (!show_swizzle) view["swizzle"] = false;
    if (label) view["label"] = *label;
    if (!pins.empty()) view["pins"] = pins;
    if (!selected.empty()) view["selected"] = selected;
    if (!compare.empty()) view["compare"] = compare;
    return view;
}

ExplorerState ExplorerState::from_json(const nlohmann::json& view) {
    ExplorerState state;
    if (!view.is_object()) return state;
    if (const auto bytes = member<std::int64_t>(view, "row_bytes"); bytes && *bytes > 0) state.row_bytes = *bytes;
    if (const auto color = member<std::string>(view, "color")) {
        for (const ColorBy by : kColors) {
            if (figure::name(by) == *color) state.color = by;
        }
    }
    if (const auto it = view.find("axes"); it != view.end() && it->is_object()) {
        const auto row = member<std::int64_t>(*it, "row"), col = member<std::int64_t>(*it, "col");
        const auto fixed = it->contains("fixed") ? coordinate_from((*it)["fixed"]) : std::nullopt;
        if (row && col && *row >= 0 && *col >= 0 && fixed) {
            state.axes = figure::ViewAxes{static_cast<std::size_t>(*row), static_cast<std::size_t>(*col), *fixed};
        }
    }
    state.show_swizzle = member<bool>(view, "swizzle").value_or(true);
    state.label = member<std::string>(view, "label");
    state.pins = coordinates_from(view, "pins", kMostPins);
    state.selected = coordinates_from(view, "selected", 1);
    state.compare = member<std::string>(view, "compare").value_or(std::string{});
    return state;
}

} // namespace ls::models
