// Definitions of buffers: T.alloc_buffer and its short forms, T.decl_buffer, views (spec/tirx.md 10).
#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/dims.h"
#include "core/dialect/tirx/printer.h"
#include "core/layout/buffer_view.h"
#include "core/layout/operations.h"

namespace ls::tirx {

using namespace ir;

namespace {

using State = BufferTypeNode::LayoutState;
constexpr int kCallee = 15; ///< binds as tightly as a name

bool same_exprs(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!same_place(a[i], b[i])) return false;
    }
    return true;
}

bool same_layout(const BufferTypeNode& a, const BufferTypeNode& b) {
    return a.layout_state == b.layout_state && a.layout == b.layout;
}

std::optional<BufferView> view_of(const BufferTypeNode& type) {
    BufferView view;
    for (const Expr& e : type.shape) {
        const auto dim = to_dim(e);
        if (!dim) return {};
        view.shape.push_back(*dim);
    }
    view.layout = layout_of(type);
    return view;
}

bool has_thread_axis(const TileLayout& tile) {
    const auto any = [](const std::vector<Iter>& iters) {
        return std::any_of(iters.begin(), iters.end(), [](const Iter& i) { return i.axis.is_thread(); });
    };
    if (any(tile.shard) || any(tile.replica)) return true;
    return std::any_of(tile.offset.begin(), tile.offset.end(),
                       [](const auto& entry) { return entry.first.is_thread(); });
}

/// The order in which `child` takes the dimensions of `parent`; nothing when it is no other order of them.
std::optional<std::vector<std::size_t>> permutation(const std::vector<Expr>& child, const std::vector<Expr>& parent) {
    if (child.size() != parent.size()) return {};
    std::vector<std::size_t> order;
    std::vector<bool> used(parent.size());
    bool identity = true;
    for (std::size_t i = 0; i < child.size(); ++i) {
        std::size_t j = 0;
        while (j < parent.size() && (used[j] || !same_place(child[i], parent[j]))) ++j;
        if (j == parent.size()) return {};
        used[j] = true;
        identity = identity && i == j;
        order.push_back(j);
    }
    return identity ? std::nullopt : std::optional(order);
}

} // namespace

void Printer::layout_of_type(const BufferTypeNode& type) {
    const auto given = tirx::layout_of(type);
    if (given) {
        layout(*given);
    } else {
        out_ += "None";
    }
}

void Printer::buffer_arguments(const BufferTypeNode& type, const ExprNode* data, std::string_view scope_given,
                               bool always_dtype, bool quote_new) {
    out_ += '(';
    for (std::size_t i = 0; i < type.shape.size(); ++i) {
        if (i > 0) out_ += ", ";
        const auto* v = as<VarNode>(type.shape[i]);
        const bool fresh = quote_new && v != nullptr && !names_.defined(*v);
        if (fresh) {
            quoted(names_.define(*v));
        } else {
            expr(*type.shape[i]);
        }
    }
    out_ += type.shape.size() == 1 ? ",)" : ")";
    if (always_dtype || type.dtype != DType::Fp32 || !type.dtype_text.empty()) {
        out_ += ", ";
        quoted(dtype_text(type));
    }
    if (data != nullptr) {
        out_ += ", data=";
        expr(*data);
    }
    if (!type.strides.empty()) {
        out_ += ", strides=";
        tuple(type.strides);
    }
    if (type.elem_offset != nullptr) {
        out_ += ", elem_offset=";
        expr(*type.elem_offset);
    }
    if (type.scope != scope_given && (type.scope != "global" || !scope_given.empty())) {
        out_ += ", scope=";
        quoted(type.scope);
    }
    if (type.align) out_ += fmt::format(", align={}", *type.align);
    if (type.offset_factor) out_ += fmt::format(", offset_factor={}", *type.offset_factor);
    if (type.layout_state != State::Default) {
        out_ += ", layout=";
        layout_of_type(type);
    }
    if (type.allocated_addr != nullptr) {
        out_ += ", allocated_addr=";
        // The element, also of a scalar: its bare name would be the buffer.
        const auto* s = as<SubscriptNode>(type.allocated_addr);
        const auto* base = s != nullptr ? as<VarNode>(s->base) : nullptr;
        if (base != nullptr) {
            out_ += names_.of(*base);
            out_ += '[';
            list(s->indices);
            out_ += ']';
        } else {
            expr(*type.allocated_addr);
        }
    }
}

void Printer::view_call(const ExprNode& parent, std::string_view method, const std::vector<Expr>& args,
                        const BufferTypeNode* with_layout) {
    expr(parent, kCallee);
    out_ += fmt::format(".{}(", method);
    list(args);
    if (with_layout != nullptr) {
        out_ += args.empty() ? "layout=" : ", layout=";
        layout_of_type(*with_layout);
    }
    out_ += ')';
}

