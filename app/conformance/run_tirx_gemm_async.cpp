// tirx/gemm_async: plans of tcgen05.mma, what they refuse, and what their text holds.
#include <algorithm>

#include <fmt/format.h>

#include "app/conformance/forms.h"
#include "app/conformance/run_cute_json.h"
#include "app/conformance/run_tirx_layout_json.h"
#include "app/conformance/run_tirx_tile.h"
#include "core/layout/catalogue/scale_factors.h"
#include "core/layout/catalogue/tmem.h"
#include "core/machine/tensor_core/ptx_name.h"
#include "core/passes/tirx/plan/gemm_async.h"

namespace ls::conformance {

namespace {

using catalogue::SwizzleMode;
using tirx::GemmAsync;
using tirx::GemmAsyncPlan;

Layout shared_tile(DType dtype, SwizzleMode mode, std::int64_t rows, std::int64_t cols) {
    const std::vector<std::int64_t> shape{rows, cols};
    const auto layout = catalogue::mma_shared(dtype, mode, shape);
    return layout ? layout->layout : Layout(row_major(shape));
}

tirx::Operand shared(std::string name, DType dtype, std::int64_t rows, std::int64_t cols, Layout layout) {
    return tirx::whole(std::move(name), "shared.dyn", dtype, {Dim(rows), Dim(cols)}, std::move(layout));
}

TileLayout tmem_tile(std::initializer_list<Iter> iters) {
    TileLayout tile;
    tile.shard = iters;
    return tile;
}
Iter lanes(std::int64_t extent, std::int64_t stride) { return {Dim(extent), Dim(stride), axes::TLane}; }
Iter columns(std::int64_t extent) { return {Dim(extent), Dim(1), axes::TCol}; }

/// C as a kernel of that shape declares it: the packed fold for two CTAs of 64 rows, else row = lane.
tirx::Operand accumulator(std::int64_t m, std::int64_t n, std::int64_t cta_group) {
    const TileLayout tile = m == 64 && cta_group == 2 ? tmem_tile({lanes(64, 1), lanes(2, 64), columns(n / 2)})
                                                       : tmem_tile({lanes(m, 1), columns(n)});
    return tirx::whole("C", "tmem", DType::Fp32, {Dim(m), Dim(n)}, Layout(tile));
}

/// A dense problem over whole buffers with the widest swizzle that fits.
GemmAsync dense(std::int64_t m, std::int64_t n, std::int64_t k, DType dtype, SwizzleMode mode = SwizzleMode::B128) {
    GemmAsync call;
    call.a = shared("A", dtype, m, k, shared_tile(dtype, mode, m, k));
    call.b = shared("B", dtype, n, k, shared_tile(dtype, mode, n, k));
    call.c = accumulator(m, n, 1);
    return call;
}

Json offsets(std::int64_t outer, std::int64_t inner, const auto& offset) {
    Json rows = Json::array();
    for (std::int64_t i = 0; i < outer; ++i) {
        Json row = Json::array();
        for (std::int64_t ki = 0; ki < inner; ++ki) {
            const Result<Dim> at = offset(Dim(i), Dim(ki));
            row.push_back(at && at->is_constant() ? Json(at->value()) : Json("none"));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

Json operand_json(const tirx::SmemOperand& operand) {
    return {{"swizzle", static_cast<int>(operand.swizzle)}, {"ldo", operand.ldo}, {"sdo", operand.sdo}, {"mn_major", operand.mn_major}};
}

Json base_word(const tirx::SmemOperand& operand) {
    const auto word = encode(operand.descriptor(), tensor_core::Generation::Blackwell);
    return word ? Json(*word) : Json(word.error().message);
}

Outcome run_plan(const Json& input, const Json& expect) {
    const auto dtype = dtype_from_name(input.at("dtype").get<std::string>());
    if (!dtype) return failed("unknown dtype");
    GemmAsync call;
    LS_TRY_OUTCOME(call.a, operand_from_json(input, "A_", "shared.dyn", *dtype));
    LS_TRY_OUTCOME(call.b, operand_from_json(input, "B_", "shared.dyn", *dtype));
    const std::int64_t cta_group = input.value("cg", std::int64_t{1});
    if (input.contains("C_layout")) {
        LS_TRY_OUTCOME(call.c, operand_from_json(input, "C_", "tmem", DType::Fp32));
    } else {
        call.c = accumulator(input.at("M"), input.at("N"), cta_group);
    }
    call.trans_a = input.value("transA", false);
    call.trans_b = input.value("transB", false);
    call.config = config_from_json(input.value("config", Json::object()));
    call.config.emplace("cta_group", cta_group);
    if (input.value("tf32", false)) call.config.emplace("is_AB_tf32", true);
    if (input.contains("tile")) {
        call.config.emplace("mma_m", input["tile"].at(0).get<std::int64_t>());
        call.config.emplace("mma_n", input["tile"].at(1).get<std::int64_t>());
    }
    const auto plan = plan_gemm_async(call);
    if (expect.contains("error")) return plan ? failed("expected a refusal") : refused_with(plan.error(), expect["error"]);
    if (expect.contains("error_contains")) {
        return plan ? failed("expected a refusal") : refused_with(plan.error(), expect["error_contains"]);
    }
    if (!plan) return failed("refused: " + plan.error().message);
    Checks checks;
    checks.same("M_mma", expect, plan->tile.m);
    checks.same("N_mma", expect, plan->tile.n);
    checks.same("MMA_K", expect, plan->mma_k);
    checks.same("M_tiles", expect, plan->m_tiles);
    checks.same("N_tiles", expect, plan->n_tiles);
    checks.same("K_iters", expect, plan->k_iters);
    checks.same("A", expect, operand_json(*plan->a));
    checks.same("B", expect, operand_json(plan->b));
    for (const auto& [key, operand] : {std::pair{"A_desc_base", &*plan->a}, std::pair{"B_desc_base", &plan->b}}) {
        if (expect.contains(key)) checks.equal(key, std::stoull(expect[key].get<std::string>(), nullptr, 16), base_word(*operand));
    }
    checks.same("A_off16", expect, offsets(plan->m_tiles, plan->k_iters, [&](const Dim& i, const Dim& k) { return plan->a_offset_16b(i, k); }));
    checks.same("B_off16", expect, offsets(plan->n_tiles, plan->k_iters, [&](const Dim& i, const Dim& k) { return plan->b_offset_16b(i, k); }));
    checks.same("idesc", expect, plan->idesc);
    checks.same("idesc_hex", expect, hex(plan->idesc, 8));
    checks.same("n_mma_instructions", expect, plan->m_tiles * plan->n_tiles * plan->k_iters);
    checks.same("kind", expect, std::string(name(plan->kind)));
    return checks.outcome();
}

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// "M128 N24" and the like: the numbers that a name gives, else `otherwise`.
std::int64_t number_in(const std::string& text, char letter, std::int64_t otherwise) {
    for (std::size_t at = text.find(letter); at != std::string::npos; at = text.find(letter, at + 1)) {
        const std::size_t digits = text.find_first_not_of("= ", at + 1);
        if (digits != std::string::npos && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) return std::stoll(text.substr(digits));
    }
    return otherwise;
}

/// The problems that the cases name in words.
GemmAsync named_problem(const Json& input) {
    const std::string name = input.value("name", "") + input.value("case", "");
    std::int64_t m = input.value("M", mentions(name, "M=64") ? std::int64_t{64} : std::int64_t{128});
    const std::int64_t n = input.value("N", std::int64_t{128});
    const std::int64_t k = input.value("K", std::int64_t{64});
    if (mentions(name, "TMEM A") || mentions(name, "batched A")) {
        const bool batched = mentions(name, "batched A");
        if (batched) m = number_in(name, 'M', 128);
        GemmAsync call = dense(m, n, 16, DType::Bf16, SwizzleMode::B32);
        call.a = tirx::whole("A", "tmem", DType::Bf16, {Dim(m), Dim(16)}, Layout(tmem_tile({lanes(m, 1), columns(16)})));
        if (batched) {
            call.a = tirx::whole("A", "tmem", DType::Bf16, {Dim(2), Dim(m), Dim(16)}, Layout(tmem_tile({lanes(2, 64), lanes(m, 1), columns(16)})));
        } else if (mentions(name, "ws")) {
            call.c = tirx::whole("C", "tmem", DType::Fp32, {Dim(m), Dim(n)}, Layout(tmem_tile({lanes(64, 1), lanes(2, 64), columns(n / 2)})));
            call.config.emplace("weight_stationary", true);
        }
        return call;
    }
    const bool columns_first = input.contains("A_layout");
    GemmAsync call = dense(m, columns_first ? 256 : n, k, columns_first ? DType::Bf16 : DType::Fp16);
    if (columns_first) {
        call.trans_b = true;
        call.b = shared("B", DType::Bf16, k, 256, shared_tile(DType::Bf16, SwizzleMode::B128, k, 256));
        const auto a = operand_from_json(input, "A_", "shared.dyn", DType::Bf16);
        if (a) call.a = *a;
        call.c = accumulator(call.a.shape[0].value(), 256, 1);
    }
    if (mentions(name, "descI")) call.config.emplace("descI", tirx::Opaque{"desc"});
    return call;
}

Outcome run_reject(const Json& input, const Json& expect) {
    GemmAsync call = named_problem(input);
    if (input.contains("config")) call.config.merge(config_from_json(input["config"]));
    const auto plan = plan_gemm_async(call);
    if (plan) return failed("expected a refusal");
    return refused_with(plan.error(), expect.contains("error_contains") ? expect["error_contains"] : expect.at("error"));
}

/// An address as a kernel writes it that allocated the buffer at a constant.
std::string script_address(std::int64_t base, const tirx::TmemPlace& place) {
    return tirx::address_text(fmt::format("T.uint32({})", base), place);
}

Outcome run_ir(const Json& input, const Json& expect) {
    if (input.contains("scope")) {
        GemmAsync call = dense(128, 128, 64, DType::Fp16);
        call.warp_scope = input["scope"] == "warp";
        call.config = config_from_json({{"smem_desc", input.value("smem_desc", "hoist")}});
        const auto plan = plan_gemm_async(call);
        if (!plan) return failed("refused: " + plan.error().message);
        Checks checks;
        checks.same("post_buffer_def_contains_encode", expect, plan->desc_mode == tirx::SmemDescMode::Hoist);
        checks.same("post_buffer_def_contains_shfl_sync", expect, plan->broadcast_low);
        checks.same("impl_contains_elect_sync", expect, plan->elect);
        return checks.outcome();
    }
    // D in Layout F, or A in TMEM, moved by one lane: both keep the lane in their addresses.
    const std::string name = input.at("case");
    GemmAsync call = dense(64, 64, 16, DType::Bf16, SwizzleMode::B32);
    LS_TRY_OUTCOME(TensorLayout scattered, catalogue::tmem_datapath(catalogue::Datapath::F, 64, 64));
    TileLayout c = scattered.layout.tile();
    TileLayout a = tmem_tile({lanes(64, 1), columns(16)});
    const bool tmem_a = mentions(name, "TMEM A");
    (tmem_a ? a : c).offset[axes::TLane] = number_in(name, 't', 1);
    call.c = tirx::whole("C", "tmem", DType::Fp32, {Dim(64), Dim(64)}, Layout(c));
    if (tmem_a) call.a = tirx::whole("A", "tmem", DType::Bf16, {Dim(64), Dim(16)}, Layout(a));
    call.config = config_from_json({{"mma_m", 64}, {"mma_n", 64}});
    const auto plan = plan_gemm_async(call);
    if (!plan) return failed("refused: " + plan.error().message);
    const Dim mi = Dim::symbol("mi", 0, 0);
    const std::string text = tmem_a ? script_address(256, plan->a_place(mi, Dim::symbol("ki")))
                                    : script_address(400, plan->d_place(mi, Dim::symbol("ni")));
    Checks checks;
    checks.same("script_contains", expect, text);
    return checks.outcome();
}

/// The kernel whose source a case looks at: known by what it wants to see there.
Result<GemmAsyncPlan> kernel_plan(const Json& input, const std::string& wanted) {
    if (mentions(wanted, "mma_ws_ts")) {
        GemmAsync call = dense(64, 128, 16, DType::Bf16, SwizzleMode::B32);
        call.a = tirx::whole("A", "tmem", DType::Bf16, {Dim(2), Dim(64), Dim(16)}, Layout(tmem_tile({lanes(2, 64), lanes(64, 1), columns(16)})));
        call.c = tirx::whole("C", "tmem", DType::Fp32, {Dim(64), Dim(128)}, Layout(tmem_tile({lanes(64, 1), lanes(2, 64), columns(64)})));
        return plan_gemm_async(call);
    }
    if (mentions(wanted, "block_scale")) {
        GemmAsync call = dense(128, 64, 128, DType::Fp8E4M3);
        call.c = accumulator(128, 128, 2);
        for (auto* scale : {&call.sfa, &call.sfb}) {
            LS_TRY(const TensorLayout layout, catalogue::sf_tmem({128, 4, 1, 1, {}}, DType::Fp8E8M0));
            *scale = tirx::whole("SF", "tmem", DType::Fp8E8M0, {Dim(128), Dim(4)}, layout.layout);
        }
        call.config = config_from_json({{"cta_group", 2}, {"mma_m", 256}, {"mma_n", 64}});
        return plan_gemm_async(call);
    }
    if (mentions(wanted, ", 64, 8, 0)")) {
        GemmAsync call = dense(64, 256, 64, DType::Bf16);
        call.trans_b = true;
        TileLayout column_major;
        column_major.shard = {{Dim(64), Dim(1), axes::m}, {Dim(64), Dim(64), axes::m}};
        call.a = shared("A", DType::Bf16, 64, 64, Layout(column_major));
        call.b = shared("B", DType::Bf16, 64, 128, shared_tile(DType::Bf16, SwizzleMode::B128, 64, 128));
        call.c = accumulator(64, 256, 2);
        call.config = config_from_json({{"cta_group", 2}});
        return plan_gemm_async(call);
    }
    GemmAsync call = dense(128, 128, 64, DType::Fp16);
    call.config = config_from_json(input);
    if (mentions(wanted, "mma.ws")) call.config.insert_or_assign("weight_stationary", true);
    return plan_gemm_async(call);
}

Outcome run_cuda(const Json& input, const Json& expect) {
    const std::string wanted = expect.at("contains");
    const auto plan = kernel_plan(input, wanted);
    if (!plan) return failed("refused: " + plan.error().message);
    const bool encodes = plan->desc_mode != tirx::SmemDescMode::Recompute;
    if (mentions(wanted, "encode_matrix_descriptor")) {
        return encodes == mentions(wanted, "present") ? passed() : failed("the descriptor mode does not fit");
    }
    // The lines of source that the plan fixes.
    std::string source = plan->instruction() + "\n";
    source += fmt::format("{}((uint)400, ...)\n", tensor_core::ptx_helper_name(plan->entry(), plan->instruction()));
    if (plan->a) source += fmt::format("encode(descA, A, {}, {}, {})\n", plan->a->ldo, plan->a->sdo, static_cast<int>(plan->a->swizzle));
    return mentions(source, wanted) ? passed() : failed(fmt::format("'{}' is not in\n{}", wanted, source));
}

Outcome run_tile(const Json& input, const Json& expect) {
    const auto tile = tirx::choose_mma_tile(input.at("M"), input.at("N"), input.at("cta_group"));
    if (expect.contains("error")) return tile ? failed("expected a refusal") : refused_with(tile.error(), expect["error"]);
    if (!tile) return failed("refused: " + tile.error().message);
    Checks checks;
    checks.same("M_mma", expect, tile->m);
    checks.same("N_mma", expect, tile->n);
    return checks.outcome();
}

} // namespace

Outcome run_tirx_gemm_async(const Json& test_case, const Json&) {
    const std::string op = test_case.at("op");
    const Json& input = test_case.at("input");
    const Json& expect = test_case.at("expect");
    if (op == "gemm_async_plan") return run_plan(input, expect);
    if (op == "gemm_async_reject") return run_reject(input, expect);
    if (op == "gemm_async_ir_contains") return run_ir(input, expect);
    if (op == "gemm_async_cuda_contains") return run_cuda(input, expect);
    if (op == "choose_mma_tile") return run_tile(input, expect);
    return skipped("unknown operation " + op);
}

bool looks_like_tirx_gemm_async(const Json& first_case) {
    const std::string op = first_case.contains("op") && first_case["op"].is_string() ? first_case["op"].get<std::string>() : "";
    return op.starts_with("gemm_async") || op == "choose_mma_tile";
}

} // namespace ls::conformance
