// copy and copy_async between global and shared memory, shared out over the threads of a scope (spec/tirx.md 8.4): a
// loop of vectors through registers, or of cp.async.
#include <fmt/format.h>

#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/memory_access.h"
#include "core/passes/tirx/tile_primitive_dispatch/tile_offset.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

DType word_type(const VectorForm& form) {
    return form.type == "uint32" ? DType::UInt32 : form.type == "uint16" ? DType::UInt16 : DType::UInt8;
}

/// Both pointers of iteration f of thread `tid`.
struct Pointers {
    Var global, shared;
};
Result<Pointers> pointers(const CopyPartition& plan, const Var& global, const Var& shared, const Expr& f,
                          const Expr& tid, const Lowering& lowering, std::vector<Stmt>& into) {
    const std::vector<Expr> at{f, tid, i32(0)};
    const std::vector<Dim> shape{Dim(plan.outer), Dim(plan.threads), Dim(plan.vector)};
    IndexSimplifier known;
    LS_TRY(const Expr global_offset, layout_offset(plan.global, at, shape, lowering.kernel, known));
    if (const auto* v = as<VarNode>(f)) known.set_loop(*v, i32(0), i32(plan.outer));
    if (const auto* v = as<VarNode>(tid)) known.set_loop(*v, i32(0), i32(plan.threads));
    const bool swizzled = plan.shared.is_compose() && plan.shared.compose()->swizzle_len > 0;
    IndexSimplifier unknown;
    LS_TRY(const Expr shared_offset,
           layout_offset(plan.shared, at, shape, lowering.kernel, swizzled ? known : unknown));
    const Var g = local_value(into, "g_lin", global_offset), s = local_value(into, "s_off", shared_offset);
    Pointers out;
    out.shared = pointer_behind(into, "s_ptr", start_of(shared), load(s));
    out.global = pointer_behind(into, "g_ptr", start_of(global), load(g));
    return out;
}

Result<Expr> thread(const CopyPartition& plan, const Lowering& lowering, std::vector<Stmt>& into) {
    if (plan.threads == 1) return load(local_value(into, "tid", i32(0)));
    const Expr tid = thread_of_scope(into, "tid", lowering.context.scope, lowering.kernel);
    if (tid == nullptr) return error("COPY_PARTITION", "no id counts the threads of this scope");
    return tid;
}

/// cp.async of one vector; the author's predicate zero-fills or skips.
Stmt cp_async(const Expr& shared, const Expr& global, std::int64_t bytes, const Lowering& lowering) {
    std::string prefetch;
    if (const auto size = constant(lowering.setting("prefetch_size")); size && *size > 0)
        prefetch = fmt::format("L2::{}B", *size);
    std::vector<Expr> operands{to_shared(shared), global, i32(bytes)};
    std::string marker;
    const Expr predicate = lowering.setting("predicate");
    const auto* fill = as<StringNode>(lowering.setting("fill_mode"));
    if (predicate != nullptr && fill != nullptr && fill->value == "zero") {
        const Expr chosen = binary(BinaryOp::Ne, predicate, i32(0));
        operands.push_back(cast(call("if_then_else", {chosen, i32(bytes), i32(0)}), DType::UInt32));
    } else if (predicate != nullptr && !is_constant(predicate, -1)) {
        operands.push_back(predicate);
        marker = "pred";
    }
    return ptx("cp", std::move(operands), {"async", bytes == 16 ? "cg" : "ca", "shared", "global", "", prefetch},
               marker);
}

} // namespace

Statements emit(const CopyPartition& plan, const Lowering& lowering) {
    const auto form = vector_form(plan.vector_bytes);
    if (!form) return error("COPY_PARTITION", fmt::format("there is no access of {} bytes", plan.vector_bytes));
    const bool from_global = buffer_type(lowering.buffer(1))->scope == "global";
    const Var global = lowering.buffer(from_global ? 1 : 0), shared = lowering.buffer(from_global ? 0 : 1);
    std::vector<Stmt> out;
    LS_TRY(const Expr tid, thread(plan, lowering, out));
    const Var scratch = registers("tmp", form->words, word_type(*form));
    out.push_back(allocate(scratch));
    const Var f = loop_var("f");
    std::vector<Stmt> body;
    LS_TRY(const Pointers at, pointers(plan, global, shared, f, tid, lowering, body));
    const std::vector<Expr> moved = words(scratch, i32(0), form->words);
    body.push_back(vector_load(from_global ? "global" : "shared", *form, moved, from_global ? at.global : at.shared));
    body.push_back(vector_store(from_global ? "shared" : "global", *form, from_global ? at.shared : at.global, moved));
    out.push_back(serial(f, plan.outer, std::move(body)));
    return out;
}

Statements emit(const LdgstsPlan& plan, const Lowering& lowering) {
    const auto shared = lowering.region(0), global = lowering.region(1);
    std::vector<Stmt> out;
    if (plan.direct) {
        out.push_back(cp_async(address_of(load(shared->buffer, shared->begin)),
                               address_of(load(global->buffer, global->begin)), plan.partition.vector_bytes, lowering));
        return out;
    }
    LS_TRY(const Expr tid, thread(plan.partition, lowering, out));
    const Var f = loop_var("f");
    std::vector<Stmt> body;
    LS_TRY(const Pointers at, pointers(plan.partition, global->buffer, shared->buffer, f, tid, lowering, body));
    body.push_back(cp_async(at.shared, at.global, plan.partition.vector_bytes, lowering));
    out.push_back(unrolled(f, plan.partition.outer, std::move(body)));
    return out;
}

} // namespace ls::tirx::lower
