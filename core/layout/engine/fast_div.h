// Division by a number known in advance: one multiplication and one shift instead of a divide instruction.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace ls::engine {

/// Exact for every numerator in [0, 2^63).
///
/// With L = ceil(log2 d) and m = floor(2^(63+L) / d) + 1 the excess m·d − 2^(63+L) is in [1, 2^L], which is what makes
/// floor(n·m / 2^(63+L)) = floor(n / d) for all n < 2^63 (the round-up method). m < 2^64 because d > 2^(L-1).
/// The numerator is doubled so that the shift by 63+L becomes "the high word, shifted by L".
class FastDiv {
public:
    FastDiv() = default; ///< divides by 1
    explicit FastDiv(std::int64_t divisor) : divisor_(divisor) {
        assert(divisor >= 1);
        const auto d = static_cast<std::uint64_t>(divisor);
        shift_ = static_cast<unsigned>(std::bit_width(d - 1));
        multiplier_ = static_cast<std::uint64_t>((Wide{1} << (63U + shift_)) / d + 1);
    }

    std::int64_t divisor() const { return divisor_; }
    std::int64_t quotient(std::int64_t n) const {
        const Wide product = Wide{static_cast<std::uint64_t>(n) << 1U} * multiplier_;
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(product >> 64U) >> shift_);
    }
    std::int64_t remainder(std::int64_t n, std::int64_t quotient_of_n) const { return n - quotient_of_n * divisor_; }

private:
    __extension__ using Wide = unsigned __int128;

    std::int64_t divisor_ = 1;
    std::uint64_t multiplier_ = (std::uint64_t{1} << 63U) + 1;
    unsigned shift_ = 0;
};

/// One digit of a mixed-radix number, ready to be split off: digit = n % extent, worth digit · stride.
struct Radix {
    FastDiv extent;
    std::int64_t stride = 0;
};

} // namespace ls::engine
