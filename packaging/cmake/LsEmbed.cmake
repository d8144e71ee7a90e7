# Resource files compiled into the binaries, so that a program copied elsewhere needs nothing beside it.
include_guard()
set(LS_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/LsEmbedFile.cmake)

# ls_embed(TARGET NAME FILE): FILE's bytes become `ls::embedded::NAME` (a std::string_view), declared in the generated
# header "embedded/NAME.h" that TARGET's sources may include. Changing FILE rebuilds it.
function(ls_embed target name file)
  get_filename_component(input ${file} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  set(folder ${PROJECT_BINARY_DIR}/generated/${target})
  add_custom_command(
    OUTPUT ${folder}/embedded/${name}.cpp ${folder}/embedded/${name}.h
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DNAME=${name} -DFOLDER=${folder}/embedded -P ${LS_EMBED_SCRIPT}
    DEPENDS ${input} ${LS_EMBED_SCRIPT}
    COMMENT "Embedding ${file}"
    VERBATIM)
  target_sources(${target} PRIVATE ${folder}/embedded/${name}.cpp ${folder}/embedded/${name}.h)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
