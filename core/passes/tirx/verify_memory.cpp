#include "core/passes/tirx/verify_memory.h"

#include <unordered_set>

#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/ir/walk.h"
#include "core/passes/tirx/bind_target.h"
#include "core/passes/tirx/function_pass.h"

namespace ls::tirx {

using namespace ir;

namespace {

bool runs_on_device(const FunctionNode& f) {
    const DictNode* target = target_dict(f.attr("target"));
    if (target == nullptr || f.attr("calling_conv") != nullptr) return false;
    for (const KeyValue& k : target->entries) {
        const auto* kind = as<StringNode>(k.value);
        if (k.key == "kind" && kind != nullptr && kind->value == "cuda") return true;
    }
    return false;
}

void verify(const FunctionNode& f, std::vector<Diagnostic>& findings) {
    std::unordered_set<const Node*> params, views, addressed;
    for (const Param& p : f.params) params.insert(p.var.get());
    walk(f, [&](const Node& node) {
        if (const auto* w = as<WithNode>(&node); w != nullptr && !launched_axis(*w).empty()) return false;
        if (const auto* a = as<AssignNode>(&node)) {
            const auto* how = as<CallNode>(a->value);
            const auto* data = how != nullptr ? as<MemberNode>(how->kwarg("data")) : nullptr;
            if (data != nullptr && (params.contains(data->base.get()) || views.contains(data->base.get()))) {
                for (const Var& v : a->targets) views.insert(v.get());
            }
        }
        if (const auto* c = as<CallNode>(&node); c != nullptr && c->is_op("address_of") && !c->args.empty()) {
            addressed.insert(c->args[0].get()); // an address is not an access
        }
        const auto* s = as<SubscriptNode>(&node);
        const bool direct = s != nullptr && params.contains(s->base.get());
        if (s == nullptr || addressed.contains(s) || (!direct && !views.contains(s->base.get()))) return true;
        Diagnostic finding =
            error_at(node.span, "TIRX_HOST_ACCESS",
                     fmt::format("the host accesses an element of \"{}\", which lies in the device's memory",
                                 as<VarNode>(s->base)->name),
                     "move the access below T.launch_thread");
        if (!direct) finding.severity = Severity::Warning;
        findings.push_back(std::move(finding));
        return true;
    });
}

} // namespace

PassResult verify_memory(const Module& module, const PassContext&) {
    PassResult result = PassResult::unchanged(module);
    for (const Function& f : module->functions) {
        if (runs_on_device(*f)) verify(*f, result.diagnostics);
    }
    for (const Diagnostic& d : result.diagnostics) {
        if (d.severity == Severity::Error) result.module = nullptr;
    }
    return result;
}

} // namespace ls::tirx
