// Shared-memory atoms of GMMA (SM90) and UMMA (SM100), and the matrix descriptors of layouts made of them
// (spec/notation.md c.5, c.6).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/notation/cute_layout.h"

namespace ls::cute {

enum class Major : std::uint8_t { K, Mn };
enum class AtomSwizzle : std::uint8_t { Interleave, Sw32, Sw64, Sw128, Sw128Base32 };

struct Atom {
    Major major = Major::K;
    AtomSwizzle swizzle = AtomSwizzle::Sw128;
};
/// "Layout_K_SW128_Atom" and back.
std::optional<Atom> atom_from_name(std::string_view name);
std::string name(const Atom& atom);

/// The atom for elements of so many bits, behind a flagged pointer. Refused: CUTE_ATOM (width, or SW128_32B K-major).
Result<Composed> atom_layout(const Atom& atom, int element_bits);

enum class Architecture : std::uint8_t { Sm90, Sm100 };

/// Fields of a shared-memory matrix descriptor; offsets in units of 16 bytes.
///
///     SM90    start 0-13   LBO 16-29   SBO 32-45                 base offset 49-51   type 62-63
///     SM100   start 0-13   LBO 16-29   SBO 32-45   version 46-47 base offset 49-51   type 61-63
struct MatrixDescriptor {
    std::int64_t start = 0, lbo = 0, sbo = 0;
    int type = 0;
    Architecture architecture = Architecture::Sm90;
    std::uint64_t word() const;
};
/// Descriptor of the first [mn, k] tile of a layout (MN, K) that starts at address 0. LBO and SBO swap meaning between
/// interleaved and swizzled MN-major layouts; for swizzled K-major ones LBO is unused and written 1, as CuTe does.
/// Refused: CUTE_DESCRIPTOR when the tile is not in the canonical form, with the first coordinate that differs.
Result<MatrixDescriptor> matrix_descriptor(const Composed& layout, Major major, std::int64_t mn, std::int64_t k,
                                           Architecture architecture);

} // namespace ls::cute
