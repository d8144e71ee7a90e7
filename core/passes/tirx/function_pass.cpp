#include "core/passes/tirx/function_pass.h"

#include <algorithm>

namespace ls::tirx {

using namespace ir;

void set_attr(std::vector<KeyValue>& attrs, std::string key, Expr value) {
    drop_attr(attrs, key);
    const auto after = [&](const KeyValue& k) { return k.key > key; };
    const auto at = std::find_if(attrs.begin(), attrs.end(), after);
    attrs.insert(at, {std::move(key), std::move(value)});
}

void drop_attr(std::vector<KeyValue>& attrs, std::string_view key) {
    std::erase_if(attrs, [&](const KeyValue& k) { return k.key == key; });
}

std::string_view launched_axis(const WithNode& with) {
    const auto* c = as<CallNode>(with.scope);
    if (c == nullptr || !c->is_op("launch_thread") || c->args.size() != 2) return {};
    const auto* axis = as<StringNode>(c->args[0]);
    return axis != nullptr ? std::string_view(axis->value) : std::string_view();
}

const Expr& launched_extent(const WithNode& with) { return as<CallNode>(with.scope)->args[1]; }

Stmt launch_thread(const Var& var, std::string_view axis, Expr extent, Seq body, const Stmt& from) {
    auto made = std::make_shared<WithNode>();
    made->scope = call("launch_thread", {string(std::string(axis)), std::move(extent)});
    made->var = var;
    made->body = std::move(body);
    made->origin = from;
    if (from != nullptr) {
        made->span = from->span;
        made->comments = from->comments;
    }
    return seal(std::move(made));
}

} // namespace ls::tirx
