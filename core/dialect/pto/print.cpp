#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/dialect/pto/printer.h"
#include "core/dialect/pto/spelling.h"
#include "core/dialect/pto/types.h"

namespace ls::pto {

using namespace ir;

namespace {

const ExprNode* entry(const ExprNode* dict, std::string_view key) {
    const auto* d = as<DictNode>(dict);
    if (d == nullptr) return nullptr;
    for (const KeyValue& one : d->entries) {
        if (one.key == key) return one.value.get();
    }
    return nullptr;
}

std::size_t number(const ExprNode* dict, std::string_view key) {
    return static_cast<std::size_t>(std::max<std::int64_t>(constant(entry(dict, key)).value_or(0), 0));
}

const ExprNode* find(const std::vector<KeyValue>& entries, std::string_view key) {
    for (const KeyValue& one : entries) {
        if (one.key == key) return one.value.get();
    }
    return nullptr;
}

/// The attributes that stand in the text: not what the reader noted for itself.
std::vector<KeyValue> written_attributes(const ModuleNode& module) {
    std::vector<KeyValue> out;
    for (const KeyValue& one : module.attrs) {
        const bool note = one.key == spelling::kHead || one.key == spelling::kLast || one.key == spelling::kTail ||
                          one.key == spelling::kModules;
        if (!note) out.push_back(one);
    }
    return out;
}

std::vector<Var> params_of(const CallNode& call, std::string_view key) {
    const auto* lambda = as<LambdaNode>(call.attr(key));
    return lambda == nullptr ? std::vector<Var>{} : lambda->params;
}

/// Regions and blocks of an operation, as With statements of their own.
const CallNode* part_scope(const StmtNode& s) {
    const auto* with = as<WithNode>(&s);
    const auto* scope = with == nullptr ? nullptr : as<CallNode>(with->scope);
    return scope != nullptr && (scope->op == spelling::kRegion || scope->op.starts_with("^")) ? scope : nullptr;
}

} // namespace

// ---------------------------------------------------------------------------------------------- lines

void Printer::comment_lines(const std::vector<std::string>& comments, const Node* node) {
    for (const std::string& one : comments) {
        if (!one.empty() && one.front() == spelling::kBehind) continue;
        if (!one.empty()) {
            out_.text.append(indent_, ' ');
            if (!one.starts_with("//")) out_.text += "// ";
            out_.text += one;
        }
        out_.text += '\n';
        out_.lines.push_back(node);
    }
}

/// One line; what stands behind the statement is among its comments.
void Printer::line(std::string_view text, const Node* node, const std::vector<std::string>* comments) {
    out_.text.append(indent_, ' ');
    out_.text += text;
    if (comments != nullptr) {
        for (const std::string& one : *comments) {
            if (!one.empty() && one.front() == spelling::kBehind) out_.text += " " + one.substr(1);
        }
    }
    out_.text += '\n';
    out_.lines.push_back(node);
}

void Printer::lines_of(const ExprNode* tuple) {
    const auto* list = as<TupleNode>(tuple);
    if (list == nullptr) return;
    std::vector<std::string> lines;
    for (const Expr& e : list->elements) {
        if (const auto* text = as<StringNode>(e)) lines.push_back(text->value);
    }
    comment_lines(lines, nullptr);
}

// ---------------------------------------------------------------------------------------------- statements

void Printer::body(const Seq& seq) {
    if (seq == nullptr) return;
    for (const Stmt& s : seq->stmts) stmt(*s);
}

void Printer::stmt(const StmtNode& s) {
    comment_lines(s.comments, &s);
    const auto plain = [&](std::string_view text) { line(text, &s, &s.comments); };
    const auto with_values = [&](std::string text, const std::vector<Expr>& values) {
        std::string types;
        for (std::size_t i = 0; i < values.size(); ++i) {
            text += (i == 0 ? " " : ", ") + operand(*values[i]);
            types += (i == 0 ? " : " : ", ") + type_of(*values[i]);
        }
        plain(text + types);
    };
    switch (s.kind) {
    case NodeKind::Assign: plain(assignment(static_cast<const AssignNode&>(s))); break;
    case NodeKind::Eval: {
        const auto& value = static_cast<const EvalNode&>(s).value;
        const auto* call = as<CallNode>(value);
        plain(call != nullptr ? operation(*call, {}) : scalar(*value, {}));
        break;
    }
    case NodeKind::Return: with_values("return", static_cast<const ReturnNode&>(s).values); break;
    case NodeKind::Yield: with_values("scf.yield", static_cast<const YieldNode&>(s).values); break;
    case NodeKind::Raw: plain(static_cast<const RawNode&>(s).text); break;
    case NodeKind::Seq:
        for (const Stmt& one : static_cast<const SeqNode&>(s).stmts) stmt(*one);
        break;
    case NodeKind::For: for_loop(static_cast<const ForNode&>(s)); break;
    case NodeKind::If: branch(static_cast<const IfNode&>(s)); break;
    case NodeKind::With: region_op(static_cast<const WithNode&>(s)); break;
    default: break; // comments alone, and what PTO text has no words for
    }
}

void Printer::for_loop(const ForNode& loop) {
    std::string text = fmt::format("{}scf.for %{} = {} to {} step {}", names(loop.results), loop.var->name,
                                   operand(*loop.start), operand(*loop.stop), operand(*loop.step));
    if (!loop.iter_args.empty()) {
        text += " iter_args(";
        for (std::size_t i = 0; i < loop.iter_args.size(); ++i) {
            text += fmt::format("{}%{} = {}", i == 0 ? "" : ", ", loop.iter_args[i].var->name,
                                operand(*loop.iter_args[i].init));
        }
        text += ") -> " + types_of(loop.results);
    }
    if (const std::string& type = type_of(*loop.var); type != "index" && !type.empty()) text += " : " + type;
    line(text + " {", &loop);
    indent_ += spelling::kIndent;
    body(loop.body);
    indent_ -= spelling::kIndent;
    line("}", &loop, &loop.comments);
}

void Printer::branch(const IfNode& s) {
    std::string text = fmt::format("{}scf.if {}", names(s.results), operand(*s.condition));
    if (!s.results.empty()) text += " -> " + types_of(s.results);
    line(text + " {", &s);
    indent_ += spelling::kIndent;
    body(s.then_body);
    if (s.else_body != nullptr) {
        indent_ -= spelling::kIndent;
        line("} else {", &s);
        indent_ += spelling::kIndent;
        body(s.else_body);
    }
    indent_ -= spelling::kIndent;
    line("}", &s, &s.comments);
}

void Printer::region_op(const WithNode& with) {
    const auto* scope = as<CallNode>(with.scope);
    if (scope == nullptr) {
        body(with.body);
        return;
    }
    if (scope->op.starts_with("^")) {
        const std::vector<Var> args = params_of(*scope, spelling::kArgs);
        std::string label = scope->op;
        for (std::size_t i = 0; i < args.size(); ++i) {
            label += fmt::format("{}%{}: {}", i == 0 ? "(" : ", ", args[i]->name, type_of(*args[i]));
        }
        // A label stands as far left as what holds its region.
        const std::size_t inner = indent_;
        indent_ -= std::min<std::size_t>(indent_, spelling::kIndent);
        line(label + (args.empty() ? ":" : "):"), &with);
        indent_ = inner;
        body(with.body);
        return;
    }
    const std::vector<Var> results = params_of(*scope, spelling::kResults);
    std::vector<std::string> parts;
    std::string last = spelled(*scope, results, params_of(*scope, spelling::kArgs), parts);
    if (parts.empty()) parts.push_back(std::exchange(last, {}) + " ");
    parts[0] = names(results) + parts[0];

    std::vector<const Seq*> regions;
    if (parts.size() == 1) {
        regions.push_back(&with.body);
    } else {
        for (const Stmt& part : with.body->stmts) {
            if (part_scope(*part) != nullptr) regions.push_back(&static_cast<const WithNode&>(*part).body);
        }
    }
    std::string before;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        line(before + parts[i] + "{", &with);
        indent_ += spelling::kIndent;
        if (i < regions.size()) body(*regions[i]);
        indent_ -= spelling::kIndent;
        before = "}";
    }
    line(before + last, &with, &with.comments);
}

