#include "core/analysis/tile_lifetimes.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "core/analysis/tile_steps.h"
#include "core/ir/walk.h"
#include "core/support/checked.h"

namespace ls {

using namespace ir;

namespace {

using Index = TileIndex;
using Step = TileStep;

/// A set of values. The few words that a function needs, so that branches and loops are joined word by word.
class ValueSet {
public:
    explicit ValueSet(std::size_t count = 0) : words_((count + 63) / 64) {}
    bool has(Index i) const { return (words_[i / 64] >> (i % 64) & 1U) != 0; }
    void add(Index i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
    void remove(Index i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
    void add(const ValueSet& o) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= o.words_[i];
    }
    void remove(const ValueSet& o) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~o.words_[i];
    }
    void keep(const ValueSet& o) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= o.words_[i];
    }
    template <class F>
    void each(F&& f) const {
        for (std::size_t w = 0; w < words_.size(); ++w) {
            for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) {
                f(static_cast<Index>(w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest))));
            }
        }
    }

private:
    std::vector<std::uint64_t> words_;
};

/// Liveness, from the end to the beginning.
class Liveness {
public:
    explicit Liveness(const TileSteps& reading) : count_(reading.values.size()), times(count_), open_(count_, 0) {
        for (const Step& s : reading.steps) summarize(s);
        ValueSet live(count_);
        run(reading.steps, live, 0, reading.positions.size());
        std::vector<std::int64_t> written(count_, -1);
        first_writes(reading.steps, written);
        for (std::size_t i = 0; i < count_; ++i) {
            // What is read before anything was written holds nothing that is needed.
            for (LiveTimes& t : times[i]) t.first = std::max(t.first, written[i]);
            tidy(times[i]);
        }
    }

private:
    std::size_t count_;

public:
    std::vector<std::vector<LiveTimes>> times; ///< of each value, ascending

private:
    /// What the bodies of a step need from before, and what they surely overwrite.
    struct Summary {
        ValueSet needs, kills;
    };
    std::unordered_map<const Step*, Summary> summaries_;

    /// Innermost first.
    void summarize(const Step& step) {
        if (step.bodies.empty()) return;
        ValueSet all_needs(count_), all_kills(count_);
        for (std::size_t b = 0; b < step.bodies.size(); ++b) {
            ValueSet needs(count_), kills(count_);
            for (const Step& s : step.bodies[b]) {
                summarize(s);
                const auto need = [&](Index i) {
                    if (!kills.has(i)) needs.add(i);
                };
                for (const Index i : s.reads) need(i);
                for (const Index i : s.changes) need(i);
                if (!s.bodies.empty()) summaries_.at(&s).needs.each(need);
                for (const Index i : s.writes) kills.add(i);
                for (const Index i : s.results) kills.add(i);
                if (!s.bodies.empty()) kills.add(summaries_.at(&s).kills);
            }
            all_needs.add(needs);
            if (b == 0) {
                all_kills = kills;
            } else {
                all_kills.keep(kills);
            }
        }
        if (may_be_skipped(step)) all_kills = ValueSet(count_);
        for (const Index i : step.writes) all_needs.remove(i); // carried values begin here
        summaries_.emplace(&step, Summary{std::move(all_needs), std::move(all_kills)});
    }

    static bool may_be_skipped(const Step& s) { return s.is_loop() || (s.stmt->kind == NodeKind::If && s.bodies.size() == 1); }

    /// The time of each value's first write; the loop's own where it is written inside one, as it may be carried round.
    static void first_writes(const std::vector<Step>& steps, std::vector<std::int64_t>& written, std::int64_t loop = -1) {
        const auto note = [&](Index i, std::int64_t at) {
            if (written[i] < 0) written[i] = loop >= 0 ? loop : at;
        };
        for (const Step& s : steps) {
            for (const Index i : s.writes) note(i, time(s.position, true));
            const std::int64_t around = loop >= 0 || !s.is_loop() ? loop : time(s.position, false);
            for (const auto& body : s.bodies) first_writes(body, written, around);
            for (const Index i : s.results) note(i, time(s.end - 1, true));
        }
    }

    void emit(Index value, std::int64_t first) { times[value].push_back({first, open_[value]}); }

