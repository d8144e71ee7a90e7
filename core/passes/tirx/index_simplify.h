// Simplifying expressions with what is known of their variables. Floor semantics throughout; sound for every value that
// the ranges allow, as long as the program's own index arithmetic does not overflow (as the reference assumes too).
//
// Signed index arithmetic goes through the normal form of index_sum.h; comparisons are decided by ranges and brought
// to the form in which the reference writes them (x != 0 of a nonnegative x is 0 < x); conditions decide selects.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "core/ir/expr.h"
#include "core/passes/tirx/index_sum.h"
#include "core/passes/tirx/value_range.h"

namespace ls::tirx {

class IndexSimplifier {
public:
    /// A loop or thread variable: start + [0, extent). One iteration makes it its start.
    void set_loop(const ir::VarNode& var, const ir::Expr& start, const ir::Expr& extent);
    /// The variable is this expression wherever it is used. Only for values without effects that read no memory.
    void set_value(const ir::VarNode& var, ir::Expr value);
    void set_range(const ir::VarNode& var, ValueRange range) { ranges_[&var] = range; }

    /// The same object where nothing is simpler.
    ir::Expr simplify(const ir::Expr& expr);
    ValueRange range(const ir::Expr& expr) const;
    /// True or false where a simplified condition is decided.
    std::optional<bool> decided(const ir::Expr& condition);

    /// While it lives, the condition holds (or does not).
    class Assume {
    public:
        Assume(IndexSimplifier& simplifier, const ir::Expr& condition, bool holds);
        ~Assume() { simplifier_.facts_.resize(before_); }
        Assume(const Assume&) = delete;
        Assume& operator=(const Assume&) = delete;

    private:
        IndexSimplifier& simplifier_;
        std::size_t before_;
    };

private:
    struct Fact {
        ir::Expr expr;
        ValueRange range;
    };
    using MaybeSum = std::optional<IndexSum>; ///< nothing where a number left int64

    void learn(const ir::Expr& condition, bool holds);
    void learn_bound(const ir::Expr& expr, ValueRange range);

    ir::Expr once(const ir::Expr& expr);
    ir::Expr by_parts(const ir::Expr& expr);
    ir::Expr call(const ir::Call& call);
    ir::Expr let(const ir::Call& call);
    ir::Expr binary(const ir::BinaryNode& b, const ir::Expr& expr);
    ir::Expr comparison(ir::BinaryOp op, const ir::Expr& lhs, const ir::Expr& rhs);
    ir::Expr less(const ir::Expr& lhs, const ir::Expr& rhs);
    ir::Expr negated(const ir::Expr& condition);
    ir::Expr min_max(ir::BinaryOp op, const ir::Expr& lhs, const ir::Expr& rhs);

    MaybeSum sum(const ir::Expr& expr);
    /// Of what is simple already: nothing inside is looked at again.
    MaybeSum sum_of_simple(const ir::Expr& expr);
    MaybeSum arithmetic(const ir::BinaryNode& b);
    MaybeSum widened(const ir::CastNode& cast);
    static IndexSum opaque(ir::Expr expr, DType dtype);
    std::optional<SplitTerm> as_term(const IndexSum& sum) const;
    MaybeSum quotient(IndexSum dividend, std::int64_t divisor);
    MaybeSum remainder(IndexSum dividend, std::int64_t divisor);
    std::optional<SplitTerm> quotient(SplitTerm term, std::int64_t divisor, DType dtype);
    std::optional<SplitTerm> remainder(SplitTerm term, std::int64_t divisor, DType dtype);
    ValueRange range(const IndexSum& sum) const;
    ValueRange range(const SplitTerm& term) const;

    std::unordered_map<const ir::VarNode*, ValueRange> ranges_;
    std::unordered_map<const ir::VarNode*, ir::Expr> values_;
    std::vector<Fact> facts_;
    bool leaves_are_simple_ = false;
};

/// Signed integers that index: int32, int64.
bool is_index_dtype(std::optional<DType> dtype);
/// No call with effects, no read of memory: the value is the same wherever it is computed.
bool is_pure(const ir::Expr& expr);

} // namespace ls::tirx
