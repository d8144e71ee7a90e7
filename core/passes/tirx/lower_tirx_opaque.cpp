#include "core/passes/tirx/lower_tirx_opaque.h"

#include <algorithm>

#include "core/dialect/tirx/fold.h"
#include "core/ir/mutator.h"
#include "core/passes/tirx/function_pass.h"

namespace ls::tirx {

using namespace ir;

namespace {

class OpaqueLowerer final : public Mutator {
protected:
    Var on_define(const Var& var) override { return var; }

    Stmt on_stmt(const Stmt& stmt) override {
        const auto* loop = as<ForNode>(stmt);
        if (loop == nullptr || loop->var == nullptr) return Mutator::on_stmt(stmt);
        const Expr start = mutate(loop->start), extent = make_binary(BinaryOp::Sub, mutate(loop->stop), start);
        const DictNode* annotations = nullptr;
        const StringNode* axis = nullptr;
        for (const KeyValue& k : loop->kwargs) {
            if (k.key == "annotations") annotations = as<DictNode>(k.value);
            if (k.key == "thread") axis = as<StringNode>(k.value);
        }
        const bool annotated = annotations != nullptr && !annotations->entries.empty();
        const bool unit = is_constant(extent, 1) && !annotated && is_constant(loop->step, 1);
        if (unit) replace(loop->var, as_dtype(start, expr_dtype(loop->var)));
        const bool thread = loop->loop == LoopKind::ThreadBinding && axis != nullptr;
        Seq body = mutate(loop->body);
        std::vector<KeyValue> pragmas;
        Stmt made;
        if (thread) {
            made = launch_thread(loop->var, axis->value, extent, std::move(body), stmt);
        } else if (unit) {
            return body;
        } else {
            made = ordinary(stmt, start, std::move(body));
        }
        if (annotated) {
            for (const KeyValue& k : annotations->entries) {
                if (k.key.starts_with("pragma_") && k.key != "pragma_unroll") pragmas.push_back(k);
            }
        }
        std::sort(pragmas.begin(), pragmas.end(), [](const KeyValue& a, const KeyValue& b) { return a.key > b.key; });
        for (const KeyValue& k : pragmas) {
            auto with = std::make_shared<WithNode>();
            with->scope = call("attr", {loop->var, string(k.key), k.value});
            with->body = seq({made});
            with->origin = stmt;
            made = seal(std::move(with));
        }
        return made;
    }

private:
    Stmt ordinary(const Stmt& stmt, const Expr& start, Seq body) {
        const auto* loop = as<ForNode>(stmt);
        const Expr stop = mutate(loop->stop), step = mutate(loop->step);
        std::vector<KeyValue> kwargs = loop->kwargs;
        for (KeyValue& k : kwargs) {
            const auto* annotations = k.key == "annotations" ? as<DictNode>(k.value) : nullptr;
            if (annotations == nullptr) continue;
            std::vector<KeyValue> kept;
            for (const KeyValue& e : annotations->entries) {
                if (!e.key.starts_with("pragma_") || e.key == "pragma_unroll") kept.push_back(e);
            }
            if (kept.size() != annotations->entries.size()) k.value = kept.empty() ? nullptr : dict(std::move(kept));
        }
        std::erase_if(kwargs, [](const KeyValue& k) { return k.value == nullptr; });
        const bool same_kwargs = std::equal(kwargs.begin(), kwargs.end(), loop->kwargs.begin(), loop->kwargs.end(),
                                            [](const KeyValue& a, const KeyValue& b) { return a.value == b.value; });
        if (same_kwargs && start == loop->start && stop == loop->stop && step == loop->step && body == loop->body) {
            return stmt;
        }
        auto made = derive(ref_as<ForNode>(stmt));
        made->start = start;
        made->stop = stop;
        made->step = step;
        made->kwargs = std::move(kwargs);
        made->body = std::move(body);
        return seal(std::move(made));
    }
};

} // namespace

PassResult lower_tirx_opaque(const Module& module, const PassContext&) {
    return rewrite_functions(module, [](const Function& f) -> Result<Function> {
        OpaqueLowerer lowerer;
        return with_body(f, lowerer.mutate(f->body));
    });
}

} // namespace ls::tirx
