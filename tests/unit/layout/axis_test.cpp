#include "core/layout/axis.h"

#include <gtest/gtest.h>

namespace ls {
namespace {

struct Attributes {
    const char* name;
    bool thread;
    std::optional<ScopeKind> scope;
    std::optional<ScopeKind> subscope;
};

class KnownAxis : public testing::TestWithParam<Attributes> {};

TEST_P(KnownAxis, HasTheAttributesOfTheRegistry) {
    const Axis axis = Axis::named(GetParam().name);
    EXPECT_EQ(axis.name(), GetParam().name);
    EXPECT_TRUE(axis.has_attributes());
    EXPECT_EQ(axis.is_thread(), GetParam().thread);
    EXPECT_EQ(axis.is_memory(), !GetParam().thread);
    EXPECT_EQ(axis.scope(), GetParam().scope);
    EXPECT_EQ(axis.subscope(), GetParam().subscope);
}

using enum ScopeKind;
INSTANTIATE_TEST_SUITE_P(
    Registry, KnownAxis,
    testing::Values(Attributes{"m", false, {}, {}}, Attributes{"P", false, {}, {}}, Attributes{"TLane", false, {}, {}},
                    Attributes{"bx", true, Thread, Cta}, Attributes{"cby", true, Cluster, Cta},
                    Attributes{"tx", true, Cta, Thread}, Attributes{"warpid", true, Cta, Warp},
                    Attributes{"laneid", true, Warp, Thread}, Attributes{"wgid", true, Cta, Warpgroup},
                    Attributes{"tid_in_wg", true, Warpgroup, Thread}, Attributes{"wid_in_wg", true, Warpgroup, Warp}));

TEST(Axis, ConstantsAreTheNamedAxes) {
    EXPECT_EQ(Axis(), axes::m);
    EXPECT_EQ(Axis::named("TCol"), axes::TCol);
    EXPECT_EQ(Axis::named("laneid"), axes::laneid);
    EXPECT_NE(axes::laneid, axes::warpid);
}

TEST(Axis, UnknownNamesRegisterOnceAndCountAsMemory) {
    const Axis first = Axis::named("pipeline_stage");
    EXPECT_EQ(first, Axis::named("pipeline_stage"));
    EXPECT_NE(first, Axis::named("other_stage"));
    EXPECT_EQ(first.name(), "pipeline_stage");
    EXPECT_FALSE(first.has_attributes());
    EXPECT_TRUE(first.is_memory());
    EXPECT_EQ(first.scope(), std::nullopt);
    EXPECT_GT(first, axes::TLane) << "known axes come first";
}

TEST(ScopeKind, Names) {
    EXPECT_EQ(name(Cluster), "cluster");
    EXPECT_EQ(name(Warpgroup), "warpgroup");
    EXPECT_EQ(name(Thread), "thread");
}

} // namespace
} // namespace ls
