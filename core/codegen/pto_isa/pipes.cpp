#include "core/codegen/pto_isa/pipes.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>

namespace ls::codegen {

namespace {

using Sequence = std::uint64_t;
constexpr std::size_t index(Pipe pipe) { return static_cast<std::size_t>(pipe); }

/// The last time that a queue read or wrote a buffer. `waited` holds the queues (one bit each) that have waited for it, as
/// far as the state's clocks do not say it.
struct Touch {
    Sequence when = 0; ///< 0: never
    std::uint8_t waited = 0;
};
struct Touched {
    std::array<Touch, kPipes> writes, reads;
};

struct State {
    std::vector<Touched> buffers; ///< groups of tiles that share bytes, then the tensors
    /// known[a][b]: queue a has waited for everything that queue b was given up to then (vector clocks, so that waiting for
    /// a queue is also waiting for what that queue has waited for).
    std::array<std::array<Sequence, kPipes>, kPipes> known{};
};

bool has_waited(const State& state, const Touch& touch, std::size_t queue, std::size_t other) {
    if (touch.when == 0 || ((touch.waited >> queue) & 1U) != 0 || state.known[queue][other] >= touch.when) return true;
    // By way of a queue that had waited for it, if that one was waited for since (joins set the clocks to 0).
    for (std::size_t by = 0; by < kPipes; ++by) {
        if (((touch.waited >> by) & 1U) != 0 && state.known[queue][by] != 0) return true;
    }
    return false;
}

struct Operands {
    std::vector<TileId> reads, writes;
    std::optional<std::size_t> tensor_read, tensor_written;
};

Operands operands_of(const Instruction& instruction) {
    return std::visit(
        [](const auto& what) -> Operands {
            using T = std::decay_t<decltype(what)>;
            if constexpr (std::is_same_v<T, Load>) return {{}, {what.tile}, what.window.tensor, {}};
            if constexpr (std::is_same_v<T, Store>) return {{what.tile}, {}, {}, what.window.tensor};
            if constexpr (std::is_same_v<T, LoadScalar>) return {{}, {}, what.tensor, {}};
            if constexpr (std::is_same_v<T, StoreScalar>) return {{}, {}, {}, what.tensor};
            if constexpr (std::is_same_v<T, Push>) return {{what.tile}, {}, {}, {}};
            if constexpr (std::is_same_v<T, Pop>) return {{}, {what.tile}, {}, {}};
            if constexpr (std::is_same_v<T, Move> || std::is_same_v<T, Extract> || std::is_same_v<T, Insert>) return {{what.from}, {what.to}, {}, {}};
            if constexpr (std::is_same_v<T, TileOp>) {
                Operands all{{}, {what.out}, {}, {}};
                for (const Operand& operand : what.in) {
                    if (operand.tile) all.reads.push_back(*operand.tile);
                }
                return all;
            }
            if constexpr (std::is_same_v<T, Matmul>) {
                Operands all{{what.left, what.right}, {what.out}, {}, {}};
                if (what.accumulate) all.reads.push_back(*what.accumulate);
                if (what.bias) all.reads.push_back(*what.bias);
                return all;
            }
            return {};
        },
        instruction.what);
}

/// Tiles whose bytes overlap get the same number: memory passes let tiles share bytes that are not one buffer by name.
struct Groups {
    std::vector<std::size_t> of_tile;
    std::size_t count = 0;
};
Groups byte_groups(const Kernel& kernel) {
    struct Range {
        ir::TileSpace space;
        std::int64_t begin, end;
        TileId tile;
    };
    Groups groups{std::vector<std::size_t>(kernel.tiles.size()), 0};
    std::vector<Range> ranges;
    for (TileId id = 0; id < kernel.tiles.size(); ++id) {
        const Tile& tile = kernel.tiles[id];
        if (tile.from_pipe) {
            groups.of_tile[id] = groups.count++; // the slots are reserved, nothing else lies there
            continue;
        }
        const std::int64_t begin = tile.address_bytes.value_or(0);
        // A window of a tile is as far as anybody knows anywhere in it.
        ranges.push_back({tile.space, begin, begin + std::max<std::int64_t>(1, tile.rows * tile.cols * bits(tile.dtype) / 8), id});
    }
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return std::tie(a.space, a.begin) < std::tie(b.space, b.begin); });
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const bool joins = i > 0 && ranges[i].space == ranges[i - 1].space && ranges[i].begin < ranges[i - 1].end;
        if (!joins) ++groups.count;
        if (joins) ranges[i].end = std::max(ranges[i].end, ranges[i - 1].end);
        groups.of_tile[ranges[i].tile] = groups.count - 1;
    }
    return groups;
}

