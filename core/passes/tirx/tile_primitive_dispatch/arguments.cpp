// From the IR's tile call to the dispatcher's: regions as operands, settings as values.
#include <fmt/format.h>

#include "core/dialect/tirx/tirx.h"
#include "core/passes/tirx/tile_primitive_dispatch/lowering.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

Operand operand_of(const Region& region, Symbols& symbols) {
    const BufferTypeNode& type = *buffer_type(region.buffer);
    Operand operand;
    operand.name = region.buffer->name;
    operand.scope = type.scope;
    operand.dtype = type.dtype;
    for (const Expr& e : type.shape) operand.shape.push_back(symbols.dim(e));
    for (std::size_t d = 0; d < region.begin.size(); ++d) {
        operand.region.push_back({symbols.dim(region.begin[d]), symbols.dim(region.extent[d])});
    }
    operand.layout = layout_of(type);
    if (type.elem_offset != nullptr) operand.elem_offset = symbols.dim(type.elem_offset);
    operand.allocated = type.scope != "tmem" || type.allocated_addr != nullptr;
    return operand;
}

ConfigValue config_value(const Expr& value) {
    if (const auto* b = as<ConstBoolNode>(value)) return b->value;
    if (const auto* s = as<StringNode>(value)) return s->value;
    if (const auto* f = as<ConstFloatNode>(value)) return f->value;
    if (const auto* i = as<ConstIntNode>(value)) {
        if (i->dtype == DType::Bool) return i->value != 0;
        return i->value;
    }
    return Opaque{print(*value)};
}

Result<Argument> argument(const Expr& value, Symbols& symbols, std::string_view op, std::size_t index) {
    if (value == nullptr || value->kind == NodeKind::None) return Argument();
    if (const auto region = region_of(value)) {
        const auto* type = buffer_type(region->buffer);
        if (region->begin.size() != type->shape.size()) {
            return error("TIRX_TILE_ARGUMENT",
                         fmt::format("argument {} of {} gives {} indices to \"{}\", which has {} dimensions", index, op,
                                     region->begin.size(), region->buffer->name, type->shape.size()),
                         "give one index or range for each dimension");
        }
        return Argument(operand_of(*region, symbols));
    }
    const ConfigValue plain = config_value(value);
    if (const auto* b = std::get_if<bool>(&plain)) return Argument(*b);
    if (const auto* i = std::get_if<std::int64_t>(&plain)) return Argument(*i);
    if (const auto* f = std::get_if<double>(&plain)) return Argument(*f);
    if (const auto* o = std::get_if<Opaque>(&plain)) return Argument(*o);
    return Argument(Opaque{print(*value)});
}

/// A condition and a tensor, or a list of such pairs.
void add_selectors(const ExprNode* value, Symbols& symbols, std::vector<Operand>& out) {
    const auto* list = as<TupleNode>(value);
    if (list == nullptr) return;
    for (const Expr& e : list->elements) {
        if (const auto region = region_of(e)) {
            out.push_back(operand_of(*region, symbols));
        } else {
            add_selectors(e.get(), symbols, out);
        }
    }
}

} // namespace

std::optional<Region> Lowering::region(std::size_t index) const {
    return index < tile.args().size() ? region_of(tile.args()[index]) : std::nullopt;
}

Var Lowering::buffer(std::size_t index) const {
    const auto part = region(index);
    return part ? part->buffer : nullptr;
}

Expr Lowering::setting(std::string_view key) const {
    for (const KeyValue& entry : tile.call->kwargs) {
        if (entry.key == key && entry.value->kind != NodeKind::None) return entry.value;
    }
    return nullptr;
}

Result<DispatchCall> dispatch_call(const TileCall& tile, Symbols& symbols) {
    DispatchCall out;
    out.op = std::string(tile.op);
    out.text = print(*tile.call);
    if (tile.dispatch) out.dispatch = std::string(*tile.dispatch);
    for (std::size_t i = 0; i < tile.args().size(); ++i) {
        LS_TRY(Argument value, argument(tile.args()[i], symbols, tile.op, i));
        out.args.push_back(std::move(value));
    }
    const bool reduces = tile.op == "sum" || tile.op == "max" || tile.op == "min";
    if (reduces && tile.args().size() > 2) {
        const auto* axes = as<TupleNode>(tile.args()[2]);
        const std::vector<Expr> list = axes != nullptr ? axes->elements : std::vector<Expr>{tile.args()[2]};
        for (const Expr& e : list) {
            if (const auto axis = constant(e)) out.axes.push_back(*axis);
        }
    }
    for (const KeyValue& entry : tile.call->kwargs) {
        if (entry.value->kind == NodeKind::None) continue;
        if (entry.key == "src_selector") {
            add_selectors(entry.value.get(), symbols, out.selectors);
        } else if (const auto* list = as<TupleNode>(entry.value); entry.key == "gather4" && list != nullptr) {
            for (const Expr& e : list->elements) out.gather4.push_back(print(*e));
        } else {
            out.config.emplace(entry.key, config_value(entry.value));
        }
    }
    return out;
}

} // namespace ls::tirx::lower
