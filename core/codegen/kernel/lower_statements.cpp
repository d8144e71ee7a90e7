// Control flow: loops that carry scalars, branches that give them.
#include <fmt/format.h>

#include "core/codegen/kernel/lowering.h"

namespace ls::codegen {

namespace {

const ir::YieldNode* yield_of(const ir::Seq& body) {
    return body != nullptr && !body->stmts.empty() ? ir::as<ir::YieldNode>(body->stmts.back()) : nullptr;
}

bool is_scalar(const ir::VarNode& var) {
    const auto* type = var.type.get();
    return type == nullptr || (ir::as<ir::TileTypeNode>(type) == nullptr && ir::as<ir::TensorTypeNode>(type) == nullptr);
}

} // namespace

Status Lowering::body(const ir::Seq& seq, Body& out) {
    if (seq == nullptr) return ok_status();
    for (const ir::Stmt& stmt : seq->stmts) {
        current_ = stmt;
        LS_CHECK(statement(*stmt, out));
    }
    return ok_status();
}

void Lowering::close_scope() {
    for (const TileId id : scopes_.back()) {
        in_scope_[id] = false;
        std::erase(tiles_of_buffer_[kernel_.tiles[id].buffer], id);
    }
    scopes_.pop_back();
}

Status Lowering::statement(const ir::StmtNode& stmt, Body& out) {
    if (const auto* assign = ir::as<ir::AssignNode>(&stmt)) return assignment(*assign, out);
    if (const auto* eval = ir::as<ir::EvalNode>(&stmt)) {
        const auto* call = ir::as<ir::CallNode>(eval->value);
        return call == nullptr ? ok_status() : run_call(*call, nullptr, out);
    }
    if (const auto* loop = ir::as<ir::ForNode>(&stmt)) return for_loop(*loop, out);
    if (const auto* chosen = ir::as<ir::IfNode>(&stmt)) return branch(*chosen, out);
    if (const auto* scope = ir::as<ir::WithNode>(&stmt)) return body(scope->body, out);
    switch (stmt.kind) {
    case ir::NodeKind::Return:
    case ir::NodeKind::Yield:
    case ir::NodeKind::Comment: return ok_status();
    case ir::NodeKind::While:
        return at(stmt, "CG_WHILE", "a loop with a condition has no device form here", "use pl.range with a bound, and a branch inside it");
    default: return at(stmt, "CG_OP", "this statement has no device form", "a kernel holds assignments, loops, branches and tile operations");
    }
}

Result<Scalar> Lowering::yielded(const ir::YieldNode* yield, std::size_t index, const ir::VarNode& result, Body& out) {
    if (yield == nullptr || index >= yield->values.size()) {
        return at(result, "CG_SCALAR", fmt::format("{} is not given on every way", result.name), "end each body with pl.yield_");
    }
    return scalars_.lower(yield->values[index], out);
}

/// What stands behind a loop or branch for a tensor is the tensor that went in; tiles are found by their buffer.
Status Lowering::bind_result(const ir::VarNode& var, const ir::Expr& value) {
    if (ir::as<ir::TensorTypeNode>(var.type) == nullptr) return ok_status();
    const auto* source = ir::as<ir::VarNode>(value);
    const auto found = source == nullptr ? tensors_.end() : tensors_.find(source);
    if (found == tensors_.end()) return at(var, "CG_TENSOR", fmt::format("{} is not a parameter of the kernel", var.name), "pass it as a parameter");
    const auto known = tensors_.find(&var);
    if (known != tensors_.end() && known->second != found->second) {
        return at(var, "CG_TENSOR", fmt::format("{} is one tensor on one way and another on the other", var.name), "store to both, or choose the offset instead");
    }
    tensors_[&var] = found->second;
    return ok_status();
}

Status Lowering::for_loop(const ir::ForNode& loop, Body& out) {
    if (loop.loop == ir::LoopKind::Spmd || loop.loop == ir::LoopKind::SplitAiv) {
        return at(loop, "CG_OP", fmt::format("pl.{} is a launch, not a loop of a kernel", ir::name(loop.loop)), "run OutlineClusterScopes first, and export what it outlines");
    }
    const ir::Ref<ir::Node> origin = current_;
    if (!buffers_.placed()) LS_CHECK(check_carried_tiles(loop));
    Loop made;
    LS_TRY(made.start, scalars_.lower_index(loop.start, out));
    LS_TRY(made.stop, scalars_.lower_index(loop.stop, out));
    LS_TRY(made.step, scalars_.lower_index(loop.step, out));
    if (made.step.value && *made.step.value < 1) {
        return at(loop, "CG_SCALAR", fmt::format("a loop with the step {} has no device form", *made.step.value), "count upwards, and compute the index from the count");
    }
    made.variable = names_.take(loop.var->name);
    made.body = std::make_shared<Body>();
    scalars_.bind(*loop.var, {made.variable, {}, {}, DType::Index, made.start.non_negative});
    const auto* yield = yield_of(loop.body);
    std::vector<std::size_t> places; // of made.carried among the iter_args
    for (std::size_t i = 0; i < loop.iter_args.size(); ++i) {
        const ir::IterArg& carried = loop.iter_args[i];
        if (!is_scalar(*carried.var)) {
            LS_CHECK(bind_result(*carried.var, carried.init));
            if (i < loop.results.size()) LS_CHECK(bind_result(*loop.results[i], carried.init));
            continue;
        }
        LS_TRY(Scalar init, scalars_.lower(carried.init, out));
        const auto* type = ir::as<ir::ScalarTypeNode>(carried.var->type);
        if (type != nullptr) init = scalars_.convert(init, type->dtype, out);
        const std::string name = names_.take(carried.var->name);
        scalars_.bind(*carried.var, {name, {}, {}, init.dtype, false});
        made.carried.push_back({name, init, {}, {}});
        places.push_back(i);
    }
    // The values that the body yields are lowered inside it, where its own names are known.
    scopes_.emplace_back();
    LS_CHECK(body(loop.body, *made.body));
    for (std::size_t c = 0; c < made.carried.size(); ++c) {
        LS_TRY(const Scalar next, yielded(yield, places[c], *loop.iter_args[places[c]].var, *made.body));
        made.carried[c].next = scalars_.convert(next, made.carried[c].init.dtype, *made.body);
        if (places[c] < loop.results.size()) {
            const ir::VarNode& result = *loop.results[places[c]];
            made.carried[c].result = names_.take(result.name);
            scalars_.bind(result, {made.carried[c].result, {}, {}, made.carried[c].init.dtype, false});
        } else {
            made.carried[c].result = names_.take(made.carried[c].name);
        }
    }
    close_scope();
    current_ = origin;
    out.push_back({std::move(made), origin});
    return ok_status();
}

Status Lowering::branch(const ir::IfNode& branch, Body& out) {
    const ir::Ref<ir::Node> origin = current_;
    LS_TRY(Scalar condition, scalars_.lower(branch.condition, out));
    if (!condition.is_condition()) {
        condition = scalars_.compute(is_float(condition.dtype) ? "cmpf une" : "cmpi ne", {condition, scalars_.convert(constant_scalar(0), condition.dtype, out)}, out);
    }
    Branch made{condition, {}, std::make_shared<Body>(), std::make_shared<Body>()};
    std::vector<std::vector<Scalar>> given(2);
    const ir::Seq sides[]{branch.then_body, branch.else_body};
    Body* const bodies[]{made.then_body.get(), made.else_body.get()};
    for (std::size_t side = 0; side < 2; ++side) {
        scopes_.emplace_back();
        LS_CHECK(body(sides[side], *bodies[side]));
        for (std::size_t i = 0; i < branch.results.size(); ++i) {
            const auto* yield = yield_of(sides[side]);
            if (!is_scalar(*branch.results[i])) {
                if (yield != nullptr && i < yield->values.size()) LS_CHECK(bind_result(*branch.results[i], yield->values[i]));
                continue;
            }
            LS_TRY(Scalar value, yielded(yield, i, *branch.results[i], *bodies[side]));
            const auto* type = ir::as<ir::ScalarTypeNode>(branch.results[i]->type);
            if (type != nullptr) value = scalars_.convert(value, type->dtype, *bodies[side]);
            given[side].push_back(std::move(value));
        }
        close_scope();
    }
    current_ = origin;
    std::size_t at_result = 0;
    for (const ir::Var& result : branch.results) {
        if (!is_scalar(*result)) continue;
        const Scalar& on_true = given[0][at_result];
        const Scalar on_false = scalars_.convert(given[1][at_result], on_true.dtype, *made.else_body);
        ++at_result;
        const std::string name = names_.take(result->name);
        made.results.push_back({name, on_true.dtype, on_true, on_false});
        scalars_.bind(*result, {name, {}, {}, on_true.dtype, on_true.non_negative && on_false.non_negative});
    }
    out.push_back({std::move(made), origin});
    return ok_status();
}

Status Lowering::assignment(const ir::AssignNode& assign, Body& out) {
    if (assign.targets.size() != 1) return at(assign, "CG_OP", "several results at once have no device form", "assign them one by one");
    const ir::Var& target = assign.targets.front();
    if (const auto* call = ir::as<ir::CallNode>(assign.value)) {
        static constexpr std::string_view numbers[]{"tile.get_block_idx", "tile.get_block_num", "tile.get_subblock_idx"};
        bool number = false;
        for (const std::string_view op : numbers) number = number || call->is_op(op);
        if (!number) return run_call(*call, target.get(), out);
    }
    if (const auto* source = ir::as<ir::VarNode>(assign.value)) {
        if (ir::as<ir::TileTypeNode>(source->type) != nullptr) return ok_status(); // another name of the same buffer
        if (tensors_.contains(source)) return bind_result(*target, assign.value);
    }
    LS_TRY(Scalar value, scalars_.lower(assign.value, out, target->name));
    if (const auto* type = ir::as<ir::ScalarTypeNode>(target->type)) value = scalars_.convert(value, type->dtype, out);
    scalars_.bind(*target, std::move(value));
    return ok_status();
}

} // namespace ls::codegen
