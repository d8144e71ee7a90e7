// Symbolic numbers: their normal form, and that every rule of it keeps the value.
#include "core/layout/symbol.h"

#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;

const Dim n = Dim::symbol("n");
const Dim k = Dim::symbol("k");
const Dim i = Dim::symbol("i");

struct Form {
    Dim actual;
    const char* text;
};
class NormalForm : public testing::TestWithParam<Form> {};
TEST_P(NormalForm, Prints) { EXPECT_EQ(to_string(GetParam().actual), GetParam().text); }

INSTANTIATE_TEST_SUITE_P(Polynomials, NormalForm,
                         testing::Values(Form{n + n, "n * 2"}, Form{n - n, "0"}, Form{n * k - k * n, "0"},
                                         Form{(n + 1) * (n - 1), "n * n - 1"}, Form{n * 7 + 16, "n * 7 + 16"},
                                         Form{Dim(3) - n, "-n + 3"}, Form{n * 64 + k, "n * 64 + k"},
                                         Form{Dim(4) * n * Dim(0), "0"}));
INSTANTIATE_TEST_SUITE_P(Divisions, NormalForm,
                         testing::Values(Form{floor_div(n * 4, n), "4"}, Form{floor_mod(n * k, k), "0"},
                                         Form{floor_div(i * 16 + 5, 16), "i"}, Form{floor_mod(i * 16 + 5, 16), "5"},
                                         Form{floor_div(i * 16, 32), "i // 2"},
                                         Form{floor_mod(i * 16, 32), "i % 2 * 16"},
                                         Form{floor_div(floor_div(i, 4), 8), "i // 32"},
                                         Form{floor_mod(floor_mod(i, 64), 16), "i % 16"},
                                         Form{floor_mod(floor_div(i, 16), 4), "i % 64 // 16"},
                                         Form{floor_div(floor_mod(i, 8), 8), "0"}, Form{floor_div(i, -4), "(-i) // 4"},
                                         Form{floor_div(n * 2 + 4, n + 2), "2"}, Form{floor_mod(i, 1), "0"}));
INSTANTIATE_TEST_SUITE_P(
    DigitsComeTogetherAgain, NormalForm,
    testing::Values(Form{floor_div(i, 8) * 8 + floor_mod(i, 8), "i"},
                    Form{floor_div(i, 8192) * 8192 + floor_mod(floor_div(i, 64), 128) * 64 + floor_mod(i, 64), "i"},
                    Form{floor_div(i, n) * n + floor_mod(i, n), "i"},
                    Form{floor_div(i, n) * n * k + floor_mod(i, n) * k, "i * k"},
                    Form{floor_div(i, 32) * 4 + floor_div(floor_mod(i, 32), 8), "i // 8"},
                    Form{floor_div(i, 8) * 16 + floor_mod(i, 8), "i // 8 * 16 + i % 8"}));
INSTANTIATE_TEST_SUITE_P(Bits, NormalForm,
                         testing::Values(Form{bit_xor(i, i), "0"}, Form{bit_xor(0, i), "i"}, Form{bit_and(i, 0), "0"},
                                         Form{bit_and(floor_mod(i, 8), 7), "i % 8"},
                                         Form{bit_xor(i, shift_left(bit_and(n + 1, 7), 3)), "i ^ (((n + 1) & 7) << 3)"},
                                         Form{bit_xor(8, i * 64), "(i * 64) ^ 8"},
                                         Form{floor_div(shift_left(i, 5), 8), "i * 4"},
                                         Form{min(floor_mod(i, 4), 9), "i % 4"}, Form{max(n, n - 1), "n"},
                                         Form{min(n, 3), "min(n, 3)"}));
INSTANTIATE_TEST_SUITE_P(Precedence, NormalForm,
                         testing::Values(Form{floor_mod(floor_div(i, n), 3), "i // n % 3"},
                                         Form{floor_div(i + 1, 3), "(i + 1) // 3"},
                                         Form{Dim(0) - floor_div(i, 4), "-(i // 4)"},
                                         Form{floor_div(i, 4) * floor_div(k, 4), "i // 4 * (k // 4)"},
                                         Form{floor_div(i, n + 1), "i // (n + 1)"},
                                         Form{floor_div(n, 2) - i * 3, "n // 2 - i * 3"}));

