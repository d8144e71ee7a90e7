// Encodings of registers: blocked, slice, nvidia_mma, dot_op, linear.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/notation/triton_layout_internal.h"

namespace ls::triton {

namespace {

/// rank-1, ..., 0: the last dimension is the fastest.
std::vector<std::size_t> row_major_order(std::size_t rank) {
    std::vector<std::size_t> order(rank);
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    return order;
}

std::vector<std::string> names_in(std::span<const std::size_t> order) {
    std::vector<std::string> names;
    for (const std::size_t d : order) names.push_back(dim_name(d));
    return names;
}

/// One mma tile of [rows, inner] over 4 x 8 lanes: `vector` neighbours along `inner` are in one register group.
LinearLayout mma_tile(std::int64_t rows, std::int64_t inner, std::int64_t vector, const std::string& row_dim,
                      const std::string& inner_dim) {
    LinearLayout tile = LinearLayout::identity(vector, "register", inner_dim) *
                        LinearLayout::identity(4, "lane", inner_dim) * LinearLayout::identity(8, "lane", row_dim);
    tile *= LinearLayout::identity(std::max<std::int64_t>(1, rows / 8), "register", row_dim);
    return tile * LinearLayout::identity(std::max<std::int64_t>(1, inner / (vector * 4)), "register", inner_dim);
}

struct Mma {
    std::int64_t version = 2;
    Extents instr; ///< [.., m, n] for version 2, [m, n, k] for version 3
    Extents warps;
    std::vector<std::size_t> warp_order;
    std::int64_t m = 16, n = 8;
};

Result<Mma> mma_of(const Attribute& attribute, std::size_t rank) {
    LS_CHECK(check_rank(attribute, rank, 2));
    Mma out;
    LS_TRY(out.version, attribute.integer("versionMajor"));
    if (out.version != 2 && out.version != 3) {
        return error_at(attribute.find("versionMajor")->span, "TRITON_UNKNOWN",
                        fmt::format("nvidia_mma of version {} holds nothing in registers here", out.version),
                        out.version == 5 ? "its accumulator is in tensor memory: #ttng.tensor_memory_encoding"
                                         : "known: 2, 3");
    }
    LS_TRY(out.warps, powers(attribute, "warpsPerCTA", rank));
    LS_TRY(out.instr, attribute.integers("instrShape"));
    if (out.instr.size() < 2)
        return error_at(attribute.find("instrShape")->span, "TRITON_RANK", "instrShape needs at least m and n");
    const std::size_t last = out.instr.size() - 1;
    out.m = out.version == 2 ? out.instr[last - 1] : out.instr[0];
    out.n = out.version == 2 ? out.instr[last] : out.instr[1];
    if (!is_power_of_two(out.m) || !is_power_of_two(out.n) || out.m < 8 || out.n < 8 || out.m > 256 || out.n > 256) {
        return error_at(attribute.find("instrShape")->span, "TRITON_POWER",
                        fmt::format("an instruction of {} x {}", out.m, out.n),
                        "m and n are powers of two from 8 to 256");
    }
    // Warps run along the last dimension first in version 2 and along the first one first in version 3.
    out.warp_order = row_major_order(rank);
    if (out.version == 3) std::reverse(out.warp_order.begin(), out.warp_order.end());
    return out;
}

Result<LinearLayout> dot_on_mma(const Attribute& attribute, const Attribute& parent, std::int64_t operand,
                                std::span<const std::int64_t> shape) {
    const std::size_t rank = shape.size();
    LS_TRY(const Mma mma, mma_of(parent, rank));
    LS_TRY(const std::int64_t k_width, power(attribute, "kWidth", 32));
    if (mma.version == 3 && operand != 0)
        return error_at(attribute.span, "TRITON_UNKNOWN", "version 3 reads operand B from shared memory", "opIdx = 0");
    const std::size_t k_dim = operand == 0 ? rank - 1 : rank - 2;
    const std::size_t other_dim = operand == 0 ? rank - 2 : rank - 1;
    const bool fp64 = mma.m == 8;
    const std::int64_t k_extent = (fp64 ? 4 : 8) * k_width;
    LinearLayout cta = mma_tile(operand == 0 ? mma.m : 8, k_extent, k_width, dim_name(other_dim), dim_name(k_dim));
    for (const std::size_t d : mma.warp_order) {
        cta *= d == k_dim ? LinearLayout::zeros(mma.warps[d], "warp", dim_name(d))
                          : LinearLayout::identity(mma.warps[d], "warp", dim_name(d));
    }
    // Repetitions run along K first.
    std::vector<std::size_t> order{k_dim, other_dim};
    for (std::size_t d = rank - 2; d-- > 0;) order.push_back(d);
    for (std::size_t d = 0; d + 2 < rank; ++d) cta *= LinearLayout::identity(1, "register", dim_name(d));
    LS_TRY(const LinearLayout cga, cga_of(parent, rank));
    return combine(cta.transposed(names_in(order)), cga, shape);
}

Result<LinearLayout> dot_on_blocked(const Attribute& parent, std::int64_t operand,
                                    std::span<const std::int64_t> shape) {
    const std::size_t rank = shape.size();
    LS_CHECK(check_rank(parent, rank, 2));
    const std::size_t k_dim = operand == 0 ? rank - 1 : rank - 2;
    LS_TRY(Extents registers, powers(parent, "sizePerThread", rank));
    LS_TRY(const Extents lanes, powers(parent, "threadsPerWarp", rank));
    LS_TRY(const Extents warps, powers(parent, "warpsPerCTA", rank));
    LS_TRY(const auto order, order_of(parent, "order", rank));
    LS_TRY(const LinearLayout cga, cga_of(parent, rank));
    registers[k_dim] = shape[k_dim]; // a thread holds the whole K
    LinearLayout cta = identity_nd("register", registers, order);
    for (const auto& [name, sizes] : {std::pair<std::string, const Extents&>{"lane", lanes}, {"warp", warps}}) {
        for (const std::size_t d : order) {
            cta *= d == k_dim ? LinearLayout::zeros(sizes[d], name, dim_name(d))
                              : LinearLayout::identity(sizes[d], name, dim_name(d));
        }
    }
    return combine(cta.transposed(names_in(order)), cga, shape);
}

} // namespace

Result<LinearLayout> blocked(const Attribute& attribute, std::span<const std::int64_t> shape, int) {
    const std::size_t rank = shape.size();
    LS_TRY(const Extents registers, powers(attribute, "sizePerThread", rank));
    LS_TRY(const Extents lanes, powers(attribute, "threadsPerWarp", rank));
    LS_TRY(const Extents warps, powers(attribute, "warpsPerCTA", rank));
    LS_TRY(const auto order, order_of(attribute, "order", rank));
    LS_TRY(const LinearLayout cga, cga_of(attribute, rank));
    const LinearLayout cta = identity_nd("register", registers, order) * identity_nd("lane", lanes, order) *
                             identity_nd("warp", warps, order);
    return combine(cta.transposed(names_in(order)), cga, shape);
}

Result<LinearLayout> slice(const Attribute& attribute, std::span<const std::int64_t> shape, int depth) {
    LS_TRY(const std::int64_t dim, attribute.integer("dim"));
    LS_TRY(const Attribute* const parent, attribute.attribute("parent"));
    if (dim < 0 || static_cast<std::size_t>(dim) > shape.size()) {
        return error_at(attribute.find("dim")->span, "TRITON_RANK",
                        fmt::format("dimension {} of a parent of rank {}", dim, shape.size() + 1));
    }
    Extents parent_shape(shape.begin(), shape.end());
    parent_shape.insert(parent_shape.begin() + dim, 1);
    LS_TRY(const LinearLayout whole, linear_of(*parent, parent_shape, depth + 1));
    if (!whole.has_in("register"))
        return error_at(parent->span, "TRITON_KEY", "the parent of a slice must be an encoding of registers");
    // Registers that differed only in the removed dimension are the same; lanes and warps stay and broadcast.
    return whole.without_out(static_cast<std::size_t>(dim)).without_zero_bases("register").renamed_outs();
}

Result<LinearLayout> nvidia_mma(const Attribute& attribute, std::span<const std::int64_t> shape, int) {
    const std::size_t rank = shape.size();
    LS_TRY(const Mma mma, mma_of(attribute, rank));
    LS_TRY(const LinearLayout cga, cga_of(attribute, rank));
    LinearLayout cta = mma_tile(mma.m, mma.n, 2, dim_name(rank - 2), dim_name(rank - 1));
    cta *= identity_nd("warp", mma.warps, mma.warp_order);
    const std::vector<std::size_t> order = row_major_order(rank);
    return combine(cta.transposed(names_in(order)), cga, shape);
}

Result<LinearLayout> dot_op(const Attribute& attribute, std::span<const std::int64_t> shape, int) {
    LS_TRY(const std::int64_t operand, attribute.integer("opIdx"));
    if (operand != 0 && operand != 1)
        return error_at(attribute.find("opIdx")->span, "TRITON_KEY",
                        fmt::format("opIdx is {}, but must be 0 or 1", operand));
    LS_TRY(const Attribute* const parent, attribute.attribute("parent"));
    if (parent->name == "nvidia_mma") return dot_on_mma(attribute, *parent, operand, shape);
    if (parent->name == "blocked") return dot_on_blocked(*parent, operand, shape);
    return error_at(parent->name_span, "TRITON_UNKNOWN", fmt::format("dot_op on {} is not known here", parent->name),
                    "known parents: nvidia_mma, blocked");
}

Result<LinearLayout> linear(const Attribute& attribute, std::span<const std::int64_t> shape, int) {
    std::vector<InDim> ins;
    for (const char* name : {"register", "lane", "warp", "block"}) {
        std::vector<Basis> bases;
        if (const AttributeValue* value = attribute.find(name)) {
            LS_TRY(bases, attribute.bases(name));
            for (const Basis& basis : bases) {
                const bool fine =
                    basis.size() == shape.size() && bases.size() <= 30 &&
                    std::all_of(basis.begin(), basis.end(), [](std::int64_t v) { return v >= 0 && v < kMaxElements; });
                if (!fine)
                    return error_at(value->span, "TRITON_RANK",
                                    fmt::format("{} needs bases of {} non-negative entries", name, shape.size()));
            }
        }
        ins.push_back({name, std::move(bases)});
    }
    std::vector<OutDim> outs;
    for (std::size_t d = 0; d < shape.size(); ++d) outs.push_back({dim_name(d), 1});
    const LinearLayout own(std::move(ins), std::move(outs));
    return own.grown(sizes_of(shape)).shrunk(sizes_of(shape));
}

} // namespace ls::triton
