// Statements, functions and modules as pass dumps print them.
#include "core/dialect/pypto/printer.h"

#include <fmt/format.h>

namespace ls::pypto {

using namespace ir;

namespace {

/// Spelling of a loop: pl.range, pl.split_aiv, ...
std::string loop_name(LoopKind kind) { return fmt::format("pl.{}", name(kind)); }

bool is_index(const Expr& e, std::int64_t value) {
    const auto* c = as<ConstIntNode>(e);
    return c != nullptr && c->value == value && c->dtype == DType::Index;
}

class StmtPrinter {
public:
    explicit StmtPrinter(DumpLevel level) : exprs_(level, out_.text) {}

    Printed take() && { return std::move(out_); }

    void module(const ModuleNode& m) {
        // Functions that were read without a class around them are printed without one: a class needs a name.
        const bool bare = m.name.empty() && m.class_name.empty();
        if (!bare) {
            begin(&m);
            text() += fmt::format("# pypto.program: {}", m.name);
            end();
        }
        line(nullptr, "import pypto.language as pl");
        line(nullptr, "");
        for (const Var& v : m.dynamic_symbols) line(v.get(), fmt::format("{0} = pl.dynamic(\"{0}\")", v->name));
        if (!m.dynamic_symbols.empty()) line(nullptr, "");
        if (bare) {
            for (const Function& f : m.functions) function(*f);
            return;
        }
        line(nullptr, "@pl.program");
        line(&m, fmt::format("class {}:", m.class_name.empty() ? m.name : m.class_name));
        ++indent_;
        for (const Function& f : m.functions) function(*f);
        if (m.functions.empty()) line(nullptr, "pass");
        --indent_;
    }

    void function(const FunctionNode& f) {
        comments(f.comments, &f);
        begin(&f);
        text() += "@pl.function";
        decorator(f);
        end();
        begin(&f);
        text() += fmt::format("def {}(", f.name);
        bool first = true;
        const auto comma = [&] {
            if (!first) text() += ", ";
            first = false;
        };
        if (f.has_self) {
            comma();
            text() += "self";
        }
        for (const Param& p : f.params) {
            comma();
            text() += p.var->name;
            if (p.var->type == nullptr) continue;
            text() += ": ";
            const bool wrapped = p.direction != Direction::In;
            if (wrapped) text() += p.direction == Direction::Out ? "pl.Out[" : "pl.InOut[";
            exprs_.type(*p.var->type);
            if (wrapped) text() += ']';
        }
        text() += ')';
        if (!f.returns.empty()) {
            text() += " -> ";
            if (f.returns.size() > 1) text() += "tuple[";
            for (std::size_t i = 0; i < f.returns.size(); ++i) {
                if (i > 0) text() += ", ";
                exprs_.type(*f.returns[i]);
            }
            if (f.returns.size() > 1) text() += ']';
        }
        text() += ':';
        end();
        ++indent_;
        if (!f.attrs.empty()) {
            begin(&f);
            text() += "pl.func_attr(";
            exprs_.entries(f.attrs);
            text() += ')';
            end();
        }
        body(f.body, {}, !f.attrs.empty());
        --indent_;
    }

    void stmt(const StmtNode& s, const std::vector<Var>& results = {}) {
        comments(s.comments, &s);
        if (s.kind == NodeKind::Comment) return;
        begin(&s);
        switch (s.kind) {
        case NodeKind::Assign: assign(static_cast<const AssignNode&>(s)); break;
        case NodeKind::Eval: exprs_.expr(*static_cast<const EvalNode&>(s).value); break;
        case NodeKind::Store:
            exprs_.expr(*static_cast<const StoreNode&>(s).target);
            text() += " = ";
            exprs_.expr(*static_cast<const StoreNode&>(s).value);
            break;
        case NodeKind::Return: {
            const auto& values = static_cast<const ReturnNode&>(s).values;
            text() += values.empty() ? "return" : "return ";
            exprs_.list(values);
            break;
        }
        case NodeKind::Yield: yield(static_cast<const YieldNode&>(s), results); break;
        case NodeKind::Break: text() += "break"; break;
        case NodeKind::Continue: text() += "continue"; break;
        case NodeKind::Assert:
            text() += "assert ";
            exprs_.expr(*static_cast<const AssertNode&>(s).condition);
            if (const Expr& message = static_cast<const AssertNode&>(s).message; message != nullptr) {
                text() += ", ";
                exprs_.expr(*message);
            }
            break;
        case NodeKind::Raw: text() += static_cast<const RawNode&>(s).text; break;
        case NodeKind::If: return if_stmt(static_cast<const IfNode&>(s));
        case NodeKind::For: return for_stmt(static_cast<const ForNode&>(s));
        case NodeKind::While: return while_stmt(static_cast<const WhileNode&>(s));
        case NodeKind::With: return with_stmt(static_cast<const WithNode&>(s), results);
        default: break;
        }
        end();
    }

private:
    std::string& text() { return out_.text; }
    void begin(const Node* node) {
        text().append(4U * indent_, ' ');
        out_.lines.push_back(node);
    }
    void end() { text() += '\n'; }
    void line(const Node* node, std::string_view content) {
        if (content.empty())
            out_.lines.push_back(node);
        else
            begin(node);
        text() += content;
        end();
    }
    void comments(const std::vector<std::string>& lines, const Node* node) {
        for (const std::string& c : lines) line(node, "# " + c);
    }

