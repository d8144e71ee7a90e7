#include "app/conformance/run_nz_case.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/dialect/pypto/pypto.h"
#include "core/ir/equality.h"
#include "core/ir/walk.h"
#include "core/passes/nz/simplify.h"
#include "core/support/checked.h"

namespace ls::conformance {

using namespace ir;

namespace {

void names_in(const Json& json, std::set<std::string>& into) {
    if (!json.is_array()) return;
    if (json.size() == 2 && json[0] == "var") into.insert(json[1].get<std::string>());
    for (const Json& part : json) names_in(part, into);
}

/// The bindings so that each comes after those that it mentions.
std::vector<std::string> in_order(const Json& bindings) {
    std::vector<std::string> order;
    std::set<std::string> placed, visiting;
    const std::function<void(const std::string&)> place = [&](const std::string& name) {
        if (placed.count(name) != 0 || !bindings.contains(name) || !visiting.insert(name).second) return;
        std::set<std::string> needed;
        const Json& b = bindings.at(name);
        if (b.contains("assign")) names_in(b["assign"], needed);
        if (b.contains("loop")) names_in(b["loop"], needed);
        for (const std::string& n : needed) place(n);
        placed.insert(name);
        order.push_back(name);
    };
    for (const auto& [name, unused] : bindings.items()) place(name);
    return order;
}

std::optional<std::int64_t> value_of(const Expr& e, std::uint64_t seed) {
    if (const auto c = constant(e)) return *c;
    if (const auto* v = as<VarNode>(e)) {
        std::uint64_t hash = seed * 1099511628211U;
        for (const char c : v->name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
        return static_cast<std::int64_t>(hash % 1000);
    }
    const auto* b = as<BinaryNode>(e);
    if (b == nullptr) return {};
    const auto x = value_of(b->lhs, seed), y = value_of(b->rhs, seed);
    if (!x || !y) return {};
    switch (b->op) {
    case BinaryOp::Add: return checked_add(*x, *y);
    case BinaryOp::Sub: return checked_sub(*x, *y);
    case BinaryOp::Mul: return checked_mul(*x, *y);
    case BinaryOp::FloorDiv: return *y == 0 ? std::nullopt : std::optional(floor_div(*x, *y));
    case BinaryOp::Mod: return *y == 0 ? std::nullopt : std::optional(floor_mod(*x, *y));
    case BinaryOp::Min: return std::min(*x, *y);
    case BinaryOp::Max: return std::max(*x, *y);
    default: return {};
    }
}

bool same_value(const Expr& a, const Expr& b) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const auto x = value_of(a, seed), y = value_of(b, seed);
        if (!x || !y || *x != *y) return false;
    }
    return true;
}

} // namespace

NzCase::NzCase(const Json& bindings) {
    if (!bindings.is_object()) return;
    const Type index = scalar_type(DType::Index);
    for (const std::string& name : in_order(bindings)) {
        const Json& b = bindings.at(name);
        const Var v = var(name, index);
        vars_[name] = v;
        if (b.contains("assign")) {
            const Expr value = expr(b["assign"]);
            around_.push_back([v, value](std::vector<Stmt> inner) {
                inner.insert(inner.begin(), assign(v, value));
                return inner;
            });
        } else if (b.contains("call")) {
            const Expr value = call(b["call"].get<std::string>(), {});
            around_.push_back([v, value](std::vector<Stmt> inner) {
                inner.insert(inner.begin(), assign(v, value));
                return inner;
            });
        } else if (b.contains("loop")) {
            const Expr start = expr(b["loop"].at(0)), step = expr(b["loop"].at(1));
            around_.push_back([v, start, step](std::vector<Stmt> inner) {
                auto loop = std::make_shared<ForNode>();
                loop->var = v;
                loop->start = start;
                loop->stop = const_int(std::int64_t{1} << 20);
                loop->step = step;
                loop->body = seq(std::move(inner));
                return std::vector<Stmt>{seal(std::move(loop))};
            });
        } else if (b.contains("iter_arg")) {
            around_.push_back([v, index](std::vector<Stmt> inner) {
                auto loop = std::make_shared<ForNode>();
                loop->var = var("turn_of_" + v->name, index);
                loop->start = const_int(0);
                loop->stop = const_int(4);
                loop->step = const_int(1);
                loop->iter_args = {{v, const_int(0)}};
                loop->results = {var(v->name + "_after", index)};
                inner.push_back(yield_values({v}));
                loop->body = seq(std::move(inner));
                return std::vector<Stmt>{seal(std::move(loop))};
            });
        } else {
            params_.push_back({v, Direction::In});
        }
    }
}

Var NzCase::variable(const std::string& name) {
    Var& v = vars_[name];
    if (v == nullptr) {
        v = var(name, scalar_type(DType::Index));
        params_.push_back({v, Direction::In});
    }
    return v;
}

