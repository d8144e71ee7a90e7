#include "core/figure/l0_candidates.h"

#include <set>

#include <gtest/gtest.h>

namespace ls::figure {
namespace {

class Wide final : public scene::TextMeasure {
public:
    double width(std::string_view utf8, scene::FontFace, double size) const override {
        return 0.6 * size * static_cast<double>(utf8.size());
    }
};

L0Space space(std::int64_t m, std::int64_t n, std::int64_t k, bool held = true) {
    nz::L0Problem p;
    p.M = m;
    p.N = n;
    p.K = k;
    p.allow_k_boundary = true;
    p.allow_hold_a = p.allow_hold_b = held;
    auto s = l0_space(p, DType::Bf16, *find_hardware("a2a3"));
    EXPECT_TRUE(s.ok());
    return std::move(s).value();
}

TEST(L0Candidates, TableBeginsWithTheChosenAndIsSorted) {
    const L0Space s = space(512, 512, 1024);
    const L0CandidateTable fits(s, false), all(s, true);
    EXPECT_EQ(fits.row_count(), s.choice.fitting);
    EXPECT_EQ(all.row_count(), static_cast<std::int64_t>(s.choice.candidates.size()));
    EXPECT_EQ(fits.text(0, 0), "128");
    EXPECT_EQ(fits.text(0, 1), "256");
    EXPECT_EQ(fits.text(0, 2), "64");
    EXPECT_EQ(fits.text(0, 3), "78422");
    EXPECT_EQ(fits.text(0, fits.columns().size() - 1), "chosen");
    for (std::int64_t r = 1; r < fits.row_count(); ++r) {
        EXPECT_GE(fits.candidate(r).cost.wall_cycles, s.choice.cost.wall_cycles);
        if (r > 1) {
            EXPECT_GE(fits.candidate(r).cost.wall_cycles, fits.candidate(r - 1).cost.wall_cycles);
        }
        EXPECT_NE(fits.text(r, fits.columns().size() - 1), "chosen");
    }
}

/// The terms add up, what fits is within the memories and what does not is beyond the one that is named.
TEST(L0Candidates, EveryRowTellsTheTruth) {
    const L0Space s = space(304, 528, 176);
    std::set<nz::L0Fit> seen;
    for (const nz::L0Candidate& c : s.choice.candidates) {
        seen.insert(c.fit);
        const bool a = s.l0a_bytes(c) <= 65536, b = s.l0b_bytes(c) <= 65536, out = s.l0c_bytes(c) <= 131072;
        switch (c.fit) {
        case nz::L0Fit::Fits: {
            EXPECT_TRUE(a && b && out);
            EXPECT_DOUBLE_EQ(c.cost.load_cycles, c.cost.load_a_cycles + c.cost.load_b_cycles);
            const double wall = std::max(c.cost.load_cycles, c.cost.mad_cycles) + c.cost.drain_cycles;
            EXPECT_NEAR(static_cast<double>(c.cost.wall_cycles), wall, 0.5);
            EXPECT_NEAR(c.cost.hidden_cycles, std::min(c.cost.load_cycles, c.cost.mad_cycles), 1e-6);
            break;
        }
        case nz::L0Fit::OverL0A: EXPECT_FALSE(a); break;
        case nz::L0Fit::OverL0B: EXPECT_FALSE(b); break;
        case nz::L0Fit::OverL0C: EXPECT_FALSE(out); break;
        default: ADD_FAILURE() << "nothing else rules out here";
        }
    }
    EXPECT_EQ(seen.size(), 4U);
}

TEST(L0Candidates, HeldPanelsUseTheWholeMemory) {
    const L0Space s = space(48, 2048, 512);
    bool held = false;
    for (const nz::L0Candidate& c : s.choice.candidates) {
        if (c.fit != nz::L0Fit::Fits || c.regime == nz::L0Regime::Output) continue;
        held = true;
        EXPECT_EQ(c.k, 512);
    }
    EXPECT_TRUE(held);
    EXPECT_LE(s.choice.cost.wall_cycles, space(48, 2048, 512, false).choice.cost.wall_cycles);
}

TEST(L0Candidates, PictureAnswersWithCandidates) {
    const L0Space s = space(512, 512, 1024);
    const scene::Picture p = draw_l0_space(s, 1200, Wide());
    EXPECT_EQ(p.title, "C[512, 512] = A[512, 1024] · B[1024, 512], BF16 on a2a3");
    EXPECT_GT(p.list.height, 700);
    bool chosen = false;
    for (const scene::HitRegion& h : p.hits) {
        ASSERT_GE(h.id, 0);
        ASSERT_LT(static_cast<std::size_t>(h.id), s.choice.candidates.size());
        EXPECT_EQ(s.choice.candidates[static_cast<std::size_t>(h.id)].fit, nz::L0Fit::Fits);
        EXPECT_GE(h.rect.x, 0);
        EXPECT_LE(h.rect.right(), p.list.width);
        if (static_cast<std::size_t>(h.id) == s.choice.chosen) {
            chosen = true;
            EXPECT_EQ(h.describe, "m 128, n 256, k 64: 78 422 cycles, chosen");
        }
    }
    EXPECT_TRUE(chosen);
}

TEST(L0Candidates, RefusesWhatCannotBeTiled) {
    nz::L0Problem p;
    p.M = p.N = 64;
    p.K = 100;
    const auto s = l0_space(p, DType::Bf16, *find_hardware("a2a3"));
    ASSERT_FALSE(s.ok());
    EXPECT_EQ(s.error().code, "L0_K_UNALIGNED");
}

} // namespace
} // namespace ls::figure
