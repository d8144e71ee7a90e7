// Snapshots of TIRx programs run by the same threads: no pass of ours moves anything, and one that does is found.
#include <gtest/gtest.h>

#include <random>

#include <fmt/format.h>

#include "core/check/tirx_moved.h"
#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/tirx.h"
#include "core/ir/mutator.h"
#include "core/passes/pipelines.h"

namespace ls::check {
namespace {

using namespace ir;

Module read_ok(const std::string& text) {
    Result<Module> module = tirx::read(text);
    EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message) << "\n" << text;
    return module.ok() ? *module : nullptr;
}

Trace lowered(const Module& module) { return run_pipeline(module, pipeline_of(Dialect::Tirx), {}); }

/// A kernel whose threads write what their loops say through the layouts of its buffers.
class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}

    std::string program() {
        std::string text =
            "@T.prim_func\ndef main(G: T.Buffer((64, 64), \"float16\"), n: T.int32):\n"
            "    T.func_attr({\"global_symbol\": \"main\"})\n    b = T.launch_thread(\"blockIdx.x\", 2)\n"
            "    t = T.launch_thread(\"threadIdx.x\", 128)\n    w: T.let[T.int32] = t // 32\n";
        text += fmt::format("    A = T.alloc_shared((16, 64), \"float16\", layout={})\n", layout());
        text += fmt::format("    R = T.alloc_local(({},), \"float16\")\n", 64);
        text += "    V = R.view(8, 8)\n";
        const std::string kind = pick(2) == 0 ? "T.unroll" : "range";
        text += fmt::format("    for i in {}({}):\n        for j in {}({}):\n", kind, 1 + pick(4),
                            pick(2) == 0 ? "T.unroll" : "range", 1 + pick(8));
        text += "            s: T.int32 = " + index(64) + "\n";
        text += fmt::format("            A[{}, {}] = G[{}, {}]\n", index(16), index(64), index(64), index(64));
        text += fmt::format("            if {} < {}:\n", index(32), index(8));
        text += fmt::format("                V[{}, s % 8] = A[s % 16, {}]\n", index(8), index(64));
        text += fmt::format("            G[{}, {}] = V[{}, {}] + T.float16({})\n", index(64), index(64), index(8),
                            index(8), pick(5));
        text += fmt::format("            T.evaluate({} * n + {})\n", index(4), index(64));
        return text;
    }

private:
    int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    /// Below `extent`, of loop and thread numbers.
    std::string index(int extent) {
        static constexpr const char* kVars[] = {"i", "j", "t", "w", "b"};
        std::string e = fmt::format("{} * {} + {}", kVars[pick(5)], 1 + pick(7), kVars[pick(5)]);
        switch (pick(4)) {
        case 0: e = fmt::format("({}) // {}", e, 1 << pick(4)); break;
        case 1: e = fmt::format("{} // {} * {} + {} % {}", kVars[pick(5)], 4, 4, kVars[pick(5)], 4); break;
        default: break;
        }
        return fmt::format("({}) % {}", e, extent);
    }
    std::string layout() {
        switch (pick(5)) {
        case 0: return "T.TileLayout(T.S[(16, 64):(1, 16)])";
        case 1: return "T.TileLayout(T.S[(16, 8, 8):(8, 128, 1)])";
        case 2: return "T.TileLayout(T.S[(2, 8, 64):(512, 1, 8)] + 0)";
        case 3:
            return fmt::format("T.ComposeLayout({0}, {1}, {1}, T.TileLayout(T.S[(16, 64):(64, 1)]))", 3, 1 + pick(3));
        default: return "T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(16, 8, 8):(8, 128, 1)]))";
        }
    }
    std::mt19937 random_;
};

TEST(TirxMoved, NoPassMovesAnElement) {
    std::size_t events = 0;
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const std::string text = Generator(seed).program();
        const Module module = read_ok(text);
        ASSERT_NE(module, nullptr);
        const Trace trace = lowered(module);
        ASSERT_TRUE(trace.ok()) << trace.refusals.front().message << "\n" << text;
        TirxComparison compared;
        const auto verdict = first_moved(trace, &compared);
        EXPECT_FALSE(verdict.has_value()) << verdict->finding.message << "\n" << verdict->finding.hint << "\n" << text;
        EXPECT_EQ(compared.unknown, 0u) << text;
        events += compared.events;
    }
    EXPECT_GT(events, 5'000u);
}

