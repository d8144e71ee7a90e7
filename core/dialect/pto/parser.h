// The reader's inside, shared by parse_module.cpp, parse_op.cpp, parse_region.cpp and known_ops.cpp. Private to this
// folder.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/dialect/pto/lexer.h"
#include "core/dialect/pto/pto.h"
#include "core/ir/stmt.h"

namespace ls::pto {

/// Regions may nest this deep.
inline constexpr int kMaxNesting = 200;

/// A type and its usual text; texts are kept once, so that equal ones are the same object.
struct TypeText {
    ir::Type type;
    const std::string* text = nullptr;
};

/// Recursive descent over the tokens. A parse_* that fails answers null (or false) and has recorded why.
class Parser {
public:
    Parser(std::string_view source, Tokens tokens)
        : source_(source), tokens_(std::move(tokens.tokens)), trivia_(std::move(tokens.trivia)) {}

    ReadResult run();

private:
    // --- tokens
    const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
    std::string_view text(const Token& t) const { return source_.substr(t.begin, t.end - t.begin); }
    std::string_view text(std::size_t ahead = 0) const { return text(peek(ahead)); }
    bool is(TokenKind kind, std::size_t ahead = 0) const { return peek(ahead).kind == kind; }
    /// Whether the next token is this word or sign.
    bool is(std::string_view spelling, std::size_t ahead = 0) const {
        const TokenKind kind = peek(ahead).kind;
        return (kind == TokenKind::Punct || kind == TokenKind::Word) && text(ahead) == spelling;
    }
    void next() {
        if (at_ + 1 < tokens_.size()) ++at_;
    }
    bool accept(std::string_view spelling) {
        if (!is(spelling)) return false;
        next();
        return true;
    }
    /// Records PTO_SYNTAX when the next token is another.
    bool expect(std::string_view spelling, std::string_view where);
    Span span_from(std::size_t first_token) const;
    Span here() const { return {peek().begin, peek().end}; }
    std::string found() const; ///< the next token as a message names it

    // --- findings
    std::nullptr_t fail(Span span, std::string code, std::string message, std::string hint = {});
    std::nullptr_t fail_here(std::string message, std::string hint = {}) {
        return fail(here(), "PTO_SYNTAX", std::move(message), std::move(hint));
    }
    void warn(Span span, std::string code, std::string message, std::string hint = {});

    // --- names; every region sees those around it
    class Scope {
    public:
        explicit Scope(Parser& parser) : parser_(parser), mark_(parser.bound_.size()) { ++parser_.nesting_; }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope();
        bool too_deep() const;

    private:
        Parser& parser_;
        std::size_t mark_;
    };
    /// Names and then maybe a count: `%a, %b`, `%r:2`.
    struct ResultName {
        std::string_view name; ///< without '%'
        std::size_t count = 0; ///< of a pack
        Span span;
    };
    ir::Var known(std::string_view name) const;
    ir::Var make_var(std::string_view name, const TypeText& type, Span span);
    void bind(const ir::Var& var, Span span);
    ir::Var define(std::string_view name, const TypeText& type, Span span);
    std::vector<ir::Var> define_results(const std::vector<ResultName>& names, const std::vector<TypeText>& types);

    // --- types
    TypeText type_from(std::string_view raw, Span span);
    TypeText parse_type();
    const std::string* text_of(const ir::VarNode& var) const;
    const std::string* intern(std::string text) { return &*texts_.insert(std::move(text)).first; }
    bool parse_type_list(std::vector<TypeText>& into); ///< T, or (T, T)

    // --- comments
    std::vector<std::string> comments_here(); ///< of the lines before the next token
    /// What stands behind a statement that has been read: loc(...), a comment.
    std::string take_behind();
    static ir::Stmt noted(const ir::Stmt& stmt, std::vector<std::string> before, const std::string& behind);

    // --- attributes
    bool parse_attributes(std::vector<ir::KeyValue>& into); ///< {a = 1, b}
    ir::Expr parse_attribute_value();
    std::string take_attributes_text(); ///< {a = 1} as it is written, on one line

    // --- operations
    bool starts_op(std::size_t at) const;
    bool starts_region(std::size_t at) const;
    bool parse_results(std::vector<ResultName>& into);
    bool parse_op(std::vector<ir::Stmt>& out);
    ir::Stmt parse_constant(const std::vector<ResultName>& results, std::size_t first);

