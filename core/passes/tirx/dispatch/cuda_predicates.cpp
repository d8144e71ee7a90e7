#include "core/passes/tirx/dispatch/cuda_predicates.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls::tirx {

namespace {

PredicateAnswer yes() { return {}; }
PredicateAnswer no(std::string reason = {}) { return {false, std::move(reason)}; }
PredicateAnswer whether(bool holds, std::string reason) { return holds ? yes() : no(std::move(reason)); }

std::string_view scope_word(ScopeKind scope) { return ls::name(scope); }

bool is_copy(const DispatchCall& call) { return call.operand(0) != nullptr && call.operand(1) != nullptr; }

PredicateAnswer check_valid_copy(const DispatchCall& call) {
    if (!is_copy(call)) return no("validate_copy_op failed");
    const Operand& dst = *call.operand(0);
    const Operand& src = *call.operand(1);
    if (!src.layout || !dst.layout || src.dtype != dst.dtype) return no("validate_copy_op failed");
    const std::vector<Dim> a = non_unit(extents(src));
    const std::vector<Dim> b = non_unit(extents(dst));
    const bool equal = a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Dim& x, const Dim& y) { return proves_equal(x, y); });
    return whether(equal, "validate_copy_op failed");
}

using Pairs = std::vector<std::pair<std::string_view, std::string_view>>;
const Pairs kMemoryPairs{{"global", "shared*"}, {"shared*", "global"}, {"global", "local"},
                         {"local", "global"},   {"shared*", "local"},  {"local", "shared*"}};
const Pairs kGlobalShared{{"global", "shared*"}, {"shared*", "global"}};
const Pairs kLocalShared{{"local", "shared*"}, {"shared*", "local"}};

PredicateAnswer check_pair(const DispatchCall& call, const Pairs& allowed) {
    if (!is_copy(call)) return no("not a copy");
    const Operand& dst = *call.operand(0);
    const Operand& src = *call.operand(1);
    std::vector<std::string> texts;
    for (const auto& [from, to] : allowed) {
        if (scope_matches(src.scope, from) && scope_matches(dst.scope, to)) return yes();
        texts.push_back(fmt::format("{}->{}", from, to));
    }
    return no(fmt::format("unsupported memory scopes src={} dst={}; allowed: {}", src.scope, dst.scope, fmt::join(texts, ", ")));
}

PredicateAnswer check_all_active(const DispatchContext& context) {
    std::string why;
    return all_threads_active(context.split, context.scope, context.threads, &why) ? yes() : no(std::move(why));
}

PredicateAnswer check_scope(const DispatchContext& context, std::initializer_list<ScopeKind> allowed) {
    const bool fits = std::find(allowed.begin(), allowed.end(), context.scope) != allowed.end();
    return whether(fits, fmt::format("unsupported exec_scope {}", scope_word(context.scope)));
}

PredicateAnswer check_divides(const DispatchCall& call, const DispatchContext& context) {
    const std::int64_t threads = context.thread_count();
    if (threads <= 0) return no(fmt::format("degenerate thread_cnt={}", threads));
    const Operand& global = call.operand(1)->scope == "global" ? *call.operand(1) : *call.operand(0);
    std::int64_t elements = 1;
    for (const Dim& extent : extents(global)) {
        if (!extent.is_constant()) return no(fmt::format("non-constant region extent {}", to_string(extent)));
        elements *= extent.value();
    }
    return whether(elements % threads == 0, fmt::format("region size {} not divisible by thread_cnt={}", elements, threads));
}

/// The first of several answers that is a no.
PredicateAnswer first_no(std::initializer_list<std::function<PredicateAnswer()>> checks) {
    for (const auto& check : checks) {
        if (PredicateAnswer answer = check(); !answer.holds) return answer;
    }
    return yes();
}

constexpr std::initializer_list<ScopeKind> kThreadScopes{ScopeKind::Thread, ScopeKind::Warp, ScopeKind::Warpgroup, ScopeKind::Cta};

