// What a tile primitive is given: regions of buffers and settings (spec/tirx.md 5.1). Plans are made from these alone,
// so that a pass, a test and the command line can ask for the same plan.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/layout/catalogue/mma_shared.h"
#include "core/layout/operations.h"
#include "core/support/dtype.h"

namespace ls::tirx {

/// A region of a buffer. The region has one entry for each dimension of the shape.
struct Operand {
    std::string name;
    std::string scope; ///< "global", "shared", "shared.dyn", "tmem", "local"
    DType dtype = DType::Fp16;
    std::vector<Dim> shape;
    std::vector<ls::Region> region; ///< not the regions of the IR (dialect/tirx/buffers.h)
    std::optional<Layout> layout; ///< nothing: addressed by shape alone
    Dim elem_offset;              ///< from the data pointer, in elements
    bool allocated = true;        ///< TMEM: whether the buffer has an address
};
/// The region is the whole buffer.
Operand whole(std::string name, std::string scope, DType dtype, std::vector<Dim> shape, std::optional<Layout> layout);

/// "shared*" matches every scope that starts with "shared"; without the star the scope itself.
bool scope_matches(std::string_view scope, std::string_view pattern);
inline bool is_shared(const Operand& operand) { return scope_matches(operand.scope, "shared*"); }
inline bool is_tmem(const Operand& operand) { return operand.scope == "tmem"; }

std::vector<Dim> extents(const Operand& operand);
std::vector<Dim> begins(const Operand& operand);
/// All of `dims` as numbers, or PLAN_SYMBOLIC that names `what`.
Result<std::vector<std::int64_t>> constants(std::span<const Dim> dims, std::string_view what);
/// Without the ones.
std::vector<Dim> non_unit(std::span<const Dim> dims);

/// The layout of the region, or why there is none (PLAN_NO_LAYOUT, LAYOUT_*).
Result<Layout> slice_of(const Operand& operand);
/// The tile under a swizzle, as addresses before the XOR. A bare swizzle over another number of elements than
/// `extents` has is the row-major identity over them.
TileLayout without_swizzle(const Layout& layout, std::span<const Dim> extents);

/// Structurally equal once both are canonical and `base` has taken over the offsets of `layout`.
bool equals_but_offset(const Layout& layout, const TileLayout& base);

/// The swizzle that the hardware would have to apply: none for a plain tile. Refused: PLAN_SWIZZLE_DIRECTION for the
/// mirrored one; nothing for lengths that no hardware has.
Result<std::optional<catalogue::SwizzleMode>> swizzle_mode(const Layout& layout);

/// Something that only the program knows: a pointer, a barrier, an expression.
struct Opaque {
    std::string text;
    bool operator==(const Opaque&) const = default;
};
using ConfigValue = std::variant<bool, std::int64_t, double, std::string, Opaque>;
using Config = std::map<std::string, ConfigValue, std::less<>>;
std::string to_string(const ConfigValue& value); ///< as Python writes it: True, 128, 128.0, 'x'

const ConfigValue* find(const Config& config, std::string_view key);
/// A flag that may be absent.
bool is_set(const Config& config, std::string_view key);
/// An integer or `otherwise`. Refused: PLAN_CONFIG.
Result<std::int64_t> integer(const Config& config, std::string_view key, std::int64_t otherwise);

} // namespace ls::tirx
