// Nothing that is thrown at the program crashes it or makes it hang.
#include <csignal>
#include <random>

#include <gmock/gmock.h>

#include "tests/cli/process.h"

namespace ls::test {
namespace {

/// Every command that reads standard input.
const std::vector<std::vector<std::string>> kReaders{
    {"show", "-"}, {"map", "-", "0,0"}, {"convert", "-"},   {"render", "-"},
    {"passes", "-"}, {"export", "-"},   {"ub", "check", "-"}, {"ub", "partition", "-"}, {"ub", "fit", "-"},
};

void refuses_calmly(const std::string& input, const char* what) {
    for (const auto& words : kReaders) {
        const Finished finished = layoutscope(words, input);
        EXPECT_EQ(finished.signal, 0) << words[0] << " on " << what;
        EXPECT_THAT(finished.exit_code, testing::AnyOf(1, 2)) << words[0] << " on " << what << "\n" << finished.err;
        EXPECT_THAT(finished.err, testing::HasSubstr("error[")) << words[0] << " on " << what;
        EXPECT_LT(finished.err.size(), 200'000u) << "a complaint quotes the line, not megabytes of it";
    }
}

TEST(RoughInput, EmptyAndBlank) {
    refuses_calmly("", "nothing");
    refuses_calmly(" \t\n\n", "blanks");
}

TEST(RoughInput, BinaryGarbage) {
    std::mt19937 random(20260701);
    std::string garbage(4096, '\0');
    for (char& c : garbage) c = static_cast<char>(random());
    refuses_calmly(garbage, "garbage");
    refuses_calmly(std::string(64, '\0'), "zero bytes");
    refuses_calmly("\xff\xfe\xc0\xaf\xed\xa0\x80", "broken UTF-8");
}

TEST(RoughInput, DeepNesting) {
    for (const char open : {'(', '[', '{'}) refuses_calmly(std::string(100'000, open), "deep nesting");
    refuses_calmly("S[" + std::string(50'000, '(') + "1" + std::string(50'000, ')') + ":1]", "deep TIRx");
}

TEST(RoughInput, LongLines) {
    refuses_calmly(std::string(1'000'000, 'x'), "a megabyte in one word");
    std::string numbers = "S[(1";
    for (int i = 0; i < 100'000; ++i) numbers += ", 1";
    refuses_calmly(numbers, "a hundred thousand extents without end");
}

TEST(RoughInput, HugeNumbers) {
    for (const char* text : {"nz(9223372036854775807, 9223372036854775807, i8)", "S[(9223372036854775807, 2):(1, 1)]", "S[(4, 4):(9223372036854775807, 1)]",
                             "(9223372036854775807,9223372036854775807):(1,1)", "nz(99999999999999999999999, 16, f16)"}) {
        const Finished finished = layoutscope({"show", text});
        EXPECT_EQ(finished.signal, 0) << text;
        EXPECT_EQ(finished.exit_code, 1) << text << "\n" << finished.out << finished.err;
    }
}

TEST(RoughInput, HugeArguments) {
    // Linux takes 128 KiB in one argument at most.
    const std::string huge(120'000, '1');
    for (const auto& words : std::vector<std::vector<std::string>>{{"show", huge}, {"map", "nz(64, 64, f16)", huge}, {"map", "nz(64, 64, f16)", "--find", huge},
             {"show", "nz(64, 64, f16)", "--filter", huge}, {"passes", huge}, {"ub", "work", "--lens", huge}}) {
        const Finished finished = layoutscope(words);
        EXPECT_EQ(finished.signal, 0) << words[0];
        EXPECT_THAT(finished.exit_code, testing::AnyOf(1, 2)) << words[0];
    }
    const std::vector<std::string> many(2000, "0,0");
    std::vector<std::string> words{"map", "nz(64, 64, f16)"};
    words.insert(words.end(), many.begin(), many.end());
    EXPECT_EQ(layoutscope(words).exit_code, 0);
}

TEST(RoughInput, AReaderThatStopsEndsTheProgramQuietly) {
    // Like `layoutscope show ... | head -c 100`: the program may be ended by SIGPIPE, as every filter is, and says nothing.
    const Finished finished = run({{program(), "show", "nz(1024, 1024, f16)", "--format", "csv"}, {}, LS_SOURCE_DIR, 100});
    EXPECT_TRUE(finished.signal == SIGPIPE || finished.signal == 0) << finished.signal;
    EXPECT_EQ(finished.err, "");
}

} // namespace
} // namespace ls::test
