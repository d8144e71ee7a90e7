#include "core/layout/engine/map.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::engine {

CompiledMap compile_map(Lowered lowered) {
    CompiledMap out;
    out.axes_.clear();
    out.compiled_.clear();
    for (const AxisRange& range : lowered.axes) {
        out.axes_.push_back(range.axis);
        out.compiled_.push_back(compile_axis(lowered, range));
    }
    for (const Digit& digit : lowered.replicas) {
        out.copies_ = checked_mul(out.copies_, digit.extent).value_or(std::numeric_limits<std::int64_t>::max());
    }
    out.lowered_ = std::move(lowered);
    return out;
}

Result<CompiledMap> compile_map(const Layout& layout, std::span<const std::int64_t> shape) {
    LS_TRY(Lowered lowered, lower(layout, shape));
    return compile_map(std::move(lowered));
}

const CompiledLayout* CompiledMap::find(Axis axis) const {
    const auto at = std::find(axes_.begin(), axes_.end(), axis);
    return at == axes_.end() ? nullptr : &compiled_[static_cast<std::size_t>(at - axes_.begin())];
}

void CompiledMap::point(std::int64_t index, std::span<std::int64_t> out) const {
    const std::size_t count = std::min(out.size(), compiled_.size());
    for (std::size_t a = 0; a < count; ++a) out[a] = compiled_[a].offset_linear(index);
}

Result<std::vector<std::int64_t>> CompiledMap::displacements(std::int64_t limit) const {
    if (copies_ > limit) {
        return error("ENGINE_LIMIT", fmt::format("each element has {} copies; at most {} are listed", copies_, limit),
                     "lower the extents of the replica iters or raise the limit");
    }
    const std::size_t width = axes_.size();
    std::vector<std::int64_t> out(width, 0);
    out.reserve(static_cast<std::size_t>(copies_) * width);
    // From the last iter outwards: each value of an iter repeats everything listed so far, one stride further.
    for (std::size_t t = lowered_.replicas.size(); t-- > 0;) {
        const Digit& digit = lowered_.replicas[t];
        const auto axis = static_cast<std::size_t>(std::find(axes_.begin(), axes_.end(), digit.axis) - axes_.begin());
        const std::size_t listed = out.size();
        for (std::int64_t step = 1; step < digit.extent; ++step) {
            for (std::size_t i = 0; i < listed; ++i) {
                out.push_back(out[i] + (i % width == axis ? step * digit.stride : 0));
            }
        }
    }
    return out;
}

Result<std::vector<std::int64_t>> CompiledMap::points(std::int64_t index, std::int64_t limit) const {
    LS_TRY(std::vector<std::int64_t> out, displacements(limit));
    std::vector<std::int64_t> first(axes_.size());
    point(index, first);
    for (std::size_t i = 0; i < out.size(); ++i) {
        // The swizzle is its own inverse: undone on the first copy, done again on each displaced one.
        const Swizzle& swizzle = compiled_[i % axes_.size()].swizzle();
        out[i] = swizzle(swizzle(first[i % axes_.size()]) + out[i]);
    }
    return out;
}

} // namespace ls::engine
