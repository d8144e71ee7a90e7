#include "core/passes/nz/l0_chooser.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "core/passes/nz/nz_access.h"
#include "core/support/checked.h"

namespace ls::nz {

namespace {

/// Products up to here are exact in double, so the cost model never rounds an operand.
constexpr std::int64_t kMaxVolume = std::int64_t{1} << 52;

std::int64_t odd_part(std::int64_t x) {
    while (x % 2 == 0) x /= 2;
    return x;
}

/// What is minimized, term after term.
auto key(std::int64_t m, std::int64_t n, std::int64_t k, const L0Cost& cost) {
    return std::tuple(cost.wall_cycles, cost.padded_volume, cost.k_blocks, cost.load_cycles, -m * n, -k);
}
auto key(const L0Candidate& c) { return key(c.m, c.n, c.k, c.cost); }

class Chooser {
public:
    Chooser(const L0Problem& problem, const Hardware& hardware) : p_(problem), hw_(hardware) {}

    Result<L0Choice> run() {
        LS_CHECK(check());
        const auto capacity = [&](std::optional<std::int64_t> given, ir::TileSpace space) {
            return given ? *given : hw_.capacity_bytes(space).value_or(0);
        };
        l0a_elems_ = capacity(p_.l0a_bytes, ir::TileSpace::Left) / p_.bytes_a;
        l0b_elems_ = capacity(p_.l0b_bytes, ir::TileSpace::Right) / p_.bytes_b;
        l0c_elems_ = capacity(p_.l0c_bytes, ir::TileSpace::Acc) / p_.bytes_c;
        search({L0Regime::Output, false});
        if (!found_) return none();
        // A product that already fits L0 stays whole; otherwise a richer scheme is taken only where it is faster.
        if (choice_.m != p_.M || choice_.n != p_.N || choice_.k != p_.K) {
            for (const L0Regime regime : {L0Regime::Output, L0Regime::HoldA, L0Regime::HoldB}) {
                if (regime == L0Regime::HoldA && !p_.allow_hold_a) continue;
                if (regime == L0Regime::HoldB && !p_.allow_hold_b) continue;
                for (const bool two : {false, true}) {
                    if ((regime == L0Regime::Output && !two) || (two && !p_.allow_double_output)) continue;
                    search({regime, two});
                }
            }
        }
        if (p_.keep_candidates) choice_.chosen = chosen_record();
        choice_.a_outside = rows_outside({choice_.regime, choice_.double_output}, choice_.m, choice_.n);
        return std::move(choice_);
    }

private:
    Status check() const {
        for (const std::int64_t e : {p_.M, p_.N, p_.K, p_.box_m, p_.box_n, p_.acc_row_align}) {
            if (e <= 0) return error("L0_EXTENT", fmt::format("extents must be positive; here is {}", e));
        }
        const CheckedInt volume = checked_product(std::array{p_.M, p_.N, p_.K});
        if (!volume || *volume > kMaxVolume || std::max({p_.box_m, p_.box_n, p_.acc_row_align}) > 65536) {
            return error("L0_EXTENT",
                         fmt::format("a product of {} x {} x {} is too large for the cost model", p_.M, p_.N, p_.K));
        }
        for (const int bytes : {p_.bytes_a, p_.bytes_b, p_.bytes_c}) {
            if (bytes < 1 || bytes > 32)
                return error("L0_SUBBYTE", "elements must have a whole number of bytes, 1 to 32", "PH-AT-003");
        }
        for (const int buffers : {p_.buffers_a, p_.buffers_b, p_.buffers_c}) {
            if (buffers < 1 || buffers > 16)
                return error("L0_EXTENT", fmt::format("{} buffers cannot be asked for", buffers));
        }
        for (const std::int64_t step : {p_.step_m, p_.step_n, p_.step_k}) {
            if (step <= 0 || step % hw_.cube_unit != 0) {
                return error("L0_EXTENT", fmt::format("the granule of a tile must be a multiple of {}, not {}",
                                                      hw_.cube_unit, step));
            }
        }
        if (p_.K % hw_.cube_unit != 0) {
            return error("L0_K_UNALIGNED",
                         fmt::format("K = {} is no multiple of {}: the product is left as it is", p_.K, hw_.cube_unit),
                         "PH-AT-007");
        }
        if (p_.fixed_m && (*p_.fixed_m != p_.M || p_.M % hw_.cube_unit != 0)) {
            return error("L0_EXTENT", fmt::format("m is fixed to {}, which must be M = {} and a multiple of {}",
                                                  *p_.fixed_m, p_.M, hw_.cube_unit));
        }
        return ok_status();
    }

