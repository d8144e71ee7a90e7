// A∘B, decided exactly (spec/notation.md b.3). CuTe's own recipe accepts many pairs for which no such layout exists;
// here a cheap sufficient test answers most pairs, and the definition itself answers the rest.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/notation/cute_algebra_internal.h"
#include "core/notation/cute_evaluate.h"
#include "core/notation/cute_text.h"

namespace ls::cute {

namespace {

constexpr std::int64_t kExactLimit = std::int64_t{1} << 22; // elements of B that the exact decision visits

using Values = std::vector<std::int64_t>;

/// Leaf k of B by itself: digits 0..size-1 and the value of A there.
struct BLeaf {
    std::int64_t size = 1;
    std::int64_t stride = 0;
    CuteLayout target; ///< the part of A that it addresses
};

/// CuTe's leaf recipe on coalesced A, with the digits that B uses of every leaf of A added up: when no leaf of A can be
/// filled beyond its size, no carry can happen and the recipe is right. Empty when that cannot be shown.
std::optional<std::vector<std::vector<Flat>>> fast_path(const CuteLayout& a, const std::vector<BLeaf>& leaves) {
    std::vector<Flat> as = coalesced_leaves(a);
    // A trailing leaf of size 1 says how A goes on past its end; kept open as the last leaf.
    const std::vector<Flat> all = flatten(a);
    if (!all.empty() && all.back().size == 1 && !as.empty()) as.push_back({2, all.back().stride});
    if (as.empty()) as.push_back({1, all.empty() ? 0 : all.back().stride});
    std::vector<std::int64_t> budget(as.size(), 0);
    std::vector<std::vector<Flat>> out;
    for (const BLeaf& leaf : leaves) {
        std::vector<Flat> parts;
        std::int64_t rest_size = leaf.size, rest_step = leaf.stride;
        if (leaf.size > 1 && leaf.stride < 0) return {};
        if (leaf.size == 1 || leaf.stride == 0) {
            out.push_back({{leaf.size, 0}});
            continue;
        }
        for (std::size_t k = 0; rest_size > 1; ++k) {
            const auto [extent, stride] = as[k];
            const CheckedInt step = checked_mul(rest_step, stride);
            if (!step) return {};
            if (k + 1 == as.size()) {
                parts.push_back({rest_size, *step});
                break;
            }
            if (rest_step >= extent) {
                if (rest_step % extent != 0) return {};
                rest_step /= extent;
                continue;
            }
            if (extent % rest_step != 0) return {};
            const std::int64_t n = extent / rest_step;
            const std::int64_t taken = std::min(n, rest_size);
            if (rest_size > n && rest_size % n != 0) return {};
            budget[k] += (taken - 1) * rest_step;
            parts.push_back({taken, *step});
            rest_size /= taken;
            rest_step = 1;
        }
        out.push_back(std::move(parts));
    }
    for (std::size_t k = 0; k + 1 < as.size(); ++k) {
        if (budget[k] >= as[k].size) return {};
    }
    return out;
}

/// g(j) over one leaf as a list of (size, stride), or where that fails.
struct Spacing {
    std::vector<Flat> parts;
    std::optional<CompositionWitness> witness;
};
Spacing evenly_spaced(const Values& g) {
    Spacing out;
    std::int64_t step = 1; // digits of this level count `step` elements of the leaf
    auto rest = static_cast<std::int64_t>(g.size());
    const auto at = [&](std::int64_t digit) { return g[static_cast<std::size_t>(digit * step)]; };
    while (rest > 1) {
        std::int64_t run = 1;
        while (run < rest && at(run) == run * at(1)) ++run;
        CompositionWitness w;
        w.leaf_size = static_cast<std::int64_t>(g.size());
        w.step = step;
        w.run = run;
        w.rest = rest;
        if (rest % run != 0) {
            w.kind = CompositionWitness::Kind::RunDoesNotDivide;
            w.at = run * step;
            w.want = at(run);
            w.found = run * at(1);
            out.witness = w;
            return out;
        }
        for (std::int64_t i = run; i < rest; ++i) {
            const std::int64_t sum = at(i % run) + at(i / run * run);
            if (at(i) == sum) continue;
            w.kind = CompositionWitness::Kind::NotAdditive;
            w.at = i * step;
            w.want = at(i);
            w.found = sum;
            out.witness = w;
            return out;
        }
        out.parts.push_back({run, at(1)});
        step *= run;
        rest /= run;
    }
    return out;
}

/// The leaves of B with the part of A that each addresses: all of A, or the mode that a basis stride names.
Result<std::vector<BLeaf>> leaves_of(const CuteLayout& a, const Tree& shape, const Tree& stride) {
    std::vector<BLeaf> out;
    if (!shape.is_leaf) {
        for (std::size_t i = 0; i < shape.items.size(); ++i) {
            LS_TRY(std::vector<BLeaf> inner, leaves_of(a, shape.items[i], stride.items[i]));
            for (BLeaf& leaf : inner) out.push_back(std::move(leaf));
        }
        return out;
    }
    BLeaf leaf{shape.leaf.value, stride.leaf.value, a};
    for (const std::int64_t index : stride.leaf.basis) {
        if (leaf.target.shape.is_leaf || static_cast<std::size_t>(index) >= leaf.target.shape.items.size()) {
            return error("CUTE_BASIS", fmt::format("the left side {} has no mode {}", print(a), index));
        }
        leaf.target = mode(leaf.target, static_cast<std::size_t>(index));
    }
    out.push_back(std::move(leaf));
    return out;
}

/// B's shape with every leaf replaced by its parts, and the strides to match.
CuteLayout rebuild(const Tree& shape, const std::vector<std::vector<Flat>>& parts, std::size_t& next) {
    if (shape.is_leaf) {
        const CuteLayout raw = from_flat(parts[next++]);
        return from_flat(coalesced_leaves(raw));
    }
    std::vector<CuteLayout> modes;
    for (const Tree& item : shape.items) modes.push_back(rebuild(item, parts, next));
    return join(modes);
}

/// The definition, element by element.
Result<CompositionAnswer> decide_exactly(const CuteLayout& b, const std::vector<BLeaf>& leaves) {
    const std::int64_t count = size(b);
    if (count > kExactLimit) {
        return error(
            "CUTE_TOO_LARGE",
            fmt::format("the composition can only be decided element by element, and the right side has {}", count),
            "use a smaller right side");
    }
    CompositionAnswer out;
    std::vector<Values> single;
    std::vector<std::vector<Flat>> parts;
    for (std::size_t k = 0; k < leaves.size(); ++k) {
        Values g;
        for (std::int64_t j = 0; j < leaves[k].size; ++j) {
            LS_TRY(const std::int64_t index, times(j, leaves[k].stride));
            LS_TRY(const std::int64_t value, crd2idx(index, leaves[k].target));
            g.push_back(value);
        }
        Spacing spacing = evenly_spaced(g);
        if (spacing.witness) {
            spacing.witness->leaf = k;
            out.witness = std::move(spacing.witness);
            return out;
        }
        parts.push_back(std::move(spacing.parts));
        single.push_back(std::move(g));
    }
    // Leaves that address the same part of A share one index into it.
    std::vector<const CuteLayout*> targets;
    std::vector<std::size_t> target_of;
    for (const BLeaf& leaf : leaves) {
        std::size_t t = 0;
        while (t < targets.size() && !(*targets[t] == leaf.target)) ++t;
        if (t == targets.size()) targets.push_back(&leaf.target);
        target_of.push_back(t);
    }
    // No carry: the value at every coordinate is the sum of the single leaves' values.
    std::vector<std::int64_t> digit(leaves.size(), 0), index(targets.size());
    for (std::int64_t flat = 0; flat < count; ++flat) {
        std::fill(index.begin(), index.end(), 0);
        std::int64_t found = 0, want = 0;
        for (std::size_t k = 0; k < leaves.size(); ++k) {
            found += single[k][static_cast<std::size_t>(digit[k])];
            index[target_of[k]] += digit[k] * leaves[k].stride;
        }
        for (std::size_t t = 0; t < targets.size(); ++t) {
            LS_TRY(const std::int64_t value, crd2idx(index[t], *targets[t]));
            want += value;
        }
        if (want != found) {
            CompositionWitness w;
            w.kind = CompositionWitness::Kind::Carry;
            w.at = flat;
            w.coordinate = digit;
            w.b = index.size() == 1 ? index[0] : 0;
            w.want = want;
            w.found = found;
            out.witness = std::move(w);
            return out;
        }
        for (std::size_t k = 0; k < leaves.size(); ++k) {
            if (++digit[k] < leaves[k].size) break;
            digit[k] = 0;
        }
    }
    std::size_t next = 0;
    out.layout = rebuild(b.shape, parts, next);
    return out;
}

std::string in_words(const CompositionWitness& w) {
    switch (w.kind) {
    case CompositionWitness::Kind::RunDoesNotDivide:
        return fmt::format("mode {} of the right side: its first {} of {} steps are evenly spaced, and {} does not "
                           "divide {} (index {}: {} instead of {})",
                           w.leaf, w.run, w.rest, w.run, w.rest, w.at, w.want, w.found);
    case CompositionWitness::Kind::NotAdditive:
        return fmt::format("mode {} of the right side is not a sum of digits (index {}: {} instead of {})", w.leaf,
                           w.at, w.want, w.found);
    case CompositionWitness::Kind::Carry: break;
    }
    return fmt::format("digits carry into each other: at ({}) the value is {}, the sum of the modes {}",
                       fmt::join(w.coordinate, ","), w.want, w.found);
}

} // namespace

Result<CompositionAnswer> decide_composition(const CuteLayout& a, const CuteLayout& b) {
    LS_CHECK(check_plain({&a}));
    if (has_unknown(b))
        return error("CUTE_UNKNOWN", "a run-time number '?' has no value", "write numbers in place of '?'");
    LS_TRY(const std::vector<BLeaf> leaves, leaves_of(a, b.shape, b.stride));
    CompositionAnswer out;
    if (!has_basis(b)) {
        const bool ascending = std::all_of(leaves.begin(), leaves.end(), [](const BLeaf& l) { return l.stride >= 0; });
        if (const auto parts = ascending ? fast_path(a, leaves) : std::nullopt) {
            std::size_t next = 0;
            out.layout = rebuild(b.shape, *parts, next);
        }
    }
    if (!out.layout) {
        LS_TRY(out, decide_exactly(b, leaves));
    }
    if (out.layout) {
        LS_TRY(out.layout, finished(std::move(*out.layout), {&a, &b}));
    }
    return out;
}

Result<CuteLayout> composition(const CuteLayout& a, const CuteLayout& b) {
    LS_TRY(CompositionAnswer answer, decide_composition(a, b));
    if (answer.layout) return std::move(*answer.layout);
    return error("CUTE_NO_COMPOSITION",
                 fmt::format("no layout answers {} after {}: {}", print(a), print(b), in_words(*answer.witness)),
                 "choose a right side whose sizes and strides divide the left side's");
}

Result<CuteLayout> composition(const CuteLayout& a, const Tiler& tiler) {
    if (tiler.size() > rank(a.shape))
        return error("CUTE_RANK",
                     fmt::format("the tiler has {} modes, {} has {}", tiler.size(), print(a), rank(a.shape)));
    std::vector<CuteLayout> modes;
    for (std::size_t i = 0; i < tiler.size(); ++i) {
        if (!tiler[i]) {
            modes.push_back(mode(a, i));
            continue;
        }
        LS_TRY(CuteLayout one, composition(mode(a, i), *tiler[i]));
        modes.push_back(std::move(one));
    }
    return join(modes);
}

} // namespace ls::cute
