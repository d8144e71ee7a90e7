// What the descriptor workbench looks at: one gemm_async call with whole buffers, as a small JSON document.
//
//     { "gemm_async": { "m": 128, "n": 128, "k": 64, "dtype": "f16",
//         "a": { "swizzle": "128B", "transposed": false, "address": 1024, "stages": 1, "stage": 0 },
//         "b": { "swizzle": "128B", "address": 17408 },
//         "c": { "columns": 512, "first_column": 0 },
//         "cta_group": 1, "accum": false, "weight_stationary": false } }
//
// Everything but m, n and k may be left out. "layout" of an operand is text in any notation and replaces the swizzle.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/layout/catalogue/mma_shared.h"
#include "core/support/dtype.h"

namespace ls::tirx {

/// A buffer in shared memory: [stages,] MN by K, or K by MN when transposed; the call reads one stage.
struct GemmShared {
    catalogue::SwizzleMode swizzle = catalogue::SwizzleMode::B128;
    std::optional<std::string> layout; ///< of the whole buffer, instead of the swizzle
    bool transposed = false;
    std::int64_t address_bytes = 0;
    std::int64_t stages = 1;
    std::int64_t stage = 0;
    bool operator==(const GemmShared&) const = default;
};

struct GemmSubject {
    std::int64_t m = 128; ///< rows of this CTA
    std::int64_t n = 128; ///< columns of the whole CTA group
    std::int64_t k = 64;
    DType dtype = DType::Fp16; ///< of A and B; tf32 multiplies float32 as TF32
    GemmShared a, b;
    std::int64_t c_columns = 512;
    std::int64_t c_first_column = 0;
    std::int64_t cta_group = 1;
    bool accum = false;
    bool weight_stationary = false;
    bool operator==(const GemmSubject&) const = default;
};

/// The worked example: 128 by 128 by 64, float16, 128-byte swizzle (spec/tirx.md 12).
GemmSubject worked_example();

/// Refused: BENCH_JSON (no JSON, or not such a document), BENCH_VALUE (a value of another kind, or out of range).
/// Spans are bytes of `text`.
Result<GemmSubject> read_gemm_subject(std::string_view text);
/// Pretty JSON that reads back to an equal subject.
std::string write_gemm_subject(const GemmSubject& subject);
/// A first look at a text: would it be read as such a document?
bool looks_like_gemm_subject(std::string_view text);

} // namespace ls::tirx
