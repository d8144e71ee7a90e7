#include "core/codegen/kernel/tile_buffers.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/ir/walk.h"

namespace ls::codegen {

namespace {

bool is_tile(const ir::Expr& expr) {
    const auto* var = ir::as<ir::VarNode>(expr);
    return var != nullptr && ir::as<ir::TileTypeNode>(var->type) != nullptr;
}

/// Operations whose result is their first operand's bytes, seen or changed in place.
bool works_in_place(const ir::CallNode& call) {
    static constexpr std::string_view ops[]{"tile.assemble",       "tile.fillpad_inplace",   "tile.gemv_acc", "tile.matmul_acc",    "tile.reinterpret_view",
                                            "tile.reshape",        "tile.set_validshape",    "tile.slice",    "tile.transpose_view", "tile.write"};
    return std::any_of(std::begin(ops), std::end(ops), [&](std::string_view op) { return call.is_op(op); });
}

const ir::MemRef* reference(const ir::VarNode* var) {
    const auto* type = ir::as<ir::TileTypeNode>(var->type);
    return type != nullptr && type->memref ? &*type->memref : nullptr;
}

std::string base_name(const ir::MemRef& reference) {
    if (const auto* var = ir::as<ir::VarNode>(reference.base)) return var->name;
    const auto* text = ir::as<ir::StringNode>(reference.base);
    return text == nullptr ? std::string() : text->value;
}

} // namespace

TileBuffers::TileBuffers(const ir::FunctionNode& function) {
    scan(function.body);
    join_references();
    // Numbers follow the order of first touch, so that the text reads in program order.
    std::size_t next = 0;
    for (const ir::VarNode* var : touches_) {
        const auto [it, fresh] = number_.emplace(root(var), next);
        next += fresh;
        number_.emplace(var, it->second);
    }
    for (const ir::VarNode* var : popped_) piped_.insert(number_.at(var));
}

std::size_t TileBuffers::buffer(const ir::VarNode& tile) const {
    const auto found = number_.find(&tile);
    return found == number_.end() ? number_.size() : found->second;
}

const ir::VarNode* TileBuffers::root(const ir::VarNode* var) {
    const ir::VarNode* top = var;
    for (auto at = parent_.find(top); at != parent_.end() && at->second != top; at = parent_.find(top)) top = at->second;
    while (var != top) var = std::exchange(parent_[var], top);
    return top;
}

/// Without addresses, references to one allocation are what says that tiles share their bytes.
void TileBuffers::join_references() {
    struct Allocations {
        std::set<std::string> bases;
        bool moved = false;
    };
    std::map<ir::TileSpace, Allocations> spaces;
    bool any = false;
    for (const ir::VarNode* var : touches_) {
        const ir::MemRef* memref = reference(var);
        if (memref == nullptr) continue;
        const auto offset = memref->byte_offset == nullptr ? std::nullopt : ir::constant(memref->byte_offset);
        Allocations& space = spaces[ir::as<ir::TileTypeNode>(var->type)->space.value_or(ir::TileSpace::Vec)];
        space.bases.insert(base_name(*memref));
        any = any || offset.value_or(-1) >= 0;
        space.moved = space.moved || offset.value_or(0) > 0;
    }
    placed_ = any && std::all_of(spaces.begin(), spaces.end(), [](const auto& space) { return space.second.moved || space.second.bases.size() < 2; });
    if (placed_) return;
    std::map<std::string, const ir::VarNode*> first;
    for (const ir::VarNode* var : touches_) {
        const ir::MemRef* memref = reference(var);
        if (memref == nullptr || base_name(*memref).empty()) continue;
        const auto [it, fresh] = first.emplace(base_name(*memref), var);
        if (!fresh) parent_[root(var)] = root(it->second);
    }
}

void TileBuffers::touch(const ir::Node& node) {
    const auto* var = ir::as<ir::VarNode>(&node);
    if (var != nullptr && ir::as<ir::TileTypeNode>(var->type) != nullptr && parent_.emplace(var, var).second) touches_.push_back(var);
}

void TileBuffers::touch_uses(const ir::Expr& expr) {
    if (expr == nullptr) return;
    ir::walk(*expr, [this](const ir::Node& node) {
        touch(node);
        return true;
    });
}

void TileBuffers::join(const ir::Expr& a, const ir::Expr& b) {
    if (!is_tile(a) || !is_tile(b)) return;
    touch(*a);
    touch(*b);
    const ir::VarNode* ra = root(ir::as<ir::VarNode>(a));
    const ir::VarNode* rb = root(ir::as<ir::VarNode>(b));
    parent_[rb] = ra;
}

void TileBuffers::join_yielded(const ir::Seq& body, const std::vector<ir::Var>& results) {
    const auto* yield = body != nullptr && !body->stmts.empty() ? ir::as<ir::YieldNode>(body->stmts.back()) : nullptr;
    for (std::size_t i = 0; yield != nullptr && i < std::min(yield->values.size(), results.size()); ++i) join(results[i], yield->values[i]);
}

void TileBuffers::scan_call(const ir::AssignNode& assign) {
    touch_uses(assign.value);
    for (const ir::Var& target : assign.targets) touch(*target);
    if (assign.targets.size() != 1) return;
    if (ir::as<ir::VarNode>(assign.value) != nullptr) join(assign.value, assign.targets.front());
    const auto* call = ir::as<ir::CallNode>(assign.value);
    if (call == nullptr) return;
    if (works_in_place(*call) && !call->args.empty()) join(call->args.front(), assign.targets.front());
    if ((call->is_op("tile.tpop_from_aic") || call->is_op("tile.tpop_from_aiv")) && is_tile(assign.targets.front())) popped_.push_back(assign.targets.front().get());
}

void TileBuffers::scan(const ir::Seq& body) {
    if (body == nullptr) return;
    for (const ir::Stmt& stmt : body->stmts) {
        if (const auto* assign = ir::as<ir::AssignNode>(stmt)) {
            scan_call(*assign);
        } else if (const auto* eval = ir::as<ir::EvalNode>(stmt)) {
            touch_uses(eval->value);
        } else if (const auto* loop = ir::as<ir::ForNode>(stmt)) {
            std::vector<ir::Var> carried;
            for (std::size_t i = 0; i < loop->iter_args.size(); ++i) {
                carried.push_back(loop->iter_args[i].var);
                touch_uses(loop->iter_args[i].init);
                join(loop->iter_args[i].init, loop->iter_args[i].var);
                if (i < loop->results.size()) join(loop->iter_args[i].var, loop->results[i]);
            }
            scan(loop->body);
            join_yielded(loop->body, carried);
        } else if (const auto* branch = ir::as<ir::IfNode>(stmt)) {
            for (const ir::Var& result : branch->results) touch(*result);
            for (const ir::Seq& side : {branch->then_body, branch->else_body}) {
                scan(side);
                join_yielded(side, branch->results);
            }
        } else if (const auto* scope = ir::as<ir::WithNode>(stmt)) {
            scan(scope->body);
        } else if (const auto* yield = ir::as<ir::YieldNode>(stmt)) {
            for (const ir::Expr& value : yield->values) touch_uses(value);
        } else if (const auto* returned = ir::as<ir::ReturnNode>(stmt)) {
            for (const ir::Expr& value : returned->values) touch_uses(value);
        }
    }
}

Status check_carried_tiles(const ir::ForNode& loop) {
    if (loop.body == nullptr || loop.body->stmts.empty()) return ok_status();
    const auto* yield = ir::as<ir::YieldNode>(loop.body->stmts.back());
    for (std::size_t i = 0; yield != nullptr && i < std::min(yield->values.size(), loop.iter_args.size()); ++i) {
        const auto* next = ir::as<ir::VarNode>(yield->values[i]);
        const ir::VarNode* carried = loop.iter_args[i].var.get();
        if (next == nullptr || next == carried || ir::as<ir::TileTypeNode>(carried->type) == nullptr) continue;
        bool written = false;
        for (const ir::Stmt& stmt : loop.body->stmts) {
            if (written && stmt != loop.body->stmts.back()) {
                const auto used = ir::used_vars(*stmt);
                if (std::find(used.begin(), used.end(), carried) != used.end()) {
                    return error_at(stmt->span, "CG_CARRIED", fmt::format("{} is read after {} took its place in memory", carried->name, next->name),
                              fmt::format("use {} before {} is computed, or copy it with tile.move", carried->name, next->name));
                }
            }
            const auto* assign = ir::as<ir::AssignNode>(stmt);
            written = written || (assign != nullptr && assign->targets.size() == 1 && assign->targets.front().get() == next);
        }
    }
    return ok_status();
}

} // namespace ls::codegen
