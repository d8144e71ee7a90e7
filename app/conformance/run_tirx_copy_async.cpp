// tirx/copy_async: plans of tcgen05.cp, tcgen05.ld/st, TMA and copies to another CTA's shared memory.
#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_cute_json.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "app/conformance/run_tirx_tile.h"
#include "core/layout/catalogue/tmem.h"
#include "core/passes/tirx/plan/dsmem.h"
#include "core/passes/tirx/plan/tcgen05_cp.h"
#include "core/passes/tirx/plan/tcgen05_ldst.h"
#include "core/passes/tirx/plan/tma.h"

namespace ls::conformance {

namespace {

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string wanted_error(const Json& expect) {
    return expect.contains("error_contains") ? expect["error_contains"].get<std::string>() : expect.at("error").get<std::string>();
}

DType dtype_of(const Json& input) {
    if (input.contains("dtype")) return dtype_from_name(input["dtype"].get<std::string>()).value_or(DType::Fp16);
    switch (input.value("bits", 16)) {
        case 8: return DType::UInt8;
        case 32: return DType::Fp32;
        default: return DType::Bf16;
    }
}

Result<tirx::Tcgen05CpPlan> cp_plan(const Json& input) {
    tirx::Tcgen05Cp call;
    LS_TRY(call.shared, operand_from_json(input, "smem_", "shared.dyn", dtype_of(input)));
    Json tmem = input;
    // A TMEM operand without a shape has the extents of the copy.
    if (!tmem.contains("tmem_shape") && input.contains("smem_region")) {
        for (const Json& range : input["smem_region"]) tmem["tmem_shape"].push_back(range.at(1).get<std::int64_t>() - range.at(0).get<std::int64_t>());
    }
    LS_TRY(call.tmem, operand_from_json(tmem, "tmem_", "tmem", dtype_of(input)));
    call.config = config_from_json(input.value("config", Json::object()));
    return plan_tcgen05_cp(call);
}

Outcome run_cp(const Json& input, const Json& expect) {
    const auto plan = cp_plan(input);
    if (!plan) return failed("refused: " + plan.error().message);
    Json middle = Json::array();
    for (const auto& loop : plan->loops) middle.push_back({loop.extent, loop.smem_step_16b, loop.tmem_step});
    Json issues = Json::array();
    for (std::int64_t i = 0; i < plan->issues(); ++i) {
        const auto step = plan->step(i);
        const Dim tmem = plan->tmem_offset + step.tmem;
        const Dim smem = plan->smem_offset_16b + step.smem_16b;
        issues.push_back({tmem.constant().value_or(-1), smem.constant().value_or(-1)});
    }
    Checks checks;
    checks.same("shape", expect, plan->shape);
    checks.same("multicast", expect, plan->multicast);
    checks.same("swizzle", expect, static_cast<int>(plan->swizzle));
    checks.same("ldo", expect, plan->ldo);
    checks.same("sdo", expect, plan->sdo);
    checks.same("middle", expect, middle);
    checks.same("issues_taddr_and_smem16B", expect, issues);
    return checks.outcome();
}

/// A TMEM or register buffer from a layout; two dimensions of its own rows and `width`.
Result<tirx::Operand> matrix_operand(const Json& layout, std::string scope, DType dtype, std::int64_t width) {
    LS_TRY(const Layout read, layout_from_json(layout));
    const std::int64_t elements = size(read).constant().value_or(0);
    return tirx::whole(scope, scope, dtype, {Dim(width > 0 ? elements / width : 0), Dim(width)}, read);
}

Outcome run_ldst(const Json& input, const Json& expect) {
    const DType dtype = dtype_of(input);
    const std::string direction = input.value("direction", "ld");
    tirx::Tcgen05LdSt call;
    const std::int64_t width = input.at("width");
    LS_TRY_OUTCOME(call.local, matrix_operand(input.at("local"), "local", dtype, width));
    LS_TRY_OUTCOME(call.tmem, matrix_operand(input.at("tmem"), "tmem", dtype, width));
    call.load = direction != "st";
    const auto plan = plan_tcgen05_ldst(call);
    if (!plan) return failed("refused: " + plan.error().message);
    Json issues = Json::array();
    std::string chain = plan->instruction();
    if (direction == "both") chain.replace(chain.find(".ld."), 4, ".{ld,st}.");
    const std::int64_t first = input.value("tmem_col_start", std::int64_t{0});
    for (const auto& issue : plan->issues) {
        issues.push_back({chain, issue.place.lane.constant().value_or(-1), issue.place.column.constant().value_or(-1) + first, issue.registers});
    }
    Checks checks;
    checks.same("issues_chain_row_col_nregs", expect, issues);
    return checks.outcome();
}

Outcome run_compat(const Json& input, const Json& expect) {
    const bool accepted = tirx::datapath_takes_atom(input.at("datapath").get<std::string>().at(0),
                                                    input.at("atom").get<std::string>().starts_with("16x"),
                                                    input.at("frag_rows").get<std::int64_t>());
    Checks checks;
    checks.same("accepted", expect, accepted);
    return checks.outcome();
}

/// Cases that name a buffer and a fragment in words.
Outcome run_ldst_reject(const Json& input, const Json& expect) {
    const std::string words = input.dump();
    const bool f = mentions(words, "Layout F") || mentions(words, "datapath F");
    tirx::Tcgen05LdSt call;
    const auto shape = mentions(words, "16x*b") && !f ? catalogue::Tcgen05Shape::B16x64 : catalogue::Tcgen05Shape::B32x32;
    const std::int64_t rows = f ? 128 : 64;
    LS_TRY_OUTCOME(const auto atom, catalogue::tcgen05_atom(shape, rows, 64, DType::Fp32));
    call.local = tirx::whole("frag", "local", DType::Fp32, {Dim(rows), Dim(64)}, atom.layout.layout);
    LS_TRY_OUTCOME(const TensorLayout tmem, catalogue::tmem_datapath(f ? catalogue::Datapath::F : catalogue::Datapath::B, 64, 64));
    call.tmem = tirx::whole("acc", "tmem", DType::Fp32, {Dim(64), Dim(64)}, tmem.layout);
    if (mentions(words, "partial")) {
        call.tmem.region[1].extent = Dim(32);
        call.local.region[1].extent = Dim(32);
    }
    const auto plan = plan_tcgen05_ldst(call);
    return plan ? failed("expected a refusal") : refused_with(plan.error(), wanted_error(expect));
}

Result<std::vector<Region>> start_extents(const Json& list) {
    std::vector<Region> out;
    for (const Json& range : list) {
        LS_TRY(const Dim begin, dim_from_json(range.at(0)));
        LS_TRY(const Dim extent, dim_from_json(range.at(1)));
        out.push_back({begin, extent});
    }
    return out;
}

/// One side of a TMA copy: shape, strides or layout, and region as (start, extent).
Result<tirx::Operand> tma_operand(const Json& input, const std::string& side, std::string scope, DType dtype,
                                  const std::vector<Dim>& default_shape) {
    std::vector<Dim> shape = default_shape;
    if (input.contains(side + "shape")) {
        LS_TRY(shape, dims_from_json(input[side + "shape"]));
    }
    Layout layout(row_major(shape));
    if (input.contains(side + "layout")) {
        LS_TRY(layout, layout_from_json(input[side + "layout"]));
    } else if (input.contains(side + "strides")) {
        LS_TRY(const std::vector<Dim> strides, dims_from_json(input[side + "strides"]));
        TileLayout tile;
        for (std::size_t d = 0; d < shape.size(); ++d) tile.shard.push_back({shape[d], strides[d], axes::m});
        layout = tile;
    }
    tirx::Operand operand = tirx::whole(side == "g_" ? "A" : "A_smem", std::move(scope), dtype, shape, layout);
    if (input.contains(side + "region_start_extent")) {
        LS_TRY(operand.region, start_extents(input[side + "region_start_extent"]));
    }
    return operand;
}

/// What the numbers of the case leave unsaid: a shared buffer whose layout alone is given, and words.
Json completed(Json input) {
    const std::string words = input.value("case", "");
    const auto numbers = [&words](std::string_view after) {
        Json list = Json::array();
        const std::size_t at = words.find(after);
        if (at == std::string::npos) return list;
        std::size_t i = words.find('(', at);
        while (i != std::string::npos && words[i] != ')') {
            ++i;
            list.push_back(std::stoll(words.substr(i)));
            i = words.find_first_of(",)", i);
        }
        return list;
    };
    if (mentions(words, "same s layout")) {
        input["s_shape"] = {3, 64, 8};
        input["s_strides"] = {512, 1, 64};
    }
    if (mentions(words, "s_shape")) input["s_shape"] = numbers("s_shape");
    if (mentions(words, "s_strides")) input["s_strides"] = numbers("s_strides");
    if (mentions(words, ") strides (")) input["s_strides"] = numbers(") strides");
    if (const std::size_t rows = words.find("rows ["); rows != std::string::npos) {
        const std::int64_t begin = std::stoll(words.substr(rows + 6));
        const std::int64_t end = std::stoll(words.substr(words.find(':', rows) + 1));
        input["g_region_start_extent"] = {{begin, end - begin}, {0, input.at("g_shape").at(1)}};
    }
    // A stage of a swizzled-like buffer: its rank is the shape (stages, rows, columns).
    if (input.contains("s_layout") && !input.contains("s_shape")) {
        const Json& shard = input["s_layout"].at("shard");
        const std::int64_t rows = shard.at(1).at(0);
        const std::int64_t cols = shard.at(2).at(0).get<std::int64_t>() * shard.at(3).at(0).get<std::int64_t>();
        input["s_shape"] = {shard.at(0).at(0), rows, cols};
        input["s_region_start_extent"] = {{0, 1}, {0, rows}, {0, cols}};
        if (!input.contains("g_region_start_extent")) input["g_region_start_extent"] = {{0, rows}, {0, cols}};
    }
    // A region of the global tensor alone: the shared one is the same part of a buffer of the same shape.
    if (input.contains("g_region_start_extent") && !input.contains("s_shape") && !input.contains("s_region_start_extent")) {
        input["s_region_start_extent"] = input["g_region_start_extent"];
    }
    return input;
}

Result<tirx::TmaPlan> tma_plan(const Json& raw, bool explicit_form) {
    const Json input = completed(raw);
    tirx::TmaCopy call;
    const DType dtype = dtype_of(input);
    LS_TRY(call.global, tma_operand(input, "g_", "global", dtype, {}));
    LS_TRY(call.shared, tma_operand(input, "s_", "shared.dyn", dtype, call.global.shape));
    call.to_shared = input.value("direction", "g2s") == "g2s";
    call.config = config_from_json(input.value("config", Json::object()));
    if (call.to_shared) call.config.emplace("mbar", tirx::Opaque{"mbar"});
    call.sm = 100;
    return explicit_form ? plan_tma_explicit(call) : plan_tma_auto(call);
}

Json dims_json(std::span<const Dim> dims) {
    Json list = Json::array();
    for (const Dim& dim : dims) {
        if (dim.is_constant()) {
            list.push_back(dim.value());
        } else {
            list.push_back(to_string(dim));
        }
    }
    return list;
}

Outcome run_tma(const Json& input, const Json& expect, bool explicit_form) {
    const auto plan = tma_plan(input, explicit_form);
    if (!plan) return failed("refused: " + plan.error().message);
    Json axes = Json::array();
    for (const auto& axis : plan->issue_axes) axes.push_back({axis.extent, axis.smem_stride_elems});
    Checks checks;
    checks.same("rank", expect, plan->map.rank());
    checks.same("dim", expect, fmt::format("{}d", plan->map.rank()));
    checks.same("dtype", expect, std::string(info(plan->map.dtype).tirx));
    checks.same("globalDim", expect, dims_json(plan->map.global_dims));
    checks.same("globalStrides_bytes", expect, dims_json(plan->map.global_strides_bytes));
    checks.same("boxDim", expect, dims_json(plan->map.box));
    checks.same("coords", expect, dims_json(plan->map.coordinates));
    checks.same("instructions", expect, plan->issues());
    checks.same("payload_bits", expect, plan->payload_bits().constant().value_or(-1));
    checks.same("issue_axes_extent_smemstride", expect, axes);
    if (expect.contains("swizzle")) checks.same("swizzle", expect, plan->map.swizzle);
    for (const auto& [key, value] : expect.items()) {
        if (!key.starts_with("issue") || !key.ends_with("_offset_coords")) continue;
        const auto issue = plan->issue(Dim(std::int64_t{std::stoll(key.substr(5))}));
        checks.equal(key, value, Json::array({issue.smem_offset_elems.constant().value_or(-1), dims_json(issue.coordinates)}));
    }
    return checks.outcome();
}

Outcome run_dsmem_reject(const Json& input, const Json& expect) {
    const std::string words = input.value("case", "");
    tirx::DsmemCopy call;
    call.dst = tirx::whole("dst", "shared.dyn", DType::Fp16, {Dim(64), Dim(64)}, Layout(row_major(std::vector<std::int64_t>{64, 64})));
    call.src = call.dst;
    if (!mentions(words, "mbar missing")) call.config.emplace("mbar", tirx::Opaque{"mbar"});
    if (!mentions(words, "remote_cta_id missing")) call.config.emplace("remote_cta_id", std::int64_t{1});
    const auto plan = plan_dsmem(call);
    return plan ? failed("expected a refusal") : refused_with(plan.error(), wanted_error(expect));
}

} // namespace

Outcome run_tirx_copy_async(const Json& test_case, const Json&) {
    const std::string op = test_case.at("op");
    const Json& input = test_case.at("input");
    const Json& expect = test_case.at("expect");
    if (op == "tcgen05_cp_plan") return run_cp(input, expect);
    if (op == "tcgen05_cp_reject") {
        const auto plan = cp_plan(input);
        return plan ? failed("expected a refusal") : refused_with(plan.error(), wanted_error(expect));
    }
    if (op == "tcgen05_ldst_select") return run_ldst(input, expect);
    if (op == "tcgen05_ldst_reject") return run_ldst_reject(input, expect);
    if (op == "tmem_atom_compat") return run_compat(input, expect);
    if (op == "tma_auto_plan" || op == "tma_explicit_plan") return run_tma(input, expect, op == "tma_explicit_plan");
    if (op == "tma_auto_reject" || op == "tma_explicit_reject") {
        const auto plan = tma_plan(input, op == "tma_explicit_reject");
        return plan ? failed("expected a refusal") : refused_with(plan.error(), wanted_error(expect));
    }
    if (op == "dsmem_reject") return run_dsmem_reject(input, expect);
    return skipped("unknown operation " + op);
}

bool looks_like_tirx_copy_async(const Json& first_case) {
    const std::string op = first_case.contains("op") && first_case["op"].is_string() ? first_case["op"].get<std::string>() : "";
    return op.starts_with("tcgen05_") || op.starts_with("tma_") || op.starts_with("dsmem") || op == "tmem_atom_compat";
}

} // namespace ls::conformance
