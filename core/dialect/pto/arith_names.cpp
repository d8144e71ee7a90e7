#include "core/dialect/pto/arith_names.h"

#include <array>

namespace ls::pto {

using ir::BinaryOp;

namespace {

struct Row {
    BinaryOp op;
    std::string_view integer, floating;
};
constexpr std::array<Row, 12> kArithmetic{{
    {BinaryOp::Add, "arith.addi", "arith.addf"},
    {BinaryOp::Sub, "arith.subi", "arith.subf"},
    {BinaryOp::Mul, "arith.muli", "arith.mulf"},
    {BinaryOp::Div, "", "arith.divf"},
    {BinaryOp::FloorDiv, "arith.floordivsi", ""},
    {BinaryOp::Min, "arith.minsi", "arith.minimumf"},
    {BinaryOp::Max, "arith.maxsi", "arith.maximumf"},
    {BinaryOp::BitAnd, "arith.andi", ""},
    {BinaryOp::BitOr, "arith.ori", ""},
    {BinaryOp::BitXor, "arith.xori", ""},
    {BinaryOp::Shl, "arith.shli", ""},
    {BinaryOp::Shr, "arith.shrsi", ""},
}};

struct Predicate {
    BinaryOp op;
    std::string_view name;
};
constexpr std::array<Predicate, 6> kPredicates{{{BinaryOp::Eq, "eq"},
                                                {BinaryOp::Ne, "ne"},
                                                {BinaryOp::Lt, "slt"},
                                                {BinaryOp::Le, "sle"},
                                                {BinaryOp::Gt, "sgt"},
                                                {BinaryOp::Ge, "sge"}}};

} // namespace

std::optional<BinaryOp> binary_from_arith(std::string_view op) {
    if (op.empty()) return {};
    for (const Row& row : kArithmetic) {
        if (row.integer == op || row.floating == op) return row.op;
    }
    return {};
}

std::string_view arith_name(BinaryOp op, bool floating) {
    for (const Row& row : kArithmetic) {
        if (row.op == op) return floating ? row.floating : row.integer;
    }
    return {};
}

std::optional<BinaryOp> compare_from_predicate(std::string_view predicate) {
    for (const Predicate& one : kPredicates) {
        if (one.name == predicate) return one.op;
    }
    return {};
}

std::string_view predicate_of(BinaryOp op) {
    for (const Predicate& one : kPredicates) {
        if (one.op == op) return one.name;
    }
    return {};
}

} // namespace ls::pto