class Walker {
public:
    explicit Walker(const Kernel& kernel) : kernel_(kernel), groups_(byte_groups(kernel)) {}

    Waits run() {
        State state;
        state.buffers.resize(groups_.count + kernel_.tensors.size());
        walk(kernel_.body, state, true, 0);
        return std::move(waits_);
    }

private:
    /// Walking a loop's body twice at each level is exponential in the depth; inside of this many loops once must do.
    static constexpr int kTwiceUpTo = 5;

    void walk(const Body& body, State& state, bool record, int loops) {
        for (const Instruction& one : body) {
            if (const auto* loop = std::get_if<Loop>(&one.what)) {
                walk_loop(*loop, state, record, loops);
            } else if (const auto* branch = std::get_if<Branch>(&one.what)) {
                State other = state;
                walk(*branch->then_body, state, record, loops);
                walk(*branch->else_body, other, record, loops);
                merge(state, other);
            } else if (const auto pipe = pipe_of(one, kernel_)) {
                step(one, *pipe, state, record);
            }
        }
    }

    void walk_loop(const Loop& loop, State& state, bool record, int loops) {
        // An iteration meets what stood before the loop, or what another iteration left. At first take it that all that the
        // body touches was left, and nothing of it waited for; where that leads is what iterations leave.
        State head = state;
        State left = state;
        touch_all(*loop.body, left);
        merge(head, left);
        if (loops < kTwiceUpTo) {
            left = head;
            walk(*loop.body, left, false, loops + 1);
            head = state;
            merge(head, left);
        }
        const bool runs = loop.start.value && loop.stop.value && *loop.start.value < *loop.stop.value;
        State end = head;
        walk(*loop.body, end, record, loops + 1);
        if (runs) {
            state = std::move(end);
        } else {
            merge(state, end);
        }
    }

    void touch_all(const Body& body, State& state) {
        for (const Instruction& one : body) {
            if (const auto* loop = std::get_if<Loop>(&one.what)) touch_all(*loop->body, state);
            if (const auto* branch = std::get_if<Branch>(&one.what)) {
                touch_all(*branch->then_body, state);
                touch_all(*branch->else_body, state);
            }
            const auto pipe = pipe_of(one, kernel_);
            if (!pipe) continue;
            const Operands operands = operands_of(one);
            ++now_;
            for (const TileId id : operands.reads) state.buffers[groups_.of_tile[id]].reads[index(*pipe)] = {now_, 0};
            for (const TileId id : operands.writes) state.buffers[groups_.of_tile[id]].writes[index(*pipe)] = {now_, 0};
            if (operands.tensor_read) state.buffers[groups_.count + *operands.tensor_read].reads[index(*pipe)] = {now_, 0};
            if (operands.tensor_written) state.buffers[groups_.count + *operands.tensor_written].writes[index(*pipe)] = {now_, 0};
        }
    }

    /// On a join only those queues have surely waited that waited on both ways.
    void merge(State& into, const State& other) {
        ++now_;
        for (std::size_t b = 0; b < into.buffers.size(); ++b) {
            for (std::size_t q = 0; q < kPipes; ++q) {
                join(into, into.buffers[b].writes[q], other, other.buffers[b].writes[q], q);
                join(into, into.buffers[b].reads[q], other, other.buffers[b].reads[q], q);
            }
        }
        into.known = {};
    }
    void join(const State& into, Touch& touch, const State& from, const Touch& other, std::size_t pipe) const {
        if (touch.when == 0 && other.when == 0) return;
        std::uint8_t waited = 0;
        for (std::size_t q = 0; q < kPipes; ++q) {
            if (has_waited(into, touch, q, pipe) && has_waited(from, other, q, pipe)) waited = static_cast<std::uint8_t>(waited | (1U << q));
        }
        touch = {now_, waited};
    }

