#include "tests/bench/hand_loops.h"

#define LS_INLINE inline __attribute__((always_inline))

namespace ls::bench {

namespace {

LS_INLINE void swizzled_loop(std::int32_t* __restrict out, std::int32_t n) {
    for (std::int32_t r = 0; r < n; ++r) {
        std::int32_t* row = out + std::int64_t{r} * n;
        for (std::int32_t c = 0; c < n; ++c) {
            const std::int32_t x = r * n + c;
            row[c] = x ^ ((x & 0x1C0) >> 3);
        }
    }
}

LS_INLINE void nz_loop(std::int32_t* __restrict out, std::int32_t n) {
    for (std::int32_t r = 0; r < n; ++r) {
        std::int32_t* row = out + std::int64_t{r} * n;
        for (std::int32_t block = 0; block < n / 16; ++block) {
            for (std::int32_t i = 0; i < 16; ++i) row[block * 16 + i] = block * 16 * n + r * 16 + i;
        }
    }
}

LS_INLINE void nested_loop(std::int32_t* __restrict out, std::int32_t n) {
    for (std::int32_t tile_row = 0; tile_row < n / 8; ++tile_row) {
        for (std::int32_t r = 0; r < 8; ++r) {
            std::int32_t* row = out + std::int64_t{tile_row * 8 + r} * n;
            for (std::int32_t tile_col = 0; tile_col < n / 8; ++tile_col) {
                for (std::int32_t c = 0; c < 8; ++c)
                    row[tile_col * 8 + c] = tile_row * 8 * n + tile_col * 64 + r * 8 + c;
            }
        }
    }
}

LS_INLINE void replicated_loop(std::int32_t* __restrict out, std::int32_t n) {
    for (std::int32_t copy = 0; copy < 2; ++copy) {
        for (std::int32_t r = 0; r < n; ++r) {
            std::int32_t* row = out + (std::int64_t{copy} * n + r) * n;
            for (std::int32_t c = 0; c < n; ++c) row[c] = copy * n * n + c * n + r;
        }
    }
}

#define LS_LOOP_SET(set, target)                                                                                       \
    namespace set {                                                                                                    \
    target void swizzled(std::int32_t* out, std::int64_t n) { swizzled_loop(out, static_cast<std::int32_t>(n)); }      \
    target void nz(std::int32_t* out, std::int64_t n) { nz_loop(out, static_cast<std::int32_t>(n)); }                  \
    target void nested(std::int32_t* out, std::int64_t n) { nested_loop(out, static_cast<std::int32_t>(n)); }          \
    target void replicated(std::int32_t* out, std::int64_t n) { replicated_loop(out, static_cast<std::int32_t>(n)); }  \
    constexpr HandLoops kLoops{swizzled, nz, nested, replicated};                                                      \
    }

LS_LOOP_SET(baseline, )
#if defined(__x86_64__)
#if defined(__clang__)
#define LS_TARGET_AVX512                                                                                               \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) __attribute__((min_vector_width(512)))
#else
#define LS_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
LS_LOOP_SET(avx2, __attribute__((target("avx2"))))
LS_LOOP_SET(avx512, LS_TARGET_AVX512)
#endif

const HandLoops& choose() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        return avx512::kLoops;
    }
    if (__builtin_cpu_supports("avx2")) return avx2::kLoops;
#endif
    return baseline::kLoops;
}

} // namespace

const HandLoops& hand_loops() {
    static const HandLoops& chosen = choose();
    return chosen;
}

} // namespace ls::bench
