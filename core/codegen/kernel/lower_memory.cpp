// What reads and writes global memory.
#include <algorithm>

#include <fmt/format.h>

#include "core/codegen/kernel/lowering.h"

namespace ls::codegen {

namespace {

std::string lower_case(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

/// A mode given as a symbol (pl.AtomicType.Add), a string or a number; empty when it is not given.
std::string mode_text(const ir::ExprNode* value) {
    if (value == nullptr) return {};
    if (const auto* symbol = ir::as<ir::SymbolNode>(value)) return lower_case(symbol->last());
    if (const auto* text = ir::as<ir::StringNode>(value)) return lower_case(text->value);
    if (const auto* number = ir::as<ir::ConstIntNode>(value)) return std::to_string(number->value);
    if (const auto* truth = ir::as<ir::ConstBoolNode>(value)) return truth->value ? "1" : "0";
    return "?";
}

} // namespace

std::vector<ir::Expr> Lowering::elements_of(const ir::Expr& expr) {
    const auto* tuple = ir::as<ir::TupleNode>(expr);
    return tuple == nullptr ? std::vector<ir::Expr>{} : tuple->elements;
}

ir::Expr Lowering::argument(const ir::CallNode& call, std::size_t position, std::string_view key) {
    if (position < call.args.size()) return call.args[position];
    for (const ir::KeyValue& kw : call.kwargs) {
        if (kw.key == key) return kw.value;
    }
    return {};
}

Result<std::size_t> Lowering::tensor(const ir::CallNode& call, const ir::Expr& expr) {
    const auto* var = ir::as<ir::VarNode>(expr);
    const auto found = var == nullptr ? tensors_.end() : tensors_.find(var);
    if (found == tensors_.end()) {
        return at(call, "CG_TENSOR", "the tensor is not a parameter of the kernel", "pass it as a parameter; slices of it are windows of loads and stores");
    }
    kernel_.tensors[found->second].used = true;
    return found->second;
}

Result<Window> Lowering::window(const ir::CallNode& call, const ir::Expr& tensor_expr, const ir::Expr& offsets, std::vector<ir::Expr> sizes, Body& out) {
    Window made;
    LS_TRY(made.tensor, tensor(call, tensor_expr));
    const std::size_t rank = kernel_.tensors[made.tensor].shape.size();
    const std::vector<ir::Expr> begins = elements_of(offsets);
    if (rank == 0) return at(call, "CG_TYPE", fmt::format("{} has no dimensions to take a window of", kernel_.tensors[made.tensor].name), "read it with tensor.read");
    // Leading dimensions that a 2-D partition does not name are taken one by one.
    if (sizes.size() < rank) sizes.insert(sizes.begin(), rank - sizes.size(), ir::const_int(1));
    if (begins.size() != rank || sizes.size() != rank) {
        return at(call, "CG_TYPE", fmt::format("{} offsets and {} sizes for a tensor of rank {}", begins.size(), sizes.size(), rank), "give one for each dimension");
    }
    for (std::size_t d = 0; d < rank; ++d) {
        LS_TRY(Scalar begin, scalars_.clamped(begins[d], out));
        made.offsets.push_back(std::move(begin));
    }
    for (std::size_t d = 0; d < rank; ++d) {
        LS_TRY(Scalar size, scalars_.lower_index(sizes[d], out));
        made.sizes.push_back(std::move(size));
    }
    return made;
}

Status Lowering::load(const ir::CallNode& call, const ir::VarNode* target, Body& out) {
    if (target == nullptr || call.args.size() < 3) return at(call, "CG_OP", "a load needs a tensor, offsets, shapes and a result", "assign it to a tile");
    const std::vector<ir::Expr> valid = elements_of(argument(call, 3, "valid_shape"));
    LS_TRY(const TileId id, make_tile(*target, out));
    LS_TRY(Window from, window(call, call.args[0], call.args[1], valid.empty() ? elements_of(call.args[2]) : valid, out));
    const std::string name = names_.take(kernel_.tensors[from.tensor].name + "_pview");
    out.push_back({Load{std::move(from), id, name}, current_});
    return ok_status();
}

Status Lowering::store(const ir::CallNode& call, const ir::VarNode* target, Body& out) {
    if (call.args.size() < 3) return at(call, "CG_OP", "a store needs a tile, offsets and a tensor", "see tile.store");
    LS_TRY(const TileId id, operand(call, 0, out));
    LS_TRY(const std::size_t into, tensor(call, call.args[2]));
    std::vector<ir::Expr> sizes = elements_of(argument(call, 3, "shapes"));
    // The partition of a plain 2-D tensor is what is valid of the tile; a fourth operand says it for the others.
    if (sizes.empty() || kernel_.tensors[into].shape.size() <= 2) {
        const auto* var = ir::as<ir::VarNode>(call.args[0]);
        sizes = ir::effective_view(*ir::as<ir::TileTypeNode>(var->type)).valid_shape;
        if (sizes.size() > kernel_.tensors[into].shape.size()) sizes.erase(sizes.begin(), sizes.end() - static_cast<std::ptrdiff_t>(kernel_.tensors[into].shape.size()));
    }
    LS_TRY(Window to, window(call, call.args[2], call.args[1], std::move(sizes), out));
    kernel_.tensors[to.tensor].written = true;
    if (target != nullptr) tensors_[target] = to.tensor;
    Store made{id, std::move(to), {}, {}, {}, false, {}};
    made.name = names_.take(kernel_.tensors[made.window.tensor].name + "_pview");
    const std::string phase = mode_text(call.kwarg("st_phase"));
    if (phase == "partial" || phase == "final") {
        made.phase = phase;
    } else if (!phase.empty() && phase != "unspecified") {
        return at(call, "CG_OP", fmt::format("{} is no phase of a store", phase), "use unspecified, partial or final");
    }
    const std::string atomic = mode_text(call.kwarg("atomic"));
    if (atomic == "add" || atomic == "1") {
        made.atomic = "add";
    } else if (!atomic.empty() && atomic != "none" && atomic != "0") {
        return at(call, "CG_OP", fmt::format("an atomic store cannot {}", atomic), "use none or add");
    }
    const std::string relu = mode_text(call.kwarg("relu_pre_mode"));
    made.relu = !relu.empty() && relu != "no_relu" && relu != "norelu" && relu != "0";
    if (const ir::Expr quant = argument(call, call.args.size(), "pre_quant_scalar"); quant != nullptr) {
        LS_TRY(const Scalar word, scalars_.lower(quant, out));
        made.pre_quant = scalars_.convert(word, DType::Int64, out);
    }
    if ((made.relu || made.pre_quant) && kernel_.tiles[id].space != ir::TileSpace::Acc) {
        return at(call, "CG_OP", fmt::format("{} is in {}; only the way out of Acc (L0C) quantizes or cuts off negatives", kernel_.tiles[id].name, ir::name(kernel_.tiles[id].space)),
                  "use tile.relu or tile.cast before the store");
    }
    out.push_back({std::move(made), current_});
    return ok_status();
}

/// Distance of one element from the tensor's base, in elements.
Result<Scalar> Lowering::element_index(const ir::CallNode& call, std::size_t tensor, Body& out) {
    const std::vector<ir::Expr> indices = elements_of(argument(call, 1, "indices"));
    const std::size_t rank = kernel_.tensors[tensor].shape.size();
    if (indices.size() != rank || rank == 0) {
        return at(call, "CG_TYPE", fmt::format("{} indices for a tensor of rank {}", indices.size(), rank), "give one for each dimension");
    }
    std::optional<Scalar> sum;
    for (std::size_t d = 0; d < rank; ++d) {
        LS_TRY(const Scalar index, scalars_.lower_index(indices[d], out));
        const Scalar stride = kernel_.tensors[tensor].strides[d];
        const Scalar term = stride.value == 1 ? index : scalars_.compute("muli", {index, stride}, out);
        if (term.value == 0 && d + 1 < rank) continue;
        sum = sum ? scalars_.compute("addi", {*sum, term}, out) : term;
    }
    return *sum;
}

Status Lowering::read_element(const ir::CallNode& call, const ir::VarNode& target, Body& out) {
    if (call.args.empty()) return at(call, "CG_OP", "a read needs a tensor and indices", "see tensor.read");
    LS_TRY(const std::size_t from, tensor(call, call.args[0]));
    LS_TRY(const Scalar index, element_index(call, from, out));
    Scalar value{names_.take(target.name), {}, {}, kernel_.tensors[from].dtype, false};
    out.push_back({LoadScalar{value.name, from, index}, current_});
    value = scalars_.bridged(value, out);
    if (const auto* type = ir::as<ir::ScalarTypeNode>(target.type)) value = scalars_.convert(value, type->dtype, out);
    scalars_.bind(target, std::move(value));
    return ok_status();
}

Status Lowering::write_element(const ir::CallNode& call, const ir::VarNode* target, Body& out) {
    if (call.args.size() < 3) return at(call, "CG_OP", "a write needs a tensor, indices and a value", "see tensor.write");
    LS_TRY(const std::size_t to, tensor(call, call.args[0]));
    LS_TRY(const Scalar index, element_index(call, to, out));
    LS_TRY(const Scalar value, scalars_.lower(call.args[2], out));
    kernel_.tensors[to].written = true;
    if (target != nullptr) tensors_[target] = to;
    out.push_back({StoreScalar{scalars_.unbridged(scalars_.convert(value, kernel_.tensors[to].dtype, out), out), to, index}, current_});
    return ok_status();
}

} // namespace ls::codegen
