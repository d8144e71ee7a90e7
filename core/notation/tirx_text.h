// TIRx layout text (spec/tirx.md 1.3), in and out.
//
//     S[(8, 64):(64, 1)]    S[2, 3, 4]    S[(8, 4):(4@laneid, 1)] + R[2:4@warpid] + 1@warpid
//     TileLayout(S[...])    TileLayout.from_iters(shard=[(8, 4, "laneid")], offset={m: 64})
//     ComposeLayout(per_element, swizzle_len, atom_len, S[...][, swizzle_inner])
//
// `T.` and `Tx.` prefixes, `Axis.laneid` and "laneid" are accepted everywhere.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/layout/layout.h"

namespace ls::notation {

/// Values of the names that a text may use: `S[(M, 64):(64, 1)]` with M = 128.
using SymbolValues = std::map<std::string, std::int64_t, std::less<>>;

enum class Symbols : std::uint8_t {
    Refuse, ///< a name without a value is TXT_SYMBOL
    Keep,   ///< it becomes a symbolic Dim
};

/// Reads one whole layout. `base` is where `text` starts in the user's text, for the spans of diagnostics.
Result<Layout> read_tirx(std::string_view text, const SymbolValues& values = {}, Symbols symbols = Symbols::Refuse,
                         std::size_t base = 0);

/// Short form, as the papers write: S[(8, 64):(64, 1)] + R[2:4@warpid] + 1@warpid. Reads back to an equal Layout.
std::string print_tirx(const Layout& layout);
/// The form that the reference prints: T.TileLayout(T.S[3:5 @ Axis.tx] + T.R[8:1 @ Axis.tx]).
std::string print_tirx_repr(const Layout& layout);

} // namespace ls::notation