/// Adds to the index of one access, as a pass with a mistake would.
class Breaker final : public Mutator {
public:
    explicit Breaker(int at) : left_(at) {}
    bool done = false;

protected:
    Var on_define(const Var& var) override { return var; }
    Expr on_expr(const Expr& expr) override {
        const auto* s = as<SubscriptNode>(expr);
        if (s == nullptr || tirx::buffer_type(s->base) == nullptr || left_-- != 0) return Mutator::on_expr(expr);
        done = true;
        auto made = derive(ref_as<SubscriptNode>(expr));
        made->indices[0] = binary(BinaryOp::BitXor, made->indices[0], const_int(1, DType::Int32));
        return seal(std::move(made));
    }

private:
    int left_;
};

TEST(TirxMoved, APassWithAMistakeIsFound) {
    int found = 0, broken = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const Module module = read_ok(Generator(seed).program());
        ASSERT_NE(module, nullptr);
        Trace trace = lowered(module);
        ASSERT_TRUE(trace.ok());
        const std::size_t at = 3 + seed % 4; // after LowerTIRxCleanup or one of its followers
        Breaker breaker(static_cast<int>(seed % 3));
        Snapshot& snapshot = trace.snapshots[at];
        auto copy = derive(snapshot.module);
        for (Function& f : copy->functions) {
            auto now = derive(f);
            now->body = breaker.mutate(f->body);
            f = seal(std::move(now));
        }
        snapshot.module = seal(std::move(copy));
        snapshot.changed = true;
        if (!breaker.done) continue;
        ++broken;
        const auto verdict = first_moved(trace);
        if (!verdict) continue;
        ++found;
        EXPECT_EQ(verdict->snapshot, at) << "seed " << seed << ": " << verdict->finding.message;
        EXPECT_EQ(verdict->finding.code, "TIRX_MOVED");
    }
    EXPECT_EQ(found, broken);
    EXPECT_GT(broken, 8);
}

TEST(TirxMoved, TheWitnessIsTheFirstThreadThatShowsIt) {
    const std::string header =
        "@T.prim_func\ndef main(A: T.Buffer((64,), layout=None)):\n    t = T.launch_thread(\"threadIdx.x\", 64)\n";
    const Module before = read_ok(header + "    for i in range(4):\n        A[t] = T.float32(1)\n");
    const Module after = read_ok(header + "    for i in range(4):\n        A[t + t // 32 * i] = T.float32(1)\n");
    const TirxComparison c = tirx_compare(*before, *after);
    ASSERT_TRUE(c.witness.has_value());
    EXPECT_EQ(c.witness->thread.at("threadIdx.x"), 32);
    ASSERT_EQ(c.witness->loops.size(), 1u);
    EXPECT_EQ(c.witness->loops[0].second, 1);
    EXPECT_EQ(c.witness->before, "&A + 128");
    EXPECT_EQ(c.witness->after, "&A + 132");
    EXPECT_EQ(c.witness->what, "the address of a store");
    EXPECT_FALSE(tirx_compare(*before, *before).witness.has_value());
}

TEST(TirxMoved, APaddedLayoutLeavesItsAllocation) {
    const auto said = [](const std::string& alloc) {
        const Module m = read_ok("@T.prim_func\ndef main():\n    t = T.launch_thread(\"threadIdx.x\", 32)\n    A = "
                                 "T.alloc_shared((4, 8), \"float32\", " +
                                 alloc + ")\n    A[t // 8, t % 8] = T.float32(1)\n");
        return outside_accesses(*m);
    };
    const auto padded = said("layout=T.TileLayout(T.S[(4, 8):(16, 1)])");
    ASSERT_EQ(padded.size(), 1u);
    EXPECT_EQ(padded[0].code, "TIRX_OUTSIDE");
    EXPECT_NE(padded[0].message.find("byte 220 of \"A\" is accessed, and 128 bytes"), std::string::npos)
        << padded[0].message;
    EXPECT_TRUE(said("layout=T.TileLayout(T.S[(4, 8):(1, 4)])").empty());
}

} // namespace
} // namespace ls::check
