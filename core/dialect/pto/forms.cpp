#include "core/dialect/pto/forms.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include <fmt/format.h>

namespace ls::pto {

namespace {

constexpr std::string_view kArithmetic = " $0, $1 : $r0 {}";
constexpr std::string_view kConversion = " $0 : $t0 to $r0 {}";

constexpr OpInfo kOps[] = {
    // memory
    {"pto.make_tensor_view", " $0, shape = $1, strides = $2 {} : $r0", "A tensor in global memory: address, shape, strides."},
    {"pto.partition_view", " $0, offsets = $1, sizes = $2 {} : $t0 -> $r0", "A window of a tensor view."},
    {"pto.alloc_tile", " : $r0 {}", "Bytes of an on-chip memory, seen as a tile."},
    {"pto.tload", "", "Copies a window of a tensor into a tile."},
    {"pto.tstore", "", "Copies a tile into a window of a tensor."},
    {"pto.tmov", "", "Copies a tile to another memory or order."},
    {"pto.textract", "", "Copies a window of a tile to another memory."},
    {"pto.tinsert", "", "Copies a tile into a window of another."},
    {"pto.treshape", " $0 {} : $t0 -> $r0", "The same bytes seen as another tile."},
    {"pto.addptr", " $0, $1 : $t0 -> $r0 {}", "An address some elements further on."},
    {"pto.load_scalar", " $0$1 : $t0 -> $r0 {}", "One element of global memory."},
    {"pto.set_validshape", " $0, $1, $2 : $t0 {}", "Says how much of a tile is valid."},
    // products
    {"pto.tmatmul", "", "Acc = Left * Right."},
    {"pto.tmatmul.acc", "", "Acc += Left * Right."},
    {"pto.tmatmul.bias", "", "Acc = Left * Right + bias."},
    // vectors
    {"pto.tadd", "", "Sum."},
    {"pto.tsub", "", "Difference."},
    {"pto.tmul", "", "Product."},
    {"pto.tdiv", "", "Quotient."},
    {"pto.tadds", "", "Sum with a scalar."},
    {"pto.tmuls", "", "Product with a scalar."},
    {"pto.tdivs", "", "Quotient with a scalar."},
    {"pto.tmax", "", "Greater of two."},
    {"pto.tmin", "", "Lesser of two."},
    {"pto.texp", "", "Exponential."},
    {"pto.tcvt", "", "Converts elements."},
    {"pto.texpands", "", "A tile filled with one value."},
    {"pto.trowsum", "", "Sum of each row."},
    {"pto.trowmax", "", "Greatest of each row."},
    // order between the units
    {"pto.barrier", "", "Waits until a unit has done what it was given."},
    {"pto.set_flag", "", "Tells another unit that this one has come here."},
    {"pto.wait_flag", "", "Waits until another unit has come there."},
    // where a kernel runs
    {"pto.get_block_idx", "", "Number of this block."},
    {"pto.get_block_num", "", "How many blocks run."},
    {"pto.get_subblock_idx", "", "Number of this vector core in its block."},
    // numbers
    {"arith.divsi", kArithmetic, "Quotient, cut towards zero."},
    {"arith.remsi", kArithmetic, "Rest of the quotient that is cut towards zero."},
    {"arith.ceildivsi", kArithmetic, "Quotient, rounded up."},
    {"arith.divui", kArithmetic, "Unsigned quotient."},
    {"arith.remui", kArithmetic, "Unsigned rest."},
    {"arith.minui", kArithmetic, "Unsigned lesser."},
    {"arith.maxui", kArithmetic, "Unsigned greater."},
    {"arith.shrui", kArithmetic, "Shifts zeros in."},
    {"arith.extsi", kConversion, "More bits, same value."},
    {"arith.extui", kConversion, "More bits, same unsigned value."},
    {"arith.trunci", kConversion, "Fewer bits."},
};

const std::unordered_map<std::string_view, const OpInfo*>& index() {
    static const auto table = [] {
        std::unordered_map<std::string_view, const OpInfo*> map;
        for (const OpInfo& op : kOps) map.emplace(op.name, &op);
        return map;
    }();
    return table;
}

/// ins(all but the last) outs(the last)
std::string ins_and_outs(std::size_t operands) {
    if (operands < 2) return " {}";
    std::string values, types;
    for (std::size_t i = 0; i + 1 < operands; ++i) {
        values += fmt::format("{}${}", i == 0 ? "" : ", ", i);
        types += fmt::format("{}$t{}", i == 0 ? "" : ", ", i);
    }
    return fmt::format(" ins({0} : {1}) outs(${2} : $t{2}) {{}}", values, types, operands - 1);
}

} // namespace

std::span<const OpInfo> all_ops() { return kOps; }

const OpInfo* find_op(std::string_view name) {
    const auto found = index().find(name);
    return found == index().end() ? nullptr : found->second;
}

std::string usual_form(std::string_view op, std::size_t operands, bool has_attributes) {
    const OpInfo* known = find_op(op);
    std::string form = known != nullptr && !known->form.empty() ? std::string(known->form) : ins_and_outs(operands);
    if (!has_attributes) {
        const std::size_t at = form.find(" {}");
        if (at != std::string::npos) form.erase(at, 3);
    }
    return form;
}

} // namespace ls::pto