TEST(Symbol, EqualityIgnoresHowItWasBuilt) {
    EXPECT_EQ((n + k) * 2, k * 2 + n + n);
    EXPECT_FALSE(n == k);
    EXPECT_FALSE(n == Dim::symbol("n", 0)) << "bounds are part of a variable";
    EXPECT_EQ(Dim::symbol("n", 5, 5), Dim(5));
}

TEST(Symbol, ProofsUseBounds) {
    const Dim e = floor_mod(n, 16) + 2; // 2 .. 17
    EXPECT_TRUE(proves_less(1, e));
    EXPECT_TRUE(proves_less(e, e * 2));
    EXPECT_FALSE(proves_less(2, e));
    EXPECT_FALSE(proves_less(e, 17));
    EXPECT_TRUE(proves_at_most(e, 17));
    EXPECT_FALSE(proves_less(n, n * 2)) << "n may be negative";
    EXPECT_TRUE(proves_less(Dim(0), Dim::symbol("rows", 1)));
    EXPECT_TRUE(proves_divisible(n * 12 + 8, 4));
    EXPECT_FALSE(proves_divisible(n * 12 + 9, 4));
    EXPECT_TRUE(proves_divisible(n * k * 4, k));
}

TEST(Symbol, ExactQuotient) {
    EXPECT_EQ(exact_quotient(n * k * 6, k * 2), n * 3);
    EXPECT_EQ(exact_quotient((n + 2) * (k + 3), n + 2), k + 3);
    EXPECT_EQ(exact_quotient(n * 3, 2), std::nullopt);
    EXPECT_EQ(exact_quotient(n + 1, k), std::nullopt);
    EXPECT_EQ(exact_quotient(n, 0), std::nullopt);
}

TEST(Symbol, SubstituteAndVariables) {
    const Dim expression = floor_div(n * 4 + k, 8) + bit_xor(k, 3);
    EXPECT_EQ(variables(expression), (std::vector<std::string>{"k", "n"}));
    const auto with_k = [](std::string_view name) { return name == "k" ? std::optional<Dim>(16) : std::nullopt; };
    EXPECT_EQ(to_string(substitute(expression, with_k)), "n // 2 + 21");
}

TEST(Symbol, GrowthEndsInOverflow) {
    Dim deep = n;
    for (int step = 0; step < 2000; ++step) deep = floor_div(deep + 1, k + step);
    EXPECT_TRUE(deep.is_overflow());
    Dim doubled = n;
    for (int step = 0; step < 60; ++step) doubled = bit_xor(doubled, bit_and(doubled, 7) + step);
    EXPECT_TRUE(doubled.is_overflow());
    Dim wide = 1;
    for (int v = 0; v < 40; ++v) wide = wide * (Dim::symbol("v" + std::to_string(v)) + 1);
    EXPECT_TRUE(wide.is_overflow());
    Dim sum;
    for (int v = 0; v < 2000; ++v) sum += Dim::symbol("v" + std::to_string(v));
    EXPECT_TRUE(sum.is_overflow());
    const Dim big = n * Dim(std::int64_t{1} << 62);
    EXPECT_TRUE((big * 4).is_overflow());
}

// A random expression, and the same one computed on numbers.
struct Twin {
    Dim symbolic;
    std::optional<std::int64_t> value;
};

class TwinMaker {
public:
    TwinMaker(std::uint64_t seed, std::map<std::string, std::int64_t, std::less<>> values)
        : random_(seed), values_(std::move(values)) {}

