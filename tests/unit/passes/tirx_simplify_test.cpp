// The simplifier against plain arithmetic: generated expressions over small ranges, evaluated before and after.
#include <gtest/gtest.h>

#include <random>

#include "core/dialect/tirx/fold.h"
#include "core/dialect/tirx/tirx.h"
#include "core/ir/stmt.h"
#include "core/passes/tirx/index_simplify.h"
#include "core/passes/tirx/same_value.h"
#include "core/support/checked.h"

namespace ls::tirx {
namespace {

using namespace ir;

Expr number(std::int64_t v) { return const_int(v, DType::Int32); }

struct World {
    Var i = var("i", scalar_type(DType::Int32)), j = var("j", scalar_type(DType::Int32)),
        k = var("k", scalar_type(DType::Int32));
    std::int64_t vi = 0, vj = 0, vk = 0;

    std::int64_t value(const Expr& e) const {
        if (const auto c = constant(e)) return *c;
        if (e == i) return vi;
        if (e == j) return vj;
        if (e == k) return vk;
        if (const auto* s = as<SelectNode>(e)) return value(s->condition) != 0 ? value(s->on_true) : value(s->on_false);
        if (const auto* u = as<UnaryNode>(e)) return value(u->operand) == 0;
        if (const auto* c = as<CastNode>(e)) return value(c->value);
        const auto* b = as<BinaryNode>(e);
        EXPECT_NE(b, nullptr) << print(*e);
        if (b == nullptr) return 0;
        const std::int64_t l = value(b->lhs), r = value(b->rhs);
        switch (b->op) {
        case BinaryOp::Add: return l + r;
        case BinaryOp::Sub: return l - r;
        case BinaryOp::Mul: return l * r;
        case BinaryOp::FloorDiv: return ls::floor_div(l, r);
        case BinaryOp::Mod: return ls::floor_mod(l, r);
        case BinaryOp::Min: return std::min(l, r);
        case BinaryOp::Max: return std::max(l, r);
        case BinaryOp::Lt: return l < r;
        case BinaryOp::Le: return l <= r;
        case BinaryOp::Gt: return l > r;
        case BinaryOp::Ge: return l >= r;
        case BinaryOp::Eq: return l == r;
        case BinaryOp::Ne: return l != r;
        case BinaryOp::And: return l != 0 && r != 0;
        case BinaryOp::Or: return l != 0 || r != 0;
        default: ADD_FAILURE() << print(*e); return 0;
        }
    }
};

class Generator {
public:
    Generator(const World& world, unsigned seed) : world_(world), random_(seed) {}

