#include "core/layout/engine/compiled_layout.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/layout/engine/block_plan.h"

namespace ls::engine {

namespace {

constexpr std::int64_t kInt32Low = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kInt32High = std::numeric_limits<std::int32_t>::max();

/// An XOR may set every bit that it can change, and clear it.
Bounds swizzled(Bounds plain, const Swizzle& swizzle) {
    if (swizzle.kind == Swizzle::Kind::None) return plain;
    const std::int64_t changed =
        swizzle.kind == Swizzle::Kind::Inner ? swizzle.mask >> swizzle.shift : swizzle.mask << swizzle.shift;
    // Bits below the changed ones may be anything once a changed bit differs from that of the plain bound.
    const std::int64_t loose = changed | (changed - 1);
    return {plain.low & ~loose, plain.high | loose};
}

/// Whether the digit boundaries let every index split at `place` into independent sums: x = hi · place + lo.
bool splits_at(std::span<const Digit> digits, std::int64_t place) {
    for (std::size_t k = digits.size(); k-- > 0;) {
        const Digit& digit = digits[k];
        if (digit.place > place) continue;
        if (place % digit.place != 0) return false;
        const std::int64_t cut = place / digit.place;
        const bool outermost = k + 1 == digits.size(); // takes whatever is left, so that any cut is even
        return outermost || digit.extent % cut == 0;
    }
    return true;
}

std::vector<std::int64_t> pitches(const Shape& shape) {
    std::vector<std::int64_t> out(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;) out[d - 1] = out[d] * shape[d];
    return out;
}

} // namespace

CompiledLayout::CompiledLayout() : plan_(std::make_shared<const BlockPlan>(std::span<const Digit>())) {}

CompiledLayout compile_axis(const Lowered& lowered, const AxisRange& range) {
    CompiledLayout out;
    out.shape_ = lowered.shape;
    out.axis_ = range.axis;
    out.elements_ = lowered.elements;
    out.origin_ = range.offset;
    for (Digit digit : lowered.digits) {
        if (digit.axis != range.axis) digit.stride = 0;
        digit.axis = range.axis;
        if (!out.digits_.empty() && digit.stride == 0 && out.digits_.back().stride == 0) {
            out.digits_.back().extent *= digit.extent;
        } else {
            out.digits_.push_back(digit);
        }
    }
    for (std::size_t k = 0; k + 1 < out.digits_.size(); ++k) {
        out.radices_.push_back({FastDiv(out.digits_[k].extent), out.digits_[k].stride});
    }
    if (!out.digits_.empty()) out.top_stride_ = out.digits_.back().stride;
    if (range.axis == axes::m) out.swizzle_ = lowered.swizzle;
    out.plain_ = {range.low + range.replica_low, range.high + range.replica_high};
    out.replica_ = {range.replica_low, range.replica_high};
    out.bounds_ = swizzled(out.plain_, out.swizzle_);
    for (const std::int64_t pitch : pitches(out.shape_)) {
        out.separable_ = out.separable_ && splits_at(out.digits_, pitch);
    }
    out.plan_ = std::make_shared<const BlockPlan>(out.digits_);
    return out;
}

Result<CompiledLayout> compile(const Layout& layout, std::span<const std::int64_t> shape, Axis axis) {
    LS_TRY(const Lowered lowered, lower(layout, shape));
    for (const AxisRange& range : lowered.axes) {
        if (range.axis == axis) return compile_axis(lowered, range);
    }
    return compile_axis(lowered, AxisRange{axis, 0, 0, 0, 0, 0});
}

bool CompiledLayout::fits_int32() const {
    // The sign bits of a negative offset must not be read by an XOR that 32 bits have no room for.
    const bool bits_fit = plain_.low >= 0 || swizzle_.period <= kInt32High;
    return bits_fit && bounds_.low >= kInt32Low && bounds_.high <= kInt32High;
}

std::int64_t CompiledLayout::plain_offset(std::int64_t index) const {
    // Modulo 2^64: input outside the shape gives some number, never undefined behaviour.
    auto sum = static_cast<std::uint64_t>(origin_);
    for (const Radix& radix : radices_) {
        const std::int64_t rest = radix.extent.quotient(index);
        const auto digit = static_cast<std::uint64_t>(index) -
                           static_cast<std::uint64_t>(rest) * static_cast<std::uint64_t>(radix.extent.divisor());
        sum += digit * static_cast<std::uint64_t>(radix.stride);
        index = rest;
    }
    return static_cast<std::int64_t>(sum + static_cast<std::uint64_t>(index) * static_cast<std::uint64_t>(top_stride_));
}

std::int64_t CompiledLayout::offset_linear(std::int64_t index) const { return swizzle_(plain_offset(index)); }

std::int64_t CompiledLayout::offset(std::span<const std::int64_t> coordinate) const {
    return offset_linear(index(coordinate));
}

std::int64_t CompiledLayout::index(std::span<const std::int64_t> coordinate) const {
    std::uint64_t sum = 0;
    const std::size_t rank = std::min(coordinate.size(), shape_.size());
    for (std::size_t d = 0; d < rank; ++d) {
        sum = sum * static_cast<std::uint64_t>(shape_[d]) + static_cast<std::uint64_t>(coordinate[d]);
    }
    return static_cast<std::int64_t>(sum);
}

Shape CompiledLayout::coordinate(std::int64_t index) const {
    Shape out(shape_.size(), 0);
    for (std::size_t d = shape_.size(); d-- > 0;) {
        out[d] = index % shape_[d];
        index /= shape_[d];
    }
    return out;
}

Shape CompiledLayout::contiguous_runs() const {
    Shape runs(shape_.size(), 1);
    const std::vector<std::int64_t> pitch = pitches(shape_);
    for (std::size_t d = 0; d < shape_.size(); ++d) {
        // Where dimensions share digits, rows start anywhere inside a digit: only the innermost dimension, whose rows
        // start at multiples of its extent, is sure of anything.
        if (shape_[d] == 1 || (!separable_ && pitch[d] != 1)) continue;
        // The digit of step 1 along d begins exactly at d's pitch: a digit cut there would have a stride > 1 above.
        const auto along = std::find_if(digits_.begin(), digits_.end(), [&](const Digit& digit) {
            return digit.place == pitch[d] && digit.stride == 1;
        });
        if (along == digits_.end()) continue;
        std::int64_t run = std::gcd(along->extent, shape_[d]);
        if (swizzle_.kind != Swizzle::Kind::None) {
            // Chunks of 2^M elements move as a whole; a run stays inside one when it starts at a multiple of itself.
            run = std::gcd(std::gcd(run, swizzle_.untouched), origin_);
            for (const Digit& digit : digits_) {
                if (&digit != &*along) run = std::gcd(run, digit.stride);
            }
        }
        runs[d] = run;
    }
    return runs;
}

} // namespace ls::engine
