#include "core/figure/memory_map.h"

#include <gtest/gtest.h>

#include "core/figure/memory_map_lens.h"

namespace ls::figure {
namespace {

/// Six points a letter, whatever the face.
class Letters final : public scene::TextMeasure {
public:
    double width(std::string_view utf8, scene::FontFace, double) const override { return 6.0 * static_cast<double>(utf8.size()); }
};

MemoryMap two_blocks() {
    MemoryMap map;
    map.capacity_bytes = 4096;
    map.rows = {{"0 load", 1024, false, ""}, {"1 add", 2048, true, ""}, {"2 store", 1024, false, ""}};
    MemoryBlock a, b;
    a.name = "first";
    a.begin_byte = 0, a.end_byte = 1024;
    a.live = {{0, 1}};
    a.id = 7;
    b.name = "second";
    b.begin_byte = 1024, b.end_byte = 2048;
    b.live = {{1, 2, true, false}};
    b.id = 8;
    map.blocks = {a, b};
    return map;
}

const scene::HitRegion* region(const scene::Picture& picture, std::int64_t id) {
    for (const scene::HitRegion& hit : picture.hits) {
        if (hit.id == id) return &hit;
    }
    return nullptr;
}

bool says(const scene::Picture& picture, std::string_view words) {
    for (const scene::Mark& mark : picture.list.marks) {
        const auto* text = std::get_if<scene::Text>(&mark);
        if (text != nullptr && text->utf8 == words) return true;
    }
    return false;
}

TEST(MemoryMap, PlacesBlocksByBytesAndRows) {
    const MemoryMapPicture drawn = draw_memory_map(two_blocks(), {}, Letters());
    const MemoryMapGeometry& g = drawn.geometry;
    EXPECT_EQ(g.begin_byte, 0);
    EXPECT_EQ(g.end_byte, 4096);
    EXPECT_EQ(g.byte_at(g.x_of(1024)), 1024);
    const auto *first = region(drawn.picture, 7), *second = region(drawn.picture, 8);
    ASSERT_NE(first, nullptr);
    ASSERT_NE(second, nullptr);
    EXPECT_DOUBLE_EQ(first->rect.x, g.x_of(0));
    EXPECT_DOUBLE_EQ(first->rect.right(), g.x_of(1024));
    EXPECT_DOUBLE_EQ(first->rect.y, g.plot.y);
    EXPECT_DOUBLE_EQ(first->rect.h, 2 * g.row_height);
    EXPECT_DOUBLE_EQ(second->rect.y, g.plot.y + 1.5 * g.row_height); // written in the middle of row 1
    EXPECT_TRUE(says(drawn.picture, "first"));
    EXPECT_TRUE(says(drawn.picture, "capacity 4096"));
    EXPECT_EQ(drawn.picture.hit({first->rect.x + 1, first->rect.y + 1})->id, 7);
}

TEST(MemoryMap, SaysWhatClashes) {
    MemoryMap map = two_blocks();
    map.conflicts.push_back({"first", "second", 512, 1024, {1, 1}, -5});
    const MemoryMapPicture drawn = draw_memory_map(map, {}, Letters());
    EXPECT_TRUE(says(drawn.picture, "✗ first ∩ second"));
    EXPECT_TRUE(says(drawn.picture, "bytes 512–1023, 512 B"));
    const auto* clash = region(drawn.picture, -5);
    ASSERT_NE(clash, nullptr);
    EXPECT_DOUBLE_EQ(clash->rect.x, drawn.geometry.x_of(512));
}

TEST(MemoryMap, LeavesOutLabelsThatDoNotFit) {
    MemoryMap map = two_blocks();
    map.blocks[0].name = std::string(200, 'w');
    EXPECT_FALSE(says(draw_memory_map(map, {}, Letters()).picture, map.blocks[0].name));
    map.blocks[0].short_name = "#0";
    EXPECT_TRUE(says(draw_memory_map(map, {}, Letters()).picture, "#0"));
}

TEST(MemoryMap, EnlargesWhatIsTooNarrow) {
    MemoryMap map = two_blocks();
    map.capacity_bytes = 1 << 20;
    map.blocks[0].end_byte = 64; // a fraction of a point
    const LensGroups groups = lens_groups(map, 1000.0 / (1 << 20));
    ASSERT_EQ(groups.ranges.size(), 2U); // both are narrow, and 960 bytes lie between them
    EXPECT_EQ(groups.ranges[0], (std::pair<std::int64_t, std::int64_t>{0, 64}));
    const ByteScale scale = lens_scale(groups, 100, 120);
    EXPECT_DOUBLE_EQ(scale.left(), 100);
    EXPECT_NEAR(scale.right(), 220, 1e-9);
    EXPECT_GE(scale.place(0, 64)->second - scale.place(0, 64)->first, 10);
    EXPECT_FALSE(scale.place(200, 300).has_value());
    EXPECT_TRUE(says(draw_memory_map(map, {}, Letters()).picture, "1088 B enlarged"));
}

TEST(MemoryMap, DrawsNothingAndManyRows) {
    const MemoryMapPicture empty = draw_memory_map({}, {}, Letters());
    EXPECT_GT(empty.picture.list.height, 0);
    MemoryMap map = two_blocks();
    map.rows.assign(5000, MemoryRow{"row", 1, false, ""});
    const MemoryMapPicture many = draw_memory_map(map, {}, Letters());
    EXPECT_GE(many.geometry.row_height, 1);
    EXPECT_LT(many.picture.list.height, 6000);
    map.blocks[0].live = {{4999, 9999}}; // rows that are not there are cut off
    EXPECT_LE(region(draw_memory_map(map, {}, Letters()).picture, 7)->rect.bottom(), many.geometry.plot.bottom() + 1);
}

} // namespace
} // namespace ls::figure
