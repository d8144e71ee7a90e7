// Triton layout attributes as text (spec/notation.md e.2):
//
//     #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
//     #ttg.padded_shared<[128:+4] {order = [1, 0], shape = [16, 32]}>
//     #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
//     #blocked = #ttg.slice<{dim = 1, parent = #ttg.blocked<{...}>}>
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls::triton {

struct Attribute;

struct AttributeValue {
    enum class Kind : std::uint8_t { Integer, Word, List, Attribute };
    Kind kind = Kind::Integer;
    Span span;
    std::int64_t integer = 0;
    std::string word;
    std::vector<AttributeValue> list;
    std::shared_ptr<const Attribute> attribute;
};

struct Attribute {
    std::string name; ///< "blocked", without dialect
    Span span;
    Span name_span;
    std::vector<std::pair<std::string, AttributeValue>> entries;
    std::vector<std::pair<std::int64_t, std::int64_t>> paddings; ///< padded_shared: interval, pad

    const AttributeValue* find(std::string_view key) const;
    bool flag(std::string_view key) const; ///< key = true
    std::optional<std::string_view> word(std::string_view key) const;
    /// Refused: TRITON_KEY when it is missing or of another kind.
    Result<std::int64_t> integer(std::string_view key) const;
    Result<std::vector<std::int64_t>> integers(std::string_view key) const;
    Result<std::vector<std::vector<std::int64_t>>> bases(std::string_view key) const;
    Result<const Attribute*> attribute(std::string_view key) const;
};

bool looks_like_triton(std::string_view text);
/// Refused: TXT_EXPECTED, TXT_NUMBER, TXT_TOO_DEEP.
Result<Attribute> read_attribute(std::string_view text, std::size_t base = 0);

} // namespace ls::triton
