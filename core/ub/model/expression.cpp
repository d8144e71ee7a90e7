#include "core/ub/model/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::ub {

class ExpressionParser {
public:
    using Op = Expression::Op;
    using Node = Expression::Node;

    explicit ExpressionParser(std::string_view text) { out_.text_ = std::string(text); }

    Result<Expression> run() {
        LS_TRY([[maybe_unused]] const std::int32_t root, ternary(0));
        skip_space();
        if (at_ < text().size()) return unexpected("an operator or the end");
        return std::move(out_);
    }

private:
    /// Nesting of parentheses, calls and choices; also bounds the depth of evaluation. Chains of one precedence are
    /// loops here, but left-leaning trees, so their length is bounded too (kMaxNodes).
    static constexpr int kMaxDepth = 100;
    static constexpr std::size_t kMaxNodes = 2000;

    using Parsed = Result<std::int32_t>;

    std::string_view text() const { return out_.text_; }

    void skip_space() {
        while (at_ < text().size() && std::isspace(static_cast<unsigned char>(text()[at_])) != 0) ++at_;
    }

    bool take(std::string_view token) {
        skip_space();
        if (!text().substr(at_).starts_with(token)) return false;
        at_ += token.size();
        return true;
    }

    Diagnostic unexpected(std::string_view wanted) {
        skip_space();
        if (at_ >= text().size()) {
            return error_at({text().size(), text().size()}, "EXPR_SYNTAX",
                            fmt::format("the expression ends where {} is expected", wanted));
        }
        return error_at({at_, at_ + 1}, "EXPR_SYNTAX", fmt::format("'{}' where {} is expected", text()[at_], wanted));
    }

    Parsed add(Op op, std::size_t begin, std::initializer_list<std::int32_t> children, std::int64_t number = 0) {
        if (out_.nodes_.size() >= kMaxNodes) {
            return error_at({begin, at_}, "EXPR_TOO_DEEP",
                            fmt::format("more than {} terms in one expression", kMaxNodes),
                            "split it into derived values");
        }
        Node node;
        node.op = op;
        node.number = number;
        std::copy(children.begin(), children.end(), node.child);
        node.span = {begin, at_};
        out_.nodes_.push_back(node);
        return static_cast<std::int32_t>(out_.nodes_.size() - 1);
    }

    Parsed ternary(int depth) {
        skip_space();
        const std::size_t begin = at_;
        if (depth > kMaxDepth) {
            return error_at({begin, begin + 1}, "EXPR_TOO_DEEP", fmt::format("nested more than {} deep", kMaxDepth),
                            "split it into derived values");
        }
        LS_TRY(const std::int32_t condition, compare(depth));
        if (!take("?")) return condition;
        LS_TRY(const std::int32_t yes, ternary(depth + 1));
        if (!take(":")) return unexpected("':'");
        LS_TRY(const std::int32_t no, ternary(depth + 1));
        return add(Op::Choose, begin, {condition, yes, no});
    }

    Parsed compare(int depth) {
        static constexpr std::array<std::pair<std::string_view, Op>, 6> kOperators{{{"<=", Op::LessEq},
                                                                                    {">=", Op::GreaterEq},
                                                                                    {"==", Op::Equal},
                                                                                    {"!=", Op::NotEqual},
                                                                                    {"<", Op::Less},
                                                                                    {">", Op::Greater}}};
        skip_space();
        const std::size_t begin = at_;
        LS_TRY(const std::int32_t left, sum(depth));
        for (const auto& [token, op] : kOperators) {
            if (!take(token)) continue;
            LS_TRY(const std::int32_t right, sum(depth));
            return add(op, begin, {left, right});
        }
        return left;
    }

    Parsed sum(int depth) {
        skip_space();
        const std::size_t begin = at_;
        LS_TRY(std::int32_t left, product(depth));
        for (;;) {
            const bool plus = take("+");
            if (!plus && !take("-")) return left;
            LS_TRY(const std::int32_t right, product(depth));
            LS_TRY(left, add(plus ? Op::Add : Op::Sub, begin, {left, right}));
        }
    }

