#include <array>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/codegen/ascendc/ascendc.h"
#include "core/codegen/ascendc/source_template.h"
#include "core/ub/cgdr/device_partition.h"
#include "core/ub/work/distribution.h"
#include "embedded/ascendc_stub.h"
#include "embedded/cgdr_check.h"
#include "embedded/cgdr_host_tiling.h"
#include "embedded/cgdr_kernel.h"
#include "embedded/cgdr_tiling.h"

namespace ls::codegen {

using namespace ub::cgdr;

namespace {

/// The member that holds each view, in ViewId's order.
constexpr std::array<std::string_view, kViewCount> kMembers{"chunkK_",      "kCumdecay_",  "decayMask_",    "chunkV_",
                                                            "chunkScores_", "stateIn_",    "chunkAttnOut_", "gCumsum_",
                                                            "delta_",       "dotProduct_", "expGCum_",      "beta_"};

std::vector<std::string> origins_of(std::string_view text) {
    std::vector<std::string> origins;
    while (!text.empty()) {
        const std::size_t newline = text.find('\n');
        std::string_view line = text.substr(0, newline);
        text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        std::string origin;
        for (std::size_t v = 0; v < kMembers.size(); ++v) {
            if (line.starts_with(fmt::format("{} = ", kMembers[v]))) origin = name(static_cast<ViewId>(v));
        }
        if (line.starts_with("pipe_->InitBuffer(stateOutQueue_")) origin = "stateOutQueue";
        if (line.starts_with("pipe_->InitBuffer(tmpBuff_")) origin = "tmpBuff";
        origins.push_back(std::move(origin));
    }
    return origins;
}

AscendcFile file(std::string name, std::string text) {
    AscendcFile made{std::move(name), std::move(text), {}};
    made.origins = origins_of(made.text);
    return made;
}

std::string record_fields() {
    std::string text;
    for (const TilingField& field : tiling_fields()) {
        const std::string_view remark = field.use == FieldUse::NoReader          ? "; no device reader"
                                        : field.use == FieldUse::CopiedNeverUsed ? "; copied, never used"
                                                                                 : "";
        text += fmt::format("  {} {};  // byte {}{}\n", field.type == FieldType::Float ? "float" : "uint32_t",
                            field.name, field.offset_bytes, remark);
    }
    return text;
}

std::string view_rows(const DevicePartition& device) {
    std::string text;
    for (const CarvedView& v : device.views)
        text += fmt::format("    {{\"{}\", {}u, {}u, {}u}},\n", name(v.id), v.elems, v.off, v.end);
    return text;
}

std::string record_rows(const TilingRecord& record) {
    std::string text;
    const auto bytes = encode(record);
    for (std::size_t i = 0; i < bytes.size(); i += 16) {
        text += fmt::format("    {},\n", fmt::join(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                                                   bytes.begin() + static_cast<std::ptrdiff_t>(i + 16), ", "));
    }
    return text;
}

/// A list broken into lines that a person can read.
std::string list(const std::vector<std::int32_t>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i % 24 == 0 ? ",\n    " : ", ", values[i]);
    return text;
}

std::string about(const HostInput& in, const HostPlan& plan) {
    return fmt::format(
        "chunk_gated_delta_rule, {}: dk {}, dv {}, {} value heads, chunk {}; vStep {} on {} bytes of unified buffer.",
        name(in.variant), in.dk, in.dv, in.hv, in.chunk_size, plan.search.v_step, in.ub_bytes);
}

} // namespace

Result<std::vector<AscendcFile>> export_cgdr(const HostPlan& plan, const CgdrExportOptions& options) {
    if (!plan.search.ok) {
        return error("CG_ASCENDC_NO_PLAN",
                     plan.search.failure ? plan.search.failure->message : "the plan has no V step",
                     "choose a shape for which a V step fits");
    }
    const HostInput& in = plan.input;
    if (in.ub_bytes > std::numeric_limits<std::uint32_t>::max()) {
        return error("CG_ASCENDC_NO_PLAN",
                     fmt::format("{} bytes of unified buffer do not fit the record's 32 bits", in.ub_bytes),
                     "no chip has so much");
    }
    DeviceInput launch{in.variant, in.chunk_size, in.dk, in.dv, plan.search.v_step, in.hv, plan.block_dim, {}};
    DeviceTweaks advance; // the exported form moves past its last view; offsets are the same
    advance.advance_past_last = true;
    LS_TRY(const DevicePartition device, carve(launch, advance));

    ub::work::WorkInput batch;
    batch.seq_lens = options.seq_lens;
    if (batch.seq_lens.empty()) batch.seq_lens.push_back(static_cast<std::int32_t>(in.t));
    batch.heads = in.hv;
    batch.v_tiles = plan.split_v ? plan.v_tile_count : 1;
    batch.cores = plan.block_dim;
    LS_TRY(const ub::work::Distribution distribution, ub::work::distribute(std::move(batch)));
    constexpr std::int64_t kMaxListed = 100'000;
    if (distribution.item_count() > kMaxListed) {
        return error("UB_WORK_TOO_LARGE",
                     fmt::format("{} units of work are too many to list in a check program", distribution.item_count()),
                     "export with fewer sequences");
    }

    const TilingRecord record = tiling_record(plan, options.has_gamma, options.scale);
    const TemplateValues values{
        {"ABOUT", about(in, plan)},
        {"FIELDS", record_fields()},
        {"VIEWS", view_rows(device)},
        {"RECORD", record_rows(record)},
        {"LENGTHS", list(distribution.input.seq_lens)},
        {"OWNERS", list(distribution.owners())},
        {"BATCHES", fmt::format("{}", distribution.input.seq_lens.size())},
        {"BLOCKDIM", fmt::format("{}", plan.block_dim)},
        {"AVGLOAD", fmt::format("{}u", distribution.quota)},
        {"SCRATCH", fmt::format("{}", plan.search.tbuf_bytes)},
        {"QUEUE", fmt::format("{}", plan.search.out_queue_bytes)},
        {"WORKSPACE", fmt::format("{}", plan.workspace_bytes)},
        {"KEY", fmt::format("{}", plan.tiling_key)},
        {"UB", fmt::format("{}u", in.ub_bytes)},
        {"SPREAD", plan.split_v ? "true" : "false"},
        {"SHAPE",
         fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {:#}F", in.batch, in.t, in.hqk, in.hv, in.dk, in.dv,
                     in.ub_bytes, in.aiv, in.chunk_size, options.has_gamma ? "true" : "false", options.scale)},
    };
    const std::string_view word = name(in.variant);
    std::vector<AscendcFile> files;
    files.push_back(file("cgdr_tiling.h", fill_template(embedded::cgdr_tiling, word, values)));
    files.push_back(file("cgdr_kernel.h", fill_template(embedded::cgdr_kernel, word, values)));
    files.push_back(file("cgdr_host_tiling.h", fill_template(embedded::cgdr_host_tiling, word, values)));
    files.push_back(file("ascendc_stub.h", std::string(embedded::ascendc_stub)));
    files.push_back(file("cgdr_check.cpp", fill_template(embedded::cgdr_check, word, values)));
    return files;
}

} // namespace ls::codegen
