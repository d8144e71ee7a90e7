#include "core/passes/tirx/plan/smem_operand.h"

#include <array>

#include <fmt/format.h>

#include "core/notation/tirx_text.h"

namespace ls::tirx {

namespace {

using catalogue::SwizzleMode;
using tensor_core::SmemSwizzle;

/// An 8-row group of unswizzled core matrices spans 8 · 16 bytes.
constexpr std::int64_t kPlainStride = 8;

/// The stride of an iter that a descriptor walks, in units of 16 bytes; 0 when there is nothing to step over.
Result<std::int64_t> step_16b(const Iter& iter, std::int64_t elems, std::int64_t elems_16b) {
    if (iter.extent.is(1)) return std::int64_t{0};
    if (!iter.stride.is_constant()) {
        return error("PLAN_SYMBOLIC", fmt::format("stride {} of the operand is not known before the program runs",
                                                  to_string(iter.stride)));
    }
    const CheckedInt product = checked_mul(iter.stride.value(), elems);
    if (!product) return error("LAYOUT_OVERFLOW", fmt::format("stride {} is too large", iter.stride.value()));
    return floor_div(*product, elems_16b);
}

Result<SmemOperand> match_plain(const Operand& operand, const Layout& sliced, std::span<const std::int64_t> shape,
                                bool transposed) {
    const std::int64_t e16 = elems_per_16b(operand.dtype);
    LS_TRY(const Layout canonical, canonicalize(sliced));
    LS_TRY(const Grouped grouped, group(canonical.tile(), to_dims(shape)));
    const std::vector<Iter>& shard = grouped.layout.shard;
    const auto is = [](const Iter& iter, std::int64_t extent, std::int64_t stride) {
        return iter.extent.is(extent) && iter.stride.is(stride);
    };
    if (shard.size() >= 3) {
        const Iter& rows = shard[shard.size() - 3];
        const Iter& units = shard[shard.size() - 2];
        const Iter& unit = shard.back();
        const bool packed = is(rows, shape[0], e16) && is(unit, e16, 1) && units.stride.is(shape[0] * e16) &&
                            (units.extent * unit.extent).is(shape[1]);
        if (packed && e16 != 8) {
            return error("SMEM_OPERAND_PLAIN",
                         fmt::format("packed columns of 16 bytes without a swizzle are only known to work for 16-bit "
                                     "dtypes (8 elements in 16 bytes); {} has {}",
                                     info(operand.dtype).tirx, e16),
                         "use a swizzled layout");
        }
        if (packed) return SmemOperand{SmemSwizzle::None, shape[0], kPlainStride, transposed};
    }
    const bool columns = shard.size() >= 2 && shard[shard.size() - 2].stride.is(1) && shard.back().stride.is(shape[0]);
    if (!columns) {
        return error("SMEM_OPERAND_PLAIN",
                     fmt::format("without a swizzle the first matrix dimension of {} must be contiguous, or columns of "
                                 "16 bytes packed; the region [{}, {}] is {}",
                                 operand.name, shape[0], shape[1], notation::print_tirx(canonical)),
                     fmt::format("packed: S[({0}, {1}, {2}):({2}, {3}, 1)]; or take a swizzled layout such as "
                                 "mma_shared({4}, 128B, ...)",
                                 shape[0], std::max<std::int64_t>(1, shape[1] / e16), e16, shape[0] * e16,
                                 info(operand.dtype).brief));
    }
    if (shape[0] != 8 * e16) {
        return error("SMEM_OPERAND_PLAIN",
                     fmt::format("without a swizzle a column-major operand's contiguous dimension must span exactly 128B "
                                 "(= {} elements of {}), but it has {}",
                                 8 * e16, info(operand.dtype).tirx, shape[0]),
                     "use a swizzled or a packed layout for other sizes");
    }
    return SmemOperand{SmemSwizzle::None, shape[0], kPlainStride, transposed};
}

struct Candidate {
    bool mn_major;
    Layout atom;
    std::array<std::int64_t, 2> shape;
};

/// ldo and sdo when `sliced` is the atom repeated along both dimensions.
Result<std::optional<std::array<std::int64_t, 2>>> try_atom(const Candidate& candidate, const Layout& sliced,
                                                            std::span<const std::int64_t> shape,
                                                            std::int64_t elems_16b) {
    std::optional<std::array<std::int64_t, 2>> none;
    if (shape[0] % candidate.shape[0] != 0 || shape[1] % candidate.shape[1] != 0) return none;
    const auto tiler = is_tile_inner(candidate.atom, sliced, to_dims(shape), to_dims(candidate.shape));
    if (!tiler) return none;
    const std::array<std::int64_t, 2> counts{shape[0] / candidate.shape[0], shape[1] / candidate.shape[1]};
    LS_TRY(const Layout canonical, canonicalize(*tiler));
    const auto grouped = group(canonical.tile(), to_dims(counts));
    // A dimension of several iters would need more than one step.
    if (!grouped || grouped->separators != std::vector<std::size_t>{0, 1, 2}) return none;
    const std::int64_t atom = candidate.shape[0] * candidate.shape[1];
    LS_TRY(const std::int64_t last, step_16b(grouped->layout.shard[1], atom, elems_16b));
    LS_TRY(const std::int64_t first, step_16b(grouped->layout.shard[0], atom, elems_16b));
    return std::optional(std::array<std::int64_t, 2>{last, first});
}

Result<SmemOperand> match_swizzled(const Operand& operand, const Layout& sliced, std::span<const std::int64_t> shape,
                                   bool transposed, SwizzleMode physical) {
    for (const SwizzleMode mode : {SwizzleMode::B128, SwizzleMode::B64, SwizzleMode::B32}) {
        LS_TRY(const Layout rows, catalogue::mma_atom_layout(operand.dtype, mode));
        LS_TRY(const std::int64_t width, catalogue::mma_atom_columns(operand.dtype, mode));
        TileLayout turned;
        turned.shard = {{Dim(width), Dim(1), axes::m}, {Dim(8), Dim(width), axes::m}};
        const Layout columns = rows.with_tile(turned);
        // K-major means that K is contiguous: the last dimension of [MN, K], the first of [K, MN].
        const Candidate along_last{transposed, rows, {8, width}};
        const Candidate along_first{!transposed, columns, {width, 8}};
        for (const Candidate* candidate :
             {transposed ? &along_first : &along_last, transposed ? &along_last : &along_first}) {
            LS_TRY(const auto steps, try_atom(*candidate, sliced, shape, elems_per_16b(operand.dtype)));
            if (!steps) continue;
            SmemOperand found{static_cast<SmemSwizzle>(mode), (*steps)[0], (*steps)[1], candidate->mn_major};
            // The leading offset steps along K for K-major and along MN for MN-major, wherever that dimension stands.
            if (found.mn_major != transposed) std::swap(found.ldo, found.sdo);
            return found;
        }
    }
    LS_TRY(const std::int64_t width, catalogue::mma_atom_columns(operand.dtype, physical));
    return error("SMEM_OPERAND_ATOM",
                 fmt::format("no MMA SMEM descriptor matches region shape [{}, {}] of {} for dtype {}: it is not the {} "
                             "swizzle atom (8 rows of {} elements, {} bytes) repeated along each dimension; its layout "
                             "is {}",
                             shape[0], shape[1], operand.name, info(operand.dtype).tirx, catalogue::name(physical), width,
                             width * bits(operand.dtype) / 8, notation::print_tirx(sliced)),
                 "lay the buffer out as mma_shared or mma_shared_mn_major does, and slice whole atoms off its strided "
                 "dimension");
}

} // namespace

Result<SmemOperand> match_smem_operand(const Operand& operand, bool transposed) {
    if (!operand.layout) return error("PLAN_NO_LAYOUT", fmt::format("buffer {} has no layout", operand.name));
    if (bits(operand.dtype) < 4 || 128 % bits(operand.dtype) != 0 || operand.region.empty()) {
        return error("SMEM_OPERAND_SHAPE", fmt::format("{} of type {} is no matrix operand", operand.name,
                                                       info(operand.dtype).tirx));
    }
    LS_TRY(const auto physical, swizzle_mode(*operand.layout));
    Operand covered = operand;
    if (physical && *physical != SwizzleMode::None) {
        // The descriptor tells of the buffer's whole atoms, whatever part of one the region takes.
        Region& last = covered.region.back();
        LS_TRY(const std::int64_t width, catalogue::mma_atom_columns(operand.dtype, *physical));
        LS_TRY(const auto extent, constants(std::span(&last.extent, 1), "the operand's last extent"));
        const std::int64_t rounded = align_up(extent[0], width);
        if (rounded != extent[0]) {
            const std::int64_t e16 = elems_per_16b(operand.dtype);
            if (!proves_divisible(last.begin, e16)) {
                return error("SMEM_OPERAND_ALIGNMENT",
                             fmt::format("the slice of {} starts at {} of its contiguous dimension, which is not "
                                         "16B-aligned (= {} elements of {})",
                                         operand.name, to_string(last.begin), e16, info(operand.dtype).tirx),
                             "start at a multiple of 16 bytes, or split the other dimension");
            }
            last = {Dim(0), Dim(rounded)};
        }
    }
    const auto cut = slice_of(covered);
    if (!cut && !covered.region.back().extent.is(operand.region.back().extent.constant().value_or(0))) {
        return error("SMEM_OPERAND_ATOM",
                     fmt::format("no MMA SMEM descriptor matches {}: its last dimension takes {} of {} elements, which is only a part of "
                                 "a {} swizzle atom, and the buffer does not hold the rest of the atom there",
                                 operand.name, to_string(operand.region.back().extent), to_string(operand.shape.back()),
                                 catalogue::name(*physical)),
                     "make the last dimension a multiple of the atom's width, or take a narrower swizzle");
    }
    LS_TRY(const Layout sliced, cut);
    LS_TRY(const std::vector<std::int64_t> shape, constants(non_unit(extents(covered)), "an extent of the operand,"));
    if (shape.size() != 2) {
        return error("SMEM_OPERAND_SHAPE",
                     fmt::format("Expected exactly 2 non-unit dims in the region of {}, got {}", operand.name,
                                 to_string(extents(covered))));
    }
    if (physical && *physical == SwizzleMode::None) {
        if (sliced.is_compose()) {
            return error("SMEM_OPERAND_PLAIN", "a descriptor without swizzle needs a plain TileLayout",
                         "write the layout without ComposeLayout");
        }
        return match_plain(operand, sliced, shape, transposed);
    }
    return match_swizzled(operand, sliced, shape, transposed, physical.value_or(SwizzleMode::B128));
}

Result<OperandTiles> OperandTiles::make(const Operand& operand, bool transposed) {
    if (operand.region.empty()) return error("SMEM_OPERAND_SHAPE", fmt::format("{} has no dimension", operand.name));
    LS_TRY(const Layout sliced, slice_of(operand));
    OperandTiles tiles;
    tiles.tile_ = without_swizzle(sliced, extents(operand));
    tiles.last_extent_ = operand.region.back().extent;
    tiles.elems_16b_ = elems_per_16b(operand.dtype);
    tiles.transposed_ = transposed;
    return tiles;
}

Result<Dim> OperandTiles::offset_16b(const Dim& mn, const Dim& k) const {
    const Dim linear = transposed_ ? k * last_extent_ + mn : mn * last_extent_ + k;
    LS_TRY(const AxisMap at, apply(Layout(tile_), linear));
    return floor_div(at.get(axes::m), Dim(elems_16b_));
}

} // namespace ls::tirx
