// Section titles and lists of properties, as the inspector draws them.
#pragma once

#include <string_view>
#include <vector>

#include "core/scene/table.h"
#include "views/inspector/panel_ink.h"

namespace ls::views {

constexpr double kSectionHeight = 28; ///< points
constexpr double kPropertyHeight = 22;

/// A title across the panel, 28 pt high, at ImGui's cursor; moves the cursor below it.
void section_header(const PanelInk& ink, float width, std::string_view title, std::string_view note);
/// Names left, values right, one row each; moves the cursor below the last.
void property_list(const PanelInk& ink, float width, const std::vector<scene::PropertyRow>& rows);

} // namespace ls::views
