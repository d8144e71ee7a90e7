#include "app/models/layout_compare.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/layout/engine/map.h"
#include "core/support/checked.h"

namespace ls::models {

namespace {

constexpr std::int64_t kChunk = 1 << 16;

std::vector<Axis> all_axes(const engine::CompiledMap& a, const engine::CompiledMap& b) {
    std::vector<Axis> axes(a.axes().begin(), a.axes().end());
    for (const Axis axis : b.axes()) {
        if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
    }
    return axes;
}

std::string place_text(const engine::CompiledMap& map, std::int64_t index, int bits) {
    std::string text;
    for (std::size_t i = 0; i < map.axes().size(); ++i) {
        const std::int64_t value = map.on(i).offset_linear(index);
        if (!text.empty()) text += ", ";
        const bool bytes = map.axes()[i] == Axis() && map.axes().size() == 1 && bits % 8 == 0;
        text += bytes ? fmt::format("byte 0x{:04X}", value * (bits / 8)) : fmt::format("{} {}", map.axes()[i].name(), value);
    }
    return text;
}

/// Offsets of elements [first, first + out.size()) on one axis; all 0 when the layout does not name it.
Status fill(const engine::CompiledMap& map, Axis axis, std::int64_t first, std::vector<std::int64_t>& out) {
    const engine::CompiledLayout* compiled = map.find(axis);
    if (compiled == nullptr) {
        std::fill(out.begin(), out.end(), 0);
        return ok_status();
    }
    return compiled->fill_range(first, std::span<std::int64_t>(out));
}

} // namespace

Result<LayoutComparison> compare_layouts(const TensorLayout& here, const TensorLayout& there, const std::atomic<bool>* cancel) {
    LS_TRY(const engine::CompiledMap a, engine::compile_map(here.layout, here.shape));
    LS_TRY(const engine::CompiledMap b, engine::compile_map(there.layout, there.shape));
    if (a.elements() != b.elements()) {
        return error("CMP_SIZE", fmt::format("this layout has {} elements and the other {}", a.elements(), b.elements()),
                     "compare layouts of the same tensor");
    }
    // In memory the unit is the bit; on axes of threads and lanes it is the place itself.
    const std::int64_t here_bits = here.element_bits(), there_bits = there.element_bits();
    LayoutComparison result;
    result.elements = a.elements();
    std::optional<std::int64_t> first;
    const std::vector<Axis> axes = all_axes(a, b);
    std::vector<std::int64_t> at_a, at_b;
    std::vector<char> differs;
    for (std::int64_t begin = 0; begin < result.elements; begin += kChunk) {
        if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) return error("CMP_CANCELLED", "the comparison was cancelled");
        const auto count = static_cast<std::size_t>(std::min(kChunk, result.elements - begin));
        at_a.assign(count, 0);
        at_b.assign(count, 0);
        differs.assign(count, 0);
        for (const Axis axis : axes) {
            LS_CHECK(fill(a, axis, begin, at_a));
            LS_CHECK(fill(b, axis, begin, at_b));
            const bool linear = axis == Axis();
            for (std::size_t i = 0; i < count; ++i) {
                // Same offset in elements of different width is another byte, save at 0.
                differs[i] |= linear ? at_a[i] * here_bits != at_b[i] * there_bits : at_a[i] != at_b[i];
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (!differs[i]) continue;
            ++result.differing;
            if (!first) first = begin + static_cast<std::int64_t>(i);
        }
    }
    if (first) {
        std::int64_t rest = *first;
        result.first.assign(here.shape.size(), 0);
        for (std::size_t d = here.shape.size(); d-- > 0;) {
            result.first[d] = rest % here.shape[d];
            rest /= here.shape[d];
        }
        result.first_here = place_text(a, *first, here.element_bits());
        result.first_there = place_text(b, *first, there.element_bits());
    }
    return result;
}

} // namespace ls::models
