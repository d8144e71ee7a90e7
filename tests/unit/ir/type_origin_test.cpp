#include <gtest/gtest.h>

#include "core/ir/stmt.h"

namespace ls::ir {
namespace {

TEST(TypeOrigin, AChainOfDerivedTypesIsNotKept) {
    // As along a chain of accumulations: each tile's type is made from the type of the one before.
    Ref<TileTypeNode> type = ref_as<TileTypeNode>(tile_type({const_int(64), const_int(64)}, DType::Fp32, TileSpace::Acc));
    for (int i = 0; i < 200'000; ++i) type = seal(derive(type));
    EXPECT_EQ(type->origin, nullptr);
    EXPECT_EQ(type->shape.size(), 2U);
}

} // namespace
} // namespace ls::ir
