#include "core/notation/cute_atoms.h"

#include <array>

#include <fmt/format.h>

#include "core/notation/cute_algebra.h"
#include "core/notation/cute_evaluate.h"
#include "core/notation/cute_text.h"
#include "core/support/checked.h"

namespace ls::cute {

namespace {

struct AtomInfo {
    std::string_view name;
    int fast_bits;   ///< extent of the contiguous mode in bits
    int slow;        ///< extent of the other mode in elements
    Swizzle swizzle; ///< on bytes
    int sm90_type, sm100_type;
};
constexpr std::array<AtomInfo, 5> kAtoms{{
    {"INTER", 128, 8, {0, 4, 3}, 0, 0},
    {"SW32", 256, 8, {1, 4, 3}, 3, 6},
    {"SW64", 512, 8, {2, 4, 3}, 2, 4},
    {"SW128", 1024, 8, {3, 4, 3}, 1, 2},
    {"SW128_32B", 1024, 4, {2, 5, 2}, -1, 1}, // UMMA only
}};
const AtomInfo& info(AtomSwizzle swizzle) { return kAtoms[static_cast<std::size_t>(swizzle)]; }

Diagnostic not_canonical(std::string why) {
    return error("CUTE_DESCRIPTOR", std::move(why), "make the layout with tile_to_shape from one of the MMA atoms");
}

/// Swizzle and plain layout of a flagged composition.
Result<const AtomInfo*> atom_of(const Composed& layout) {
    if (layout.stages.size() != 1 || layout.stages[0].offset.kind != Offset::Kind::SmemPointer) {
        return not_canonical("a descriptor needs Sw<..> o smem_ptr[..b](unset) o layout");
    }
    const auto* swizzle = std::get_if<Swizzle>(&layout.stages[0].outer);
    for (const AtomInfo& atom : kAtoms) {
        if (swizzle != nullptr && *swizzle == atom.swizzle) return &atom;
    }
    return not_canonical("the swizzle is none of the MMA's");
}

} // namespace

std::optional<Atom> atom_from_name(std::string_view name) {
    for (const Major major : {Major::K, Major::Mn}) {
        for (std::size_t i = 0; i < kAtoms.size(); ++i) {
            const Atom atom{major, static_cast<AtomSwizzle>(i)};
            if (cute::name(atom) == name) return atom;
        }
    }
    return {};
}

std::string name(const Atom& atom) {
    return fmt::format("Layout_{}_{}_Atom", atom.major == Major::K ? "K" : "MN", info(atom.swizzle).name);
}

Result<Composed> atom_layout(const Atom& atom, int element_bits) {
    const AtomInfo& form = info(atom.swizzle);
    if (atom.swizzle == AtomSwizzle::Sw128Base32 && atom.major == Major::K)
        return error("CUTE_ATOM", "there is no K-major atom with a 32-byte base");
    if (!is_power_of_two(element_bits) || element_bits > form.fast_bits) {
        return error("CUTE_ATOM", fmt::format("an atom of {}-bit elements", element_bits),
                     "4, 8, 16 and 32 bits are usual");
    }
    const std::int64_t fast = form.fast_bits / element_bits;
    const std::vector<CuteLayout> modes = atom.major == Major::K
                                              ? std::vector{make_leaf(form.slow, fast), make_leaf(fast, 1)}
                                              : std::vector{make_leaf(fast, 1), make_leaf(form.slow, fast)};
    Composed out;
    out.layout = mark_static(join(modes));
    out.element_bits = element_bits;
    Stage stage;
    stage.outer = form.swizzle;
    stage.offset.kind = Offset::Kind::SmemPointer;
    stage.offset.element_bits = element_bits;
    out.stages.push_back(std::move(stage));
    return out;
}

std::uint64_t MatrixDescriptor::word() const {
    constexpr std::uint64_t kField = (std::uint64_t{1} << 14U) - 1;
    std::uint64_t out = static_cast<std::uint64_t>(start) & kField;
    out |= (static_cast<std::uint64_t>(lbo) & kField) << 16U;
    out |= (static_cast<std::uint64_t>(sbo) & kField) << 32U;
    if (architecture == Architecture::Sm100) out |= std::uint64_t{1} << 46U;
    return out | static_cast<std::uint64_t>(type) << (architecture == Architecture::Sm90 ? 62U : 61U);
}

Result<MatrixDescriptor> matrix_descriptor(const Composed& layout, Major major, std::int64_t mn, std::int64_t k,
                                           Architecture architecture) {
    LS_TRY(const AtomInfo* const atom, atom_of(layout));
    const int type = architecture == Architecture::Sm90 ? atom->sm90_type : atom->sm100_type;
    if (type < 0) return not_canonical("SM90 has no swizzle with a 32-byte base");
    if (!is_power_of_two(layout.element_bits) || layout.element_bits > 128)
        return not_canonical(fmt::format("elements of {} bits", layout.element_bits));
    if (rank(layout.layout.shape) < 2) return not_canonical("a descriptor needs a layout (MN, K)");
    const std::int64_t unit = 128 / layout.element_bits;              // elements of 16 bytes
    const std::int64_t width = atom->fast_bits / layout.element_bits; // contiguous elements of an atom
    const std::vector<CuteLayout> modes{mode(layout.layout, 0), mode(layout.layout, 1)};
    if (mn < 1 || k < 1 || mn > size(modes[0]) || k > size(modes[1]))
        return not_canonical(fmt::format("a tile of {} x {} in {}", mn, k, print(layout.layout.shape)));
    const CuteLayout matrix = join(modes);
    const auto at = [&](std::int64_t row, std::int64_t col) { return crd2idx(std::array{row, col}, matrix); };
    // Distance of the second block along a mode, in units of 16 bytes; 0 when the tile has one block only.
    const auto distance = [&](std::int64_t row, std::int64_t col) -> Result<std::int64_t> {
        if (row >= mn || col >= k) return std::int64_t{0};
        LS_TRY(const std::int64_t offset, at(row, col));
        if (offset % unit != 0) return not_canonical(fmt::format("({}, {}) does not start at 16 bytes", row, col));
        return offset / unit;
    };

    MatrixDescriptor out;
    out.architecture = architecture;
    out.type = type;
    const bool interleaved = atom->swizzle.bits == 0;
    // Canonical forms of c.6 as functions of (row, col), in elements.
    std::int64_t row_block = 0, col_block = 0; // what the two offsets stand for, in elements
    if (major == Major::K) {
        LS_TRY(out.sbo, distance(8, 0));
        out.lbo = 1;
        if (interleaved) {
            LS_TRY(out.lbo, distance(0, unit));
        }
        row_block = out.sbo * unit;
        col_block = interleaved ? out.lbo * unit : unit;
    } else {
        LS_TRY(const std::int64_t along_mn, distance(width, 0));
        LS_TRY(const std::int64_t along_k, distance(0, atom->slow));
        (interleaved ? out.sbo : out.lbo) = along_mn;
        (interleaved ? out.lbo : out.sbo) = along_k;
        row_block = along_mn * unit;
        col_block = along_k * unit;
    }
    for (std::int64_t col = 0; col < k; ++col) {
        for (std::int64_t row = 0; row < mn; ++row) {
            LS_TRY(const std::int64_t found, at(row, col));
            const std::int64_t want =
                major == Major::K
                    ? row % 8 * width + row / 8 * row_block + col / unit * col_block + col % unit
                    : row % width + row / width * row_block + col % atom->slow * width + col / atom->slow * col_block;
            if (found != want)
                return not_canonical(
                    fmt::format("at ({}, {}) the layout has {}, the hardware reads {}", row, col, found, want));
        }
    }
    for (const std::int64_t field : {out.lbo, out.sbo}) {
        if (field < 0 || field >= (std::int64_t{1} << 14))
            return not_canonical(fmt::format("an offset of {} x 16 bytes does not fit 14 bits", field));
    }
    return out;
}

} // namespace ls::cute
