// CuTe layout text in and out (spec/notation.md a.1 to a.3): what C++, the Python DSL, pycute and MLIR print, and what
// is pasted from logs.
//
//     (_4,8):(1,_4)     ((2,4),3)     (4,8):LayoutRight     (4,3):(1@0,1@1)     (?,?{div=8}):(1,?)
//     Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)     S<3,3,3> o 0 o (8,64):(64,1)
//     smem_ptr[16b](0x10) o (_4,8):(8,_1)     !cute.layout<"(4,2):(1,4)">
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/notation/cute_layout.h"

namespace ls::cute {

/// Refused: TXT_EXPECTED, TXT_NUMBER, TXT_TOO_DEEP, CUTE_CONGRUENT, CUTE_EXTENT, CUTE_OVERFLOW, CUTE_SWIZZLE (|S| < B
/// or a field beyond 62 bits), each with its place.
Result<Composed> read_cute(std::string_view text, std::size_t base = 0);
/// The same, but only a plain layout (TXT_EXPECTED for a composition).
Result<CuteLayout> read_plain(std::string_view text, std::size_t base = 0);
/// One shape, stride, coordinate or profile.
Result<Tree> read_tree(std::string_view text, std::size_t base = 0);
/// "Sw<3,4,3>", "Swizzle<3,4,3>", "SW_3_4_3".
Result<Swizzle> read_swizzle(std::string_view text, std::size_t base = 0);

/// Whether a text looks like one of ours, by its first characters.
bool looks_like_cute(std::string_view text);

/// A line "NAME: layout" of a printed TiledMMA or TiledCopy.
struct TitledLayout {
    std::string title;
    Composed layout;
    Span span; ///< of the layout's text
};
/// Every line that names a layout; lines that hold none (atoms, types, permutations) are passed over.
std::vector<TitledLayout> read_block(std::string_view text);

enum class Style : std::uint8_t {
    Cpp,    ///< (_4,8):(_1,4)   static numbers with an underscore
    Plain,  ///< (4,8):(1,4)
    Pycute, ///< (4, 8):(1, 4), (8,):(1,)
};
std::string print(const Tree& tree, Style style = Style::Plain);
std::string print(const CuteLayout& layout, Style style = Style::Plain);
std::string print(const Swizzle& swizzle, Style style = Style::Plain);
std::string print(const Composed& composed, Style style = Style::Plain);

} // namespace ls::cute
