// copy between registers and memory (spec/tirx.md 8.4): each thread moves vectors of its own elements in a serial loop.
#include <fmt/format.h>

#include "core/ir/substitute.h"
#include "core/layout/operations.h"
#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/memory_access.h"
#include "core/passes/tirx/tile_primitive_dispatch/tile_offset.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

class RegisterCopyEmitter {
public:
    RegisterCopyEmitter(const RegisterCopyPlan& plan, const Lowering& lowering)
        : plan_(plan), lowering_(lowering), registers_(lowering.buffer(plan.to_memory ? 1 : 0)),
          memory_(lowering.buffer(plan.to_memory ? 0 : 1)) {}

    Statements emit() {
        const auto form = vector_form(plan_.vector_bytes);
        if (!form) return error("COPY_REGISTERS", fmt::format("there is no access of {} bytes", plan_.vector_bytes));
        LS_CHECK(address_layout());
        const bool swizzled = layout_.is_compose() && layout_.compose()->swizzle_len > 0;
        Var base;
        if (!swizzled) {
            LS_TRY(const Expr start, offset_at(i32(0), out_));
            base = local_value(out_, "s_base", start);
        }
        LS_TRY(const Var words_view, word_view(*form));
        const Var f = loop_var("f");
        std::vector<Stmt> body;
        const auto [memory_step, register_step] = steps(f);
        const Var ds = local_value(body, "ds", memory_step), dr = local_value(body, "dr", register_step);
        Expr offset;
        if (swizzled) {
            LS_TRY(const Expr at, offset_at(f, body));
            offset = load(local_value(body, "s_off", at));
        } else {
            offset = add(load(base), load(ds));
        }
        const Var pointer = pointer_behind(body, "s_ptr", start_of(memory_), offset);
        LS_TRY(const Expr first, first_word(dr, *form));
        const Var word = local_value(body, "r_w", first);
        const std::vector<Expr> moved = words(words_view, load(word), form->words);
        const std::string space = ptx_space(memory_);
        if (plan_.to_memory) {
            body.push_back(vector_store(space, *form, pointer, moved));
        } else {
            LoadHints hints = load_hints(lowering_);
            hints.nc = hints.nc && space == "global";
            body.push_back(vector_load(space, *form, moved, pointer, hints));
        }
        out_.push_back(serial(f, plan_.iterations(), std::move(body)));
        return out_;
    }

private:
    /// Extents that a layout's thread axis can count, when they are known.
    std::optional<std::int64_t> extent_of(std::string_view axis) const {
        const auto& intra = lowering_.context.split.intra;
        if (const auto at = intra.find(std::string(axis)); at != intra.end()) {
            return at->second.offset == 0 ? std::optional(at->second.extent) : std::nullopt;
        }
        if (axis == "laneid") return 32;
        if (axis == "wid_in_wg") return 4;
        if (axis == "tid_in_wg") return 128;
        const auto threads = lowering_.kernel.launch.extent("threadIdx.x");
        const std::int64_t by = axis == "tx" ? 1 : axis == "warpid" ? 32 : axis == "wgid" ? 128 : 0;
        if (!threads || by == 0 || *threads % by != 0) return {};
        return *threads / by;
    }

    static Diagnostic overflow() { return error("LAYOUT_OVERFLOW", "an offset of the copy leaves 64 bits"); }

    /// The memory side as a layout over [one dimension for each part that threads give, iterations].
    Status address_layout() {
        std::vector<Expr> at;
        std::vector<Dim> shape;
        for (const Iter& iter : plan_.registers.shard) {
            shape.push_back(iter.extent);
            if (!iter.axis.is_thread()) {
                at.push_back(i32(0));
                continue;
            }
            const std::string axis(iter.axis.name());
            Var& placeholder = placeholders_[axis];
            if (placeholder == nullptr) {
                placeholder = loop_var("%" + axis); // as no variable of the program is called
                lowering_.kernel.symbols.define(placeholder);
                order_.push_back(axis);
                if (const auto extent = extent_of(axis)) known_.set_loop(*placeholder, i32(0), i32(*extent));
            }
            at.push_back(placeholder);
        }
        LS_TRY(const Grouped grouped, group(plan_.memory, shape));
        TileLayout tile;
        Expr rest = i32(0);
        for (std::size_t d = 0; d < shape.size(); ++d) {
            Expr coordinate = at[d];
            std::vector<Expr> digits(grouped.separators[d + 1] - grouped.separators[d]);
            for (std::size_t i = digits.size(); i-- > 0;) {
                const Expr extent = lowering_.expr(grouped.layout.shard[grouped.separators[d] + i].extent);
                if (extent == nullptr) return overflow();
                digits[i] = i == 0 ? coordinate : make_binary(BinaryOp::Mod, coordinate, extent);
                if (i > 0) coordinate = make_binary(BinaryOp::FloorDiv, coordinate, extent);
            }
            for (std::size_t i = 0; i < digits.size(); ++i) {
                const Iter& iter = grouped.layout.shard[grouped.separators[d] + i];
                const Expr part = known_.simplify(digits[i]);
                if (is_constant(part, 0)) continue;
                const ValueRange range = known_.range(part);
                if (range.lo >= 0 && range.hi < (std::int64_t{1} << 31) - 1) {
                    tile.shard.push_back({Dim(range.hi + 1), iter.stride, axes::m});
                    coordinates_.push_back(part);
                    shape_.push_back(Dim(range.hi + 1));
                } else {
                    const Expr stride = lowering_.expr(iter.stride);
                    if (stride == nullptr) return overflow();
                    rest = known_.simplify(add(rest, multiply(part, stride)));
                }
            }
        }
        for (const auto& [axis, value] : plan_.memory.offset) {
            const Expr offset = lowering_.expr(value);
            if (offset == nullptr) return overflow();
            rest = known_.simplify(add(rest, offset));
        }
        for (const auto& loop : plan_.loops) tile.shard.push_back({Dim(loop.extent), Dim(loop.memory_stride), axes::m});
        shape_.push_back(Dim(plan_.iterations()));
        tile.offset.emplace(axes::m, lowering_.kernel.symbols.dim(rest));
        layout_ = layout_of(*buffer_type(memory_))->with_tile(std::move(tile));
        return ok_status();
    }

