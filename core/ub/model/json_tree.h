// JSON text as a tree that remembers where every value stands, so that a wrong number in a model file is shown in the
// file: JSON pointer, line and column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls::ub {

struct JsonMember;

struct JsonNode {
    enum class Kind : std::uint8_t { Null, Bool, Integer, Real, String, Array, Object };

    Kind kind = Kind::Null;
    Span span;           ///< of the whole value, quotes included
    std::string pointer; ///< RFC 6901; "" for the root
    bool boolean = false;
    std::int64_t integer = 0;
    double real = 0;
    std::string string;          ///< decoded
    bool verbatim = true;        ///< a string without escapes: its text stands at span.begin + 1
    std::vector<JsonNode> items; ///< of an array
    std::vector<JsonMember> members; ///< of an object, in order

    const JsonNode* find(std::string_view key) const;
    std::string_view kind_name() const;
    bool is(Kind k) const { return kind == k; }
};

struct JsonMember {
    std::string key;
    Span key_span; ///< quotes included
    JsonNode value;
};

/// JSON_SYNTAX, JSON_DUPLICATE_KEY, JSON_TOO_DEEP (more than 64 levels), JSON_NUMBER.
Result<JsonNode> parse_json(std::string_view text);

} // namespace ls::ub
