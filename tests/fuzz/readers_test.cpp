// Each reader on its seeds and on damaged seeds: the fuzzers' little sister, which needs no clang and takes seconds.
#include "tests/fuzz/readers.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "tests/fuzz/mutate.h"

namespace ls::fuzz {
namespace {

std::vector<std::string> seeds_of(std::string_view door) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(LS_SOURCE_DIR) / "tests/fuzz/corpus" / door)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end()); // folders list in any order; the dice must not see it
    std::vector<std::string> seeds;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return seeds;
}

class ReaderSmoke : public testing::TestWithParam<Door> {};

TEST_P(ReaderSmoke, TakesItsSeeds) {
    const auto seeds = seeds_of(GetParam().name);
    ASSERT_GE(seeds.size(), 5u);
    for (const std::string& seed : seeds) EXPECT_EQ(GetParam().read(seed), "") << seed;
}

TEST_P(ReaderSmoke, TakesEveryBeginningOfASeed) {
    for (const std::string& seed : seeds_of(GetParam().name)) {
        const std::size_t step = std::max<std::size_t>(1, seed.size() / 64);
        for (std::size_t length = 0; length < seed.size(); length += step) EXPECT_EQ(GetParam().read(std::string_view(seed).substr(0, length)), "") << seed.substr(0, length);
    }
}

TEST_P(ReaderSmoke, TakesDamagedSeeds) {
    const auto seeds = seeds_of(GetParam().name);
    Dice dice(20260701);
    // So many that it stays well under a second; how long one takes depends on the reader and on the build.
    constexpr int kMost = 4000;
    constexpr int kLeast = 200;
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < kMost; ++i) {
        if (i >= kLeast && std::chrono::steady_clock::now() - began > std::chrono::milliseconds(400)) break;
        const std::string text = mutate(seeds, dice);
        EXPECT_EQ(GetParam().read(text), "") << "number " << i << ":\n" << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Doors, ReaderSmoke, testing::ValuesIn(doors().begin(), doors().end()), [](const auto& door) { return std::string(door.param.name); });

TEST(Mutate, IsTheSameForTheSameSeed) {
    const std::vector<std::string> seeds{"S[(8, 64):(64, 1)]", "nz(64, 64, f16)"};
    Dice one(7), two(7);
    std::size_t different = 0;
    for (int i = 0; i < 100; ++i) {
        const std::string text = mutate(seeds, one);
        EXPECT_EQ(text, mutate(seeds, two));
        different += text != seeds[0] && text != seeds[1] ? 1 : 0;
    }
    EXPECT_GE(different, 80u);
}

} // namespace
} // namespace ls::fuzz
