#include "core/ir/mutator.h"

#include <gtest/gtest.h>

#include "core/ir/equality.h"
#include "core/ir/substitute.h"
#include "core/ir/walk.h"

namespace ls::ir {
namespace {

/// x is a parameter; y = x * 256; for k in range(0, 64, 16): z = load(y, [k])
struct Fixture {
    Var x = var("x", scalar_type(DType::Index));
    Var y = var("y", scalar_type(DType::Index));
    Var k = var("k", scalar_type(DType::Index));
    Var z = var("z", tile_type(const_ints({16, 16}), DType::Fp16, TileSpace::Mat));
    Module module;

    Fixture() {
        auto loop = std::make_shared<ForNode>();
        loop->var = k;
        loop->start = const_int(0);
        loop->stop = const_int(64);
        loop->step = const_int(16);
        loop->body = seq({assign(z, call("tile.load", {y, tuple({k})}))});
        auto f = std::make_shared<FunctionNode>();
        f->name = "main";
        f->params = {{x, Direction::In}};
        f->body = seq({assign(y, binary(BinaryOp::Mul, x, const_int(256))), seal(std::move(loop)), return_values({y})});
        auto m = std::make_shared<ModuleNode>();
        m->name = "P";
        m->functions = {seal(std::move(f))};
        module = seal(std::move(m));
    }
};

class Identity final : public Mutator {};

TEST(Mutator, KeepsTheSameObjectsWhenNothingChanges) {
    const Fixture f;
    Identity identity;
    EXPECT_EQ(identity.mutate(f.module), f.module);
}

class ReplaceConstant final : public Mutator {
public:
    explicit ReplaceConstant(std::int64_t from) : from_(from) {}

protected:
    Expr on_expr(const Expr& e) override { return is_constant(e, from_) ? const_int(512) : Mutator::on_expr(e); }

private:
    std::int64_t from_;
};

TEST(Mutator, RebuildsOnlyThePathToTheChange) {
    const Fixture f;
    ReplaceConstant change(256);
    const Module after = change.mutate(f.module);
    ASSERT_NE(after, f.module);
    EXPECT_EQ(after->origin, f.module);
    const Seq &old_body = f.module->functions[0]->body, &new_body = after->functions[0]->body;
    EXPECT_NE(new_body->stmts[0], old_body->stmts[0]);
    EXPECT_EQ(new_body->stmts[0]->origin, old_body->stmts[0]);
    EXPECT_EQ(new_body->stmts[1], old_body->stmts[1]) << "the loop did not change and must be shared";
    EXPECT_EQ(new_body->stmts[2], old_body->stmts[2]);
    EXPECT_NE(new_body->stmts[0]->id, old_body->stmts[0]->id);
}

class Retype final : public Mutator {
protected:
    Type on_type(const Type& t) override {
        const auto* scalar = as<ScalarTypeNode>(t);
        return scalar != nullptr ? scalar_type(DType::Int32) : Mutator::on_type(t);
    }
};

TEST(Mutator, FollowsAVariableWhoseTypeChanged) {
    const Fixture f;
    Retype retype;
    const Module after = retype.mutate(f.module);
    const FunctionNode& main = *after->functions[0];
    const auto* first = as<AssignNode>(main.body->stmts[0]);
    const Var& x = main.params[0].var;
    EXPECT_NE(x, f.x);
    EXPECT_EQ(x->origin, f.x);
    EXPECT_EQ(as<BinaryNode>(first->value)->lhs, x);
    EXPECT_EQ(as<ReturnNode>(main.body->stmts[2])->values[0], first->targets[0]);
    EXPECT_EQ(scalar_dtype(x), DType::Int32);
}

class DropAndSplice final : public Mutator {
protected:
    Stmt on_stmt(const Stmt& s) override {
        if (as<AssignNode>(s) != nullptr && as<AssignNode>(s)->targets[0]->name == "z") return nullptr;
        if (as<ReturnNode>(s) != nullptr) return seq({eval(const_int(1)), s});
        return Mutator::on_stmt(s);
    }
};

TEST(Mutator, DropsAndSplicesStatements) {
    const Fixture f;
    DropAndSplice change;
    const Module after = change.mutate(f.module);
    const auto& stmts = after->functions[0]->body->stmts;
    ASSERT_EQ(stmts.size(), 4U);
    EXPECT_TRUE(as<ForNode>(stmts[1])->body->stmts.empty());
    EXPECT_EQ(stmts[2]->kind, NodeKind::Eval);
    EXPECT_EQ(stmts[3], f.module->functions[0]->body->stmts[2]);
}

TEST(Equality, HoldsUpToTheNamesOfVariables) {
    const Fixture a, b;
    EXPECT_FALSE(first_difference(a.module, b.module).has_value());
    EqualityOptions names;
    names.names = true;
    EXPECT_FALSE(first_difference(a.module, b.module, names).has_value());
}

TEST(Equality, NamesTheFirstPlaceThatDiffers) {
    const Fixture a;
    ReplaceConstant change(64);
    const auto difference = first_difference(a.module, change.mutate(a.module));
    ASSERT_TRUE(difference.has_value());
    EXPECT_EQ(difference->path, "main.body[1].stop.value");
    EXPECT_EQ(difference->why, "64 here, 512 there");
}

TEST(Equality, TellsSwappedVariablesApart) {
    const Type index = scalar_type(DType::Index);
    const Var a = var("a", index), b = var("b", index);
    const auto body = [&](const Var& first, const Var& second) {
        return seq({assign(a, const_int(1)), assign(b, const_int(2)), eval(binary(BinaryOp::Sub, first, second))});
    };
    EXPECT_FALSE(first_difference(Stmt(body(a, b)), Stmt(body(a, b))).has_value());
    const auto swapped = first_difference(Stmt(body(a, b)), Stmt(body(b, a)));
    ASSERT_TRUE(swapped.has_value());
    EXPECT_EQ(swapped->path, "[2].value.lhs");
}

TEST(Equality, FillsInImplicitTileViews) {
    TileView written;
    written.blayout = TileOrder::ColMajor;
    written.fractal_bytes = 512;
    EXPECT_FALSE(first_difference(tile_type(const_ints({16, 16}), DType::Fp16, TileSpace::Mat),
                                  tile_type(const_ints({16, 16}), DType::Fp16, TileSpace::Mat, written)));
    written.blayout = TileOrder::RowMajor;
    EXPECT_TRUE(first_difference(tile_type(const_ints({16, 16}), DType::Fp16, TileSpace::Mat),
                                 tile_type(const_ints({16, 16}), DType::Fp16, TileSpace::Mat, written)));
}

TEST(Substitute, ReplacesUsesAndKeepsTheRest) {
    const Fixture f;
    const Expr product = binary(BinaryOp::Add, binary(BinaryOp::Mul, f.x, const_int(2)), f.k);
    const Expr after = substitute(product, {{f.x.get(), const_int(3)}});
    const auto* sum = as<BinaryNode>(after);
    EXPECT_TRUE(is_constant(as<BinaryNode>(sum->lhs)->lhs, 3));
    EXPECT_EQ(sum->rhs, f.k);
    EXPECT_EQ(substitute(product, {{f.z.get(), const_int(3)}}), product);
}

TEST(Walk, VisitsTypesAtDefinitionsOnly) {
    const Fixture f;
    std::size_t scalars = 0;
    walk(*f.module, [&](const Node& n) {
        scalars += n.kind == NodeKind::ScalarType ? 1 : 0;
        return true;
    });
    EXPECT_EQ(scalars, 3U); // x, y, k: each where it is defined
    EXPECT_EQ(used_vars(*f.module).size(), 4U);
}

TEST(Depth, IsRecordedAndRefusedBeyondTheLimit) {
    Expr e = const_int(0);
    for (std::uint32_t i = 0; i < kMaxDepth; ++i) e = unary(UnaryOp::Neg, e);
    EXPECT_EQ(e->depth, kMaxDepth + 1);
    auto f = std::make_shared<FunctionNode>();
    f->name = "deep";
    f->body = seq({eval(e)});
    auto m = std::make_shared<ModuleNode>();
    m->functions = {seal(std::move(f))};
    const Status status = check_depth(*seal(std::move(m)));
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, "IR_TOO_DEEP");
    const Fixture shallow;
    EXPECT_TRUE(check_depth(*shallow.module).ok());
}

} // namespace
} // namespace ls::ir