PredicateAnswer check_memory_copy(const DispatchCall& call, const DispatchContext& context, const Pairs& pairs) {
    return first_no({[&] { return check_scope(context, kThreadScopes); }, [&] { return check_all_active(context); },
                     [&] { return check_valid_copy(call); }, [&] { return check_pair(call, pairs); },
                     [&] { return check_divides(call, context); }});
}

/// The register side of a copy: a plain tile whose thread axes enumerate threads.
PredicateAnswer check_registers(const Operand& registers) {
    if (!registers.layout) return no("R has no layout");
    if (registers.layout->is_compose()) return no("R layout is swizzle");
    for (const Iter& iter : registers.layout->tile().shard) {
        if (!iter.axis.is_thread()) continue;
        const auto inner = iter.axis.subscope();
        if (!inner) return no(fmt::format("R thread axis '{}' missing scope/subscope", iter.axis.name()));
        if (*inner < ScopeKind::Warp) return no(fmt::format("R thread axis '{}' subscope={} (not register-level)", iter.axis.name(), scope_word(*inner)));
    }
    const auto sliced = slice_of(registers);
    if (!sliced) return no("R layout slice failed");
    for (const auto& [axis, amount] : sliced->tile().offset) {
        if (axis.is_thread() && !amount.is(0)) return no(fmt::format("R sliced offset on thread axis '{}' = {}", axis.name(), to_string(amount)));
    }
    return yes();
}

PredicateAnswer check_register_copy(const DispatchCall& call, const DispatchContext& context) {
    const PredicateAnswer scope = first_no({[&] { return check_scope(context, kThreadScopes); }, [&] { return check_all_active(context); },
                                            [&] { return check_valid_copy(call); }, [&] { return check_pair(call, kMemoryPairs); }});
    if (!scope.holds) return scope;
    const Operand& dst = *call.operand(0);
    const Operand& src = *call.operand(1);
    if (dst.scope != "local" && src.scope != "local") return no("neither side is in registers");
    return check_registers(dst.scope == "local" ? dst : src);
}

std::vector<const Operand*> regions(const DispatchCall& call) {
    std::vector<const Operand*> out;
    for (std::size_t i = 0; i < call.args.size(); ++i) {
        if (const Operand* operand = call.operand(i)) out.push_back(operand);
    }
    return out;
}

} // namespace

Predicate thread_or_warp() {
    return {"single_thread_or_warp", [](const DispatchCall&, const DispatchContext& context) {
                const bool fits = context.scope == ScopeKind::Thread || context.scope == ScopeKind::Warp;
                return whether(fits, fmt::format("unsupported exec_scope {}, expected single thread or warp scope", scope_word(context.scope)));
            }};
}

Predicate single_thread() {
    return {"single_thread", [](const DispatchCall&, const DispatchContext& context) {
                return whether(context.scope == ScopeKind::Thread,
                               fmt::format("unsupported exec_scope {}, expected single thread", scope_word(context.scope)));
            }};
}

Predicate thread_scope() {
    return {"exec_scope", [](const DispatchCall&, const DispatchContext& context) {
                return whether(context.scope == ScopeKind::Thread, fmt::format("expected thread exec_scope, got {}", scope_word(context.scope)));
            }};
}

Predicate scopes(std::vector<ScopeKind> allowed) {
    return {"exec_scope", [allowed = std::move(allowed)](const DispatchCall&, const DispatchContext& context) {
                const bool fits = std::find(allowed.begin(), allowed.end(), context.scope) != allowed.end();
                return whether(fits, fmt::format("unsupported exec_scope {}", scope_word(context.scope)));
            }};
}

Predicate valid_copy() {
    return {"validate_copy_op", [](const DispatchCall& call, const DispatchContext&) { return check_valid_copy(call); }};
}

Predicate is_ldgsts() {
    return {"ldgsts_applicable", [](const DispatchCall& call, const DispatchContext& context) {
                return check_memory_copy(call, context, {{"global", "shared*"}});
            }};
}

Predicate shared_to_shared() {
    return {"is_shared_to_shared", [](const DispatchCall& call, const DispatchContext&) {
                return whether(is_copy(call) && is_shared(*call.operand(0)) && is_shared(*call.operand(1)), "not a shared-to-shared copy");
            }};
}

