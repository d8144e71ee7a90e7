#include "core/figure/proof_figure.h"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "core/dialect/pypto/pypto.h"
#include "core/figure/transfer_figure.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/passes/pipeline.h"

namespace ls::figure {
namespace {

using ::testing::HasSubstr;
using Verdict = scene::TreeNode::Verdict;

std::string example(const std::string& name) {
    std::ifstream in(std::string(LS_SOURCE_DIR) + "/resources/examples/" + name);
    return {std::istreambuf_iterator<char>(in), {}};
}

Trace trace_of(const std::string& text) {
    const auto module = pypto::read(text);
    EXPECT_TRUE(module.ok());
    return run_pipeline(*module, nz::nz_pipeline(), {});
}

TEST(ProofFigure, ShowsWhichStepFailsAndWhatWasNeverAsked) {
    const std::string text = example("nz_refused_offset.py");
    const Trace trace = trace_of(text);
    ASSERT_FALSE(trace.ok());
    const auto coordinates = coordinate_proofs(trace.refused_proofs, text);
    ASSERT_EQ(coordinates.size(), 1U); // constant offsets ask for no proof
    EXPECT_EQ(coordinates[0].place, "tile.load, offset on shape[-2]");
    EXPECT_FALSE(coordinates[0].proven);
    ASSERT_EQ(coordinates[0].views.size(), 2U);

    const ProofView& multiple = coordinates[0].views[0];
    EXPECT_EQ(multiple.question, "Multiple of 16");
    EXPECT_EQ(multiple.verdict, "proven, 7 of 256 visits");
    EXPECT_THAT(multiple.tree.note, HasSubstr("defined on line 16"));
    const scene::TreeNode& difference = multiple.tree.children.at(0);
    EXPECT_EQ(difference.note, "both must hold");
    EXPECT_EQ(difference.children.at(0).note, "one factor is enough");
    EXPECT_EQ(difference.children.at(1).note, "256 mod 16 = 0");

    const ProofView& sign = coordinates[0].views[1];
    EXPECT_EQ(sign.verdict, "not proven, 2 of 256 visits");
    EXPECT_EQ(sign.tree.verdict, Verdict::Failed);
    EXPECT_EQ(sign.tree.children.at(0).note, "a difference never qualifies");
    EXPECT_THAT(sign.sentence, HasSubstr("a difference may always be negative"));
    const std::string words = proof_text(sign);
    EXPECT_THAT(words, HasSubstr("✗"));
    EXPECT_THAT(words, HasSubstr("a difference never qualifies"));
}

TEST(TransferFigure, FieldsOfTheWindowOfASlice) {
    const Trace trace = trace_of(example("nz_slice.py"));
    const Snapshot* blocked = trace.after("BlockNzTensorViews");
    ASSERT_NE(blocked, nullptr);
    for (const check::Access& access : check::accesses(*blocked->module)) {
        const auto fields = transfer_fields(access, *blocked->module, default_hardware());
        if (access.tensor.rfind("w", 0) != 0) {
            EXPECT_TRUE(fields.empty()) << access.text(); // ND tensors have no such fields
            continue;
        }
        ASSERT_EQ(fields.size(), 4U);
        EXPECT_EQ(fields[0].value, 2048 - 256); // rows of a column block that are skipped, a block of 32 B each
        EXPECT_EQ(fields[0].limit, 65535);
        EXPECT_EQ(fields[1].value, 16);
        EXPECT_EQ(fields[2].value, 256);
        EXPECT_EQ(fields[3].name, "bytes in Mat");
        EXPECT_EQ(fields[3].value, 256 * 512);
        EXPECT_EQ(fields[3].limit, 512 * 1024);
        const scene::BarChart chart = transfer_chart(fields);
        ASSERT_EQ(chart.lanes.size(), 4U);
        EXPECT_NEAR(chart.lanes[0].bars[0].end, 2.7344, 1e-3);
        EXPECT_EQ(chart.max, 100);
    }
}

TEST(TransferFigure, FieldsOfAStore) {
    const Trace trace = trace_of(example("nz_fp32_store.py"));
    const Snapshot* blocked = trace.after("BlockNzTensorViews");
    ASSERT_NE(blocked, nullptr);
    std::size_t stores = 0;
    for (const check::Access& access : check::accesses(*blocked->module)) {
        if (access.kind != check::AccessKind::Store) continue;
        const auto fields = transfer_fields(access, *blocked->module, default_hardware());
        ASSERT_EQ(fields.size(), 3U);
        EXPECT_EQ(fields[0].value, 16); // columns
        EXPECT_EQ(fields[1].value, 64); // rows
        EXPECT_EQ(fields[2].value, 64 * 16 * 4);
        EXPECT_EQ(fields[2].limit, 128 * 1024);
        ++stores;
    }
    EXPECT_EQ(stores, 1U);
}

TEST(TransferFigure, AClampedWindowReadsAfterWhatWasAsked) {
    const Trace trace = trace_of(example("nz_refused_offset.py"));
    ASSERT_EQ(trace.refused_proofs.size(), 2U);
    EXPECT_FALSE(clamped_window(trace.refused_proofs[0], *trace.last().module).has_value()); // a multiple, and proven
    const auto window = clamped_window(trace.refused_proofs[1], *trace.last().module);
    ASSERT_TRUE(window.has_value());
    EXPECT_EQ(window->asked_first, -256);
    EXPECT_EQ(window->extent, 256);
    const scene::BarChart chart = clamp_chart(*window);
    ASSERT_EQ(chart.lanes.size(), 2U);
    EXPECT_EQ(chart.lanes[0].bars[0].label, "rows -256 … -1");
    EXPECT_EQ(chart.lanes[1].bars[0].label, "rows 0 … 255");
    EXPECT_EQ(chart.min, -256);
}

} // namespace
} // namespace ls::figure