    Diagnostic none() const {
        if (p_.fixed_m) {
            return error("NZ_STORE_NO_TILE",
                         fmt::format("an NZ store writes whole columns, so m must be {}, and then no (n, k) fits L0A "
                                     "{}, L0B {} and L0C {} elements",
                                     p_.M, a_elems_, b_elems_, c_elems_),
                         "store fewer rows: split the product over panels on a leading axis");
        }
        return error("L0_NO_TILE",
                     fmt::format("no tile fits L0A {}, L0B {} and L0C {} elements", a_elems_, b_elems_, c_elems_),
                     "PH-AT-005");
    }

    struct Scheme {
        L0Regime regime = L0Regime::Output;
        bool double_output = false;
    };

    /// Every tile of one scheme, smallest first.
    void search(Scheme scheme) {
        a_elems_ = l0a_elems_ / (scheme.regime == L0Regime::HoldA ? 1 : p_.buffers_a);
        b_elems_ = l0b_elems_ / (scheme.regime == L0Regime::HoldB ? 1 : p_.buffers_b);
        c_elems_ = l0c_elems_ / (scheme.double_output ? 2 : p_.buffers_c);
        std::optional<L0Candidate> best;
        const std::int64_t first_m = p_.fixed_m.value_or(p_.step_m), last_m = p_.fixed_m.value_or(p_.M);
        const std::int64_t first_n = align_up(p_.min_n.value_or(p_.step_n), p_.step_n);
        bool room = true;
        for (std::int64_t m = first_m; room && m <= last_m; m += p_.step_m) {
            for (std::int64_t n = first_n; n <= p_.N; n += p_.step_n) {
                const L0Fit fit = check_output(m, n);
                if (fit != L0Fit::Fits) { // more columns never fit again
                    record({m, n, 0, fit, {}, scheme.regime, scheme.double_output});
                    room = n > first_n; // nor do more rows, once the fewest columns do not
                    break;
                }
                try_depths(m, n, scheme, best);
            }
        }
        if (!best || (found_ && best->cost.wall_cycles >= choice_.cost.wall_cycles)) return;
        found_ = true;
        choice_.m = best->m;
        choice_.n = best->n;
        choice_.k = best->k;
        choice_.cost = best->cost;
        choice_.regime = best->regime;
        choice_.double_output = best->double_output;
    }

    L0Fit check_output(std::int64_t m, std::int64_t n) const {
        const std::int64_t rows = align_up(align_up(m, p_.box_m), p_.acc_row_align), cols = align_up(n, p_.box_n);
        if (p_.max_n && n > *p_.max_n) return L0Fit::OverMaxN;
        return rows > c_elems_ / cols ? L0Fit::OverL0C : L0Fit::Fits;
    }

    /// Whether the loop over rows is the outer one, so that A's panel is loaded once for all columns.
    bool rows_outside(Scheme scheme, std::int64_t m, std::int64_t n) const {
        if (scheme.regime != L0Regime::Output) return scheme.regime == L0Regime::HoldA;
        const Loads loads = loads_of(m, n);
        return loads.a_once + loads.b_often <= loads.a_often + loads.b_once;
    }

