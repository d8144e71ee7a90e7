// The innermost loops, built for several instruction sets and chosen once when the program starts using them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/layout/engine/lower.h"

namespace ls::engine {

/// One set of loops for one instruction set. Arrays never overlap; none needs to be aligned.
struct Kernels {
    std::string_view name; ///< "avx512", "avx2", "baseline"

    /// out[i] = swizzle(base + pattern[i]), modulo 2^32 or 2^64.
    void (*emit32)(std::uint32_t* out, const std::uint32_t* pattern, std::size_t count, std::uint32_t base,
                   const Swizzle& swizzle);
    void (*emit64)(std::uint64_t* out, const std::uint64_t* pattern, std::size_t count, std::uint64_t base,
                   const Swizzle& swizzle);
    /// Number of i with a[i] ≠ b[i].
    std::size_t (*count_different)(const std::uint64_t* a, const std::uint64_t* b, std::size_t count);
};

/// The widest set that this processor runs.
const Kernels& kernels();
/// Every set that this processor runs, widest first; the last one runs everywhere.
std::span<const Kernels* const> runnable_kernels();

} // namespace ls::engine
