# Embeds resources/themes/tokens.json in ls_scene, so that programs stand alone. A raw string literal may hold 64 KiB.
set(LS_TOKENS_FILE ${PROJECT_SOURCE_DIR}/resources/themes/tokens.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${LS_TOKENS_FILE})
file(READ ${LS_TOKENS_FILE} LS_TOKENS_TEXT)
set(LS_TOKENS_SOURCE ${CMAKE_BINARY_DIR}/generated/scene_tokens.cpp)
file(CONFIGURE OUTPUT ${LS_TOKENS_SOURCE} @ONLY CONTENT [==[
#include "core/scene/tokens.h"

namespace ls::scene {

std::string_view tokens_json() {
    static constexpr std::string_view text = R"tokens(@LS_TOKENS_TEXT@)tokens";
    return text;
}

} // namespace ls::scene
]==])
target_sources(ls_scene PRIVATE ${LS_TOKENS_SOURCE})
