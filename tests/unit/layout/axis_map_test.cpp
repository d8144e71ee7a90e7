// AxisMap must behave as std::map<Axis, Dim> does, whether its entries are few or many.
#include <map>

#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;

TEST(AxisMap, StartsEmptyAndReadsZero) {
    const AxisMap map;
    EXPECT_TRUE(map.empty());
    EXPECT_EQ(map.get(axes::m), Dim(0));
    EXPECT_EQ(map.find(axes::m), map.end());
}

TEST(AxisMap, EmplaceKeepsAnEntryAndAssignReplacesIt) {
    AxisMap map{{axes::TCol, 3}};
    EXPECT_FALSE(map.emplace(axes::TCol, 4).second);
    EXPECT_EQ(map.get(axes::TCol), Dim(3));
    map.insert_or_assign(axes::TCol, 5);
    EXPECT_EQ(map.get(axes::TCol), Dim(5));
    EXPECT_EQ(map.size(), 1U);
}

TEST(AxisMap, AgreesWithAnOrderedMapUnderAnyOperations) {
    Generator random(3);
    const std::vector<Axis> all{axes::m, axes::tx, axes::laneid, axes::warpid, axes::P, axes::TLane};
    for (int round = 0; round < 200; ++round) {
        AxisMap map;
        std::map<Axis, Dim> model;
        for (int step = 0; step < 40; ++step) {
            const Axis axis = random.pick(all);
            const Dim amount = random.number(-5, 5);
            switch (random.number(0, 4)) {
            case 0: EXPECT_EQ(map.erase(axis), model.erase(axis)); break;
            case 1:
                map[axis] += amount;
                model[axis] += amount;
                break;
            case 2: EXPECT_EQ(map.emplace(axis, amount).second, model.emplace(axis, amount).second); break;
            case 3:
                map.insert_or_assign(axis, amount);
                model.insert_or_assign(axis, amount);
                break;
            default: {
                const AxisMap copy = map;
                map = copy;
                break;
            }
            }
            ASSERT_EQ(map.size(), model.size());
            ASSERT_TRUE(
                std::equal(map.begin(), map.end(), model.begin(), model.end(),
                           [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
        }
        EXPECT_EQ(map.contains(axes::m), model.contains(axes::m));
    }
}

} // namespace
} // namespace ls
