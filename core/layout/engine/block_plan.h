// How a row-major walk over a mixed-radix number is cut into blocks that lie alike.
//
// The innermost digits are written out once, as a pattern of at most kPatternElements distances from the block's first
// element. Everything outside is an odometer that moves by whole blocks:
//
//     digits      | ... |  above[1]  |      above[0]       |  digits held completely  |
//     pattern                        | block_steps values  |      inner elements      |
//
// so a layout of many short leaves is filled as fast as one long run: add the block's base to the pattern, XOR, store.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/engine/fast_div.h"
#include "core/layout/engine/lower.h"

namespace ls::engine {

class BlockPlan {
public:
    static constexpr std::int64_t kPatternElements = 1024; ///< 4 KiB as int32: stays in the first-level cache

    explicit BlockPlan(std::span<const Digit> digits);

    const FastDiv& inner() const { return inner_; }
    std::int64_t block_steps() const { return block_steps_; }
    /// At least one.
    std::span<const Radix> above() const { return above_; }
    /// inner · block_steps distances, modulo 2^32 or 2^64.
    template <class T>
    const T* pattern() const {
        if constexpr (sizeof(T) == 4)
            return pattern32_.data();
        else
            return pattern64_.data();
    }

private:
    FastDiv inner_;
    std::int64_t block_steps_ = 1;
    std::vector<Radix> above_;
    std::vector<std::uint64_t> pattern64_;
    std::vector<std::uint32_t> pattern32_;
};

/// A position in the walk. T is uint32_t or uint64_t: offsets are computed modulo 2^bits, which is exact because every
/// final offset fits.
template <class T>
class BlockCursor {
public:
    /// `origin` is where element 0 lies.
    BlockCursor(const BlockPlan& plan, std::int64_t origin, const Swizzle& swizzle);

    /// index in [0, product of the digits).
    void seek(std::int64_t index);
    /// Writes the next `count` offsets to `out` and moves on. There must be so many.
    void run(T* out, std::int64_t count);

private:
    void carry();

    const BlockPlan& plan_;
    const T* pattern_;
    std::uint64_t origin_;
    Swizzle swizzle_;
    std::uint64_t base_ = 0;             ///< origin + all digits of above()
    std::int64_t low_ = 0;               ///< position inside the digits that the pattern holds completely
    std::array<std::int64_t, 64> digit_; ///< of above(); 64-bit sizes have at most 63 digits of two values or more
};

extern template class BlockCursor<std::uint32_t>;
extern template class BlockCursor<std::uint64_t>;

} // namespace ls::engine
