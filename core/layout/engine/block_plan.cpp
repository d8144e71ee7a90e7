#include "core/layout/engine/block_plan.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "core/layout/engine/kernels.h"

namespace ls::engine {

BlockPlan::BlockPlan(std::span<const Digit> digits) {
    std::int64_t inner = 1;
    std::size_t held = 0;
    while (held < digits.size() && digits[held].extent <= kPatternElements / inner) inner *= digits[held++].extent;

    if (held < digits.size()) {
        // As many values of the next digit as fit, in blocks of nearly equal length.
        const std::int64_t extent = digits[held].extent;
        const std::int64_t fit = kPatternElements / inner;
        const std::int64_t blocks = extent / fit + (extent % fit != 0 ? 1 : 0);
        block_steps_ = extent / blocks + (extent % blocks != 0 ? 1 : 0);
    }
    for (std::size_t k = held; k < digits.size(); ++k) above_.push_back({FastDiv(digits[k].extent), digits[k].stride});
    if (above_.empty()) above_.emplace_back();
    assert(above_.size() <= 64);

    inner_ = FastDiv(inner);
    pattern64_ = {0};
    const auto append_copies = [this](std::int64_t copies, std::int64_t stride) {
        const std::size_t once = pattern64_.size();
        for (std::int64_t c = 1; c < copies; ++c) {
            const std::uint64_t distance = static_cast<std::uint64_t>(c) * static_cast<std::uint64_t>(stride);
            for (std::size_t i = 0; i < once; ++i) pattern64_.push_back(pattern64_[i] + distance);
        }
    };
    pattern64_.reserve(static_cast<std::size_t>(inner * block_steps_));
    for (std::size_t k = 0; k < held; ++k) append_copies(digits[k].extent, digits[k].stride);
    append_copies(block_steps_, above_[0].stride);
    pattern32_.reserve(pattern64_.size());
    for (const std::uint64_t distance : pattern64_) pattern32_.push_back(static_cast<std::uint32_t>(distance));
}

template <class T>
BlockCursor<T>::BlockCursor(const BlockPlan& plan, std::int64_t origin, const Swizzle& swizzle)
    : plan_(plan), pattern_(plan.pattern<T>()), origin_(static_cast<std::uint64_t>(origin)), swizzle_(swizzle) {
    seek(0);
}

template <class T>
void BlockCursor<T>::seek(std::int64_t index) {
    std::int64_t rest = plan_.inner().quotient(index);
    low_ = plan_.inner().remainder(index, rest);
    base_ = origin_;
    const auto above = plan_.above();
    const std::size_t top = above.size() - 1;
    for (std::size_t k = 0; k < top; ++k) {
        const std::int64_t next = above[k].extent.quotient(rest);
        digit_[k] = above[k].extent.remainder(rest, next);
        base_ += static_cast<std::uint64_t>(digit_[k]) * static_cast<std::uint64_t>(above[k].stride);
        rest = next;
    }
    digit_[top] = rest;
    base_ += static_cast<std::uint64_t>(rest) * static_cast<std::uint64_t>(above[top].stride);
}

template <class T>
void BlockCursor<T>::carry() {
    const auto above = plan_.above();
    const std::size_t top = above.size() - 1;
    for (std::size_t k = 0; k < top && digit_[k] == above[k].extent.divisor(); ++k) {
        base_ -= static_cast<std::uint64_t>(digit_[k]) * static_cast<std::uint64_t>(above[k].stride);
        digit_[k] = 0;
        ++digit_[k + 1];
        base_ += static_cast<std::uint64_t>(above[k + 1].stride);
    }
}

template <class T>
void BlockCursor<T>::run(T* out, std::int64_t count) {
    const Kernels& loops = kernels();
    const std::int64_t inner = plan_.inner().divisor();
    const Radix& step = plan_.above()[0];
    while (count > 0) {
        const std::int64_t steps = std::min(plan_.block_steps(), step.extent.divisor() - digit_[0]);
        const std::int64_t room = steps * inner - low_;
        const std::int64_t length = std::min(room, count);
        if constexpr (sizeof(T) == 4) {
            loops.emit32(out, pattern_ + low_, static_cast<std::size_t>(length), static_cast<T>(base_), swizzle_);
        } else {
            loops.emit64(out, pattern_ + low_, static_cast<std::size_t>(length), static_cast<T>(base_), swizzle_);
        }
        out += length;
        count -= length;
        low_ += length;
        const std::int64_t moved = length == room ? steps : plan_.inner().quotient(low_);
        low_ -= moved * inner;
        digit_[0] += moved;
        base_ += static_cast<std::uint64_t>(moved) * static_cast<std::uint64_t>(step.stride);
        carry();
    }
}

template class BlockCursor<std::uint32_t>;
template class BlockCursor<std::uint64_t>;

} // namespace ls::engine