    Expr index(int depth) {
        if (depth == 0) {
            switch (pick(5)) {
            case 0: return world_.i;
            case 1: return world_.j;
            case 2: return world_.k;
            default: return number(pick(20) - 6);
            }
        }
        const Expr a = index(depth - 1);
        constexpr std::int64_t kDivisors[] = {1, 2, 3, 4, 8, 12, 16};
        switch (pick(8)) {
        case 0:
        case 1: return binary(BinaryOp::Add, a, index(depth - 1));
        case 2: return binary(BinaryOp::Sub, a, index(depth - 1));
        case 3: return binary(BinaryOp::Mul, a, number(pick(16) - 3));
        case 4: return binary(BinaryOp::FloorDiv, a, number(kDivisors[pick(7)]));
        case 5: return binary(BinaryOp::Mod, a, number(kDivisors[pick(7)]));
        case 6: return binary(pick(2) == 0 ? BinaryOp::Min : BinaryOp::Max, a, index(depth - 1));
        default: return select(condition(1), a, index(depth - 1));
        }
    }
    Expr condition(int depth) {
        if (depth == 0 || pick(3) == 0) {
            return binary(static_cast<BinaryOp>(static_cast<int>(BinaryOp::Lt) + pick(6)), index(2), index(1));
        }
        if (pick(4) == 0) return unary(UnaryOp::Not, condition(depth - 1));
        return binary(pick(2) == 0 ? BinaryOp::And : BinaryOp::Or, condition(depth - 1), condition(depth - 1));
    }
    int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

private:
    const World& world_;
    std::mt19937 random_;
};

/// i in [0, 7), j in [-3, 5), k anything.
template <class Check>
void everywhere(World& world, Check check) {
    for (world.vi = 0; world.vi < 7; ++world.vi) {
        for (world.vj = -3; world.vj < 5; ++world.vj) {
            for (const std::int64_t k : {-100, -7, -1, 0, 1, 5, 13, 96}) {
                world.vk = k;
                check();
            }
        }
    }
}

TEST(IndexSimplify, KeepsTheValueOfIndexExpressions) {
    World world;
    Generator generate(world, 7);
    for (int n = 0; n < 400; ++n) {
        IndexSimplifier known;
        known.set_loop(*world.i, number(0), number(7));
        known.set_loop(*world.j, number(-3), number(8));
        const Expr e = n % 4 == 3 ? generate.condition(2) : generate.index(3);
        const Expr simple = known.simplify(e);
        const ValueRange range = known.range(e);
        bool ok = true;
        everywhere(world, [&] {
            const std::int64_t before = world.value(e);
            ok = ok && before == world.value(simple) && before >= range.lo && before <= range.hi;
        });
        ASSERT_TRUE(ok) << print(*e) << "\nbecame " << print(*simple);
        EXPECT_TRUE(same_value(known.simplify(simple), known.simplify(known.simplify(simple)))) << print(*e);
    }
}

TEST(IndexSimplify, AssumptionsHoldOnlyWhereTheyAreTrue) {
    World world;
    Generator generate(world, 11);
    int used = 0;
    for (int n = 0; n < 250; ++n) {
        IndexSimplifier known;
        known.set_loop(*world.i, number(0), number(7));
        known.set_loop(*world.j, number(-3), number(8));
        const auto compare = static_cast<BinaryOp>(static_cast<int>(BinaryOp::Lt) + generate.pick(6));
        const Expr bound = number(generate.pick(9) - 3);
        const Expr condition =
            n % 3 == 0 ? generate.condition(2) : binary(compare, n % 3 == 1 ? world.i : world.k, bound);
        const Expr e = generate.index(3);
        const bool holds = n % 2 == 0;
        const Expr plain = known.simplify(e);
        Expr simple;
        {
            const IndexSimplifier::Assume here(known, condition, holds);
            simple = known.simplify(e);
        }
        used += same_value(plain, simple) ? 0 : 1;
        everywhere(world, [&] {
            if ((world.value(condition) != 0) != holds) return;
            ASSERT_EQ(world.value(e), world.value(simple))
                << print(*e) << " under " << print(*condition) << " became " << print(*simple);
        });
        EXPECT_TRUE(same_value(known.simplify(e), plain)) << "nothing is known any more";
    }
    EXPECT_GT(used, 10);
}

TEST(IndexSimplify, TakesTimeByLength) {
    const World world;
    IndexSimplifier known;
    Expr chain = world.k;
    for (int n = 0; n < 300; ++n) {
        chain = binary(n % 2 == 0 ? BinaryOp::Min : BinaryOp::Max, binary(BinaryOp::Add, chain, number(n)), world.i);
        if (n % 7 == 0) chain = select(binary(BinaryOp::Lt, chain, world.j), world.j, number(n));
    }
    EXPECT_NE(known.simplify(chain), nullptr);
}

TEST(IndexSimplify, WritesWhatTheReferenceWrites) {
    const World world;
    IndexSimplifier known;
    known.set_loop(*world.i, number(0), number(4));
    const auto simple = [&](const std::string& text) {
        const auto module =
            read("@T.prim_func\ndef f(k: T.int32):\n    for i in range(4):\n        T.evaluate(" + text + ")\n");
        EXPECT_TRUE(module.ok()) << text;
        const auto* loop = as<ForNode>((*module)->functions[0]->body->stmts[0]);
        IndexSimplifier s;
        s.set_loop(*loop->var, loop->start, loop->stop);
        return print(*s.simplify(as<EvalNode>(loop->body->stmts[0])->value));
    };
    EXPECT_EQ(simple("(i // 512 * 8192 + k % 3 * 8192 + i % 4 // 2 * 4096 + i % 512 // 4 * 32 + i % 2 * 16) // 8"),
              "k % 3 * 1024 + i // 2 * 512 + i % 2 * 2");
    EXPECT_EQ(simple("k // 8 * 8 + k % 8"), "k");
    EXPECT_EQ(simple("i != 0"), "0 < i");
    EXPECT_EQ(simple("k * 4 + 3 < 18"), "k < 4");
    EXPECT_EQ(simple("k + 3 == 5"), "k == 2");
    EXPECT_EQ(simple("T.Cast(\"uint32\", i * 0 + 2)"), "T.uint32(2)");
}

} // namespace
} // namespace ls::tirx