Expr NzCase::expr(const Json& json) {
    if (json.is_number_integer()) return const_int(json.get<std::int64_t>());
    if (json.is_string()) return variable(json.get<std::string>());
    const std::string op = json.at(0).get<std::string>();
    if (op == "var") return variable(json.at(1).get<std::string>());
    if (op == "cast") return cast(expr(json.at(1)), DType::Int64);
    static const std::map<std::string, BinaryOp> ops{
        {"add", BinaryOp::Add}, {"sub", BinaryOp::Sub}, {"mul", BinaryOp::Mul}, {"floordiv", BinaryOp::FloorDiv},
        {"mod", BinaryOp::Mod}, {"min", BinaryOp::Min}, {"max", BinaryOp::Max}};
    const auto found = ops.find(op);
    if (found == ops.end()) return call("unknown." + op, {});
    return binary(found->second, expr(json.at(1)), expr(json.at(2)));
}

std::vector<Expr> NzCase::exprs(const Json& list) {
    std::vector<Expr> out;
    for (const Json& e : list) out.push_back(expr(e));
    return out;
}

Var NzCase::param(std::string name, Type type, Direction direction) {
    Var v = var(std::move(name), std::move(type));
    params_.push_back({v, direction});
    return v;
}

Var NzCase::define(std::string name, Type type, Expr value) {
    Var v = var(std::move(name), std::move(type));
    add(assign(v, std::move(value)));
    return v;
}

Module NzCase::module(bool marked_blocked) const {
    std::vector<Stmt> body = stmts_;
    for (std::size_t i = around_.size(); i-- > 0;) body = around_[i](std::move(body));
    auto f = std::make_shared<FunctionNode>();
    f->name = "kernel";
    f->function = FunctionKind::InCore;
    f->params = params_;
    f->body = seq(std::move(body));
    if (marked_blocked) f->attrs.push_back({"nz_tensor_views_blocked", const_bool(true)});
    auto other = std::make_shared<FunctionNode>(); // something to call
    other->name = "callee";
    other->body = seq({});
    auto m = std::make_shared<ModuleNode>();
    m->name = "Case";
    m->functions = {seal(std::move(f)), seal(std::move(other))};
    return seal(std::move(m));
}

DType dtype_of(const Json& name) { return dtype_from_name(name.get<std::string>()).value_or(DType::Bool); }

Type nz_tensor(std::vector<Expr> shape, DType dtype) {
    TensorView view;
    view.order = TensorOrder::NZ;
    return tensor_type(std::move(shape), dtype, view);
}

const Hardware& hardware_of(const Json& test_case) {
    const auto named = test_case.find("backend");
    const Hardware* chip =
        named != test_case.end() && named->is_string() ? find_hardware(named->get<std::string>()) : nullptr;
    return chip != nullptr ? *chip : default_hardware();
}

const AssignNode* find_assign(const ModuleNode& module, std::string_view name) {
    const AssignNode* found = nullptr;
    for_each_stmt(module, [&](const StmtNode& s) {
        const auto* a = as<AssignNode>(&s);
        if (a != nullptr && a->targets[0]->name == name) found = a;
    });
    return found;
}

std::vector<Expr> operand(const CallNode& call, std::size_t index) {
    const auto* list = index < call.args.size() ? as<TupleNode>(call.args[index]) : nullptr;
    return list != nullptr ? list->elements : std::vector<Expr>{};
}

std::string shown(const std::vector<Expr>& exprs) {
    std::string out = "[";
    for (const Expr& e : exprs) out += (out.size() > 1 ? ", " : "") + pypto::print(*e);
    return out + "]";
}

Outcome same_exprs(NzCase& names, const std::string& what, const Json& expected, const std::vector<Expr>& actual) {
    const std::vector<Expr> wanted = names.exprs(expected);
    bool same = wanted.size() == actual.size();
    for (std::size_t i = 0; same && i < wanted.size(); ++i) {
        same = structurally_equal(nz::simplify(wanted[i]), nz::simplify(actual[i])) ||
               (i == 0 && same_value(wanted[i], actual[i]));
    }
    return same ? passed() : failed(fmt::format("{}: expected {}, got {}", what, shown(wanted), shown(actual)));
}

Outcome refused_with(const Json& reason, const PassResult& result) {
    if (result.ok()) return failed(fmt::format("expected a refusal {}, but it was accepted", reason.dump()));
    if (result.error().message.empty() || result.error().hint.empty())
        return failed(fmt::format("{} says no more than its code", result.error().code));
    if (reason.is_null() || result.error().code == reason) return passed();
    return failed(fmt::format("expected {}, got {}: {}", reason.dump(), result.error().code, result.error().message));
}

} // namespace ls::conformance