    /// Whether a scheme can do this tile at all, capacities apart.
    bool possible(Scheme scheme, std::int64_t m, std::int64_t n, std::int64_t k) const {
        if (k != p_.K) return scheme.regime == L0Regime::Output && !scheme.double_output;
        return !scheme.double_output || (rows_outside(scheme, m, n) ? p_.N / n : p_.M / m) >= 2;
    }

    /// Whether the windows of a bias that the loops over this tile keep at the same time are too wide.
    bool over_bias(Scheme scheme, std::int64_t m, std::int64_t n, std::int64_t k) const {
        if (k != p_.K || (m == p_.M && n == p_.N) || scheme.regime == L0Regime::HoldB) return false;
        if (p_.max_n_pipelined && n > *p_.max_n_pipelined) return true;
        return p_.max_n_nested && n > *p_.max_n_nested && scheme.regime == L0Regime::Output &&
               rows_outside(scheme, m, n);
    }

    void try_depths(std::int64_t m, std::int64_t n, Scheme scheme, std::optional<L0Candidate>& best) {
        const std::int64_t of_a = a_elems_ / align_up(m, p_.box_m), of_b = b_elems_ / align_up(n, p_.box_n);
        for (std::int64_t k = p_.step_k; k <= p_.K; k += p_.step_k) {
            if (k > of_a || k > of_b) {
                record({m, n, k, k > of_a ? L0Fit::OverL0A : L0Fit::OverL0B, {}, scheme.regime, scheme.double_output});
                break;
            }
            if (!p_.allow_k_boundary && p_.K % k != 0) {
                record({m, n, k, L0Fit::KNotDivisor, {}, scheme.regime, scheme.double_output});
                continue;
            }
            if (!possible(scheme, m, n, k)) continue;
            if (over_bias(scheme, m, n, k)) {
                record({m, n, k, L0Fit::OverMaxN, {}, scheme.regime, scheme.double_output});
                continue;
            }
            L0Candidate c{m, n, k, L0Fit::Fits, cost(m, n, k, scheme), scheme.regime, scheme.double_output};
            ++choice_.fitting;
            if (!best || key(c) < key(*best)) best = c;
            record(std::move(c));
        }
    }

    void record(L0Candidate c) {
        if (!p_.keep_candidates) return;
        if (choice_.candidates.size() < kMaxRecorded)
            choice_.candidates.push_back(std::move(c));
        else
            ++choice_.left_out;
    }

    std::size_t chosen_record() {
        for (std::size_t i = 0; i < choice_.candidates.size(); ++i) {
            const L0Candidate& c = choice_.candidates[i];
            if (c.fit == L0Fit::Fits && lost_by(c, choice_) == L0Lost::Chosen) return i;
        }
        choice_.candidates.push_back(
            {choice_.m, choice_.n, choice_.k, L0Fit::Fits, choice_.cost, choice_.regime, choice_.double_output});
        --choice_.left_out;
        return choice_.candidates.size() - 1;
    }

    /// Cycles that moving an operand takes when it is moved once, and when it is moved for every tile of the other
    /// axis.
    struct Loads {
        double a_once = 0, a_often = 0, b_once = 0, b_often = 0;
    };
    Loads loads_of(std::int64_t m, std::int64_t n) const {
        const double M = static_cast<double>(p_.M), N = static_cast<double>(p_.N), K = static_cast<double>(p_.K);
        const double ba = p_.bytes_a, bb = p_.bytes_b;
        const double m_tiles = static_cast<double>(ceil_div(p_.M, m)), n_tiles = static_cast<double>(ceil_div(p_.N, n));
        const double per_a = hw_.l0_cost.bytes_per_cycle_a, per_b = hw_.l0_cost.bytes_per_cycle_b;
        return {ba * M * K / per_a, ba * M * K * n_tiles / per_a, bb * K * N / per_b, bb * K * N * m_tiles / per_b};
    }