// ---------------------------------------------------------------------------------------------- functions, modules

void Printer::function(const FunctionNode& f) {
    comment_lines(f.comments, &f);
    if (f.name.empty()) {
        body(f.body);
        return;
    }
    std::string text = "func.func ";
    if (const auto* visibility = as<ir::SymbolNode>(find(f.options, spelling::kVisibility))) text += visibility->name + " ";
    text += "@" + f.name + "(";
    const auto* attribute_list = as<TupleNode>(find(f.options, spelling::kArgAttrs));
    for (std::size_t i = 0; i < f.params.size(); ++i) {
        const VarNode& param = *f.params[i].var;
        if (i > 0) text += ", ";
        if (!param.name.empty()) text += "%" + param.name + ": ";
        text += type_of(param);
        if (attribute_list == nullptr || i >= attribute_list->elements.size()) continue;
        const auto* attributes_of = as<DictNode>(attribute_list->elements[i]);
        if (attributes_of != nullptr && !attributes_of->entries.empty()) text += " " + attributes(attributes_of->entries);
    }
    text += ")";
    if (find(f.options, spelling::kNoResults) != nullptr) text += " -> ()";
    if (!f.returns.empty()) {
        std::string types;
        for (const Type& type : f.returns) types += (types.empty() ? "" : ", ") + type_text(*type);
        text += f.returns.size() == 1 ? " -> " + types : " -> (" + types + ")";
    }
    if (!f.attrs.empty()) text += " attributes " + attributes(f.attrs);
    if (f.body == nullptr) {
        line(text, &f, &f.comments);
        return;
    }
    line(text + " {", &f);
    const auto own = constant(find(f.options, spelling::kBodyIndent));
    const auto step = static_cast<std::size_t>(own && *own >= 0 && *own <= 8 ? *own : spelling::kIndent);
    indent_ += step;
    body(f.body);
    indent_ -= step;
    line("}", &f, &f.comments);
}

