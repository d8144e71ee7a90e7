// Names of variables in the text, and which scalars need their memory spelled out.
#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/printer.h"
#include "core/ir/walk.h"

namespace ls::tirx {

using namespace ir;

std::string UniqueNames::take(const std::string& base) {
    std::size_t& next = next_[base];
    const std::size_t before = next;
    std::string name = next == 0 ? base : fmt::format("{}_{}", base, next);
    while (!taken_.insert(name).second) name = fmt::format("{}_{}", base, ++next);
    ++next;
    order_.push_back({name, base, before});
    return name;
}

void UniqueNames::leave(std::size_t mark) {
    for (; order_.size() > mark; order_.pop_back()) {
        taken_.erase(order_.back().name);
        next_[order_.back().base] = order_.back().next;
    }
}

std::string_view Names::define(const VarNode& var) {
    if (const auto known = printed_.find(&var); known != printed_.end()) return known->second;
    order_.push_back(&var);
    visible_[var.name].push_back(&var);
    return printed_[&var] = unique_.take(var.name.empty() ? "v" : var.name);
}

std::string_view Names::of(const VarNode& var) const {
    const auto known = printed_.find(&var);
    return known == printed_.end() ? std::string_view(var.name) : std::string_view(known->second);
}

std::string_view Names::of_symbol(const std::string& name) const {
    const auto found = visible_.find(name);
    return found == visible_.end() || found->second.empty() ? std::string_view(name) : of(*found->second.back());
}

void Names::leave(std::size_t mark) {
    unique_.leave(mark);
    for (; order_.size() > mark; order_.pop_back()) {
        printed_.erase(order_.back());
        visible_[order_.back()->name].pop_back();
    }
}

namespace {

/// x of address_of(x[0])
const VarNode* addressed(const ExprNode* e) {
    const auto* c = as<CallNode>(e);
    if (c == nullptr || !c->is_op("address_of") || c->args.size() != 1) return nullptr;
    const auto* s = as<SubscriptNode>(c->args[0]);
    return s != nullptr ? as<VarNode>(s->base) : nullptr;
}

} // namespace

SharedScalars shared_scalars(const FunctionNode& function) {
    SharedScalars found;
    const auto add = [&](const VarNode* v) {
        if (v == nullptr) return;
        found.vars.insert(v);
        found.names.insert(v->name);
    };
    std::unordered_map<const VarNode*, int> seen; // definition and uses
    walk(function, [&](const Node& node) {
        if (const auto* v = as<VarNode>(&node)) ++seen[v];
        if (const auto* type = as<BufferTypeNode>(&node)) {
            const auto* s = as<SubscriptNode>(type->allocated_addr);
            if (s != nullptr) add(as<VarNode>(s->base));
        } else if (const auto* c = as<CallNode>(&node)) {
            add(addressed(c->kwarg("mbar")));
            if (c->is_op("cuda.cvta_generic_to_shared") && c->args.size() == 1) add(addressed(c->args[0].get()));
        }
        return true;
    });
    for (const auto& [v, times] : seen) {
        const auto* type = as<BufferTypeNode>(v->type);
        if (times == 1 && type != nullptr && type->dtype == DType::UInt64 && is_scalar_buffer(*type)) add(v);
    }
    return found;
}

} // namespace ls::tirx
