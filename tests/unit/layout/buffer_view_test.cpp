// Views of buffers: they must name the same addresses as the buffer does.
#include "core/layout/buffer_view.h"

#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;
using Order = std::vector<std::size_t>;

BufferView buffer(const Ints& shape, Layout layout, Dim elem_offset = 0) {
    return {dims(shape), std::move(layout), std::move(elem_offset)};
}

/// Where an element lies in memory: its layout's m, counted from the data pointer.
std::int64_t address(const BufferView& view, const Ints& x) {
    return (apply(view.effective_layout(), dims(x), view.shape)->get(axes::m) + view.elem_offset).value();
}

TEST(LocalView, IsWhatOneThreadHolds) {
    const BufferView fragment = buffer({128, 16}, Layout(shard({iter(128, 1, axes::tid_in_wg), iter(16, 1)})));
    const BufferView mine = local_view(fragment).value();
    EXPECT_EQ(mine.shape, dims({16}));
    EXPECT_TRUE(is_trivial(*mine.layout));
    const Layout padded = TileLayout{{iter(32, 1, axes::laneid), iter(2, 2)}, {}, {{axes::m, 3}}};
    EXPECT_EQ(local_view(buffer({32, 2}, padded))->shape, dims({6}));
    EXPECT_EQ(local_view(fragment, dims({4, 4}))->layout, Layout(row_major(Ints{4, 4})));
    EXPECT_EQ(local_view(fragment, dims({4, 5})).error().code, "LAYOUT_LOCAL");
    EXPECT_EQ(local_view(buffer({4}, Layout(shard({iter(4, -1)})))).error().code, "LAYOUT_LOCAL");
}

TEST(ViewAs, KeepsTheSize) {
    const BufferView flat = buffer({64}, Layout(shard({iter(64, 2)})));
    EXPECT_EQ(view_as(flat, dims({8, 8}))->shape, dims({8, 8}));
    EXPECT_EQ(view_as(flat, dims({4, -1}))->shape, dims({4, 16}));
    EXPECT_EQ(view_as(flat, dims({8, 9})).error().code, "LAYOUT_VIEW");
    EXPECT_EQ(view_as(flat, dims({-1, -1})).error().code, "LAYOUT_VIEW");
    EXPECT_EQ(view_as(flat, dims({0, -1})).error().code, "LAYOUT_EXTENT");
}

TEST(ReinterpretView, ScalesTheLastDimensionAndTheOffset) {
    const BufferView halves = buffer({8, 64}, Layout(row_major(Ints{8, 64})), 128);
    const BufferView words = reinterpret_view(halves, 16, 32).value();
    EXPECT_EQ(words.shape, dims({8, 32}));
    EXPECT_EQ(words.elem_offset, Dim(64));
    EXPECT_EQ(address(words, {3, 5}) * 2, address(halves, {3, 10}));
    const BufferView bytes = reinterpret_view(halves, 16, 8).value();
    EXPECT_EQ(bytes.shape, dims({8, 128}));
    EXPECT_EQ(address(bytes, {3, 21}), address(halves, {3, 10}) * 2 + 1);
    EXPECT_EQ(reinterpret_view(halves, 16, 24).error().code, "LAYOUT_REINTERPRET");
    EXPECT_EQ(reinterpret_view(halves, 0, 8).error().code, "LAYOUT_REINTERPRET");
}

TEST(PermuteView, MovesDimensions) {
    const BufferView view = buffer({8, 16}, swizzled(1, 2, 2, shard({iter(8, 16), iter(4, 4), iter(4, 1)})));
    const BufferView turned = permute_view(view, Order{1, 0}).value();
    EXPECT_EQ(turned.shape, dims({16, 8}));
    each_coordinate({8, 16}, [&](const Ints& x) { ASSERT_EQ(address(turned, {x[1], x[0]}), address(view, x)); });
    EXPECT_EQ(permute_view(view, Order{1, 1}).error().code, "LAYOUT_PERMUTATION");
}

