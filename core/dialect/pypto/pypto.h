// The pypto surface of the IR: python-like text, as users write it and as pass dumps print it (spec/nz.md F).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/dialect/program_text.h"
#include "core/ir/stmt.h"

namespace ls::pypto {

using dialect::kMaxErrors;
using dialect::Printed;
using dialect::ReadResult;

/// Reads a program: one `@pl.program` class with its functions, or functions alone. Reading goes on after an error in a
/// statement, so that all of them can be shown. Operations and keyword arguments that are not known are kept as
/// written. Codes: PYPTO_* (syntax, names, types), IR_TOO_DEEP.
ReadResult read_all(std::string_view source);
/// The module, or the first error.
Result<ir::Module> read(std::string_view source);

/// The type of what an expression answers, where it follows from its operands; null otherwise.
ir::Type infer_type(const ir::Expr& value);

/// How much a dump says: Concise leaves out what the implicit tile view says anyway, Explicit writes it all.
enum class DumpLevel : std::uint8_t { Concise, Explicit };

Printed print(const ir::ModuleNode& module, DumpLevel level = DumpLevel::Concise);
std::string print_text(const ir::ModuleNode& module, DumpLevel level = DumpLevel::Concise);
/// One function without the class around it, not indented.
std::string print(const ir::FunctionNode& function, DumpLevel level = DumpLevel::Concise);
/// One statement with its bodies, not indented.
std::string print(const ir::StmtNode& stmt, DumpLevel level = DumpLevel::Concise);
std::string print(const ir::ExprNode& expr);
std::string print(const ir::TypeNode& type, DumpLevel level = DumpLevel::Concise);

} // namespace ls::pypto
