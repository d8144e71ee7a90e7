#include "core/passes/tirx/lower_tirx_cleanup.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/dims.h"
#include "core/dialect/tirx/fold.h"
#include "core/dialect/tirx/ops.h"
#include "core/ir/equality.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/layout/operations.h"
#include "core/passes/tirx/access_offset.h"
#include "core/passes/tirx/function_pass.h"

namespace ls::tirx {

using namespace ir;

namespace {

using State = BufferTypeNode::LayoutState;

bool is_declaration(const AssignNode& a, std::string_view op) {
    const auto* c = as<CallNode>(a.value);
    return c != nullptr && c->is_op(op) && a.targets.size() == 1 && buffer_type(a.targets[0]) != nullptr;
}

class LayoutApplier final : public Mutator {
public:
    Result<Function> apply(const Function& function) {
        auto made = derive(function);
        std::vector<Stmt> flat_params;
        for (Param& p : made->params) {
            define(p.var);
            const auto* type = buffer_type(p.var);
            if (type == nullptr) continue;
            roots_[p.var.get()] = p.var;
            if (type->layout_state == State::Absent) continue;
            const Var given = p.var, flat = flattened(given, false);
            auto plain = derive(ref_as<BufferTypeNode>(given->type));
            set_layout(*plain, {});
            auto source = derive(given);
            source->type = seal(std::move(plain));
            p.var = seal(std::move(source));
            const Expr data = member(p.var, "data");
            flat_params.insert(flat_params.begin(), assign(flat, call("decl_buffer", {}, {{"data", data}})));
        }
        Seq body = mutate(function->body);
        if (refusal_) return *std::move(refusal_);
        if (flat_params.empty() && body == function->body) return function;
        if (!flat_params.empty()) {
            flat_params.insert(flat_params.end(), body->stmts.begin(), body->stmts.end());
            auto copy = derive(body);
            copy->stmts = std::move(flat_params);
            body = seal(std::move(copy));
        }
        made->body = std::move(body);
        return Function(seal(std::move(made)));
    }

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        if (refusal_) return stmt;
        if (as_tile_call(*stmt)) {
            refuse(error_at(stmt->span, "TIRX_TILE_CALL_LEFT",
                            fmt::format("the tile primitive \"{}\" was not lowered", as_tile_call(*stmt)->op),
                            "TilePrimitiveDispatch says which variants there are and why each one declined"),
                   stmt->span);
            return stmt;
        }
        const auto* a = as<AssignNode>(stmt);
        if (a == nullptr) return Mutator::on_stmt(stmt);
        const bool alloc = is_declaration(*a, "alloc_buffer");
        if (!alloc && !is_declaration(*a, "decl_buffer") && !is_declaration(*a, "match_buffer") &&
            !is_declaration(*a, "Buffer")) {
            Stmt made = Mutator::on_stmt(stmt);
            for (const Var& v : a->targets) define(v);
            return made;
        }
        return on_buffer(stmt, *a, alloc);
    }
    Var on_define(const Var& var) override {
        define(var);
        return var; // buffers are defined by on_buffer alone
    }
    Expr on_var(const Var& var) override {
        const auto found = flat_.find(var.get());
        return found == flat_.end() ? Expr(var) : Expr(found->second);
    }
    Expr on_expr(const Expr& expr) override {
        if (refusal_) return expr;
        if (const auto* m = as<MemberNode>(expr); m != nullptr && m->member == "data" && buffer_type(m->base)) {
            return data_of(expr, ref_as<VarNode>(m->base));
        }
        if (const auto* s = as<SubscriptNode>(expr); s != nullptr && buffer_type(s->base) != nullptr) {
            return access(ref_as<SubscriptNode>(expr));
        }
        return Mutator::on_expr(expr);
    }

private:
    void define(const Var& var) { visible_[var->name] = var; }
    void refuse(Diagnostic why, Span span) {
        if (refusal_) return;
        if (why.span.empty()) why.span = span;
        refusal_ = std::move(why);
    }

