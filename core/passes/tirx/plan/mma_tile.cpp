#include "core/passes/tirx/plan/mma_tile.h"

#include <array>

#include <fmt/format.h>

namespace ls::tirx {

namespace {

constexpr std::int64_t kMaxN = 256;

Result<std::int64_t> positive(const Config& config, std::string_view key) {
    const ConfigValue& value = *find(config, key);
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number != nullptr && *number > 0) return *number;
    return error("GEMM_TILE_CONFIG", fmt::format("gemm_async: {} must be a positive integer, got {}", key, to_string(value)));
}

} // namespace

Result<MmaTile> choose_mma_tile(std::int64_t m, std::int64_t n, int cta_group) {
    const std::int64_t total = m * cta_group;
    const std::array<std::int64_t, 2> rows = cta_group == 1 ? std::array<std::int64_t, 2>{128, 64}
                                                            : std::array<std::int64_t, 2>{256, 128};
    MmaTile tile;
    for (const std::int64_t candidate : rows) {
        if (tile.m == 0 && total % candidate == 0) tile.m = candidate / cta_group;
    }
    if (tile.m == 0 || total <= 0) {
        return error("GEMM_TILE", fmt::format("M {} (of {} CTA{}) is not divisible by {} or {}, the rows of a tcgen05.mma",
                                              total, cta_group, cta_group == 1 ? "" : "s", rows[0], rows[1]));
    }
    const std::int64_t step = cta_group == 1 ? 8 : 16;
    if (n > 0 && n <= kMaxN && n % step == 0) {
        tile.n = n;
        return tile;
    }
    for (std::int64_t candidate = kMaxN; candidate >= step && tile.n == 0; candidate -= step) {
        if (n > 0 && n % candidate == 0) tile.n = candidate;
    }
    if (tile.n == 0) {
        return error("GEMM_TILE", fmt::format("No valid N_mma: no multiple of {} up to {} divides N {}", step, kMaxN, n));
    }
    return tile;
}

Result<std::optional<MmaTile>> explicit_mma_tile(const Config& config, std::int64_t m, std::int64_t n, int cta_group,
                                                 tensor_core::MmaKind kind) {
    const bool has_m = find(config, "mma_m") != nullptr;
    const bool has_n = find(config, "mma_n") != nullptr;
    if (!has_m && !has_n) return std::optional<MmaTile>();
    if (has_m != has_n) {
        return error("GEMM_TILE_CONFIG", fmt::format("gemm_async: mma_m and mma_n must be provided together; {} is missing",
                                                     has_m ? "mma_n" : "mma_m"));
    }
    LS_TRY(const std::int64_t mma_m, positive(config, "mma_m"));
    LS_TRY(const std::int64_t mma_n, positive(config, "mma_n"));
    if (mma_m != m * cta_group) {
        return error("GEMM_TILE_CONFIG",
                     fmt::format("gemm_async: explicit mma_m must match the rows of the operands: mma_m is {}, but M {} "
                                 "of {} CTA{} is {}",
                                 mma_m, m, cta_group, cta_group == 1 ? "" : "s", m * cta_group),
                     "another mma_m would mean another TMEM datapath");
    }
    if (n % mma_n != 0) {
        return error("GEMM_TILE_CONFIG",
                     fmt::format("gemm_async: explicit mma_n must divide N exactly: mma_n is {}, N is {}", mma_n, n));
    }
    LS_CHECK(tensor_core::check_mma_shape({kind, cta_group, mma_m, mma_n, tensor_core::mma_k(kind), false}));
    return std::optional(MmaTile{mma_m / cta_group, mma_n});
}

} // namespace ls::tirx
