#include "core/codegen/pto_isa/pipes.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <type_traits>

namespace ls::codegen {

namespace {

/// Queues that touched a buffer, each with the queues that have waited for it since.
using Waited = std::map<Pipe, std::set<Pipe>>;

struct Touched {
    Waited writers;
    Waited readers;
};
/// By group of tiles that share bytes.
using State = std::map<std::size_t, Touched>;

/// On a join only those queues have surely waited that waited on both ways.
void merge(Waited& into, const Waited& other) {
    for (const auto& [pipe, waited] : other) {
        const auto [it, fresh] = into.emplace(pipe, waited);
        if (fresh) continue;
        std::set<Pipe> both;
        std::set_intersection(it->second.begin(), it->second.end(), waited.begin(), waited.end(), std::inserter(both, both.end()));
        it->second = std::move(both);
    }
}

void merge(State& into, const State& other) {
    for (const auto& [buffer, touched] : other) {
        merge(into[buffer].writers, touched.writers);
        merge(into[buffer].readers, touched.readers);
    }
}

struct Operands {
    std::vector<TileId> reads;
    std::vector<TileId> writes;
};

Operands operands_of(const Instruction& instruction) {
    return std::visit(
        [](const auto& what) -> Operands {
            using T = std::decay_t<decltype(what)>;
            if constexpr (std::is_same_v<T, Load>) return {{}, {what.tile}};
            if constexpr (std::is_same_v<T, Store>) return {{what.tile}, {}};
            if constexpr (std::is_same_v<T, Move>) return {{what.from}, {what.to}};
            if constexpr (std::is_same_v<T, Extract>) return {{what.from}, {what.to}};
            if constexpr (std::is_same_v<T, TileOp>) return {what.in, {what.out}};
            if constexpr (std::is_same_v<T, Matmul>) {
                Operands all{{what.left, what.right}, {what.out}};
                if (what.accumulate) all.reads.push_back(*what.accumulate);
                return all;
            }
            return {};
        },
        instruction.what);
}

/// Tiles whose bytes overlap get the same number: memory passes let tiles share bytes that are not one buffer by name.
std::vector<std::size_t> byte_groups(const Kernel& kernel) {
    struct Range {
        ir::TileSpace space;
        std::int64_t begin, end;
        TileId tile;
    };
    std::vector<Range> ranges;
    for (TileId id = 0; id < kernel.tiles.size(); ++id) {
        const Tile& tile = kernel.tiles[id];
        const std::int64_t begin = tile.address_bytes.value_or(0);
        ranges.push_back({tile.space, begin, begin + tile.rows * tile.cols * bits(tile.dtype) / 8, id});
    }
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return std::tie(a.space, a.begin) < std::tie(b.space, b.begin); });
    std::vector<std::size_t> groups(kernel.tiles.size());
    std::size_t group = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const bool joins = i > 0 && ranges[i].space == ranges[i - 1].space && ranges[i].begin < ranges[i - 1].end;
        if (!joins) ++group;
        if (joins) ranges[i].end = std::max(ranges[i].end, ranges[i - 1].end);
        groups[ranges[i].tile] = group;
    }
    return groups;
}

class Walker {
public:
    explicit Walker(const Kernel& kernel) : kernel_(kernel), groups_(byte_groups(kernel)) {}

    Waits run() {
        State state;
        walk(kernel_.body, state, true);
        return std::move(waits_);
    }

private:
    void walk(const Body& body, State& state, bool record) {
        for (const Instruction& one : body) {
            if (const auto* loop = std::get_if<Loop>(&one.what)) {
                // What an iteration leaves behind meets the next one at the head. Two dry walks reach the fixed point:
                // states only grow, and only by what the body itself does.
                State after = state;
                walk(*loop->body, after, false);
                merge(state, after);
                walk(*loop->body, after, false);
                merge(state, after);
                walk(*loop->body, state, record);
            } else if (const auto* branch = std::get_if<Branch>(&one.what)) {
                State other = state;
                walk(*branch->then_body, state, record);
                walk(*branch->else_body, other, record);
                merge(state, other);
            } else if (const auto pipe = pipe_of(one, kernel_)) {
                step(one, *pipe, state, record);
            }
        }
    }

    void step(const Instruction& one, Pipe pipe, State& state, bool record) {
        const Operands operands = operands_of(one);
        std::set<Pipe> wait_for;
        const auto key = [this](TileId id) { return groups_[id]; };
        const auto look = [&](const Waited& touched) {
            for (const auto& [other, waited] : touched) {
                if (other != pipe && !waited.contains(pipe)) wait_for.insert(other); // one queue runs in order by itself
            }
        };
        for (const TileId id : operands.reads) look(state[key(id)].writers);
        for (const TileId id : operands.writes) {
            look(state[key(id)].writers);
            look(state[key(id)].readers);
        }
        for (const Pipe other : wait_for) {
            if (record) waits_[&one].emplace_back(other, pipe);
            // The flag is raised behind all that the other queue has been given so far, whatever buffer it was for.
            for (auto& [buffer, touched] : state) {
                for (Waited* side : {&touched.writers, &touched.readers}) {
                    if (const auto at = side->find(other); at != side->end()) at->second.insert(pipe);
                }
            }
        }
        for (const TileId id : operands.reads) state[key(id)].readers[pipe] = {};
        for (const TileId id : operands.writes) {
            state[key(id)].readers.clear();
            state[key(id)].writers = {{pipe, {}}};
        }
    }

    const Kernel& kernel_;
    std::vector<std::size_t> groups_;
    Waits waits_;
};

} // namespace

std::string_view name(Pipe pipe) {
    switch (pipe) {
    case Pipe::Mte1: return "PIPE_MTE1";
    case Pipe::Mte2: return "PIPE_MTE2";
    case Pipe::Mte3: return "PIPE_MTE3";
    case Pipe::Matrix: return "PIPE_M";
    case Pipe::Vector: return "PIPE_V";
    case Pipe::Fix: break;
    }
    return "PIPE_FIX";
}

std::optional<Pipe> pipe_of(const Instruction& instruction, const Kernel& kernel) {
    return std::visit(
        [&](const auto& what) -> std::optional<Pipe> {
            using T = std::decay_t<decltype(what)>;
            if constexpr (std::is_same_v<T, Load>) return Pipe::Mte2;
            if constexpr (std::is_same_v<T, Store>) return kernel.tiles[what.tile].space == ir::TileSpace::Acc ? Pipe::Fix : Pipe::Mte3;
            if constexpr (std::is_same_v<T, Matmul>) return Pipe::Matrix;
            if constexpr (std::is_same_v<T, TileOp>) return Pipe::Vector;
            if constexpr (std::is_same_v<T, Move> || std::is_same_v<T, Extract>) {
                const ir::TileSpace from = kernel.tiles[what.from].space;
                if (from == ir::TileSpace::Mat) return Pipe::Mte1;
                if (from == ir::TileSpace::Acc) return Pipe::Fix;
                return Pipe::Vector;
            }
            return {};
        },
        instruction.what);
}

Waits find_waits(const Kernel& kernel) { return Walker(kernel).run(); }

} // namespace ls::codegen