/// A declaration over another buffer's data as the view that makes it, where one does.
bool Printer::view_sugar(const BufferTypeNode& child, const ExprNode* data) {
    const auto* m = as<MemberNode>(data);
    if (m == nullptr || m->member != "data") return false;
    const auto* parent_type = buffer_type(m->base);
    if (parent_type == nullptr || !names_.defined(*as<VarNode>(m->base))) return false;
    const BufferTypeNode& parent = *parent_type;
    if (child.scope != parent.scope || child.align != parent.align || child.offset_factor != parent.offset_factor ||
        !same_place(child.allocated_addr, parent.allocated_addr) || parent.allocated_addr != nullptr) {
        return false;
    }
    const bool same_offset = same_place(child.elem_offset, parent.elem_offset);
    const bool same_dtype = dtype_text(child) == dtype_text(parent);
    const bool same_shape = same_exprs(child.shape, parent.shape);
    const bool same_strides = same_exprs(child.strides, parent.strides);
    const auto parent_view = view_of(parent);

    // What one thread holds.
    if (same_offset && same_dtype && same_strides && parent.layout_state == State::Given &&
        !parent.layout.is_compose() && child.layout_state != State::Absent && has_thread_axis(parent.layout.tile())) {
        const bool plain = child.layout_state == State::Default;
        const auto child_view = view_of(child);
        const auto local = parent_view ? local_view(*parent_view) : Result<BufferView>(Diagnostic{});
        if (plain && local && child_view && proves_equal(product(child_view->shape), local->shape[0])) {
            const bool whole = child.shape.size() == 1;
            view_call(*m->base, "local", whole ? std::vector<Expr>{} : child.shape, nullptr);
            return true;
        }
        if (!plain && (child.layout.is_compose() || !has_thread_axis(child.layout.tile()))) {
            view_call(*m->base, "local", child.shape, &child);
            return true;
        }
    }
    // The same bits as another type.
    if (!same_dtype && child.shape.size() == parent.shape.size() && !child.shape.empty() && same_strides &&
        child.elem_offset == nullptr && parent.elem_offset == nullptr) {
        const std::int64_t from = element_bits(dtype_text(parent)), to = element_bits(dtype_text(child));
        const bool front =
            same_exprs({child.shape.begin(), child.shape.end() - 1}, {parent.shape.begin(), parent.shape.end() - 1});
        const auto last = constant(child.shape.back()), old_last = constant(parent.shape.back());
        const bool fits = front && from > 0 && to > 0 && (from % to == 0 || to % from == 0) && last && old_last &&
                          checked_mul(*last, to) && checked_mul(*last, to) == checked_mul(*old_last, from);
        bool layout_follows = child.layout_state == State::Absent && parent.layout_state == State::Absent;
        if (fits && parent_view && parent_view->layout && child.layout_state != State::Absent) {
            const auto seen = reinterpret_view(*parent_view, from, to);
            const auto own = tirx::layout_of(child);
            layout_follows = seen && seen->layout && own && *seen->layout == *own;
        }
        if (fits && layout_follows) {
            expr(*m->base, kCallee);
            out_ += ".view(";
            quoted(dtype_text(child));
            out_ += ')';
            return true;
        }
    }
    if (!same_offset || !same_dtype || same_shape || !same_strides) return false;
    // Dimensions in another order.
    if (const auto order = permutation(child.shape, parent.shape);
        order && parent.layout_state != State::Absent && child.layout_state != State::Absent && parent_view) {
        const auto seen = permute_view(*parent_view, *order);
        const auto own = tirx::layout_of(child);
        const bool tiles = own && !own->is_compose() && parent_view->layout && !parent_view->layout->is_compose();
        if (tiles && seen && seen->layout && *seen->layout == *own && own->tile().shard.size() == order->size()) {
            std::vector<Expr> args;
            for (const std::size_t i : *order) args.push_back(const_int(static_cast<std::int64_t>(i), DType::Int32));
            view_call(*m->base, "permute", args, nullptr);
            return true;
        }
    }
    // Another shape, and perhaps another layout.
    if (child.layout_state == State::Absent && parent.layout_state != State::Absent) return false;
    view_call(*m->base, "view", child.shape, same_layout(child, parent) ? nullptr : &child);
    return true;
}

/// x: T.uint32 and T.shared_scalar("uint32"); false for buffers that are no scalars.
bool Printer::scalar_definition(const AssignNode& a, const CallNode& how, const BufferTypeNode& type) {
    const VarNode& var = *a.targets[0];
    if (!is_scalar_buffer(type) || !how.kwargs.empty()) return false;
    const std::string name(names_.define(var));
    const bool taken_for_shared = shared_.vars.contains(&var) || shared_.names.contains(name);
    if (type.scope == (taken_for_shared ? "shared" : "local")) {
        out_ += fmt::format("{}: T.{}", name, dtype_text(type));
    } else if (type.scope == "shared" || type.scope == "local") {
        out_ += fmt::format("{} = T.{}_scalar(\"{}\")", name, type.scope, dtype_text(type));
    } else {
        out_ += fmt::format("{} = T.alloc_scalar(\"{}\", \"{}\")", name, dtype_text(type), type.scope);
    }
    return true;
}

void Printer::buffer_definition(const AssignNode& a, const CallNode& how, const BufferTypeNode& type) {
    const VarNode& var = *a.targets[0];
    const bool alloc = how.op == "alloc_buffer", decl = how.op == "decl_buffer";
    if (alloc && scalar_definition(a, how, type)) return;
    const ExprNode* data = how.kwarg("data");
    // The right side is printed first: it may use another variable of this name.
    std::string before = std::exchange(out_, {});
    if (!decl || !view_sugar(type, data)) {
        std::string_view name = how.op, scope;
        if (alloc && (type.scope == "shared" || type.scope == "local")) {
            name = type.scope == "shared" ? "alloc_shared" : "alloc_local";
            scope = type.scope;
        }
        out_ += fmt::format("T.{}(", name);
        for (const Expr& e : how.args) {
            expr(*e);
            out_ += ", ";
        }
        buffer_arguments(type, data, scope, false, how.op == "match_buffer");
        for (const KeyValue& k : how.kwargs) {
            if (k.key == "data") continue;
            out_ += fmt::format(", {}=", k.key);
            expr(*k.value);
        }
        out_ += ')';
    }
    const std::string right = std::exchange(out_, std::move(before));
    out_ += names_.define(var);
    out_ += " = ";
    out_ += right;
}

} // namespace ls::tirx