    void step(const Instruction& one, Pipe pipe, State& state, bool record) {
        const Operands operands = operands_of(one);
        const std::size_t self = index(pipe);
        const auto wait = [&](const std::array<Touch, kPipes>& touches, bool barrier) {
            for (std::size_t other = 0; other < kPipes; ++other) {
                if ((other == self && !barrier) || has_waited(state, touches[other], self, other)) continue;
                if (record) waits_[&one].emplace_back(static_cast<Pipe>(other), pipe);
                for (std::size_t q = 0; q < kPipes; ++q) state.known[self][q] = std::max(state.known[self][q], state.known[other][q]);
                state.known[self][other] = now_; // the flag is raised behind all that the other queue has been given
            }
        };
        // The cube adds into L0C in order by itself, numbers are read and written in order, and what goes to global memory
        // in one queue arrives in order.
        const bool barrier = pipe != Pipe::Matrix && pipe != Pipe::Scalar;
        for (const TileId id : operands.reads) wait(state.buffers[groups_.of_tile[id]].writes, barrier);
        for (const TileId id : operands.writes) {
            wait(state.buffers[groups_.of_tile[id]].reads, false); // readers have waited for the writer
            wait(state.buffers[groups_.of_tile[id]].writes, barrier);
        }
        if (operands.tensor_read) wait(state.buffers[groups_.count + *operands.tensor_read].writes, false);
        if (operands.tensor_written) {
            wait(state.buffers[groups_.count + *operands.tensor_written].writes, false);
            wait(state.buffers[groups_.count + *operands.tensor_written].reads, false);
        }
        ++now_;
        for (const TileId id : operands.reads) state.buffers[groups_.of_tile[id]].reads[self] = {now_, 0};
        for (const TileId id : operands.writes) overwrite(state.buffers[groups_.of_tile[id]], self);
        if (operands.tensor_read) state.buffers[groups_.count + *operands.tensor_read].reads[self] = {now_, 0};
        // A store writes a part of its tensor; others may still be on their way to other parts.
        if (operands.tensor_written) state.buffers[groups_.count + *operands.tensor_written].writes[self] = {now_, 0};
    }
    /// The writer has waited for everything before it, so whoever waits for the writer has too.
    void overwrite(Touched& buffer, std::size_t writer) const {
        buffer = {};
        buffer.writes[writer] = {now_, 0};
    }

    const Kernel& kernel_;
    Groups groups_;
    Waits waits_;
    Sequence now_ = 0;
};

} // namespace

std::string_view name(Pipe pipe) {
    switch (pipe) {
    case Pipe::Scalar: return "PIPE_S";
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
    const auto space = [&](TileId id) { return kernel.tiles[id].space; };
    return std::visit(
        [&](const auto& what) -> std::optional<Pipe> {
            using T = std::decay_t<decltype(what)>;
            if constexpr (std::is_same_v<T, Load> || std::is_same_v<T, Pop>) return Pipe::Mte2;
            if constexpr (std::is_same_v<T, Store> || std::is_same_v<T, Push>) return space(what.tile) == ir::TileSpace::Acc ? Pipe::Fix : Pipe::Mte3;
            if constexpr (std::is_same_v<T, LoadScalar> || std::is_same_v<T, StoreScalar>) return Pipe::Scalar;
            if constexpr (std::is_same_v<T, Matmul>) return Pipe::Matrix;
            if constexpr (std::is_same_v<T, TileOp>) return Pipe::Vector;
            if constexpr (std::is_same_v<T, Move> || std::is_same_v<T, Extract> || std::is_same_v<T, Insert>) {
                if (space(what.from) == ir::TileSpace::Mat) return Pipe::Mte1;
                if (space(what.from) == ir::TileSpace::Acc) return Pipe::Fix;
                return space(what.to) == ir::TileSpace::Mat ? Pipe::Mte3 : Pipe::Vector; // UB to L1, or within UB
            }
            return {};
        },
        instruction.what);
}

Waits find_waits(const Kernel& kernel) { return Walker(kernel).run(); }

} // namespace ls::codegen
