// Size expressions of a buffer model (spec ub 8): integers, names, + - * / %, parentheses, one comparison, c ? a : b,
// and functions. Parsed once, evaluated often; all arithmetic is checked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls::ub {

/// A parsed expression. Names are numbered in order of first use; a caller binds them to its own slots once, so that
/// evaluation looks nothing up.
///
///     ternary := compare ('?' ternary ':' ternary)?
///     compare := sum (('<' | '<=' | '>' | '>=' | '==' | '!=') sum)?
///     sum     := product (('+' | '-') product)*
///     product := primary (('*' | '/' | '%') primary)*
///     primary := integer | name | name '(' ternary (',' ternary)* ')' | '(' ternary ')'
///
/// Functions: min, max (two or more), ceildiv (also ceil), align. Division truncates. A comparison is 1 or 0.
class Expression {
public:
    /// EXPR_SYNTAX, EXPR_FUNCTION, EXPR_TOO_DEEP, EXPR_NUMBER; spans are byte offsets into `text`.
    static Result<Expression> parse(std::string_view text);

    const std::string& text() const { return text_; }
    std::span<const std::string> names() const { return names_; }
    /// Where a name is first used.
    Span name_span(std::size_t index) const { return name_spans_[index]; }

    /// `values[i]` is the value of names()[i]. EXPR_OVERFLOW, EXPR_DIVIDE_BY_ZERO; spans point into the text.
    Result<std::int64_t> evaluate(std::span<const std::int64_t> values) const;

    /// The same without a reason: false where evaluate() has one.
    bool evaluate_into(std::span<const std::int64_t> values, std::int64_t& result) const;

    bool operator==(const Expression& other) const { return text_ == other.text_; }

private:
    friend class ExpressionParser;

    enum class Op : std::uint8_t {
        Number,
        Name,
        Add,
        Sub,
        Mul,
        Div,
        Mod,
        Less,
        LessEq,
        Greater,
        GreaterEq,
        Equal,
        NotEqual,
        Choose,
        Min,
        Max,
        CeilDiv,
        Align,
    };
    /// Nodes in order of completion: children before parents, the root last.
    struct Node {
        Op op = Op::Number;
        std::int64_t number = 0; ///< value, or index of the name
        std::int32_t child[3]{}; ///< indices of operands
        Span span;
    };

    /// What went wrong at which node; light, because evaluation recurses and sweeps evaluate millions of times.
    enum class Fault : std::uint8_t { None, Overflow, ZeroDivisor, BadMultiple };
    struct Failure {
        Fault fault = Fault::None;
        std::int32_t node = 0;
    };
    std::int64_t evaluate_node(std::int32_t index, std::span<const std::int64_t> values, Failure& failure) const;

    std::string text_;
    std::vector<std::string> names_;
    std::vector<Span> name_spans_;
    std::vector<Node> nodes_;
};

} // namespace ls::ub