/// Prints the module of entries[index] and those inside it; answers the first entry behind them.
std::size_t Printer::module_at(const ModuleNode& module, const std::vector<Expr>& entries, std::size_t index) {
    const ExprNode* own = entries[index].get();
    lines_of(entry(own, "comments"));
    std::string text = "module ";
    if (const auto* name = as<StringNode>(entry(own, "name")); name != nullptr && !name->value.empty()) {
        text += fmt::format("@{} ", name->value);
    }
    const auto* attrs = as<DictNode>(entry(own, "attributes"));
    if (attrs != nullptr && !attrs->entries.empty()) text += fmt::format("attributes {} ", attributes(attrs->entries));
    line(text + "{", nullptr);
    indent_ += spelling::kIndent;
    std::size_t next = index + 1;
    std::size_t at = number(own, "begin");
    const std::size_t end = std::min(number(own, "end"), module.functions.size());
    while (at < end || (next < entries.size() && constant(entry(entries[next].get(), "parent")) == static_cast<std::int64_t>(index))) {
        const bool inner = next < entries.size() && constant(entry(entries[next].get(), "parent")) == static_cast<std::int64_t>(index);
        if (inner && number(entries[next].get(), "begin") <= at) {
            at = std::max(at, number(entries[next].get(), "end"));
            next = module_at(module, entries, next);
        } else if (at < end) {
            function(*module.functions[at++]);
        } else {
            break;
        }
    }
    lines_of(entry(own, "last"));
    indent_ -= spelling::kIndent;
    line("}", nullptr);
    return next;
}

void Printer::modules(const ModuleNode& module, const std::vector<Expr>& entries) {
    std::size_t at = 0;
    std::size_t next = 0;
    while (at < module.functions.size() || next < entries.size()) {
        if (next < entries.size() && number(entries[next].get(), "begin") <= at) {
            at = std::max(at, number(entries[next].get(), "end"));
            next = module_at(module, entries, next);
        } else if (at < module.functions.size()) {
            function(*module.functions[at++]);
        } else {
            break;
        }
    }
}

Printed Printer::run(const ModuleNode& module) {
    if (const auto* entries = as<TupleNode>(find(module.attrs, spelling::kModules))) {
        modules(module, entries->elements);
    } else {
        lines_of(find(module.attrs, spelling::kHead));
        std::string text = "module ";
        if (!module.name.empty()) text += fmt::format("@{} ", module.name);
        const std::vector<KeyValue> attrs = written_attributes(module);
        if (!attrs.empty()) text += fmt::format("attributes {} ", attributes(attrs));
        line(text + "{", nullptr);
        indent_ += spelling::kIndent;
        for (const Function& f : module.functions) function(*f);
        lines_of(find(module.attrs, spelling::kLast));
        indent_ -= spelling::kIndent;
        line("}", nullptr);
    }
    lines_of(find(module.attrs, spelling::kTail));
    return std::move(out_);
}

Printed print(const ModuleNode& module) { return Printer().run(module); }
std::string print_text(const ModuleNode& module) { return print(module).text; }

} // namespace ls::pto