    Twin make(int depth) {
        if (depth == 0 || random_.chance(20)) {
            if (random_.chance(40)) {
                const std::int64_t c = random_.number(-20, 70);
                return {c, c};
            }
            const auto& [name, value] =
                *std::next(values_.begin(), random_.number(0, static_cast<std::int64_t>(values_.size()) - 1));
            return {name == "d" ? Dim::symbol("d", 0, 31) : Dim::symbol(name), value};
        }
        const Twin a = make(depth - 1);
        const Twin b = make(depth - 1);
        const std::int64_t positive = random_.pick<std::int64_t>({1, 2, 3, 4, 8, 16, 64});
        if (!a.value || !b.value) return {a.symbolic, std::nullopt};
        const std::int64_t x = *a.value;
        const std::int64_t y = *b.value;
        switch (random_.number(0, 11)) {
        case 0:
        case 1: return {a.symbolic + b.symbolic, checked_add(x, y)};
        case 2: return {a.symbolic - b.symbolic, checked_sub(x, y)};
        case 3:
        case 4: return {a.symbolic * b.symbolic, checked_mul(x, y)};
        case 5:
        case 6: return {floor_div(a.symbolic, positive), floor_div(x, positive)};
        case 7: return {floor_mod(a.symbolic, positive), floor_mod(x, positive)};
        case 8: return y == 0 ? a : Twin{floor_mod(a.symbolic, b.symbolic), floor_mod(x, y)};
        case 9: return y == 0 ? a : Twin{floor_div(a.symbolic, b.symbolic), floor_div(x, y)};
        case 10: return {bit_xor(a.symbolic, b.symbolic), x ^ y};
        default:
            return random_.chance(50) ? Twin{bit_and(a.symbolic, positive - 1), x & (positive - 1)}
                                      : Twin{min(a.symbolic, b.symbolic), std::min(x, y)};
        }
    }

private:
    Generator random_;
    std::map<std::string, std::int64_t, std::less<>> values_;
};

TEST(Symbol, NormalFormKeepsTheValueAndItsBounds) {
    Generator random(17);
    int compared = 0;
    for (std::uint64_t round = 0; round < 20000; ++round) {
        const std::map<std::string, std::int64_t, std::less<>> values{
            {"n", random.number(-40, 40)}, {"k", random.number(1, 9)}, {"d", random.number(0, 31)}};
        TwinMaker maker(round, values);
        const Twin twin = maker.make(4);
        if (!twin.value || twin.symbolic.is_overflow() || std::abs(*twin.value) > (std::int64_t{1} << 50)) continue;
        // A divisor may have been 0 in a part that was dropped; what remains must still agree.
        const auto value = evaluate(twin.symbolic, [&](std::string_view name) -> std::optional<std::int64_t> {
            return values.find(name)->second;
        });
        if (!value) continue;
        ASSERT_EQ(*value, *twin.value) << to_string(twin.symbolic) << " n=" << values.at("n") << " k=" << values.at("k")
                                       << " d=" << values.at("d");
        const Bounds range = bounds(twin.symbolic);
        ASSERT_LE(range.lo, *value) << to_string(twin.symbolic);
        ASSERT_GE(range.hi, *value) << to_string(twin.symbolic);
        ++compared;
    }
    EXPECT_GT(compared, 15000);
}

TEST(Symbol, ProofsHoldForEveryValue) {
    Generator random(23);
    int proven = 0;
    for (std::uint64_t round = 0; round < 6000; ++round) {
        std::map<std::string, std::int64_t, std::less<>> values{{"n", 0}, {"k", 1}, {"d", 0}};
        TwinMaker maker(round, values);
        const Dim a = maker.make(3).symbolic;
        const Dim b = maker.make(2).symbolic;
        const std::int64_t by = random.pick<std::int64_t>({2, 4, 8});
        const bool less = proves_less(a, b);
        const bool divisible = proves_divisible(a, by);
        const auto quotient = exact_quotient(a, b);
        proven += less ? 1 : 0;
        for (int sample = 0; sample < 20; ++sample) {
            values = {{"n", random.number(-40, 40)}, {"k", random.number(-9, 9)}, {"d", random.number(0, 31)}};
            const auto at = [&](const Dim& dim) {
                return evaluate(dim, [&](std::string_view name) -> std::optional<std::int64_t> {
                    return values.find(name)->second;
                });
            };
            const auto x = at(a);
            const auto y = at(b);
            if (!x || !y) continue;
            ASSERT_TRUE(!less || *x < *y) << to_string(a) << " < " << to_string(b);
            ASSERT_TRUE(!divisible || *x % by == 0) << to_string(a) << " by " << by;
            const auto q = quotient ? at(*quotient) : std::nullopt;
            ASSERT_TRUE(!q || *q * *y == *x) << to_string(a) << " over " << to_string(b);
        }
    }
    EXPECT_GT(proven, 200) << "the property would hold of proofs that never succeed";
}

} // namespace
} // namespace ls
