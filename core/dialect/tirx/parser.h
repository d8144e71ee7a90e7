// The reader's inside, shared by its parts: parse_module.cpp, parse_stmt.cpp, parse_assign.cpp, parse_buffer.cpp,
// parse_view.cpp, parse_expr.cpp, parse_call.cpp, parse_layout.cpp. Private to this folder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/dialect/pypto/token_cursor.h"
#include "core/dialect/tirx/tirx.h"
#include "core/dialect/tirx/unique_names.h"
#include "core/ir/stmt.h"
#include "core/layout/buffer_view.h"

namespace ls::tirx {

using pypto::Token;
using pypto::TokenKind;

/// Brackets and blocks may nest this deep (as in Python); chains of operators may be longer (ir::kMaxDepth).
inline constexpr int kMaxNesting = 200;

/// What a name stands for: a variable, or a value that is put where the name stands (T.meta_var, regions, layouts,
/// constants above the function).
struct Binding {
    ir::Var var;
    ir::Expr alias;
};

/// Recursive descent over the tokens. A parse_* that fails answers null (or false) and has recorded why.
class Parser : private pypto::TokenCursor {
public:
    Parser(std::string_view source, std::vector<Token> tokens) : TokenCursor(source, std::move(tokens)) {}

    ReadResult run();

private:
    // --- tokens
    /// Records TIRX_SYNTAX when the next token is another.
    bool expect(std::string_view spelling, std::string_view where);
    /// The token after the bracket that closes the one at `open`.
    std::size_t after_bracket(std::size_t open) const;

    // --- findings
    std::nullptr_t fail(Span span, std::string code, std::string message, std::string hint = {});
    std::nullptr_t fail(Diagnostic why);
    void warn(Span span, std::string code, std::string message, std::string hint = {});
    std::nullptr_t fail_here(std::string message, std::string hint = {}) {
        return fail(here(), "TIRX_SYNTAX", std::move(message), std::move(hint));
    }

    class Nest {
    public:
        explicit Nest(Parser& parser) : parser_(parser) { ++parser_.nesting_; }
        Nest(const Nest&) = delete;
        Nest& operator=(const Nest&) = delete;
        ~Nest() { --parser_.nesting_; }
        bool too_deep() const {
            if (parser_.nesting_ <= kMaxNesting) return false;
            parser_.fail(parser_.here(), "IR_TOO_DEEP", "brackets or blocks nest more than 200 levels deep here",
                         "name the inner parts");
            return true;
        }

    private:
        Parser& parser_;
    };

    // --- names
    const Binding* find(std::string_view name) const;
    void bind(std::string_view name, Binding binding);
    ir::Var define(std::string_view name, ir::Type type, Span span);
    void undefined(std::string_view name, Span span);
    /// Names that are bound from here on are forgotten by leave_scope().
    struct Scope {
        std::size_t bindings, names;
    };
    Scope enter_scope() const { return {undo_.size(), unique_.mark()}; }
    void leave_scope(Scope scope);
    bool is_dialect_prefix(std::string_view name) const;

    // --- expressions
    ir::Expr parse_expr();
    ir::Expr parse_binary(int min_precedence);
    ir::Expr parse_comparison(ir::Expr lhs, std::size_t first);
    ir::Expr parse_unary();
    ir::Expr parse_power();
    ir::Expr parse_postfix(ir::Expr value, std::size_t first);
    ir::Expr parse_member(ir::Expr value, std::size_t first);
    ir::Expr parse_primary();
    ir::Expr parse_number();
    ir::Expr parse_string();
    ir::Expr parse_name();
    ir::Expr parse_parenthesized();
    ir::Expr parse_list();
    ir::Expr parse_dict();
    ir::Expr parse_lambda();
    ir::Expr parse_subscript(ir::Expr base, std::size_t first);
    ir::Expr parse_index(const ir::BufferTypeNode* type, std::size_t dim);
    /// What a name stands for as a value: a scalar buffer is loaded.
    ir::Expr value_of(const Binding& binding, Span span);
    ir::Expr checked(ir::Expr made);

    // --- calls
    struct Arguments {
        std::vector<ir::Expr> args;
        std::vector<ir::KeyValue> kwargs;
        Span span;
        /// The keyword argument, taken out; null when it is not there.
        ir::Expr take(std::string_view key);
        /// By position or keyword, taken out.
        ir::Expr take(std::size_t position, std::string_view key);
    };
    bool parse_arguments(Arguments& into);
    bool parse_expr_list(std::vector<ir::Expr>& into, std::string_view close);
    /// The dotted name after a dialect prefix: {"cuda", "cta_sync"}.
    bool parse_path(std::vector<std::string_view>& path);
    ir::Expr parse_dialect(std::size_t first);
    ir::Expr finish_dialect_call(const std::vector<std::string_view>& path, Arguments& a);
    ir::Expr parse_ptx_text(std::size_t first);
    ir::Expr finish_ptx(std::string instruction, Arguments& a);
    ir::Expr make_typed(DType dtype, Arguments& a);
    ir::Expr make_let(Arguments& a);
    std::optional<std::string> dtype_argument(const ir::Expr& e);
    ir::Expr parse_tile_call(std::string_view op, std::string_view scope, std::size_t first);
    /// Passes over a tile primitive's name and answers it; nothing when the next tokens are no tile primitive call.
    struct TileName {
        std::string_view op, scope;
    };
    std::optional<TileName> accept_tile_name();

