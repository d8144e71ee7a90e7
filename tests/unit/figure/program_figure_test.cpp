#include "core/figure/program_figure.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/dialect/pypto/pypto.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/passes/pipeline.h"

namespace ls::figure {
namespace {

Trace trace_of(const std::string& example) {
    std::ifstream in(std::string(LS_SOURCE_DIR) + "/resources/examples/" + example);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto module = pypto::read(text);
    EXPECT_TRUE(module.ok()) << (module.ok() ? "" : render(module.error(), text, example));
    return run_pipeline(*module, nz::nz_pipeline(), {});
}

std::size_t access_named(const ir::Module& module, const std::string& tensor) {
    const auto all = check::accesses(*module);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].tensor.rfind(tensor, 0) == 0) return i;
    }
    ADD_FAILURE() << "no access of " << tensor;
    return 0;
}

std::vector<ir::Module> modules_of(const Trace& trace) {
    std::vector<ir::Module> modules;
    for (const Snapshot& s : trace.snapshots) modules.push_back(s.module);
    return modules;
}

TEST(AccessView, ShowsTheWindowOfASliceBeforeAndAfterBlocking) {
    const Trace trace = trace_of("nz_slice.py");
    ASSERT_TRUE(trace.ok());
    const ir::Module& source = trace.snapshots.front().module;
    const auto before = access_view(check::accesses(*source)[access_named(source, "w")], *source);
    ASSERT_TRUE(before.ok()) << before.error().message;
    EXPECT_EQ(before->picture->overlays.front().cells, (scene::CellRect{256, 512, 256, 512}));
    EXPECT_EQ(before->subtitle, "w[1], rows 256–511, columns 512–1023");

    const Snapshot* blocked = trace.after("BlockNzTensorViews");
    ASSERT_NE(blocked, nullptr);
    const auto after = access_view(check::accesses(*blocked->module)[access_named(blocked->module, "w")], *blocked->module);
    ASSERT_TRUE(after.ok()) << after.error().message;
    EXPECT_EQ(after->picture->overlays.front().cells, (scene::CellRect{16, 16, 16, 16}));
    // 1·8388608 + 16·65536 + 16·512 = 0x902000; a column block is 65536 B, of which 256 rows · 32 B are read.
    EXPECT_EQ(after->sentence, "16 bursts of 8192 B, gap 57344 B = 1792 blocks, first byte 0x902000");
}

TEST(AddressMap, BlockingKeepsEveryAddress) {
    for (const char* example : {"nz_slice.py", "nz_fp32_store.py"}) {
        const Trace trace = trace_of(example);
        ASSERT_TRUE(trace.ok()) << example;
        const auto first = check::accesses(*trace.snapshots.front().module);
        const auto last = check::accesses(*trace.last().module);
        ASSERT_FALSE(first.empty());
        for (std::size_t i = 0; i < first.size(); ++i) {
            const auto there = same_access(first, i, last);
            ASSERT_TRUE(there.has_value()) << example << " " << first[i].text();
            const auto a = check::address_map(first[i], *trace.snapshots.front().module);
            const auto b = check::address_map(last[*there], *trace.last().module);
            ASSERT_TRUE(a.ok()) << a.error().message;
            ASSERT_TRUE(b.ok()) << b.error().message;
            const auto witness = check::compare(*a, *b);
            ASSERT_TRUE(witness.ok()) << witness.error().message;
            EXPECT_FALSE(witness->has_value()) << example << " " << first[i].text();
        }
    }
}

TEST(AddressMap, AWrongOffsetIsFoundWithItsFirstWitness) {
    const Trace trace = trace_of("nz_slice.py");
    const Snapshot* blocked = trace.after("BlockNzTensorViews");
    ASSERT_NE(blocked, nullptr);
    const ir::Module& source = trace.snapshots.front().module;
    const auto good = check::address_map(check::accesses(*source)[access_named(source, "w")], *source);
    check::Access wrong = check::accesses(*blocked->module)[access_named(blocked->module, "w")];
    wrong.offsets[2] = ir::const_int(17);
    const auto bad = check::address_map(wrong, *blocked->module);
    ASSERT_TRUE(good.ok() && bad.ok());
    const auto witness = check::compare(*good, *bad);
    ASSERT_TRUE(witness.ok());
    ASSERT_TRUE(witness->has_value());
    EXPECT_EQ((*witness)->row, 0);
    EXPECT_EQ((*witness)->byte_after - (*witness)->byte_before, 512);
    EXPECT_EQ((*witness)->differing, 256 * 512);
}

TEST(FollowElement, KeepsItsAddressWhileItsCoordinatesChange) {
    const Trace trace = trace_of("nz_slice.py");
    const auto modules = modules_of(trace);
    const auto followed = follow_element(modules, 0, access_named(modules.front(), "w"), 5, 33);
    ASSERT_EQ(followed.size(), modules.size());
    EXPECT_EQ(followed.front().coordinate, (std::vector<std::int64_t>{1, 261, 545}));
    EXPECT_EQ(followed.back().coordinate, (std::vector<std::int64_t>{1, 17, 16, 5, 1}));
    for (const FollowedElement& element : followed) {
        ASSERT_TRUE(element.byte.has_value()) << element.why;
        EXPECT_EQ(*element.byte, *followed.front().byte);
        EXPECT_FALSE(element.moved);
    }
    const auto outside = follow_element(modules, 0, access_named(modules.front(), "w"), 256, 0);
    EXPECT_FALSE(outside.front().byte.has_value());
    EXPECT_NE(outside.front().why.find("outside the window"), std::string::npos);
}

} // namespace
} // namespace ls::figure
