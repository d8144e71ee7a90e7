// Statements, functions and modules as script text writes them.
#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/printer.h"
#include "core/ir/walk.h"

namespace ls::tirx {

using namespace ir;

namespace {

const CallNode* call_of(const Expr& e) { return as<CallNode>(e); }

bool is_buffer_call(const CallNode* c) {
    return c != nullptr && c->callee == CalleeKind::Op &&
           (c->op == "alloc_buffer" || c->op == "decl_buffer" || c->op == "match_buffer" || c->op == "Buffer");
}

/// for i in range(n), without anything further: what T.grid puts together.
bool is_plain_loop(const ForNode& f) {
    return f.loop == LoopKind::Range && f.kwargs.empty() && f.attrs.empty() && f.iter_args.empty() &&
           is_constant(f.start, 0) && is_constant(f.step, 1);
}

bool uses_any(const Expr& e, const std::vector<const ForNode*>& loops) {
    for (const VarNode* v : used_vars(*e)) {
        for (const ForNode* f : loops) {
            if (f->var.get() == v) return true;
        }
    }
    return false;
}

/// The x of T.Let calls in a statement's own expressions, bodies left out.
std::vector<const VarNode*> let_variables(const StmtNode& s) {
    std::vector<const VarNode*> found;
    walk(s, [&](const Node& node) {
        if (node.kind == NodeKind::Seq) return false;
        const auto* c = as<CallNode>(&node);
        if (c != nullptr && c->is_op("Let") && c->args.size() == 2) {
            if (const auto* l = as<LambdaNode>(c->args[1]); l != nullptr && l->params.size() == 1) {
                found.push_back(l->params[0].get());
            }
        }
        return true;
    });
    return found;
}

} // namespace

void Printer::start(const Node* node) {
    lines_.push_back(node);
    out_.append(indent_ * 4, ' ');
}

template <class Body>
void Printer::indented(Body&& body) {
    ++indent_;
    const std::size_t mark = names_.enter();
    body();
    names_.leave(mark);
    --indent_;
}

void Printer::comments(const StmtNode& s) {
    for (const std::string& line : s.comments) {
        start(&s);
        out_ += line.empty() ? "#" : "# " + line;
        finish();
    }
}

void Printer::body(const SeqNode& seq) {
    if (seq.stmts.empty()) {
        start(&seq);
        out_ += "pass";
        return finish();
    }
    for (std::size_t i = 0; i < seq.stmts.size();) i += stmt_at(seq.stmts, i);
}

std::size_t Printer::stmt_at(const std::vector<Stmt>& stmts, std::size_t i) {
    const StmtNode& s = *stmts[i];
    // x: T.int32 = v is an allocation and the first store into it.
    const auto* a = as<AssignNode>(&s);
    const CallNode* how = a != nullptr ? call_of(a->value) : nullptr;
    const auto* next = i + 1 < stmts.size() ? as<StoreNode>(stmts[i + 1]) : nullptr;
    if (next != nullptr && next->comments.empty() && how != nullptr && how->is_op("alloc_buffer") &&
        a->targets.size() == 1 && how->kwargs.empty()) {
        const auto* type = buffer_type(a->targets[0]);
        const auto* target = as<SubscriptNode>(next->target);
        const bool into_it = type != nullptr && is_scalar_buffer(*type) && type->scope == "local" &&
                             target != nullptr && target->base == a->targets[0] && target->indices.size() == 1 &&
                             is_constant(target->indices[0], 0);
        const auto used = into_it ? used_vars(*next->value) : std::vector<const VarNode*>{};
        if (into_it && std::find(used.begin(), used.end(), a->targets[0].get()) == used.end()) {
            comments(s);
            if (has_let_) declare_let_variables(*next);
            start(&s);
            std::string before = std::exchange(out_, {});
            expr(*next->value);
            const std::string value = std::exchange(out_, std::move(before));
            out_ += fmt::format("{}: T.{} = {}", names_.define(*a->targets[0]), dtype_text(*type), value);
            finish();
            return 2;
        }
    }
    if (const auto* w = as<WithNode>(&s)) {
        comments(s);
        if (has_let_) declare_let_variables(s);
        with(*w, stmts.size() == 1);
        return 1;
    }
    stmt(s);
    return 1;
}

void Printer::declare_let_variables(const StmtNode& s) {
    for (const VarNode* v : let_variables(s)) {
        if (names_.defined(*v)) continue;
        start(&s);
        out_ += names_.define(*v);
        out_ += " = ";
        type(v->type.get());
        out_ += "()";
        finish();
    }
}

void Printer::assign(const AssignNode& a) {
    const CallNode* how = call_of(a.value);
    if (a.targets.size() == 1 && is_buffer_call(how)) {
        if (const auto* type = buffer_type(a.targets[0])) {
            buffer_definition(a, *how, *type);
            return finish();
        }
    }
    std::string before = std::exchange(out_, {});
    expr(*a.value);
    const std::string value = std::exchange(out_, std::move(before));
    for (std::size_t i = 0; i < a.targets.size(); ++i) {
        if (i > 0) out_ += ", ";
        out_ += names_.define(*a.targets[i]);
    }
    if (a.annotated && a.targets.size() == 1) {
        out_ += ": T.let";
        if (a.targets[0]->type != nullptr) {
            out_ += '[';
            type(a.targets[0]->type.get());
            out_ += ']';
        }
    }
    out_ += " = ";
    out_ += value;
    finish();
}

/// Attributes of all that follows in the block are printed without `with` where they are the whole of it.
void Printer::with(const WithNode& w, bool alone) {
    const CallNode* c = call_of(w.scope);
    const bool attribute = c != nullptr && (c->is_op("attr") || c->is_op("launch_thread") || c->is_op("hint"));
    start(&w);
    std::string before = std::exchange(out_, {});
    expr(*w.scope);
    const std::string scope = std::exchange(out_, std::move(before));
    if (alone && attribute) {
        if (w.var != nullptr) out_ += fmt::format("{} = ", names_.define(*w.var));
        out_ += scope;
        finish();
        if (!w.body->stmts.empty()) body(*w.body);
        return;
    }
    out_ += "with " + scope;
    indented([&] {
        if (w.var != nullptr) out_ += fmt::format(" as {}", names_.define(*w.var));
        out_ += ":";
        finish();
        body(*w.body);
    });
}

void Printer::loop(const ForNode& f) {
    std::vector<const ForNode*> grid;
    for (const ForNode* at = &f; at != nullptr && is_plain_loop(*at) && !uses_any(at->stop, grid);) {
        if (at != &f && !at->comments.empty()) break;
        grid.push_back(at);
        at = at->body->stmts.size() == 1 ? as<ForNode>(at->body->stmts[0]) : nullptr;
    }
    start(&f);
    out_ += "for ";
    indented([&] {
        if (grid.size() > 1) {
            std::string extents;
            for (std::size_t i = 0; i < grid.size(); ++i) {
                if (i > 0) out_ += ", ";
                out_ += names_.define(*grid[i]->var);
                std::string before = std::exchange(out_, {});
                expr(*grid[i]->stop);
                extents += (i > 0 ? ", " : "") + std::exchange(out_, std::move(before));
            }
            out_ += fmt::format(" in T.grid({}):", extents);
            finish();
            return body(*grid.back()->body);
        }
        std::string_view kind = "T.unroll";
        const bool plain_step = is_constant(f.step, 1);
        bool annotated = false;
        for (const KeyValue& k : f.kwargs) annotated = annotated || k.key == "annotations";
        switch (f.loop) {
        case LoopKind::Parallel: kind = "T.parallel"; break;
        case LoopKind::Vectorized: kind = "T.vectorized"; break;
        case LoopKind::ThreadBinding: kind = "T.thread_binding"; break;
        case LoopKind::Unroll: break;
        default: kind = f.kwargs.empty() ? "range" : "T.serial";
        }
        // Bounds are outside of the variable's reach, but print the same: its name is not yet taken there.
        std::string before = std::exchange(out_, {});
        if (!(is_constant(f.start, 0) && plain_step)) {
            expr(*f.start);
            out_ += ", ";
        }
        expr(*f.stop);
        if (!plain_step && kind == "range") {
            out_ += ", ";
            expr(*f.step);
        }
        for (const KeyValue& k : f.kwargs) {
            const auto* d = k.key == "annotations" ? as<DictNode>(k.value) : nullptr;
            if (d != nullptr && d->entries.size() == 1 && d->entries[0].key == "disable_unroll") {
                out_ += ", unroll=False";
                continue;
            }
            const bool unroll = d != nullptr && d->entries.size() == 1 && d->entries[0].key == "pragma_unroll";
            out_ += fmt::format(", {}=", unroll ? "unroll" : k.key);
            expr(unroll ? *d->entries[0].value : *k.value);
        }
        if (!plain_step && kind != "range") {
            out_ += ", step=";
            expr(*f.step);
        }
        const std::string arguments = std::exchange(out_, std::move(before));
        out_ += fmt::format("{} in {}({}):", names_.define(*f.var), kind, arguments);
        finish();
        body(*f.body);
    });
}

void Printer::stmt(const StmtNode& s) {
    comments(s);
    if (s.kind == NodeKind::Comment) return;
    if (s.kind == NodeKind::Seq) return body(static_cast<const SeqNode&>(s));
    if (has_let_) declare_let_variables(s);
    switch (s.kind) {
    case NodeKind::For: return loop(static_cast<const ForNode&>(s));
    case NodeKind::With: return with(static_cast<const WithNode&>(s), false);
    default: start(&s);
    }
    switch (s.kind) {
    case NodeKind::Assign: return assign(static_cast<const AssignNode&>(s));
    case NodeKind::Eval: {
        const Expr& value = static_cast<const EvalNode&>(s).value;
        const auto* c = as<CallNode>(value);
        if (c != nullptr && !c->is_op("Let")) {
            expr(*value);
        } else {
            out_ += "T.evaluate(";
            expr(*value);
            out_ += ')';
        }
        return finish();
    }
    case NodeKind::Store:
        expr(*static_cast<const StoreNode&>(s).target);
        out_ += " = ";
        expr(*static_cast<const StoreNode&>(s).value);
        return finish();
    case NodeKind::Return: {
        const auto& values = static_cast<const ReturnNode&>(s).values;
        out_ += values.empty() ? "return" : "return ";
        list(values);
        return finish();
    }
    case NodeKind::Break: out_ += "break"; return finish();
    case NodeKind::Continue: out_ += "continue"; return finish();
    case NodeKind::Raw: out_ += static_cast<const RawNode&>(s).text; return finish();
    case NodeKind::Assert: {
        const auto& a = static_cast<const AssertNode&>(s);
        out_ += "assert ";
        expr(*a.condition);
        if (a.message != nullptr) {
            out_ += ", ";
            expr(*a.message);
        }
        return finish();
    }
    case NodeKind::If: {
        const auto& i = static_cast<const IfNode&>(s);
        out_ += "if ";
        expr(*i.condition);
        out_ += ':';
        finish();
        indented([&] { body(*i.then_body); });
        if (i.else_body == nullptr) return;
        start(&s);
        out_ += "else:";
        finish();
        return indented([&] { body(*i.else_body); });
    }
    case NodeKind::While:
        out_ += "while ";
        expr(*static_cast<const WhileNode&>(s).condition);
        out_ += ':';
        finish();
        return indented([&] { body(*static_cast<const WhileNode&>(s).body); });
    default: return finish();
    }
}

void Printer::params(const FunctionNode& f) {
    out_ += '(';
    // Scalars may be used by the shapes of buffers that stand before them.
    for (const Param& p : f.params) {
        if (as<BufferTypeNode>(p.var->type) == nullptr) names_.define(*p.var);
    }
    for (std::size_t i = 0; i < f.params.size(); ++i) {
        const VarNode& var = *f.params[i].var;
        if (i > 0) out_ += ", ";
        out_ += names_.define(var);
        out_ += ": ";
        type(var.type.get());
    }
    out_ += ')';
    if (!f.returns.empty()) {
        out_ += " -> ";
        type(f.returns[0].get());
    }
}

void Printer::function(const FunctionNode& f) {
    shared_ = shared_scalars(f);
    has_let_ = false;
    walk(f, [&](const Node& node) {
        const auto* c = as<CallNode>(&node);
        has_let_ = has_let_ || (c != nullptr && c->is_op("Let"));
        return !has_let_;
    });
    start(&f);
    out_ += "@T.prim_func";
    if (!f.options.empty()) arguments({}, f.options);
    finish();
    start(&f);
    out_ += fmt::format("def {}", f.name);
    indented([&] {
        params(f);
        out_ += ':';
        finish();
        if (!f.attrs.empty()) {
            start(&f);
            out_ += "T.func_attr(";
            entries(f.attrs);
            out_ += ')';
            finish();
        }
        if (f.attrs.empty() || (f.body != nullptr && !f.body->stmts.empty())) body(*f.body);
    });
}

void Printer::header(bool with_module) {
    const auto line = [&](std::string_view text) {
        start(nullptr);
        out_ += text;
        finish();
    };
    if (with_module) line("# from tvm.script import ir as I");
    line("# from tvm.script import tirx as T");
    line("# from tvm.tirx.layout import Axis");
    line("");
}

void Printer::module(const ModuleNode& m) {
    const bool with_class = !m.class_name.empty();
    header(with_class);
    if (with_class) {
        class_name_ = m.class_name;
        start(&m);
        out_ += "@I.ir_module";
        finish();
        start(&m);
        out_ += fmt::format("class {}:", m.class_name);
        finish();
        ++indent_;
        if (!m.attrs.empty()) {
            start(&m);
            out_ += "I.module_attrs(";
            entries(m.attrs);
            out_ += ')';
            finish();
        }
    }
    for (std::size_t i = 0; i < m.functions.size(); ++i) {
        if (i > 0) {
            lines_.push_back(nullptr);
            finish();
        }
        function(*m.functions[i]);
    }
    if (with_class) --indent_;
    if (used_metadata_) {
        for (const std::string_view text :
             {"", "# Metadata omitted. Use show_meta=True in script() method to show it."}) {
            start(nullptr);
            out_ += text;
            finish();
        }
    }
}

namespace {

/// Deeper programs than readers and passes make are not walked.
template <class Print>
Printed printed(const Node& node, Print&& print) {
    Printer printer;
    if (node.depth > 2 * kMaxDepth) return {"# nested too deep to print\n", {&node}};
    print(printer);
    return std::move(printer).take();
}

} // namespace

Printed print(const ModuleNode& module) {
    return printed(module, [&](Printer& p) { p.module(module); });
}

std::string print_text(const ModuleNode& module) { return print(module).text; }

std::string print(const FunctionNode& function) {
    return printed(function,
                   [&](Printer& p) {
                       p.header(false);
                       p.function(function);
                   })
        .text;
}

std::string print(const StmtNode& stmt) {
    return printed(stmt, [&](Printer& p) { p.stmt(stmt); }).text;
}

std::string print(const ExprNode& expr) {
    return printed(expr, [&](Printer& p) { p.expr(expr); }).text;
}

} // namespace ls::tirx
