// The design tokens, built into every program (resources/themes/tokens.json, embedded by core/scene/tokens.cmake).
#pragma once

#include <string_view>

namespace ls::scene {

std::string_view tokens_json();

} // namespace ls::scene
