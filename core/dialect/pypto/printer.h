// Expressions and types as pass dumps print them. Private to this folder.
#pragma once

#include <string>
#include <vector>

#include "core/dialect/pypto/pypto.h"

namespace ls::pypto {

/// Appends to a text. Nothing deeper than ir::kMaxDepth may be given to it.
class ExprPrinter {
public:
    ExprPrinter(DumpLevel level, std::string& out) : level_(level), out_(out) {}

    void expr(const ir::ExprNode& e) { expr(e, 0); }
    void type(const ir::TypeNode& t);
    /// a, b, c
    void list(const std::vector<ir::Expr>& values);
    /// , key=value for each; strings in the given quotes
    void kwargs(const std::vector<ir::KeyValue>& entries, char quote);
    /// , attrs={...} when there are any
    void attrs(const std::vector<ir::KeyValue>& entries);
    /// {"key": value, ...}
    void entries(const std::vector<ir::KeyValue>& entries);
    /// The call of a with statement: its strings stand in double quotes.
    void scope(const ir::ExprNode& call);

private:
    void expr(const ir::ExprNode& e, int parent_precedence);
    void binary(const ir::BinaryNode& b, int parent_precedence);
    void call(const ir::CallNode& c, char quote);
    void const_int(std::int64_t value, DType dtype, bool always_typed);
    void const_float(const ir::ConstFloatNode& f);
    void quoted(std::string_view text, char quote);
    void dims(const std::vector<ir::Expr>& values);
    void memref(const ir::MemRef& m);
    void tensor(const ir::TensorTypeNode& t);
    void tile(const ir::TileTypeNode& t);
    void tile_view(const ir::TileTypeNode& t);

    DumpLevel level_;
    std::string& out_;
    bool typed_constants_ = false; ///< inside a composite dim: constants print their type
};

} // namespace ls::pypto