    Parsed product(int depth) {
        skip_space();
        const std::size_t begin = at_;
        LS_TRY(std::int32_t left, primary(depth));
        for (;;) {
            const std::optional<Op> op = take("*")   ? std::optional(Op::Mul)
                                         : take("/") ? std::optional(Op::Div)
                                         : take("%") ? std::optional(Op::Mod)
                                                     : std::nullopt;
            if (!op) return left;
            LS_TRY(const std::int32_t right, primary(depth));
            LS_TRY(left, add(*op, begin, {left, right}));
        }
    }

    Parsed primary(int depth) {
        skip_space();
        const std::size_t begin = at_;
        if (take("(")) {
            LS_TRY(const std::int32_t inner, ternary(depth + 1));
            if (!take(")")) return unexpected("')'");
            return inner;
        }
        if (at_ >= text().size()) return unexpected("a value");
        const auto first = static_cast<unsigned char>(text()[at_]);
        if (std::isdigit(first) != 0) return number();
        if (std::isalpha(first) == 0 && first != '_') return unexpected("a value");
        while (at_ < text().size() &&
               (std::isalnum(static_cast<unsigned char>(text()[at_])) != 0 || text()[at_] == '_'))
            ++at_;
        const std::string_view word = text().substr(begin, at_ - begin);
        const Span word_span{begin, at_};
        if (take("(")) return call(word, word_span, depth);
        return name(word, word_span);
    }

    Parsed number() {
        const std::size_t begin = at_;
        std::int64_t value = 0;
        const char* first = text().data() + at_;
        const auto [end, failure] = std::from_chars(first, text().data() + text().size(), value);
        at_ += static_cast<std::size_t>(end - first);
        if (failure != std::errc()) {
            return error_at({begin, at_}, "EXPR_NUMBER", "the number does not fit 64 bits");
        }
        if (at_ < text().size() && (std::isalpha(static_cast<unsigned char>(text()[at_])) != 0 || text()[at_] == '.')) {
            return error_at({begin, at_ + 1}, "EXPR_NUMBER", "a number is made of decimal digits alone",
                            "write sizes as whole numbers, for example 8*1024");
        }
        return add(Op::Number, begin, {}, value);
    }

    Parsed name(std::string_view word, Span span) {
        const auto known = std::find(out_.names_.begin(), out_.names_.end(), word);
        const auto index = known - out_.names_.begin();
        if (known == out_.names_.end()) {
            out_.names_.emplace_back(word);
            out_.name_spans_.push_back(span);
        }
        return add(Op::Name, span.begin, {}, index);
    }

    Parsed call(std::string_view word, Span span, int depth) {
        struct Function {
            std::string_view name;
            Op op;
            bool many; ///< folds more than two arguments
        };
        static constexpr std::array<Function, 5> kFunctions{{{"min", Op::Min, true},
                                                             {"max", Op::Max, true},
                                                             {"ceildiv", Op::CeilDiv, false},
                                                             {"ceil", Op::CeilDiv, false},
                                                             {"align", Op::Align, false}}};
        const auto function =
            std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == word; });
        if (function == kFunctions.end()) {
            return error_at(span, "EXPR_FUNCTION", fmt::format("there is no function '{}'", word),
                            "there are min, max, ceildiv, align");
        }
        LS_TRY(std::int32_t folded, ternary(depth + 1));
        int arguments = 1;
        while (take(",")) {
            LS_TRY(const std::int32_t next, ternary(depth + 1));
            ++arguments;
            if (arguments > 2 && !function->many) break;
            LS_TRY(folded, add(function->op, span.begin, {folded, next}));
        }
        if (arguments < 2 || (arguments > 2 && !function->many)) {
            return error_at({span.begin, at_}, "EXPR_FUNCTION",
                            fmt::format("{} takes {} arguments, here is {}", word,
                                        function->many ? "two or more" : "two", arguments < 2 ? "one" : "a third"));
        }
        if (!take(")")) return unexpected("')'");
        return folded;
    }

    Expression out_;
    std::size_t at_ = 0;
};

