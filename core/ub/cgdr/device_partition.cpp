#include "core/ub/cgdr/device_partition.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::ub::cgdr {

namespace {

constexpr std::int64_t kF32 = 4;
constexpr std::int64_t kF16 = 2;
constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kMaxElems = std::int64_t{1} << 48;

constexpr std::array<std::string_view, kViewCount + 1> kNames{
    "chunkKFp32",  "kCumdecayFp32",    "decayMaskFp32", "chunkVFp32", "chunkScoresFp32",
    "stateInFp32", "chunkAttnOutFp32", "gCumsumFp32",   "deltaFp32",  "dotProductFp32",
    "expGCumFp32", "betaFp32",         "newView"};

/// The caller-owned byte cursor of the kernel.
class Carver {
public:
    Carver(DevicePartition& partition, const DeviceTweaks& tweaks) : partition_(partition), tweaks_(tweaks) {}

    /// GetWithOffset at the cursor, then a move by `advance_elems` elements.
    void view(ViewId id, std::int64_t elems, std::int64_t advance_elems) {
        for (const auto& [changed, count] : tweaks_.elems_override) {
            if (changed == id) elems = count;
        }
        CarvedView v;
        v.id = id;
        v.elems = elems;
        v.bytes = elems * kF32;
        v.off = cursor_;
        v.end = v.off + v.bytes;
        v.advance = advance_bytes(advance_elems);
        cursor_ += v.advance;
        partition_.used_bytes = std::max(partition_.used_bytes, v.end);
        partition_.all_aligned = partition_.all_aligned && v.off % kBlock == 0;
        partition_.views.push_back(v);
    }
    void view(ViewId id, std::int64_t elems) { view(id, elems, elems); }

    std::int64_t cursor() const { return cursor_; }

private:
    std::int64_t advance_bytes(std::int64_t elems) const {
        switch (tweaks_.cursor) {
        case CursorUnit::Elements: return elems;
        case CursorUnit::Doubled: return 2 * elems * kF32;
        case CursorUnit::Bytes: break;
        }
        return elems * kF32;
    }

    DevicePartition& partition_;
    const DeviceTweaks& tweaks_;
    std::int64_t cursor_ = 0;
};

Status validate_tweaks(const DeviceTweaks& tweaks) {
    const auto refuse = [](std::string_view what, std::int64_t value) {
        return error("UB_PARAM_RANGE", fmt::format("{} = {} is out of range", what, value),
                     "use a small positive count");
    };
    if (tweaks.queue_num < 1 || tweaks.queue_num > 255) return refuse("queueNum", tweaks.queue_num);
    if (tweaks.appended_elems < 0 || tweaks.appended_elems > kMaxElems)
        return refuse("appended elements", tweaks.appended_elems);
    for (const auto& [id, elems] : tweaks.elems_override) {
        if (elems < 0 || elems > kMaxElems) return refuse(name(id), elems);
    }
    return ok_status();
}

} // namespace

std::string_view name(ViewId id) { return kNames[static_cast<std::size_t>(id)]; }

std::optional<ViewId> view_from_name(std::string_view text) {
    const auto at = std::find(kNames.begin(), kNames.end(), text);
    if (at == kNames.end()) return {};
    return static_cast<ViewId>(at - kNames.begin());
}

const CarvedView* DevicePartition::find(ViewId id) const {
    const auto at = std::find_if(views.begin(), views.end(), [id](const CarvedView& v) { return v.id == id; });
    return at == views.end() ? nullptr : &*at;
}

std::int64_t DevicePartition::queue_ub_bytes() const { return queue_num * align_up(queue_bytes, kBlock); }

Result<DevicePartition> carve(const DeviceInput& in, const DeviceTweaks& tweaks) {
    LS_CHECK(validate(in));
    LS_CHECK(validate_tweaks(tweaks));
    DevicePartition p;
    p.input = in;
    p.widths = widths(in.variant, in.dk, in.v_step);
    p.overlap = device_overlaps(in);
    p.split_v = splits_v(in.variant, in.dv, in.v_step, in.block_num, in.hv);
    p.views.reserve(kViewCount + 1);

    const std::int64_t cs = in.chunk_size;
    const std::int64_t row_k = p.widths.align_k;
    const std::int64_t row_v = p.widths.v_step_aligned;
    const std::int64_t scores = cs * cs;
    const std::int64_t state = p.widths.state_stride_k * row_v;

    p.queue_state_tile_bytes = state * kF16;
    p.queue_chunk_out_bytes = cs * row_v * kF16;
    p.queue_bytes = std::max(p.queue_state_tile_bytes, p.queue_chunk_out_bytes);
    p.queue_num = tweaks.queue_num;

    Carver carver(p, tweaks);
    carver.view(ViewId::ChunkK, cs * row_k);
    carver.view(ViewId::KCumdecay, cs * row_k);
    carver.view(ViewId::DecayMask, scores);
    carver.view(ViewId::ChunkV, cs * row_v);
    if (p.overlap) {
        // One region, two names: the handle of the scores is as large as the region, whatever the scores need.
        const std::int64_t shared = std::max(scores, state);
        carver.view(ViewId::ChunkScores, shared, 0);
        carver.view(ViewId::StateIn, state, shared);
    } else {
        carver.view(ViewId::ChunkScores, scores);
        carver.view(ViewId::StateIn, state);
    }
    carver.view(ViewId::ChunkAttnOut, cs * row_v);
    carver.view(ViewId::GCumsum, cs);
    const std::int64_t dot = std::max(p.widths.state_stride_k, cs);
    carver.view(ViewId::Delta, std::max(dot, row_v));
    carver.view(ViewId::DotProduct, dot);
    // The kernel leaves the cursor at the start of its last view.
    const std::int64_t last = tweaks.advance_past_last ? cs : 0;
    if (in.variant == Variant::V1135) {
        carver.view(ViewId::ExpGCum, cs);
        carver.view(ViewId::Beta, cs, last);
    } else {
        carver.view(ViewId::ExpGCum, cs, last);
    }
    p.cursor_final = carver.cursor();
    if (tweaks.appended_elems > 0) carver.view(ViewId::Appended, tweaks.appended_elems, 0);
    return p;
}

} // namespace ls::ub::cgdr
