#include "core/passes/tirx/flatten_buffer.h"

#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/ir/equality.h"
#include "core/ir/mutator.h"
#include "core/passes/tirx/access_offset.h"
#include "core/passes/tirx/function_pass.h"
#include "core/passes/tirx/index_simplify.h"

namespace ls::tirx {

using namespace ir;

namespace {

class BufferFlattener final : public Mutator {
public:
    Result<Function> flatten(const Function& function) {
        for (const Param& p : function->params) {
            visible_[p.var->name] = p.var;
            if (buffer_type(p.var) == nullptr) continue;
            params_.insert(p.var.get());
            define(p.var);
        }
        Seq body = mutate(function->body);
        if (refusal_) return *std::move(refusal_);
        std::vector<Stmt> rows;
        for (const Param& p : function->params) {
            if (!used_.contains(p.var.get())) continue;
            const Var& row = flat_.at(p.var.get()).row;
            if (row != p.var) rows.push_back(assign(row, call("decl_buffer", {}, {{"data", member(p.var, "data")}})));
        }
        if (!rows.empty()) {
            rows.insert(rows.end(), body->stmts.begin(), body->stmts.end());
            auto copy = derive(body);
            copy->stmts = std::move(rows);
            body = seal(std::move(copy));
        }
        return with_body(function, std::move(body));
    }

protected:
    Var on_define(const Var& var) override {
        visible_[var->name] = var;
        return var;
    }
    Expr on_var(const Var& var) override {
        const auto found = flat_.find(var.get());
        return found == flat_.end() ? Expr(var) : Expr(found->second.row);
    }

    Stmt on_stmt(const Stmt& stmt) override {
        if (refusal_) return stmt;
        note_ranges(*stmt);
        const auto* a = as<AssignNode>(stmt);
        const auto* how = a != nullptr ? as<CallNode>(a->value) : nullptr;
        const bool buffer = how != nullptr && a->targets.size() == 1 && buffer_type(a->targets[0]) != nullptr;
        if (!buffer) return Mutator::on_stmt(stmt);
        if (how->is_op("match_buffer")) {
            refuse(error_at(stmt->span, "TIRX_MATCH_BUFFER_LEFT",
                            fmt::format("\"{}\" is matched to another buffer, which no pass before this one lowered",
                                        a->targets[0]->name),
                            "declare the buffer over the other's data"),
                   stmt->span);
            return stmt;
        }
        if (how->is_op("Buffer")) return stmt; // never defined; kept as it is
        Expr value = a->value;
        const auto* data = as<MemberNode>(how->kwarg("data"));
        const bool of_param = data != nullptr && params_.contains(as<VarNode>(data->base));
        if (!of_param) value = Mutator::on_expr(a->value);
        define(a->targets[0]);
        visible_[a->targets[0]->name] = a->targets[0];
        const Var& row = flat_.at(a->targets[0].get()).row;
        if (row == a->targets[0] && value == a->value) return stmt;
        auto made = derive(ref_as<AssignNode>(stmt));
        made->targets = {row};
        made->value = value;
        return seal(std::move(made));
    }

    Expr on_expr(const Expr& expr) override {
        if (refusal_) return expr;
        if (const auto* m = as<MemberNode>(expr); m != nullptr && m->member == "data" && buffer_type(m->base)) {
            const auto* flat = lookup(ref_as<VarNode>(m->base), expr->span);
            if (flat == nullptr || flat->row == m->base) return expr;
            return member(flat->row, "data", expr->span);
        }
        if (const auto* s = as<SubscriptNode>(expr); s != nullptr && buffer_type(s->base) != nullptr) {
            return access(ref_as<SubscriptNode>(expr));
        }
        return Mutator::on_expr(expr);
    }

private:
    struct Flat {
        Ref<BufferTypeNode> geometry; ///< the buffer's own, its expressions rewritten: what indices are folded by
        Var row;
    };

    void refuse(Diagnostic why, Span span) {
        if (refusal_) return;
        if (why.span.empty()) why.span = span;
        refusal_ = std::move(why);
    }