namespace {

/// ceil(a / b) for b > 0 without the overflow of a + b - 1.
std::int64_t quotient_up(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

} // namespace

Result<Expression> Expression::parse(std::string_view text) { return ExpressionParser(text).run(); }

Result<std::int64_t> Expression::evaluate(std::span<const std::int64_t> values) const {
    Failure failure;
    const std::int64_t value = evaluate_node(static_cast<std::int32_t>(nodes_.size()) - 1, values, failure);
    if (failure.fault == Fault::None) return value;
    const Span span = nodes_[static_cast<std::size_t>(failure.node)].span;
    switch (failure.fault) {
    case Fault::ZeroDivisor:
        return error_at(span, "EXPR_DIVIDE_BY_ZERO", "division by zero", "the divisor must be at least 1");
    case Fault::BadMultiple:
        return error_at(span, "EXPR_DIVIDE_BY_ZERO", "rounding to a multiple of zero or less",
                        "the multiple must be at least 1");
    default: break;
    }
    return error_at(span, "EXPR_OVERFLOW", "the value does not fit 64 bits", "check the parameters that it is made of");
}

bool Expression::evaluate_into(std::span<const std::int64_t> values, std::int64_t& result) const {
    Failure failure;
    result = evaluate_node(static_cast<std::int32_t>(nodes_.size()) - 1, values, failure);
    return failure.fault == Fault::None;
}

std::int64_t Expression::evaluate_node(std::int32_t index, std::span<const std::int64_t> values,
                                       Failure& failure) const {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (node.op == Op::Number) return node.number;
    if (node.op == Op::Name) return values[static_cast<std::size_t>(node.number)];
    const std::int64_t a = evaluate_node(node.child[0], values, failure);
    if (failure.fault != Fault::None) return 0;
    // Only the chosen branch is evaluated: n == 0 ? 0 : x / n is well defined.
    if (node.op == Op::Choose) return evaluate_node(node.child[a != 0 ? 1 : 2], values, failure);
    const std::int64_t b = evaluate_node(node.child[1], values, failure);
    if (failure.fault != Fault::None) return 0;

    const auto fail = [&](Fault fault) {
        failure = {fault, index};
        return std::int64_t{0};
    };
    const auto exact = [&](CheckedInt value) { return value ? *value : fail(Fault::Overflow); };
    switch (node.op) {
    case Op::Add: return exact(checked_add(a, b));
    case Op::Sub: return exact(checked_sub(a, b));
    case Op::Mul: return exact(checked_mul(a, b));
    case Op::Div:
        if (b == 0) return fail(Fault::ZeroDivisor);
        return b == -1 ? exact(checked_sub(0, a)) : a / b;
    case Op::Mod:
        if (b == 0) return fail(Fault::ZeroDivisor);
        return b == -1 ? 0 : a % b;
    case Op::Less: return a < b ? 1 : 0;
    case Op::LessEq: return a <= b ? 1 : 0;
    case Op::Greater: return a > b ? 1 : 0;
    case Op::GreaterEq: return a >= b ? 1 : 0;
    case Op::Equal: return a == b ? 1 : 0;
    case Op::NotEqual: return a != b ? 1 : 0;
    case Op::Min: return std::min(a, b);
    case Op::Max: return std::max(a, b);
    case Op::CeilDiv: return b <= 0 ? fail(Fault::BadMultiple) : quotient_up(a, b);
    case Op::Align: return b <= 0 ? fail(Fault::BadMultiple) : exact(checked_mul(quotient_up(a, b), b));
    case Op::Number:
    case Op::Name:
    case Op::Choose: break; // answered above
    }
    return 0;
}

} // namespace ls::ub