    L0Cost cost(std::int64_t m, std::int64_t n, std::int64_t k, Scheme scheme) const {
        const L0CostModel& hw = hw_.l0_cost;
        const std::int64_t m_tiles = ceil_div(p_.M, m), n_tiles = ceil_div(p_.N, n);
        const double bc = p_.bytes_c;
        L0Cost out;
        out.k_blocks = ceil_div(p_.K, k);
        out.padded_volume = m_tiles * m * n_tiles * n * out.k_blocks * k;

        const Loads loads = loads_of(m, n);
        const bool split = k != p_.K, rows = !split && rows_outside(scheme, m, n);
        out.load_a_cycles = !split && rows ? loads.a_once : loads.a_often;
        out.load_b_cycles = split || rows ? loads.b_often : loads.b_once;
        out.load_cycles = out.load_a_cycles + out.load_b_cycles;

        constexpr std::int64_t kLineBytes = 32;
        const std::int64_t kt = std::max<std::int64_t>(1, kLineBytes / p_.bytes_a);
        const double passes = p_.bytes_a == 4 ? std::max(1.0, hw.fp32_cycles_per_step) : std::max(1, p_.bytes_a / 2);
        const std::int64_t full = p_.K / k, tail = p_.K - full * k;
        const std::int64_t steps = full * ceil_div(k, kt) + ceil_div(tail, kt);
        out.mad_cycles = static_cast<double>(m_tiles * n_tiles) *
                         (static_cast<double>(full + (tail > 0 ? 1 : 0)) * hw.mad_start_cycles +
                          passes * static_cast<double>(ceil_div(m, 16) * steps * ceil_div(n, 16)));

        const std::int64_t fractals = ceil_div(n, std::max<std::int64_t>(1, kLineBytes / p_.bytes_c));
        const double row = std::max(hw.drain_row_cycles, bc * static_cast<double>(n) / hw.bytes_per_cycle_drain) +
                           hw.drain_odd_penalty * static_cast<double>(odd_part(fractals) - 1);
        out.drain_cycles =
            static_cast<double>(m_tiles * n_tiles) * (hw.drain_fixed_cycles + static_cast<double>(m) * row);
        const double compute = std::max(out.load_cycles, out.mad_cycles);
        double wall = compute + out.drain_cycles;
        if (scheme.double_output) { // all drains but one hide behind the next tile's products, or the other way round
            wall = std::max(compute, out.drain_cycles) +
                   std::min(compute, out.drain_cycles) / static_cast<double>(m_tiles * n_tiles);
        }
        out.wall_cycles = std::llround(wall);
        out.hidden_cycles = out.load_cycles + out.mad_cycles + out.drain_cycles - wall;
        return out;
    }

