#include "core/ub/cgdr/lifetimes.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::ub::cgdr {

namespace {

constexpr Touched K{ViewId::ChunkK}, Kc{ViewId::KCumdecay}, Mask{ViewId::DecayMask}, V{ViewId::ChunkV},
    Scores{ViewId::ChunkScores}, State{ViewId::StateIn}, Out{ViewId::ChunkAttnOut}, G{ViewId::GCumsum},
    Delta{ViewId::Delta}, Dot{ViewId::DotProduct}, ExpG{ViewId::ExpGCum}, Queue{ViewId::ChunkK, true};

// chunkV and chunkAttnOut also stage fp16 rows and cache Q*scale on the fast paths; those touches are listed, for a
// lifetime must hold on either path.
constexpr std::array w0{K, V};
constexpr std::array w1{G};
constexpr std::array r2{K};
constexpr std::array w2{Kc};
constexpr std::array r3{G, Delta};
constexpr std::array w3{G, ExpG, Delta, Mask};
constexpr std::array r4{V};
constexpr std::array w4{V, Out};
constexpr std::array r5{Kc, K, Mask, Scores, Out, Delta, Dot};
constexpr std::array w5{Scores, Mask, Delta, Dot};
constexpr std::array r6{ExpG, Kc, Scores, K};
constexpr std::array w6{Kc, K};
constexpr std::array r7{Out};
constexpr std::array w7{V, Out};
constexpr std::array r8{Scores, V};
constexpr std::array w8{Out};
constexpr std::array w9{State};
constexpr std::array r10{K, State, Out};
constexpr std::array w10{V};
constexpr std::array r11{ExpG, State};
constexpr std::array w11{Out};
constexpr std::array r12{Mask, V, Out};
constexpr std::array w12{Out};
constexpr std::array r13{Out};
constexpr std::array w13{Out, Queue};
constexpr std::array r14{ExpG, G, V, State};
constexpr std::array w14{State, Queue};

constexpr std::array<Phase, kPhaseCount> kPhases{{
    {0, "P1_LoadChunkKey", {}, w0},
    {1, "P1b_GCumsum", {}, w1},
    {2, "P2_KBeta", r2, w2},
    {3, "P3_DecayAndExp", r3, w3},
    {4, "P3q_QueryCache", r4, w4},
    {5, "P4_AttnMatrix", r5, w5},
    {6, "P5_KCumdecay", r6, w6},
    {7, "S1_LoadVBeta", r7, w7},
    {8, "S2_ValueNew", r8, w8},
    {9, "S3_LoadState", {}, w9},
    {10, "S4_VNew", r10, w10},
    {11, "S5_AttnInter", r11, w11},
    {12, "S6_AccumOutput", r12, w12},
    {13, "S6w_WriteAttn", r13, w13},
    {14, "S7_UpdateState", r14, w14},
}};

constexpr std::array kLivesK{Life{{0, 6}, "K rows"}, Life{{6, 10}, "k_cumdecay"}};
constexpr std::array kLivesKc{Life{{2, 6}, "k_beta, then k_beta*exp(g)"}};
constexpr std::array kLivesMask{Life{{3, 5}, "decay mask"}, Life{{5, 12}, "attn_i = (QK^T)*decay"}};
constexpr std::array kLivesV{Life{{0, 0}, "FP16 staging of K (fast path)"},
                             Life{{4, 4}, "FP16 staging of Q (fast path)"}, Life{{7, 8}, "v_beta"},
                             Life{{10, 14}, "v_new"}};
constexpr std::array kLivesScores{Life{{5, 8}, "intra-chunk attention matrix"}};
constexpr std::array kLivesState{Life{{9, 14}, "state tile [dk,vStep]"}};
constexpr std::array kLivesOut{Life{{4, 5}, "Q*scale cache (fast path)"}, Life{{7, 7}, "FP16 staging of V (fast path)"},
                               Life{{8, 10}, "value_new"}, Life{{11, 13}, "attn_inter / output tile"}};
constexpr std::array kLivesG{Life{{1, 14}, "prefix sum of g"}};
constexpr std::array kLivesDelta{Life{{3, 3}, "broadcast g_i - g"},
                                 Life{{5, 5}, "row copy in recursion / Q row when not cached"}};
constexpr std::array kLivesDot{Life{{5, 5}, "product + partial sums"}};
constexpr std::array kLivesExpG{Life{{3, 14}, "exp(prefix sum)"}};
constexpr std::array kLivesQueue{Life{{13, 13}, "output tile"}, Life{{14, 14}, "state tile, on the last chunk"}};

} // namespace

