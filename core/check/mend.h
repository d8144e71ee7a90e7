// One edit of a program's text that mends a refusal.
#pragma once

#include <string>
#include <string_view>

#include "core/support/diagnostic.h"

namespace ls::check {

struct Mend {
    std::string title;       ///< what will stand there: "n0 = pl.max(nb * 256 - 256, 0)"
    std::string effect;      ///< what becomes of the addresses, in a sentence
    Span span;               ///< of the source text
    std::string replacement; ///< of the text in `span`

    /// The source with this edit made.
    std::string applied(std::string_view source) const;
};

} // namespace ls::check
