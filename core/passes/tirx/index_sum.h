// The normal form of index arithmetic: a sum of split indices,
//
//     base  +  Σ  (index % upper) // lower * scale            lower divides upper
//
// so that 8 * (i // 8) + i % 8 comes together to i, and a quotient or remainder of a sum takes apart what divides
// exactly from what does not. Terms of one index stand together, higher digits first; written out, terms go by falling
// scale, as the reference writes them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/ir/expr.h"

namespace ls::tirx {

struct SplitTerm {
    static constexpr std::int64_t kNoUpper = std::numeric_limits<std::int64_t>::max();
    ir::Expr index;
    std::int64_t lower = 1;
    std::int64_t upper = kNoUpper;
    std::int64_t scale = 1;

    bool same_digits(const SplitTerm& other) const { return lower == other.lower && upper == other.upper; }
};

struct IndexSum {
    std::vector<SplitTerm> terms;
    std::int64_t base = 0;
    DType dtype = DType::Int32;

    bool is_constant() const { return terms.empty(); }
    /// False (and then without meaning) where a number left int64.
    [[nodiscard]] bool add(const SplitTerm& term, std::int64_t times);
    [[nodiscard]] bool add(const IndexSum& other, std::int64_t times);
    [[nodiscard]] bool multiply(std::int64_t factor);
};

/// The expression, terms that are one number's digits put together.
ir::Expr written(const IndexSum& sum);
ir::Expr written(const SplitTerm& term, DType dtype);
/// What divides exactly by `divisor`, and the rest.
struct Parted {
    IndexSum divisible, rest;
};
Parted parted(const IndexSum& sum, std::int64_t divisor);

} // namespace ls::tirx
