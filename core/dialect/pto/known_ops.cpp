// Operations that are more than their words: numbers become expressions, tiles get their addresses, views their extents.
#include <array>

#include <fmt/format.h>

#include "core/dialect/pto/arith_names.h"
#include "core/dialect/pto/parser.h"
#include "core/dialect/pto/types.h"
#include "core/ir/walk.h"

namespace ls::pto {

using namespace ir;

namespace {

/// `cmpi slt, ...`: the predicate is the first word of the form.
std::string_view predicate(std::string_view form) {
    const std::size_t comma = form.find(',');
    return comma == std::string_view::npos || form.empty() ? std::string_view{} : form.substr(1, comma - 1);
}

} // namespace

Expr Parser::resolved(const Expr& value) const {
    const auto* var = as<VarNode>(value);
    const auto found = var == nullptr ? constants_.end() : constants_.find(var);
    return found == constants_.end() || as<ConstIntNode>(found->second) == nullptr ? value : found->second;
}

std::vector<Expr> Parser::resolved_elements(const Expr& tuple) const {
    std::vector<Expr> out;
    if (const auto* list = as<TupleNode>(tuple)) {
        for (const Expr& e : list->elements) out.push_back(resolved(e));
    }
    return out;
}

Expr Parser::known_value(const Generic& g, const std::string& form, const std::vector<TypeText>& types) {
    if (types.size() != 1 || g.quoted || !g.attributes.empty() || !g.regions.empty()) return {};
    const Span span = span_from(g.first);
    if (g.args.size() == 2 && form == " $0, $1 : $r0") {
        if (const auto op = binary_from_arith(g.op)) return binary(*op, g.args[0], g.args[1], span);
    }
    if (g.op == "arith.cmpi" && g.args.size() == 2 && form.ends_with(", $0, $1 : $t0")) {
        if (const auto op = compare_from_predicate(predicate(form))) return binary(*op, g.args[0], g.args[1], span);
    }
    if (g.op == "arith.index_cast" && g.args.size() == 1 && form == " $0 : $t0 to $r0") {
        if (const auto* scalar = as<ScalarTypeNode>(types[0].type)) return cast(g.args[0], scalar->dtype, span);
    }
    if (g.op == "arith.select" && g.args.size() == 3 && form == " $0, $1, $2 : $r0") {
        return select(g.args[0], g.args[1], g.args[2], span);
    }
    return {};
}

/// addr = %a valid_row = %r valid_col = %c become keyword arguments; what they say goes into the tile's type.
bool Parser::refine_alloc(Generic& g, std::string& form, std::vector<TypeText>& types) {
    constexpr std::array<std::string_view, 3> kNames{"addr", "valid_row", "valid_col"};
    std::array<Expr, 3> given;
    std::string usual;
    std::size_t used = 0;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        const std::string one = fmt::format(" {} = ${}", kNames.at(i), used);
        if (used >= g.args.size() || form.compare(usual.size(), one.size(), one) != 0) continue;
        usual += one;
        given.at(i) = g.args[used++];
    }
    const auto* tile = types.size() == 1 ? as<TileTypeNode>(types[0].type) : nullptr;
    if (used != g.args.size() || tile == nullptr) return false;

    auto placed = std::make_shared<TileTypeNode>(*tile);
    if (given[0] != nullptr) {
        MemRef memref;
        memref.base = string(std::string(name(tile->space.value_or(TileSpace::Vec))));
        memref.byte_offset = resolved(given[0]);
        placed->memref = std::move(memref);
    }
    for (std::size_t axis = 0; axis < 2; ++axis) {
        Expr& extent = placed->view->valid_shape[axis];
        if (!constant(extent) && given.at(axis + 1) != nullptr) extent = given.at(axis + 1);
    }
    types[0].type = seal(std::move(placed));
    form.erase(0, usual.size());
    g.args.clear();
    std::vector<KeyValue> kwargs;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (given.at(i) != nullptr) kwargs.push_back({std::string(kNames.at(i)), given.at(i)});
    }
    g.attributes.insert(g.attributes.begin(), kwargs.begin(), kwargs.end());
    return true;
}

