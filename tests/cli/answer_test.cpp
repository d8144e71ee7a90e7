// What the commands answer: numbers that are known, in every format.
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"

namespace ls::test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

Json answer(std::vector<std::string> words, std::string input = {}) {
    const Finished finished = layoutscope(std::move(words), std::move(input));
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    Json json = Json::parse(finished.out, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << finished.out;
    return json;
}

// 37 = 2·16 + 5 and 21 = 1·16 + 5 in blocks of 64·16 elements, fractals of 16·16 and lines of 16:
// 1·1024 + 2·256 + 5·16 + 5 = 1621, two bytes each.
TEST(Map, SaysEveryTermOfAnNzAddress) {
    const Json all = answer({"map", "nz(64, 64, f16)", "37,21", "--format", "json"});
    ASSERT_EQ(all.size(), 1u);
    const Json& one = all[0];
    EXPECT_EQ(one["coordinate"], Json::array({37, 21}));
    EXPECT_EQ(one["point"]["m"], 1621);
    EXPECT_EQ(one["byte"], 3242);
    std::int64_t sum = 0;
    for (const Json& term : one["terms"]) sum += term["digit"].get<std::int64_t>() * term["stride"].get<std::int64_t>();
    EXPECT_EQ(sum, 1621);
    const Finished text = layoutscope({"map", "nz(64, 64, f16)", "37,21"});
    EXPECT_THAT(text.out, HasSubstr("1621"));
    EXPECT_THAT(text.out, HasSubstr("0x0CAA"));
}

TEST(Map, FindsTheElementAtAnAddressAndAtAnOffset) {
    for (const char* where : {"0x0CAA", "0x0CAB", "1621"}) {
        const Json all = answer({"map", "nz(64, 64, f16)", "--find", where, "--format", "json"});
        EXPECT_EQ(all[0]["coordinate"], Json::array({37, 21})) << where;
    }
}

TEST(Map, AppliesTheSwizzle) {
    // Row 5 of a 128-byte row of f16: column 9 lies in chunk 1, which the swizzle moves to chunk 1 ^ 5 = 4.
    const Json all = answer({"map", "mma_shared(f16, 128B, (128, 64))", "5,9", "--format", "json"});
    EXPECT_EQ(all[0]["point"]["m"], 5 * 64 + (1 ^ 5) * 8 + 1);
    EXPECT_EQ(all[0]["unswizzled"], 5 * 64 + 9);
}

TEST(Map, ListsReplicas) {
    const Json all = answer({"map", "S[(8, 4, 4):(4@laneid, 1@laneid, 1)] + R[2:1@warpid] | f32 [8, 16]", "3,6", "--format", "json"});
    EXPECT_EQ(all[0]["point"]["laneid"], 3 * 4 + 1);
    ASSERT_EQ(all[0]["replicas"].size(), 1u) << "the other copy";
    EXPECT_EQ(all[0]["replicas"][0]["warpid"], 1);
}

TEST(Map, TakesSeveralCoordinatesAndFiles) {
    ScratchFolder scratch;
    const std::string file = scratch.write("weight.layout", "nz(64, 64, f16)\n");
    const Json all = answer({"map", file, "0,0", "37,21", "63,63", "-f", "json"});
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0]["point"]["m"], 0);
    EXPECT_EQ(all[1]["point"]["m"], 1621);
    EXPECT_EQ(all[2]["point"]["m"], 4095);
}

TEST(Show, SaysTheSameThroughArgumentFileAndStandardInput) {
    ScratchFolder scratch;
    const std::string text = "nz(256, 512, i8)";
    const Json by_argument = answer({"show", text, "--format", "json"});
    EXPECT_EQ(by_argument, answer({"show", scratch.write("w", text + "\r\n"), "--format", "json"}));
    EXPECT_EQ(by_argument, answer({"show", "-", "--format", "json"}, text + "\n"));
    EXPECT_EQ(by_argument["shape"], Json::array({256, 512}));
    EXPECT_EQ(by_argument["dtype"], "i8");
    EXPECT_EQ(by_argument["space"], "GM");
    EXPECT_EQ(by_argument["notations"]["pypto"], "pl.Tensor[[256, 512], pl.INT8, pl.NZ]");
    EXPECT_EQ(by_argument["notations"]["PTO view"], "[1, 16, 16, 16, 32] : [131072, 8192, 512, 32, 1]");
    EXPECT_EQ(by_argument["verdict"], "dense bijection");
}

