// Expressions of TIRx layout text, Python-like; private to the TIRx readers.
//
// One recursive descent: every sub-expression is a TirxNode, and what it may be (a number, an iter's stride, a whole
// S[...] + R[...] sum) is decided where it is used.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/notation/cursor.h"
#include "core/notation/tirx_text.h"

namespace ls::notation {

struct TirxNode {
    enum class Kind : std::uint8_t { Sum, Tuple, String };
    Kind kind = Kind::Sum;
    Span span;
    std::vector<TirxNode> items;            ///< Tuple
    std::string_view string;                ///< String
    AxisMap amounts;                        ///< Sum; a bare number is an amount on m
    bool bare = true;                       ///< Sum: no '@' was written
    std::optional<std::vector<Iter>> shard; ///< Sum
    std::optional<std::vector<Iter>> replica;

    bool is_number() const { return kind == Kind::Sum && bare && !shard && !replica; }
    const Dim& number() const { return amounts.begin()->second; }
};

class TirxExpressionReader {
public:
    TirxExpressionReader(Cursor& cursor, const SymbolValues& values, Symbols symbols)
        : at_(cursor), values_(values), symbols_(symbols) {}

    /// term (('+' | '-') term)*
    Result<TirxNode> sum(int depth);
    /// The number that a node stands for; `what` names it in the refusal.
    Result<Dim> number(const TirxNode& node, std::string_view what);
    /// An iter from the nodes of its extent and its stride (4, 4@laneid, "laneid" or (4, "laneid")).
    Result<Iter> make_iter(const TirxNode& extent, const TirxNode& stride);
    /// laneid, Axis.laneid or "laneid"
    Result<Axis> axis_name();
    /// Passes over `T.` or `Tx.`.
    void accept_prefix();
    Status check_depth(int depth);

private:
    Status add(TirxNode& left, TirxNode& right, bool minus);
    Result<TirxNode> term(int depth);
    Result<TirxNode> factor(int depth);
    Result<TirxNode> parenthesis(int depth);
    Result<TirxNode> name(int depth);
    Result<std::vector<Iter>> bracket(std::string_view which, int depth);
    Result<bool> bracket_side(std::vector<TirxNode>& out, std::string_view stop, int depth);
    Result<std::vector<Iter>> default_strides(std::vector<TirxNode>& extents);
    Result<Dim> extent_of(const TirxNode& node);
    Status check_overflow(const Dim& value, Span span);
    Result<Axis> checked_axis(std::string_view text, Span span);

    Cursor& at_;
    const SymbolValues& values_;
    Symbols symbols_;
};

} // namespace ls::notation
