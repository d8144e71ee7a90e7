#include "core/codegen/cuda/kernel.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "core/ir/walk.h"
#include "core/support/checked.h"

namespace ls::codegen::cuda {

using namespace ir;

namespace {

const CallNode* scope_call(const StmtNode& stmt) {
    const auto* w = as<WithNode>(&stmt);
    return w != nullptr ? as<CallNode>(w->scope) : nullptr;
}

std::string text_attribute(const FunctionNode& f, std::string_view key) {
    const auto* s = as<StringNode>(f.attr(key));
    return s != nullptr ? s->value : std::string();
}

bool is_device(const FunctionNode& f) {
    if (f.attr("tirx.is_global_func") != nullptr) return true;
    const auto convention = constant(f.attr("calling_conv"));
    return convention == 2;
}

std::string arch_of(const FunctionNode& f, const ExportOptions& options) {
    if (options.chip.starts_with("sm_")) return options.chip;
    std::string arch;
    const auto* target = as<CallNode>(f.attr("target"));
    const auto* fields = target != nullptr && !target->args.empty() ? as<DictNode>(target->args[0]) : nullptr;
    if (fields != nullptr) {
        for (const KeyValue& k : fields->entries) {
            if (const auto* s = as<StringNode>(k.value); s != nullptr && k.key == "arch") arch = s->value;
        }
    }
    return arch.empty() ? "sm_100a" : arch;
}

bool has_launch(const Node& root) {
    bool found = false;
    for_each_stmt(root, [&](const StmtNode& s) { found = found || !launch_tag(s).empty(); });
    return found;
}

/// What is left of earlier stages, and which pass removes it.
std::optional<Diagnostic> not_lowered(const FunctionNode& f) {
    std::optional<Diagnostic> why;
    const auto refuse = [&](Span span, std::string message, std::string hint) {
        if (!why) why = error_at(span, "CG_CUDA_NOT_LOWERED", std::move(message), std::move(hint) + "; run the passes, or export a snapshot from FlattenBuffer on");
    };
    static const std::unordered_set<std::string_view> scope_ids{"cta_id",   "cluster_id", "cta_id_in_cluster", "thread_id",        "warp_id",
                                                                "lane_id", "warpgroup_id", "warp_id_in_wg",     "thread_id_in_wg"};
    walk(f, [&](const Node& node) {
        if (why) return false;
        if (const auto* a = as<AssignNode>(&node); a != nullptr && !a->targets.empty()) {
            const auto* type = as<BufferTypeNode>(a->targets[0]->type);
            const auto* c = as<CallNode>(a->value);
            if (type != nullptr && type->layout_state == BufferTypeNode::LayoutState::Given && c != nullptr && c->op != "Buffer") {
                refuse(node.span, fmt::format("{} still has a layout", a->targets[0]->name), "LowerTIRxCleanup (LayoutApplier) turns layouts into addresses");
            }
        }
        if (const auto* loop = as<ForNode>(&node); loop != nullptr && loop->loop == LoopKind::ThreadBinding) {
            refuse(node.span, fmt::format("the loop over {} is bound to threads", loop->var->name), "LowerTIRxOpaque makes a T.launch_thread of it");
        }
        if (const auto* c = as<CallNode>(&node); c != nullptr && c->callee == CalleeKind::Op) {
            if (c->op.starts_with("tirx.tile.")) refuse(c->span, fmt::format("T.tile.{} is a tile operation", c->op.substr(10)), "TilePrimitiveDispatch chooses its instructions");
            if (scope_ids.contains(c->op)) refuse(c->span, fmt::format("T.{} is a scope id", c->op), "TilePrimitiveDispatch binds it to the launch's indices");
        }
        return true;
    });
    return why;
}

/// The call that launches `kernel`, on the host.
const CallNode* launch_of(const FunctionNode& host, std::string_view kernel) {
    const CallNode* found = nullptr;
    for_each_call(host, [&](const CallNode& c) {
        if (c.op != "call_packed" || c.args.empty()) return;
        const auto* name = as<StringNode>(c.args[0]);
        if (name != nullptr && name->value == kernel) found = &c;
    });
    return found;
}

/// The function that launches this one. Behind a packed interface it no longer says what its arguments are.
const FunctionNode* host_of(const ModuleNode& module, const FunctionNode& kernel) {
    for (const Function& f : module.functions) {
        if (f.get() != &kernel && constant(f->attr("calling_conv")) != 1 && launch_of(*f, kernel.name) != nullptr) return f.get();
    }
    return nullptr;
}

class Splitter {
public:
    Splitter(const FunctionNode& f, CudaKernel& kernel) : f_(f), k_(kernel) {}

