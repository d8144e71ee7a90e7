#include "core/layout/engine/coverage.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/layout/engine/axis_sum.h"
#include "core/layout/engine/block_plan.h"
#include "core/support/checked.h"

namespace ls::engine {

namespace {

constexpr std::int64_t kChunk = 4096;
/// Addresses of the last, incomplete swizzle period that are looked at one by one.
constexpr std::int64_t kMostProbes = std::int64_t{1} << 24;

/// The counts of one axis over [0, span).
struct AxisCount {
    std::int64_t hits = 0;
    std::int64_t inside = 0; ///< hits in range
    std::int64_t used = 0;
    std::int64_t shared = 0;
};

Diagnostic too_many() {
    return error("ENGINE_OVERFLOW", "the places or hits to count do not fit 64 bits",
                 "give smaller spans, or look at a part of the tensor");
}

/// Combinations with a place in [0, span) after the swizzle, in closed form; empty where that would take too long.
std::optional<std::int64_t> inside_nested(const AxisSum& sum, const Swizzle& swizzle, const Bounds& bounds,
                                          std::int64_t span) {
    if (swizzle.kind == Swizzle::Kind::None) return sum.count_below(span) - sum.count_below(0);
    if (bounds.low >= 0 && bounds.high < span) return sum.combinations();
    // The swizzle permutes the addresses of each period among themselves: only the period that the end of the span
    // cuts has to be looked at.
    const std::int64_t whole = span / swizzle.period * swizzle.period;
    if (span - whole > kMostProbes) return {};
    std::int64_t inside = sum.count_below(whole) - sum.count_below(0);
    for (std::int64_t address = whole; address < span; ++address) inside += sum.decode(swizzle(address)) ? 1 : 0;
    return inside;
}

/// Remembers which addresses of [low, high) were met once and which more often, one bit each.
class HitCounter {
public:
    HitCounter(std::int64_t low, std::int64_t high)
        : low_(low), width_(static_cast<std::uint64_t>(high - low)), once_(words(high - low)),
          often_(words(high - low)) {}

    static std::int64_t bytes(std::int64_t width) { return 2 * 8 * static_cast<std::int64_t>(words(width)); }

    void add(std::span<const std::int64_t> addresses) {
        for (const std::int64_t address : addresses) {
            const std::uint64_t at = static_cast<std::uint64_t>(address) - static_cast<std::uint64_t>(low_);
            if (at >= width_) continue;
            const std::uint64_t bit = std::uint64_t{1} << (at % 64);
            often_[at / 64] |= once_[at / 64] & bit;
            once_[at / 64] |= bit;
            ++inside_;
        }
    }
    AxisCount counts(std::int64_t hits) const {
        AxisCount out{hits, inside_, 0, 0};
        for (const std::uint64_t word : once_) out.used += std::popcount(word);
        for (const std::uint64_t word : often_) out.shared += std::popcount(word);
        return out;
    }

private:
    static std::size_t words(std::int64_t width) { return static_cast<std::size_t>(width / 64 + 1); }