std::vector<std::vector<std::string>> read_csv(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        rows.emplace_back();
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

TEST(Show, WritesElementsAsCsv) {
    const Finished finished = layoutscope({"show", "nz(64, 64, f16)", "--format", "csv"});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    const auto rows = read_csv(finished.out);
    ASSERT_EQ(rows.size(), 1u + 64 * 64);
    ASSERT_GE(rows[0].size(), 4u);
    EXPECT_EQ(rows[0][0], "r");
    EXPECT_EQ(rows[0][1], "c");
    EXPECT_EQ(rows[0][2], "offset");
    EXPECT_EQ(rows[0][3], "byte");
    const auto& row = rows[1 + 37 * 64 + 21];
    EXPECT_EQ(row[0] + "," + row[1] + "," + row[2] + "," + row[3], "37,21,1621,0x0CAA");
    for (const auto& one : rows) EXPECT_EQ(one.size(), rows[0].size());
}

TEST(Show, ListsBuffersAndTileCallsOfATirxProgram) {
    const Json program = answer({"show", "resources/examples/tirx_gemm.py", "--format", "json"});
    EXPECT_EQ(program["program"], "tirx");
    const Json& gemm = program["functions"][0];
    ASSERT_EQ(gemm["buffers"].size(), 6u);
    EXPECT_EQ(gemm["buffers"][3]["name"], "C");
    EXPECT_EQ(gemm["buffers"][3]["scope"], "tmem");
    EXPECT_EQ(gemm["buffers"][3]["layout"], "S[(128, 512):(1@TLane, 1@TCol)]");
    ASSERT_EQ(gemm["calls"].size(), 3u);
    EXPECT_EQ(gemm["calls"][1], "T.wg.copy_async(rows[0:128, 0:64], C[0:128, 0:64])");
}

// An authored kernel through every pass: descriptors, addresses, and source with the instructions in it.
TEST(Export, WritesCudaOfATirxProgram) {
    const Finished finished = layoutscope({"export", "resources/examples/tirx_gemm.py"});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_NE(finished.out.find("tcgen05.mma.cta_group::1.kind::f16"), std::string::npos);
    EXPECT_NE(finished.out.find("tcgen05.ld.sync.aligned.32x32b.x64.b32"), std::string::npos);
    EXPECT_NE(finished.out.find("135267472"), std::string::npos); // M 128, N 64, bf16: the instruction descriptor
}

TEST(Show, FiltersElements) {
    const Finished finished = layoutscope({"show", "nz(64, 64, f16)", "--filter", "block == 1 && fractal == 2", "--format", "csv"});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    const auto rows = read_csv(finished.out);
    EXPECT_EQ(rows.size(), 1u + 256);
    EXPECT_EQ(rows[1][2], "1536");
}

// CuTe counts coordinates from the left, TIRx from the right: the same function, written the other way round.
TEST(Convert, KeepsTheFunction) {
    const Json to = answer({"convert", "((4,2),8):((1,16),4)", "--to", "tirx", "--json"});
    const std::string tirx = to["tirx"];
    for (const char* coordinate : {"0,0", "3,5", "7,7"}) {
        const Json before = answer({"map", "((4,2),8):((1,16),4)", coordinate, "-f", "json"});
        const Json after = answer({"map", tirx + " | [8, 8]", coordinate, "-f", "json"});
        EXPECT_EQ(before[0]["point"], after[0]["point"]) << tirx << " at " << coordinate;
    }
    const Json all = answer({"convert", "nz(64, 64, f16)", "--json"});
    EXPECT_EQ(all["pypto"], "pl.Tensor[[64, 64], pl.FP16, pl.NZ]");
}

TEST(Render, WritesPicturesOfTheirKinds) {
    ScratchFolder scratch;
    const std::pair<const char*, const char*> kinds[]{{"svg", "<svg"}, {"png", "\x89PNG\r\n\x1a\n"}, {"pdf", "%PDF-"}};
    for (const auto& [ending, begins] : kinds) {
        const auto path = scratch / (std::string("x.") + ending);
        ASSERT_EQ(layoutscope({"render", "nz(64, 64, f16)", "--element", "37,21", "-o", path.string()}).exit_code, 0);
        const std::string bytes = read_bytes(path);
        EXPECT_GT(bytes.size(), 1000u);
        EXPECT_NE(bytes.substr(0, 200).find(begins), std::string::npos) << ending;
    }
    const Finished svg = layoutscope({"render", "nz(64, 64, f16)", "--element", "37,21"});
    EXPECT_THAT(svg.out, HasSubstr("0x0C80")); // the row of the element's byte, 128 bytes a row
}

TEST(Passes, TellTheBlockedFormOfAnNzTensor) {
    const Json trace = answer({"passes", "resources/examples/nz_slice.py", "--json"});
    const Json& snapshots = trace["snapshots"];
    EXPECT_EQ(snapshots[0]["name"], "source");
    bool blocked = false;
    for (const Json& s : snapshots) {
        if (s["name"] != "BlockNzTensorViews") continue;
        blocked = true;
        EXPECT_TRUE(s["changed"]);
        // Logical [32, 2048, 4096] of INT8: c0 = 32, so 4096/32 = 128 column blocks of 2048/16 = 128 fractals.
        EXPECT_THAT(s["text"].get<std::string>(), HasSubstr("[32, 128, 128, 16, 32]"));
    }
    EXPECT_TRUE(blocked);
    EXPECT_FALSE(trace.contains("refused_by"));
    const Finished diff = layoutscope({"passes", "resources/examples/nz_slice.py", "--diff", "BlockNzTensorViews"});
    EXPECT_THAT(diff.out, HasSubstr("\n+ "));
    EXPECT_THAT(diff.out, HasSubstr("\n- "));
}

TEST(Export, WritesFilesWhereItIsTold) {
    ScratchFolder scratch;
    const auto path = scratch / "kernel.pto";
    const Finished written = layoutscope({"export", "resources/examples/nz_slice.py", "-t", "pto", "-o", path.string()});
    ASSERT_EQ(written.exit_code, 0) << written.err;
    EXPECT_THAT(written.out, HasSubstr("kernel.pto"));
    const Finished printed = layoutscope({"export", "resources/examples/nz_slice.py", "-t", "pto"});
    EXPECT_EQ(read_bytes(path), printed.out);
    EXPECT_THAT(printed.out, HasSubstr("pto.make_tensor_view"));
}

TEST(UnifiedBuffer, SpreadsWorkAsTheKernelDoes) {
    // Two batches of eight heads on eight cores: 8·(512 + 8) rows, quota 520. A turn ends with the unit that reaches it,
    // so every core takes two units of 512 and the last four of ... as `ub work` lists.
    const Json report = answer({"ub", "work", "--lens", "512,8", "--heads", "8", "--json"});
    EXPECT_EQ(report["quota"], 520);
    EXPECT_EQ(report["makespan"], 1024);
}

TEST(UnifiedBuffer, KnowsItsChips) {
    const Json chips = answer({"ub", "platforms", "--json"});
    ASSERT_GE(chips.size(), 3u);
    bool found = false;
    for (const Json& chip : chips) found = found || chip.dump().find("Ascend310P3") != std::string::npos;
    EXPECT_TRUE(found);
}

} // namespace
} // namespace ls::test
