#include "core/layout/apply_constant.h"

#include <algorithm>
#include <array>

#include "core/support/checked.h"

namespace ls {

namespace {

bool is_plain(const Iter& iter) {
    return iter.extent.is_constant() && iter.stride.is_constant() && iter.extent.value() > 0;
}

/// Sums by axis in a few slots; they go to the map once, at the end.
class Sums {
public:
    bool add(Axis axis, std::int64_t digit, std::int64_t stride) {
        std::int64_t product = 0;
        if (__builtin_mul_overflow(digit, stride, &product)) return false;
        std::size_t slot = 0;
        while (slot < count_ && axes_[slot] != axis) ++slot;
        if (slot == count_) {
            if (count_ == axes_.size()) return false;
            axes_[count_] = axis;
            sums_[count_++] = 0;
        }
        return !__builtin_add_overflow(sums_[slot], product, &sums_[slot]);
    }
    bool add_offset(const AxisMap& offset) {
        for (const auto& [axis, amount] : offset) {
            if (!amount.is_constant() || !add(axis, amount.value(), 1)) return false;
        }
        return true;
    }
    void write_to(AxisMap& point) const {
        for (std::size_t slot = 0; slot < count_; ++slot) point.emplace(axes_[slot], sums_[slot]);
    }

private:
    std::array<Axis, 8> axes_;
    std::array<std::int64_t, 8> sums_;
    std::size_t count_ = 0;
};

/// Floor quotient; `rest` becomes the remainder. One division where a is natural, as coordinates are.
std::int64_t divide(std::int64_t& rest, std::int64_t by) {
    if (rest >= 0) {
        const std::int64_t quotient = rest / by;
        rest -= quotient * by;
        return quotient;
    }
    const std::int64_t quotient = floor_div(rest, by);
    rest = floor_mod(rest, by);
    return quotient;
}

constexpr std::size_t kMaxIters = 32;

/// The shard split where the shape's dimensions end (group.cpp says how), in fixed buffers.
struct Split {
    struct Step {
        std::int64_t extent;
        std::int64_t stride;
        Axis axis;
    };
    std::array<Step, kMaxIters> steps;
    std::size_t count = 0;
    std::array<std::size_t, kMaxIters> end; ///< of each dimension
};

bool split(const TileLayout& tile, std::span<const Dim> shape, Split& result) {
    if (tile.shard.size() + shape.size() > kMaxIters) return false;
    std::int64_t pending = 1;
    std::size_t k = 0;
    for (const Iter& iter : tile.shard) {
        if (!is_plain(iter)) return false;
        std::int64_t extent = iter.extent.value();
        if (__builtin_mul_overflow(pending, extent, &pending)) return false;
        while (k < shape.size()) {
            if (!shape[k].is_constant() || shape[k].value() < 1) return false;
            if (pending % shape[k].value() != 0) break;
            const std::int64_t inner = pending / shape[k].value();
            std::int64_t stride = 0;
            if (extent % inner != 0 || __builtin_mul_overflow(iter.stride.value(), inner, &stride)) return false;
            result.steps[result.count++] = {extent / inner, stride, iter.axis};
            extent = inner;
            pending = inner;
            result.end[k++] = result.count;
        }
        if (extent != 1) {
            if (k == shape.size()) return false;
            result.steps[result.count++] = {extent, iter.stride.value(), iter.axis};
        }
    }
    return k == shape.size();
}

} // namespace

bool constant_linear(const TileLayout& tile, std::int64_t x, AxisMap& point) {
    Sums sums;
    for (std::size_t i = tile.shard.size(); i-- > 0;) {
        const Iter& iter = tile.shard[i];
        if (!is_plain(iter)) return false;
        std::int64_t digit = x;
        if (i > 0) x = divide(digit, iter.extent.value());
        if (!sums.add(iter.axis, digit, iter.stride.value())) return false;
    }
    if (!sums.add_offset(tile.offset)) return false;
    sums.write_to(point);
    return true;
}

bool constant_digits(const TileLayout& tile, std::span<const Dim> digits, UnitDigit units, AxisMap& point) {
    Sums sums;
    for (std::size_t i = 0; i < tile.shard.size(); ++i) {
        const Iter& iter = tile.shard[i];
        if (!is_plain(iter) || !digits[i].is_constant()) return false;
        const bool zero = units == UnitDigit::Zero && iter.extent.is(1);
        if (!sums.add(iter.axis, zero ? 0 : digits[i].value(), iter.stride.value())) return false;
    }
    if (!sums.add_offset(tile.offset)) return false;
    sums.write_to(point);
    return true;
}

bool constant_grouped(const TileLayout& tile, std::span<const Dim> coordinates, std::span<const Dim> shape,
                      UnitDigit units, AxisMap& point) {
    if (std::any_of(coordinates.begin(), coordinates.end(), [](const Dim& x) { return !x.is_constant(); }))
        return false;
    Split grouped;
    if (!split(tile, shape, grouped)) return false;
    Sums sums;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::size_t begin = d == 0 ? 0 : grouped.end[d - 1];
        std::int64_t rest = coordinates[d].value();
        for (std::size_t i = grouped.end[d]; i-- > begin;) {
            const Split::Step& step = grouped.steps[i];
            std::int64_t digit = rest;
            if (i > begin) rest = divide(digit, step.extent);
            const bool zero = units == UnitDigit::Zero && step.extent == 1;
            if (!sums.add(step.axis, zero ? 0 : digit, step.stride)) return false;
        }
    }
    if (!sums.add_offset(tile.offset)) return false;
    sums.write_to(point);
    return true;
}

} // namespace ls
