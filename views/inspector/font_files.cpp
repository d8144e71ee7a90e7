#include "views/inspector/font_files.h"

#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace ls::views {
namespace {

struct PatternDeleter {
    void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
};
using Pattern = std::unique_ptr<FcPattern, PatternDeleter>;

const FcChar8* fc(const char* text) { return reinterpret_cast<const FcChar8*>(text); }

/// The installed file of `family`. fontconfig always answers something; `exact` refuses another family in its place.
std::optional<FontFile> find(const char* family, int weight, bool exact) {
    Pattern wanted(FcPatternCreate());
    if (family) FcPatternAddString(wanted.get(), FC_FAMILY, fc(family));
    FcPatternAddInteger(wanted.get(), FC_WEIGHT, weight);
    FcPatternAddInteger(wanted.get(), FC_SLANT, FC_SLANT_ROMAN);
    FcPatternAddInteger(wanted.get(), FC_WIDTH, FC_WIDTH_NORMAL);
    FcPatternAddBool(wanted.get(), FC_SCALABLE, FcTrue);
    FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
    FcDefaultSubstitute(wanted.get());
    FcResult result = FcResultNoMatch;
    Pattern match(FcFontMatch(nullptr, wanted.get(), &result));
    if (!match) return std::nullopt;

    bool same_family = false;
    FcChar8* name = nullptr;
    for (int i = 0; FcPatternGetString(match.get(), FC_FAMILY, i, &name) == FcResultMatch; ++i)
        same_family = same_family || (family && FcStrCmpIgnoreCase(name, fc(family)) == 0);
    if (exact && !same_family) return std::nullopt;

    FcChar8* file = nullptr;
    int index = 0;
    if (FcPatternGetString(match.get(), FC_FILE, 0, &file) != FcResultMatch) return std::nullopt;
    FcPatternGetInteger(match.get(), FC_INDEX, 0, &index);
    return FontFile{reinterpret_cast<const char*>(file), index & 0xFFFF};
}

} // namespace

std::vector<FontFile> font_files(scene::FontFace face) {
    using scene::FontFace;
    const bool mono = face == FontFace::Mono || face == FontFace::MonoBold;
    const bool bold = face == FontFace::UiBold || face == FontFace::MonoBold;
    const int weight = bold ? FC_WEIGHT_DEMIBOLD : FC_WEIGHT_REGULAR;

    std::vector<FontFile> files;
    const auto add = [&](const std::optional<FontFile>& file) {
        if (file && std::find(files.begin(), files.end(), *file) == files.end()) files.push_back(*file);
    };
    add(find(mono ? "JetBrains Mono" : "Inter", weight, true));
    add(find(mono ? "DejaVu Sans Mono" : "DejaVu Sans", weight, true));
    add(find("DejaVu Sans", weight, true));
    if (files.empty()) add(find(mono ? "monospace" : "sans-serif", weight, false));
    return files;
}

} // namespace ls::views
