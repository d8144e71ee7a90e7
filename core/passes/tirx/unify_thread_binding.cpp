#include "core/passes/tirx/unify_thread_binding.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/dialect/tirx/fold.h"
#include "core/dialect/tirx/tirx.h"
#include "core/ir/mutator.h"
#include "core/passes/tirx/function_pass.h"
#include "core/passes/tirx/index_simplify.h"
#include "core/passes/tirx/same_value.h"

namespace ls::tirx {

using namespace ir;

namespace {

/// "threadIdx.x" is called threadIdx_x.
std::string variable_name(std::string_view axis) {
    std::string name(axis);
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
}

class ThreadBindingUnifier final : public Mutator {
public:
    std::optional<Diagnostic> refusal;

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        if (const auto* w = as<WithNode>(stmt)) {
            if (const auto axis = launched_axis(*w); !axis.empty()) {
                const DType dtype = expr_dtype(launched_extent(*w)).value_or(DType::Int32);
                return bound(stmt, axis, w->var, const_int(0, dtype), launched_extent(*w), w->body);
            }
        }
        const auto* loop = as<ForNode>(stmt);
        if (loop == nullptr || loop->loop != LoopKind::ThreadBinding) return Mutator::on_stmt(stmt);
        const auto thread =
            std::find_if(loop->kwargs.begin(), loop->kwargs.end(), [](const KeyValue& k) { return k.key == "thread"; });
        const auto* axis = thread != loop->kwargs.end() ? as<StringNode>(thread->value) : nullptr;
        if (axis == nullptr) return Mutator::on_stmt(stmt);
        const Expr extent = make_binary(BinaryOp::Sub, loop->stop, loop->start);
        Stmt made = bound(stmt, axis->value, loop->var, loop->start, extent, loop->body);
        return with_annotations(*loop, std::move(made));
    }

private:
    struct Binding {
        std::string axis;
        Var var;
        Expr start, extent;
        Stmt from;
    };

    static Expr annotations_of(const ForNode& loop) {
        for (const KeyValue& k : loop.kwargs) {
            if (k.key == "annotations") return k.value;
        }
        return nullptr;
    }

    /// What was said of a loop that is no loop any more is said of the outermost one, or of a loop of one iteration.
    Stmt with_annotations(const ForNode& loop, Stmt made) {
        const Expr annotations = annotations_of(loop);
        if (annotations == nullptr) return made;
        const auto* seq_made = as<SeqNode>(made);
        const Stmt first = seq_made != nullptr && seq_made->stmts.size() == 1 ? seq_made->stmts[0] : made;
        std::shared_ptr<ForNode> out;
        if (as<ForNode>(first) != nullptr) {
            out = derive(ref_as<ForNode>(first));
            std::erase_if(out->kwargs, [](const KeyValue& k) { return k.key == "annotations"; });
        } else {
            out = std::make_shared<ForNode>();
            out->var = var("var", loop.var->type);
            out->start = const_int(0, DType::Int32);
            out->stop = out->step = const_int(1, DType::Int32);
            out->body = seq_made != nullptr ? ref_as<SeqNode>(made) : seq({made});
        }
        out->kwargs.push_back({"annotations", annotations});
        return seal(std::move(out));
    }

    Stmt bound(const Stmt& from, std::string_view axis, const Var& old, const Expr& start, const Expr& extent,
               const Seq& body) {
        const int before = depth_;
        const bool outside = axis.starts_with("blockIdx.") || axis.starts_with("clusterIdx.") ||
                             axis.starts_with("clusterCtaIdx") || depth_ == 0;
        const bool kernel = outside && depth_ == 0;
        if (kernel) bindings_.clear();
        if (outside) ++depth_;
        auto known = std::find_if(bindings_.begin(), bindings_.end(), [&](const Binding& b) { return b.axis == axis; });
        if (known == bindings_.end()) {
            const DType dtype = expr_dtype(extent).value_or(DType::Int32);
            const Type type = old != nullptr && old->type != nullptr ? old->type : scalar_type(dtype);
            bindings_.push_back(
                {std::string(axis), var(variable_name(axis), type), mutate(start), mutate(extent), from});
            known = std::prev(bindings_.end());
        } else if (!equal(extent, known->extent) || !equal(start, known->start)) {
            refusal = error_at(from->span, "TIRX_THREAD_EXTENT",
                               fmt::format("\"{}\" is bound with extent {} here and with {} before", axis,
                                           print(*extent), print(*known->extent)),
                               "all loops of a kernel over one thread axis have one extent");
        }
        if (old != nullptr) replace(old, known->var);
        Seq inner = mutate(body);
        depth_ = before;
        if (!kernel) return inner;
        for (std::size_t i = bindings_.size(); i-- > 0;) inner = seq({loop(bindings_[i], inner)});
        bindings_.clear();
        return inner;
    }

    bool equal(const Expr& a, const Expr& b) { return same_value(simple_.simplify(a), simple_.simplify(b)); }

    static Stmt loop(const Binding& b, const Seq& body) {
        auto made = std::make_shared<ForNode>();
        made->loop = LoopKind::ThreadBinding;
        made->var = b.var;
        made->start = b.start;
        made->stop = make_binary(BinaryOp::Add, b.start, b.extent);
        made->step = const_int(1, expr_dtype(b.extent).value_or(DType::Int32));
        made->kwargs = {{"thread", string(b.axis)}};
        made->body = body;
        made->origin = b.from;
        made->span = b.from->span;
        made->comments = b.from->comments;
        return seal(std::move(made));
    }

    std::vector<Binding> bindings_;
    int depth_ = 0;
    IndexSimplifier simple_;
};

} // namespace

PassResult unify_thread_binding(const Module& module, const PassContext&) {
    return rewrite_functions(module, [](const Function& f) -> Result<Function> {
        ThreadBindingUnifier unifier;
        Seq body = unifier.mutate(f->body);
        if (unifier.refusal) return *std::move(unifier.refusal);
        return with_body(f, std::move(body));
    });
}

} // namespace ls::tirx