    /// One function: what stands above the launch is the host's.
    Status split() {
        take(f_.body);
        k_.has_host = true;
        k_.host_parameters = f_.params;
        std::unordered_set<const VarNode*> needed, inside;
        collect(k_.body, needed, inside);
        // Views of parameters that the device uses are made again on the device.
        std::vector<Stmt> views;
        for (std::size_t i = k_.host_body.size(); i-- > 0;) {
            const auto* a = as<AssignNode>(k_.host_body[i]);
            const auto* type = a != nullptr && !a->targets.empty() ? as<BufferTypeNode>(a->targets[0]->type) : nullptr;
            if (type == nullptr || !needed.contains(a->targets[0].get())) continue;
            views.insert(views.begin(), k_.host_body[i]);
            inside.insert(a->targets[0].get());
            for (const VarNode* v : used_vars(*k_.host_body[i])) needed.insert(v);
        }
        k_.body.insert(k_.body.begin(), views.begin(), views.end());
        for (const Param& p : f_.params) {
            if (needed.contains(p.var.get())) LS_CHECK(parameter(p.var, p.var));
        }
        for (const Stmt& s : k_.host_body) {
            const auto* a = as<AssignNode>(s);
            if (a == nullptr || a->targets.size() != 1 || inside.contains(a->targets[0].get()) || !needed.contains(a->targets[0].get())) continue;
            LS_CHECK(parameter(a->targets[0], a->targets[0]));
        }
        return ok_status();
    }

    /// A device function, and what the host does for it if the module says.
    Status join(const FunctionNode* host) {
        if (f_.body != nullptr) k_.body = f_.body->stmts;
        const CallNode* launch = host != nullptr ? launch_of(*host, f_.name) : nullptr;
        for (std::size_t i = 0; i < f_.params.size(); ++i) {
            LS_CHECK(parameter(f_.params[i].var, launch != nullptr && i + 1 < launch->args.size() ? launch->args[i + 1] : Expr()));
        }
        if (launch == nullptr) return ok_status();
        k_.has_host = true;
        k_.host_parameters = host->params;
        for_each_stmt(*host, [&](const StmtNode& s) {
            if (s.kind == NodeKind::Assign || (s.kind == NodeKind::Eval && as<EvalNode>(&s)->value.get() != launch)) {
                k_.host_body.push_back(std::static_pointer_cast<const StmtNode>(find_ref(host->body, &s)));
            }
        });
        std::erase(k_.host_body, nullptr);
        return ok_status();
    }

    void dimensions() {
        for (const Stmt& s : k_.body) {
            for_each_stmt(*s, [&](const StmtNode& one) {
                const std::string_view tag = launch_tag(one);
                if (tag.empty()) return;
                const bool known = std::any_of(k_.dimensions.begin(), k_.dimensions.end(), [&](const LaunchDimension& d) { return d.tag == tag; });
                if (!known) k_.dimensions.push_back({std::string(tag), scope_call(one)->args[1]});
            });
        }
    }

private:
    void take(const Seq& body) {
        if (body == nullptr) return;
        for (const Stmt& s : body->stmts) {
            if (!launch_tag(*s).empty()) {
                k_.body.push_back(s);
            } else if (const auto* w = as<WithNode>(s); w != nullptr && has_launch(*s)) {
                take(w->body);
            } else if (k_.body.empty()) {
                k_.host_body.push_back(s);
            }
        }
    }

    static void collect(const std::vector<Stmt>& body, std::unordered_set<const VarNode*>& needed, std::unordered_set<const VarNode*>& inside) {
        for (const Stmt& s : body) {
            for (const VarNode* v : used_vars(*s)) needed.insert(v);
            for_each_stmt(*s, [&](const StmtNode& one) {
                if (const auto* a = as<AssignNode>(&one)) {
                    for (const Var& t : a->targets) inside.insert(t.get());
                }
            });
        }
    }

    /// The shared pointer to a statement somewhere in a body.
    static Ref<Node> find_ref(const Seq& body, const StmtNode* wanted) {
        if (body == nullptr) return {};
        for (const Stmt& s : body->stmts) {
            if (s.get() == wanted) return s;
            if (const auto* w = as<WithNode>(s)) {
                if (auto found = find_ref(w->body, wanted)) return found;
            }
        }
        return {};
    }

