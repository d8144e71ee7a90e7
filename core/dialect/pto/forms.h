// How the operands of an operation are spelled: its form. In a form
//
//     $0 $1 ...   operands, in the order of the call's args
//     $t0 ...     the type of operand 0
//     $r0 ...     the type of result 0
//     $d0 ...     a name that the operation defines for its regions
//     $g          a region
//     {}          the attributes
//     $$          a dollar sign
//
// and everything else stands for itself: " ins($0 : $t0) outs($1 : $t1) {}".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ls::pto {

struct OpInfo {
    std::string_view name;  ///< "pto.make_tensor_view"
    std::string_view form;  ///< " $0, shape = $1, strides = $2 {} : $r0"; empty: ins and outs, the last operand written
    std::string_view about; ///< one line of help
};

std::span<const OpInfo> all_ops();
/// Null when the operation is not in the table.
const OpInfo* find_op(std::string_view name);

/// The form that an operation with this many operands is usually written in; without the place for attributes when it
/// has none.
std::string usual_form(std::string_view op, std::size_t operands, bool has_attributes);

} // namespace ls::pto
