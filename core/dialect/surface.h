// The front door of the dialects: which way of writing a program is this text in, read it, print it again. Everything
// that takes programs asks here and knows no dialect by name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/dialect/program_text.h"
#include "core/support/result.h"

namespace ls::dialect {

/// One way of writing programs. A new one is a folder here and one line in surface.cpp.
struct Surface {
    ir::Dialect dialect = ir::Dialect::Pypto;
    std::string_view id;        ///< "pypto"
    std::string_view title;     ///< "pypto program"
    std::string_view language;  ///< for highlighting: "python", "pto"
    std::string_view extension; ///< of its files: ".py"
    /// Whether the text has words that only this surface has. Looks at the beginning of the text only.
    bool (*looks_like)(std::string_view source);
    ReadResult (*read)(std::string_view source);
    Printed (*print)(const ir::ModuleNode& module);
};

std::span<const Surface> surfaces();
/// The surface that a program of this dialect is printed in.
const Surface& surface_of(ir::Dialect dialect);
/// By the text's own words, and where it has none by the file's extension. Null when neither says anything.
const Surface* detect(std::string_view source, std::string_view file_name = {});

/// Reads a program in whatever surface it is written; text of no surface is read as pypto, whose findings then say what
/// is missing.
ReadResult read_all(std::string_view source, std::string_view file_name = {});
/// The module, or the first error.
Result<ir::Module> read(std::string_view source, std::string_view file_name = {});
/// In the module's own surface.
Printed print(const ir::ModuleNode& module);

} // namespace ls::dialect
