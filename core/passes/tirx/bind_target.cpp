#include "core/passes/tirx/bind_target.h"

#include <algorithm>
#include <unordered_set>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/fresh_names.h"
#include "core/passes/tirx/function_pass.h"

namespace ls::tirx {

using namespace ir;

namespace {

Expr number(std::int64_t value) { return const_int(value, DType::Int32); }
Expr words(std::vector<std::string> values) {
    std::vector<Expr> out;
    for (std::string& v : values) out.push_back(string(std::move(v)));
    return tuple(std::move(out));
}

Expr default_host() { return dict({{"keys", words({"cpu"})}, {"kind", string("c")}, {"tag", string("")}}); }

/// The chip whose instructions the tile primitives' variants are written in.
Expr default_target() {
    return target_of({{"arch", string("sm_100a")},
                      {"host", default_host()},
                      {"keys", words({"cuda", "gpu"})},
                      {"kind", string("cuda")},
                      {"max_num_threads", number(1024)},
                      {"tag", string("")},
                      {"thread_warp_size", number(32)}});
}

/// Whether a statement's body runs on the device.
bool enters_device(const StmtNode& stmt) {
    if (const auto* loop = as<ForNode>(&stmt)) return loop->loop == LoopKind::ThreadBinding;
    const auto* w = as<WithNode>(&stmt);
    if (w == nullptr) return false;
    if (!launched_axis(*w).empty()) return true;
    const auto* c = as<CallNode>(w->scope);
    const auto* entries = c != nullptr && c->is_op("attr") && c->args.size() == 1 ? as<DictNode>(c->args[0]) : nullptr;
    return entries != nullptr && std::any_of(entries->entries.begin(), entries->entries.end(),
                                             [](const KeyValue& k) { return k.key == "tirx.device_entry"; });
}

struct Callers {
    std::unordered_set<std::string> host, device;
};

void find_calls(const Node& node, bool device, Callers& callers) {
    walk(node, [&](const Node& n) {
        if (const auto* c = as<CallNode>(&n); c != nullptr && c->callee == CalleeKind::Function) {
            (device ? callers.device : callers.host).insert(c->op);
        }
        if (&n == &node || device || !StmtNode::is(n.kind) || !enters_device(static_cast<const StmtNode&>(n)))
            return true;
        find_calls(n, true, callers);
        return false;
    });
}

/// Calls from the host go to the host's own copies.
class HostCalls final : public Mutator {
public:
    explicit HostCalls(const std::unordered_map<std::string, std::string>& copies) : copies_(copies) {}

protected:
    Var on_define(const Var& var) override { return var; }
    Stmt on_stmt(const Stmt& stmt) override { return enters_device(*stmt) ? stmt : Mutator::on_stmt(stmt); }
    Expr on_call(const Call& call) override {
        const auto copy = call->callee == CalleeKind::Function ? copies_.find(call->op) : copies_.end();
        Expr made = Mutator::on_call(call);
        if (copy == copies_.end()) return made;
        auto renamed = derive(ref_as<CallNode>(made));
        renamed->op = copy->second;
        return seal(std::move(renamed));
    }

private:
    const std::unordered_map<std::string, std::string>& copies_;
};

Function with_target(const Function& f, Expr target) {
    auto copy = derive(f);
    set_attr(copy->attrs, "target", std::move(target));
    drop_attr(copy->attrs, "tirx.is_host_func");
    return seal(std::move(copy));
}

} // namespace

const DictNode* target_dict(const ExprNode* target) {
    const auto* c = as<CallNode>(target);
    return c != nullptr && c->op == "target" && c->args.size() == 1 ? as<DictNode>(c->args[0]) : nullptr;
}

Expr target_of(std::vector<KeyValue> entries) { return call("target", {dict(std::move(entries))}); }

Expr device_target(const DictNode& target) {
    std::vector<KeyValue> entries = target.entries;
    drop_attr(entries, "host");
    return target_of(std::move(entries));
}

Expr host_target(const DictNode& target) {
    for (const KeyValue& k : target.entries) {
        if (k.key != "host") continue;
        const auto* host = as<DictNode>(k.value);
        return host != nullptr ? target_of(host->entries) : k.value;
    }
    return nullptr;
}

PassResult bind_target(const Module& module, const PassContext&) {
    Callers callers;
    for (const Function& f : module->functions) {
        if (f->attr("global_symbol") != nullptr) find_calls(*f, false, callers);
    }
    const Expr whole = default_target();
    const Expr device = device_target(*target_dict(whole.get())), host = host_target(*target_dict(whole.get()));
    std::unordered_map<std::string, std::string> copies;
    FreshNames names;
    for (const Function& f : module->functions) names.reserve(f->name);
    std::vector<Function> functions, added;
    bool changed = false;
    for (const Function& f : module->functions) {
        Function now = f;
        const bool exposed = f->attr("global_symbol") != nullptr;
        if (const auto* own = target_dict(f->attr("target"))) {
            if (exposed && host_target(*own) == nullptr && own->entries.size() > 1) {
                std::vector<KeyValue> entries = own->entries;
                set_attr(entries, "host", default_host());
                now = with_target(f, target_of(std::move(entries)));
            }
        } else if (f->function == FunctionKind::PrimFunc && f->attr("target") == nullptr) {
            const bool by_host = callers.host.contains(f->name), by_device = callers.device.contains(f->name);
            if (f->attr("tirx.is_host_func") != nullptr || (!exposed && by_host && !by_device)) {
                now = with_target(f, host);
            } else {
                now = with_target(f, exposed ? whole : device);
            }
            if (!exposed && by_host && by_device) {
                auto copy = derive(with_target(f, host));
                copy->name = copies[f->name] = names.make(f->name + "_host");
                added.push_back(seal(std::move(copy)));
            }
        }
        changed = changed || now != f;
        functions.push_back(std::move(now));
    }
    if (!changed) return PassResult::unchanged(module);
    if (!copies.empty()) {
        for (Function& f : functions) {
            if (f->attr("global_symbol") == nullptr) continue;
            HostCalls calls(copies);
            f = with_body(f, calls.mutate(f->body));
        }
        functions.insert(functions.end(), added.begin(), added.end());
    }
    auto copy = derive(module);
    copy->functions = std::move(functions);
    return PassResult::unchanged(seal(std::move(copy)));
}

} // namespace ls::tirx