Predicate smem_tmem_copy() {
    return {"validate_smem_tmem_copy", [](const DispatchCall& call, const DispatchContext&) {
                if (!is_copy(call)) return no();
                const Operand& dst = *call.operand(0);
                const Operand& src = *call.operand(1);
                return whether(is_shared(src) && is_tmem(dst) && src.layout && dst.layout && bits(src.dtype) == bits(dst.dtype) && dst.allocated, "");
            }};
}

Predicate tma_copy() {
    return {"validate_tma_copy_op", [](const DispatchCall& call, const DispatchContext&) {
                const bool layouts = is_copy(call) && call.operand(0)->layout && call.operand(1)->layout;
                return whether(layouts && check_pair(call, kGlobalShared).holds, "not a global<->shared TMA copy");
            }};
}

Predicate tmem_local_pair() {
    return {"storage_scope", [](const DispatchCall& call, const DispatchContext&) {
                return check_pair(call, {{"tmem", "local"}, {"local", "tmem"}});
            }};
}

Predicate forced_vector(std::string variant, std::int64_t bytes) {
    std::string name = variant + "_applicable";
    return {std::move(name), [variant = std::move(variant), bytes](const DispatchCall& call, const DispatchContext& context) {
                if (call.dispatch != variant) return no(fmt::format("requires explicit dispatch='{}'", variant));
                if (context.scope != ScopeKind::Thread) return no(fmt::format("expected thread exec_scope, got {}", scope_word(context.scope)));
                if (PredicateAnswer pair = check_pair(call, kMemoryPairs); !pair.holds) return pair;
                const Operand& dst = *call.operand(0);
                const Operand& src = *call.operand(1);
                if (src.dtype != dst.dtype) return no(fmt::format("dtype mismatch: src={}, dst={}", info(src.dtype).tirx, info(dst.dtype).tirx));
                const std::int64_t elem_bits = bits(src.dtype);
                if (bytes * 8 % elem_bits != 0) return no(fmt::format("{} is not an integral number of {} elements", variant, info(src.dtype).tirx));
                const std::int64_t elements = bytes * 8 / elem_bits;
                if (!product(extents(src)).is(elements)) return no(fmt::format("src region does not contain exactly {} elements", elements));
                if (!product(extents(dst)).is(elements)) return no(fmt::format("dst region does not contain exactly {} elements", elements));
                const ConfigValue* cache = find(call.config, "cache");
                if (cache != nullptr && *cache != ConfigValue(std::string("nc"))) {
                    return no(fmt::format("unsupported cache config {}; expected None or 'nc'", to_string(*cache)));
                }
                const bool hints = cache != nullptr || find(call.config, "l1_evict") != nullptr || find(call.config, "l2_evict") != nullptr ||
                                   find(call.config, "prefetch_size") != nullptr;
                return whether(!hints || src.scope == "global",
                               fmt::format("cache/L1/L2 hint config applies to global loads; requires src scope 'global', got '{}'", src.scope));
            }};
}

Predicate ldstmatrix_copy() {
    return {"ldstmatrix_applicable", [](const DispatchCall& call, const DispatchContext& context) {
                if (context.scope == ScopeKind::Thread || context.scope == ScopeKind::Cluster) {
                    return no(fmt::format("unsupported exec_scope {} (need warp, warpgroup, or cta)", scope_word(context.scope)));
                }
                return first_no({[&] { return check_all_active(context); }, [&] { return check_valid_copy(call); },
                                 [&] { return check_pair(call, kLocalShared); }});
            }};
}

Predicate vec_auto_copy() {
    return {"vec_auto_applicable", [](const DispatchCall& call, const DispatchContext& context) {
                const PredicateAnswer memory = check_memory_copy(call, context, kGlobalShared);
                if (memory.holds) return yes();
                const PredicateAnswer registers = check_register_copy(call, context);
                return registers.holds ? yes() : no(fmt::format("gmem_smem: {}; reg: {}", memory.reason, registers.reason));
            }};
}

Predicate full_active_lanes() {
    return {"full_active_lanes", [](const DispatchCall&, const DispatchContext& context) {
                if (context.scope == ScopeKind::Thread) return no("a warp's lanes hold the fragments; the scope is one thread");
                return check_all_active(context);
            }};
}

