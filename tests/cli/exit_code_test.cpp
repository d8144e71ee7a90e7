// 0 when all is well, 1 for a finding or a refusal, 2 for bad usage or unreadable input; complaints on standard error
// with code, place and help.
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "tests/cli/process.h"

namespace ls::test {
namespace {

using testing::HasSubstr;

struct Case {
    std::vector<std::string> words;
    int exit_code;
    std::string input;      ///< standard input
    std::string complaint;  ///< a part of standard error; empty: nothing is said there
};

const char* const kSlice = "resources/examples/nz_slice.py";
const char* const kStore = "resources/examples/nz_fp32_store.py";
const char* const kNz = "nz(64, 64, f16)";

/// A kernel whose weight NZ cannot hold: 200 rows are no whole number of 16-row fractals.
const std::string kRefused = R"(import pypto.language as pl

@pl.program
class Bad:
    @pl.function(type=pl.FunctionType.InCore)
    def bad(self, w: pl.Tensor[[200, 512], pl.INT8, pl.NZ]) -> pl.Tensor[[200, 512], pl.INT8, pl.NZ]:
        wt: pl.Tile[[16, 512], pl.INT8, pl.Mem.Mat] = pl.tile.load(w, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        return w
)";

/// For the names of failed cases.
void PrintTo(const Case& c, std::ostream* out) {
    for (const std::string& word : c.words) *out << word << ' ';
}

class ExitCode : public testing::TestWithParam<Case> {};

TEST_P(ExitCode, IsAsPromised) {
    const Case& c = GetParam();
    const Finished finished = layoutscope(c.words, c.input);
    EXPECT_EQ(finished.signal, 0);
    EXPECT_EQ(finished.exit_code, c.exit_code) << finished.out << finished.err;
    if (c.complaint.empty()) {
        EXPECT_EQ(finished.err, "");
    } else {
        EXPECT_THAT(finished.err, HasSubstr(c.complaint));
    }
    if (c.exit_code == 2) {
        // conformance goes on with other files, and always counts
        EXPECT_EQ(finished.out, finished.err.find("CONF_UNREADABLE") == std::string::npos ? "" : "0 passed, 0 failed, 0 skipped\n") << "what is refused as usage says nothing on standard output";
    }
}

INSTANTIATE_TEST_SUITE_P(Top, ExitCode, testing::Values(
    Case{{"--help"}, 0, "", ""},
    Case{{"--version"}, 0, "", ""},
    Case{{}, 2, "", "subcommand is required"},
    Case{{"frobnicate"}, 2, "", "--help"},
    Case{{"show", "--frobnicate", kNz}, 2, "", "--frobnicate"}));

INSTANTIATE_TEST_SUITE_P(Show, ExitCode, testing::Values(
    Case{{"show", kNz}, 0, "", ""},
    Case{{"show", "-"}, 0, "nz(64, 64, f16)\n", ""},
    Case{{"show", "nz(64, 63, f16)"}, 1, "", "error[NZ_COLS_UNALIGNED]"},
    Case{{"show", "nz(64, 64, f99)"}, 1, "", "error[TXT_DTYPE]"},
    Case{{"show", "hello"}, 1, "", "error[TXT_UNKNOWN]"},
    Case{{"show", ""}, 1, "", "error[TXT_EMPTY]"},
    Case{{"show", "-"}, 1, "", "error[TXT_EMPTY]"},
    Case{{"show", kNz, "--filter", "block =="}, 2, "", "error[FILTER_SYNTAX]"},
    Case{{"show"}, 2, "", "LAYOUT"},
    Case{{"show", kNz, "--format", "xml"}, 2, "", "xml"},
    Case{{"show", kNz, "--elements", "-1"}, 2, "", "elements"}));

INSTANTIATE_TEST_SUITE_P(Map, ExitCode, testing::Values(
    Case{{"map", kNz, "37,21"}, 0, "", ""},
    Case{{"map", "-", "37,21"}, 0, "nz(64, 64, f16)", ""},
    Case{{"map", kNz, "--find", "0x0CAA"}, 0, "", ""},
    Case{{"map", kNz, "64,0"}, 1, "", "error[FIG_FIND]"},
    Case{{"map", kNz, "1,2,3"}, 1, "", "error[FIG_FIND]"},
    Case{{"map", kNz, "--find", "0x2000"}, 1, "", "error[FIG_FIND]"},
    Case{{"map", kNz, "here"}, 2, "", "error[CLI_COORDINATE]"},
    Case{{"map", kNz, "99999999999999999999"}, 2, "", "error[CLI_COORDINATE]"},
    Case{{"map", kNz}, 2, "", "COORDINATE"}));

INSTANTIATE_TEST_SUITE_P(Convert, ExitCode, testing::Values(
    Case{{"convert", "((4,2),8):((1,16),4)", "--to", "tirx"}, 0, "", ""},
    Case{{"convert", kNz}, 0, "", ""},
    Case{{"convert", "mma_shared(f16, 128B, (128, 64))", "--to", "pypto"}, 1, "", "error[TXT_CANNOT_SAY]"},
    Case{{"convert", "S[(8, 64):(64, 1)", "--to", "cute"}, 1, "", "error[TXT_"},
    Case{{"convert", kNz, "--to", "klingon"}, 2, "", "klingon"}));

INSTANTIATE_TEST_SUITE_P(Render, ExitCode, testing::Values(
    Case{{"render", kNz}, 0, "", ""},
    Case{{"render", "nz(64, 63, f16)"}, 1, "", "error[NZ_COLS_UNALIGNED]"},
    Case{{"render", kNz, "--element", "64,0"}, 1, "", "error[FIG_FIND]"},
    Case{{"render", kNz, "--axes", "r", "z"}, 2, "", "error[CLI_AXES]"},
    Case{{"render", kNz, "-o", "/nonexistent/folder/x.svg"}, 2, "", "error[DOC_UNWRITABLE]"},
    Case{{"render", kNz, "-o", "/tmp/picture.bmp"}, 2, "", "error[CLI_FORMAT]"},
    Case{{"render", kNz, "--scale", "900"}, 2, "", "scale"}));

INSTANTIATE_TEST_SUITE_P(Passes, ExitCode, testing::Values(
    Case{{"passes", kSlice}, 0, "", ""},
    Case{{"passes", kStore}, 0, "", ""},
    Case{{"passes", kSlice, "--at", "33"}, 0, "", ""},
    Case{{"passes", "-"}, 1, kRefused, "error[NZ_ROWS_UNALIGNED]"},
    Case{{"passes", "-"}, 1, "def (", "error[PYPTO_"},
    Case{{"passes", "-"}, 1, "", "error[PYPTO_EMPTY]"},
    Case{{"passes", "no/such/program.py"}, 2, "", "error[DOC_UNREADABLE]"},
    Case{{"passes", "resources"}, 2, "", "error[DOC_UNREADABLE]"},
    Case{{"passes", kSlice, "--at", "NoSuchPass"}, 2, "", "error[CLI_PASS]"},
    Case{{"passes", kSlice, "--chip", "z80"}, 2, "", "z80"}));

INSTANTIATE_TEST_SUITE_P(Export, ExitCode, testing::Values(
    Case{{"export", kSlice, "--target", "pto"}, 0, "", "nz_slice_pack.h is written beside it with -o"},
    Case{{"export", kSlice, "--target", "pto-isa"}, 0, "", "nz_slice_pack.h is written beside it with -o"},
    Case{{"export", "-"}, 1, kRefused, "error[NZ_ROWS_UNALIGNED]"},
    Case{{"export", kSlice, "--function", "nothing"}, 1, "", "error[CG_NO_KERNEL]"},
    Case{{"export", "no/such/program.py"}, 2, "", "error[DOC_UNREADABLE]"},
    Case{{"export", kSlice, "--target", "fortran"}, 2, "", "fortran"},
    Case{{"export", kSlice, "-o", "/nonexistent/folder/x.pto"}, 2, "", "error[DOC_UNWRITABLE]"}));

INSTANTIATE_TEST_SUITE_P(UnifiedBuffer, ExitCode, testing::Values(
    Case{{"ub", "partition"}, 0, "", ""},
    Case{{"ub", "vstep"}, 0, "", ""},
    Case{{"ub", "platforms"}, 0, "", ""},
    Case{{"ub", "work", "--lens", "512,8", "--heads", "8"}, 0, "", ""},
    Case{{"ub", "check", "-"}, 1, R"({"platform": {"name": "Ascend310P3"}, "params": {}, "allocs": [
        {"name": "big", "kind": "tbuf", "len": "1000000"}]})", ""},
    Case{{"ub", "partition", "--chip", "NoSuchChip"}, 2, "", "error[UB_PLATFORM_UNKNOWN]"},
    Case{{"ub", "check", "-"}, 2, "{", "error[JSON_SYNTAX]"},
    Case{{"ub", "check", "-"}, 2, "{}", "error[MODEL_"},
    Case{{"ub", "check", "no/such/model.json"}, 2, "", "error[DOC_UNREADABLE]"},
    Case{{"ub", "check", "--set", "rows"}, 2, "", "error[CLI_SETTING]"},
    Case{{"ub", "work"}, 2, "", "lens"},
    Case{{"ub", "work", "--lens", "99999999999"}, 2, "", "error[CLI_LENGTH]"},
    Case{{"ub"}, 2, "", "subcommand is required"}));

