#include "core/layout/engine/inverse.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::engine {

namespace {

/// Steps of one search: some ten milliseconds.
constexpr std::int64_t kSearchSteps = std::int64_t{1} << 22;
/// Sums of one axis that are kept while the other axes are searched.
constexpr std::size_t kMostSums = std::size_t{1} << 20;
constexpr std::int64_t kAddressesPerTick = std::int64_t{1} << 16;

Diagnostic search_given_up(Axis axis, std::int64_t value) {
    return error(
        "ENGINE_SEARCH",
        fmt::format("too many ways to reach {} on axis {}: its iters reach into each other", value, axis.name()),
        "make each stride larger than everything below it adds up to, or ask for a smaller shape");
}

} // namespace

Inverse::Inverse(const CompiledMap& map)
    : shape_(map.shape()), elements_(map.elements()), axes_(map.axes().begin(), map.axes().end()) {
    sums_.clear();
    swizzles_.clear();
    for (std::size_t a = 0; a < axes_.size(); ++a) {
        sums_.push_back(AxisSum::of(map.lowered(), map.lowered().axes[a]));
        swizzles_.push_back(map.on(a).swizzle());
        closed_ = closed_ && sums_.back().is_nested();
        const auto shared = sums_.back().shared();
        shared_.insert(shared_.end(), shared.begin(), shared.end());
    }
    std::sort(shared_.begin(), shared_.end(), [](const Digit& a, const Digit& b) { return a.place < b.place; });
}

Status Inverse::check_point(std::span<const std::int64_t> point) const {
    if (point.size() == axes_.size()) return ok_status();
    std::string names;
    for (const Axis axis : axes_) names += fmt::format("{}{}", names.empty() ? "" : ", ", axis.name());
    return error("ENGINE_POINT", fmt::format("a point of {} values; the layout names the axes {}", point.size(), names),
                 "give one value for each axis");
}

std::optional<std::int64_t> Inverse::decode(std::span<const std::int64_t> point) const {
    std::int64_t element = 0;
    for (std::size_t a = 0; a < sums_.size(); ++a) {
        const auto part = sums_[a].decode(swizzles_[a](point[a]));
        if (!part) return {};
        element += *part;
    }
    if (element >= elements_) return {};
    return element;
}

Result<std::vector<std::int64_t>> Inverse::search(std::span<const std::int64_t> point) const {
    std::vector<std::int64_t> found{0};
    std::int64_t budget = kSearchSteps;
    for (std::size_t a = 0; a < sums_.size(); ++a) {
        std::vector<std::int64_t> parts;
        const std::int64_t value = swizzles_[a](point[a]);
        if (!sums_[a].search(value, budget, [&](std::int64_t element) { parts.push_back(element); }) ||
            parts.size() > kMostSums / std::max<std::size_t>(found.size(), 1)) {
            return search_given_up(axes_[a], value);
        }
        std::vector<std::int64_t> next;
        next.reserve(found.size() * parts.size());
        for (const std::int64_t before : found) {
            for (const std::int64_t part : parts) next.push_back(before + part);
        }
        found = std::move(next);
    }
    // Several copies of one element may meet in one place.
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

Result<Owners> Inverse::find(std::span<const std::int64_t> point, std::size_t limit) const {
    LS_CHECK(check_point(point));
    std::vector<std::int64_t> bases;
    if (closed_) {
        if (const auto element = decode(point)) bases.push_back(*element);
    } else {
        LS_TRY(bases, search(point));
    }
    // Each base stands for all values of the shared digits: ascending when the smallest place moves fastest. Only the
    // smallest limit + 1 elements are kept.
    const std::size_t room = limit + 1;
    std::int64_t beyond = elements_;
    std::vector<std::int64_t> kept;
    const auto tidy = [&] {
        std::sort(kept.begin(), kept.end());
        kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
        if (kept.size() < room) return;
        kept.resize(room);
        beyond = kept.back();
    };
    for (const std::int64_t base : bases) {
        if (base >= beyond) break;
        const std::size_t begin = kept.size();
        kept.push_back(base);
        for (const Digit& digit : shared_) {
            const std::size_t listed = kept.size();
            for (std::int64_t step = 1; step < digit.extent; ++step) {
                if (kept.size() - begin >= room || base + step * digit.place >= beyond) break;
                for (std::size_t i = begin; i < listed && kept[i] + step * digit.place < beyond; ++i) {
                    kept.push_back(kept[i] + step * digit.place);
                }
            }
        }
        tidy();
    }
    Owners out;
    out.more = kept.size() > limit;
    if (out.more) kept.resize(limit);
    out.elements = std::move(kept);
    return out;
}

Result<std::int64_t> Inverse::first(std::span<const std::int64_t> point) const {
    LS_CHECK(check_point(point));
    if (closed_) return decode(point).value_or(kNone);
    LS_TRY(const std::vector<std::int64_t> bases, search(point));
    return bases.empty() || bases.front() >= elements_ ? kNone : bases.front();
}

Shape Inverse::coordinate(std::int64_t element) const {
    Shape out(shape_.size(), 0);
    for (std::size_t d = shape_.size(); d-- > 0;) {
        out[d] = element % shape_[d];
        element /= shape_[d];
    }
    return out;
}

Status Inverse::fill_first(std::int64_t begin, std::span<std::int64_t> out, const Watch* watch) const {
    if (axes_.size() != 1) LS_CHECK(check_point({&begin, 1}));
    const auto count = static_cast<std::int64_t>(out.size());
    if (begin > std::numeric_limits<std::int64_t>::max() - count) {
        return error("ENGINE_OVERFLOW", fmt::format("{} addresses from {} leave 64 bits", count, begin),
                     "ask for fewer");
    }
    const AxisSum& sum = sums_.front();
    const Swizzle& swizzle = swizzles_.front();
    std::int64_t untold = kAddressesPerTick;
    for (std::int64_t at = 0; at < count;) {
        if (untold >= kAddressesPerTick) {
            untold = 0;
            LS_CHECK(Watch::tick(watch, at, count));
        }
        const std::int64_t address = begin + at;
        std::int64_t length = 1;
        if (closed_) {
            // Neighbours up to the end of the innermost iter differ in one digit only; a swizzle moves whole chunks.
            const AxisSum::Run run = sum.decode_run(swizzle(address));
            length = std::clamp<std::int64_t>(run.length, 1, count - at);
            if (swizzle.kind != Swizzle::Kind::None) {
                length = std::min(length, swizzle.untouched - (address & (swizzle.untouched - 1)));
            }
            for (std::int64_t i = 0; i < length; ++i) {
                const std::int64_t element = run.element + i * run.place;
                out[static_cast<std::size_t>(at + i)] = run.length > 0 && element < elements_ ? element : kNone;
            }
        } else {
            LS_TRY(out[static_cast<std::size_t>(at)], first({&address, 1}));
        }
        at += length;
        untold += length;
    }
    return ok_status();
}

} // namespace ls::engine
