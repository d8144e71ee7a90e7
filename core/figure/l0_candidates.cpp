#include "core/figure/l0_candidates.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::figure {

using nz::L0Candidate;
using nz::L0Fit;

std::int64_t L0Space::l0a_bytes(const L0Candidate& t) const {
    const int buffers = t.regime == nz::L0Regime::HoldA ? 1 : problem.buffers_a;
    return align_up(t.m, problem.box_m) * t.k * problem.bytes_a * buffers;
}

std::int64_t L0Space::l0b_bytes(const L0Candidate& t) const {
    const int buffers = t.regime == nz::L0Regime::HoldB ? 1 : problem.buffers_b;
    return t.k * align_up(t.n, problem.box_n) * problem.bytes_b * buffers;
}

std::int64_t L0Space::l0c_bytes(const L0Candidate& t) const {
    const int buffers = t.double_output ? 2 : problem.buffers_c;
    return align_up(align_up(t.m, problem.box_m), problem.acc_row_align) * align_up(t.n, problem.box_n) *
           problem.bytes_c * buffers;
}

Result<L0Space> l0_space(const nz::L0Problem& problem, DType operand, const Hardware& hardware) {
    LS_TRY(nz::L0Choice choice, nz::choose_l0_tile(problem, hardware));
    return L0Space{problem, &hardware, operand, std::move(choice)};
}

std::string l0_verdict(const L0Candidate& tile, const L0Space& space) {
    if (tile.fit != L0Fit::Fits) return std::string(name(tile.fit));
    const nz::L0Lost lost = nz::lost_by(tile, space.choice);
    if (lost != nz::L0Lost::Wall) return std::string(name(lost));
    const double best = static_cast<double>(std::max<std::int64_t>(1, space.choice.cost.wall_cycles));
    const double more = (static_cast<double>(tile.cost.wall_cycles) / best - 1) * 100;
    return more < 0 ? "faster, but in one block it stays whole" : fmt::format("+{:.1f} %", more);
}

namespace {

enum Column : std::size_t {
    M,
    N,
    K,
    Wall,
    LoadA,
    LoadB,
    Products,
    Drain,
    Hidden,
    Blocks,
    L0A,
    L0B,
    L0C,
    Scheme,
    Verdict
};

std::string cycles(double value) { return fmt::format("{:.0f}", value); }

std::string scheme(const L0Candidate& c) {
    return std::string(name(c.regime)) + (c.double_output ? ", two accumulators" : "");
}

} // namespace

L0CandidateTable::L0CandidateTable(const L0Space& space, bool ruled_out) : space_(space) {
    const auto& all = space.choice.candidates;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (ruled_out || all[i].fit == L0Fit::Fits) order_.push_back(i);
    }
    const auto rank = [&](std::size_t i) {
        const L0Candidate& c = all[i];
        const bool fits = c.fit == L0Fit::Fits;
        return std::tuple(i != space.choice.chosen, !fits, fits ? c.cost.wall_cycles : 0,
                          fits ? c.cost.padded_volume : 0, fits ? c.cost.k_blocks : 0);
    };
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
}

const std::vector<scene::TableColumn>& L0CandidateTable::columns() const {
    static const std::vector<scene::TableColumn> titles{
        {"m", true, 5, "rows of the tile"},
        {"n", true, 5, "columns of the tile"},
        {"k", true, 5, "depth of one block; - where m and n alone are too large"},
        {"wall", true, 9, "cycles of the whole product: the longer of loads and products, plus the drain"},
        {"load A", true, 8, "cycles of moving A to L0A"},
        {"load B", true, 8, "cycles of moving B to L0B; both loads share one pipe"},
        {"products", true, 9, "cycles of the cube"},
        {"drain", true, 8, "cycles of moving results out of L0C"},
        {"hidden", true, 8, "cycles of loads, products and drain that run beside something longer"},
        {"blocks", true, 6, "blocks of K for one output tile"},
        {"L0A B", true, 7, "bytes of L0A with all buffers"},
        {"L0B B", true, 7, "bytes of L0B with all buffers"},
        {"L0C B", true, 7, "bytes of L0C"},
        {"stays", false, 8, "what stays in L0 over the loop: the output, or a panel of A or B"},
        {"verdict", false, 24, "why it is or is not the one"},
    };
    return titles;
}

std::string L0CandidateTable::text(std::int64_t row, std::size_t column) const {
    const L0Candidate& c = candidate(row);
    const bool fits = c.fit == L0Fit::Fits;
    switch (column) {
    case M: return fmt::to_string(c.m);
    case N: return fmt::to_string(c.n);
    case K: return c.k == 0 ? "-" : fmt::to_string(c.k);
    case L0A: return c.k == 0 ? "-" : fmt::to_string(space_.l0a_bytes(c));
    case L0B: return c.k == 0 ? "-" : fmt::to_string(space_.l0b_bytes(c));
    case L0C: return fmt::to_string(space_.l0c_bytes(c));
    case Scheme: return scheme(c);
    case Verdict: return l0_verdict(c, space_);
    default: break;
    }
    if (!fits) return "-";
    switch (column) {
    case Wall: return fmt::to_string(c.cost.wall_cycles);
    case LoadA: return cycles(c.cost.load_a_cycles);
    case LoadB: return cycles(c.cost.load_b_cycles);
    case Products: return cycles(c.cost.mad_cycles);
    case Drain: return cycles(c.cost.drain_cycles);
    case Hidden: return cycles(c.cost.hidden_cycles);
    default: return fmt::to_string(c.cost.k_blocks);
    }
}

} // namespace ls::figure
