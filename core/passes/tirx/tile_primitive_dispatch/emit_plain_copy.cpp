// copy by one access that the author asked for, and element by element (spec/tirx.md 6, 8.4).
#include <fmt/format.h>

#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/memory_access.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

/// The words of a region of registers: a flat view, the same as words, and the first of them.
Result<std::vector<Expr>> region_words(const Region& region, const VectorForm& form, std::int64_t bytes,
                                       std::vector<Stmt>& into) {
    const BufferTypeNode& type = *buffer_type(region.buffer);
    Expr total = i32(1), start = i32(0), stride = i32(1);
    for (std::size_t d = type.shape.size(); d-- > 0;) {
        start = add(start, multiply(region.begin[d], stride));
        stride = multiply(stride, type.shape[d]);
    }
    for (const Expr& e : type.shape) total = multiply(total, e);
    std::optional<Layout> kept;
    if (type.layout_state == BufferTypeNode::LayoutState::Given) kept = type.layout;
    const Var flat = view_of(region.buffer, "buffer", {total}, kept);
    into.push_back(declare(flat, region.buffer));
    const DType word = form.type == "uint32" ? DType::UInt32 : form.type == "uint16" ? DType::UInt16 : DType::UInt8;
    LS_TRY(const Var view, reinterpreted_view(flat, "buffer", word));
    into.push_back(declare(view, flat));
    const std::int64_t elem_bits = bits(type.dtype), word_bits = bytes * 8 / form.words;
    const Expr first =
        elem_bits > word_bits ? multiply(start, elem_bits / word_bits) : divide(start, word_bits / elem_bits);
    return words(view, first, form.words);
}

Expr region_pointer(const Region& region) { return address_of(load(region.buffer, region.begin)); }

} // namespace

Statements emit(const VectorCopyPlan& plan, const Lowering& lowering) {
    const auto form = vector_form(plan.bytes);
    const auto dst = lowering.region(0), src = lowering.region(1);
    if (!form || !dst || !src) return error("COPY_CONFIG", fmt::format("there is no copy of {} bytes", plan.bytes));
    std::vector<Stmt> out;
    const bool from_registers = buffer_type(src->buffer)->scope == "local";
    const bool to_registers = buffer_type(dst->buffer)->scope == "local";
    std::vector<Expr> moved;
    if (from_registers || to_registers) {
        LS_TRY(moved, region_words(from_registers ? *src : *dst, *form, plan.bytes, out));
    } else {
        const DType word = form->type == "uint32"   ? DType::UInt32
                           : form->type == "uint16" ? DType::UInt16
                                                    : DType::UInt8;
        const Var scratch = registers("tmp", form->words, word);
        out.push_back(allocate(scratch));
        moved = words(scratch, i32(0), form->words);
    }
    if (!from_registers)
        out.push_back(vector_load(ptx_space(src->buffer), *form, moved, region_pointer(*src), load_hints(lowering)));
    if (from_registers || !to_registers)
        out.push_back(vector_store(ptx_space(dst->buffer), *form, region_pointer(*dst), moved));
    return out;
}

Statements emit(const ScalarCopyPlan& plan, const Lowering& lowering) {
    const auto dst = lowering.region(0), src = lowering.region(1);
    std::vector<Var> loops;
    for (std::size_t i = 0; i < plan.extents.size(); ++i) loops.push_back(loop_var("lvs"));
    const auto at = [&](const Region& region) {
        std::vector<Expr> place = region.begin;
        std::size_t next = 0;
        for (std::size_t d = 0; d < place.size(); ++d) {
            if (!is_constant(region.extent[d], 1) && next < loops.size()) place[d] = add(place[d], loops[next++]);
        }
        return load(region.buffer, std::move(place));
    };
    std::vector<Stmt> body{store(at(*dst), at(*src))};
    for (std::size_t i = loops.size(); i-- > 0;) {
        const Expr extent = lowering.expr(plan.extents[i]);
        if (extent == nullptr) return error("LAYOUT_OVERFLOW", "an extent of the copy leaves 64 bits");
        auto loop = std::make_shared<ForNode>();
        loop->var = loops[i];
        loop->start = i32(0);
        loop->stop = extent;
        loop->step = i32(1);
        loop->body = seq(std::move(body));
        body = {seal(std::move(loop))};
    }
    if (lowering.context.scope == ScopeKind::Thread) return body;
    std::vector<Stmt> out;
    const Expr tid = thread_of_scope(out, "tid", lowering.context.scope, lowering.kernel);
    if (tid == nullptr) return error("COPY_PARTITION", "no id counts the threads of this scope");
    const auto first_of = [&](const char* axis) {
        const auto& intra = lowering.context.split.intra;
        const auto found = intra.find(axis);
        return found == intra.end() ? std::int64_t{0} : found->second.offset;
    };
    const std::int64_t first = first_of("laneid") + 32 * (first_of("wid_in_wg") + first_of("warpid"));
    out.push_back(if_then(binary(BinaryOp::Eq, tid, i32(first)), seq(std::move(body))));
    return out;
}

} // namespace ls::tirx::lower