/// The types of tensor views say `?`; the operation knows better.
void Parser::refine_view(const Generic& g, std::vector<TypeText>& types) {
    if (types.size() != 1 || types[0].type == nullptr || g.args.size() != 3) return;
    const bool whole = g.op == "pto.make_tensor_view";
    if (!whole && g.op != "pto.partition_view") return;
    const auto written = shaped_text(*types[0].text, whole ? "tensor_view" : "partition_tensor_view");
    const auto dtype = written ? pto_dtype(written->element) : std::nullopt;
    const auto* first = as<TupleNode>(g.args[1]);
    const auto* second = as<TupleNode>(g.args[2]);
    if (!dtype || first == nullptr || second == nullptr) return;
    const Span span = span_from(g.first);
    if (first->elements.size() != second->elements.size()) {
        warn(span, "PTO_RANK",
             fmt::format("{} {} and {} {}", first->elements.size(), whole ? "extents" : "offsets",
                         second->elements.size(), whole ? "strides" : "sizes"),
             "write one of each for every dimension");
        return;
    }
    const std::size_t rank = first->elements.size();
    if (written->dims.size() != rank) {
        warn(span, "PTO_RANK",
             fmt::format("the type {} has {} dimensions, the operation names {}", *types[0].text, written->dims.size(),
                         rank),
             "the ranks of a view, of its type and of its windows must agree");
    }
    auto made = std::make_shared<TensorTypeNode>();
    made->span = span;
    made->dtype = *dtype;
    if (whole) {
        made->shape = resolved_elements(g.args[1]);
        TensorView view;
        view.stride = resolved_elements(g.args[2]);
        if (const auto* layout = as<ir::SymbolNode>(attribute(g.attributes, "layout"))) {
            const std::string_view text = layout->name;
            const std::size_t open = text.find('<');
            for (const TensorOrder order : {TensorOrder::ND, TensorOrder::DN, TensorOrder::NZ, TensorOrder::MX_A_ZZ,
                                            TensorOrder::MX_B_NN}) {
                if (open != std::string_view::npos && text.substr(open) == fmt::format("<{}>", layout_name(order))) {
                    view.order = order;
                }
            }
        }
        made->view = std::move(view);
    } else {
        for (std::size_t d = 0; d < rank; ++d) {
            const bool number = d < written->dims.size() && written->dims[d] >= 0;
            made->shape.push_back(number ? const_int(written->dims[d]) : second->elements[d]);
        }
    }
    types[0].type = seal(std::move(made));
}

std::optional<Transfer> transfer_of(const CallNode& call) {
    const bool load = call.is_op("pto.tload");
    if ((!load && !call.is_op("pto.tstore")) || call.args.size() < 2) return {};
    Transfer out;
    out.load = load;
    out.partition = ref_as<VarNode>(load ? call.args.front() : call.args.back());
    out.tile = ref_as<VarNode>(load ? call.args.back() : call.args.front());
    return out.partition == nullptr || out.tile == nullptr ? std::nullopt : std::optional(std::move(out));
}

Definitions definitions_of(const FunctionNode& function) {
    Definitions found;
    for_each_stmt(function, [&](const StmtNode& s) {
        const auto* assign = as<AssignNode>(&s);
        if (assign != nullptr && assign->targets.size() == 1) found.emplace(assign->targets[0].get(), assign->value);
    });
    return found;
}

Expr resolved(const Expr& value, const Definitions& definitions) {
    const auto* var = as<VarNode>(value);
    const auto found = var == nullptr ? definitions.end() : definitions.find(var);
    return found == definitions.end() || !constant(found->second) ? value : found->second;
}

const ExprNode* attribute(const std::vector<KeyValue>& attributes, std::string_view name) {
    for (const KeyValue& one : attributes) {
        if (one.key == name) return one.value.get();
        if (one.key.size() == name.size() + 2 && one.key.front() == '"' && one.key.compare(1, name.size(), name) == 0) {
            return one.value.get();
        }
    }
    return nullptr;
}

} // namespace ls::pto
