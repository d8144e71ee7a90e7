// The reader's inside, shared by its parts: parse_expr.cpp, parse_type.cpp, parse_stmt.cpp, parse_module.cpp.
// Private to this folder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/dialect/pypto/pypto.h"
#include "core/dialect/pypto/token_cursor.h"
#include "core/ir/stmt.h"

namespace ls::pypto {

/// Brackets and blocks may nest this deep (as in Python); chains of operators may be longer (ir::kMaxDepth).
inline constexpr int kMaxNesting = 200;

/// Recursive descent over the tokens. A parse_* that fails answers null (or false) and has recorded why.
class Parser : private TokenCursor {
public:
    Parser(std::string_view source, std::vector<Token> tokens) : TokenCursor(source, std::move(tokens)) {}

    ReadResult run();

private:
    // --- tokens
    /// Records PYPTO_SYNTAX when the next token is another.
    bool expect(std::string_view spelling, std::string_view where);

    // --- findings
    std::nullptr_t fail(Span span, std::string code, std::string message, std::string hint = {});
    std::nullptr_t fail_here(std::string message, std::string hint = {}) {
        return fail(here(), "PYPTO_SYNTAX", std::move(message), std::move(hint));
    }
    void warn(Span span, std::string code, std::string message, std::string hint = {});

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
    ir::Var lookup(std::string_view name, Span span);
    void bind(std::string_view name, ir::Var var) { scope_[name] = std::move(var); }
    /// The variable that an assignment to `name` means: the one in scope when its type agrees, else a new one.
    ir::Var assigned(std::string_view name, const ir::Type& type, Span span);
    ir::Var define(std::string_view name, ir::Type type, Span span);

    // --- expressions
    ir::Expr parse_expr();
    ir::Expr parse_binary(int min_precedence);
    ir::Expr parse_unary();
    ir::Expr parse_postfix();
    ir::Expr parse_primary();
    ir::Expr parse_number();
    ir::Expr parse_string();
    ir::Expr parse_name();
    ir::Expr parse_dialect_name(std::size_t first);
    ir::Expr parse_parenthesized();
    ir::Expr parse_list();
    ir::Expr parse_dict();
    ir::Expr make_binary(ir::BinaryOp op, ir::Expr lhs, ir::Expr rhs, Span span);
    bool is_plain_int(const ir::Expr& e) const;
    struct Arguments {
        std::vector<ir::Expr> args;
        std::vector<ir::KeyValue> kwargs;
        std::vector<ir::KeyValue> attrs;
    };
    bool parse_arguments(Arguments& into);
    bool parse_dict_entries(std::vector<ir::KeyValue>& into);
    bool parse_expr_list(std::vector<ir::Expr>& into, std::string_view close);
    ir::Expr parse_op(std::string op, std::size_t first);
    ir::Expr finish_op(std::string op, Arguments&& a, Span span);
    ir::Expr parse_method(ir::Expr receiver, std::string name, std::size_t first);
    void normalize(const std::string& op, Arguments& a) const;

    // --- types
    ir::Type parse_type();
    ir::Type parse_tensor(bool distributed, std::size_t first);
    ir::Type parse_tile(std::size_t first);
    bool parse_shape_and_dtype(std::vector<ir::Expr>& shape, DType& dtype);
    std::optional<DType> parse_dtype();
    bool parse_tensor_view(ir::TensorView& view);
    bool parse_tile_view(ir::TileView& view);
    bool parse_memref(std::optional<ir::MemRef>& into);
    bool parse_slot(std::optional<ir::MemRef>& into);
    /// pl.CLASS.NAME after `pl.CLASS.` has been read by `prefix`; empty when it fails.
    std::string_view parse_enum(std::string_view class_name);

    // --- statements
    /// A name where a variable is introduced.
    struct NameAt {
        std::string_view name;
        Span span;
    };
    /// `a, b = pl.yield_(...)`: what the enclosing If or loop answers.
    struct NamedYield {
        std::vector<NameAt> names;
        std::vector<ir::Type> types;
        Span span;
    };
    /// A block after its colon. A yield that gives names to its values, last in the block, goes to named_yield_.
    ir::Seq parse_block();
    bool parse_stmt(std::vector<ir::Stmt>& out);
    bool parse_simple(std::vector<ir::Stmt>& out);
    bool parse_line(std::vector<ir::Stmt>& out);
    bool at_names_in_parentheses() const;
    ir::Stmt parse_assignment();
    ir::Stmt parse_augmented();
    ir::Stmt finish_assignment(std::vector<NameAt> names, ir::Type type, bool annotated, ir::Expr value,
                               std::size_t first);
    bool parse_expression_stmt(std::vector<ir::Stmt>& out);
    ir::Stmt yield_stmt(std::vector<NameAt> names, const ir::Type& type, const ir::CallNode& value, Span span);
    ir::Stmt parse_if();
    ir::Stmt parse_for();
    ir::Stmt parse_while();
    ir::Stmt parse_carried_while(std::vector<NameAt> names, std::size_t first);
    ir::Stmt parse_with();
    bool parse_names(std::vector<NameAt>& names, std::string_view close);
    bool carry(const std::vector<NameAt>& names, const std::vector<ir::KeyValue>& kwargs, Span span,
               std::vector<ir::IterArg>& into);
    /// Defines what the named yields of the blocks say, and forgets them.
    bool take_results(std::optional<NamedYield> first, std::optional<NamedYield> second, std::vector<ir::Var>& into);
    void take_comments(); ///< consumes comment lines into pending_comments_
    std::vector<std::string> comments_for_stmt();
    void recover();
    void skip_block();

    // --- module
    void parse_top_level(ir::ModuleNode& module);
    void parse_module_assignment(ir::ModuleNode& module);
    void parse_class(ir::ModuleNode& module);
    struct Decorator {
        std::string name;
        Arguments arguments;
    };
    bool parse_decorators(std::vector<Decorator>& into);
    ir::Function parse_function(const std::vector<Decorator>& decorators, std::vector<std::string> comments);
    bool apply_decorators(ir::FunctionNode& f, const std::vector<Decorator>& decorators, Span span);
    bool parse_params(ir::FunctionNode& f);
    bool parse_returns(ir::FunctionNode& f);

    int nesting_ = 0;
    std::vector<Diagnostic> diagnostics_;
    std::size_t errors_ = 0;

    std::unordered_map<std::string_view, ir::Var> scope_;      ///< of the function being read
    std::unordered_map<std::string_view, ir::Var> globals_;    ///< dynamic symbols
    std::unordered_map<std::string_view, ir::Expr> constants_; ///< M = 64, DT = pl.FP16
    std::unordered_map<std::string_view, ir::Type> functions_; ///< what calls of the functions read so far answer
    std::vector<ir::KeyValue>* func_attrs_ = nullptr;          ///< where pl.func_attr of the current function goes

    struct PendingComment {
        std::string text;
        std::uint32_t column = 0;
    };
    std::vector<PendingComment> pending_comments_;
    std::optional<NamedYield> named_yield_;
    std::string program_name_; ///< from the first comment of a dump
};

/// The type of a value: a variable's own, or what infer_type says.
ir::Type type_of(const ir::Expr& value);

} // namespace ls::pypto
