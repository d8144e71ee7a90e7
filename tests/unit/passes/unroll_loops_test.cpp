#include "core/passes/front/unroll_loops.h"

#include <gtest/gtest.h>

#include "tests/unit/passes/kernel_text.h"

namespace ls {
namespace {

const char* kN = "n: pl.Scalar[pl.INDEX]";

TEST(UnrollLoops, CopiesBodiesAndCarriesValues) {
    EXPECT_EQ(body_text(front::unroll_loops(read_kernel(kN, "for i in pl.unroll(0, 5, 2):\n    x: pl.Scalar[pl.INDEX] = n + i"), {})),
              "x: pl.Scalar[pl.INDEX] = n + 0\nx: pl.Scalar[pl.INDEX] = n + 2\nx: pl.Scalar[pl.INDEX] = n + 4\n");
    EXPECT_EQ(body_text(front::unroll_loops(read_kernel(kN, "for i in pl.unroll(3, 3):\n    x: pl.Scalar[pl.INDEX] = n + i"), {})), "");
    const ir::Module other = read_kernel(kN, "for i in pl.range(3):\n    x: pl.Scalar[pl.INDEX] = n + i");
    EXPECT_EQ(front::unroll_loops(other, {}).module, other);
}

TEST(UnrollLoops, InnerLoopsToo) {
    EXPECT_EQ(body_text(front::unroll_loops(
                  read_kernel(kN, "for i in pl.unroll(2):\n    for j in pl.unroll(2):\n        x: pl.Scalar[pl.INDEX] = n + i - j"), {})),
              "x: pl.Scalar[pl.INDEX] = n + 0 - 0\nx: pl.Scalar[pl.INDEX] = n + 0 - 1\n"
              "x: pl.Scalar[pl.INDEX] = n + 1 - 0\nx: pl.Scalar[pl.INDEX] = n + 1 - 1\n");
}

TEST(UnrollLoops, RefusesWhatItCannotCount) {
    const auto code = [](const std::string& head, const std::string& body = "x: pl.Scalar[pl.INDEX] = n + i") {
        const PassResult r = front::unroll_loops(read_kernel(kN, "for i in pl.unroll(" + head + "):\n    " + body), {});
        return r.ok() ? std::string() : r.error().code;
    };
    EXPECT_EQ(code("n"), "UNROLL_BOUNDS");
    EXPECT_EQ(code("0, 8, 0"), "UNROLL_BOUNDS");
    EXPECT_EQ(code("2000"), "UNROLL_COUNT");
    EXPECT_EQ(code("4", "break"), "UNROLL_JUMP");
    EXPECT_EQ(code("4"), "");
}

} // namespace
} // namespace ls