    struct Item {
        enum class Kind : std::uint8_t { Value, Type, ResultType, Text, Attributes, Definition, Region };
        Kind kind = Kind::Text;
        std::size_t index = 0; ///< of the operand, definition, region or type
        bool space = false;    ///< white space stands before it
        bool arrow = false;    ///< it is "->" or "to" outside of brackets
        std::string_view text;
        Span span;
    };
    /// An operation that is read by its tokens alone.
    struct Generic {
        std::string op;
        bool quoted = false;
        std::vector<Item> items;
        std::vector<ir::Expr> args;
        std::vector<const std::string*> arg_texts; ///< types of the operands; null where not known
        std::vector<TypeText> types;
        std::vector<ir::KeyValue> attributes;
        std::vector<ir::Var> definitions;
        std::vector<Token> unknown; ///< names that are not bound: definitions, if a region follows
        std::vector<ir::Seq> regions;
        std::size_t first = 0;
    };
    bool parse_generic(Generic& g);
    bool parse_generic_item(Generic& g, int& depth);
    bool parse_operand(Generic& g, bool space);
    bool parse_operand_list(Generic& g, bool space);
    bool parse_region_item(Generic& g, bool space);
    std::vector<TypeText> result_types(Generic& g, std::size_t results);
    static std::string form_of(const Generic& g);
    bool finish_generic(Generic& g, const std::vector<ResultName>& results, std::vector<ir::Stmt>& out);
    ir::Stmt region_stmt(Generic& g, std::vector<ir::KeyValue> attrs, const std::vector<ir::Var>& results);

    // --- operations that the IR has its own nodes for; null where the operation is not one of them in its usual form
    ir::Expr known_value(const Generic& g, const std::string& form, const std::vector<TypeText>& types);
    bool refine_alloc(Generic& g, std::string& form, std::vector<TypeText>& types);
    void refine_view(const Generic& g, std::vector<TypeText>& types);
    ir::Expr resolved(const ir::Expr& value) const; ///< a constant's number, or the value itself
    std::vector<ir::Expr> resolved_elements(const ir::Expr& tuple) const;

    // --- control flow and regions
    ir::Stmt parse_for(const std::vector<ResultName>& results, std::size_t first, std::vector<std::string>& behind);
    ir::Stmt parse_if(const std::vector<ResultName>& results, std::size_t first, std::vector<std::string>& behind);
    bool parse_carried(ir::ForNode& loop);
    ir::Expr parse_value(std::string_view where);
    ir::Seq parse_region(std::string_view what);
    void parse_stmts(std::vector<ir::Stmt>& out);
    ir::Stmt parse_block();
    void recover(std::size_t first);

    // --- module
    void parse_top_level(ir::ModuleNode& module, int parent);
    bool parse_module(ir::ModuleNode& module, int parent);
    ir::Function parse_function();
    bool parse_params(ir::FunctionNode& f);
    void parse_loose(ir::ModuleNode& module);
    std::size_t column(const Token& t) const;

    struct ModuleEntry {
        int parent = -1;
        std::size_t begin = 0, end = 0;
        std::string name;
        std::vector<ir::KeyValue> attributes;
        std::vector<std::string> comments; ///< before it
        std::vector<std::string> last;     ///< before its closing brace
    };
    void finish_module(ir::ModuleNode& module);

    std::string_view source_;
    std::vector<Token> tokens_;
    std::vector<Trivia> trivia_;
    std::size_t at_ = 0;
    std::size_t next_trivia_ = 0;
    int nesting_ = 0;
    std::vector<Diagnostic> diagnostics_;
    std::size_t errors_ = 0;

    std::unordered_map<std::string_view, ir::Var> scope_;
    std::vector<std::string_view> bound_; ///< names of scope_, oldest first
    std::unordered_map<std::string_view, TypeText> types_;
    std::unordered_set<std::string> texts_;
    std::unordered_map<const ir::VarNode*, const std::string*> type_texts_;
    std::unordered_map<const ir::VarNode*, ir::Expr> constants_;
    std::deque<std::string> names_; ///< of packs' parts: "r#0"
    std::vector<ModuleEntry> modules_;
};

} // namespace ls::pto
