// A call in layout text, name(arguments), and how its arguments are bound to parameters.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/layout/layout.h"
#include "core/notation/cursor.h"
#include "core/support/dtype.h"

namespace ls::notation {

struct Argument {
    enum class Kind : std::uint8_t { Integer, Tuple, Word };
    Kind kind = Kind::Integer;
    std::string_view keyword; ///< empty for a positional argument
    std::int64_t integer = 0;
    Shape tuple;
    std::string_view word; ///< a bare word or what stood between quotes
    Span span;
};

struct Call {
    std::string_view name;
    Span name_span;
    std::vector<Argument> arguments;
    Span span;
};

/// Whether the text starts like a call of one of our names: word '('. `T.` in front is passed over.
std::optional<std::string_view> called_name(std::string_view text);
Result<Call> read_call(std::string_view text, std::size_t base);

enum class ParameterKind : std::uint8_t {
    Integer,
    Extents, ///< (64, 128), or the integers written out one after the other
    Tuple,   ///< (64, 128)
    DType,
    Word, ///< one of a few words, or an integer
    Flag, ///< True or False
};
struct Parameter {
    std::string_view name;
    ParameterKind kind;
    bool required = true;
};

/// One argument for each parameter. Accessors of a missing optional argument answer the fallback.
class Bound {
public:
    std::int64_t integer(std::size_t i, std::int64_t fallback = 0) const { return at(i) ? at(i)->integer : fallback; }
    const Shape& tuple(std::size_t i) const { return values_[i]->tuple; }
    std::optional<DType> dtype(std::size_t i) const { return at(i) ? dtypes_[i] : std::nullopt; }
    std::string_view word(std::size_t i) const { return at(i) ? at(i)->word : std::string_view{}; }
    bool flag(std::size_t i) const { return at(i) && at(i)->integer != 0; }
    bool has(std::size_t i) const { return at(i) != nullptr; }
    Span span(std::size_t i) const { return at(i) ? at(i)->span : Span{}; }

private:
    friend Result<Bound> bind(const Call&, std::span<const Parameter>, std::string_view);
    const Argument* at(std::size_t i) const { return values_[i] ? &*values_[i] : nullptr; }
    std::vector<std::optional<Argument>> values_;
    std::vector<std::optional<DType>> dtypes_;
};

/// Positional arguments in order, keywords by name; a positional argument passes over optional parameters of another
/// kind. Refused: TXT_ARGUMENT (with `signature` as the hint), TXT_DTYPE.
Result<Bound> bind(const Call& call, std::span<const Parameter> parameters, std::string_view signature);

} // namespace ls::notation
