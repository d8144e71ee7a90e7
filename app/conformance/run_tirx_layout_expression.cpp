// A recursive descent that evaluates while it reads. Precedence, loosest first: ^, &, << >>, + -, * // %, unary, atoms.
#include "app/conformance/run_tirx_layout_expression.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace ls::conformance {

namespace {

using Value = std::optional<std::int64_t>;

class Evaluator {
public:
    Evaluator(std::string_view text, const Values& values) : text_(text), values_(values) {}

    Value whole() {
        const Value value = bit_xor();
        space();
        return failed_ || at_ != text_.size() ? Value{} : value;
    }

private:
    void space() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool accept(std::string_view token) {
        space();
        if (text_.substr(at_, token.size()) != token) return false;
        at_ += token.size();
        return true;
    }
    void require(std::string_view token) {
        if (!accept(token)) failed_ = true;
    }
    std::string word() {
        space();
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_' || text_[at_] == '.'))
            ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }
    std::int64_t fail() {
        failed_ = true;
        return 0;
    }

    std::int64_t bit_xor() {
        std::int64_t a = bit_and();
        while (!failed_ && accept("^")) a ^= bit_and();
        return a;
    }
    std::int64_t bit_and() {
        std::int64_t a = shift();
        while (!failed_ && accept("&")) a &= shift();
        return a;
    }
    std::int64_t shift() {
        std::int64_t a = sum();
        for (;;) {
            if (failed_) return 0;
            if (accept("<<"))
                a = shifted(a, sum(), true);
            else if (accept(">>"))
                a = shifted(a, sum(), false);
            else
                return a;
        }
    }
    std::int64_t shifted(std::int64_t a, std::int64_t by, bool left) {
        if (by < 0 || by > 62) return fail();
        return left ? a * (std::int64_t{1} << by) : a >> by;
    }
    std::int64_t sum() {
        std::int64_t a = product();
        for (;;) {
            if (failed_) return 0;
            if (accept("+"))
                a += product();
            else if (accept("-"))
                a -= product();
            else
                return a;
        }
    }
    std::int64_t product() {
        std::int64_t a = unary();
        for (;;) {
            if (failed_) return 0;
            if (accept("//"))
                a = divided(a, unary());
            else if (accept("%")) {
                const std::int64_t b = unary();
                a = a - divided(a, b) * b;
            } else if (accept("*"))
                a *= unary();
            else
                return a;
        }
    }
    std::int64_t divided(std::int64_t a, std::int64_t b) {
        if (b == 0) return fail();
        const std::int64_t q = a / b;
        return q - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    }
    std::int64_t unary() {
        if (accept("-")) return -unary();
        if (accept("(")) {
            const std::int64_t value = bit_xor();
            require(")");
            return value;
        }
        return atom();
    }
    std::int64_t atom() {
        const std::string name = word();
        if (name.empty()) return fail();
        if (std::isdigit(static_cast<unsigned char>(name.front())) != 0) return std::strtoll(name.c_str(), nullptr, 10);
        if (!accept("(")) {
            const auto found = values_.find(name);
            return found == values_.end() ? fail() : found->second;
        }
        if (name == "T.Let") return let();
        const std::int64_t a = bit_xor();
        require(",");
        const std::int64_t b = bit_xor();
        require(")");
        if (name == "T.bitwise_xor") return a ^ b;
        if (name == "T.bitwise_and") return a & b;
        if (name == "T.shift_left") return shifted(a, b, true);
        if (name == "T.shift_right") return shifted(a, b, false);
        if (name == "T.min" || name == "min") return std::min(a, b);
        if (name == "T.max" || name == "max") return std::max(a, b);
        return fail();
    }
    /// The value stands behind the body, so the body is skipped first and read again once the name has its value.
    std::int64_t let() {
        const std::size_t body = at_;
        int depth = 0;
        while (at_ < text_.size() && (depth > 0 || text_[at_] != ',')) {
            if (text_[at_] == '(') ++depth;
            if (text_[at_] == ')') --depth;
            ++at_;
        }
        const std::size_t body_end = at_;
        require(",");
        require("where={");
        const std::string name = word();
        require(":");
        const std::int64_t value = bit_xor();
        require("}");
        require(")");
        if (failed_) return 0;
        Values inner = values_;
        inner[name] = value;
        const Value result = Evaluator(text_.substr(body, body_end - body), inner).whole();
        return result ? *result : fail();
    }

    std::string_view text_;
    const Values& values_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

} // namespace

std::optional<std::int64_t> evaluate_text(std::string_view text, const Values& values) {
    return Evaluator(text, values).whole();
}

} // namespace ls::conformance