    /// `live`: what is needed after the steps; afterwards what is needed before them. The positions are [begin, end).
    void run(const std::vector<Step>& steps, ValueSet& live, std::size_t begin, std::size_t end) {
        if (begin >= end) return;
        live.each([&](Index i) { open_[i] = time(end - 1, true); });
        for (auto s = steps.rbegin(); s != steps.rend(); ++s) {
            if (!s->bodies.empty()) inside(*s, live);
            for (const Index i : s->scratch) times[i].push_back({time(s->position, false), time(s->position, true)});
            for (const Index i : s->writes) define(i, live, time(s->position, true));
            for (const Index i : s->changes) need(i, live, time(s->position, true));
            for (const Index i : s->reads) need(i, live, time(s->position, false));
        }
        live.each([&](Index i) { emit(i, time(begin, false)); });
    }

    static std::int64_t time(std::size_t position, bool write) { return static_cast<std::int64_t>(position) * 2 + (write ? 1 : 0); }

    void define(Index i, ValueSet& live, std::int64_t at) {
        if (!live.has(i)) open_[i] = at; // written and never read: it clobbers all the same
        emit(i, at);
        live.remove(i);
    }
    void need(Index i, ValueSet& live, std::int64_t at) {
        if (live.has(i)) return;
        live.add(i);
        open_[i] = at;
    }

    void inside(const Step& step, ValueSet& live) {
        const std::int64_t last = time(step.end - 1, true);
        for (const Index i : step.results) define(i, live, last);
        live.each([&](Index i) { emit(i, last + 1); }); // the parts after this step end here
        ValueSet before(count_);
        std::size_t end = step.end;
        for (std::size_t b = step.bodies.size(); b-- > 0;) {
            const std::size_t begin = step.bodies[b].empty() ? end : step.bodies[b].front().position;
            ValueSet now = live;
            if (step.is_loop()) now.add(summaries_.at(&step).needs); // it comes round again
            run(step.bodies[b], now, begin, end);
            before.add(now);
            end = begin;
        }
        if (may_be_skipped(step)) before.add(live);
        live = std::move(before);
        live.each([&](Index i) { open_[i] = time(step.position, true); });
    }

    /// Ascending; ranges that touch or overlap become one.
    static void tidy(std::vector<LiveTimes>& ranges) {
        std::sort(ranges.begin(), ranges.end(), [](const LiveTimes& a, const LiveTimes& b) { return a.first < b.first; });
        std::vector<LiveTimes> joined;
        for (const LiveTimes& r : ranges) {
            if (r.first > r.last) continue;
            if (!joined.empty() && r.first <= joined.back().last + 1) {
                joined.back().last = std::max(joined.back().last, r.last);
            } else {
                joined.push_back(r);
            }
        }
        ranges = std::move(joined);
    }

    std::vector<std::int64_t> open_; ///< of each live value: where its present range ends
    friend std::vector<LiveTimes> all_times(std::vector<LiveTimes> ranges);
};

std::vector<LiveTimes> all_times(std::vector<LiveTimes> ranges) {
    Liveness::tidy(ranges);
    return ranges;
}

/// Bytes of a buffer that have the same lifetime: whole, or a view of it.
struct Piece {
    std::size_t buffer = 0;
    std::int64_t begin = 0, end = 0;
    std::vector<LiveTimes> live;
    std::string name;
};

std::optional<LiveTimes> in_common(const std::vector<LiveTimes>& a, const std::vector<LiveTimes>& b) {
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const LiveTimes both{std::max(a[i].first, b[j].first), std::min(a[i].last, b[j].last)};
        if (both.first <= both.last) return both;
        (a[i].last < b[j].last ? i : j) += 1;
    }
    return {};
}

