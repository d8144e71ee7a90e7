// Encodings of shared memory: swizzled, rotating, NVIDIA's MMA form, linear, padded.
#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "core/notation/triton_layout_internal.h"

namespace ls::triton {

namespace {

constexpr std::int64_t kMaxBox = 256; // a bulk copy moves boxes of at most 256 in each dimension

/// Rows are exchanged by XOR of a phase on vectors of `vec` elements.
struct Phases {
    std::int64_t vec = 1, per_phase = 1, max_phase = 1;
    bool rotating = false;

    std::int64_t column_of_row(std::int64_t row, std::int64_t columns) const {
        std::int64_t phase = row / per_phase % max_phase;
        if (rotating) phase ^= row / max_phase / per_phase % max_phase;
        return vec * phase % columns;
    }
};

std::vector<OutDim> out_dims(std::size_t rank) {
    std::vector<OutDim> outs;
    for (std::size_t d = 0; d < rank; ++d) outs.push_back({dim_name(d), 1});
    return outs;
}

Result<LinearLayout> phased(const Attribute& attribute, std::span<const std::int64_t> shape, bool rotating) {
    const std::size_t rank = shape.size();
    Phases phases;
    LS_TRY(phases.vec, power(attribute, "vec"));
    LS_TRY(phases.per_phase, power(attribute, "perPhase"));
    LS_TRY(phases.max_phase, power(attribute, "maxPhase"));
    phases.rotating = rotating;
    LS_TRY(const auto order, order_of(attribute, "order", rank));
    LS_TRY(const LinearLayout cga, cga_of(attribute, rank));
    const Extents tile = per_cta(cga, shape);
    LS_CHECK(check_rank(attribute, rank, 1));
    const std::int64_t columns = tile[order[0]];
    std::vector<Basis> bases;
    for (std::int64_t bit = 1; bit < columns; bit *= 2) {
        bases.emplace_back(rank, 0).at(order[0]) = bit;
    }
    for (std::int64_t row = 1; rank > 1 && row < tile[order[1]]; row *= 2) {
        Basis& basis = bases.emplace_back(rank, 0);
        basis[order[1]] = row;
        basis[order[0]] = phases.column_of_row(row, columns);
    }
    for (std::size_t i = 2; i < rank; ++i) {
        for (std::int64_t bit = 1; bit < tile[order[i]]; bit *= 2) bases.emplace_back(rank, 0).at(order[i]) = bit;
    }
    return combine(LinearLayout({{"offset", std::move(bases)}}, out_dims(rank)), cga, shape);
}

struct NvMma {
    std::int64_t swizzle_bytes = 128, bits = 16;
    bool transposed = false, padded = false;
};

Result<NvMma> nvmma_of(const Attribute& attribute) {
    NvMma out;
    LS_TRY(out.swizzle_bytes, attribute.integer("swizzlingByteWidth"));
    LS_TRY(out.bits, power(attribute, "elementBitWidth", 128));
    out.transposed = attribute.flag("transposed");
    out.padded = attribute.flag("fp4Padded");
    constexpr std::array<std::int64_t, 4> widths{0, 32, 64, 128};
    if (std::find(widths.begin(), widths.end(), out.swizzle_bytes) == widths.end()) {
        return error_at(attribute.find("swizzlingByteWidth")->span, "TRITON_KEY",
                        fmt::format("swizzlingByteWidth is {}", out.swizzle_bytes), "known: 0, 32, 64, 128");
    }
    return out;
}

/// fp4 padded to bytes: of 16 columns, 8 are real.
std::int64_t real_column(std::int64_t column, bool padded) { return padded ? column / 16 * 8 + column % 8 : column; }

/// 8 rows of one swizzle width.
LinearLayout core_matrix(const NvMma& form) {
    const Phases phases{128 / form.bits, 128 / form.swizzle_bytes, form.swizzle_bytes / 16};
    const std::int64_t columns = 8 * std::max<std::int64_t>(16, form.swizzle_bytes) / form.bits;
    std::vector<Basis> bases;
    for (std::int64_t column = 1; column < columns; column *= 2) {
        const bool pad = form.padded && column % 16 == 8;
        bases.push_back({0, pad ? 0 : real_column(column, form.padded)});
    }
    for (std::int64_t row = 1; row < 8; row *= 2) {
        bases.push_back({row, real_column(phases.column_of_row(row, columns), form.padded)});
    }
    return LinearLayout({{"offset", std::move(bases)}}, out_dims(2));
}

std::int64_t product(std::span<const std::int64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

/// Row-major over the box, last dimension first.
LinearLayout row_major_box(const Extents& box) {
    LinearLayout out;
    for (std::size_t d = box.size(); d-- > 0;) out *= LinearLayout::identity(box[d], "offset", dim_name(d));
    return out;
}

Result<LinearLayout> swizzled_box(const Attribute& attribute, const NvMma& form, const Extents& box) {
    const std::size_t rank = box.size();
    // Outer dimensions collapse into one; for transposed tensors that happens before the rotation, so that rows run
    // over the last dimensions [Q].
    Extents collapsed{product(std::span(box).first(rank - 1)), box.back()};
    if (form.transposed) std::swap(collapsed[0], collapsed[1]);
    const LinearLayout core = core_matrix(form);
    if (collapsed[0] < core.out_size("dim0") || collapsed[1] < core.out_size("dim1")) {
        return error_at(attribute.span, "TRITON_SHAPE",
                        fmt::format("a box of {} x {} is smaller than the swizzle's {} x {}", collapsed[0],
                                    collapsed[1], core.out_size("dim0"), core.out_size("dim1")),
                        "use a narrower swizzle");
    }
    const LinearLayout grown = core.grown(sizes_of(collapsed)).transposed(dim_names(2));
    Extents target = box;
    if (form.transposed) std::rotate(target.begin(), target.begin() + 1, target.end());
    std::vector<OutDim> outs;
    for (std::size_t d = 0; d < rank; ++d) outs.push_back({dim_name(d), target[d]});
    const LinearLayout shaped = grown.reshaped(outs);
    if (!form.transposed) return shaped;
    // Back: the last dimension of the rotated box is the first of the tensor.
    std::vector<std::string> order{dim_name(rank - 1)};
    for (std::size_t d = 0; d + 1 < rank; ++d) order.push_back(dim_name(d));
    return shaped.transposed(order).renamed_outs();
}

} // namespace

Result<LinearLayout> swizzled_shared(const Attribute& attribute, std::span<const std::int64_t> shape, int) {
    if (attribute.flag("hasLeadingOffset")) {
        return error_at(attribute.span, "TRITON_UNKNOWN",
                        "a shared encoding with a leading offset needs the element's width",
                        "write it as #ttg.nvmma_shared");
    }
    return phased(attribute, shape, false);
}

Result<LinearLayout> rotating_shared(const Attribute& attribute, std::span<const std::int64_t> shape, int) {
    return phased(attribute, shape, true);
}

Result<LinearLayout> nvmma_shared(const Attribute& attribute, std::span<const std::int64_t> shape, int) {
    const std::size_t rank = shape.size();
    LS_CHECK(check_rank(attribute, rank, 1));
    LS_TRY(const NvMma form, nvmma_of(attribute));
    LS_TRY(const LinearLayout cga, cga_of(attribute, rank));
    const Extents tile = per_cta(cga, shape);
    Extents box;
    for (const std::int64_t extent : tile) box.push_back(std::min(extent, kMaxBox));
    LinearLayout layout;
    if (form.swizzle_bytes == 0) {
        layout = row_major_box(box);
    } else {
        LS_CHECK(check_rank(attribute, rank, 2));
        const std::size_t contiguous = form.transposed ? 0 : rank - 1;
        const std::int64_t width = 8 * form.swizzle_bytes / form.bits / (form.padded ? 2 : 1);
        if (box[contiguous] < width) {
            return error_at(attribute.span, "TRITON_SHAPE",
                            fmt::format("{} contiguous elements are fewer than the {} of a {}-byte swizzle",
                                        box[contiguous], width, form.swizzle_bytes),
                            "use a narrower swizzle");
        }
        box[contiguous] = width;
        LS_TRY(layout, swizzled_box(attribute, form, box));
    }
    const LinearLayout ordered = layout.transposed(dim_names(rank));
    return combine(ordered, cga, shape);
}

Result<LinearLayout> shared_linear(const Attribute& attribute, std::span<const std::int64_t> shape, int) {
    std::vector<InDim> ins;
    for (const char* name : {"offset", "block"}) {
        std::vector<Basis> bases;
        if (const AttributeValue* value = attribute.find(name)) {
            LS_TRY(bases, attribute.bases(name));
            for (const Basis& basis : bases) {
                const bool fine =
                    basis.size() == shape.size() && bases.size() <= 40 &&
                    std::all_of(basis.begin(), basis.end(), [](std::int64_t v) { return v >= 0 && v < kMaxElements; });
                if (!fine)
                    return error_at(value->span, "TRITON_RANK",
                                    fmt::format("{} needs bases of {} non-negative entries", name, shape.size()));
            }
        }
        ins.push_back({name, std::move(bases)});
    }
    return LinearLayout(std::move(ins), out_dims(shape.size())).grown(sizes_of(shape)).shrunk(sizes_of(shape));
}

Result<PaddedLayout> padded_shared(const Attribute& attribute, std::span<const std::int64_t> shape) {
    const std::size_t rank = shape.size();
    PaddedLayout out;
    for (const auto& [interval, pad] : attribute.paddings) {
        if (!is_power_of_two(interval) || !is_power_of_two(pad) || interval > kMaxElements || pad > kMaxElements) {
            return error_at(attribute.span, "TRITON_POWER",
                            fmt::format("the padding {}:+{} must be of powers of two", interval, pad));
        }
    }
    if (attribute.paddings.empty())
        return error_at(attribute.span, "TRITON_KEY", "padded_shared needs paddings",
                        "for example #ttg.padded_shared<[128:+4] {order = [1, 0], shape = [16, 32]}>");
    out.paddings = attribute.paddings;
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) {
        if (!is_power_of_two(extent) || extent > kMaxElements / elements)
            return error_at(attribute.span, "TRITON_POWER",
                            "the shape must be of powers of two, at most 2^40 elements");
        elements *= extent;
    }
    if (attribute.find("offset") != nullptr) {
        LS_TRY(out.linear, shared_linear(attribute, shape, 0));
        return out;
    }
    LS_TRY(const auto order, order_of(attribute, "order", rank));
    LS_TRY(const LinearLayout cga, cga_of(attribute, rank));
    const Extents tile = per_cta(cga, shape);
    out.linear = combine(identity_nd("offset", tile, order), cga, shape);
    return out;
}

std::int64_t PaddedLayout::padded(std::int64_t index) const {
    std::int64_t offset = index;
    for (const auto& [interval, pad] : paddings) offset += index / interval * pad;
    return offset;
}

std::int64_t PaddedLayout::size() const {
    const std::int64_t elements = linear.in("offset").size();
    std::int64_t total = padded(elements);
    for (const auto& [interval, pad] : paddings) {
        if (elements % interval == 0) total -= pad;
    }
    return total;
}

} // namespace ls::triton
