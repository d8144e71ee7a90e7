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

class Chooser {
public:
    Chooser(const L0Problem& problem, const Hardware& hardware) : p_(problem), hw_(hardware) {}

    Result<L0Choice> run() {
        LS_CHECK(check());
        const auto capacity = [&](std::optional<std::int64_t> given, ir::TileSpace space) {
            return given ? *given : hw_.capacity_bytes(space).value_or(0);
        };
        a_elems_ = capacity(p_.l0a_bytes, ir::TileSpace::Left) / (p_.bytes_a * p_.buffers_a);
        b_elems_ = capacity(p_.l0b_bytes, ir::TileSpace::Right) / (p_.bytes_b * p_.buffers_b);
        c_elems_ = capacity(p_.l0c_bytes, ir::TileSpace::Acc) / (p_.bytes_c * p_.buffers_c);
        const std::int64_t unit = hw_.cube_unit;
        const std::int64_t first_m = p_.fixed_m.value_or(unit), last_m = p_.fixed_m.value_or(p_.M);
        for (std::int64_t m = first_m; m <= last_m; m += unit) {
            for (std::int64_t n = unit; n <= p_.N; n += unit) {
                const L0Fit fit = check_output(m, n);
                if (fit != L0Fit::Fits) { // more columns never fit again
                    record({m, n, 0, fit, {}});
                    break;
                }
                try_depths(m, n);
            }
        }
        if (!found_) return none();
        choice_.chosen = chosen_record();
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

    L0Fit check_output(std::int64_t m, std::int64_t n) const {
        const std::int64_t rows = align_up(align_up(m, p_.box_m), p_.acc_row_align), cols = align_up(n, p_.box_n);
        if (p_.max_n && n > *p_.max_n) return L0Fit::OverMaxN;
        return rows > c_elems_ / cols ? L0Fit::OverL0C : L0Fit::Fits;
    }

    void try_depths(std::int64_t m, std::int64_t n) {
        const std::int64_t of_a = a_elems_ / align_up(m, p_.box_m), of_b = b_elems_ / align_up(n, p_.box_n);
        for (std::int64_t k = hw_.cube_unit; k <= p_.K; k += hw_.cube_unit) {
            if (k > of_a || k > of_b) {
                record({m, n, k, k > of_a ? L0Fit::OverL0A : L0Fit::OverL0B, {}});
                break;
            }
            if (!p_.allow_k_boundary && p_.K % k != 0) continue;
            L0Candidate c{m, n, k, L0Fit::Fits, cost(m, n, k)};
            ++choice_.fitting;
            if (!found_ || better(c)) {
                found_ = true;
                choice_.m = m;
                choice_.n = n;
                choice_.k = k;
                choice_.cost = c.cost;
            }
            record(std::move(c));
        }
    }

    void record(L0Candidate c) {
        if (choice_.candidates.size() < kMaxRecorded) choice_.candidates.push_back(std::move(c));
    }

    std::size_t chosen_record() {
        for (std::size_t i = 0; i < choice_.candidates.size(); ++i) {
            const L0Candidate& c = choice_.candidates[i];
            if (c.fit == L0Fit::Fits && c.m == choice_.m && c.n == choice_.n && c.k == choice_.k) return i;
        }
        choice_.candidates.push_back({choice_.m, choice_.n, choice_.k, L0Fit::Fits, choice_.cost});
        return choice_.candidates.size() - 1;
    }

    bool better(const L0Candidate& c) const {
        const auto key = [](const L0Cost& cost, std::int64_t m, std::int64_t n, std::int64_t k) {
            return std::tuple(cost.wall_cycles, cost.padded_volume, cost.k_blocks, cost.load_cycles, -m * n, -k);
        };
        return key(c.cost, c.m, c.n, c.k) < key(choice_.cost, choice_.m, choice_.n, choice_.k);
    }

    L0Cost cost(std::int64_t m, std::int64_t n, std::int64_t k) const {
        const L0CostModel& hw = hw_.l0_cost;
        const double M = static_cast<double>(p_.M), N = static_cast<double>(p_.N), K = static_cast<double>(p_.K);
        const std::int64_t m_tiles = ceil_div(p_.M, m), n_tiles = ceil_div(p_.N, n);
        const double ba = p_.bytes_a, bb = p_.bytes_b, bc = p_.bytes_c;
        L0Cost out;
        out.k_blocks = ceil_div(p_.K, k);
        out.padded_volume = m_tiles * m * n_tiles * n * out.k_blocks * k;

        const double load_a = ba * M * K / hw.bytes_per_cycle_a, load_b = bb * K * N / hw.bytes_per_cycle_b;
        const double held_a = load_a + bb * K * N * static_cast<double>(m_tiles) / hw.bytes_per_cycle_b;
        const double held_b = ba * M * K * static_cast<double>(n_tiles) / hw.bytes_per_cycle_a + load_b;
        out.load_cycles = k == p_.K ? std::min(held_a, held_b)
                                    : ba * M * K * static_cast<double>(n_tiles) / hw.bytes_per_cycle_a +
                                          bb * K * N * static_cast<double>(m_tiles) / hw.bytes_per_cycle_b;

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
        out.wall_cycles = std::llround(std::max(out.load_cycles, out.mad_cycles) + out.drain_cycles);
        return out;
    }

    const L0Problem& p_;
    const Hardware& hw_;
    std::int64_t a_elems_ = 0, b_elems_ = 0, c_elems_ = 0;
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
    case L0Fit::OverMaxN: break;
    }
    return "over the widest n";
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