    void decorator(const FunctionNode& f) {
        std::string options;
        const auto add = [&](const std::string& option) { options += (options.empty() ? "" : ", ") + option; };
        if (f.function != FunctionKind::Opaque) add(fmt::format("type=pl.FunctionType.{}", name(f.function)));
        if (!f.level.empty()) add(fmt::format("level=pl.Level.{}", f.level));
        if (!f.role.empty()) add(fmt::format("role=pl.Role.{}", f.role));
        if (!f.auto_scope) add("auto_scope=False");
        for (const KeyValue& k : f.options) {
            std::string value;
            ExprPrinter(DumpLevel::Concise, value).expr(*k.value);
            add(fmt::format("{}={}", k.key, value));
        }
        if (!options.empty()) text() += fmt::format("({})", options);
    }

    void body(const Seq& block, const std::vector<Var>& results, bool has_lines = false) {
        const std::size_t before = out_.lines.size();
        if (block != nullptr) {
            for (const Stmt& s : block->stmts) {
                if (s->kind == NodeKind::Seq)
                    body(ref_as<SeqNode>(s), results, true);
                else
                    stmt(*s, results);
            }
        }
        bool only_comments = true;
        if (block != nullptr) {
            for (const Stmt& s : block->stmts) only_comments = only_comments && s->kind == NodeKind::Comment;
        }
        if (!has_lines && (out_.lines.size() == before || only_comments)) line(nullptr, "pass");
    }

    void assign(const AssignNode& a) {
        if (a.targets.size() == 1 && a.targets[0]->type != nullptr && a.annotated) {
            text() += a.targets[0]->name;
            text() += ": ";
            exprs_.type(*a.targets[0]->type);
        } else {
            names(a.targets);
        }
        text() += " = ";
        exprs_.expr(*a.value);
    }

    void yield(const YieldNode& y, const std::vector<Var>& results) {
        if (results.size() == 1 && results[0]->type != nullptr) {
            text() += results[0]->name;
            text() += ": ";
            exprs_.type(*results[0]->type);
            text() += " = ";
        } else if (!results.empty()) {
            names(results);
            text() += " = ";
        }
        text() += "pl.yield_(";
        exprs_.list(y.values);
        text() += ')';
    }

    void names(const std::vector<Var>& vars) {
        for (std::size_t i = 0; i < vars.size(); ++i) {
            if (i > 0) text() += ", ";
            text() += vars[i]->name;
        }
    }
    void carried_names(const std::vector<IterArg>& args) {
        text() += '(';
        for (std::size_t i = 0; i < args.size(); ++i) {
            if (i > 0) text() += ", ";
            text() += args[i].var->name;
        }
        text() += args.size() == 1 ? ",)" : ")";
    }
    void init_values(const std::vector<IterArg>& args) {
        text() += "init_values=(";
        for (std::size_t i = 0; i < args.size(); ++i) {
            if (i > 0) text() += ", ";
            exprs_.expr(*args[i].init);
        }
        text() += args.size() == 1 ? ",)" : ")";
    }

    void if_stmt(const IfNode& s) {
        text() += "if ";
        exprs_.expr(*s.condition);
        text() += ':';
        end();
        ++indent_;
        body(s.then_body, s.results);
        --indent_;
        if (s.else_body == nullptr || s.else_body->stmts.empty()) return;
        line(&s, "else:");
        ++indent_;
        body(s.else_body, s.results);
        --indent_;
    }

    void for_stmt(const ForNode& s) {
        text() += "for ";
        text() += s.var->name;
        if (!s.iter_args.empty()) {
            text() += ", ";
            carried_names(s.iter_args);
        }
        text() += fmt::format(" in {}(", loop_name(s.loop));
        const bool unit_step = is_index(s.step, 1);
        if (!unit_step || !is_index(s.start, 0)) {
            exprs_.expr(*s.start);
            text() += ", ";
        }
        exprs_.expr(*s.stop);
        if (!unit_step) {
            text() += ", ";
            exprs_.expr(*s.step);
        }
        exprs_.kwargs(s.kwargs, '"');
        if (!s.iter_args.empty()) {
            text() += ", ";
            init_values(s.iter_args);
        }
        exprs_.attrs(s.attrs);
        text() += "):";
        end();
        ++indent_;
        body(s.body, s.results);
        --indent_;
    }

    void while_stmt(const WhileNode& s) {
        if (s.iter_args.empty()) {
            text() += "while ";
            exprs_.expr(*s.condition);
            text() += ':';
            end();
            ++indent_;
            body(s.body, s.results);
            --indent_;
            return;
        }
        text() += "for ";
        carried_names(s.iter_args);
        text() += " in pl.while_(";
        init_values(s.iter_args);
        text() += "):";
        end();
        ++indent_;
        begin(&s);
        text() += "pl.cond(";
        exprs_.expr(*s.condition);
        text() += ')';
        end();
        body(s.body, s.results, true);
        --indent_;
    }

    void with_stmt(const WithNode& s, const std::vector<Var>& results) {
        text() += "with ";
        exprs_.scope(*s.scope);
        if (s.var != nullptr) text() += fmt::format(" as {}", s.var->name);
        text() += ':';
        end();
        ++indent_;
        body(s.body, results); // a yield at its end is the enclosing loop's
        --indent_;
    }

    Printed out_;
    ExprPrinter exprs_;
    std::size_t indent_ = 0;
};

} // namespace

Printed print(const ModuleNode& module, DumpLevel level) {
    StmtPrinter p(level);
    p.module(module);
    return std::move(p).take();
}

std::string print_text(const ModuleNode& module, DumpLevel level) { return print(module, level).text; }

std::string print(const FunctionNode& function, DumpLevel level) {
    StmtPrinter p(level);
    p.function(function);
    return std::move(p).take().text;
}

std::string print(const StmtNode& stmt, DumpLevel level) {
    StmtPrinter p(level);
    p.stmt(stmt);
    return std::move(p).take().text;
}

} // namespace ls::pypto
