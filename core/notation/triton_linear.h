// Linear layouts: hardware indices to tensor coordinates, linear over XOR (spec/notation.md e.1).
//
//     register=1 -> (0, 1)     the value of an index is the xor of the bases of its set bits, coordinate by coordinate
//     register=2 -> (8, 0)
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls::triton {

using Basis = std::vector<std::int64_t>; ///< one entry for each out dimension

struct InDim {
    std::string name;
    std::vector<Basis> bases; ///< of bit 0, 1, ...
    std::int64_t size() const { return std::int64_t{1} << bases.size(); }
    bool operator==(const InDim&) const = default;
};
struct OutDim {
    std::string name;
    std::int64_t size = 1; ///< a power of two
    bool operator==(const OutDim&) const = default;
};

class LinearLayout {
public:
    LinearLayout() = default;
    /// Out sizes cover the bases; at least `sizes` where given.
    LinearLayout(std::vector<InDim> in, std::vector<OutDim> out);

    static LinearLayout identity(std::int64_t size, std::string in, std::string out); ///< bases 1, 2, ...
    static LinearLayout zeros(std::int64_t size, std::string in, std::string out);    ///< out size 1

    const std::vector<InDim>& in() const { return in_; }
    const std::vector<OutDim>& out() const { return out_; }
    bool has_in(std::string_view name) const;
    const InDim& in(std::string_view name) const;
    std::int64_t out_size(std::string_view name) const; ///< 1 for a dimension that it does not have

    /// This layout's bases first, then the other's, scaled by this layout's out sizes. Dimensions keep first-seen
    /// order.
    LinearLayout operator*(const LinearLayout& other) const;
    LinearLayout& operator*=(const LinearLayout& other) { return *this = *this * other; }

    /// Out dimensions in this order; all must be named.
    LinearLayout transposed(std::span<const std::string> order) const;
    /// Out dimensions flattened row-major and split again into these.
    LinearLayout reshaped(const std::vector<OutDim>& out) const;
    /// Without out dimension `index`.
    LinearLayout without_out(std::size_t index) const;
    LinearLayout renamed_outs() const; ///< dim0, dim1, ...
    /// Without the bases of `in` that are all zero.
    LinearLayout without_zero_bases(std::string_view in) const;
    /// Appends identities to the first in-dimension until every out dimension, in its order, has this size.
    LinearLayout grown(const std::map<std::string, std::int64_t, std::less<>>& sizes) const;
    /// Zeroes what lies beyond these sizes, which makes broadcasts of it.
    LinearLayout shrunk(const std::map<std::string, std::int64_t, std::less<>>& sizes) const;

    /// Coordinates of one index per in-dimension (missing ones are 0).
    Basis at(const std::map<std::string, std::int64_t, std::less<>>& index) const;
    /// Triton's own text; starts with a newline.
    std::string text() const;

    bool operator==(const LinearLayout&) const = default;

private:
    void cover_bases();
    std::vector<InDim> in_;
    std::vector<OutDim> out_;
};

/// dim0, dim1, ...
std::string dim_name(std::size_t dim);
std::vector<std::string> dim_names(std::size_t rank);

} // namespace ls::triton
