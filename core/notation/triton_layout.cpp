#include "core/notation/triton_layout.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/notation/cursor.h"
#include "core/notation/triton_layout_internal.h"

namespace ls::triton {

namespace {

struct Encoding {
    std::string_view name;
    Build build;
};
constexpr std::array kEncodings{
    Encoding{"blocked", blocked},
    Encoding{"slice", slice},
    Encoding{"dot_op", dot_op},
    Encoding{"nvidia_mma", nvidia_mma},
    Encoding{"linear", linear},
    Encoding{"generic_linear", linear},
    Encoding{"swizzled_shared", swizzled_shared},
    Encoding{"shared", swizzled_shared}, // before the two shared encodings were told apart
    Encoding{"amd_rotating_shared", rotating_shared},
    Encoding{"nvmma_shared", nvmma_shared},
    Encoding{"shared_linear", shared_linear},
    Encoding{"tensor_memory_encoding", tensor_memory},
    Encoding{"tensor_memory_scales_encoding", tensor_memory_scales},
};

Status check_shape(const Attribute& attribute, std::span<const std::int64_t> shape) {
    std::int64_t product = 1;
    for (const std::int64_t extent : shape) {
        if (!is_power_of_two(extent) || extent > kMaxElements / product) {
            return error_at(
                attribute.span, "TRITON_POWER",
                fmt::format("the shape [{}] must be of powers of two, at most 2^40 elements", fmt::join(shape, ", ")),
                "Triton pads tensors to powers of two");
        }
        product *= extent;
    }
    return ok_status();
}

} // namespace

Result<Extents> powers(const Attribute& attribute, std::string_view key, std::size_t rank) {
    LS_TRY(Extents values, attribute.integers(key));
    const Span span = attribute.find(key)->span;
    if (values.size() != rank) {
        return error_at(
            span, "TRITON_RANK",
            fmt::format("{} of {} has {} entries, the tensor has rank {}", key, attribute.name, values.size(), rank));
    }
    std::int64_t product = 1;
    for (const std::int64_t value : values) {
        if (!is_power_of_two(value) || value > kMaxListProduct / product) {
            return error_at(span, "TRITON_POWER",
                            fmt::format("{} of {} must hold powers of two with a product of at most {}", key,
                                        attribute.name, kMaxListProduct));
        }
        product *= value;
    }
    return values;
}

Result<std::int64_t> power(const Attribute& attribute, std::string_view key, std::int64_t most) {
    LS_TRY(const std::int64_t value, attribute.integer(key));
    if (is_power_of_two(value) && value <= most) return value;
    return error_at(
        attribute.find(key)->span, "TRITON_POWER",
        fmt::format("{} of {} is {}, but must be a power of two up to {}", key, attribute.name, value, most));
}

Result<std::vector<std::size_t>> order_of(const Attribute& attribute, std::string_view key, std::size_t rank) {
    LS_TRY(const Extents values, attribute.integers(key));
    Extents sorted = values;
    std::sort(sorted.begin(), sorted.end());
    Extents wanted(rank);
    std::iota(wanted.begin(), wanted.end(), std::int64_t{0});
    if (sorted != wanted) {
        return error_at(attribute.find(key)->span, "TRITON_RANK",
                        fmt::format("{} of {} must name each of the {} dimensions once", key, attribute.name, rank),
                        "the first one is the fastest");
    }
    return std::vector<std::size_t>(values.begin(), values.end());
}

Status check_rank(const Attribute& attribute, std::size_t rank, std::size_t least) {
    if (rank >= least) return ok_status();
    return error_at(
        attribute.span, "TRITON_RANK",
        fmt::format("{} is for tensors of rank {} or more, this one has rank {}", attribute.name, least, rank));
}

LinearLayout identity_nd(const std::string& in, const Extents& sizes, std::span<const std::size_t> order) {
    LinearLayout out;
    for (const std::size_t d : order) out *= LinearLayout::identity(sizes[d], in, dim_name(d));
    return out;
}

Result<LinearLayout> cga_of(const Attribute& attribute, std::size_t rank) {
    std::vector<OutDim> outs;
    for (std::size_t d = 0; d < rank; ++d) outs.push_back({dim_name(d), 1});
    if (const AttributeValue* value = attribute.find("CGALayout")) {
        LS_TRY(std::vector<Basis> bases, attribute.bases("CGALayout"));
        for (const Basis& basis : bases) {
            const bool fine =
                basis.size() == rank && bases.size() <= 12 &&
                std::all_of(basis.begin(), basis.end(), [](std::int64_t v) { return v >= 0 && v < kMaxListProduct; });
            if (!fine)
                return error_at(
                    value->span, "TRITON_RANK",
                    fmt::format("CGALayout needs bases of {} entries from 0 to {}", rank, kMaxListProduct - 1));
        }
        return LinearLayout({{"block", std::move(bases)}}, std::move(outs));
    }
    if (attribute.find("CTAsPerCGA") == nullptr) return LinearLayout({{"block", {}}}, std::move(outs));
    LS_TRY(const Extents ctas, powers(attribute, "CTAsPerCGA", rank));
    LS_TRY(const Extents split, powers(attribute, "CTASplitNum", rank));
    LS_TRY(const auto order, order_of(attribute, "CTAOrder", rank));
    LinearLayout out;
    for (const std::size_t d : order) {
        if (ctas[d] < split[d]) {
            return error_at(attribute.find("CTASplitNum")->span, "TRITON_RANK",
                            fmt::format("dimension {} is split {} times over {} CTAs", d, split[d], ctas[d]));
        }
        out *= LinearLayout::identity(split[d], "block", dim_name(d)) *
               LinearLayout::zeros(ctas[d] / split[d], "block", dim_name(d));
    }
    return out.transposed(dim_names(rank));
}

Sizes sizes_of(std::span<const std::int64_t> shape) {
    Sizes out;
    for (std::size_t d = 0; d < shape.size(); ++d) out[dim_name(d)] = shape[d];
    return out;
}

Extents per_cta(const LinearLayout& cga, std::span<const std::int64_t> shape) {
    const LinearLayout fitting = cga.shrunk(sizes_of(shape));
    Extents out;
    for (std::size_t d = 0; d < shape.size(); ++d)
        out.push_back(std::max<std::int64_t>(1, shape[d] / fitting.out_size(dim_name(d))));
    return out;
}

LinearLayout combine(const LinearLayout& cta, const LinearLayout& cga, std::span<const std::int64_t> shape) {
    const LinearLayout blocks = cga.shrunk(sizes_of(shape));
    const Sizes wanted = sizes_of(per_cta(cga, shape));
    const LinearLayout one = cta.grown(wanted).shrunk(wanted);
    return (one * blocks).transposed(dim_names(shape.size()));
}

Result<LinearLayout> linear_of(const Attribute& attribute, std::span<const std::int64_t> shape, int depth) {
    if (depth > 8) return error_at(attribute.span, "TXT_TOO_DEEP", "encodings nested deeper than 8 levels");
    LS_CHECK(check_shape(attribute, shape));
    for (const Encoding& encoding : kEncodings) {
        if (encoding.name == attribute.name) return encoding.build(attribute, shape, depth);
    }
    if (attribute.name == "padded_shared")
        return error_at(attribute.name_span, "TRITON_PADDED", "a padded layout is not linear over XOR");
    std::string known;
    for (const Encoding& encoding : kEncodings) known += fmt::format("{}{}", known.empty() ? "" : ", ", encoding.name);
    const std::string_view close =
        notation::nearest(attribute.name, kEncodings, [](const Encoding& e) { return e.name; });
    return error_at(attribute.name_span, "TRITON_UNKNOWN",
                    fmt::format("there is no encoding '{}' here", attribute.name),
                    (close.empty() ? std::string() : fmt::format("did you mean {}? ", close)) + "known: " + known +
                        ", padded_shared");
}

Result<LinearLayout> to_linear(const Attribute& attribute, std::span<const std::int64_t> shape) {
    return linear_of(attribute, shape, 0);
}

} // namespace ls::triton
