// How the parts of PTO text that the IR has no place of its own for are kept in it: read by the printer, written by the
// reader, nobody else's business.
//
//     Stmt::comments        a line before the statement: its text without "// ", "" for an empty line, or the whole text
//                           when it does not begin with "// ". An entry that begins with a newline is what stands behind
//                           the statement: a comment, loc("file":1:2), attributes of an scf.if.
//     Call attrs            "form" (forms.h), "type" (a result's type where it is not the usual text of its Type),
//                           "results" and "args" (a Lambda whose params the operation defines), "generic" (true: the name
//                           of the operation stands in quotes)
//     With                  an operation with regions; "region" and "^bb0" are the scopes of several regions and of
//                           blocks with labels
//     Function options      "visibility", "arg_attrs" (a Dict for each parameter), "body_indent", "no_results"
//                           (it says -> ()); a function without a name holds operations that stand beside the functions
//     Module attrs          "//", "// last" and "// end": lines before everything, before the last brace, behind it;
//                           "modules": where the text has not one module around it all, a Tuple of Dicts: parent, begin
//                           and end (functions), name, attributes, comments, last
#pragma once

#include <string_view>

namespace ls::pto::spelling {

inline constexpr std::string_view kForm = "form";
inline constexpr std::string_view kType = "type";
inline constexpr std::string_view kResults = "results";
inline constexpr std::string_view kArgs = "args";
inline constexpr std::string_view kGeneric = "generic";
inline constexpr std::string_view kRegion = "region";
inline constexpr std::string_view kVisibility = "visibility";
inline constexpr std::string_view kArgAttrs = "arg_attrs";
inline constexpr std::string_view kBodyIndent = "body_indent";
inline constexpr std::string_view kNoResults = "no_results";
inline constexpr std::string_view kHead = "//";
inline constexpr std::string_view kLast = "// last";
inline constexpr std::string_view kTail = "// end";
inline constexpr std::string_view kModules = "modules";
inline constexpr char kBehind = '\n';

/// Columns by which a body stands further right than what holds it.
inline constexpr int kIndent = 2;

} // namespace ls::pto::spelling