class Report {
public:
    Report(const FunctionNode& function, TileSteps reading) : reading_(std::move(reading)) {
        const Liveness liveness(reading_);
        result.function = function.name;
        join();
        gather(liveness);
        result.positions = std::move(reading_.positions);
        judge_addresses();
        use_of_spaces();
        if (result.has_addresses) find_conflicts();
    }
    TileLifetimes result;

private:
    std::size_t root(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

    /// One buffer: related by meaning, and nothing says that they lie elsewhere.
    void unite(Index a, Index b) {
        const auto &x = reading_.values[a], &y = reading_.values[b];
        const auto space = [](const TileValue& v) { return as<TileTypeNode>(v.var->type)->space; };
        if (space(x) != space(y)) return;
        if (x.bytes.base != nullptr && y.bytes.base != nullptr && x.bytes.base != y.bytes.base && as<VarNode>(x.bytes.base) != nullptr) return;
        if (x.bytes.begin && y.bytes.begin) {
            const std::int64_t x_end = *x.bytes.begin + x.bytes.bytes, y_end = *y.bytes.begin + y.bytes.bytes;
            if (*x.bytes.begin >= y_end || *y.bytes.begin >= x_end) return;
        }
        const std::size_t i = root(a), j = root(b);
        parent_[std::max(i, j)] = std::min(i, j);
    }

    void join() {
        parent_.resize(reading_.values.size());
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
        for (std::size_t i = 0; i < reading_.values.size(); ++i) {
            TileValue& value = reading_.values[i];
            const auto source = reading_.find(value.same);
            if (!source) continue;
            // A view of PTO text names no address: it is its operand's.
            if (!value.bytes.begin && value.bytes.base == nullptr) value.bytes.begin = reading_.values[*source].bytes.begin;
            unite(static_cast<Index>(i), *source);
        }
        for (const auto& [a, b] : reading_.related) unite(a, b);
        for (std::size_t i = 0; i < reading_.values.size(); ++i) unite(static_cast<Index>(i), reading_.values[i].stands_for);
    }

    void gather(const Liveness& liveness) {
        std::unordered_map<std::size_t, std::size_t> buffer_of;
        for (std::size_t i = 0; i < reading_.values.size(); ++i) {
            const TileValue& value = reading_.values[i];
            const TileSpace space = as<TileTypeNode>(value.var->type)->space.value_or(TileSpace::Vec);
            if (space == TileSpace::DDR) continue;
            const auto [at, is_new] = buffer_of.try_emplace(root(i), result.buffers.size());
            if (is_new) result.buffers.emplace_back().space = space;
            TileBuffer& buffer = result.buffers[at->second];
            buffer.names.push_back({value.var, value.bytes.begin, value.bytes.bytes, liveness.times[value.stands_for]});
        }
        for (TileBuffer& buffer : result.buffers) {
            std::int64_t end = 0;
            for (const TileName& n : buffer.names) {
                buffer.live.insert(buffer.live.end(), n.live.begin(), n.live.end());
                end = std::max(end, checked_add(n.begin_byte.value_or(0), n.bytes).value_or(n.bytes));
                if (n.begin_byte) buffer.begin_byte = std::min(buffer.begin_byte.value_or(*n.begin_byte), *n.begin_byte);
            }
            buffer.live = all_times(std::move(buffer.live));
            buffer.bytes = end - buffer.begin_byte.value_or(0);
        }
        std::erase_if(result.buffers, [](const TileBuffer& b) { return b.live.empty(); }); // declared and never touched
    }

    void judge_addresses() {
        std::map<TileSpace, std::set<std::int64_t>> begins;
        std::map<TileSpace, std::set<const Node*>> bases;
        for (const TileBuffer& b : result.buffers) {
            if (b.begin_byte) begins[b.space].insert(*b.begin_byte);
            const auto& memref = as<TileTypeNode>(b.var().type)->memref;
            if (memref && as<VarNode>(memref->base) != nullptr) bases[b.space].insert(memref->base.get());
        }
        for (const auto& [space, set] : begins) {
            const auto found = bases.find(space);
            // Before addresses are given, every allocation begins at its own 0.
            if (set.size() > 1 || found == bases.end() || found->second.size() <= 1) result.has_addresses = true;
        }
        for (const auto& [space, set] : bases) {
            const auto found = begins.find(space);
            if (set.size() > 1 && found != begins.end() && found->second.size() == 1) result.has_addresses = false;
        }
    }

    void use_of_spaces() {
        std::map<TileSpace, SpaceUse> spaces;
        for (std::size_t i = 0; i < result.buffers.size(); ++i) {
            const TileBuffer& b = result.buffers[i];
            SpaceUse& use = spaces[b.space];
            use.space = b.space;
            use.buffers.push_back(i);
            if (b.begin_byte) {
                use.high_water_bytes = std::max(use.high_water_bytes, b.end_byte());
            } else {
                ++use.without_address;
            }
        }
        for (auto& [space, use] : spaces) {
            std::stable_sort(use.buffers.begin(), use.buffers.end(), [&](std::size_t x, std::size_t y) {
                const TileBuffer &a = result.buffers[x], &b = result.buffers[y];
                return std::pair(a.begin_byte.value_or(0), a.live.front().first) < std::pair(b.begin_byte.value_or(0), b.live.front().first);
            });
            count_live(use);
            result.spaces.push_back(std::move(use));
        }
    }

    /// Bytes that are needed at each position; bytes that two buffers claim count once.
    void count_live(SpaceUse& use) const {
        struct Event {
            std::size_t position;
            bool begins;
            std::size_t buffer;
        };
        std::vector<Event> events;
        for (const std::size_t i : use.buffers) {
            for (const LiveTimes& t : result.buffers[i].live) {
                events.push_back({t.first_position(), true, i});
                events.push_back({t.last_position() + 1, false, i});
            }
        }
        std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.position < b.position; });
        use.live_bytes.assign(result.positions.size(), 0);
        std::map<std::size_t, int> live; // by buffer: two ranges may touch the same position
        std::size_t next = 0;
        for (std::size_t p = 0; p < result.positions.size(); ++p) {
            bool changed = p == 0;
            for (; next < events.size() && events[next].position == p; ++next, changed = true) {
                int& count = live[events[next].buffer];
                count += events[next].begins ? 1 : -1;
                if (count == 0) live.erase(events[next].buffer);
            }
            use.live_bytes[p] = changed ? united_bytes(live) : use.live_bytes[p - 1];
            if (use.live_bytes[p] > use.peak_live_bytes) {
                use.peak_live_bytes = use.live_bytes[p];
                use.peak_position = p;
            }
        }
    }

    std::int64_t united_bytes(const std::map<std::size_t, int>& live) const {
        std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
        std::int64_t sum = 0;
        for (const auto& [i, count] : live) {
            const TileBuffer& b = result.buffers[i];
            if (result.has_addresses && b.begin_byte) {
                ranges.emplace_back(*b.begin_byte, b.end_byte());
            } else {
                sum += b.bytes;
            }
        }
        std::sort(ranges.begin(), ranges.end());
        std::int64_t until = 0;
        for (const auto& [begin, end] : ranges) {
            sum += std::max<std::int64_t>(0, end - std::max(begin, until));
            until = std::max(until, end);
        }
        return sum;
    }

    std::vector<Piece> pieces(const SpaceUse& use) const {
        std::vector<Piece> all;
        for (const std::size_t i : use.buffers) {
            std::map<std::pair<std::int64_t, std::int64_t>, Piece> by_bytes;
            for (const TileName& n : result.buffers[i].names) {
                if (!n.begin_byte || n.bytes <= 0 || n.live.empty()) continue;
                Piece& piece = by_bytes[{*n.begin_byte, *n.begin_byte + n.bytes}];
                if (piece.live.empty()) piece = {i, *n.begin_byte, *n.begin_byte + n.bytes, {}, n.var->name};
                piece.live.insert(piece.live.end(), n.live.begin(), n.live.end());
            }
            for (auto& [bytes, piece] : by_bytes) {
                piece.live = all_times(std::move(piece.live));
                all.push_back(std::move(piece));
            }
        }
        std::stable_sort(all.begin(), all.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
        return all;
    }

    void find_conflicts() {
        for (const SpaceUse& use : result.spaces) {
            const std::vector<Piece> all = pieces(use);
            std::set<std::pair<std::size_t, std::size_t>> told;
            for (std::size_t i = 0; i < all.size(); ++i) {
                for (std::size_t j = i + 1; j < all.size() && all[j].begin < all[i].end; ++j) {
                    if (all[i].buffer == all[j].buffer) continue;
                    const auto both = in_common(all[i].live, all[j].live);
                    if (!both || !told.insert(std::minmax(all[i].buffer, all[j].buffer)).second) continue;
                    const bool in_order = all[i].live.front().first <= all[j].live.front().first;
                    const Piece &first = in_order ? all[i] : all[j], &second = in_order ? all[j] : all[i];
                    result.conflicts.push_back({first.buffer, second.buffer, first.name, second.name, std::max(first.begin, second.begin),
                                                std::min(first.end, second.end), *both});
                }
            }
        }
    }

    TileSteps reading_;
    std::vector<std::size_t> parent_;
};

} // namespace

TileLifetimes tile_lifetimes(const FunctionNode& function) {
    if (function.body == nullptr || function.depth > kMaxDepth) return {function.name, {}, {}, {}, {}, false};
    TileSteps steps = tile_steps(function);
    resolve_addresses(steps);
    return std::move(Report(function, std::move(steps)).result);
}

} // namespace ls
