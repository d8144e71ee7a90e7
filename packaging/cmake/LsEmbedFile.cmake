# Writes FOLDER/NAME.{h,cpp} that hold the bytes of INPUT. Run by ls_embed at build time.
file(READ ${INPUT} hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR bytes "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," values "${hex}")
# Lines of 24 bytes: compilers and readers both dislike lines of a megabyte.
string(REGEX REPLACE "(('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',))" "\\1\n    " values
       "${values}")
get_filename_component(source ${INPUT} NAME)
file(WRITE ${FOLDER}/${NAME}.h
"// Generated from ${source}.
#pragma once

#include <string_view>

namespace ls::embedded {
extern const std::string_view ${NAME};
} // namespace ls::embedded
")
file(WRITE ${FOLDER}/${NAME}.cpp
"// Generated from ${source}.
#include \"${NAME}.h\"

namespace ls::embedded {
namespace {
const char kBytes[] = {
    ${values}'\\0'};
} // namespace
const std::string_view ${NAME}{kBytes, ${bytes}};
} // namespace ls::embedded
")
