# Install rules and the Debian package.
#
#   cpack -G DEB --config build/release/CPackConfig.cmake
#
# One file installs everything: package `layoutscope` holds both programs. A build without Qt (LS_GUI=OFF) makes
# `layoutscope-cli` instead, the command line alone for machines without a display; the two replace each other.
include_guard()
include(GNUInstallDirs)

# Debian keeps what people read under the name of the package.
set(ls_package layoutscope-cli)
if(TARGET layoutscope-gui)
  set(ls_package layoutscope)
endif()
set(ls_doc_folder ${CMAKE_INSTALL_DATADIR}/doc/${ls_package})

# --- programs
install(TARGETS layoutscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET layoutscope-gui)
  install(TARGETS layoutscope-gui RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# --- manual pages, compressed as Debian wants them; -n leaves names and times out, so that builds are repeatable
find_program(LS_GZIP gzip)
set(ls_man_pages layoutscope.1)
if(TARGET layoutscope-gui)
  list(APPEND ls_man_pages layoutscope-gui.1)
endif()
foreach(page ${ls_man_pages})
  set(source ${PROJECT_SOURCE_DIR}/packaging/man/${page})
  if(LS_GZIP)
    set(packed ${PROJECT_BINARY_DIR}/man/${page}.gz)
    add_custom_command(OUTPUT ${packed}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
      COMMAND sh -c "\"$1\" -9 -n -c \"$2\" > \"$3\"" sh ${LS_GZIP} ${source} ${packed}
      DEPENDS ${source} VERBATIM)
    list(APPEND ls_packed_pages ${packed})
  else()
    install(FILES ${source} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
endforeach()
if(ls_packed_pages)
  add_custom_target(ls_man ALL DEPENDS ${ls_packed_pages})
  install(FILES ${ls_packed_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# --- completions
set(ls_completions ${PROJECT_SOURCE_DIR}/packaging/completions)
install(FILES ${ls_completions}/layoutscope.bash RENAME layoutscope
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${ls_completions}/_layoutscope DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${ls_completions}/layoutscope.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# --- what people read: help pages, examples, the schema of model files
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/docs/ DESTINATION ${ls_doc_folder} FILES_MATCHING PATTERN "*.md")
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${ls_doc_folder})
install(FILES ${PROJECT_SOURCE_DIR}/packaging/desktop/copyright DESTINATION ${ls_doc_folder})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/examples ${PROJECT_SOURCE_DIR}/resources/schema
  DESTINATION ${CMAKE_INSTALL_DATADIR}/layoutscope)

# --- the desktop
if(TARGET layoutscope-gui)
  set(ls_desktop ${PROJECT_SOURCE_DIR}/packaging/desktop)
  install(FILES ${ls_desktop}/layoutscope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${ls_desktop}/org.layoutscope.Layoutscope.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES ${ls_desktop}/layoutscope-mime.xml RENAME layoutscope.xml
    DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/layoutscope.svg
    DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

# --- the package
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ${ls_package})
set(CPACK_PACKAGE_CONTACT "Layoutscope developers <layoutscope@example.org>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "layout explorer and debugger for accelerator kernels")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Fonts are found by name at run time, so nothing of the binary tells of them; pictures and window are set in these.
set(ls_depends fonts-inter fonts-jetbrains-mono fonts-dejavu-core)
set(ls_about "Type a layout or open a kernel, see the logical tensor and the physical memory side by side, step the
compiler passes that turn one into the other, and export the kernel's source. Reads TIRx, CuTe, pypto and Triton
layouts; knows the memories of Ascend and Blackwell.")
if(TARGET layoutscope-gui)
  set(CPACK_DEBIAN_PACKAGE_REPLACES layoutscope-cli)
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS layoutscope-cli)
  set(CPACK_DEBIAN_PACKAGE_PROVIDES layoutscope-cli)
  # QML imports are resolved at run time, where shlibdeps does not look, and Debian's QML modules do not depend on one
  # another: this is the closure of what the window imports. packaging/check-package compares it with the sources.
  list(APPEND ls_depends
    qml6-module-qtqml qml6-module-qtqml-models qml6-module-qtqml-workerscript
    qml6-module-qtquick qml6-module-qtquick-window qml6-module-qtquick-templates qml6-module-qtquick-controls
    qml6-module-qtquick-layouts qml6-module-qtquick-dialogs qml6-module-qtquick-shapes
    qml6-module-qt-labs-settings qml6-module-qt-labs-folderlistmodel)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, qt6-wayland")
  set(CPACK_PACKAGE_DESCRIPTION "${ls_about}\n.\nThe desktop program and the command line.")
else()
  set(CPACK_DEBIAN_PACKAGE_REPLACES layoutscope)
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS layoutscope)
  set(CPACK_PACKAGE_DESCRIPTION "${ls_about}\n.\nThe command line alone; needs no display and no Qt.")
endif()
list(JOIN ls_depends ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
include(CPack)

if(LS_TESTS)
  find_program(LS_DPKG_SHLIBDEPS dpkg-shlibdeps)
  if(LS_DPKG_SHLIBDEPS)
    add_test(NAME package COMMAND ${PROJECT_SOURCE_DIR}/packaging/check-package ${PROJECT_BINARY_DIR})
    set_tests_properties(package PROPERTIES LABELS package TIMEOUT 300 RUN_SERIAL ON)
  endif()
endif()
