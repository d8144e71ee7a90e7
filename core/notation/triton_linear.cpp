#include "core/notation/triton_linear.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/support/checked.h"

namespace ls::triton {

LinearLayout::LinearLayout(std::vector<InDim> in, std::vector<OutDim> out) : in_(std::move(in)), out_(std::move(out)) {
    cover_bases();
}

void LinearLayout::cover_bases() {
    for (std::size_t d = 0; d < out_.size(); ++d) {
        for (const InDim& dim : in_) {
            for (const Basis& basis : dim.bases) {
                const auto needed = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(basis[d]) + 1));
                out_[d].size = std::max(out_[d].size, needed);
            }
        }
    }
}

LinearLayout LinearLayout::identity(std::int64_t size, std::string in, std::string out) {
    InDim dim{std::move(in), {}};
    for (std::int64_t bit = 1; bit < size; bit *= 2) dim.bases.push_back({bit});
    return LinearLayout({std::move(dim)}, {{std::move(out), size}});
}

LinearLayout LinearLayout::zeros(std::int64_t size, std::string in, std::string out) {
    InDim dim{std::move(in), {}};
    for (std::int64_t bit = 1; bit < size; bit *= 2) dim.bases.push_back({0});
    return LinearLayout({std::move(dim)}, {{std::move(out), 1}});
}

bool LinearLayout::has_in(std::string_view name) const {
    return std::any_of(in_.begin(), in_.end(), [&](const InDim& dim) { return dim.name == name; });
}

const InDim& LinearLayout::in(std::string_view name) const {
    const auto found = std::find_if(in_.begin(), in_.end(), [&](const InDim& dim) { return dim.name == name; });
    assert(found != in_.end());
    return *found;
}

std::int64_t LinearLayout::out_size(std::string_view name) const {
    const auto found = std::find_if(out_.begin(), out_.end(), [&](const OutDim& dim) { return dim.name == name; });
    return found == out_.end() ? 1 : found->size;
}

LinearLayout LinearLayout::operator*(const LinearLayout& other) const {
    LinearLayout product = *this;
    // Where the other's out dimensions stand in the product.
    std::vector<std::size_t> place;
    std::vector<std::int64_t> scale;
    for (const OutDim& dim : other.out_) {
        auto found =
            std::find_if(product.out_.begin(), product.out_.end(), [&](const OutDim& o) { return o.name == dim.name; });
        if (found == product.out_.end()) {
            for (InDim& in : product.in_) {
                for (Basis& basis : in.bases) basis.push_back(0);
            }
            product.out_.push_back({dim.name, 1});
            found = product.out_.end() - 1;
        }
        place.push_back(static_cast<std::size_t>(found - product.out_.begin()));
        scale.push_back(found->size);
        found->size *= dim.size;
    }
    for (const InDim& dim : other.in_) {
        auto found =
            std::find_if(product.in_.begin(), product.in_.end(), [&](const InDim& i) { return i.name == dim.name; });
        if (found == product.in_.end()) {
            product.in_.push_back({dim.name, {}});
            found = product.in_.end() - 1;
        }
        for (const Basis& basis : dim.bases) {
            Basis scaled(product.out_.size(), 0);
            for (std::size_t d = 0; d < basis.size(); ++d) scaled[place[d]] = basis[d] * scale[d];
            found->bases.push_back(std::move(scaled));
        }
    }
    return product;
}

LinearLayout LinearLayout::transposed(std::span<const std::string> order) const {
    std::vector<std::size_t> from;
    LinearLayout result;
    for (const std::string& name : order) {
        const auto found = std::find_if(out_.begin(), out_.end(), [&](const OutDim& o) { return o.name == name; });
        assert(found != out_.end());
        from.push_back(static_cast<std::size_t>(found - out_.begin()));
        result.out_.push_back(*found);
    }
    result.in_ = in_;
    for (InDim& dim : result.in_) {
        for (Basis& basis : dim.bases) {
            const Basis before = basis;
            basis.resize(from.size());
            for (std::size_t d = 0; d < from.size(); ++d) basis[d] = before[from[d]];
        }
    }
    return result;
}