    Status parameter(const Var& var, Expr host) {
        KernelParameter p;
        p.var = var;
        p.host = std::move(host);
        if (const auto* buffer = as<BufferTypeNode>(var->type)) {
            const auto element = element_type(*buffer);
            if (!element) return error_at(var->span, "CG_CUDA_TYPE", fmt::format("{}: CUDA has no type for its elements", var->name), "use a type of the table in export.md");
            p.kind = KernelParameter::Kind::Pointer;
            p.type = *element;
        } else if (const auto* pointer = as<PtrTypeNode>(var->type)) {
            p.kind = KernelParameter::Kind::Pointer;
            p.type = value_of(pointer->pointee.value_or(DType::UInt8));
            if (!pointer->pointee && is_tensor_map(var)) p.kind = KernelParameter::Kind::TensorMap;
        } else if (const auto* named = as<NamedTypeNode>(var->type)) {
            p.kind = named->name == "TensorMap" ? KernelParameter::Kind::TensorMap : KernelParameter::Kind::Pointer;
            p.type = value_of(DType::UInt8);
        } else if (const auto* scalar = as<ScalarTypeNode>(var->type)) {
            p.type = value_of(scalar->dtype);
        } else {
            return error_at(var->span, "CG_CUDA_TYPE", fmt::format("the type of {} is not known", var->name), "annotate it");
        }
        k_.parameters.push_back(std::move(p));
        return ok_status();
    }

    bool is_tensor_map(const Var& var) const {
        for (const Stmt& s : k_.host_body) {
            const auto* a = as<AssignNode>(s);
            const auto* c = a != nullptr ? as<CallNode>(a->value) : nullptr;
            if (c != nullptr && a->targets[0] == var && c->op == "tvm_stack_alloca") return true;
        }
        return false;
    }

    const FunctionNode& f_;
    CudaKernel& k_;
};

} // namespace

std::string_view launch_tag(const StmtNode& stmt) {
    const CallNode* c = scope_call(stmt);
    if (c == nullptr || c->op != "launch_thread" || c->args.size() != 2) return {};
    const auto* tag = as<StringNode>(c->args[0]);
    return tag != nullptr ? std::string_view(tag->value) : std::string_view();
}

std::optional<std::int64_t> constant_elements(const BufferTypeNode& type) {
    const auto dims = constant_dims(type.shape);
    return dims ? checked_product(*dims) : std::nullopt;
}

const ExprNode* CudaKernel::extent(std::string_view tag) const {
    const auto found = std::find_if(dimensions.begin(), dimensions.end(), [&](const LaunchDimension& d) { return d.tag == tag; });
    return found == dimensions.end() ? nullptr : found->extent.get();
}

std::optional<std::int64_t> CudaKernel::threads() const {
    CheckedInt total = 1;
    for (const LaunchDimension& d : dimensions) {
        if (!d.tag.starts_with("threadIdx.")) continue;
        const auto n = constant(d.extent);
        total = n && total ? checked_mul(*total, *n) : std::nullopt;
    }
    return total;
}

Result<std::vector<CudaKernel>> find_kernels(const Module& module, const ExportOptions& options) {
    std::vector<CudaKernel> kernels;
    for (const Function& f : module->functions) {
        const std::string symbol = text_attribute(*f, "global_symbol");
        if (!options.function.empty() && options.function != f->name && options.function != symbol) continue;
        const bool device = is_device(*f);
        if (auto why = not_lowered(*f)) return *why;
        if (!device && !has_launch(*f)) continue;
        CudaKernel k;
        k.origin = f;
        k.arch = arch_of(*f, options);
        k.stem = symbol.empty() ? f->name : symbol;
        k.name = k.stem;
        if (device && k.stem.ends_with("_kernel") && k.stem.size() > 7) {
            k.stem.resize(k.stem.size() - 7);
        } else if (!device) {
            k.name += "_kernel";
        }
        Splitter splitter(*f, k);
        if (device) {
            const FunctionNode* host = host_of(*module, *f);
            if (host == nullptr && options.host != nullptr) host = host_of(*options.host, *f);
            LS_CHECK(splitter.join(host));
        } else {
            LS_CHECK(splitter.split());
        }
        splitter.dimensions();
        kernels.push_back(std::move(k));
    }
    if (kernels.empty()) {
        return error("CG_CUDA_NO_KERNEL", "no function of the module launches threads", "export a snapshot from FlattenBuffer on: its launch stands as T.launch_thread");
    }
    return kernels;
}

} // namespace ls::codegen::cuda