    Stmt on_buffer(const Stmt& stmt, const AssignNode& a, bool alloc) {
        const Var& buffer = a.targets[0];
        Var root = buffer;
        const auto* how = as<CallNode>(a.value);
        if (const auto* data = as<MemberNode>(how->kwarg("data"));
            data != nullptr && data->member == "data" && buffer_type(data->base)) {
            const auto source = roots_.find(as<VarNode>(data->base));
            if (source == roots_.end()) {
                refuse(error_at(stmt->span, "TIRX_ALIAS_ORDER",
                                fmt::format("\"{}\" is declared over the data of \"{}\", which no statement before "
                                            "it declares",
                                            buffer->name, as<VarNode>(data->base)->name),
                                "declare the source before its alias"),
                       stmt->span);
                return stmt;
            }
            root = source->second;
        }
        roots_[buffer.get()] = root;
        define(buffer);
        const Expr value = Mutator::on_expr(a.value);
        const Var flat = flattened(buffer, alloc);
        if (flat == buffer && value == a.value) return stmt;
        auto made = derive(ref_as<AssignNode>(stmt));
        made->targets = {flat};
        made->value = value;
        std::vector<Stmt> out = undefined_sources(*buffer_type(flat));
        out.push_back(seal(std::move(made)));
        return out.size() == 1 ? out[0] : Stmt(seq(std::move(out)));
    }

    /// An allocated address is left as it is, as in the reference: it names the buffer that was there before, which no
    /// statement defines any more.
    std::vector<Stmt> undefined_sources(const BufferTypeNode& type) {
        std::vector<Stmt> out;
        if (type.allocated_addr == nullptr) return out;
        for (const VarNode* v : used_vars(*type.allocated_addr)) {
            if (!flat_.contains(v) || !undefined_.insert(v).second) continue;
            const auto old = old_.find(v);
            if (old != old_.end()) out.push_back(assign(old->second, call("Buffer", {})));
        }
        return out;
    }

    Var flattened(const Var& buffer, bool alloc) {
        if (const auto found = flat_.find(buffer.get()); found != flat_.end()) return found->second;
        const BufferTypeNode& from = *buffer_type(buffer);
        const auto layout = layout_of(from);
        auto type = derive(ref_as<BufferTypeNode>(buffer->type));
        if (is_trainium_tile(layout)) {
            type->shape = trainium_shape(*layout, from.scope);
            type->strides.clear();
        } else if (alloc && layout && has_thread_axis(*layout)) {
            type->shape = {storage_extent(*layout)};
            type->strides.clear();
        } else if (from.shape.size() != 1 || !from.strides.empty()) {
            type->shape = {flat_extent(from)};
            type->strides.clear();
        }
        for (Expr& e : type->shape) e = e == nullptr ? e : known_.simplify(mutate(e));
        for (Expr& e : type->strides) e = mutate(e);
        if (type->elem_offset != nullptr) type->elem_offset = mutate(type->elem_offset);
        set_layout(*type, {});
        if (std::find(type->shape.begin(), type->shape.end(), nullptr) != type->shape.end()) {
            refuse(error("TIRX_LAYOUT_SYMBOL", fmt::format("the layout of \"{}\" has a size that no visible variable "
                                                           "gives",
                                                           buffer->name)),
                   buffer->span);
            return buffer;
        }
        const Type made = seal(std::move(type));
        if (structurally_equal(buffer->type, made)) return buffer;
        auto flat = derive(buffer);
        flat->type = made;
        const Var out = seal(std::move(flat));
        flat_[buffer.get()] = out;
        old_[buffer.get()] = buffer;
        return out;
    }

    Expr number(const Dim& dim) const {
        return to_expr(dim, [this](std::string_view name) -> Expr {
            const auto found = visible_.find(std::string(name));
            return found == visible_.end() ? nullptr : Expr(found->second);
        });
    }

    std::vector<Expr> trainium_shape(const Layout& layout, std::string_view scope) const {
        const auto part = [&](const Result<Dim>& d) { return d ? number(*d) : nullptr; };
        std::vector<Expr> shape;
        if (scope == "trn.psum") shape.push_back(part(span(layout, axes::Bank)));
        shape.push_back(part(size(layout, axes::P)));
        shape.push_back(part(span(layout, axes::F)));
        return shape;
    }