    /// The element offset of one iteration; the threads' ids are declared where it stands.
    Result<Expr> offset_at(const Expr& iteration, std::vector<Stmt>& into) {
        std::vector<Expr> at = coordinates_;
        at.push_back(iteration);
        LS_TRY(const Expr mapped, layout_offset(layout_, at, shape_, lowering_.kernel, known_));
        Substitution ids;
        for (const std::string& axis : order_) {
            const Expr id = thread_of_axis(into, "", axis, lowering_.kernel);
            if (id == nullptr) return error("COPY_REGISTERS", fmt::format("unsupported thread axis {}", axis));
            ids[placeholders_[axis].get()] = id;
        }
        return substitute(mapped, ids);
    }

    /// r_local, one thread's storage, and r_words, the same as whole words.
    Result<Var> word_view(const VectorForm& form) {
        const Dim held = span(storage(*layout_of(*buffer_type(registers_))));
        const Expr extent = lowering_.expr(held);
        if (extent == nullptr) return error("COPY_REGISTERS", "what one thread holds is no number");
        const Var flat = view_of(registers_, "r_local", {extent}, {});
        out_.push_back(declare(flat, registers_));
        const DType word = form.type == "uint32" ? DType::UInt32 : form.type == "uint16" ? DType::UInt16 : DType::UInt8;
        LS_TRY(const Var view, reinterpreted_view(flat, "r_words", word));
        out_.push_back(declare(view, flat));
        return view;
    }

    /// Offsets of iteration f from the first, in memory and in the registers.
    std::pair<Expr, Expr> steps(const Var& f) const {
        std::vector<Expr> digits(plan_.loops.size());
        Expr rest = f;
        for (std::size_t i = digits.size(); i-- > 0;) {
            digits[i] = modulo(rest, plan_.loops[i].extent);
            rest = divide(rest, plan_.loops[i].extent);
        }
        Expr memory = i32(0), held = i32(0);
        for (std::size_t i = 0; i < digits.size(); ++i) {
            memory = add(memory, multiply(digits[i], plan_.loops[i].memory_stride));
            held = add(held, multiply(digits[i], plan_.loops[i].register_stride));
        }
        return {memory, held};
    }

    Result<Expr> first_word(const Var& dr, const VectorForm& form) const {
        const Expr base = lowering_.expr(plan_.register_offset);
        if (base == nullptr) return error("LAYOUT_OVERFLOW", "the register offset leaves 64 bits");
        const std::int64_t word_bits = plan_.vector_bytes * 8 / form.words;
        const std::int64_t elem_bits = bits(buffer_type(memory_)->dtype);
        const std::int64_t words_of_elem = elem_bits > word_bits ? elem_bits / word_bits : 1;
        const std::int64_t elems_of_word = word_bits >= elem_bits ? word_bits / elem_bits : 1;
        return divide(multiply(add(base, load(dr)), words_of_elem), elems_of_word);
    }

    const RegisterCopyPlan& plan_;
    const Lowering& lowering_;
    Var registers_, memory_;
    std::map<std::string, Var> placeholders_; ///< of thread axes
    std::vector<std::string> order_;          ///< of their first use
    IndexSimplifier known_;
    Layout layout_;
    std::vector<Expr> coordinates_;
    std::vector<Dim> shape_;
    std::vector<Stmt> out_;
};

} // namespace

Statements emit(const RegisterCopyPlan& plan, const Lowering& lowering) {
    return RegisterCopyEmitter(plan, lowering).emit();
}

} // namespace ls::tirx::lower
