#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"

#include "core/dialect/tirx/dims.h"
#include "core/layout/buffer_view.h"

namespace ls::tirx::lower {

using namespace ir;

Expr i32(std::int64_t value) { return const_int(value, DType::Int32); }
Expr u32(std::int64_t value) { return const_int(value, DType::UInt32); }
Expr u64(std::uint64_t value) { return const_int(static_cast<std::int64_t>(value), DType::UInt64); }

Expr cast_to(const Expr& value, DType dtype) {
    if (expr_dtype(value) == dtype) return value;
    if (const auto number = constant(value); number && *number >= 0) return const_int(*number, dtype);
    return cast(value, dtype);
}

Expr divide(const Expr& a, std::int64_t by) { return make_binary(BinaryOp::FloorDiv, a, i32(by)); }
Expr modulo(const Expr& a, std::int64_t by) { return make_binary(BinaryOp::Mod, a, i32(by)); }

Expr load(const Var& buffer, std::vector<Expr> indices) { return subscript(buffer, std::move(indices)); }
Expr load(const Var& buffer, std::int64_t index) { return subscript(buffer, {i32(index)}); }
Expr address_of(Expr place) { return call("address_of", {std::move(place)}); }

Expr start_of(const Var& buffer) {
    const auto* type = buffer_type(buffer);
    const std::size_t rank = type == nullptr ? 1 : type->shape.size();
    return address_of(subscript(buffer, std::vector<Expr>(rank, i32(0))));
}

Expr data_of(const Var& buffer) { return member(buffer, "data"); }
Expr to_shared(Expr pointer) { return call("cuda.cvta_generic_to_shared", {std::move(pointer)}); }

Var registers(std::string name, std::int64_t elements, DType dtype) {
    auto type = std::make_shared<BufferTypeNode>();
    type->shape = {i32(elements)};
    type->dtype = dtype;
    type->scope = "local";
    return var(std::move(name), seal(std::move(type)));
}

Var scalar(std::string name, DType dtype) { return registers(std::move(name), 1, dtype); }

Stmt allocate(const Var& buffer) { return assign(buffer, call("alloc_buffer", {})); }

Var view_of(const Var& parent, std::string name, std::vector<Expr> shape, const std::optional<Layout>& layout) {
    auto type = derive(ref_as<BufferTypeNode>(parent->type));
    type->origin = nullptr;
    type->shape = std::move(shape);
    type->layout_state = BufferTypeNode::LayoutState::Default;
    type->layout = Layout();
    if (layout) set_layout(*type, layout);
    return var(std::move(name), seal(std::move(type)));
}

Result<Var> reinterpreted_view(const Var& parent, std::string name, DType dtype) {
    const BufferTypeNode& from = *buffer_type(parent);
    BufferView seen;
    for (const Expr& extent : from.shape) {
        const auto dim = to_dim(extent);
        if (!dim) return error("LAYOUT_EXTENT", "the extent of a register view is no number");
        seen.shape.push_back(*dim);
    }
    seen.layout = layout_of(from);
    LS_TRY(const BufferView other, reinterpret_view(seen, element_bits(dtype_text(from)), bits(dtype)));
    auto type = derive(ref_as<BufferTypeNode>(parent->type));
    type->origin = nullptr;
    type->dtype = dtype;
    type->dtype_text.clear();
    for (std::size_t d = 0; d < other.shape.size(); ++d) {
        if (other.shape[d].is_constant()) type->shape[d] = i32(other.shape[d].value());
    }
    set_layout(*type, other.layout);
    return var(std::move(name), seal(std::move(type)));
}

Stmt declare(const Var& view, const Var& parent) {
    return assign(view, call("decl_buffer", {}, {{"data", data_of(parent)}}));
}

Stmt ptx(std::string_view family, std::vector<Expr> operands, const std::vector<std::string>& modifiers,
         std::string_view marker) {
    for (const std::string& one : modifiers) operands.push_back(string(one));
    operands.push_back(string(std::string(marker)));
    return eval(call("ptx." + std::string(family), std::move(operands)));
}

Var loop_var(std::string name) { return var(std::move(name), scalar_type(DType::Int32)); }

namespace {

Stmt loop(LoopKind kind, const Var& v, std::int64_t extent, std::vector<Stmt> body) {
    auto made = std::make_shared<ForNode>();
    made->loop = kind;
    made->var = v;
    made->start = i32(0);
    made->stop = i32(extent);
    made->step = i32(1);
    made->body = seq(std::move(body));
    return seal(std::move(made));
}

} // namespace

Stmt unrolled(const Var& v, std::int64_t extent, std::vector<Stmt> body) {
    return loop(LoopKind::Unroll, v, extent, std::move(body));
}
Stmt serial(const Var& v, std::int64_t extent, std::vector<Stmt> body) {
    return loop(LoopKind::Range, v, extent, std::move(body));
}

Var local_value(std::vector<Stmt>& into, std::string name, Expr value, DType dtype) {
    const Var made = scalar(std::move(name), dtype);
    into.push_back(allocate(made));
    into.push_back(store(load(made), std::move(value)));
    return made;
}

Var local_pointer(std::vector<Stmt>& into, std::string name, Expr place) {
    auto type = std::make_shared<PtrTypeNode>();
    type->scope = "global";
    const auto* element = as<SubscriptNode>(place);
    const auto* buffer = element != nullptr ? buffer_type(element->base) : nullptr;
    if (buffer != nullptr && buffer->dtype_text.empty()) {
        type->pointee = buffer->dtype;
        type->scope = buffer->scope;
    }
    const Var made = var(std::move(name), seal(std::move(type)));
    into.push_back(assign(made, address_of(std::move(place))));
    return made;
}

std::vector<std::string> words_after_family(std::string_view instruction) {
    std::vector<std::string> words;
    for (std::size_t begin = instruction.find('.'); begin < instruction.size();) {
        const std::size_t end = std::min(instruction.find('.', begin + 1), instruction.size());
        words.emplace_back(instruction.substr(begin + 1, end - begin - 1));
        begin = end;
    }
    return words;
}

} // namespace ls::tirx::lower
