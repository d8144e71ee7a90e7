// copy_async between CTAs' shared memories, and from shared memory to TMEM by tcgen05.cp (spec/tirx.md 6, 8.2).
#include <fmt/format.h>

#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/memory_access.h"
#include "core/passes/tirx/tile_primitive_dispatch/smem_descriptor.h"
#include "core/passes/tirx/tile_primitive_dispatch/tmem_address.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

/// The same buffer some elements further on.
Var shifted(const Var& buffer, const Expr& elements) {
    auto type = derive(ref_as<BufferTypeNode>(buffer->type));
    type->origin = nullptr;
    type->elem_offset = type->elem_offset == nullptr ? elements : add(type->elem_offset, elements);
    return var(buffer->name + "_w", seal(std::move(type)));
}

} // namespace

Statements emit(const DsmemPlan& plan, const Lowering& lowering) {
    const auto dst = lowering.region(0), src = lowering.region(1);
    const Expr barrier = lowering.setting("mbar"), cta = lowering.setting("remote_cta_id");
    if (!dst || !src || barrier == nullptr || cta == nullptr)
        return error("COPY_CONFIG", "mbar and remote_cta_id are needed");
    const Var mapped = registers("mapped", 2, DType::UInt64);
    const Expr remote = cast_to(cta, DType::UInt32);
    std::vector<Stmt> out{allocate(mapped), ptx("mapa", {load(mapped, 0), barrier, remote}, {"", "u64"})};
    const Var remote_barrier = local_value(out, "remote_mbar", load(mapped, 0), DType::UInt64);
    std::vector<Stmt> body;
    std::vector<Var> loops;
    Expr src_offset = i32(0), dst_offset = i32(0);
    for (const auto& loop : plan.loops) {
        loops.push_back(loop_var("loop_vars"));
        src_offset = add(src_offset, multiply(loops.back(), loop.src_stride_elems));
        dst_offset = add(dst_offset, multiply(loops.back(), loop.dst_stride_elems));
    }
    Var source = src->buffer, target = dst->buffer;
    if (!loops.empty()) {
        source = shifted(src->buffer, src_offset);
        target = shifted(dst->buffer, dst_offset);
        body.push_back(declare(source, src->buffer));
        body.push_back(declare(target, dst->buffer));
    }
    const Var src_pointer = local_pointer(body, "src_ptr", load(source, src->begin));
    body.push_back(ptx("mapa", {load(mapped, 1), address_of(load(target, dst->begin)), remote}, {"", "u64"}));
    const Var cluster_dst = local_value(body, "cluster_dst", load(mapped, 1), DType::UInt64);
    body.push_back(ptx("cp",
                       {cast(load(cluster_dst), DType::UInt32), to_shared(src_pointer), u32(plan.chunk_bytes),
                        cast(load(remote_barrier), DType::UInt32)},
                       {"async", "bulk", "shared::cluster", "shared::cta", "mbarrier::complete_tx::bytes"}));
    for (std::size_t i = loops.size(); i-- > 0;) body = {serial(loops[i], plan.loops[i].extent, std::move(body))};
    out.insert(out.end(), body.begin(), body.end());
    return out;
}

Statements emit(const Tcgen05CpPlan& plan, const Lowering& lowering) {
    const Var tmem = lowering.buffer(0), shared = lowering.buffer(1);
    const Expr base = allocated_address(tmem);
    const Expr first_tmem = lowering.expr(plan.tmem_offset), first_smem = lowering.expr(plan.smem_offset_16b);
    if (base == nullptr || first_tmem == nullptr || first_smem == nullptr) {
        return error("CP_ALIGNMENT",
                     fmt::format("{} has no allocated address, or an offset leaves 64 bits", tmem->name));
    }
    // A template at shared address 0, made once for its fields; each issue patches the address.
    Var& descriptor =
        lowering.kernel
            .made_once[fmt::format("smem_tmem_desc:{}:{}:{}", plan.ldo, plan.sdo, static_cast<int>(plan.swizzle))];
    if (descriptor == nullptr) {
        descriptor = scalar("cp_desc", DType::UInt64);
        auto& behind = lowering.kernel.after_definition[shared.get()];
        behind.push_back(allocate(descriptor));
        behind.push_back(eval(call("cuda.tcgen05.encode_matrix_descriptor",
                                   {data_of(descriptor), call("reinterpret", {handle_type(), u64(0)}), i32(plan.ldo),
                                    i32(plan.sdo), i32(static_cast<int>(plan.swizzle))})));
    }
    const Var flat = loop_var("flat");
    Expr tmem_step = i32(0), smem_step = i32(0);
    std::int64_t divisor = 1;
    for (const auto& loop : plan.loops) {
        const Expr index = modulo(divide(flat, divisor), loop.extent);
        divisor *= loop.extent;
        tmem_step = add(tmem_step, multiply(index, loop.tmem_step));
        smem_step = add(smem_step, multiply(index, loop.smem_step_16b));
    }
    const bool one = plan.issues() == 1;
    const Expr offset = one ? first_smem : add(first_smem, smem_step);
    Expr address = add(cast_to(base, DType::UInt32), cast_to(first_tmem, DType::UInt32));
    if (!one) address = add(address, cast_to(tmem_step, DType::UInt32));
    const Expr element = call("type_annotation", {string(std::string(dtype_text(*buffer_type(shared))))});
    const Expr pointer = call("ptr_byte_offset", {start_of(shared), multiply(offset, 16), element});
    const Expr field = binary(BinaryOp::BitAnd, binary(BinaryOp::Shr, to_shared(pointer), u32(4)), u32(0x3FFF));
    const Expr kept = binary(BinaryOp::BitAnd, load(descriptor), call("bitwise_not", {u64(0x3FFF)}));
    const Stmt issue = ptx("tcgen05", {address, binary(BinaryOp::BitOr, kept, cast(field, DType::UInt64))},
                           {"cp", fmt::format("cta_group::{}", plan.cta_group), plan.shape, plan.multicast, "", ""});
    if (one) return std::vector<Stmt>{issue};
    return std::vector<Stmt>{unrolled(flat, plan.issues(), {issue})};
}

} // namespace ls::tirx::lower
