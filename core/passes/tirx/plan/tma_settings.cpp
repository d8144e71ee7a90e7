#include "core/passes/tirx/plan/tma_internal.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace ls::tirx {

namespace {

constexpr std::array<std::string_view, 10> kKeys{
    "cache_hint", "cta_group", "cta_mask", "mbar", "mbarrier_addr", "oob",
    "prefetch_tensormap", "tensormap_l2_promotion", "tma_dtype", "use_tma_reduce",
};
constexpr std::array<std::string_view, 8> kReductions{"add", "min", "max", "inc", "dec", "and", "or", "xor"};

Diagnostic config_error(std::string message) { return error("TMA_CONFIG", std::move(message)); }

Result<int> l2_promotion(const Config& config) {
    const ConfigValue* value = find(config, "tensormap_l2_promotion");
    if (value == nullptr) return 2;
    static constexpr std::array<std::string_view, 4> names{"none", "L2::64B", "L2::128B", "L2::256B"};
    if (const auto* number = std::get_if<std::int64_t>(value); number != nullptr && *number >= 0 && *number <= 3) {
        return static_cast<int>(*number);
    }
    if (const auto* text = std::get_if<std::string>(value)) {
        if (*text == "L2::none") return 0;
        const auto* at = std::find(names.begin(), names.end(), *text);
        if (at != names.end()) return static_cast<int>(at - names.begin());
    }
    return config_error(fmt::format("tensormap_l2_promotion is 0 to 3, 'none', 'L2::64B', 'L2::128B' or 'L2::256B', got {}",
                                    to_string(*value)));
}

Result<int> oob_fill(const TmaCopy& call, bool explicit_form) {
    const ConfigValue* value = find(call.config, "oob");
    if (value == nullptr) return 0;
    if (!explicit_form) return config_error("tma_auto does not support oob; use dispatch=\"tma_explicit\"");
    if (!call.to_shared) return config_error("oob is only valid for loads");
    const auto* text = std::get_if<std::string>(value);
    if (text != nullptr && *text == "zero") return 0;
    if (text != nullptr && *text == "nan") return 1;
    return config_error(fmt::format("unsupported TensorMap oob={}; expected 'zero' or 'nan'", to_string(*value)));
}

Status read_barrier(const TmaCopy& call, TensorMap& map) {
    map.has_barrier = find(call.config, "mbar") != nullptr;
    if (map.to_shared && !map.has_barrier) return config_error("global-to-shared TMA requires mbar");
    if (!map.to_shared && map.has_barrier) return config_error("mbar is only valid for global-to-shared TMA");
    const bool address = is_set(call.config, "mbarrier_addr");
    if (!map.to_shared && address) return config_error("mbarrier_addr is only valid for global-to-shared TMA");
    map.barrier_is_address = map.to_shared && (map.cta_group == 2 || address);
    const ConfigValue* mask = find(call.config, "cta_mask");
    if (mask != nullptr) {
        const auto* number = std::get_if<std::int64_t>(mask);
        if (number != nullptr && (*number < 0 || *number > 0xFFFF)) {
            return config_error(fmt::format("cta_mask must fit 16 bits, got {}", *number));
        }
        map.multicast = number == nullptr || *number != 0;
    }
    if (map.multicast && !map.to_shared) return config_error("cta_mask is only valid for global-to-shared TMA");
    return ok_status();
}

Status read_reduce(const TmaCopy& call, TensorMap& map) {
    const ConfigValue* value = find(call.config, "use_tma_reduce");
    if (value == nullptr) return ok_status();
    if (map.to_shared) return config_error("use_tma_reduce is only valid for shared-to-global TMA");
    const auto* text = std::get_if<std::string>(value);
    if (text == nullptr || std::find(kReductions.begin(), kReductions.end(), *text) == kReductions.end()) {
        return config_error(fmt::format("unsupported TMA reduce operation {}", to_string(*value)));
    }
    map.reduce = *text;
    return ok_status();
}

} // namespace

