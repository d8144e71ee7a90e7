// The variants of CUDA, one row each (spec/tirx.md 6).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/passes/tirx/dispatch/cuda_predicates.h"
#include "core/passes/tirx/dispatch/dispatch.h"

namespace ls::tirx {

namespace {

using Implementation = std::function<Attempt(const DispatchCall&, const DispatchContext&)>;

/// Plans whose refusal the reference reports as an error of the author's, not as declining.
Attempt or_raise(auto plan) {
    if (plan) return TilePlan(*std::move(plan));
    return Raised{"ValueError", plan.error().message};
}
Attempt or_decline(auto plan) {
    if (plan) return TilePlan(*std::move(plan));
    return Declined{plan.error().message};
}

bool flag_of(const Argument& argument) {
    const auto* flag = std::get_if<bool>(&argument);
    return flag != nullptr && *flag;
}

Attempt gemm_async(const DispatchCall& call, const DispatchContext& context) {
    const bool scaled = call.args.size() == 8;
    const std::size_t flags = scaled ? 5 : 3;
    if (call.args.size() < flags + 2 || call.operand(0) == nullptr || call.operand(1) == nullptr || call.operand(2) == nullptr) {
        return Raised{"ValueError", "gemm_async takes C, A, B, (SFA, SFB,) transA, transB, accum"};
    }
    GemmAsync gemm;
    gemm.c = *call.operand(0);
    gemm.a = *call.operand(1);
    gemm.b = *call.operand(2);
    if (scaled) {
        if (call.operand(3) != nullptr) gemm.sfa = *call.operand(3);
        if (call.operand(4) != nullptr) gemm.sfb = *call.operand(4);
    }
    gemm.trans_a = flag_of(call.args[flags]);
    gemm.trans_b = flag_of(call.args[flags + 1]);
    gemm.config = call.config;
    gemm.warp_scope = context.scope == ScopeKind::Warp;
    return or_raise(plan_gemm_async(gemm));
}

Attempt smem_to_tmem(const DispatchCall& call, const DispatchContext&) {
    return or_raise(plan_tcgen05_cp({*call.operand(0), *call.operand(1), call.config}));
}

Attempt tmem_local(const DispatchCall& call, const DispatchContext&) {
    const bool load = is_tmem(*call.operand(1));
    return or_raise(plan_tcgen05_ldst({*call.operand(load ? 1 : 0), *call.operand(load ? 0 : 1), load}));
}

Implementation tma(bool explicit_form) {
    return [explicit_form](const DispatchCall& call, const DispatchContext& context) -> Attempt {
        const bool to_shared = is_shared(*call.operand(0));
        TmaCopy copy;
        copy.shared = *call.operand(to_shared ? 0 : 1);
        copy.global = *call.operand(to_shared ? 1 : 0);
        copy.to_shared = to_shared;
        copy.config = call.config;
        copy.sm = context.sm;
        copy.gather4 = call.gather4;
        copy.selectors = call.selectors;
        return or_decline(explicit_form ? plan_tma_explicit(copy) : plan_tma_auto(copy));
    };
}

Attempt dsmem(const DispatchCall& call, const DispatchContext&) {
    return or_decline(plan_dsmem({*call.operand(0), *call.operand(1), call.config}));
}

std::string cp_async(std::int64_t bytes, const Config& config) {
    const auto prefetch = integer(config, "prefetch_size", -1);
    return fmt::format("cp.async.{}.shared.global{}", bytes == 16 ? "cg" : "ca",
                       prefetch && *prefetch > 0 ? fmt::format(".L2::{}B", *prefetch) : "");
}

Attempt ldgsts(const DispatchCall& call, const DispatchContext& context) {
    static constexpr std::array widths{128, 64, 32};
    const Operand& shared = *call.operand(0);
    if (is_set(call.config, "direct")) {
        if (context.scope != ScopeKind::Thread) return Raised{"ValueError", "ldgsts direct=True is only valid in thread scope"};
        const std::int64_t elements = product(extents(shared)).constant().value_or(0);
        const std::int64_t total_bits = elements * bits(shared.dtype);
        if (total_bits != 32 && total_bits != 64 && total_bits != 128) {
            return Raised{"ValueError", fmt::format("ldgsts direct=True requires a 4/8/16-byte region, got {} elements of {} bits", elements,
                                                    bits(shared.dtype))};
        }
        LdgstsPlan plan;
        plan.direct = true;
        plan.partition.vector = elements;
        plan.partition.vector_bytes = total_bits / 8;
        plan.instruction = cp_async(total_bits / 8, call.config);
        return TilePlan(std::move(plan));
    }
    auto partition = plan_shared_out_copy(*call.operand(1), shared, context.thread_count(), widths, false);
    if (!partition) return Declined{partition.error().message};
    LdgstsPlan plan;
    plan.instruction = cp_async(partition->vector_bytes, call.config);
    plan.partition = *std::move(partition);
    return TilePlan(std::move(plan));
}

Attempt vec_auto(const DispatchCall& call, const DispatchContext& context) {
    static constexpr std::array widths{128, 64, 32, 16, 8};
    const bool from_global = call.operand(1)->scope == "global";
    if (const bool to_memory = call.operand(1)->scope == "local"; to_memory || call.operand(0)->scope == "local") {
        return or_decline(plan_register_copy(*call.operand(to_memory ? 1 : 0), *call.operand(to_memory ? 0 : 1), to_memory));
    }
    return or_decline(plan_shared_out_copy(*call.operand(from_global ? 1 : 0), *call.operand(from_global ? 0 : 1), context.thread_count(),
                                     widths, true));
}

Attempt scalar_copy(const DispatchCall& call, const DispatchContext&) {
    return TilePlan(ScalarCopyPlan{non_unit(extents(*call.operand(0)))});
}

Attempt ldstmatrix(const DispatchCall& call, const DispatchContext&) {
    const bool store = is_shared(*call.operand(0));
    return or_decline(plan_ldstmatrix(*call.operand(store ? 1 : 0), *call.operand(store ? 0 : 1), store));
}

Attempt mma(const DispatchCall& call, const DispatchContext&) {
    for (std::size_t i = 0; i < 4; ++i) {
        if (call.operand(i) == nullptr) return Declined{"gemm takes D, A, B, C, transpose_A, transpose_B, alpha, beta"};
    }
    const auto number = [&call](std::size_t index, double otherwise) {
        if (index >= call.args.size()) return otherwise;
        if (const auto* d = std::get_if<double>(&call.args[index])) return *d;
        if (const auto* n = std::get_if<std::int64_t>(&call.args[index])) return static_cast<double>(*n);
        return otherwise;
    };
    const auto flag = [&call](std::size_t index) { return index < call.args.size() && flag_of(call.args[index]); };
    return or_decline(plan_mma({*call.operand(0), *call.operand(1), *call.operand(2), *call.operand(3), flag(4), flag(5),
                                number(6, 1.0), number(7, 0.0)}));
}

Attempt warp_xor(const DispatchCall& call, const DispatchContext& context) {
    if (context.scope != ScopeKind::Warp) return Declined{fmt::format("scope '{}' is not 'warp'", ls::name(context.scope))};
    if (!context.flat_threads) return Declined{"multi-dim threadIdx is not supported"};
    if (call.operand(0) == nullptr || call.operand(1) == nullptr) return Declined{"permute_layout takes dst and src"};
    return or_decline(plan_permute_layout(*call.operand(0), *call.operand(1)));
}

ElementwiseSource source_of(const DispatchCall& call, std::size_t argument) {
    ElementwiseSource source{argument, {}, DType::Fp32};
    if (const Operand* region = call.operand(argument)) source.region = *region;
    if (std::holds_alternative<std::int64_t>(call.args[argument])) source.dtype = DType::Int32;
    return source;
}

/// Binary operations and fma take what follows the destination; the others a source, perhaps a bias.
Implementation elementwise_plan(std::string op, bool registers) {
    return [op = std::move(op), registers](const DispatchCall& call, const DispatchContext& context) -> Attempt {
        if (call.operand(0) == nullptr) return Declined{"the destination is no region"};
        static constexpr std::array several{"add", "sub", "mul", "fdiv", "maximum", "fma"};
        std::vector<ElementwiseSource> rows;
        const auto given = [&](std::size_t i) { return i < call.args.size() && !std::holds_alternative<std::monostate>(call.args[i]); };
        if (std::find(several.begin(), several.end(), op) != several.end()) {
            for (std::size_t i = 1; i < 4 && given(i); ++i) rows.push_back(source_of(call, i));
        } else {
            rows.push_back(source_of(call, given(1) ? 1 : 0)); // in place
            if (given(2) && call.operand(2) != nullptr) rows.push_back(source_of(call, 2));
        }
        auto sources = elementwise_sources(op, std::move(rows));
        if (!sources) return Declined{sources.error().message};
        const ElementwiseCall elementwise{op, *call.operand(0), *std::move(sources), context.sm};
        if (registers) return or_decline(plan_elementwise_registers(elementwise));
        const std::int64_t threads = context.scope == ScopeKind::Cta ? context.threads : context.scope == ScopeKind::Warpgroup ? 128 : context.scope == ScopeKind::Warp ? 32 : 1;
        return or_decline(plan_elementwise_shared(elementwise, threads));
    };
}

enum class ReductionVariant : std::uint8_t { Packed, Local, Shared };
Implementation reduction(std::string op, ReductionVariant variant) {
    return [op = std::move(op), variant](const DispatchCall& call, const DispatchContext& context) -> Attempt {
        if (call.operand(0) == nullptr || call.operand(1) == nullptr) return Declined{"needs dst and src"};
        const ReductionCall reduced{op, *call.operand(0), *call.operand(1), call.axes, is_set(call.config, "thread_reduce")};
        const bool one_thread = context.scope == ScopeKind::Thread;
        if (variant == ReductionVariant::Packed) {
            return or_decline(plan_thread_reduction(reduced, op == "sum" ? ReductionKind::PackedSum : ReductionKind::ThreeInputs));
        }
        if (variant == ReductionVariant::Local) {
            if (one_thread) return or_decline(plan_thread_reduction(reduced, ReductionKind::Serial));
            if (context.scope != ScopeKind::Warp && context.scope != ScopeKind::Warpgroup) return Declined{"unsupported exec_scope for local reduction"};
            return or_decline(plan_warp_reduction(reduced, context.scope == ScopeKind::Warp));
        }
        return or_decline(plan_shared_reduction(reduced, one_thread ? 1 : context.scope == ScopeKind::Cta ? context.threads : context.scope == ScopeKind::Warpgroup ? 128 : 32));
    };
}

void add_copies(Registry& registry) {
    registry.add("copy_async", "cuda", {"ldgsts", 20, {is_ldgsts()}, ldgsts});
    registry.add("copy_async", "cuda", {"dsmem", 10, {valid_copy(), single_thread(), shared_to_shared()}, dsmem});
    registry.add("copy_async", "cuda", {"smem->tmem", 10, {smem_tmem_copy(), thread_scope()}, smem_to_tmem});
    for (const bool explicit_form : {false, true}) {
        registry.add("copy_async", "cuda", {explicit_form ? "tma_explicit" : "tma_auto", 10, {tma_copy(), single_thread()}, tma(explicit_form)});
    }
    registry.add("copy_async", "cuda", {"tmem<->local", 10, {valid_copy(), scopes({ScopeKind::Warpgroup}), tmem_local_pair()}, tmem_local});

    static constexpr std::array sizes{std::pair{"vec_256b", 32}, std::pair{"vec_128b", 16}, std::pair{"vec_64b", 8}, std::pair{"vec_32b", 4},
                                      std::pair{"vec_16b", 2}};
    for (const auto& [name, bytes] : sizes) {
        registry.add("copy", "cuda", {name, 20, {forced_vector(name, bytes)}, [bytes = bytes](const DispatchCall& call, const DispatchContext&) {
                         return or_raise(plan_vector_copy(*call.operand(0), *call.operand(1), bytes, call.config));
                     }});
    }
    registry.add("copy", "cuda", {"ldstmatrix", 10, {ldstmatrix_copy()}, ldstmatrix});
    registry.add("copy", "cuda", {"vec_auto", 10, {vec_auto_copy()}, vec_auto});
    registry.add("copy", "cuda", {"fallback", 0, {valid_copy()}, scalar_copy});
}

void add_arithmetic(Registry& registry) {
    registry.add("gemm", "cuda", {"mma.m16n8k*", 10, {full_active_lanes(), no_replica()}, mma});
    registry.add("permute_layout", "cuda", {"warp_xor_swizzle", 20, {}, warp_xor});
    for (const char* op : {"sum", "max", "min"}) {
        const bool sum = std::string_view(op) == "sum";
        registry.add(op, "cuda", {sum ? "packed_add_sum" : "3input_maxmin", 20, packed_reduction(), reduction(op, ReductionVariant::Packed)});
        registry.add(op, "cuda", {"local", 10, {operands_in("storage_scope", "local"), reduction_valid("local_valid")},
                                  reduction(op, ReductionVariant::Local)});
        registry.add(op, "cuda", {"shared", 10, {operands_in("storage_scope", "shared*"), reduction_valid("shared_valid")},
                                  reduction(op, ReductionVariant::Shared)});
    }
    for (const char* op : {"zero", "fill", "reciprocal", "sqrt", "exp", "exp2", "log2", "silu", "add", "sub", "mul", "fdiv", "maximum", "cast", "fma"}) {
        registry.add(op, "cuda", {"reg", 10, {elementwise(std::string(op) + "_reg", "local")}, elementwise_plan(op, true)});
        registry.add(op, "cuda", {"smem", 10, {elementwise(std::string(op) + "_smem", "shared*")}, elementwise_plan(op, false)});
    }
}

} // namespace

const Registry& cuda_registry() {
    static const Registry registry = [] {
        Registry made;
        made.add("gemm_async", "cuda", {"tcgen05", 10, {thread_or_warp()}, gemm_async});
        add_copies(made);
        add_arithmetic(made);
        return made;
    }();
    return registry;
}

} // namespace ls::tirx