    /// What one thread holds: 1 + Σ (extent − 1)·stride over the memory axes, shard and replica, + their offsets.
    Expr storage_extent(const Layout& layout) const {
        Dim total = 1;
        const TileLayout& tile = layout.tile();
        for (const std::vector<Iter>* iters : {&tile.shard, &tile.replica}) {
            for (const Iter& i : *iters) {
                if (i.axis.is_memory()) total += (i.extent - 1) * i.stride;
            }
        }
        for (const auto& [axis, amount] : tile.offset) {
            if (axis.is_memory()) total += amount;
        }
        return number(total);
    }

    Expr data_of(const Expr& expr, const Var& buffer) {
        const auto found = roots_.find(buffer.get());
        if (found == roots_.end()) {
            refuse(error_at(expr->span, "TIRX_DATA_UNKNOWN",
                            fmt::format("the data of \"{}\" is used, and no statement before it defines the buffer",
                                        buffer->name),
                            "allocate or declare the buffer first"),
                   expr->span);
            return expr;
        }
        const Expr root = on_var(found->second);
        return root == buffer ? expr : member(root, "data", expr->span);
    }

    Expr access(const Ref<SubscriptNode>& s) {
        const BufferTypeNode& type = *buffer_type(s->base);
        const Var buffer = ref_as<VarNode>(s->base);
        std::vector<Expr> indices;
        for (const Expr& e : s->indices) indices.push_back(mutate(e));
        const Var flat = flattened(buffer, false);
        if (type.layout_state == State::Absent && type.strides.empty() && indices.size() == 1) {
            indices[0] = known_.simplify(indices[0]);
        } else if (const auto layout = layout_of(type)) {
            auto offsets = layout_indices(type, *layout, indices, visible_, known_);
            if (!offsets) {
                refuse(std::move(offsets).error(), s->span);
                return s;
            }
            indices = std::move(offsets).value();
        } else {
            indices = {known_.simplify(linear_index(type, indices))};
        }
        if (flat == buffer && indices == s->indices) return s;
        auto made = derive(s);
        made->base = flat;
        made->indices = std::move(indices);
        return seal(std::move(made));
    }

    VisibleVars visible_;
    IndexSimplifier known_;
    std::unordered_map<const VarNode*, Var> flat_;  ///< what stands for a buffer
    std::unordered_map<const VarNode*, Var> old_;   ///< keeps what flat_ is known by
    std::unordered_map<const VarNode*, Var> roots_; ///< whose memory a buffer is
    std::unordered_set<const VarNode*> undefined_;
    std::optional<Diagnostic> refusal_;
};

/// buffer_offset(flat[i]) is i, also in the offsets of declarations.
class BufferOffsetRemover final : public Mutator {
protected:
    Expr on_call(const Call& call) override {
        if (call->is_op("buffer_offset") && call->args.size() == 1) {
            const auto* load = as<SubscriptNode>(call->args[0]);
            if (load != nullptr && load->indices.size() == 1) return mutate(load->indices[0]);
        }
        return Mutator::on_call(call);
    }
    Var on_define(const Var& var) override {
        const auto* type = buffer_type(var);
        if (type == nullptr || type->elem_offset == nullptr) return var;
        const Expr offset = mutate(type->elem_offset);
        if (offset == type->elem_offset) return var;
        auto now = derive(ref_as<BufferTypeNode>(var->type));
        now->elem_offset = offset;
        auto made = derive(var);
        made->type = seal(std::move(now));
        const Var out = seal(std::move(made));
        replace(var, out);
        return out;
    }
};

} // namespace

PassResult lower_tirx_cleanup(const Module& module, const PassContext&) {
    return rewrite_functions(module, [](const Function& f) -> Result<Function> {
        LayoutApplier applier;
        LS_TRY(Function flat, applier.apply(f));
        BufferOffsetRemover remover;
        return with_body(flat, remover.mutate(flat->body));
    });
}

} // namespace ls::tirx
