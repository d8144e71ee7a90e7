#include "core/passes/tirx/split_host_device.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/ir/children.h"
#include "core/ir/mutator.h"
#include "core/ir/substitute.h"
#include "core/passes/fresh_names.h"
#include "core/passes/tirx/bind_target.h"
#include "core/passes/tirx/function_pass.h"
#include "core/passes/tirx/kernel_attributes.h"

namespace ls::tirx {

using namespace ir;

namespace {

/// What a statement uses and does not define, each once. `in_types`: what types say counts as use, too.
class FreeVars {
public:
    explicit FreeVars(const Node& root, bool in_types = true) : in_types_(in_types) { visit(root); }
    bool uses(const VarNode* v) const { return seen_.contains(v); }
    std::vector<const VarNode*> found() const {
        std::vector<const VarNode*> out;
        for (const VarNode* v : used_) {
            if (!defined_.contains(v)) out.push_back(v);
        }
        return out;
    }

private:
    void visit(const Node& node) {
        for_each_child(
            node,
            [&](const Node& child) {
                if (const auto* v = as<VarNode>(&child)) {
                    if (seen_.insert(v).second) used_.push_back(v);
                } else {
                    visit(child);
                }
            },
            [&](const VarNode& definition) {
                defined_.insert(&definition);
                if (in_types_ && definition.type != nullptr) visit(*definition.type);
            });
    }

    bool in_types_;
    std::vector<const VarNode*> used_;
    std::unordered_set<const VarNode*> seen_, defined_;
};

bool is_handle(const VarNode& v) {
    const auto* named = as<NamedTypeNode>(v.type);
    return as<PtrTypeNode>(v.type) != nullptr || as<BufferTypeNode>(v.type) != nullptr ||
           (named != nullptr && named->name.find("TensorMap") != std::string::npos);
}

Type data_pointer(const BufferTypeNode& type) {
    auto made = std::make_shared<PtrTypeNode>();
    made->pointee = type.dtype;
    made->scope = type.scope;
    return seal(std::move(made));
}

class HostDeviceSplitter final : public Mutator {
public:
    HostDeviceSplitter(const Function& function, const DictNode& target, FreshNames& names)
        : function_(function), target_(target), names_(names) {}

    std::vector<Function> kernels;
    std::optional<Diagnostic> refusal;

protected:
    Var on_define(const Var& var) override { return var; }
    Expr on_expr(const Expr& expr) override { return expr; }
    Stmt on_stmt(const Stmt& stmt) override {
        const auto* w = as<WithNode>(stmt);
        const bool device = w != nullptr && !refusal && (!launched_axis(*w).empty() || is_device_scope(*w));
        return device ? kernel(stmt) : Mutator::on_stmt(stmt);
    }

private:
    static bool is_device_scope(const WithNode& w) {
        const auto attributes = attributes_of(w);
        return std::any_of(attributes.begin(), attributes.end(),
                           [](const KeyValue& k) { return k.key == "device_scope"; });
    }

    Stmt kernel(const Stmt& stmt) {
        std::vector<const VarNode*> free = FreeVars(*stmt).found();
        const FreeVars computed(*stmt, false);
        std::stable_sort(free.begin(), free.end(), [](const VarNode* a, const VarNode* b) {
            return std::pair(!is_handle(*a), std::string_view(a->name)) <
                   std::pair(!is_handle(*b), std::string_view(b->name));
        });
        auto made = std::make_shared<FunctionNode>();
        made->function = FunctionKind::PrimFunc;
        std::vector<Expr> args;
        std::vector<Stmt> declared;
        Substitution inside;
        for (const VarNode* v : free) {
            const Expr host = outside(*v);
            // Text of a later stage names what only another buffer's address speaks of: nothing reads it.
            if (host == nullptr && !computed.uses(v)) continue;
            if (host == nullptr) {
                refusal = error_at(stmt->span, "TIRX_SPLIT_UNDEFINED",
                                   fmt::format("the device code uses {}, which the host neither has nor makes", v->name),
                                   "declare it inside the kernel, or make it a parameter");
                return stmt;
            }
            const auto* type = as<BufferTypeNode>(v->type);
            Var own = var(name_of(*v), v->type);
            inside[v] = own;
            if (type == nullptr) {
                made->params.push_back({own});
                args.push_back(host);
                continue;
            }
            const Var data = var(own->name + "_ptr", data_pointer(*type));
            made->params.push_back({data});
            args.push_back(member(host, "data"));
            declared.insert(declared.begin(), assign(own, call("decl_buffer", {}, {{"data", data}})));
        }
        auto info = launch_info(seq({stmt}), function_->attr("tirx.kernel_launch_params"));
        if (!info) {
            refusal = std::move(info).error();
            if (refusal->span.empty()) refusal->span = stmt->span;
            return stmt;
        }
        args.insert(args.end(), info->args.begin(), info->args.end());
        const Seq body = substitute(info->body, inside);
        declared.insert(declared.end(), body->stmts.begin(), body->stmts.end());
        made->body = seq(std::move(declared));
        const auto* symbol = as<StringNode>(function_->attr("global_symbol"));
        made->name = names_.make((symbol != nullptr ? symbol->value : function_->name) + "_kernel");
        std::vector<Expr> params;
        for (std::string& p : info->params) params.push_back(string(std::move(p)));
        made->attrs = std::move(info->attributes);
        set_attr(made->attrs, "calling_conv", const_int(2, DType::Int32));
        set_attr(made->attrs, "target", device_target(target_));
        set_attr(made->attrs, "tirx.is_global_func", const_bool(true));
        set_attr(made->attrs, "tirx.kernel_launch_params", tuple(std::move(params)));
        set_attr(made->attrs, "tirx.noalias", const_bool(true));
        made->span = stmt->span;
        args.insert(args.begin(), string(made->name));
        made->origin = function_;
        kernels.push_back(seal(std::move(made)));
        auto launch = std::make_shared<EvalNode>();
        launch->value = call("call_packed", std::move(args), {}, {}, {}, stmt->span);
        launch->span = stmt->span;
        launch->origin = stmt;
        return seal(std::move(launch));
    }

