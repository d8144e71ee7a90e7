#include "core/check/access.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/dialect/pto/pto.h"
#include "core/ir/walk.h"

namespace ls::check {

namespace {

std::vector<ir::Expr> elements_of(const ir::Expr& expr) {
    const auto* tuple = ir::as<ir::TupleNode>(expr);
    return tuple == nullptr ? std::vector<ir::Expr>{} : tuple->elements;
}

/// The positional argument, or the keyword of that name.
ir::Expr argument(const ir::CallNode& call, std::size_t position, std::string_view key) {
    if (position < call.args.size()) return call.args[position];
    for (const ir::KeyValue& kw : call.kwargs) {
        if (kw.key == key) return kw.value;
    }
    return {};
}

std::optional<Access> load_of(const ir::CallNode& call, const ir::AssignNode* target) {
    if (!call.is_op("tile.load") || call.args.size() < 3) return {};
    Access access;
    access.kind = AccessKind::Load;
    const auto tensor = ir::ref_as<ir::VarNode>(call.args[0]);
    if (tensor == nullptr) return {};
    access.tensor = tensor->name;
    access.tensor_type = ir::ref_as<ir::TensorTypeNode>(tensor->type);
    if (target != nullptr && target->targets.size() == 1) {
        access.tile = target->targets.front()->name;
        access.tile_type = ir::ref_as<ir::TileTypeNode>(target->targets.front()->type);
    }
    access.offsets = elements_of(call.args[1]);
    const std::vector<ir::Expr> valid = elements_of(argument(call, 3, "valid_shape"));
    access.sizes = valid.empty() ? elements_of(call.args[2]) : valid;
    return access.tensor_type == nullptr ? std::nullopt : std::optional(std::move(access));
}

std::optional<Access> store_of(const ir::CallNode& call) {
    if (!call.is_op("tile.store") || call.args.size() < 3) return {};
    Access access;
    access.kind = AccessKind::Store;
    const auto tile = ir::ref_as<ir::VarNode>(call.args[0]);
    const auto tensor = ir::ref_as<ir::VarNode>(call.args[2]);
    if (tile == nullptr || tensor == nullptr) return {};
    access.tensor = tensor->name;
    access.tile = tile->name;
    access.tensor_type = ir::ref_as<ir::TensorTypeNode>(tensor->type);
    access.tile_type = ir::ref_as<ir::TileTypeNode>(tile->type);
    if (access.tensor_type == nullptr || access.tile_type == nullptr) return {};
    access.offsets = elements_of(call.args[1]);
    access.sizes = elements_of(argument(call, 3, "shapes"));
    if (access.sizes.empty()) {
        // Without a partition the tile's valid part is stored; leading tensor dimensions take one index each.
        const ir::TileView view = ir::effective_view(*access.tile_type);
        const std::size_t rank = access.tensor_type->shape.size();
        access.sizes.assign(rank > view.valid_shape.size() ? rank - view.valid_shape.size() : 0, ir::const_int(1));
        access.sizes.insert(access.sizes.end(), view.valid_shape.begin(), view.valid_shape.end());
    }
    return access;
}

/// pto.tload and pto.tstore: the window is what defines their partition.
std::optional<Access> transfer_access(const ir::CallNode& call, const pto::Definitions& definitions) {
    const auto transfer = pto::transfer_of(call);
    if (!transfer) return {};
    const auto window = definitions.find(transfer->partition.get());
    const auto* view = window == definitions.end() ? nullptr : ir::as<ir::CallNode>(window->second);
    if (view == nullptr || !view->is_op("pto.partition_view") || view->args.size() != 3) return {};
    const auto tensor = ir::ref_as<ir::VarNode>(view->args[0]);
    const auto part = ir::ref_as<ir::TensorTypeNode>(transfer->partition->type);
    if (tensor == nullptr || part == nullptr) return {};
    Access access;
    access.kind = transfer->load ? AccessKind::Load : AccessKind::Store;
    access.tensor = tensor->name;
    access.tensor_type = ir::ref_as<ir::TensorTypeNode>(tensor->type);
    access.tile = transfer->tile->name;
    access.tile_type = ir::ref_as<ir::TileTypeNode>(transfer->tile->type);
    for (const ir::Expr& e : elements_of(view->args[1])) access.offsets.push_back(pto::resolved(e, definitions));
    for (const ir::Expr& e : part->shape) access.sizes.push_back(pto::resolved(e, definitions));
    return access.tensor_type == nullptr ? std::nullopt : std::optional(std::move(access));
}

/// The call that a statement runs, if it runs one.
const ir::CallNode* call_of(const ir::StmtNode& stmt) {
    if (const auto* assign = ir::as<ir::AssignNode>(&stmt)) return ir::as<ir::CallNode>(assign->value);
    if (const auto* evaluated = ir::as<ir::EvalNode>(&stmt)) return ir::as<ir::CallNode>(evaluated->value);
    return nullptr;
}

void collect(const ir::Seq& body, const std::string& function, const pto::Definitions& definitions,
             std::vector<Access>& out) {
    if (body == nullptr) return;
    for (const ir::Stmt& stmt : body->stmts) {
        if (const auto* call = call_of(*stmt)) {
            std::optional<Access> access = load_of(*call, ir::as<ir::AssignNode>(stmt));
            if (!access) access = store_of(*call);
            if (!access) access = transfer_access(*call, definitions);
            if (access) {
                access->function = function;
                access->statement = stmt;
                out.push_back(std::move(*access));
            }
        }
        if (const auto* branch = ir::as<ir::IfNode>(stmt)) {
            collect(branch->then_body, function, definitions, out);
            collect(branch->else_body, function, definitions, out);
        } else if (const auto* loop = ir::as<ir::ForNode>(stmt)) {
            collect(loop->body, function, definitions, out);
        } else if (const auto* repeat = ir::as<ir::WhileNode>(stmt)) {
            collect(repeat->body, function, definitions, out);
        } else if (const auto* scope = ir::as<ir::WithNode>(stmt)) {
            collect(scope->body, function, definitions, out);
        }
    }
}

} // namespace

std::string_view name(AccessKind kind) { return kind == AccessKind::Load ? "load" : "store"; }

std::string Access::text() const {
    return kind == AccessKind::Load ? fmt::format("load {} ← {}", tile.empty() ? "(unnamed)" : tile, tensor)
                                    : fmt::format("store {} → {}", tile, tensor);
}

std::vector<Access> accesses(const ir::ModuleNode& module) {
    std::vector<Access> found;
    for (const ir::Function& function : module.functions) {
        // Only PTO text writes a window as a value of its own.
        const bool windows = module.dialect == ir::Dialect::PtoText;
        const pto::Definitions definitions = windows ? pto::definitions_of(*function) : pto::Definitions{};
        collect(function->body, function->name, definitions, found);
    }
    return found;
}

} // namespace ls::check
