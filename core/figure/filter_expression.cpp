#include "core/figure/filter_expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/support/checked.h"

namespace ls::figure {

namespace {
/// Nesting of parentheses and operators; each level leaves at most one operand waiting on the stack.
constexpr std::size_t kMaxDepth = 64;
}

/// Precedence climbing straight into postfix code.
class FilterReader {
public:
    FilterReader(std::string_view text, std::span<const std::string> names) : text_(text), names_(names) {}

    Result<FilterExpression> read() {
        skip_space();
        if (at_ == text_.size()) return std::move(out_);
        LS_CHECK(binary(0, 0));
        skip_space();
        if (at_ < text_.size()) return syntax("an operator such as ==, <, && or ||");
        return std::move(out_);
    }

private:
    using Op = FilterExpression::Op;
    struct Infix {
        std::string_view spelling;
        Op op;
        int precedence;
    };
    // Longer spellings first, so that `<=` is not read as `<`.
    static constexpr std::array kInfix{
        Infix{"||", Op::Or, 1},        Infix{"&&", Op::And, 2},      Infix{"==", Op::Equal, 3},   Infix{"!=", Op::NotEqual, 3},
        Infix{"<=", Op::LessEqual, 4}, Infix{">=", Op::GreaterEqual, 4}, Infix{"<", Op::Less, 4}, Infix{">", Op::Greater, 4},
        Infix{"+", Op::Add, 5},        Infix{"-", Op::Subtract, 5},  Infix{"*", Op::Multiply, 6}, Infix{"/", Op::Divide, 6},
        Infix{"%", Op::Modulo, 6}};

    Diagnostic syntax(std::string_view expected) const {
        const std::size_t end = std::min(at_ + 1, text_.size());
        const std::string found = at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : "the end of the filter";
        return error_at({at_, end}, "FILTER_SYNTAX", fmt::format("expected {} here, found {}", expected, found),
                        "write conditions such as `block == 1 && offset % 32 < 4`");
    }

    void skip_space() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    }

    void emit(Op op, std::int64_t operand = 0) {
        out_.program_.push_back({op, operand});
    }

    Status binary(int least_precedence, std::size_t nesting) {
        LS_CHECK(unary(nesting));
        for (;;) {
            skip_space();
            const auto* infix = std::find_if(kInfix.begin(), kInfix.end(), [&](const Infix& i) {
                return text_.substr(at_).starts_with(i.spelling);
            });
            if (infix == kInfix.end() || infix->precedence <= least_precedence) return ok_status();
            at_ += infix->spelling.size();
            LS_CHECK(binary(infix->precedence, nesting + 1));
            emit(infix->op);
        }
    }

    Status unary(std::size_t nesting) {
        skip_space();
        if (nesting > kMaxDepth) {
            return error_at({at_, at_ + 1}, "FILTER_DEEP", fmt::format("the filter nests more than {} levels deep", kMaxDepth),
                            "split it, or leave out parentheses");
        }
        if (at_ >= text_.size()) return syntax("a column, a number or '('");
        const char c = text_[at_];
        if (c == '!' || c == '-') {
            ++at_;
            LS_CHECK(unary(nesting + 1));
            emit(c == '!' ? Op::Not : Op::Negate);
            return ok_status();
        }
        if (c == '(') {
            ++at_;
            LS_CHECK(binary(0, nesting + 1));
            skip_space();
            if (at_ >= text_.size() || text_[at_] != ')') return syntax("')'");
            ++at_;
            return ok_status();
        }
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) return number();
        if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') return column();
        return syntax("a column, a number or '('");
    }

    Status number() {
        const bool hex = text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X");
        const char* begin = text_.data() + at_ + (hex ? 2 : 0);
        std::int64_t value = 0;
        const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), value, hex ? 16 : 10);
        if (problem != std::errc{}) {
            std::size_t stop = at_;
            while (stop < text_.size() && std::isalnum(static_cast<unsigned char>(text_[stop])) != 0) ++stop;
            return error_at({at_, stop}, "FILTER_NUMBER", fmt::format("{} is not a number of 64 bits", text_.substr(at_, stop - at_)),
                            "write decimal (1621) or hexadecimal (0x0CAA)");
        }
        at_ = static_cast<std::size_t>(end - text_.data());
        emit(Op::Number, value);
        return ok_status();
    }

    Status column() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        const auto found = std::find(names_.begin(), names_.end(), word);
        if (found == names_.end()) {
            return error_at({begin, at_}, "FILTER_NAME", fmt::format("there is no column named {}", word),
                            fmt::format("the columns are {}", fmt::join(names_, ", ")));
        }
        emit(Op::Column, found - names_.begin());
        return ok_status();
    }

    std::string_view text_;
    std::span<const std::string> names_;
    std::size_t at_ = 0;
    FilterExpression out_;
};

Result<FilterExpression> FilterExpression::read(std::string_view text, std::span<const std::string> names) {
    return FilterReader(text, names).read();
}

bool FilterExpression::selects(std::span<const std::int64_t> row) const {
    if (program_.empty()) return true;
    std::array<std::int64_t, kMaxDepth + 4> stack; // NOLINT: written before read, and cleared it would cost the scan
    std::size_t top = 0;
    for (const Step& step : program_) {
        if (step.op == Op::Number) {
            stack[top++] = step.operand;
            continue;
        }
        if (step.op == Op::Column) {
            stack[top++] = row[static_cast<std::size_t>(step.operand)];
            continue;
        }
        std::int64_t& a = step.op == Op::Not || step.op == Op::Negate ? stack[top - 1] : stack[top - 2];
        if (step.op == Op::Not) {
            a = a == 0 ? 1 : 0;
            continue;
        }
        if (step.op == Op::Negate) {
            if (__builtin_sub_overflow(std::int64_t{0}, a, &a)) return false;
            continue;
        }
        const std::int64_t b = stack[--top];
        switch (step.op) {
        case Op::Or: a = (a != 0 || b != 0) ? 1 : 0; break;
        case Op::And: a = (a != 0 && b != 0) ? 1 : 0; break;
        case Op::Equal: a = a == b ? 1 : 0; break;
        case Op::NotEqual: a = a != b ? 1 : 0; break;
        case Op::Less: a = a < b ? 1 : 0; break;
        case Op::LessEqual: a = a <= b ? 1 : 0; break;
        case Op::Greater: a = a > b ? 1 : 0; break;
        case Op::GreaterEqual: a = a >= b ? 1 : 0; break;
        case Op::Add:
            if (__builtin_add_overflow(a, b, &a)) return false;
            break;
        case Op::Subtract:
            if (__builtin_sub_overflow(a, b, &a)) return false;
            break;
        case Op::Multiply:
            if (__builtin_mul_overflow(a, b, &a)) return false;
            break;
        case Op::Divide:
        case Op::Modulo:
            if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) return false;
            a = step.op == Op::Divide ? floor_div(a, b) : floor_mod(a, b);
            break;
        default: break;
        }
    }
    return stack[0] != 0;
}

} // namespace ls::figure
