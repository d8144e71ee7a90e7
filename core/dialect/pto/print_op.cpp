// Single operations: names, types, attributes, and the form between them.
#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "core/dialect/pto/arith_names.h"
#include "core/dialect/pto/forms.h"
#include "core/dialect/pto/printer.h"
#include "core/dialect/pto/spelling.h"
#include "core/dialect/pto/types.h"

namespace ls::pto {

using namespace ir;

namespace {

bool is_floating(const Type& type) {
    const auto* scalar = as<ScalarTypeNode>(type);
    return scalar != nullptr && (scalar->dtype == DType::Fp16 || scalar->dtype == DType::Bf16 ||
                                 scalar->dtype == DType::Fp32 || scalar->dtype == DType::Fp64);
}

std::string float_text(const ConstFloatNode& f) {
    return f.spelling.empty() ? fmt::format("{:e}", f.value) : f.spelling;
}

/// Operands of alloc_tile that stand in keyword arguments, in their order in the text.
constexpr std::string_view kAllocOperands[] = {"addr", "valid_row", "valid_col"};

bool is_alloc_operand(const CallNode& call, const KeyValue& kw) {
    return call.is_op("pto.alloc_tile") && as<VarNode>(kw.value) != nullptr &&
           std::find(std::begin(kAllocOperands), std::end(kAllocOperands), kw.key) != std::end(kAllocOperands);
}

} // namespace

std::string Printer::operand(const ExprNode& e) const {
    if (const auto* var = as<VarNode>(&e)) return "%" + var->name;
    if (const auto value = constant(&e)) return fmt::format("{}", *value);
    if (const auto* list = as<TupleNode>(&e)) {
        std::string text = "[";
        for (const Expr& one : list->elements) text += (text.size() > 1 ? ", " : "") + operand(*one);
        return text + "]";
    }
    if (const auto* b = as<ConstBoolNode>(&e)) return b->value ? "true" : "false";
    if (const auto* f = as<ConstFloatNode>(&e)) return float_text(*f);
    return "?";
}

const std::string& Printer::type_of(const VarNode& v) {
    const auto [at, fresh] = types_.try_emplace(&v);
    if (fresh && v.type != nullptr) at->second = type_text(*v.type);
    return at->second;
}

std::string Printer::type_of(const ExprNode& e) {
    if (const auto* var = as<VarNode>(&e)) return type_of(*var);
    const auto dtype = scalar_dtype(std::shared_ptr<const ExprNode>(std::shared_ptr<void>(), &e));
    return dtype ? std::string(info(*dtype).pto) : std::string("index");
}

std::string Printer::types_of(const std::vector<Var>& vars) {
    std::string text = "(";
    for (const Var& v : vars) text += (text.size() > 1 ? ", " : "") + type_of(*v);
    return text + ")";
}

std::string Printer::names(const std::vector<Var>& vars) const {
    if (vars.empty()) return {};
    std::string text;
    for (std::size_t i = 0; i < vars.size(); ++i) {
        const std::string& name = vars[i]->name;
        if (!text.empty()) text += ", ";
        if (!name.ends_with("#0")) {
            text += "%" + name;
            continue;
        }
        // The parts of a pack stand side by side: r#0, r#1, ...
        const std::string pack = name.substr(0, name.size() - 2);
        std::size_t count = 1;
        while (i + count < vars.size() && vars[i + count]->name == fmt::format("{}#{}", pack, count)) ++count;
        text += fmt::format("%{}:{}", pack, count);
        i += count - 1;
    }
    return text + " = ";
}

std::string Printer::attributes(const std::vector<KeyValue>& entries) const {
    std::string text = "{";
    for (const KeyValue& one : entries) {
        if (text.size() > 1) text += ", ";
        text += one.key;
        if (one.value == nullptr || one.value->kind == NodeKind::None) continue;
        text += " = ";
        if (const auto* s = as<StringNode>(one.value)) {
            text += fmt::format("\"{}\"", s->value);
        } else if (const auto* i = as<ConstIntNode>(one.value)) {
            text += fmt::format("{}", i->value);
            if (i->dtype != DType::Index) text += fmt::format(" : {}", info(i->dtype).pto);
        } else if (const auto* b = as<ConstBoolNode>(one.value)) {
            text += b->value ? "true" : "false";
        } else if (const auto* word = as<ir::SymbolNode>(one.value)) {
            text += word->name;
        } else {
            text += operand(*one.value);
        }
    }
    return text + "}";
}

void Printer::remember_type(const CallNode& call, const std::vector<Var>& results) {
    if (results.size() != 1) return;
    const auto* tensor = as<TensorTypeNode>(results[0]->type);
    if (const auto* written = as<StringNode>(call.attr(spelling::kType))) {
        types_[results[0].get()] = written->value;
    } else if (tensor != nullptr && call.is_op("pto.partition_view")) {
        types_[results[0].get()] = partition_text(*tensor);
    }
}

/// `op` and its form, cut where regions stand: the text before each of them goes into `parts`, the rest is answered.
std::string Printer::spelled(const CallNode& call, const std::vector<Var>& results,
                             const std::vector<Var>& definitions, std::vector<std::string>& parts) {
    remember_type(call, results);
    std::vector<KeyValue> shown;
    std::string text = call.attr(spelling::kGeneric) != nullptr ? fmt::format("\"{}\"", call.op) : call.op;
    for (const KeyValue& kw : call.kwargs) {
        if (is_alloc_operand(call, kw)) {
            text += fmt::format(" {} = {}", kw.key, operand(*kw.value));
        } else {
            shown.push_back(kw);
        }
    }
    const auto* own = as<StringNode>(call.attr(spelling::kForm));
    const std::string form = own != nullptr ? own->value : usual_form(call.op, call.args.size(), !shown.empty());
    for (std::size_t i = 0; i < form.size(); ++i) {
        if (form[i] == '{' && form.compare(i, 2, "{}") == 0) {
            text += attributes(shown);
            ++i;
            continue;
        }
        if (form[i] != '$' || i + 1 == form.size()) {
            text += form[i];
            continue;
        }
        const char kind = form[++i];
        if (kind == '$') {
            text += '$';
            continue;
        }
        if (kind == 'g') {
            parts.push_back(std::move(text));
            text.clear();
            continue;
        }
        const bool letter = kind < '0' || kind > '9';
        std::size_t index = 0;
        const char* const digits = form.data() + i + (letter ? 1 : 0);
        const char* const end = std::from_chars(digits, form.data() + form.size(), index).ptr;
        i = static_cast<std::size_t>(end - form.data()) - 1;
        if (kind == 'r') {
            if (index < results.size()) text += type_of(*results[index]);
        } else if (kind == 'd') {
            if (index < definitions.size()) text += "%" + definitions[index]->name;
        } else if (index < call.args.size()) {
            text += kind == 't' ? type_of(*call.args[index]) : operand(*call.args[index]);
        }
    }
    return text;
}

std::string Printer::operation(const CallNode& call, const std::vector<Var>& results) {
    std::vector<std::string> parts;
    return names(results) + spelled(call, results, {}, parts);
}

/// Numbers, by the operation of arith that computes them.
std::string Printer::scalar(const ExprNode& value, const Type& type) {
    const std::string result = type == nullptr ? "index" : type_text(*type);
    if (const auto* i = as<ConstIntNode>(&value)) return fmt::format("arith.constant {} : {}", i->value, result);
    if (const auto* f = as<ConstFloatNode>(&value)) return fmt::format("arith.constant {} : {}", float_text(*f), result);
    if (const auto* b = as<ConstBoolNode>(&value)) return fmt::format("arith.constant {}", b->value ? "true" : "false");
    if (const auto* cast = as<CastNode>(&value)) {
        return fmt::format("arith.index_cast {} : {} to {}", operand(*cast->value), type_of(*cast->value), result);
    }
    if (const auto* choice = as<SelectNode>(&value)) {
        return fmt::format("arith.select {}, {}, {} : {}", operand(*choice->condition), operand(*choice->on_true),
                           operand(*choice->on_false), result);
    }
    if (const auto* both = as<BinaryNode>(&value)) {
        const std::string lhs = operand(*both->lhs), rhs = operand(*both->rhs);
        if (is_compare(both->op)) {
            return fmt::format("arith.cmpi {}, {}, {} : {}", predicate_of(both->op), lhs, rhs, type_of(*both->lhs));
        }
        const std::string_view op = arith_name(both->op, is_floating(type));
        return fmt::format("{} {}, {} : {}", op.empty() ? "arith." : op, lhs, rhs, result);
    }
    return operand(value);
}

std::string Printer::assignment(const AssignNode& a) {
    if (const auto* call = as<CallNode>(a.value)) return operation(*call, a.targets);
    const Type type = a.targets.size() == 1 ? a.targets[0]->type : Type{};
    return names(a.targets) + scalar(*a.value, type);
}

} // namespace ls::pto
