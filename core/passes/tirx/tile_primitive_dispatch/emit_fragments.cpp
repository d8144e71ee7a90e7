// Instructions whose registers are fragments: ldmatrix, stmatrix and mma (spec/tirx.md 6, 8.4).
#include <fmt/format.h>

#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/memory_access.h"
#include "core/passes/tirx/tile_primitive_dispatch/tile_offset.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

class MatrixCopyEmitter {
public:
    MatrixCopyEmitter(const LdStMatrixPlan& plan, const Lowering& lowering)
        : plan_(plan), lowering_(lowering), registers_(lowering.buffer(plan.store ? 1 : 0)),
          shared_(lowering.buffer(plan.store ? 0 : 1)) {}

    Statements emit() {
        std::vector<Stmt> out;
        const Var flat = view_of(registers_, "r_local", {i32(plan_.elements())}, {});
        out.push_back(declare(flat, registers_));
        const Expr lane = thread_of_axis(out, lowering_.kernel.symbols.fresh("laneid"), "laneid", lowering_.kernel);
        const Expr warp = warp_of(out);
        const Var mm = loop_var("mm");
        std::vector<Stmt> body;
        LS_TRY(const Expr offset, shared_offset(warp, lane, mm));
        const Var s_off = local_value(body, "smem_off", offset);
        const Var pointer = pointer_behind(body, "smem_ptr", start_of(shared_), load(s_off));
        LS_TRY(const Var words_view, reinterpreted_view(flat, "r_words", DType::UInt32));
        body.push_back(declare(words_view, flat));
        std::vector<Expr> operands;
        for (int i = 0; i < plan_.count; ++i) {
            IndexSimplifier known;
            const std::vector<Expr> at{i32(0), i32(0), i32(0), mm, i32(i), i32(0)};
            LS_TRY(const Expr element,
                   layout_offset(Layout(plan_.registers), at, plan_.shape(), lowering_.kernel, known));
            operands.push_back(load(words_view, {divide(element, 2)}));
            local_value(body, fmt::format("words_{}", i), operands.back(), DType::UInt32);
        }
        const Expr address = to_shared(pointer);
        operands.insert(plan_.store ? operands.begin() : operands.end(), address);
        body.push_back(ptx(plan_.store ? "stmatrix" : "ldmatrix", std::move(operands),
                           {"sync", "aligned", "m8n8", fmt::format("x{}", plan_.count), plan_.transposed ? "trans" : "",
                            "shared", "b16"}));
        out.push_back(unrolled(mm, plan_.issues, std::move(body)));
        return out;
    }

private:
    /// Which warp of the scope; a warp alone has no number.
    Expr warp_of(std::vector<Stmt>& into) const {
        const char* id = plan_.lane_axis == "tid_in_wg" ? "wid_in_wg" : plan_.lane_axis == "tx" ? "warpid" : nullptr;
        if (id == nullptr) return load(local_value(into, "warp_idx_in_T", i32(0)));
        return thread_of_axis(into, "warp_idx_in_T", id, lowering_.kernel);
    }

    /// Lanes name the rows: 8 of a matrix, then the matrices.
    Result<Expr> shared_offset(const Expr& warp, const Expr& lane, const Expr& mm) const {
        TileLayout rows = plan_.shared;
        const Expr row = multiply(modulo(lane, 8), plan_.row_stride_elems);
        Symbols& symbols = lowering_.kernel.symbols;
        if (const auto v = ref_as<VarNode>(lane)) symbols.define(v);
        const Dim with_row = rows.offset.get(axes::m) + symbols.dim(row);
        if (const auto at = rows.offset.find(axes::m); at != rows.offset.end()) {
            at->second = with_row;
        } else {
            rows.offset.emplace(axes::m, with_row);
        }
        IndexSimplifier known;
        if (const auto* v = as<VarNode>(lane)) known.set_loop(*v, i32(0), i32(32));
        if (const auto* v = as<VarNode>(mm)) known.set_loop(*v, i32(0), i32(plan_.issues));
        const Expr matrix = plan_.count > 1 ? divide(lane, 8) : i32(0);
        const std::vector<Expr> at{warp, i32(0), i32(0), mm, matrix, i32(0)};
        return layout_offset(layout_of(*buffer_type(shared_))->with_tile(std::move(rows)), at, plan_.shape(),
                             lowering_.kernel, known);
    }

