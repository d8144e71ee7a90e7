// Layouts by name: nz(256, 512, i8), mma_shared(f16, 128B, (128, 64)), tmem(D, 512).
// The table is what help, the command palette and completion show.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/layout/tensor_layout.h"
#include "core/notation/call.h"

namespace ls::notation {

struct NamedLayout {
    std::string_view name;
    std::string_view alias;     ///< how TIRx or pypto call it; may be empty
    std::string_view signature; ///< "nz(extents..., dtype)"
    std::string_view about;     ///< one sentence: what it is for
    std::string_view example;   ///< read_layout accepts it
    std::span<const Parameter> parameters;
    Result<TensorLayout> (*build)(const Bound& arguments);
};

std::span<const NamedLayout> named_layouts();
const NamedLayout* find_named_layout(std::string_view name_or_alias);

/// Refused: TXT_NAME (unknown, with the nearest), TXT_ARGUMENT, TXT_DTYPE, and the catalogue's refusals at the call.
Result<TensorLayout> read_named(std::string_view text, std::size_t base = 0);

} // namespace ls::notation
