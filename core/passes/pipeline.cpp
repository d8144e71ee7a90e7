#include "core/passes/pipeline.h"

#include <cassert>

#include "core/ir/walk.h"

namespace ls {

namespace {

template <class Visit>
void for_each_linked(const ir::ModuleNode& module, Visit visit) {
    ir::walk(module, [&](const ir::Node& node) {
        const bool linked = ir::StmtNode::is(node.kind) || node.kind == ir::NodeKind::Function;
        if (linked) visit(node);
        return linked || node.kind == ir::NodeKind::Module;
    });
}

} // namespace

const Diagnostic& PassResult::error() const {
    assert(!ok());
    for (const Diagnostic& d : diagnostics) {
        if (d.severity == Severity::Error) return d;
    }
    return diagnostics.front();
}

OriginLinks::OriginLinks(const ir::ModuleNode& before, const ir::ModuleNode& now) : OriginLinks(before, now, {}) {}

OriginLinks::OriginLinks(const ir::ModuleNode& before, const ir::ModuleNode& now,
                         const std::unordered_map<const ir::Node*, const ir::Node*>& came_from) {
    for_each_linked(before, [&](const ir::Node& node) { before_.emplace(&node, false); });
    for_each_linked(now, [&](const ir::Node& node) {
        if (const auto shared = before_.find(&node); shared != before_.end()) {
            shared->second = true;
            return;
        }
        const auto told = came_from.find(&node);
        const ir::Node* from = told != came_from.end()
                                   ? told->second
                                   : ir::origin_in(node, [&](const ir::Node& at) { return before_.count(&at) != 0; });
        back_.emplace(&node, from);
        if (from != nullptr) forward_.emplace(from, &node);
    });
}

const ir::Node* OriginLinks::origin_of(const ir::Node& node) const {
    if (const auto moved = back_.find(&node); moved != back_.end()) return moved->second;
    return before_.count(&node) != 0 ? &node : nullptr;
}

std::vector<const ir::Node*> OriginLinks::became(const ir::Node& node) const {
    std::vector<const ir::Node*> out;
    if (const auto kept = before_.find(&node); kept != before_.end() && kept->second) out.push_back(&node);
    const auto [first, last] = forward_.equal_range(&node);
    for (auto at = first; at != last; ++at) out.push_back(at->second);
    return out;
}

const Snapshot* Trace::after(std::string_view pass_name) const {
    for (const Snapshot& s : snapshots) {
        if (s.name == pass_name) return &s;
    }
    return nullptr;
}

Trace run_pipeline(const ir::Module& module, std::span<const Pass> passes, const PassContext& context,
                   const std::function<bool()>& cancelled) {
    Trace trace;
    trace.snapshots.push_back({nullptr, "source", module, {}, {}, false, nullptr});
    for (const Pass& pass : passes) {
        if (cancelled && cancelled()) break;
        const ir::Module& before = trace.last().module;
        PassResult result = pass.run != nullptr ? pass.run(before, context) : PassResult::unchanged(before);
        if (result.ok()) {
            if (Status depth = ir::check_depth(*result.module); !depth.ok()) {
                result.module = nullptr;
                result.diagnostics.push_back(std::move(depth).error());
            }
        }
        if (!result.ok()) {
            trace.refused_by = &pass;
            trace.refusals = std::move(result.diagnostics);
            trace.refused_proofs = std::move(result.proofs);
            break;
        }
        Snapshot next{&pass,
                      std::string(pass.name),
                      std::move(result.module),
                      std::move(result.diagnostics),
                      std::move(result.proofs),
                      false,
                      nullptr};
        next.changed = next.module != before;
        if (next.changed) next.origins = std::make_shared<const OriginLinks>(*before, *next.module);
        trace.snapshots.push_back(std::move(next));
    }
    return trace;
}

} // namespace ls