std::span<const Phase> phases() { return kPhases; }

std::vector<std::string> unrolled_phases(std::int64_t tiles) {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(kFirstTilePhase + tiles * kTilePhases));
    for (std::int64_t p = 0; p < kFirstTilePhase; ++p) names.emplace_back(kPhases[static_cast<std::size_t>(p)].name);
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        for (std::int64_t p = kFirstTilePhase; p < kPhaseCount; ++p) {
            names.push_back(fmt::format("{}#t{}", kPhases[static_cast<std::size_t>(p)].name, tile));
        }
    }
    return names;
}

std::span<const Life> lives(ViewId id) {
    switch (id) {
    case ViewId::ChunkK: return kLivesK;
    case ViewId::KCumdecay: return kLivesKc;
    case ViewId::DecayMask: return kLivesMask;
    case ViewId::ChunkV: return kLivesV;
    case ViewId::ChunkScores: return kLivesScores;
    case ViewId::StateIn: return kLivesState;
    case ViewId::ChunkAttnOut: return kLivesOut;
    case ViewId::GCumsum: return kLivesG;
    case ViewId::Delta: return kLivesDelta;
    case ViewId::DotProduct: return kLivesDot;
    case ViewId::ExpGCum: return kLivesExpG;
    case ViewId::Beta:
    case ViewId::Appended: break; // no published phases
    }
    return {};
}

std::span<const Life> queue_lives() { return kLivesQueue; }

std::vector<LiveRange> unrolled_lives(ViewId id, std::int64_t tiles) {
    std::vector<LiveRange> ranges;
    const std::int64_t last_shift = (tiles - 1) * kTilePhases;
    for (const Life& life : lives(id)) {
        if (life.range.first >= kFirstTilePhase) continue;
        const bool reaches_tiles = life.range.last >= kFirstTilePhase;
        ranges.push_back({life.range.first, life.range.last + (reaches_tiles ? last_shift : 0)});
    }
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        for (const Life& life : lives(id)) {
            if (life.range.first < kFirstTilePhase) continue;
            ranges.push_back({life.range.first + tile * kTilePhases, life.range.last + tile * kTilePhases});
        }
    }
    return ranges;
}

std::int64_t content_bytes(const DevicePartition& partition, ViewId id) {
    const CarvedView* view = partition.find(id);
    if (view == nullptr) return 0;
    if (id != ViewId::ChunkScores) return view->bytes;
    return partition.input.chunk_size * partition.input.chunk_size * 4;
}

LivePeak live_peak(const DevicePartition& partition, std::int64_t tiles) {
    LivePeak peak;
    peak.per_phase_bytes.assign(static_cast<std::size_t>(kFirstTilePhase + tiles * kTilePhases), 0);
    for (const CarvedView& view : partition.views) {
        const std::int64_t bytes = content_bytes(partition, view.id);
        // A view may end one life and begin the next within a phase (chunkK in P5): count its bytes once.
        std::int64_t counted_to = -1;
        for (const LiveRange& range : unrolled_lives(view.id, tiles)) {
            for (std::int64_t p = std::max(range.first, counted_to + 1); p <= range.last; ++p) {
                peak.per_phase_bytes[static_cast<std::size_t>(p)] += bytes;
            }
            counted_to = std::max(counted_to, range.last);
        }
    }
    const auto highest = std::max_element(peak.per_phase_bytes.begin(), peak.per_phase_bytes.end());
    peak.peak_bytes = *highest;
    peak.phase = highest - peak.per_phase_bytes.begin();
    return peak;
}

std::vector<Sharing> sharings(const DevicePartition& partition, std::int64_t tiles) {
    std::vector<Sharing> shared;
    const auto& views = partition.views;
    for (std::size_t i = 0; i < views.size(); ++i) {
        for (std::size_t j = i + 1; j < views.size(); ++j) {
            const std::int64_t begin = std::max(views[i].off, views[j].off);
            const std::int64_t end = std::min(views[i].end, views[j].end);
            if (begin >= end) continue;
            const auto lives_i = unrolled_lives(views[i].id, tiles);
            const auto lives_j = unrolled_lives(views[j].id, tiles);
            shared.push_back({views[i].id, views[j].id, begin, end, both_live(lives_i, lives_j),
                              !lives_i.empty() && !lives_j.empty()});
        }
    }
    return shared;
}

std::int64_t serial_tiles(const DeviceInput& in) {
    if (in.v_step >= in.dv || splits_v(in.variant, in.dv, in.v_step, in.block_num, in.hv)) return 1;
    return ceil_div(in.dv, in.v_step);
}

} // namespace ls::ub::cgdr