    /// The flat view of a parameter has the parameter's name; "_1" is only what a text needs to tell them apart.
    std::string name_of(const VarNode& v) const {
        const std::size_t digits = v.name.find_last_not_of("0123456789");
        if (digits == std::string::npos || digits == 0 || digits + 1 == v.name.size() || v.name[digits] != '_')
            return v.name;
        const std::string stem = v.name.substr(0, digits);
        const bool parameter = std::any_of(function_->params.begin(), function_->params.end(), [&](const Param& p) {
            return p.var->name == stem && buffer_type(p.var) != nullptr;
        });
        return parameter && as<BufferTypeNode>(v.type) != nullptr ? stem : v.name;
    }

    /// The variable as the host has it.
    Expr outside(const VarNode& v) {
        for (const Param& p : function_->params) {
            if (p.var.get() == &v) return p.var;
        }
        Expr found;
        walk_uses(*function_, v, found);
        return found;
    }
    static void walk_uses(const Node& node, const VarNode& v, Expr& found) {
        const auto each = [&](const Ref<VarNode>& one) {
            if (one.get() == &v) found = one;
        };
        if (const auto* a = as<AssignNode>(&node)) {
            for (const Var& t : a->targets) each(t);
        } else if (const auto* loop = as<ForNode>(&node)) {
            each(loop->var);
        } else if (const auto* w = as<WithNode>(&node)) {
            each(w->var);
        }
        if (found != nullptr) return;
        for_each_child(
            node,
            [&](const Node& child) {
                if (found == nullptr && StmtNode::is(child.kind)) walk_uses(child, v, found);
            },
            [](const VarNode&) {});
    }

    const Function& function_;
    const DictNode& target_;
    FreshNames& names_;
};

} // namespace

PassResult split_host_device(const Module& module, const PassContext&) {
    FreshNames names;
    for (const Function& f : module->functions) names.reserve(f->name);
    std::vector<Function> functions, kernels;
    bool changed = false;
    for (const Function& f : module->functions) {
        const DictNode* target = target_dict(f->attr("target"));
        if (target == nullptr) {
            return PassResult::refused(error_at(f->span, "TIRX_NO_TARGET",
                                                fmt::format("\"{}\" does not say what it is compiled for", f->name),
                                                "run BindTarget before, or write \"target\" into T.func_attr"));
        }
        if (host_target(*target) == nullptr) {
            functions.push_back(f);
            continue;
        }
        HostDeviceSplitter splitter(f, *target, names);
        const Seq body = splitter.mutate(f->body);
        if (splitter.refusal) return PassResult::refused(*std::move(splitter.refusal));
        changed = changed || body != f->body;
        functions.push_back(with_body(f, body));
        kernels.insert(kernels.end(), splitter.kernels.begin(), splitter.kernels.end());
    }
    if (!changed) return PassResult::unchanged(module);
    functions.insert(functions.end(), kernels.begin(), kernels.end());
    std::stable_sort(functions.begin(), functions.end(),
                     [](const Function& a, const Function& b) { return a->name < b->name; });
    auto copy = derive(module);
    copy->functions = std::move(functions);
    return PassResult::unchanged(seal(std::move(copy)));
}

PassResult device_functions(const Module& module, const PassContext&) {
    std::vector<Function> functions;
    for (const Function& f : module->functions) {
        if (constant(f->attr("calling_conv")) == 2) functions.push_back(f);
    }
    if (functions.size() == module->functions.size()) return PassResult::unchanged(module);
    auto copy = derive(module);
    copy->functions = std::move(functions);
    return PassResult::unchanged(seal(std::move(copy)));
}

} // namespace ls::tirx
