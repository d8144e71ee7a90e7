// The printer's inside: print.cpp has statements and modules, print_op.cpp single operations. Private to this folder.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/dialect/pto/pto.h"

namespace ls::pto {

class Printer {
public:
    Printed run(const ir::ModuleNode& module);

private:
    // --- lines
    void line(std::string_view text, const ir::Node* node, const std::vector<std::string>* comments = nullptr);
    void comment_lines(const std::vector<std::string>& comments, const ir::Node* node);
    void lines_of(const ir::ExprNode* tuple);

    // --- modules and functions
    void modules(const ir::ModuleNode& module, const std::vector<ir::Expr>& entries);
    std::size_t module_at(const ir::ModuleNode& module, const std::vector<ir::Expr>& entries, std::size_t index);
    void function(const ir::FunctionNode& f);

    // --- statements; print_op.cpp
    void body(const ir::Seq& seq);
    void stmt(const ir::StmtNode& s);
    void for_loop(const ir::ForNode& loop);
    void branch(const ir::IfNode& s);
    void region_op(const ir::WithNode& with);

    std::string assignment(const ir::AssignNode& a);
    std::string scalar(const ir::ExprNode& value, const ir::Type& type);
    std::string operation(const ir::CallNode& call, const std::vector<ir::Var>& results);
    std::string spelled(const ir::CallNode& call, const std::vector<ir::Var>& results,
                        const std::vector<ir::Var>& definitions, std::vector<std::string>& parts);
    std::string names(const std::vector<ir::Var>& vars) const; ///< "%a, %b = " or "%r:2 = "; empty for none
    std::string attributes(const std::vector<ir::KeyValue>& entries) const;
    std::string operand(const ir::ExprNode& e) const;
    std::string type_of(const ir::ExprNode& e);
    const std::string& type_of(const ir::VarNode& v);
    std::string types_of(const std::vector<ir::Var>& vars); ///< (T, T)
    void remember_type(const ir::CallNode& call, const std::vector<ir::Var>& results);

    Printed out_;
    std::size_t indent_ = 0;
    std::unordered_map<const ir::VarNode*, std::string> types_;
};

} // namespace ls::pto