Predicate no_replica() {
    return {"no_replica", [](const DispatchCall& call, const DispatchContext&) {
                for (const Operand* operand : regions(call)) {
                    if (operand->layout && !operand->layout->tile().replica.empty()) return no(fmt::format("{} layout has a replica", operand->name));
                }
                return yes();
            }};
}

std::vector<Predicate> packed_reduction() {
    const auto with_two = [](std::string name, auto test) {
        return Predicate{std::move(name), [test](const DispatchCall& call, const DispatchContext& context) {
                             return is_copy(call) ? test(*call.operand(0), *call.operand(1), context) : no("needs dst and src");
                         }};
    };
    return {
        scopes({ScopeKind::Thread}),
        with_two("local_scope", [](const Operand& dst, const Operand& src, const DispatchContext&) {
            return whether(dst.scope == "local" && src.scope == "local", "expected local scope");
        }),
        with_two("dst_len", [](const Operand& dst, const Operand&, const DispatchContext&) {
            return whether(product(extents(dst)).is(1), "expected a dst of one element");
        }),
        with_two("src_ndim", [](const Operand&, const Operand& src, const DispatchContext&) {
            return whether(non_unit(extents(src)).size() == 1, "expected a 1-D src");
        }),
        with_two("dtype", [](const Operand& dst, const Operand& src, const DispatchContext&) {
            return whether(dst.dtype == DType::Fp32 && src.dtype == DType::Fp32, "expected float32");
        }),
        with_two("sm_version", [](const Operand&, const Operand&, const DispatchContext& context) {
            return whether(context.sm >= 100, fmt::format("needs SM 100, got {}", context.sm));
        }),
        with_two("reduction_len", [](const Operand&, const Operand& src, const DispatchContext&) {
            return whether(proves_at_most(Dim(8), product(extents(src))), "expected at least 8 elements");
        }),
    };
}

Predicate operands_in(std::string name, std::string scope) {
    return {std::move(name), [scope = std::move(scope)](const DispatchCall& call, const DispatchContext&) {
                for (const Operand* operand : regions(call)) {
                    if (!scope_matches(operand->scope, scope)) return no(fmt::format("operand scope {} != {}", operand->scope, scope));
                }
                return yes();
            }};
}

Predicate reduction_valid(std::string name) {
    return {std::move(name), [](const DispatchCall& call, const DispatchContext& context) {
                if (!is_copy(call)) return no("needs dst and src");
                const Operand& dst = *call.operand(0);
                const Operand& src = *call.operand(1);
                if (dst.dtype != src.dtype) return no(fmt::format("dtype mismatch: src={} dst={}", info(src.dtype).tirx, info(dst.dtype).tirx));
                if (is_shared(src) && !context.flat_threads) return no("multi-dimensional thread binding not supported for shared reduction");
                if (src.scope == "local" && context.scope != ScopeKind::Thread) {
                    if (!src.layout || !dst.layout) return no("layouts required for view-based local reduction");
                    if (src.layout->is_compose() || dst.layout->is_compose()) return no("swizzle layout unsupported for local reduction");
                }
                return check_scope(context, kThreadScopes);
            }};
}

Predicate elementwise(std::string name, std::string scope) {
    return {std::move(name), [scope = std::move(scope)](const DispatchCall& call, const DispatchContext& context) {
                if (PredicateAnswer fits = check_scope(context, kThreadScopes); !fits.holds) return fits;
                if (PredicateAnswer active = check_all_active(context); !active.holds) return active;
                const std::vector<const Operand*> operands = regions(call);
                if (operands.empty()) return no("there is no region");
                for (const Operand* operand : operands) {
                    if (!scope_matches(operand->scope, scope)) return no(fmt::format("operand scope {} != {}", operand->scope, scope));
                    if (!operand->layout) return no(fmt::format("operand {} has no layout", operand->name));
                    if (scope == "local" && operand->layout->is_compose()) return no("anchor layout is swizzle");
                }
                return yes();
            }};
}

} // namespace ls::tirx
