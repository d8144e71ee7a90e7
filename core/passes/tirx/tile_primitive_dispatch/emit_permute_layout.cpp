// permute_layout within a warp (spec/tirx.md 6): each lane reads its elements into registers in an order that an XOR
// spreads over the banks, then writes them in the same order.
#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/memory_access.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

class PermuteEmitter {
public:
    PermuteEmitter(const PermuteLayoutPlan& plan, const Lowering& lowering)
        : plan_(plan), dst_(*lowering.region(0)), src_(*lowering.region(1)) {
        const LaunchParam* threads = lowering.kernel.launch.find("threadIdx.x");
        if (threads != nullptr) lane_ = modulo(threads->var, 32);
        bytes_ = bits(buffer_type(src_.buffer)->dtype) / 8;
    }

    Statements emit() {
        if (lane_ == nullptr)
            return error("PERMUTE_WARP", "the kernel has no threads",
                         "declare the threads of a CTA, such as tid = T.thread_id([128])");
        const bool shared = buffer_type(src_.buffer)->scope.starts_with("shared") &&
                            buffer_type(dst_.buffer)->scope.starts_with("shared");
        const bool direct = shared && (bytes_ == 4 || bytes_ == 8);
        const DType word = bytes_ == 4 ? DType::UInt32 : DType::UInt64;
        const Var held = registers("regs", plan_.per_lane, direct ? word : buffer_type(src_.buffer)->dtype);
        const Stmt sync = eval(call("cuda.warp_sync", {}));
        return std::vector<Stmt>{allocate(held), phase(held, true, direct), sync, phase(held, false, direct), sync};
    }

private:
    Stmt phase(const Var& held, bool read, bool direct) const {
        const Var r = loop_var("r");
        const Expr slot =
            binary(BinaryOp::BitXor, r,
                   binary(BinaryOp::BitAnd, binary(BinaryOp::Shr, lane_, i32(plan_.shift())), i32(plan_.mask())));
        const Expr element = add(lane_, multiply(slot, 32));
        const std::vector<Expr> digits = digits_of(element);
        const Region& region = read ? src_ : dst_;
        const Expr reg = load(held, std::vector<Expr>{r});
        Stmt body;
        if (direct) {
            const auto& strides = read ? plan_.src_strides : plan_.dst_strides;
            Expr offset = i32(0);
            for (std::size_t d = 0; d < digits.size(); ++d) offset = add(offset, multiply(digits[d], strides[d]));
            const Expr annotation =
                call("type_annotation", {string(std::string(dtype_text(*buffer_type(region.buffer))))});
            const Expr base = address_of(load(region.buffer, region.begin));
            const Expr pointer = to_shared(call("ptr_byte_offset", {base, multiply(offset, bytes_), annotation}));
            const std::string type = bytes_ == 4 ? "b32" : "b64";
            body = read ? ptx("ld", {reg, pointer}, {"", "", "", "shared", "", "", "", "", "", type})
                        : ptx("st", {pointer, reg}, {"", "", "", "shared", "", "", "", type});
        } else {
            const Expr place = load(region.buffer, projected(region, digits));
            body = read ? store(reg, place) : store(place, reg);
        }
        return unrolled(r, plan_.per_lane, {body});
    }

    std::vector<Expr> digits_of(const Expr& element) const {
        if (plan_.extents.size() == 1) return {element};
        std::vector<Expr> digits(plan_.extents.size());
        Expr rest = element;
        for (std::size_t d = digits.size(); d-- > 0;) {
            digits[d] = modulo(rest, plan_.extents[d]);
            rest = divide(rest, plan_.extents[d]);
        }
        return digits;
    }

    /// The iteration's digits put together again for each dimension that is no point.
    std::vector<Expr> projected(const Region& region, const std::vector<Expr>& digits) const {
        std::vector<Expr> at = region.begin;
        std::size_t next = 0;
        for (std::size_t d = 0; d < at.size(); ++d) {
            const std::int64_t extent = constant(region.extent[d]).value_or(1);
            if (extent == 1) continue;
            Expr flat = i32(0);
            for (std::int64_t covered = 1; covered < extent && next < digits.size(); ++next) {
                flat = add(multiply(flat, plan_.extents[next]), digits[next]);
                covered *= plan_.extents[next];
            }
            at[d] = add(at[d], flat);
        }
        return at;
    }

    const PermuteLayoutPlan& plan_;
    Region dst_, src_;
    Expr lane_;
    std::int64_t bytes_ = 4;
};

} // namespace

Statements emit(const PermuteLayoutPlan& plan, const Lowering& lowering) {
    return PermuteEmitter(plan, lowering).emit();
}

} // namespace ls::tirx::lower
