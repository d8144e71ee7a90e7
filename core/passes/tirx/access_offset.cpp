#include "core/passes/tirx/access_offset.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/dialect/tirx/dims.h"
#include "core/dialect/tirx/fold.h"
#include "core/layout/operations.h"
#include "core/passes/tirx/same_value.h"

namespace ls::tirx {

using namespace ir;

namespace {

Expr int32(std::int64_t value) { return const_int(value, DType::Int32); }

/// Index expressions as numbers of the layout algebra and back. What the algebra has no form for is a symbol of its
/// own, with the range that is known of it.
class DimNames {
public:
    DimNames(const VisibleVars& visible, const IndexSimplifier& known) : visible_(visible), known_(known) {}

    Dim dim(const Expr& e) {
        if (const auto value = constant(e)) return *value;
        if (const auto* b = as<BinaryNode>(e); b != nullptr && is_index_dtype(expr_dtype(e))) {
            switch (b->op) {
            case BinaryOp::Add: return dim(b->lhs) + dim(b->rhs);
            case BinaryOp::Sub: return dim(b->lhs) - dim(b->rhs);
            case BinaryOp::Mul: return dim(b->lhs) * dim(b->rhs);
            case BinaryOp::FloorDiv:
                if (const auto d = constant(b->rhs); d && *d > 0) return floor_div(dim(b->lhs), *d);
                break;
            case BinaryOp::Mod:
                if (const auto d = constant(b->rhs); d && *d > 0) return floor_mod(dim(b->lhs), *d);
                break;
            default: break;
            }
        }
        return symbol(e);
    }
    /// One symbol, or a number.
    Dim symbol(const Expr& e) {
        if (const auto value = constant(e)) return *value;
        const auto* v = as<VarNode>(e);
        const auto found = v != nullptr ? visible_.find(v->name) : visible_.end();
        const bool named = found != visible_.end() && found->second == e;
        const std::string name = named ? v->name : fmt::format("${}", numbers_.of(e));
        if (!named) own_.emplace(name, e);
        const ValueRange r = known_.range(e);
        const auto end = [](std::int64_t value) {
            const bool open = value == ValueRange::kOpenLow || value == ValueRange::kOpenHigh;
            return open ? std::optional<std::int64_t>{} : std::optional(value);
        };
        return Dim::symbol(name, end(r.lo), end(r.hi));
    }
    Expr expr(const Dim& d) const {
        return to_expr(d, [this](std::string_view name) -> Expr {
            const std::string text(name);
            if (const auto own = own_.find(text); own != own_.end()) return own->second;
            const auto found = visible_.find(text);
            return found == visible_.end() ? nullptr : Expr(found->second);
        });
    }

private:
    const VisibleVars& visible_;
    const IndexSimplifier& known_;
    ValueNumbers numbers_;
    std::unordered_map<std::string, Expr> own_;
};

/// The whole swizzle of m as the layout algebra writes it: what it falls back to.
Dim swizzled(const ComposeLayout& p, const Dim& m) {
    const std::int64_t mask = (std::int64_t{1} << p.swizzle_len) - 1, unit = std::int64_t{1} << p.per_element;
    const Dim q = floor_div(m, unit);
    const Dim other = p.swizzle_inner ? shift_right(bit_and(q, mask << p.atom_len), p.atom_len)
                                      : shift_left(bit_and(q, mask), p.atom_len);
    return shift_left(bit_xor(q, other), p.per_element) + floor_mod(m, unit);
}

Expr let_in(const Var& name, Expr value, Expr body) {
    return call("Let", {std::move(value), lambda({name}, std::move(body))});
}

/// Let m = ...; q = m // 2^M; ((q ^ ((q & outer) >> S)) << M) + m % 2^M: each long value is computed once.
Expr swizzled_let(const ComposeLayout& p, Expr m) {
    const std::int64_t mask = (std::int64_t{1} << p.swizzle_len) - 1, unit = std::int64_t{1} << p.per_element;
    const Var vm = var("compose_m", scalar_type(DType::Int32)), vq = var("compose_q", scalar_type(DType::Int32));
    const Expr part = binary(BinaryOp::BitAnd, vq, int32(p.swizzle_inner ? mask << p.atom_len : mask));
    const Expr moved = binary(p.swizzle_inner ? BinaryOp::Shr : BinaryOp::Shl, part, int32(p.atom_len));
    const Expr high = binary(BinaryOp::Shl, binary(BinaryOp::BitXor, vq, moved), int32(p.per_element));
    const Expr address = make_binary(BinaryOp::Add, high, make_binary(BinaryOp::Mod, vm, int32(unit)));
    return let_in(vm, std::move(m), let_in(vq, make_binary(BinaryOp::FloorDiv, vm, int32(unit)), address));
}

Diagnostic not_one(const BufferTypeNode&, const AxisMap& axes) {
    std::string names;
    for (const auto& [axis, amount] : axes) names += (names.empty() ? "" : ", ") + std::string(axis.name());
    return error("TIRX_NOT_ONE_OFFSET",
                 fmt::format("the layout gives {} coordinates ({}) for this access, and an address is one number",
                             axes.size(), names.empty() ? "none" : names),
                 "tensor memory is read and written by tcgen05 instructions, not by index");
}

} // namespace

bool has_thread_axis(const Layout& layout) {
    const auto& shard = layout.tile().shard;
    return !layout.is_compose() &&
           std::any_of(shard.begin(), shard.end(), [](const Iter& i) { return i.axis.is_thread(); });
}

bool is_trainium_tile(const std::optional<Layout>& layout) {
    return layout && !layout->is_compose() && is_trainium(*layout);
}

Result<std::vector<Expr>> layout_indices(const BufferTypeNode& type, const Layout& layout,
                                         const std::vector<Expr>& indices, const VisibleVars& visible,
                                         IndexSimplifier& known) {
    for (const Expr& index : indices) {
        if (index->kind != NodeKind::Slice) continue;
        return error_at(index->span, "TIRX_VECTOR_INDEX", "a vector of elements has no single address in a layout",
                        "write the elements one by one, or take a flat view first");
    }
    const bool trainium = is_trainium_tile(layout);
    if (!trainium && has_thread_axis(layout)) {
        return error(
            "TIRX_THREAD_AXIS_ACCESS",
            "an element of a buffer that is spread over threads is accessed by its coordinate, and nothing "
            "shows that the coordinate is this thread's",
            "take .local() of it (after .view() where the shape must change) and index what this thread holds");
    }
    DimNames names(visible, known);
    std::vector<Dim> at, shape;
    // A swizzle asks what a coordinate is made of; everything else keeps it whole, and its terms in their order.
    for (const Expr& e : indices) at.push_back(layout.is_compose() ? names.dim(e) : names.symbol(e));
    for (const Expr& e : type.shape) shape.push_back(names.dim(e));
    if (at.size() != shape.size()) {
        return error("TIRX_RANK", fmt::format("{} indices for a buffer of {} dimensions", at.size(), shape.size()));
    }
    Layout flat = layout;
    if (!trainium) {
        LS_TRY(Layout canonical, canonicalize(layout));
        flat = std::move(canonical);
    }
    const auto put = [&](const Dim& d) -> Result<Expr> {
        const Expr e = names.expr(d);
        if (e == nullptr) {
            return error("TIRX_LAYOUT_SYMBOL",
                         fmt::format("the offset {} names a variable that is not visible here", to_string(d)));
        }
        return known.simplify(e);
    };
    if (const ComposeLayout* compose = flat.compose(); compose != nullptr && compose->swizzle_len != 0) {
        LS_TRY(AxisMap mapped, apply(Layout(compose->tile), at, shape));
        if (mapped.size() != 1) return not_one(type, mapped);
        const Dim m = mapped.begin()->second;
        LS_TRY(AxisMap address, apply(flat, at, shape));
        const Dim& structured = address.begin()->second;
        const bool grouped = group(compose->tile, shape).ok();
        if (!m.is_constant() && (!grouped || structured == swizzled(*compose, m))) {
            LS_TRY(Expr linear, put(m));
            return std::vector<Expr>{known.simplify(swizzled_let(*compose, linear))};
        }
        LS_TRY(Expr offset, put(structured));
        return std::vector<Expr>{offset};
    }
    LS_TRY(AxisMap mapped, apply(flat, at, shape));
    std::vector<Expr> out;
    if (trainium) {
        const bool psum = type.scope == "trn.psum";
        for (const std::string_view axis : {"Bank", "P", "F"}) {
            if (axis == "Bank" && !psum) continue;
            LS_TRY(Expr e, put(mapped.get(Axis::named(axis))));
            out.push_back(std::move(e));
        }
        return out;
    }
    if (mapped.size() != 1) return not_one(type, mapped);
    LS_TRY(Expr offset, put(mapped.begin()->second));
    out.push_back(std::move(offset));
    return out;
}

Expr linear_index(const BufferTypeNode& type, const std::vector<Expr>& indices) {
    Expr total = int32(0);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (type.strides.size() == indices.size()) {
            total = make_binary(BinaryOp::Add, total, make_binary(BinaryOp::Mul, indices[i], type.strides[i]));
        } else if (i < type.shape.size()) {
            total = make_binary(BinaryOp::Add, make_binary(BinaryOp::Mul, total, type.shape[i]), indices[i]);
        }
    }
    return total;
}

Expr flat_extent(const BufferTypeNode& type) {
    if (!type.strides.empty() && !type.shape.empty()) return make_binary(BinaryOp::Mul, type.strides[0], type.shape[0]);
    Expr total = int32(1);
    for (const Expr& e : type.shape) total = make_binary(BinaryOp::Mul, total, e);
    return total;
}

} // namespace ls::tirx
