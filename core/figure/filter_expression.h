// The filter of the element table: `block == 1 && fractal == 2`, `offset % 32 < 4 || byte >= 0x0C00`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls::figure {

/// A condition on one row of integers. Operators as in C, by precedence: || && == != < <= > >= + - * / % ! unary -,
/// parentheses, decimal and 0x numbers, and the names given to `read`. `/` and `%` are floor division and modulo.
/// A row that divides by 0 or leaves 64 bits is not selected.
class FilterExpression {
public:
    /// `names[i]` is column i of the rows. FILTER_SYNTAX, FILTER_NAME (unknown column, the known ones are listed),
    /// FILTER_NUMBER, FILTER_DEEP; spans are into `text`. An empty text selects every row.
    static Result<FilterExpression> read(std::string_view text, std::span<const std::string> names);

    bool selects(std::span<const std::int64_t> row) const;
    bool selects_everything() const { return program_.empty(); }

private:
    enum class Op : std::uint8_t { Number, Column, Or, And, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Add, Subtract, Multiply, Divide, Modulo, Not, Negate };
    /// Postfix code; `operand` is the number or the column.
    struct Step {
        Op op;
        std::int64_t operand = 0;
    };
    std::vector<Step> program_;
    friend class FilterReader;
};

} // namespace ls::figure