INSTANTIATE_TEST_SUITE_P(Conformance, ExitCode, testing::Values(
    Case{{"conformance", "tests/conformance/nz/strides_canonical.json"}, 0, "", ""},
    Case{{"conformance", "no/such/folder"}, 2, "", "error[CONF_UNREADABLE]"},
    Case{{"conformance"}, 2, "", "PATH"}));

TEST(Conformance, AWrongExpectationFailsAndIsCounted) {
    ScratchFolder scratch;
    std::string cases = read_bytes(std::filesystem::path(LS_SOURCE_DIR) / "tests/conformance/nz/nz_element_offsets.json");
    const Finished good = layoutscope({"conformance", scratch.write("nz_element_offsets.json", cases)});
    EXPECT_EQ(good.exit_code, 0) << good.out;
    EXPECT_THAT(good.out, testing::EndsWith(" passed, 0 failed, 0 skipped\n"));
    const Finished unreadable = layoutscope({"conformance", scratch.write("broken.json", "[1, 2")});
    EXPECT_EQ(unreadable.exit_code, 2);
    EXPECT_THAT(unreadable.err, HasSubstr("CONF_UNREADABLE"));
}

TEST(Complaint, HasCodePlaceCaretAndHelp) {
    const Finished finished = layoutscope({"show", "nz(64, 64, f99)"});
    EXPECT_EQ(finished.out, "");
    std::istringstream lines(finished.err);
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) all.push_back(line);
    ASSERT_EQ(all.size(), 4u) << finished.err;
    EXPECT_EQ(all[0], "error[TXT_DTYPE]: there is no element type 'f99'");
    EXPECT_EQ(all[1], "  1 | nz(64, 64, f99)");
    EXPECT_EQ(all[2], "    |            ^~~");
    EXPECT_TRUE(all[3].starts_with("help: known: ")) << all[3];
}

TEST(Complaint, NamesFileLineAndColumn) {
    ScratchFolder scratch;
    const std::string path = scratch.write("bad.py", kRefused);
    const Finished finished = layoutscope({"passes", path});
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_THAT(finished.err, HasSubstr(path + ":6:"));
    EXPECT_THAT(finished.err, HasSubstr("200"));
    EXPECT_THAT(finished.err, HasSubstr("help: "));
}

TEST(Complaint, IsNotColouredWhereNoTerminalIs) {
    EXPECT_THAT(layoutscope({"show", "hello"}).err, testing::Not(HasSubstr("\x1b[")));
}

} // namespace
} // namespace ls::test
