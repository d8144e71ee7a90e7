// The loops are written once, as inline templates; each instruction set gets a thin function that inlines them under
// its own target attribute, so that the compiler vectorizes the same text at another width. Nothing else in the program
// is built for a processor beyond the baseline.
#include "core/layout/engine/kernels.h"

#include <array>
#include <cstring>

#define LS_INLINE inline __attribute__((always_inline))

namespace ls::engine {

namespace {

template <class T>
LS_INLINE void emit(T* __restrict out, const T* __restrict pattern, std::size_t count, T base, const Swizzle& swizzle) {
    // Mask bits beyond the type belong to offsets that would not fit it either.
    const T mask = static_cast<T>(swizzle.mask);
    const int shift = swizzle.shift;
    switch (swizzle.kind) {
    case Swizzle::Kind::None:
        for (std::size_t i = 0; i < count; ++i) out[i] = base + pattern[i];
        return;
    case Swizzle::Kind::Inner:
        for (std::size_t i = 0; i < count; ++i) {
            const T x = base + pattern[i];
            out[i] = x ^ ((x & mask) >> shift);
        }
        return;
    case Swizzle::Kind::Outer:
        for (std::size_t i = 0; i < count; ++i) {
            const T x = base + pattern[i];
            out[i] = x ^ ((x & mask) << shift);
        }
        return;
    }
}

LS_INLINE std::size_t different(const std::uint64_t* __restrict a, const std::uint64_t* __restrict b,
                                std::size_t count) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) found += a[i] != b[i] ? 1U : 0U;
    return found;
}

// One set of three functions in a namespace of its own, compiled under `target`.
#define LS_KERNEL_SET(set, label, target)                                                                              \
    namespace set {                                                                                                    \
    target void emit32(std::uint32_t* out, const std::uint32_t* pattern, std::size_t count, std::uint32_t base,        \
                       const Swizzle& swizzle) {                                                                       \
        emit(out, pattern, count, base, swizzle);                                                                      \
    }                                                                                                                  \
    target void emit64(std::uint64_t* out, const std::uint64_t* pattern, std::size_t count, std::uint64_t base,        \
                       const Swizzle& swizzle) {                                                                       \
        emit(out, pattern, count, base, swizzle);                                                                      \
    }                                                                                                                  \
    target std::size_t count_different(const std::uint64_t* a, const std::uint64_t* b, std::size_t count) {            \
        return different(a, b, count);                                                                                 \
    }                                                                                                                  \
    constexpr Kernels kSet{label, emit32, emit64, count_different};                                                    \
    }

LS_KERNEL_SET(baseline, "baseline", )
#if defined(__x86_64__)
#if defined(__clang__)
#define LS_WIDE_VECTORS __attribute__((min_vector_width(512)))
#define LS_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) LS_WIDE_VECTORS
#else
#define LS_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
LS_KERNEL_SET(avx2, "avx2", __attribute__((target("avx2"))))
LS_KERNEL_SET(avx512, "avx512", LS_TARGET_AVX512)
#endif

struct Runnable {
    std::array<const Kernels*, 3> sets{};
    std::size_t count = 0;

    Runnable() {
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
            sets[count++] = &avx512::kSet;
        }
        if (__builtin_cpu_supports("avx2")) sets[count++] = &avx2::kSet;
#endif
        sets[count++] = &baseline::kSet;
    }
};

const Runnable& runnable() {
    static const Runnable kRunnable;
    return kRunnable;
}

} // namespace

const Kernels& kernels() { return *runnable().sets[0]; }

std::span<const Kernels* const> runnable_kernels() { return {runnable().sets.data(), runnable().count}; }

} // namespace ls::engine
