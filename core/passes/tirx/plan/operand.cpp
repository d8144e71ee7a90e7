#include "core/passes/tirx/plan/operand.h"

#include <fmt/format.h>

namespace ls::tirx {

Operand whole(std::string name, std::string scope, DType dtype, std::vector<Dim> shape, std::optional<Layout> layout) {
    Operand operand{std::move(name), std::move(scope), dtype, std::move(shape), {}, std::move(layout), Dim(), true};
    for (const Dim& extent : operand.shape) operand.region.push_back({Dim(), extent});
    return operand;
}

bool scope_matches(std::string_view scope, std::string_view pattern) {
    if (pattern.empty() || pattern.back() != '*') return scope == pattern;
    return scope.starts_with(pattern.substr(0, pattern.size() - 1));
}

std::vector<Dim> extents(const Operand& operand) {
    std::vector<Dim> out;
    for (const Region& range : operand.region) out.push_back(range.extent);
    return out;
}

std::vector<Dim> begins(const Operand& operand) {
    std::vector<Dim> out;
    for (const Region& range : operand.region) out.push_back(range.begin);
    return out;
}

Result<std::vector<std::int64_t>> constants(std::span<const Dim> dims, std::string_view what) {
    std::vector<std::int64_t> out;
    for (const Dim& dim : dims) {
        if (!dim.is_constant()) {
            return error("PLAN_SYMBOLIC", fmt::format("{} {} is not known before the program runs", what, to_string(dim)),
                         "only begins of regions may depend on variables; extents must be numbers");
        }
        out.push_back(dim.value());
    }
    return out;
}

std::vector<Dim> non_unit(std::span<const Dim> dims) {
    std::vector<Dim> out;
    for (const Dim& dim : dims) {
        if (!dim.is(1)) out.push_back(dim);
    }
    return out;
}

Result<Layout> slice_of(const Operand& operand) {
    if (!operand.layout) {
        return error("PLAN_NO_LAYOUT", fmt::format("buffer {} has no layout", operand.name), "declare it with one");
    }
    return slice(*operand.layout, operand.shape, operand.region);
}

TileLayout without_swizzle(const Layout& layout, std::span<const Dim> extents) {
    if (!layout.is_compose()) return layout.tile();
    const TileLayout& tile = layout.tile();
    if (!is_trivial(tile)) return tile;
    const Dim tile_size = size(tile);
    const Dim region_size = product(extents);
    if (!tile_size.is_constant() || !region_size.is_constant() || tile_size == region_size) return tile;
    return row_major(extents);
}

bool equals_but_offset(const Layout& layout, const TileLayout& base) {
    if (layout.is_compose()) return false;
    const auto canonical = canonicalize(layout);
    TileLayout moved = base;
    moved.offset = layout.tile().offset;
    const auto expected = canonicalize(moved);
    return canonical.ok() && expected.ok() && *canonical == *expected;
}

Result<std::optional<catalogue::SwizzleMode>> swizzle_mode(const Layout& layout) {
    const ComposeLayout* compose = layout.compose();
    if (compose == nullptr) return std::optional(catalogue::SwizzleMode::None);
    if (compose->swizzle_len > 0 && !compose->swizzle_inner) {
        return error("PLAN_SWIZZLE_DIRECTION",
                     fmt::format("swizzle direction mismatch: the hardware exchanges 16-byte chunks by their row "
                                 "(swizzle_inner=True), but the layout exchanges rows by their chunk (per_element={}, "
                                 "swizzle_len={}, atom_len={}, swizzle_inner=False)",
                                 compose->per_element, compose->swizzle_len, compose->atom_len),
                     "use swizzle_inner=True");
    }
    if (compose->swizzle_len > 3) return std::optional<catalogue::SwizzleMode>();
    return std::optional(static_cast<catalogue::SwizzleMode>(compose->swizzle_len));
}

std::string to_string(const ConfigValue& value) {
    struct Print {
        std::string operator()(bool v) const { return v ? "True" : "False"; }
        std::string operator()(std::int64_t v) const { return fmt::format("{}", v); }
        std::string operator()(double v) const { return fmt::format("{:#}", v); }
        std::string operator()(const std::string& v) const { return fmt::format("'{}'", v); }
        std::string operator()(const Opaque& v) const { return v.text; }
    };
    return std::visit(Print{}, value);
}

const ConfigValue* find(const Config& config, std::string_view key) {
    const auto at = config.find(key);
    return at == config.end() ? nullptr : &at->second;
}

bool is_set(const Config& config, std::string_view key) {
    const ConfigValue* value = find(config, key);
    if (value == nullptr) return false;
    if (const auto* flag = std::get_if<bool>(value)) return *flag;
    if (const auto* number = std::get_if<std::int64_t>(value)) return *number != 0;
    return true;
}

Result<std::int64_t> integer(const Config& config, std::string_view key, std::int64_t otherwise) {
    const ConfigValue* value = find(config, key);
    if (value == nullptr) return otherwise;
    if (const auto* number = std::get_if<std::int64_t>(value)) return *number;
    return error("PLAN_CONFIG", fmt::format("{} must be an integer, got {}", key, to_string(*value)));
}

} // namespace ls::tirx