    void note_ranges(const StmtNode& stmt) {
        if (const auto* loop = as<ForNode>(&stmt); loop != nullptr && loop->var != nullptr) {
            known_.set_loop(*loop->var, loop->start, make_binary(BinaryOp::Sub, loop->stop, loop->start));
        } else if (const auto* w = as<WithNode>(&stmt);
                   w != nullptr && w->var != nullptr && !launched_axis(*w).empty()) {
            known_.set_loop(*w->var, const_int(0, DType::Int32), launched_extent(*w));
        }
    }

    void define(const Var& buffer) {
        if (flat_.contains(buffer.get())) return;
        kept_.push_back(buffer);
        auto geometry = derive(ref_as<BufferTypeNode>(buffer->type));
        for (Expr& e : geometry->shape) e = mutate(e);
        for (Expr& e : geometry->strides) e = mutate(e);
        if (geometry->elem_offset != nullptr) geometry->elem_offset = mutate(geometry->elem_offset);
        const Ref<BufferTypeNode> folded = seal(std::move(geometry));
        auto type = derive(folded);
        if (folded->shape.size() != 1 || !folded->strides.empty()) type->shape = {flat_extent(*folded)};
        type->shape[0] = known_.simplify(type->shape[0]);
        type->strides.clear();
        type->elem_offset = nullptr;
        set_layout(*type, {});
        const Type made = seal(std::move(type));
        Var row = buffer;
        if (params_.contains(buffer.get()) || !structurally_equal(buffer->type, made)) {
            auto copy = derive(buffer);
            copy->type = made;
            row = seal(std::move(copy));
        }
        flat_.emplace(buffer.get(), Flat{folded, row});
    }

    const Flat* lookup(const Var& buffer, Span span) {
        const auto found = flat_.find(buffer.get());
        if (found == flat_.end()) {
            refuse(error_at(span, "TIRX_USE_BEFORE_DEFINITION",
                            fmt::format("\"{}\" is used, and no statement before it defines the buffer", buffer->name),
                            "allocate or declare the buffer first"),
                   span);
            return nullptr;
        }
        if (params_.contains(buffer.get())) used_.insert(buffer.get());
        return &found->second;
    }

    Expr access(const Ref<SubscriptNode>& s) {
        const Flat* flat = lookup(ref_as<VarNode>(s->base), s->span);
        if (flat == nullptr) return s;
        std::vector<Expr> indices;
        for (const Expr& e : s->indices) indices.push_back(mutate(e));
        const BufferTypeNode& type = *flat->geometry;
        const auto layout = layout_of(type);
        const bool row_already = !layout && type.strides.empty() && indices.size() == 1;
        if (layout && type.strides.empty()) {
            auto offsets = layout_indices(type, *layout, indices, visible_, known_);
            if (!offsets) {
                refuse(std::move(offsets).error(), s->span);
                return s;
            }
            indices = std::move(offsets).value();
        } else if (!row_already) {
            indices = {linear_index(type, indices)};
        }
        if (type.elem_offset != nullptr && indices.size() == 1) {
            indices[0] = make_binary(BinaryOp::Add, indices[0], type.elem_offset);
        }
        for (Expr& e : indices) e = e->kind == NodeKind::Slice ? e : known_.simplify(e);
        if (flat->row == s->base && indices == s->indices) return s;
        auto made = derive(s);
        made->base = flat->row;
        made->indices = std::move(indices);
        return seal(std::move(made));
    }

    VisibleVars visible_;
    IndexSimplifier known_;
    std::unordered_set<const VarNode*> params_, used_;
    std::unordered_map<const VarNode*, Flat> flat_;
    std::vector<Var> kept_; ///< keeps what flat_ is known by
    std::optional<Diagnostic> refusal_;
};

} // namespace

PassResult flatten_buffer(const Module& module, const PassContext&) {
    return rewrite_functions(module, [](const Function& f) -> Result<Function> {
        BufferFlattener flattener;
        return flattener.flatten(f);
    });
}

} // namespace ls::tirx
