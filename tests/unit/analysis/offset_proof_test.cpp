#include "core/analysis/offset_proof.h"

#include <algorithm>
#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace ls {
namespace {

using namespace ir;

Type index_type() { return scalar_type(DType::Index); }

/// A function with `blk = tile.get_block_idx()`, a parameter p, and what the test adds.
struct Body {
    Var p = var("p", index_type());
    Var blk = var("blk", index_type());
    std::vector<Stmt> stmts{assign(blk, call("tile.get_block_idx", {}))};

    Var define(std::string name, Expr value) {
        Var v = var(std::move(name), index_type());
        stmts.push_back(assign(v, std::move(value)));
        return v;
    }
    Var loop(std::string name, Expr start, Expr step) {
        auto f = std::make_shared<ForNode>();
        f->var = var(std::move(name), index_type());
        f->start = std::move(start);
        f->stop = const_int(1 << 20);
        f->step = std::move(step);
        f->body = seq({});
        Var v = f->var;
        stmts.push_back(seal(std::move(f)));
        return v;
    }
    Function function() const {
        auto f = std::make_shared<FunctionNode>();
        f->name = "k";
        f->params = {{p, Direction::In}};
        f->body = seq(stmts);
        return seal(std::move(f));
    }
};

Expr mul(Expr a, Expr b) { return binary(BinaryOp::Mul, std::move(a), std::move(b)); }
Expr add(Expr a, Expr b) { return binary(BinaryOp::Add, std::move(a), std::move(b)); }
Expr sub(Expr a, Expr b) { return binary(BinaryOp::Sub, std::move(a), std::move(b)); }
Expr mod(Expr a, Expr b) { return binary(BinaryOp::Mod, std::move(a), std::move(b)); }
Expr n(std::int64_t v) { return const_int(v); }

TEST(OffsetProof, FollowsDefinitionsAndRecordsTheWay) {
    Body b;
    const Var n0 = b.define("n0", mul(b.blk, n(256)));
    const Function f = b.function();
    const OffsetFacts facts(*f);
    const Proof proof = prove_multiple(n0, 16, facts);
    EXPECT_TRUE(proof.proven);
    EXPECT_EQ(proof.visits, 5); // n0, the product, blk, its call, 256
    const ProofNode& product = proof.root.children.at(0);
    EXPECT_EQ(product.role, "definition");
    ASSERT_EQ(product.children.size(), 2U);
    EXPECT_EQ(product.children[0].verdict, Verdict::Failed);
    EXPECT_EQ(product.children[1].verdict, Verdict::Proven);
    EXPECT_EQ(product.children[1].rule, "constant 256: 256 mod 16 = 0");
    EXPECT_TRUE(prove_non_negative(n0, facts).proven);
}

TEST(OffsetProof, LeavesWhatItDoesNotNeedUnvisited) {
    Body b;
    const Expr sum = add(b.p, n(16));
    const Function f = b.function();
    const Proof proof = prove_multiple(sum, 16, OffsetFacts(*f));
    EXPECT_FALSE(proof.proven);
    EXPECT_EQ(proof.root.children[0].verdict, Verdict::Failed);
    EXPECT_EQ(proof.root.children[1].verdict, Verdict::NotVisited);
    EXPECT_EQ(proof.root.children[1].visit, 0);
    ASSERT_NE(first_obstacle(proof), nullptr);
    EXPECT_EQ(first_obstacle(proof)->rule, "nothing is known of p");
}

TEST(OffsetProof, DividesLoopVariablesByStartAndStep) {
    Body b;
    const Var good = b.loop("k", n(512), n(512));
    const Var odd = b.loop("j", n(0), n(24));
    const Var down = b.loop("d", n(512), n(-16));
    const Function f = b.function();
    const OffsetFacts facts(*f);
    EXPECT_TRUE(prove_multiple(good, 32, facts).proven);
    EXPECT_FALSE(prove_multiple(odd, 16, facts).proven);
    EXPECT_TRUE(prove_multiple(down, 16, facts).proven);
    EXPECT_FALSE(prove_non_negative(down, facts).proven);
}

struct Row {
    const char* what;
    Expr (*build)(const Body&);
    bool multiple_of_16;
    bool non_negative;
};

TEST(OffsetProof, KnowsTheTableOfRules) {
    const Row rows[] = {
        {"(blk % 2) * 512", [](const Body& b) { return mul(mod(b.blk, n(2)), n(512)); }, true, true},
        {"((blk - 1) % 2) * 512", [](const Body& b) { return mul(mod(sub(b.blk, n(1)), n(2)), n(512)); }, true, false},
        {"blk * 256 - 256", [](const Body& b) { return sub(mul(b.blk, n(256)), n(256)); }, true, false},
        {"blk * 4 * 4", [](const Body& b) { return mul(mul(b.blk, n(4)), n(4)); }, false, true},
        {"max(blk * 16 - 32, 0)",
         [](const Body& b) { return binary(BinaryOp::Max, sub(mul(b.blk, n(16)), n(32)), n(0)); }, true, true},
        {"min(blk * 16, 32)", [](const Body& b) { return binary(BinaryOp::Min, mul(b.blk, n(16)), n(32)); }, true,
         true},
        {"(blk * 256) // 2", [](const Body& b) { return binary(BinaryOp::FloorDiv, mul(b.blk, n(256)), n(2)); }, false,
         true},
        {"(blk % p) * 16", [](const Body& b) { return mul(mod(b.blk, b.p), n(16)); }, true, false},
        {"cast(blk * 16)", [](const Body& b) { return cast(mul(b.blk, n(16)), DType::Int64); }, false, false},
        {"-16 * -1", [](const Body&) { return mul(n(-16), n(-1)); }, true, false},
        {"p", [](const Body& b) { return Expr(b.p); }, false, false},
    };
    for (const Row& row : rows) {
        Body b;
        const Expr e = row.build(b);
        const Function f = b.function();
        const OffsetFacts facts(*f);
        EXPECT_EQ(prove_multiple(e, 16, facts).proven, row.multiple_of_16) << row.what;
        EXPECT_EQ(prove_non_negative(e, facts).proven, row.non_negative) << row.what;
    }
}

TEST(OffsetProof, GivesUpAfter256Visits) {
    // v_k = v_{k-1} + v_{k-1}: 2^k leaves; v6 takes 254 visits, v7 510.
    for (const int last : {6, 7}) {
        Body b;
        Var v = b.define("v0", n(16));
        for (int k = 1; k <= last; ++k) v = b.define("v" + std::to_string(k), add(v, v));
        const Function f = b.function();
        const Proof proof = prove_multiple(v, 16, OffsetFacts(*f));
        EXPECT_EQ(proof.proven, last == 6);
        EXPECT_EQ(proof.visits, last == 6 ? 254 : kProofBudget);
        EXPECT_EQ(proof.out_of_budget, last == 7);
    }
}

TEST(OffsetProof, TrustsNoVariableWithTwoValues) {
    Body b;
    const Var twice = b.define("twice", n(16));
    b.stmts.push_back(assign(twice, n(8)));
    b.stmts.push_back(assign(b.p, mul(b.p, n(16)))); // a parameter, assigned once more
    const Var k = b.loop("k", n(0), n(16));
    b.stmts.push_back(assign(k, n(3)));
    const Function f = b.function();
    const OffsetFacts facts(*f);
    EXPECT_FALSE(prove_multiple(twice, 16, facts).proven);
    EXPECT_FALSE(prove_multiple(b.p, 16, facts).proven);
    EXPECT_FALSE(prove_multiple(k, 16, facts).proven);
}

TEST(OffsetProof, EndsOnDefinitionsThatGoInCircles) {
    Body b;
    const Var x = var("x", index_type());
    b.stmts.push_back(assign(x, add(x, n(16))));
    const Function f = b.function();
    const Proof proof = prove_multiple(x, 16, OffsetFacts(*f));
    EXPECT_FALSE(proof.proven);
    EXPECT_TRUE(proof.out_of_budget);
}

/// Whatever is proven must hold for every value of the block number.
TEST(OffsetProof, IsNeverWrong) {
    std::uint64_t state = 12345;
    const auto random = [&](std::uint64_t bound) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::int64_t>((state >> 33U) % bound);
    };
    const std::function<Expr(const Body&, int)> build = [&](const Body& b, int depth) -> Expr {
        if (depth == 0 || random(4) == 0) {
            if (random(2) == 0) return b.blk;
            return n((random(9) - 2) * 8);
        }
        constexpr BinaryOp ops[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul,     BinaryOp::Min,
                                    BinaryOp::Max, BinaryOp::Mod, BinaryOp::FloorDiv};
        const BinaryOp op = ops[random(7)];
        Expr rhs = op == BinaryOp::Mod || op == BinaryOp::FloorDiv ? n(1 + random(7)) : build(b, depth - 1);
        return binary(op, build(b, depth - 1), std::move(rhs));
    };
    const std::function<std::int64_t(const Expr&, std::int64_t)> value = [&](const Expr& e,
                                                                             std::int64_t blk) -> std::int64_t {
        if (const auto c = constant(e)) return *c;
        const auto* o = as<BinaryNode>(e);
        if (o == nullptr) return blk;
        const std::int64_t l = value(o->lhs, blk), r = value(o->rhs, blk);
        const auto floor = [](std::int64_t a, std::int64_t c) { return a / c - (a % c < 0 ? 1 : 0); };
        switch (o->op) {
        case BinaryOp::Add: return l + r;
        case BinaryOp::Sub: return l - r;
        case BinaryOp::Mul: return l * r;
        case BinaryOp::Min: return std::min(l, r);
        case BinaryOp::Max: return std::max(l, r);
        case BinaryOp::Mod: return l - floor(l, r) * r;
        default: return floor(l, r);
        }
    };
    int proven = 0;
    for (int i = 0; i < 3000; ++i) {
        const Body b;
        const Expr e = build(b, 4);
        const Function f = b.function();
        const OffsetFacts facts(*f);
        const bool multiple = prove_multiple(e, 16, facts).proven, positive = prove_non_negative(e, facts).proven;
        proven += multiple && positive ? 1 : 0;
        for (std::int64_t blk = 0; blk < 20; ++blk) {
            EXPECT_TRUE(!multiple || value(e, blk) % 16 == 0);
            EXPECT_TRUE(!positive || value(e, blk) >= 0);
        }
    }
    EXPECT_GT(proven, 50);
}

} // namespace
} // namespace ls
