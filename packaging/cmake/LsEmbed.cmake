# Resource files compiled into the binaries, so that a program copied elsewhere needs nothing beside it.
include_guard()
set(LS_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/LsEmbedFile.cmake)

# ls_embed(TARGET NAME FILE INTO SOURCE...): FILE's bytes become `ls::embedded::NAME` (a std::string_view), declared in the
# generated header "embedded/NAME.h" that the SOURCEs may include. Changing FILE rebuilds it. Only they get the folder on
# their command lines: it names the build folder, and would keep compiler caches from sharing the rest of the room.
function(ls_embed target name file)
  cmake_parse_arguments(ARG "" "" "INTO" ${ARGN})
  get_filename_component(input ${file} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  set(folder ${PROJECT_BINARY_DIR}/generated/${target})
  add_custom_command(
    OUTPUT ${folder}/embedded/${name}.cpp ${folder}/embedded/${name}.h
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DNAME=${name} -DFOLDER=${folder}/embedded -P ${LS_EMBED_SCRIPT}
    DEPENDS ${input} ${LS_EMBED_SCRIPT}
    COMMENT "Embedding ${file}"
    VERBATIM)
  target_sources(${target} PRIVATE ${folder}/embedded/${name}.cpp ${folder}/embedded/${name}.h)
  set_property(SOURCE ${folder}/embedded/${name}.cpp APPEND PROPERTY INCLUDE_DIRECTORIES ${folder})
  foreach(source ${ARG_INTO})
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    set_property(SOURCE ${source} APPEND PROPERTY INCLUDE_DIRECTORIES ${folder})
    set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS ${folder}/embedded/${name}.h)
  endforeach()
endfunction()
