// Every operation answers or refuses, whatever numbers it is given: extents of 2^62, strides of either sign, shapes
// that do not fit, symbols anywhere. An answer never holds an overflowed number.
#include <limits>

#include "core/layout/buffer_view.h"
#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;

class Extremes {
public:
    explicit Extremes(std::uint64_t seed) : random_(seed) {}

    Dim number() {
        constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
        constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
        if (random_.chance(8)) return Dim::symbol(random_.chance(50) ? "n" : "k");
        if (random_.chance(3)) return Dim::overflow();
        return random_.pick<std::int64_t>({0, 1, 1, 2, 2, 3, 4, 8, 64, -1, -4, kMax, kMin, kMax - 1, kMin + 1,
                                           std::int64_t{1} << 62, std::int64_t{1} << 31});
    }
    Dim extent() { return random_.chance(70) ? Dim(random_.pick<std::int64_t>({1, 2, 3, 4, 8, 64})) : number(); }
    Axis axis() {
        return random_.pick<Axis>({axes::m, axes::m, axes::TCol, axes::laneid, axes::tx, axes::wgid, axes::bx});
    }
    std::vector<Dim> shape() {
        std::vector<Dim> result;
        for (std::int64_t i = random_.number(0, 3); i > 0; --i) result.push_back(extent());
        return result;
    }
    TileLayout tile() {
        TileLayout result;
        for (std::int64_t i = random_.number(0, 4); i > 0; --i)
            result.shard.push_back({extent(), random_.chance(60) ? Dim(random_.number(0, 64)) : number(), axis()});
        if (random_.chance(30)) result.replica.push_back({extent(), number(), axis()});
        if (random_.chance(40)) result.offset[axis()] = number();
        return result;
    }
    Layout layout() {
        if (random_.chance(60)) return tile();
        return ComposeLayout{static_cast<int>(random_.number(0, 20)), static_cast<int>(random_.number(0, 20)),
                             static_cast<int>(random_.number(20, 22)), tile(), random_.chance(50)};
    }
    std::vector<Dim> coordinates(std::size_t count) {
        std::vector<Dim> result;
        for (std::size_t i = 0; i < count; ++i) result.push_back(number());
        return result;
    }
    Generator& random() { return random_; }

private:
    Generator random_;
};

int answers = 0;

void expect_sound(const Result<Layout>& result) {
    if (!result) {
        EXPECT_FALSE(result.error().code.empty());
        EXPECT_FALSE(result.error().message.empty());
        return;
    }
    ++answers;
    for (const auto* iters : {&result->tile().shard, &result->tile().replica}) {
        for (const Iter& iter : *iters) EXPECT_FALSE(iter.extent.is_overflow() || iter.stride.is_overflow());
    }
    for (const auto& [axis, amount] : result->tile().offset) EXPECT_FALSE(amount.is_overflow());
}

void expect_sound(const Result<AxisMap>& result) {
    if (!result) return;
    ++answers;
    for (const auto& [axis, amount] : *result) EXPECT_FALSE(amount.is_overflow());
}

TEST(Extremes, EveryOperationAnswersOrRefuses) {
    answers = 0;
    for (std::uint64_t round = 0; round < 4000; ++round) {
        Extremes any(round);
        const Layout layout = any.layout();
        const Layout other = any.layout();
        const std::vector<Dim> shape = any.shape();
        const std::vector<Dim> inner = any.shape();
        const AxisTarget target = any.random().chance(50) ? AxisTarget::Cuda : AxisTarget::None;
        std::vector<Region> region;
        for (std::size_t d = 0; d < shape.size(); ++d) region.push_back({any.number(), any.extent()});

        expect_sound(layout.is_compose() ? make_layout(*layout.compose()) : make_layout(layout.tile()));
        expect_sound(canonicalize(layout, target));
        expect_sound(apply(layout, any.number()));
        expect_sound(apply(layout, any.coordinates(shape.size()), shape));
        expect_sound(apply_shard(layout, any.coordinates(layout.tile().shard.size())));
        if (const auto grouped = group(layout.tile(), shape)) expect_sound(Result<Layout>(grouped->layout));
        const std::vector<std::vector<Dim>> shapes{shape, inner};
        if (const auto grouped = group_many(layout.tile(), shapes)) expect_sound(Result<Layout>(grouped->layout));
        expect_sound(tile(layout, other.tile(), shape, inner));
        expect_sound(tile_to(layout, shape, inner));
        expect_sound(is_tile_inner(layout, other, shape, inner, target));
        expect_sound(is_tile_outer(layout, other, shape, inner, target));
        expect_sound(direct_sum(layout, other.tile(), shape, inner));
        expect_sound(is_direct_sum_right(layout, other, shape, inner));
        expect_sound(is_direct_sum_left(layout, other, shape, inner));
        expect_sound(slice(layout, shape, region, target));
        expect_sound(unpack(layout, any.random().pick<std::int64_t>({-1, 0, 1, 2, 3, std::int64_t{1} << 62})));
        expect_sound(pack(layout, any.random().pick<std::int64_t>({-1, 0, 1, 2, 3, std::int64_t{1} << 62})));
        (void)is_swizzle(layout);
        (void)to_string(size(layout));
        (void)to_string(span(layout));
        (void)get_scope(layout);
        (void)to_string(layout);

        const BufferView buffer{shape, layout, any.number()};
        (void)local_view(buffer);
        (void)view_as(buffer, inner);
        (void)reinterpret_view(buffer, any.random().pick<std::int64_t>({0, 4, 16, 32}), 16);
        const std::vector<SubIndex> indices{
            any.number(), SubRange{any.number(), any.number(),
                                   any.random().pick<std::int64_t>({-1, 0, 1, 2, std::int64_t{1} << 62})}};
        (void)sub_view(buffer, std::span(indices).first(std::min<std::size_t>(indices.size(), shape.size())));
    }
    EXPECT_GT(answers, 5000) << "the test would pass on operations that always refuse";
}

} // namespace
} // namespace ls
