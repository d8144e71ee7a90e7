// The printer's inside. Private to this folder.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/dialect/tirx/tirx.h"
#include "core/dialect/tirx/unique_names.h"
#include "core/ir/stmt.h"
#include "core/layout/layout.h"

namespace ls::tirx {

/// What variables are called in the text: by their own name, or by it and a number where another variable of that name
/// is visible.
class Names {
public:
    std::string_view define(const ir::VarNode& var);
    std::string_view of(const ir::VarNode& var) const;
    bool defined(const ir::VarNode& var) const { return printed_.contains(&var); }
    /// What the visible variable of this name is called in the text.
    std::string_view of_symbol(const std::string& name) const;

    std::size_t enter() const { return order_.size(); }
    void leave(std::size_t mark);

private:
    UniqueNames unique_;
    std::unordered_map<const ir::VarNode*, std::string> printed_;
    std::unordered_map<std::string, std::vector<const ir::VarNode*>> visible_;
    std::vector<const ir::VarNode*> order_;
};

/// Scalars that the reader takes for shared memory without being told (see Parser::find_shared_scalars).
struct SharedScalars {
    std::unordered_set<const ir::VarNode*> vars;
    std::unordered_set<std::string> names;
};
SharedScalars shared_scalars(const ir::FunctionNode& function);

class Printer {
public:
    Printed take() && { return {std::move(out_), std::move(lines_)}; }
    std::string text() && { return std::move(out_); }

    void module(const ir::ModuleNode& m);
    void function(const ir::FunctionNode& f);
    void stmt(const ir::StmtNode& s);
    void expr(const ir::ExprNode& e, int parent_precedence = 0, bool right = false);
    void header(bool with_module);

private:
    // --- lines
    void start(const ir::Node* node);
    void finish() { out_ += '\n'; }
    template <class Body>
    void indented(Body&& body);

    // --- statements
    void comments(const ir::StmtNode& s);
    void body(const ir::SeqNode& seq);
    /// Prints stmts[i] and answers how many statements that took.
    std::size_t stmt_at(const std::vector<ir::Stmt>& stmts, std::size_t i);
    void assign(const ir::AssignNode& a);
    void with(const ir::WithNode& w, bool alone);
    void loop(const ir::ForNode& f);
    void declare_let_variables(const ir::StmtNode& s);
    void params(const ir::FunctionNode& f);

    // --- buffers
    void buffer_definition(const ir::AssignNode& a, const ir::CallNode& how, const ir::BufferTypeNode& type);
    bool scalar_definition(const ir::AssignNode& a, const ir::CallNode& how, const ir::BufferTypeNode& type);
    /// shape, dtype, then the keywords that differ from what is assumed.
    void buffer_arguments(const ir::BufferTypeNode& type, const ir::ExprNode* data, std::string_view scope_given,
                          bool always_dtype, bool quote_new);
    bool view_sugar(const ir::BufferTypeNode& type, const ir::ExprNode* data);
    void view_call(const ir::ExprNode& parent, std::string_view method, const std::vector<ir::Expr>& args,
                   const ir::BufferTypeNode* with_layout);
    void layout(const Layout& l);
    void layout_of_type(const ir::BufferTypeNode& type);

    // --- expressions and types
    void binary(const ir::BinaryNode& b, int parent_precedence, bool right);
    void call(const ir::CallNode& c);
    void tile_call(const ir::CallNode& c);
    void arguments(const std::vector<ir::Expr>& args, const std::vector<ir::KeyValue>& kwargs);
    void list(const std::vector<ir::Expr>& values);
    void tuple(const std::vector<ir::Expr>& values);
    void entries(const std::vector<ir::KeyValue>& values);
    void subscript(const ir::SubscriptNode& s);
    void number(const ir::ConstIntNode& c);
    void number(const ir::ConstFloatNode& c);
    void quoted(std::string_view text);
    void type(const ir::TypeNode* t);

    std::string out_;
    std::vector<const ir::Node*> lines_;
    std::size_t indent_ = 0;
    Names names_;
    SharedScalars shared_;
    std::string_view class_name_ = "Module";
    bool has_let_ = false, used_metadata_ = false;
};

} // namespace ls::tirx