    // --- layouts
    ir::Expr parse_layout(std::size_t first);
    std::optional<Layout> resolve(const Layout& layout, Span span);

    // --- types
    ir::Type parse_annotation();
    ir::Type type_of_dtype(std::string_view name);

    // --- buffers
    ir::Type make_buffer_type(Arguments& a, std::string scope, bool with_dtype_position = true);
    bool set_shape(ir::BufferTypeNode& type, const ir::Expr& shape, bool quoted_define);
    ir::Expr parse_buffer_definition(std::string_view kind, Arguments& a, ir::Type& type);
    bool is_view_call() const;
    /// buf.view(...), .local(...), .permute(...), .sub[...]: the type of what it makes.
    ir::Expr parse_view(ir::Type& type);
    ir::Type view_type(const ir::Var& parent, Arguments& a);
    ir::Type reinterpreted_type(const ir::Var& parent, std::string_view dtype, Span span);
    ir::Type local_type(const ir::Var& parent, Arguments& a);
    ir::Type part_type(const ir::Var& parent);
    bool parse_part_index(std::vector<SubIndex>& into);
    /// The expression of a layout's number; null when it has none.
    ir::Expr expr_of(const Dim& dim) const;
    ir::Type permuted_type(const ir::Var& parent, const Arguments& a);

    // --- statements
    /// An attribute statement without `with` holds all that follows it in its block.
    struct Block {
        struct Open {
            ir::Expr scope;
            ir::Var var;
            std::vector<ir::Stmt> before;
            std::vector<std::string> comments;
            Span span;
        };
        std::vector<ir::Stmt> stmts;
        std::vector<Open> open;
    };
    using Names = std::vector<std::pair<std::string_view, Span>>;
    ir::Seq parse_block(std::string_view what);
    void parse_statements(Block& block);
    ir::Seq close_block(Block& block);
    bool parse_statement(Block& block);
    void add(Block& block, ir::Stmt stmt);
    bool open_scope(Block& block, ir::Expr scope, ir::Var var, Span span);
    bool parse_if(Block& block);
    bool parse_for(Block& block);
    bool parse_loop_header(ir::ForNode& loop, std::vector<ir::Expr>& extents);
    bool parse_while(Block& block);
    bool parse_with(Block& block);
    bool parse_assert(Block& block);
    bool parse_return(Block& block);
    bool parse_expression_statement(Block& block);
    bool parse_annotated(Block& block);
    /// name = ... and a, b = ...
    std::optional<Names> accept_targets();
    bool parse_assignment(Block& block, const Names& names, std::size_t first);
    bool assign_value(Block& block, std::string_view name, Span name_span, ir::Expr value, std::size_t first);
    bool assign_call(Block& block, std::string_view name, Span name_span, const ir::Call& value, bool& handled);
    void define_buffer(Block& block, std::string_view name, Span name_span, ir::Expr how, ir::Type type, Span span);
    void store(Block& block, ir::Expr target, ir::Expr value, Span span);
    void skip_statement();
    void skip_block();
    bool end_statement();

    // --- modules
    void parse_top_level(ir::ModuleNode& module);
    void parse_import();
    void parse_class(ir::ModuleNode& module);
    void parse_function(ir::ModuleNode& module);
    bool parse_decorators(ir::FunctionNode& function, bool& is_class);
    bool parse_parameters(ir::FunctionNode& function);
    /// Scalars of this function that are shared memory though their declaration does not say so.
    void find_shared_scalars();
    /// Parameters that T.match_buffer names become the buffer itself; declarations of T.Let's variables go.
    void clean_up(ir::FunctionNode& function);

    int nesting_ = 0;
    std::size_t errors_ = 0;
    std::vector<Diagnostic> diagnostics_;
    std::vector<std::string> comments_;
    std::unordered_map<std::string_view, Binding> names_;
    std::vector<std::pair<std::string_view, std::optional<Binding>>> undo_;
    UniqueNames unique_;
    std::unordered_map<std::string_view, ir::Var> by_unique_name_; ///< what a layout's symbol means
    std::unordered_set<std::string_view> dialect_prefixes_{"T", "Tx"}, tile_prefixes_{"Tx"};
    std::string_view class_name_ = "Module";
    std::unordered_set<const ir::VarNode*> let_bound_; ///< variables that T.Let binds
    std::unordered_set<const ir::VarNode*> declared_;  ///< A = T.Buffer(...): may be defined once more
    std::unordered_set<std::string_view> shared_scalars_;
    std::vector<ir::KeyValue>* attributes_ = nullptr; ///< of the function that is read
};

} // namespace ls::tirx