Result<TmaPlan> tma_settings(const TmaCopy& call, bool explicit_form) {
    for (const auto& [key, value] : call.config) {
        if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
            return config_error(fmt::format("dispatch={} does not support config key '{}'",
                                            explicit_form ? "tma_explicit" : "tma_auto", key));
        }
    }
    if (!explicit_form && (!call.gather4.empty() || !call.selectors.empty())) {
        return config_error("gather4 and src_selector are only supported by dispatch=\"tma_explicit\"");
    }
    TmaPlan plan;
    plan.smem_dtype = call.shared.dtype;
    plan.prefetch = is_set(call.config, "prefetch_tensormap");
    const ConfigValue* hint = find(call.config, "cache_hint");
    const auto* hint_text = hint == nullptr ? nullptr : std::get_if<std::string>(hint);
    plan.cache_hint = hint != nullptr && (hint_text == nullptr || !hint_text->empty());
    TensorMap& map = plan.map;
    map.dtype = call.global.dtype;
    map.sm = call.sm;
    map.to_shared = call.to_shared;
    map.gather4 = call.gather4;
    LS_TRY(const std::int64_t cta_group, integer(call.config, "cta_group", 1));
    if (cta_group != 1 && cta_group != 2) return config_error(fmt::format("cta_group must be 1 or 2, got {}", cta_group));
    map.cta_group = static_cast<int>(cta_group);
    LS_CHECK(read_barrier(call, map));
    LS_CHECK(read_reduce(call, map));
    LS_TRY(map.l2_promotion, l2_promotion(call.config));
    LS_TRY(map.oob_fill, oob_fill(call, explicit_form));
    if (const ConfigValue* forced = find(call.config, "tma_dtype")) {
        const auto* text = std::get_if<std::string>(forced);
        if (text == nullptr || (*text != "tf32" && *text != "tfloat32") || map.dtype != DType::Fp32) {
            return config_error(fmt::format("tma_dtype={} needs 'tf32' and a float32 global buffer", to_string(*forced)));
        }
        map.forced_dtype = 11;
    }
    return plan;
}

Result<int> tma_swizzle(const Operand& shared, Refuse refuse) {
    if (!shared.layout) return refuse("shared-layout", fmt::format("buffer {} has no layout", shared.name));
    const auto mode = swizzle_mode(*shared.layout);
    if (!mode) return refuse("shared-swizzle", mode.error().message);
    if (!*mode) return refuse("shared-layout", "the shared layout has a swizzle that TMA does not have");
    return static_cast<int>(**mode);
}

Status plain_memory(const TileLayout& tile, std::string_view which, Refuse refuse) {
    if (!tile.replica.empty()) return refuse("layout", fmt::format("the {} layout has replicas", which));
    for (const Iter& iter : tile.shard) {
        if (iter.axis.is_thread()) return refuse("layout", fmt::format("the {} layout has thread axis {}", which, iter.axis.name()));
    }
    for (const auto& [axis, amount] : tile.offset) {
        if (axis.is_thread() && !amount.is(0)) {
            return refuse("layout", fmt::format("the {} layout has an offset on thread axis {}", which, axis.name()));
        }
    }
    return ok_status();
}

Dim memory_offset(const TileLayout& tile) {
    Dim total;
    for (const auto& [axis, amount] : tile.offset) {
        if (axis.is_memory()) total += amount;
    }
    return total;
}

Result<TileLayout> unswizzled_slice(const Operand& operand, std::string_view which, Refuse refuse) {
    const TileLayout tile = without_swizzle(*operand.layout, operand.shape);
    LS_CHECK(plain_memory(tile, which, refuse));
    const auto sliced = slice(Layout(tile), operand.shape, operand.region);
    if (!sliced) return refuse(fmt::format("{}-slice", which), sliced.error().message);
    LS_CHECK(plain_memory(sliced->tile(), which, refuse));
    return sliced->tile();
}

Result<Dim> elements_to_bytes(const Dim& elems, DType dtype, std::string_view what, Refuse refuse) {
    const Dim total = elems * bits(dtype);
    if (total.is_overflow()) return error("LAYOUT_OVERFLOW", fmt::format("{} is too large", what));
    if (!proves_divisible(total, Dim(8))) {
        return refuse("bytes", fmt::format("{} of {} elements of {} bits is not provably a whole number of bytes", what,
                                           to_string(elems), bits(dtype)));
    }
    return floor_div(total, Dim(8));
}

Result<Dim> base_offset_bytes(const Operand& global, Refuse refuse) {
    const TileLayout tile = without_swizzle(*global.layout, global.shape);
    return elements_to_bytes(global.elem_offset + memory_offset(tile), global.dtype, "the view's offset", refuse);
}

} // namespace ls::tirx
