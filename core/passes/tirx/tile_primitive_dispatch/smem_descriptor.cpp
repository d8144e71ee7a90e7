#include "core/passes/tirx/tile_primitive_dispatch/smem_descriptor.h"

#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

Expr bit_op(BinaryOp op, const Expr& a, const Expr& b) { return binary(op, a, b); }
Expr reinterpret(std::string type, Expr value) {
    return call("reinterpret", {string(std::move(type)), std::move(value)});
}
Expr shuffle(std::vector<Expr> vectors, std::vector<Expr> lanes) {
    return call("Shuffle", {tuple(std::move(vectors)), tuple(std::move(lanes))});
}

constexpr std::int64_t kAddressMask = 0x3FFF;

} // namespace

Stmt encode_descriptor(const Var& descriptor, Expr address, std::int64_t ldo, std::int64_t sdo, int swizzle) {
    return eval(call("cuda.tcgen05.encode_matrix_descriptor",
                     {address_of(load(descriptor)), std::move(address), i32(ldo), i32(sdo), i32(swizzle)}));
}

std::vector<Stmt> broadcast_low_word(const Var& descriptor) {
    const Var low = scalar(descriptor->name + "_lo", DType::UInt32);
    const Var high = scalar(descriptor->name + "_hi", DType::UInt32);
    return {allocate(low), allocate(high), ptx("mov", {load(low), load(high), load(descriptor)}, {"b64"}),
            ptx("shfl_sync", {load(low), load(low), u32(0), u32(0x1F), u32(0xFFFFFFFF)}, {"idx", "b32"}),
            ptx("mov", {load(descriptor), load(low), load(high)}, {"b64"})};
}

Expr with_low_word(const Expr& descriptor, const Expr& low) {
    const Expr high = shuffle({reinterpret("uint32x2", descriptor)}, {i32(1)});
    return reinterpret("uint64", shuffle({low, high}, {i32(0), i32(1)}));
}

Expr advanced(const Expr& descriptor, const Expr& offset_16b) {
    const Expr low = shuffle({reinterpret("uint32x2", descriptor)}, {i32(0)});
    return with_low_word(descriptor, add(low, cast_to(offset_16b, DType::UInt32)));
}

Result<Expr> computed_descriptor(const Var& buffer, const Expr& offset_16b, const SmemOperand& fields) {
    LS_TRY(const std::uint64_t constants, encode(fields.descriptor(0), tensor_core::Generation::Blackwell));
    const auto element = call("type_annotation", {string(std::string(dtype_text(*buffer_type(buffer))))});
    const Expr address = call("ptr_byte_offset", {start_of(buffer), multiply(offset_16b, 16), element});
    Expr low = bit_op(BinaryOp::BitAnd, bit_op(BinaryOp::Shr, to_shared(address), u32(4)), u32(kAddressMask));
    if (const auto leading = static_cast<std::int64_t>(constants & 0xFFFFFFFFU); leading != 0) {
        low = bit_op(BinaryOp::BitOr, u32(leading), low);
    }
    return bit_op(BinaryOp::BitOr, bit_op(BinaryOp::Shl, u64(constants >> 32U), u64(32)), cast(low, DType::UInt64));
}

} // namespace ls::tirx::lower