TEST(SubView, IndicesAndRangesKeepAddresses) {
    Generator random(67);
    int kept = 0;
    for (int round = 0; round < 600; ++round) {
        const std::int64_t a = random.pick<std::int64_t>({2, 4});
        const std::int64_t b = random.pick<std::int64_t>({2, 4, 6});
        const Ints shape{a * b, random.pick<std::int64_t>({4, 8})};
        const TileLayout tile = random.tile({a, b, shape[1]}, {axes::m});
        const bool swizzle = random.chance(40);
        const BufferView whole = buffer(shape, swizzle ? swizzled(1, 1, 2, tile) : Layout(tile), 40);
        if (is_swizzle(*whole.layout)) continue;
        std::vector<SubIndex> indices;
        Ints begin;
        Ints step;
        std::vector<bool> dropped;
        for (const std::int64_t extent : shape) {
            begin.push_back(random.number(0, extent - 1));
            step.push_back(1);
            dropped.push_back(false);
            if (random.chance(35)) {
                indices.emplace_back(Dim(begin.back()));
                dropped.back() = true;
            } else if (random.chance(40)) {
                begin.back() = random.number(0, 1);
                step.back() = 2;
                indices.emplace_back(SubRange{begin.back(), {}, 2});
            } else {
                indices.emplace_back(SubRange{begin.back(), Dim(random.number(begin.back() + 1, extent)), 1});
            }
        }
        const auto part = sub_view(whole, indices);
        if (!part) {
            ASSERT_TRUE(part.error().code == "LAYOUT_SUB") << part.error().code;
            continue;
        }
        ++kept;
        Ints part_shape;
        for (const Dim& extent : part->shape) part_shape.push_back(extent.value());
        each_coordinate(part_shape, [&](const Ints& x) {
            Ints there = begin;
            std::size_t next = 0;
            for (std::size_t d = 0; d < there.size(); ++d) {
                if (!dropped[d]) there[d] += x[next++] * step[d];
            }
            ASSERT_EQ(address(*part, x), address(whole, there))
                << to_string(*whole.layout) << " -> " << to_string(*part->layout);
        });
    }
    EXPECT_GT(kept, 300);
}

TEST(SubView, FoldsWholePeriodsIntoTheElementOffset) {
    const BufferView rows = buffer({2, 16, 8}, swizzled(3, 3, 3, shard({iter(2, 128), iter(16, 8), iter(8, 1)})));
    const BufferView inside = sub_view(rows, std::vector<SubIndex>{SubRange{}, Dim(1)}).value();
    EXPECT_EQ(inside.elem_offset, Dim(0));
    EXPECT_EQ(inside.layout->tile().offset.get(axes::m), Dim(8)) << "the swizzle must see it";
    const BufferView stages = buffer({3, 512}, swizzled(3, 3, 3, shard({iter(3, 512), iter(512, 1)})));
    const BufferView second = sub_view(buffer({3, 8, 64}, *stages.layout), std::vector<SubIndex>{Dim(1)}).value();
    EXPECT_EQ(second.elem_offset, Dim(512));
    EXPECT_TRUE(second.layout->tile().offset.empty());
}

TEST(SubView, Refusals) {
    const BufferView view = buffer({4, 12}, Layout(shard({iter(4, 100), iter(3, 20), iter(4, 1)})));
    const auto code = [&](std::vector<SubIndex> indices) { return sub_view(view, indices).error().code; };
    EXPECT_EQ(code({Dim(4)}), "LAYOUT_RANGE");
    EXPECT_EQ(code({Dim(-1)}), "LAYOUT_RANGE");
    EXPECT_EQ(code({SubRange{1, Dim(5), 1}}), "LAYOUT_RANGE");
    EXPECT_EQ(code({SubRange{2, Dim(2), 1}}), "LAYOUT_RANGE");
    EXPECT_EQ(code({SubRange{}, SubRange{3, Dim(6), 1}}), "LAYOUT_SUB") << "cuts through an iter";
    EXPECT_EQ(code({SubRange{}, SubRange{0, {}, 5}}), "LAYOUT_SUB");
    EXPECT_EQ(code({SubRange{2, {}, 2}}), "LAYOUT_SUB");
    EXPECT_EQ(code({SubRange{0, {}, 0}}), "LAYOUT_SUB");
    EXPECT_EQ(code({Dim(0), Dim(0), Dim(0)}), "LAYOUT_RANK");
}

} // namespace
} // namespace ls
