#include "core/ub/cgdr/books.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace ls::ub::cgdr {

namespace {

/// The device's bytes for one host term: what its views take from the cursor's way. A view that shares a region adds
/// only what it reaches beyond the ones before it.
std::int64_t device_bytes(const DevicePartition& device, std::initializer_list<ViewId> ids) {
    std::int64_t bytes = 0;
    std::int64_t reached = -1;
    for (const ViewId id : ids) {
        const CarvedView* view = device.find(id);
        if (view == nullptr) continue;
        bytes += std::max<std::int64_t>(0, view->end - std::max(view->off, reached));
        reached = std::max(reached, view->end);
    }
    return bytes;
}

std::string names(const DevicePartition& device, std::initializer_list<ViewId> ids, std::string_view joint) {
    std::string text;
    for (const ViewId id : ids) {
        if (device.find(id) == nullptr) continue;
        if (!text.empty()) text += joint;
        text += name(id);
    }
    return text;
}

std::string_view yes(bool value) { return value ? "yes" : "no"; }

BranchReason host_reason(const DevicePartition& device, const HostBelief& belief) {
    const DeviceInput& in = device.input;
    if (belief.force_overlap) return {*belief.force_overlap, "forced"};
    if (!belief.aiv) return {device.overlap, "as the device"};
    const bool overlap = host_overlaps(in.variant, in.v_step, in.dv, belief.hv, *belief.aiv);
    if (in.variant == Variant::V1135) return {overlap, "always shares in v1135"};
    return {overlap, fmt::format("vStep {} >= dv {}: {}; hv {} < {} cores: {}", in.v_step, in.dv,
                                 yes(in.v_step >= in.dv), belief.hv, *belief.aiv, yes(belief.hv < *belief.aiv))};
}

BranchReason device_reason(const DevicePartition& device) {
    const DeviceInput& in = device.input;
    if (in.force_overlap) return {device.overlap, "forced"};
    std::string text = fmt::format("vStep {} >= dv {}: {}; ", in.v_step, in.dv, yes(in.v_step >= in.dv));
    if (in.variant == Variant::V1135) {
        text += fmt::format("dv {} > vStep {}: {}", in.dv, in.v_step, yes(in.dv > in.v_step));
    } else {
        text += fmt::format("dv {} > vStep {} and {} blocks > {} heads: {}", in.dv, in.v_step, in.block_num, in.hv,
                            yes(device.split_v));
    }
    return {device.overlap, std::move(text)};
}

} // namespace

bool Books::agree() const {
    return host_branch.overlap == device_branch.overlap &&
           std::none_of(rows.begin(), rows.end(), [](const BookRow& row) { return row.differs(); });
}

Books keep_books(const DevicePartition& device, const HostBelief& belief) {
    const DeviceInput& in = device.input;
    const std::int64_t cs = in.chunk_size;
    const Widths& w = device.widths;
    Books books;
    books.host_branch = host_reason(device, belief);
    books.device_branch = device_reason(device);
    const bool overlap = books.host_branch.overlap;
    books.host = host_terms(in.variant, cs, in.dk, in.v_step, overlap);
    books.host_tmp_bytes = books.host.total - (belief.omit_beta ? books.host.beta : 0);
    books.host_queue_bytes = host_queue_bytes(in.variant, cs, in.dk, in.v_step);

    const HostTerms& h = books.host;
    const auto row = [&](std::string term, std::string formula, std::int64_t host, std::initializer_list<ViewId> ids,
                         std::string_view joint = " + ") {
        books.rows.push_back(
            {std::move(term), std::move(formula), host, names(device, ids, joint), device_bytes(device, ids)});
    };
    row("kTile x2", fmt::format("2 * cs {} * alignK {} * 4", cs, w.align_k), 2 * h.k_tile,
        {ViewId::ChunkK, ViewId::KCumdecay});
    row("decay", fmt::format("cs {} * cs {} * 4", cs, cs), h.decay, {ViewId::DecayMask});
    row("vTile x2", fmt::format("2 * cs {} * vStep {} * 4", cs, w.v_step_aligned), 2 * h.v_tile,
        {ViewId::ChunkV, ViewId::ChunkAttnOut});
    row("gCum", fmt::format("cs {} * 4", cs), h.g_cum, {ViewId::GCumsum});
    row("delta", fmt::format("max(stateStrideK {}, cs {}, vStep {}) * 4", w.state_stride_k, cs, w.v_step_aligned),
        h.delta, {ViewId::Delta});
    row("dot", fmt::format("max(stateStrideK {}, cs {}) * 4", w.state_stride_k, cs), h.dot, {ViewId::DotProduct});
    row("expG", fmt::format("cs {} * 4", cs), h.exp_g, {ViewId::ExpGCum});
    row("scoresState",
        overlap ? fmt::format("max(scores {}, state {})", h.scores, h.state)
                : fmt::format("scores {} + state {}", h.scores, h.state),
        h.scores_state, {ViewId::ChunkScores, ViewId::StateIn}, device.overlap ? " | " : " + ");
    if (in.variant == Variant::V1135) {
        row("beta", belief.omit_beta ? "forgotten" : fmt::format("cs {} * 4", cs), belief.omit_beta ? 0 : h.beta,
            {ViewId::Beta});
    }
    if (device.find(ViewId::Appended) != nullptr) row("(none)", "", 0, {ViewId::Appended});
    books.rows.push_back({"total", "sum of the terms", books.host_tmp_bytes, "furthest view end", device.used_bytes});
    books.rows.push_back(
        {"queue", fmt::format("max(stateStrideK {}, cs {}) * vStep {} * 2", w.state_stride_k, cs, w.v_step_aligned),
         books.host_queue_bytes, fmt::format("stateOutQueue x{}", device.queue_num),
         device.queue_num * device.queue_bytes});
    return books;
}

} // namespace ls::ub::cgdr
