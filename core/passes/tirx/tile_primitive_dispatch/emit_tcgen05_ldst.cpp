// copy_async between TMEM and registers as tcgen05.ld and tcgen05.st (spec/tirx.md 8.3). A thread's registers are named
// through a flat view of its fragment, and through a uint32 view of that one where elements are narrower or come in
// slabs.
#include <fmt/format.h>

#include "core/layout/operations.h"
#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/tmem_address.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

using catalogue::Tcgen05Shape;

class LdStEmitter {
public:
    LdStEmitter(const Tcgen05LdStPlan& plan, const Lowering& lowering) : plan_(plan), lowering_(lowering) {
        tmem_ = lowering.buffer(plan.load ? 1 : 0);
        fragment_ = lowering.buffer(plan.load ? 0 : 1);
        per_cell_ = 32 / bits(buffer_type(fragment_)->dtype);
    }

    Statements emit() {
        LS_CHECK(views());
        if (plan_.shape == Tcgen05Shape::B32x32) {
            const auto& issue = plan_.issues.front();
            LS_TRY(const Expr first, number(issue.first_register));
            LS_TRY(const Expr column, number(issue.place.column));
            // A place that is no constant is always composed.
            const bool at_base = issue.place.lane.is(0) && issue.place.column.is(0);
            out_.push_back(instruction(composed(i32(0), column, at_base), first, issue.registers));
            return out_;
        }
        LS_CHECK(slabs());
        return out_;
    }

private:
    Result<Expr> number(const Dim& dim) const {
        Expr e = lowering_.expr(dim);
        if (e == nullptr) return error("LAYOUT_OVERFLOW", "an offset of the copy leaves 64 bits");
        return e;
    }

    /// local_storage, and local_32b.
    Status views() {
        const auto& type = *buffer_type(fragment_);
        const auto columns = constant(type.shape.back());
        std::int64_t elements = 0; // that the flat view shows
        std::int64_t covered = 0;  // that its layout covers
        if (plan_.shape != Tcgen05Shape::B32x32) {
            const Dim held = span(storage(*layout_of(type)));
            elements = covered = held.constant().value_or(0);
        } else if (!plan_.through_uint32 || per_cell_ > 1) {
            elements = columns.value_or(0) * per_cell_;
            covered = plan_.repeat * per_cell_;
        } else {
            elements = covered = plan_.repeat;
        }
        if (elements <= 0 || covered <= 0) return error("LDST_WINDOW", "the fragment's extent is no number");
        const std::int64_t shape[] = {covered};
        registers_ = view_of(fragment_, "local_storage", {i32(elements)},
                             Layout(row_major(std::span<const std::int64_t>(shape))));
        out_.push_back(declare(registers_, fragment_));
        if (!plan_.through_uint32) return ok_status();
        const Var flat = registers_;
        LS_TRY(registers_, reinterpreted_view(flat, "local_32b", DType::UInt32));
        out_.push_back(declare(registers_, flat));
        return ok_status();
    }

    /// for slab: the register base and the instruction of one half of each warp's lanes, or of both.
    Status slabs() {
        const auto& first = plan_.issues.front();
        LS_TRY(const Expr base, number(first.first_register));
        LS_TRY(const Expr column, number(first.place.column));
        const auto slab_count = static_cast<std::int64_t>(plan_.issues.size());
        const Dim held = span(storage(*layout_of(*buffer_type(fragment_))));
        const std::int64_t slab_registers = held.constant().value_or(0) / per_cell_ / slab_count;
        const std::int64_t sub_slab = first.place.lane.constant().value_or(0) / 16;
        const Var local_base = local_value(out_, "local_reg_base", base);
        const Var slab = loop_var("slab");
        std::vector<Stmt> body;
        const Var reg_base = local_value(body, "reg_base", multiply(slab, slab_registers));
        const Expr row = multiply(add(i32(sub_slab), slab), 16);
        body.push_back(
            instruction(composed(row, column, false), add(load(local_base), load(reg_base)), first.registers));
        out_.push_back(serial(slab, slab_count, std::move(body)));
        return ok_status();
    }

    Expr composed(const Expr& row, const Expr& column, bool at_base) const {
        const Expr base = cast_to(allocated_address(tmem_), DType::UInt32);
        return at_base ? base : call("cuda.get_tmem_addr", {base, row, column});
    }

    Stmt instruction(const Expr& address, const Expr& first, std::int64_t count) const {
        std::vector<Expr> operands;
        if (!plan_.load) operands.push_back(address);
        for (std::int64_t i = 0; i < count; ++i) operands.push_back(lower::load(registers_, {add(first, i32(i))}));
        if (plan_.load) operands.push_back(address);
        return ptx("tcgen05", std::move(operands),
                   {plan_.load ? "ld" : "st", "sync", "aligned", std::string(catalogue::name(plan_.shape)),
                    fmt::format("x{}", plan_.repeat), "", "b32"});
    }

    const Tcgen05LdStPlan& plan_;
    const Lowering& lowering_;
    Var tmem_, fragment_, registers_;
    std::int64_t per_cell_ = 1;
    std::vector<Stmt> out_;
};

} // namespace

Statements emit(const Tcgen05LdStPlan& plan, const Lowering& lowering) { return LdStEmitter(plan, lowering).emit(); }

} // namespace ls::tirx::lower
