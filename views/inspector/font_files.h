// Finds the four faces of the design (Inter and JetBrains Mono, regular and semi-bold) and what to fall back to.
#pragma once

#include <string>
#include <vector>

#include "core/scene/draw_list.h"

namespace ls::views {

struct FontFile {
    std::string path;
    int index = 0; ///< face inside a collection
    bool operator==(const FontFile&) const = default;
};

/// Files to look for a glyph in, best first: the face itself, then the DejaVu face of the same kind, then DejaVu Sans.
/// Empty only on a machine without any font.
std::vector<FontFile> font_files(scene::FontFace face);

} // namespace ls::views