    const L0Problem& p_;
    const Hardware& hw_;
    std::int64_t l0a_elems_ = 0, l0b_elems_ = 0, l0c_elems_ = 0;
    std::int64_t a_elems_ = 0, b_elems_ = 0, c_elems_ = 0; ///< of one buffer, in the scheme that is searched
    bool found_ = false;
    L0Choice choice_;
};

} // namespace

std::string_view name(L0Fit fit) {
    switch (fit) {
    case L0Fit::Fits: return "fits";
    case L0Fit::OverL0A: return "over L0A";
    case L0Fit::OverL0B: return "over L0B";
    case L0Fit::OverL0C: return "over L0C";
    case L0Fit::KNotDivisor: return "k does not divide K";
    case L0Fit::OverMaxN: break;
    }
    return "over the widest n";
}

std::string_view name(L0Regime regime) {
    switch (regime) {
    case L0Regime::Output: return "output";
    case L0Regime::HoldA: return "hold A";
    case L0Regime::HoldB: break;
    }
    return "hold B";
}

std::string_view name(L0Lost lost) {
    switch (lost) {
    case L0Lost::Chosen: return "chosen";
    case L0Lost::Wall: return "slower";
    case L0Lost::PaddedVolume: return "as fast, more padding";
    case L0Lost::MoreKBlocks: return "as fast, more blocks of k";
    case L0Lost::Load: return "as fast, longer loads behind it";
    case L0Lost::SmallerOutput: return "as fast, smaller m x n";
    case L0Lost::SmallerK: return "as fast, smaller k";
    case L0Lost::Simpler: break;
    }
    return "as fast, but not as simple";
}

L0Lost lost_by(const L0Candidate& c, const L0Choice& choice) {
    const L0Cost& best = choice.cost;
    if (c.cost.wall_cycles != best.wall_cycles) return L0Lost::Wall;
    if (c.regime != choice.regime || c.double_output != choice.double_output) return L0Lost::Simpler;
    if (c.cost.padded_volume != best.padded_volume) return L0Lost::PaddedVolume;
    if (c.cost.k_blocks != best.k_blocks) return L0Lost::MoreKBlocks;
    if (c.cost.load_cycles != best.load_cycles) return L0Lost::Load;
    if (c.m * c.n != choice.m * choice.n) return L0Lost::SmallerOutput;
    if (c.k != choice.k) return L0Lost::SmallerK;
    return c.m == choice.m ? L0Lost::Chosen : L0Lost::Simpler;
}

L0Problem l0_problem(std::int64_t M, std::int64_t N, std::int64_t K, DType a, DType b, DType accumulator,
                     const Hardware& hardware) {
    L0Problem problem;
    problem.M = M;
    problem.N = N;
    problem.K = K;
    problem.bytes_a = whole_bytes(a);
    problem.bytes_b = whole_bytes(b);
    problem.bytes_c = whole_bytes(accumulator);
    problem.step_m = problem.step_n = problem.step_k = hardware.cube_unit;
    problem.acc_row_align = accumulator == DType::Int32 ? hardware.acc_row_align_int32 : hardware.acc_row_align;
    problem.allow_k_boundary = problem.allow_hold_a = problem.allow_hold_b = true;
    return problem;
}

Result<L0Choice> choose_l0_tile(const L0Problem& problem, const Hardware& hardware) {
    return Chooser(problem, hardware).run();
}

Result<NSplit> n_split(std::int64_t M, std::int64_t n, std::int64_t ni, const Hardware& hardware) {
    if (M <= 0 || n <= 0 || ni < 0 || M % kFractalRows != 0 || n % 16 != 0 || ni % 8 != 0) {
        return error(
            "NZ_STORE_TILE_UNALIGNED",
            fmt::format("a block of {} rows and {} columns at column {} is not made of whole boxes", M, n, ni));
    }
    NSplit split;
    split.offsets = {0, ni / 8, 0, 0, 0};
    split.partition = store_partition(M, n);
    const auto bytes = acc_physical_bytes(std::array{M, n}, DType::Fp32, &hardware);
    if (!bytes) return error("NZ_STORE_CAPACITY", fmt::format("an accumulator of {} x {} is too large to count", M, n));
    split.acc_bytes = *bytes;
    split.fits = *bytes <= hardware.capacity_bytes(ir::TileSpace::Acc).value_or(0);
    return split;
}

Status check_store_tile(std::int64_t rows, std::int64_t cols, DType dtype, const Hardware& hardware, Span span) {
    if (rows > hardware.nz_store.max_rows || cols > hardware.nz_store.max_cols) {
        return error_at(span, "NZ_STORE_EXTENT",
                        fmt::format("one store writes at most {} rows and {} columns; this tile is {}x{}",
                                    hardware.nz_store.max_rows, hardware.nz_store.max_cols, rows, cols),
                        "store fewer columns at a time, each piece with all rows");
    }
    const std::int64_t capacity = hardware.capacity_bytes(ir::TileSpace::Acc).value_or(0);
    const auto bytes = acc_physical_bytes(std::array{rows, cols}, dtype, &hardware);
    if (!bytes || *bytes > capacity) {
        return error_at(span, "NZ_STORE_CAPACITY",
                        bytes ? fmt::format("the accumulator takes {} bytes of L0C, which has {}", *bytes, capacity)
                              : std::string("the accumulator's size cannot be counted"),
                        "store fewer columns at a time, each piece with all rows");
    }
    return ok_status();
}

} // namespace ls::nz
