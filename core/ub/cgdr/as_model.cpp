#include "core/ub/cgdr/as_model.h"

#include <fmt/format.h>

#include "core/ub/cgdr/lifetimes.h"

namespace ls::ub::cgdr {

namespace {

View view(ViewId id, std::string elems, std::int64_t tiles) {
    View made;
    made.name = name(id);
    made.elems = std::move(elems);
    if (tiles > 0 && !lives(id).empty()) made.live = unrolled_lives(id, tiles);
    return made;
}

} // namespace

Model as_model(const DevicePartition& partition, const ModelPlatform& platform, std::int64_t tiles) {
    const DeviceInput& in = partition.input;
    const bool cube = in.variant == Variant::V1135;
    if (cube) tiles = 0; // no published phases
    Model model;
    model.platform = platform;
    model.params = {{"cs", in.chunk_size, {}}, {"dk", in.dk, {}}, {"vStep", in.v_step, {}}};
    if (cube) {
        const std::string bucket = "dk<=64?64:(dk<=80?80:(dk<=96?96:(dk<=128?128:align(dk,16))))";
        model.derived = {{"ak", bucket, {}}, {"ssk", "ak", {}}, {"av", "align(vStep,8)", {}}};
    } else {
        model.derived = {{"ak", "align(dk,16)", {}}, {"ssk", "align(dk,8)", {}}, {"av", "align(vStep,8)", {}}};
    }
    if (tiles > 0) model.phases = unrolled_phases(tiles);

    Alloc queue;
    queue.name = "stateOutQueue";
    queue.kind = AllocKind::Queue;
    queue.position = Position::VecOut;
    queue.num = fmt::format("{}", partition.queue_num);
    queue.len = "max(ssk*av*2,cs*av*2)";
    model.allocs.push_back(std::move(queue));

    Alloc scratch;
    scratch.name = "tmpBuff";
    scratch.len = "rest";
    scratch.rest = true;
    auto& views = scratch.views;
    views.push_back(view(ViewId::ChunkK, "cs*ak", tiles));
    views.push_back(view(ViewId::KCumdecay, "cs*ak", tiles));
    views.push_back(view(ViewId::DecayMask, "cs*cs", tiles));
    views.push_back(view(ViewId::ChunkV, "cs*av", tiles));
    views.push_back(view(ViewId::ChunkScores, partition.overlap ? "max(cs*cs,ssk*av)" : "cs*cs", tiles));
    views.push_back(view(ViewId::StateIn, "ssk*av", tiles));
    if (partition.overlap) {
        View& scores = views[views.size() - 2];
        View& state = views.back();
        scores.alias_group = state.alias_group = "scores_state";
        scores.advance = "0";
        state.advance = "max(cs*cs,ssk*av)*4";
    }
    views.push_back(view(ViewId::ChunkAttnOut, "cs*av", tiles));
    views.push_back(view(ViewId::GCumsum, "cs", tiles));
    views.push_back(view(ViewId::Delta, "max(max(ssk,cs),av)", tiles));
    views.push_back(view(ViewId::DotProduct, "max(ssk,cs)", tiles));
    views.push_back(view(ViewId::ExpGCum, "cs", tiles));
    if (cube) views.push_back(view(ViewId::Beta, "cs", tiles));
    views.back().advance = "0";
    model.allocs.push_back(std::move(scratch));

    std::string host = "2*cs*ak*4+cs*cs*4+2*cs*av*4+cs*4+max(max(ssk,cs),av)*4+max(ssk,cs)*4+cs*4+";
    host += partition.overlap ? "max(cs*cs*4,ssk*av*4)" : "(cs*cs*4+ssk*av*4)";
    if (cube) host += "+cs*4";
    model.host_tmp = SizeText(std::move(host));
    return model;
}

} // namespace ls::ub::cgdr
