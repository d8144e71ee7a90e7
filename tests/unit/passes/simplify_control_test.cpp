#include "core/passes/nz/simplify_control.h"

#include <gtest/gtest.h>

#include "core/passes/nz/simplify.h"
#include "tests/unit/passes/kernel_text.h"

namespace ls {
namespace {

TEST(SimplifyControl, ALoopOfOneTurnIsItsBody) {
    const PassResult out = nz::simplify(
        read_kernel("n: pl.Scalar[pl.INDEX]", "for i, (s,) in pl.range(4, 8, 4, init_values=(n,)):\n    t: pl.Scalar[pl.INDEX] = s + i\n"
                                              "    r: pl.Scalar[pl.INDEX] = pl.yield_(t)\nu: pl.Scalar[pl.INDEX] = r + 0 + n"),
        {});
    EXPECT_EQ(body_text(out), "t: pl.Scalar[pl.INDEX] = n + 4\nu: pl.Scalar[pl.INDEX] = t + n\n");
}

TEST(SimplifyControl, BoundsOfALoopDecideBranches) {
    const auto text = [](const std::string& condition) {
        return body_text(nz::simplify(read_kernel("n: pl.Scalar[pl.INDEX]", "for k in pl.range(0, 64, 32):\n    if " + condition +
                                                                                ":\n        a: pl.Scalar[pl.INDEX] = n + 1\n    else:\n"
                                                                                "        b: pl.Scalar[pl.INDEX] = n + 2"),
                                      {}));
    };
    EXPECT_NE(text("k + 32 == 0").find("range(0, 64, 32):\n    b: pl.Scalar[pl.INDEX] = n + 2\n"), std::string::npos) << text("k + 32 == 0");
    EXPECT_NE(text("k < 64").find("range(0, 64, 32):\n    a: pl.Scalar[pl.INDEX] = n + 1\n"), std::string::npos) << text("k < 64");
    EXPECT_NE(text("k == 0").find("if k == 0:"), std::string::npos) << "both happen";
    EXPECT_NE(text("n == 0").find("if n == 0:"), std::string::npos) << "nothing is known";
}

TEST(SimplifyControl, LeavesLoopsThatJumpOrTurnTwice) {
    for (const char* body : {"for i in pl.range(0, 8, 4):\n    t: pl.Scalar[pl.INDEX] = n + i",
                             "for i in pl.range(0, 4, 4):\n    if n == 0:\n        break\n    t: pl.Scalar[pl.INDEX] = n + i"}) {
        const ir::Module m = read_kernel("n: pl.Scalar[pl.INDEX]", body);
        EXPECT_EQ(nz::simplify_control(m), m) << body;
    }
}

} // namespace
} // namespace ls
