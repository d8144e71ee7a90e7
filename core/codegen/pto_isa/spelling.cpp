#include "core/codegen/pto_isa/spelling.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace ls::codegen {

namespace {

std::string_view tile_type_name(ir::TileSpace space) {
    switch (space) {
    case ir::TileSpace::Mat: return "Mat";
    case ir::TileSpace::Left: return "Left";
    case ir::TileSpace::Right: return "Right";
    case ir::TileSpace::Acc: return "Acc";
    case ir::TileSpace::Bias: return "Bias";
    case ir::TileSpace::LeftScale: return "ScaleLeft";
    case ir::TileSpace::RightScale: return "ScaleRight";
    default: break;
    }
    return "Vec";
}

std::string_view pad_name(ir::PadValue pad) {
    switch (pad) {
    case ir::PadValue::Zero: return "Zero";
    case ir::PadValue::Max: return "Max";
    case ir::PadValue::Min: return "Min";
    case ir::PadValue::Null: break;
    }
    return "Null";
}

std::string_view box_order(ir::TileOrder order) {
    return order == ir::TileOrder::ColMajor ? "ColMajor" : order == ir::TileOrder::NoneBox ? "NoneBox" : "RowMajor";
}

std::string float_text(double value) {
    if (std::isnan(value)) return "__builtin_nanf(\"\")";
    if (std::isinf(value)) return value < 0 ? "-__builtin_inff()" : "__builtin_inff()";
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text + "f";
}

} // namespace

std::string upper_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return out;
}

std::string_view cpp_scalar_type(DType type) { return type == DType::Index ? std::string_view("int32_t") : info(type).cpp; }

std::string cpp_constant(const Scalar& constant) {
    if (constant.real) {
        return constant.dtype == DType::Fp32 ? float_text(*constant.real) : fmt::format("({}){}", cpp_scalar_type(constant.dtype), float_text(*constant.real));
    }
    if (constant.dtype == DType::Bool) return *constant.value != 0 ? "true" : "false";
    return fmt::format("{}", *constant.value);
}

std::string cpp_value(const Compute& compute, const std::vector<std::string>& operands) {
    static const std::map<std::string_view, std::string_view> infix{
        {"addi", "+"},      {"subi", "-"},      {"muli", "*"},      {"andi", "&"},      {"ori", "|"},       {"xori", "^"},      {"shli", "<<"},
        {"shrsi", ">>"},    {"shrui", ">>"},    {"remsi", "%"},     {"remui", "%"},     {"divui", "/"},     {"divsi", "/"},     {"addf", "+"},      {"subf", "-"},
        {"mulf", "*"},      {"divf", "/"},      {"cmpi eq", "=="},  {"cmpi ne", "!="},  {"cmpi slt", "<"},  {"cmpi sle", "<="}, {"cmpi sgt", ">"},
        {"cmpi sge", ">="}, {"cmpi ult", "<"},  {"cmpi ule", "<="}, {"cmpi ugt", ">"},  {"cmpi uge", ">="}, {"cmpf oeq", "=="}, {"cmpf une", "!="},
        {"cmpf olt", "<"},  {"cmpf ole", "<="}, {"cmpf ogt", ">"},  {"cmpf oge", ">="}};
    if (const auto found = infix.find(compute.op); found != infix.end()) return fmt::format("{} {} {}", operands[0], found->second, operands[1]);
    if (compute.op == "negf") return fmt::format("-{}", operands[0]);
    if (compute.op == "select") return fmt::format("{} ? {} : {}", operands[0], operands[1], operands[2]);
    if (compute.op == "floordivsi") {
        if (compute.operands[0].non_negative && compute.operands[1].non_negative) return fmt::format("{} / {}", operands[0], operands[1]);
        // C++ rounds towards zero; where the signs differ and something is left over, the floor is one lower.
        return fmt::format("{0} / {1} - ({0} % {1} != 0 && ({0} < 0) != ({1} < 0) ? 1 : 0)", operands[0], operands[1]);
    }
    const std::string_view sign = compute.op.rfind("max", 0) == 0 ? ">" : "<";
    return fmt::format("{0} {2} {1} ? {0} : {1}", operands[0], operands[1], sign);
}

std::string cpp_tile_type(const Tile& t, std::string_view chip) {
    const auto valid = [](const Scalar& scalar) { return scalar.value ? fmt::to_string(*scalar.value) : std::string("-1"); };
    const std::string_view compact = t.compact == ir::CompactMode::Normal ? "Normal" : t.compact == ir::CompactMode::RowPlusOne ? "RowPlusOne" : "Null";
    // L0A's outer order is the chip's, whatever the program says: row-major on A2/A3, column-major on A5 (spec/nz.md A.3).
    const ir::TileOrder outer = t.space != ir::TileSpace::Left ? t.blayout : chip == "a5" ? ir::TileOrder::ColMajor : ir::TileOrder::RowMajor;
    return fmt::format("Tile<TileType::{}, {}, {}, {}, BLayout::{}, {}, {}, SLayout::{}, {}, PadValue::{}, CompactMode::{}>", tile_type_name(t.space), info(t.dtype).cpp,
                       t.rows, t.cols, box_order(outer), valid(t.valid_rows), valid(t.valid_cols), box_order(t.slayout), t.fractal_bytes, pad_name(t.pad), compact);
}

std::string cpp_mode_argument(const OpMode& mode) {
    switch (mode.kind) {
    case OpMode::Kind::Round: return mode.value.rfind("CAST_", 0) == 0 ? "RoundMode::" + mode.value : "RoundMode::CAST_" + mode.value;
    case OpMode::Kind::Compare: return "CmpMode::" + upper_case(mode.value);
    case OpMode::Kind::Binary: return mode.value;
    default: return {};
    }
}

} // namespace ls::codegen
