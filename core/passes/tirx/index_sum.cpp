#include "core/passes/tirx/index_sum.h"

#include <algorithm>
#include <tuple>

#include "core/dialect/tirx/fold.h"
#include "core/passes/tirx/same_value.h"
#include "core/support/checked.h"

namespace ls::tirx {

using namespace ir;

bool IndexSum::add(const SplitTerm& term, std::int64_t times) {
    if (term.scale == 0 || times == 0) return true;
    const auto scale = checked_mul(term.scale, times);
    if (!scale) return false;
    const auto same_index = [&](const SplitTerm& t) { return same_value(t.index, term.index); };
    auto at = std::find_if(terms.begin(), terms.end(), same_index);
    for (; at != terms.end(); ++at) {
        if (!same_index(*at) || term.lower > at->lower) break;
        if (at->same_digits(term)) {
            const auto total = checked_add(at->scale, *scale);
            if (!total) return false;
            at->scale = *total;
            return true;
        }
    }
    SplitTerm scaled = term;
    scaled.scale = *scale;
    terms.insert(at, std::move(scaled));
    return true;
}

bool IndexSum::add(const IndexSum& other, std::int64_t times) {
    for (const SplitTerm& t : other.terms) {
        if (!add(t, times)) return false;
    }
    const auto product = checked_mul(other.base, times);
    const auto total = product ? checked_add(base, *product) : CheckedInt{};
    if (!total) return false;
    base = *total;
    return true;
}

bool IndexSum::multiply(std::int64_t factor) {
    if (factor == 0) {
        terms.clear();
        base = 0;
        return true;
    }
    for (SplitTerm& t : terms) {
        const auto product = checked_mul(t.scale, factor);
        if (!product) return false;
        t.scale = *product;
    }
    const auto product = checked_mul(base, factor);
    if (!product) return false;
    base = *product;
    return true;
}

namespace {

/// Two neighbouring digits of one index are one: (x / (c·s))·s + (x % (c·s)) / c = x / c, times the lower scale.
bool are_neighbours(const SplitTerm& high, const SplitTerm& low) {
    if (high.lower != low.upper || low.scale == 0 || high.scale % low.scale != 0) return false;
    return checked_mul(high.scale / low.scale, low.lower) == high.lower;
}

std::vector<SplitTerm> merged(std::vector<SplitTerm> terms) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
        for (std::size_t j = i + 1; j < terms.size(); ++j) {
            SplitTerm &high = terms[i], &low = terms[j];
            if (high.scale == 0 || !same_value(high.index, low.index) || high.upper < low.lower) break;
            if (are_neighbours(high, low)) {
                low.upper = high.upper;
                high.scale = 0;
                break;
            }
        }
    }
    std::stable_sort(terms.begin(), terms.end(), [](const SplitTerm& a, const SplitTerm& b) {
        return std::tie(a.scale, a.lower, a.upper) > std::tie(b.scale, b.lower, b.upper);
    });
    return terms;
}

Expr digits(const SplitTerm& term, DType dtype) {
    Expr out = term.index;
    if (term.upper != SplitTerm::kNoUpper) out = make_binary(BinaryOp::Mod, out, const_int(term.upper, dtype));
    return make_binary(BinaryOp::FloorDiv, out, const_int(term.lower, dtype));
}

} // namespace

Expr written(const SplitTerm& term, DType dtype) {
    if (term.scale == 0) return const_int(0, dtype);
    return make_binary(BinaryOp::Mul, digits(term, dtype), const_int(term.scale, dtype));
}

Expr written(const IndexSum& sum) {
    constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
    const std::vector<SplitTerm> terms = merged(sum.terms);
    Expr out = const_int(0, sum.dtype);
    const auto take_away = [&](const SplitTerm& t) { return t.scale < 0 && t.scale != kLowest; };
    for (const SplitTerm& t : terms) {
        if (t.scale != 0 && !take_away(t)) out = make_binary(BinaryOp::Add, out, written(t, sum.dtype));
    }
    if (sum.base > 0 || sum.base == kLowest) out = make_binary(BinaryOp::Add, out, const_int(sum.base, sum.dtype));
    for (SplitTerm t : terms) {
        if (!take_away(t)) continue;
        t.scale = -t.scale;
        out = make_binary(BinaryOp::Sub, out, written(t, sum.dtype));
    }
    if (sum.base < 0 && sum.base != kLowest) {
        out = make_binary(BinaryOp::Sub, out, const_int(-sum.base, sum.dtype));
    }
    return out;
}

Parted parted(const IndexSum& sum, std::int64_t divisor) {
    Parted out;
    out.divisible.dtype = out.rest.dtype = sum.dtype;
    (sum.base % divisor == 0 ? out.divisible : out.rest).base = sum.base;
    for (const SplitTerm& t : sum.terms) (t.scale % divisor == 0 ? out.divisible : out.rest).terms.push_back(t);
    return out;
}

} // namespace ls::tirx
