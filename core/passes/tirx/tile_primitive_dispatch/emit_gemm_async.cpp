// gemm_async as tcgen05.mma (spec/tirx.md 7.3):
//
//     for mi: for ni: for ki:  tcgen05.mma [D(mi, ni)], A(mi, ki), B(ni, ki), idesc, masks, ki != 0 or accum
#include <optional>

#include <fmt/format.h>

#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/smem_descriptor.h"
#include "core/passes/tirx/tile_primitive_dispatch/tile_offset.h"
#include "core/passes/tirx/tile_primitive_dispatch/tmem_address.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

class GemmEmitter {
public:
    GemmEmitter(const GemmAsyncPlan& plan, const Lowering& lowering)
        : plan_(plan), lowering_(lowering), c_(lowering.buffer(0)), a_(lowering.buffer(1)), b_(lowering.buffer(2)) {}

    Statements emit() {
        std::vector<Stmt> out;
        LS_CHECK(descriptors(out));
        LS_CHECK(instruction_descriptor(out));
        std::vector<Stmt> body;
        LS_CHECK(iteration(body));
        out.push_back(unrolled(mi_, plan_.m_tiles,
                               {unrolled(ni_, plan_.n_tiles, {unrolled(ki_, plan_.k_iters, std::move(body))})}));
        return out;
    }

private:
    bool a_in_tmem() const { return !plan_.a.has_value(); }

    /// Encoded behind the buffer's definition or here; the other modes encode for each instruction.
    Status descriptors(std::vector<Stmt>& out) {
        const bool hoist = plan_.desc_mode == SmemDescMode::Hoist;
        if (!hoist && plan_.desc_mode != SmemDescMode::LocalHoist) return ok_status();
        const auto make = [&](const Var& buffer, const SmemOperand& fields, std::string name) {
            const Var descriptor = scalar(std::move(name), DType::UInt64);
            std::vector<Stmt>& into = hoist ? lowering_.kernel.after_definition[buffer.get()] : out;
            into.push_back(allocate(descriptor));
            into.push_back(encode_descriptor(descriptor, start_of(buffer), fields.ldo, fields.sdo,
                                             static_cast<int>(fields.swizzle)));
            if (hoist && plan_.broadcast_low) {
                for (Stmt& s : broadcast_low_word(descriptor)) into.push_back(std::move(s));
            }
            return descriptor;
        };
        const char* suffix = hoist ? "" : "_local";
        b_desc_ = make(b_, plan_.b, fmt::format("descB{}", suffix));
        if (plan_.a) a_desc_ = make(a_, *plan_.a, fmt::format("descA{}", suffix));
        return ok_status();
    }

    /// Dense: a number. Block-scaled: the caller's, or encoded here; a copy where scale ids are patched into it.
    Status instruction_descriptor(std::vector<Stmt>& out) {
        if (!plan_.block_scaled) {
            idesc_ = u32(plan_.idesc);
            return ok_status();
        }
        if (const Expr value = lowering_.setting("descI"); plan_.caller_descriptor && value != nullptr) {
            if (!plan_.rotates_scale_id) {
                idesc_ = value;
                return ok_status();
            }
            idesc_ = load(local_value(out, "descI_local", value, DType::UInt32));
            return ok_status();
        }
        const Var local = scalar("descI_local", DType::UInt32);
        idesc_ = load(local);
        LS_TRY(const Expr sfa, scale_address(3, *plan_.sfa, i32(0)));
        LS_TRY(const Expr sfb, scale_address(4, *plan_.sfb, i32(0)));
        const auto dtype = [&](std::size_t index) {
            return string(std::string(dtype_text(*buffer_type(lowering_.buffer(index)))));
        };
        const auto flag = [](bool value) { return const_int(value ? 1 : 0, DType::Bool); };
        out.push_back(allocate(local));
        out.push_back(eval(call("cuda.tcgen05.encode_instr_descriptor_block_scaled",
                                {address_of(idesc_), dtype(0), dtype(1), dtype(2), dtype(3), dtype(4), sfa, sfb,
                                 i32(plan_.tile.m * plan_.cta_group), i32(plan_.tile.n), i32(plan_.mma_k),
                                 flag(plan_.a && plan_.a->mn_major), flag(plan_.b.mn_major), i32(plan_.cta_group),
                                 flag(false), flag(false), flag(false)})));
        return ok_status();
    }

    Result<Expr> number(const Dim& dim) const {
        Expr e = lowering_.expr(dim);
        if (e == nullptr) return error("LAYOUT_OVERFLOW", "an offset of the product leaves 64 bits");
        return e;
    }

    Result<Expr> offset_16b(const OperandTiles& tiles, const Expr& index, std::int64_t rows) const {
        LS_TRY(const Expr last, number(tiles.last_extent()));
        const Expr mn = multiply(index, rows), k = multiply(ki_, plan_.mma_k);
        const Expr linear = tiles.transposed() ? add(multiply(k, last), mn) : add(multiply(mn, last), k);
        const Expr offset = tile_offset(tiles.tile(), linear, axes::m, lowering_.kernel);
        if (offset == nullptr) return error("LAYOUT_OVERFLOW", "an offset of the product leaves 64 bits");
        return divide(offset, tiles.elems_16b());
    }