    std::int64_t low_;
    std::uint64_t width_;
    std::int64_t inside_ = 0;
    std::vector<std::uint64_t> once_;
    std::vector<std::uint64_t> often_;
};

/// An empty counter for the part of [0, span) that can be hit.
Result<HitCounter> make_counter(const Bounds& bounds, std::int64_t span, std::int64_t hits,
                                const CoverageOptions& options) {
    const std::int64_t low = std::clamp<std::int64_t>(bounds.low, 0, span);
    const std::int64_t high = bounds.high < low ? low : std::min(span, checked_add(bounds.high, 1).value_or(span));
    if ((high - low) / 4 > options.memory_limit_bytes || HitCounter::bytes(high - low) > options.memory_limit_bytes) {
        return error(
            "ENGINE_LIMIT",
            fmt::format("counting {} addresses takes more than {} bytes", high - low, options.memory_limit_bytes),
            "make each stride larger than everything below it adds up to, look at a part of the tensor, or raise the "
            "memory limit");
    }
    if (hits > options.step_limit) {
        return error(
            "ENGINE_LIMIT",
            fmt::format("{} hits would have to be counted one by one; at most {} are", hits, options.step_limit),
            "make each stride larger than everything below it adds up to, look at a part of the tensor, or raise the "
            "step limit");
    }
    return HitCounter(low, high);
}

/// All sums of one axis, met one by one.
Result<AxisCount> count_sums(const AxisSum& sum, const Swizzle& swizzle, const Bounds& bounds, std::int64_t span,
                             const CoverageOptions& options) {
    const std::int64_t hits = *sum.combinations();
    LS_TRY(HitCounter counter, make_counter(bounds, span, hits, options));
    std::vector<Digit> digits;
    for (const AxisSum::Term& term : sum.terms()) digits.push_back({term.extent, term.stride, 0, {}});
    std::reverse(digits.begin(), digits.end()); // smallest stride first, so that neighbours hit neighbouring bits
    const BlockPlan plan(digits);
    BlockCursor<std::uint64_t> cursor(plan, sum.low(), swizzle);
    std::array<std::int64_t, kChunk> chunk;
    for (std::int64_t at = 0; at < hits; at += kChunk) {
        if (at % (kChunk * 256) == 0) LS_CHECK(Watch::tick(options.watch, at, hits));
        const std::int64_t length = std::min(kChunk, hits - at);
        cursor.run(reinterpret_cast<std::uint64_t*>(chunk.data()), length);
        counter.add(std::span(chunk).first(static_cast<std::size_t>(length)));
    }
    return counter.counts(hits);
}

/// All copies of all elements of a layout of one axis, met one by one.
Result<AxisCount> count_elements(const CompiledMap& map, std::int64_t span, const CoverageOptions& options) {
    const CompiledLayout& compiled = map.on(0);
    const CheckedInt hits = checked_mul(map.elements(), map.copies());
    if (!hits) return too_many();
    LS_TRY(HitCounter counter, make_counter(compiled.bounds(), span, *hits, options));
    LS_TRY(const std::vector<std::int64_t> displacements, map.displacements());
    std::array<std::int64_t, kChunk> chunk;
    std::int64_t done = 0;
    for (const std::int64_t displacement : displacements) {
        for (std::int64_t at = 0; at < map.elements(); at += kChunk) {
            if (done % (kChunk * 256) == 0) LS_CHECK(Watch::tick(options.watch, done, *hits));
            const std::int64_t length = std::min(kChunk, map.elements() - at);
            const auto part = std::span(chunk).first(static_cast<std::size_t>(length));
            LS_CHECK(compiled.fill_range(at, part, {displacement, nullptr}));
            counter.add(part);
            done += length;
        }
    }
    return counter.counts(*hits);
}

Result<AxisCount> count_axis(const CompiledMap& map, std::size_t axis, std::int64_t span,
                             const CoverageOptions& options) {
    const Lowered& lowered = map.lowered();
    const Bounds bounds = map.on(axis).bounds();
    const Swizzle& swizzle = map.on(axis).swizzle();
    if (lowered.partial) return count_elements(map, span, options);

    const AxisSum sum = AxisSum::of(lowered, lowered.axes[axis]);
    if (!sum.combinations() || !sum.multiplicity()) return too_many();
    AxisCount out;
    std::optional<std::int64_t> inside;
    if (sum.is_nested()) inside = inside_nested(sum, swizzle, bounds, span);
    if (inside) {
        out = {*sum.combinations(), *inside, *inside, 0};
    } else {
        LS_TRY(out, count_sums(sum, swizzle, bounds, span, options));
    }
    if (*sum.multiplicity() > 1) out.shared = out.used;
    const CheckedInt hits = checked_mul(out.hits, *sum.multiplicity());
    if (!hits) return too_many();
    out.hits = *hits;
    out.inside *= *sum.multiplicity();
    return out;
}

} // namespace

std::vector<std::int64_t> natural_spans(const CompiledMap& map) {
    std::vector<std::int64_t> out;
    for (std::size_t a = 0; a < map.axes().size(); ++a) {
        const std::int64_t high = map.on(a).plain_bounds().high;
        out.push_back(std::max<std::int64_t>(0, checked_add(high, 1).value_or(high)));
    }
    return out;
}

Result<Coverage> coverage(const CompiledMap& map, const CoverageOptions& options) {
    const std::vector<std::int64_t> natural = natural_spans(map);
    const std::span<const std::int64_t> spans =
        options.spans.empty() ? std::span<const std::int64_t>(natural) : options.spans;
    if (spans.size() != natural.size() ||
        std::any_of(spans.begin(), spans.end(), [](std::int64_t s) { return s < 0; })) {
        return error("ENGINE_SPAN",
                     fmt::format("spans {} for a layout that names {} axes", to_text(spans), natural.size()),
                     "give one span ≥ 0 for each axis");
    }
    if (map.lowered().partial && natural.size() > 1) {
        return error(
            "ENGINE_PARTIAL",
            fmt::format("the shape {} ends in the middle of the layout's outermost iter", to_text(map.shape())),
            "use a shape whose extents multiply to the size of the layout");
    }
    // Iters of different axes do not meet: a point is hit as often as its values are hit on each axis, multiplied.
    CheckedInt places = 1, hits = 1, inside = 1, used = 1, unshared = 1;
    const auto multiply = [](CheckedInt& product, std::int64_t factor) {
        product = product ? checked_mul(*product, factor) : CheckedInt{};
    };
    for (std::size_t a = 0; a < spans.size(); ++a) {
        LS_TRY(const AxisCount count, count_axis(map, a, spans[a], options));
        multiply(places, spans[a]);
        multiply(hits, count.hits);
        multiply(inside, count.inside);
        multiply(used, count.used);
        multiply(unshared, count.used - count.shared);
    }
    if (!places || !hits || !inside || !used || !unshared) return too_many();
    return Coverage{*places, *hits, *hits - *inside, *used, *places - *used, *used - *unshared};
}

} // namespace ls::engine
