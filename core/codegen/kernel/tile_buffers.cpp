#include "core/codegen/kernel/tile_buffers.h"

#include <algorithm>

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
    return call.is_op("tile.matmul_acc") || call.is_op("tile.transpose_view") || call.is_op("tile.reshape") || call.is_op("tile.set_validshape");
}

} // namespace

TileBuffers::TileBuffers(const ir::FunctionNode& function) {
    scan(function.body);
    const auto root_of = [this](const ir::VarNode* var) {
        while (parent_.at(var) != var) var = parent_.at(var);
        return var;
    };
    // Numbers follow the order of first touch, so that the text reads in program order.
    std::unordered_map<const ir::VarNode*, const std::vector<Place>*> first_path;
    for (const auto& [var, path] : touches_) {
        const ir::VarNode* root = root_of(var);
        const auto [it, fresh] = number_.emplace(root, homes_.size());
        const std::size_t number = it->second;
        if (root != var) number_.emplace(var, number);
        if (fresh) {
            first_path.emplace(root, &path);
            homes_.push_back(path.back().body);
            first_.push_back(path.back().stmt);
            continue;
        }
        // The innermost body around both: where the two paths part, or the home so far if that is further out.
        const std::vector<Place>& known = *first_path.at(root);
        std::size_t home = 0;
        while (known[home].body != homes_[number]) ++home;
        std::size_t common = 0;
        while (common < home && common + 1 < path.size() && known[common].body == path[common].body && known[common].stmt == path[common].stmt) ++common;
        if (common < home) {
            homes_[number] = known[common].body;
            first_[number] = known[common].stmt;
        }
    }
}

std::size_t TileBuffers::buffer(const ir::VarNode& tile) const { return number_.at(&tile); }

void TileBuffers::touch(const ir::Node& node) {
    if (const auto* var = ir::as<ir::VarNode>(&node); var != nullptr && ir::as<ir::TileTypeNode>(var->type) != nullptr) {
        parent_.emplace(var, var);
        touches_.emplace_back(var, path_);
    }
}

void TileBuffers::join(const ir::Expr& a, const ir::Expr& b) {
    if (!is_tile(a) || !is_tile(b)) return;
    const auto root = [this](const ir::VarNode* var) {
        parent_.emplace(var, var);
        while (parent_.at(var) != var) var = parent_.at(var);
        return var;
    };
    const ir::VarNode* ra = root(ir::as<ir::VarNode>(a));
    const ir::VarNode* rb = root(ir::as<ir::VarNode>(b));
    parent_[rb] = ra;
}

void TileBuffers::scan(const ir::Seq& body) {
    if (body == nullptr) return;
    path_.push_back({body.get(), nullptr});
    const auto touch_uses = [this](const ir::Expr& expr) {
        if (expr == nullptr) return;
        ir::walk(*expr, [this](const ir::Node& node) {
            touch(node);
            return true;
        });
    };
    for (const ir::Stmt& stmt : body->stmts) {
        path_.back().stmt = stmt.get();
        if (const auto* assign = ir::as<ir::AssignNode>(stmt)) {
            touch_uses(assign->value);
            for (const ir::Var& target : assign->targets) touch(*target);
            if (assign->targets.size() != 1) continue;
            if (ir::as<ir::VarNode>(assign->value) != nullptr) join(assign->value, assign->targets.front());
            const auto* call = ir::as<ir::CallNode>(assign->value);
            if (call != nullptr && works_in_place(*call) && !call->args.empty()) join(call->args.front(), assign->targets.front());
        } else if (const auto* eval = ir::as<ir::EvalNode>(stmt)) {
            touch_uses(eval->value);
        } else if (const auto* loop = ir::as<ir::ForNode>(stmt)) {
            for (std::size_t i = 0; i < loop->iter_args.size(); ++i) {
                touch_uses(loop->iter_args[i].init);
                touch(*loop->iter_args[i].var);
                join(loop->iter_args[i].init, loop->iter_args[i].var);
                if (i < loop->results.size()) {
                    touch(*loop->results[i]);
                    join(loop->iter_args[i].init, loop->results[i]);
                }
            }
            scan(loop->body);
            const auto* yield = loop->body != nullptr && !loop->body->stmts.empty() ? ir::as<ir::YieldNode>(loop->body->stmts.back()) : nullptr;
            for (std::size_t i = 0; yield != nullptr && i < std::min(yield->values.size(), loop->iter_args.size()); ++i) {
                join(loop->iter_args[i].init, yield->values[i]);
            }
        } else if (const auto* branch = ir::as<ir::IfNode>(stmt)) {
            for (const ir::Var& result : branch->results) touch(*result);
            for (const ir::Seq& side : {branch->then_body, branch->else_body}) {
                scan(side);
                const auto* yield = side != nullptr && !side->stmts.empty() ? ir::as<ir::YieldNode>(side->stmts.back()) : nullptr;
                for (std::size_t i = 0; yield != nullptr && i < std::min(yield->values.size(), branch->results.size()); ++i) {
                    join(branch->results[i], yield->values[i]);
                }
            }
        } else if (const auto* scope = ir::as<ir::WithNode>(stmt)) {
            scan(scope->body);
        } else if (const auto* yield = ir::as<ir::YieldNode>(stmt)) {
            for (const ir::Expr& value : yield->values) touch_uses(value);
        } else if (const auto* returned = ir::as<ir::ReturnNode>(stmt)) {
            for (const ir::Expr& value : returned->values) touch_uses(value);
        }
    }
    path_.pop_back();
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