    /// A descriptor of shared memory that starts `offset` further on; statements that make it go to `out`.
    Result<Expr> descriptor(const Var& buffer, const SmemOperand& fields, const Var& base, const Expr& offset,
                            std::vector<Stmt>& out) {
        if (base != nullptr) return advanced(load(base), offset);
        if (plan_.desc_mode == SmemDescMode::Recompute) return computed_descriptor(buffer, offset, fields);
        const Var made = scalar("buffer", DType::UInt64);
        out.push_back(allocate(made));
        const Expr address = call("handle_add_byte_offset", {start_of(buffer), multiply(offset, 16)});
        out.push_back(encode_descriptor(made, address, fields.ldo, fields.sdo, static_cast<int>(fields.swizzle)));
        return load(made);
    }

    Result<Expr> address(const Var& buffer, const TmemPlace& origin, const Expr& row, const Expr& column) {
        const Expr base = allocated_address(buffer);
        if (base == nullptr) return error("GEMM_TMEM_C", fmt::format("{} has no allocated address", buffer->name));
        LS_TRY(const Expr lane0, number(origin.lane));
        LS_TRY(const Expr column0, number(origin.column));
        return tmem_address(base, add(lane0, row), add(column0, column));
    }
    Expr tile_row() const { return plan_.m_tiles == 1 ? i32(0) : multiply(mi_, plan_.tile.m); }

    Result<Expr> scale_address(std::size_t argument, const ScaleOperand& scale, const Expr& linear) {
        const Expr base = allocated_address(lowering_.buffer(argument));
        const Expr lane = tile_offset(scale.layout, linear, axes::TLane, lowering_.kernel);
        const Expr column = tile_offset(scale.layout, linear, axes::TCol, lowering_.kernel);
        if (base == nullptr || lane == nullptr || column == nullptr) {
            return error("GEMM_SCALE", "the scale factors have no allocated address");
        }
        return tmem_address(base, lane, divide(column, scale.per_cell));
    }

    Expr accumulate() const {
        const std::size_t index = plan_.block_scaled ? 7 : 5;
        const auto args = lowering_.tile.args();
        Expr accum = index < args.size() && args[index]->kind != NodeKind::None ? args[index] : const_bool(false);
        if (const auto* flag = as<ConstBoolNode>(accum)) accum = const_int(flag->value ? 1 : 0, DType::Bool);
        if (const auto dtype = expr_dtype(accum); dtype && *dtype != DType::Bool) accum = cast_to(accum, DType::Bool);
        return make_binary(BinaryOp::Or, binary(BinaryOp::Ne, ki_, i32(0)), accum);
    }

    Status iteration(std::vector<Stmt>& out) {
        std::vector<Stmt> guarded;
        LS_TRY(const Expr d, address(c_, plan_.c_origin, tile_row(), multiply(ni_, plan_.n_tile_columns)));
        LS_TRY(const Expr b_offset, offset_16b(plan_.b_tiles(), ni_, plan_.tile.n / plan_.cta_group));
        LS_TRY(const Expr b, descriptor(b_, plan_.b, b_desc_, b_offset, guarded));
        Expr a;
        if (a_in_tmem()) {
            LS_TRY(a, address(a_, plan_.a_origin, tile_row(), multiply(ki_, plan_.a_step_columns)));
        } else {
            LS_TRY(const Expr a_offset, offset_16b(*plan_.a_tiles(), mi_, plan_.tile.m));
            LS_TRY(a, descriptor(a_, *plan_.a, a_desc_, a_offset, guarded));
        }
        std::vector<Expr> operands{d, a, b, idesc_};
        if (plan_.block_scaled) LS_CHECK(scale_operands(operands, out));
        for (int mask = 0; mask < plan_.lane_masks(); ++mask) operands.push_back(u32(0));
        const std::string marker = fmt::format("p{}", operands.size());
        operands.push_back(accumulate());
        if (plan_.weight_stationary) operands.push_back(u64(0));
        guarded.push_back(ptx("tcgen05", std::move(operands), words_after_family(plan_.instruction()), marker));
        if (!plan_.elect) {
            for (Stmt& s : guarded) out.push_back(std::move(s));
        } else {
            out.push_back(if_then(call("cuda.elect_sync", {}), seq(std::move(guarded))));
        }
        return ok_status();
    }

    Status scale_operands(std::vector<Expr>& operands, std::vector<Stmt>& out) {
        const auto linear = [&](const Expr& index, std::int64_t rows, const ScaleOperand& scale) {
            return add(multiply(multiply(index, rows), scale.k), multiply(ki_, scale.step));
        };
        const Expr a_linear = linear(mi_, plan_.tile.m, *plan_.sfa);
        const Expr b_linear = linear(ni_, plan_.tile.n / plan_.cta_group, *plan_.sfb);
        LS_TRY(const Expr sfa, scale_address(3, *plan_.sfa, a_linear));
        LS_TRY(const Expr sfb, scale_address(4, *plan_.sfb, b_linear));
        if (plan_.rotates_scale_id) {
            const Expr column = tile_offset(plan_.sfa->layout, a_linear, axes::TCol, lowering_.kernel);
            const Expr id = Lowering::simplified(modulo(column, plan_.sfa->per_cell));
            out.push_back(eval(call("cuda.runtime_instr_desc", {address_of(idesc_), id})));
        }
        operands.push_back(sfa);
        operands.push_back(sfb);
        return ok_status();
    }

    const GemmAsyncPlan& plan_;
    const Lowering& lowering_;
    Var c_, a_, b_;
    Var mi_ = loop_var("mi"), ni_ = loop_var("ni"), ki_ = loop_var("ki");
    Var a_desc_, b_desc_; ///< null where each instruction has its own, and for A in TMEM
    Expr idesc_;
};

} // namespace

Statements emit(const GemmAsyncPlan& plan, const Lowering& lowering) { return GemmEmitter(plan, lowering).emit(); }

} // namespace ls::tirx::lower
