#include "core/ub/model/model_edit.h"

#include <gmock/gmock.h>

#include "core/ub/model/model_json.h"

namespace ls::ub {
namespace {

constexpr std::string_view kText = R"({
  "platform": {"name": "Ascend310P3", "ubBytes": 65536},
  "params": {"n": 64},
  "allocs": [
    {"name": "in", "kind": "queue", "pos": "VECIN", "depth": 1, "num": 1, "len": "n*32"},
    {"name": "tmp", "kind": "tbuf", "len": 16384, "views": [
      {"name": "a", "dtype": "fp32", "elems": "n*4"},
      {"name": "b", "dtype": "fp32", "elems": "n*2"},
      {"name": "c", "dtype": "fp32", "elems": "n", "off": 8192}
    ]}
  ]
})";

Partition partition_of(const std::string& text) {
    auto file = read_model(text);
    EXPECT_TRUE(file.ok()) << file.error().message << "\n" << text;
    auto compiled = CompiledModel::compile(std::move(file->model));
    EXPECT_TRUE(compiled.ok());
    auto partition = compiled->evaluate();
    EXPECT_TRUE(partition.ok());
    return *partition;
}

class ModelEdit : public testing::Test {
protected:
    std::string text{kText};
    Partition before = partition_of(text);

    Partition after(const Result<std::string>& edited) {
        EXPECT_TRUE(edited.ok()) << edited.error().message;
        return partition_of(*edited);
    }
};

TEST_F(ModelEdit, MovingLeavesFollowersWhereTheyAre) {
    const Partition p = after(move_view(text, before, {1, 0}, 4096));
    EXPECT_EQ(p.allocs[1].views[0].off, 4096);
    EXPECT_EQ(p.allocs[1].views[1].off, 1024);
    EXPECT_EQ(p.allocs[1].views[2].off, 8192);
}

TEST_F(ModelEdit, ResizingPushesFollowersAtTheCursor) {
    const Partition p = after(resize_view(text, before, {1, 0}, 2048));
    EXPECT_EQ(p.allocs[1].views[0].bytes, 2048);
    EXPECT_EQ(p.allocs[1].views[1].off, 2048);
    EXPECT_EQ(p.allocs[1].views[2].off, 8192);
}

TEST_F(ModelEdit, MovingTheBeginKeepsTheEnd) {
    const Partition p = after(move_view_begin(text, before, {1, 2}, 8224));
    EXPECT_EQ(p.allocs[1].views[2].off, 8224);
    EXPECT_EQ(p.allocs[1].views[2].end, before.allocs[1].views[2].end);
    EXPECT_FALSE(move_view_begin(text, before, {1, 2}, 8448).ok());
}

TEST_F(ModelEdit, BuffersQueuesParametersAndChip) {
    EXPECT_EQ(after(resize_alloc(text, before, 1, 32768)).allocs[1].len, 32768);
    EXPECT_EQ(after(set_queue_blocks(text, 0, 2)).allocs[0].num, 2);
    EXPECT_EQ(after(set_parameter(text, "n", 32)).allocs[1].views[0].bytes, 512);
    EXPECT_EQ(after(set_platform(text, "Ascend310P3")).ub_bytes, 262144);
}

TEST_F(ModelEdit, KeepsTheRestOfTheText) {
    const auto edited = resize_view(text, before, {1, 1}, 64);
    ASSERT_TRUE(edited.ok());
    std::string expected(text);
    expected.replace(expected.find("\"n*2\""), 5, "16");
    EXPECT_EQ(*edited, expected);
}

TEST_F(ModelEdit, RefusesPlacesThatAreNotThere) {
    EXPECT_EQ(move_view(text, before, {1, 9}, 0).error().code, "MODEL_VALUE");
    EXPECT_EQ(move_view(text, before, {7, 0}, 0).error().code, "MODEL_VALUE");
    EXPECT_EQ(move_view(text, before, {1, 0}, -32).error().code, "MODEL_VALUE");
    EXPECT_EQ(resize_alloc(text, before, 5, 32).error().code, "MODEL_VALUE");
    EXPECT_EQ(set_parameter(text, "m", 1).error().code, "MODEL_VALUE");
}

} // namespace
} // namespace ls::ub
