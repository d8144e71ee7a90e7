// Shared by the files that turn Triton encodings into linear layouts; private to them.
#pragma once

#include "core/notation/triton_layout.h"
#include "core/support/checked.h"

namespace ls::triton {

using Extents = std::vector<std::int64_t>;
using Sizes = std::map<std::string, std::int64_t, std::less<>>;

/// Products of one list stay below this, so that no product of sizes can overflow.
inline constexpr std::int64_t kMaxListProduct = std::int64_t{1} << 12;
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

/// A list of `rank` powers of two.
Result<Extents> powers(const Attribute& attribute, std::string_view key, std::size_t rank);
/// One power of two.
Result<std::int64_t> power(const Attribute& attribute, std::string_view key, std::int64_t most = kMaxListProduct);
/// A permutation of 0 .. rank-1.
Result<std::vector<std::size_t>> order_of(const Attribute& attribute, std::string_view key, std::size_t rank);
Status check_rank(const Attribute& attribute, std::size_t rank, std::size_t least);

/// identity over the dimensions, order[0] first.
LinearLayout identity_nd(const std::string& in, const Extents& sizes, std::span<const std::size_t> order);

/// How CTAs split the tensor: in-dimension block. From CGALayout or the older CTA keys; one CTA when neither is there.
Result<LinearLayout> cga_of(const Attribute& attribute, std::size_t rank);
/// Shape of the part that one CTA holds.
Extents per_cta(const LinearLayout& cga, std::span<const std::int64_t> shape);
/// Fits a CTA's layout and the CGA's to the shape; out dimensions dim0, dim1, ...
LinearLayout combine(const LinearLayout& cta, const LinearLayout& cga, std::span<const std::int64_t> shape);

Sizes sizes_of(std::span<const std::int64_t> shape);
Result<LinearLayout> linear_of(const Attribute& attribute, std::span<const std::int64_t> shape, int depth);

using Build = Result<LinearLayout> (*)(const Attribute&, std::span<const std::int64_t>, int depth);
Result<LinearLayout> blocked(const Attribute&, std::span<const std::int64_t>, int depth);
Result<LinearLayout> slice(const Attribute&, std::span<const std::int64_t>, int depth);
Result<LinearLayout> nvidia_mma(const Attribute&, std::span<const std::int64_t>, int depth);
Result<LinearLayout> dot_op(const Attribute&, std::span<const std::int64_t>, int depth);
Result<LinearLayout> linear(const Attribute&, std::span<const std::int64_t>, int depth);
Result<LinearLayout> swizzled_shared(const Attribute&, std::span<const std::int64_t>, int depth);
Result<LinearLayout> rotating_shared(const Attribute&, std::span<const std::int64_t>, int depth);
Result<LinearLayout> nvmma_shared(const Attribute&, std::span<const std::int64_t>, int depth);
Result<LinearLayout> shared_linear(const Attribute&, std::span<const std::int64_t>, int depth);
Result<LinearLayout> tensor_memory(const Attribute&, std::span<const std::int64_t>, int depth);
Result<LinearLayout> tensor_memory_scales(const Attribute&, std::span<const std::int64_t>, int depth);

} // namespace ls::triton