    const LdStMatrixPlan& plan_;
    const Lowering& lowering_;
    Var registers_, shared_;
};

class MmaEmitter {
public:
    MmaEmitter(const MmaPlan& plan, const Lowering& lowering) : plan_(plan), lowering_(lowering) {}

    Statements emit() {
        const Var d = local(0, "d_local", plan_.d), c = local(3, "c_local", plan_.c), a = local(1, "a_local", plan_.a),
                  b = local(2, "b_local", plan_.b);
        LS_TRY(const Var a_words, reinterpreted_view(a, "a_words", DType::UInt32));
        LS_TRY(const Var b_words, reinterpreted_view(b, "b_words", DType::UInt32));
        out_.push_back(declare(a_words, a));
        out_.push_back(declare(b_words, b));
        const Var m = loop_var("m"), n = loop_var("n"), k = loop_var("k"), rows = loop_var("rM"),
                  columns = loop_var("rN");
        const std::vector<Expr> element{m, n, rows, columns};
        const Expr start = plan_.add_c ? load(c, element) : const_float(0, DType::Fp32);
        const Stmt init = unrolled(rows, 2, {unrolled(columns, 2, {store(load(d, element), start)})});

        std::vector<Stmt> step;
        std::vector<Expr> d_regs, operands;
        for (int r = 0; r < 2; ++r) {
            for (int q = 0; q < 2; ++q) d_regs.push_back(load(d, {m, n, i32(r), i32(q)}));
        }
        named(step, "d_regs", d_regs, DType::Fp32);
        operands = d_regs;
        std::vector<Expr> a_regs, b_regs;
        for (int high = 0; high < plan_.k / 8; ++high) {
            for (int r = 0; r < 2; ++r) a_regs.push_back(load(a_words, {m, k, i32(r), i32(high), i32(0)}));
            b_regs.push_back(load(b_words, {k, n, i32(high), i32(0)}));
        }
        named(step, "a_regs", a_regs, DType::UInt32);
        named(step, "b_regs", b_regs, DType::UInt32);
        for (const auto* regs : {&a_regs, &b_regs, &d_regs})
            operands.insert(operands.end(), regs->begin(), regs->end());
        step.push_back(ptx("mma", std::move(operands), words_after_family(plan_.instruction())));
        const Stmt tiles = unrolled(n, plan_.d.shape[1], {init, unrolled(k, plan_.a.shape[1], std::move(step))});
        out_.push_back(unrolled(m, plan_.d.shape[0], {tiles}));
        return out_;
    }

private:
    /// What one thread holds of an operand, by tile and register.
    Var local(std::size_t argument, std::string name, const MmaPlan::Fragment& fragment) {
        std::vector<Expr> shape;
        for (const std::int64_t extent : fragment.shape) shape.push_back(i32(extent));
        const Var whole = lowering_.buffer(argument);
        const Var view = view_of(whole, std::move(name), std::move(shape), Layout(fragment.layout));
        out_.push_back(declare(view, whole));
        return view;
    }

    /// The registers of an operand under names of their own, as the reference's trace leaves them.
    static void named(std::vector<Stmt>& into, const char* name, const std::vector<Expr>& registers, DType dtype) {
        for (std::size_t i = 0; i < registers.size(); ++i)
            local_value(into, fmt::format("{}_{}", name, i), registers[i], dtype);
    }

    const MmaPlan& plan_;
    const Lowering& lowering_;
    std::vector<Stmt> out_;
};

} // namespace

Statements emit(const LdStMatrixPlan& plan, const Lowering& lowering) {
    return MatrixCopyEmitter(plan, lowering).emit();
}
Statements emit(const MmaPlan& plan, const Lowering& lowering) { return MmaEmitter(plan, lowering).emit(); }

} // namespace ls::tirx::lower