LinearLayout LinearLayout::reshaped(const std::vector<OutDim>& out) const {
    LinearLayout result;
    result.out_ = out;
    result.in_ = in_;
    for (InDim& dim : result.in_) {
        for (Basis& basis : dim.bases) {
            std::int64_t flat = 0;
            for (std::size_t d = 0; d < out_.size(); ++d) flat = flat * out_[d].size + basis[d];
            basis.assign(out.size(), 0);
            for (std::size_t d = out.size(); d-- > 0;) {
                basis[d] = d == 0 ? flat : flat % out[d].size;
                flat /= out[d].size;
            }
        }
    }
    return result;
}

LinearLayout LinearLayout::without_out(std::size_t index) const {
    LinearLayout result = *this;
    const auto at = static_cast<std::ptrdiff_t>(index);
    result.out_.erase(result.out_.begin() + at);
    for (InDim& dim : result.in_) {
        for (Basis& basis : dim.bases) basis.erase(basis.begin() + at);
    }
    return result;
}

LinearLayout LinearLayout::renamed_outs() const {
    LinearLayout result = *this;
    for (std::size_t d = 0; d < result.out_.size(); ++d) result.out_[d].name = dim_name(d);
    return result;
}

LinearLayout LinearLayout::without_zero_bases(std::string_view in) const {
    LinearLayout result = *this;
    for (InDim& dim : result.in_) {
        if (dim.name != in) continue;
        std::erase_if(dim.bases, [](const Basis& basis) {
            return std::all_of(basis.begin(), basis.end(), [](std::int64_t v) { return v == 0; });
        });
    }
    return result;
}

LinearLayout LinearLayout::grown(const std::map<std::string, std::int64_t, std::less<>>& sizes) const {
    LinearLayout result = *this;
    for (const OutDim& dim : out_) {
        const auto wanted = sizes.find(dim.name);
        if (wanted == sizes.end() || wanted->second <= dim.size) continue;
        result *= identity(wanted->second / dim.size, in_.front().name, dim.name);
    }
    return result;
}

LinearLayout LinearLayout::shrunk(const std::map<std::string, std::int64_t, std::less<>>& sizes) const {
    LinearLayout result = *this;
    for (std::size_t d = 0; d < out_.size(); ++d) {
        const auto wanted = sizes.find(out_[d].name);
        if (wanted == sizes.end() || wanted->second >= out_[d].size) continue;
        for (InDim& dim : result.in_) {
            for (Basis& basis : dim.bases) basis[d] &= wanted->second - 1;
        }
        result.out_[d].size = wanted->second;
    }
    return result;
}

Basis LinearLayout::at(const std::map<std::string, std::int64_t, std::less<>>& index) const {
    Basis out(out_.size(), 0);
    for (const InDim& dim : in_) {
        const auto found = index.find(dim.name);
        if (found == index.end()) continue;
        for (std::size_t bit = 0; bit < dim.bases.size(); ++bit) {
            if (((found->second >> bit) & 1) == 0) continue;
            for (std::size_t d = 0; d < out.size(); ++d) out[d] ^= dim.bases[bit][d];
        }
    }
    return out;
}

std::string LinearLayout::text() const {
    std::string outs;
    for (const OutDim& dim : out_) outs += fmt::format("{}{} (size {})", outs.empty() ? "" : ", ", dim.name, dim.size);
    if (in_.empty())
        return outs.empty() ? "\n(empty layout)" : fmt::format("\n(empty layout with out-dims [{}])", outs);
    std::string text = "\n";
    for (const InDim& dim : in_) {
        if (dim.bases.empty()) {
            text += fmt::format(" - {} is a size 1 dimension\n", dim.name);
            continue;
        }
        for (std::size_t bit = 0; bit < dim.bases.size(); ++bit) {
            text += fmt::format("{}{}={} -> ({})\n", bit == 0 ? " - " : "   ", dim.name, std::int64_t{1} << bit,
                                fmt::join(dim.bases[bit], ", "));
        }
    }
    return text + fmt::format("where out dims are: [{}]", outs);
}

std::string dim_name(std::size_t dim) { return fmt::format("dim{}", dim); }

std::vector<std::string> dim_names(std::size_t rank) {
    std::vector<std::string> names;
    for (std::size_t d = 0; d < rank; ++d) names.push_back(dim_name(d));
    return names;
}

} // namespace ls::triton
