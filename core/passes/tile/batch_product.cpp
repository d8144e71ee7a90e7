#include "core/passes/tile/batch_product.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ir/walk.h"
#include "core/passes/tile/flat_shapes.h"
#include "core/passes/tile/tile_result_type.h"
#include "core/support/checked.h"

namespace ls::tile {

using namespace ir;

namespace {

constexpr std::int64_t kMostBatches = 1024; ///< more products than any kernel spells out

bool is_product(const CallNode& c) { return c.is_op("tile.batch_matmul") || c.is_op("tile.batch_matmul_acc"); }
std::size_t first_operand(const CallNode& c) { return c.is_op("tile.batch_matmul_acc") ? 1 : 0; }

CheckedInt whole_bytes(const BatchOperand& o, DType dtype) {
    CheckedInt n = checked_mul(o.rows, o.cols);
    for (const std::int64_t b : o.batch_shape) n = n ? checked_mul(*n, b) : n;
    n = n ? checked_mul(*n, bits(dtype)) : n;
    return n ? CheckedInt{*n / 8 + (*n % 8 != 0 ? 1 : 0)} : n;
}

std::vector<std::int64_t> split_index(std::int64_t flat, const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> at(shape.size());
    for (std::size_t i = shape.size(); i-- > 0;) {
        at[i] = shape[i] > 0 ? flat % shape[i] : 0;
        flat = shape[i] > 0 ? flat / shape[i] : 0;
    }
    return at;
}

} // namespace

std::int64_t BatchOperand::batch(std::int64_t i, const std::vector<std::int64_t>& result) const {
    const std::vector<std::int64_t> at = split_index(i, result);
    std::int64_t flat = 0;
    const std::size_t ahead = result.size() - batch_shape.size();
    for (std::size_t axis = 0; axis < batch_shape.size(); ++axis) {
        flat = flat * batch_shape[axis] + (batch_shape[axis] == 1 ? 0 : at[ahead + axis]);
    }
    return flat;
}

std::vector<std::int64_t> BatchOperand::indices(std::int64_t b) const { return split_index(b, batch_shape); }
std::vector<std::int64_t> BatchPlan::indices(std::int64_t i) const { return split_index(i, shape); }

BatchProducts::BatchProducts(const FunctionNode& function, const Hardware& hardware) : hardware_(hardware) {
    std::unordered_map<const VarNode*, int> uses, by_batch;
    std::vector<const CallNode*> products;
    walk(function, [&](const Node& node) {
        for_each_child(
            node,
            [&](const Node& child) {
                if (const auto* v = as<VarNode>(&child)) ++uses[v];
            },
            [](const Node&) {});
        const auto* s = as<SeqNode>(&node);
        for (std::size_t i = 0; s != nullptr && i < s->stmts.size(); ++i) {
            const auto* a = as<AssignNode>(s->stmts[i]);
            const auto* c = a != nullptr && a->targets.size() == 1 ? as<CallNode>(a->value) : nullptr;
            if (c == nullptr) continue;
            defined_.emplace(a->targets[0].get(), c);
            if (!is_product(*c)) continue;
            products.push_back(c);
            const auto next = i + 1 < s->stmts.size() ? ref_as<AssignNode>(s->stmts[i + 1]) : Ref<AssignNode>{};
            const auto* store = next != nullptr && next->targets.size() == 1 ? as<CallNode>(next->value) : nullptr;
            if (c->is_op("tile.batch_matmul") && store != nullptr && store->is_op("tile.store") && store->args.size() == 3 &&
                store->args[0].get() == a->targets[0].get()) {
                stores_.emplace(a, next);
            }
        }
        return true;
    });
    for (const auto& [product, store] : stores_) fused_.insert(store.get());
    for (const CallNode* c : products) {
        const auto plan = product(*c);
        if (!plan.ok()) continue;
        for (const auto& [operand, index] : {std::pair(&plan->lhs, first_operand(*c)), std::pair(&plan->rhs, first_operand(*c) + 1)}) {
            if (const auto* v = as<VarNode>(c->args[index]); v != nullptr && operand->by_batch()) ++by_batch[v];
        }
    }
    for (const auto& [v, count] : by_batch) {
        if (uses[v] != count) continue;
        dead_.insert(v);
        const auto made = defined_.find(v);
        const auto* source = made != defined_.end() && made->second->is_op("tile.transpose_view") ? as<VarNode>(made->second->args[0]) : nullptr;
        if (source != nullptr && uses[source] == 1) dead_.insert(source);
    }
}

const CallNode* BatchProducts::made_by(const Expr& value, std::string_view op) const {
    const auto* v = as<VarNode>(value);
    const auto found = v != nullptr ? defined_.find(v) : defined_.end();
    return found != defined_.end() && found->second->is_op(op) && !found->second->args.empty() ? found->second : nullptr;
}

Result<BatchOperand> BatchProducts::operand(const Expr& value) const {
    const auto* t = as<TileTypeNode>(type_of(value));
    const auto dims = t != nullptr ? constant_dims(t->shape) : std::nullopt;
    if (!dims || dims->size() < 2) {
        return error_at(value->span, "FLATTEN_BATCH", "an operand of a batched product has no constant shape",
                        "give it constant extents; what is dynamic belongs into a loop around the product");
    }
    BatchOperand o;
    o.batch_shape.assign(dims->begin(), dims->end() - 2);
    o.rows = (*dims)[dims->size() - 2];
    o.cols = dims->back();
    const CallNode* view = made_by(value, "tile.transpose_view");
    o.transposed = view != nullptr;
    o.load = made_by(view != nullptr ? view->args[0] : value, "tile.load");
    if (o.load != nullptr) {
        const auto* tensor = as<TensorTypeNode>(type_of(o.load->args[0]));
        const auto *offsets = o.load->args.size() > 2 ? as<TupleNode>(o.load->args[1]) : nullptr,
                   *window = o.load->args.size() > 2 ? as<TupleNode>(o.load->args[2]) : nullptr;
        if (tensor == nullptr || offsets == nullptr || window == nullptr || offsets->elements.size() != window->elements.size() ||
            window->elements.size() != tensor->shape.size() || window->elements.size() != dims->size()) {
            o.load = nullptr;
        } else {
            const auto* valid = o.load->args.size() > 3 ? as<TupleNode>(o.load->args[3]) : nullptr;
            o.whole = is_row_block(valid != nullptr ? valid->elements : window->elements, tensor->shape);
        }
    }
    return o;
}

Result<BatchPlan> BatchProducts::product(const CallNode& call) const {
    const std::size_t first = first_operand(call);
    if (call.args.size() < first + 2) return error_at(call.span, "FLATTEN_BATCH", fmt::format("{} lacks operands", call.op));
    BatchPlan plan;
    LS_TRY(plan.lhs, operand(call.args[first]));
    LS_TRY(plan.rhs, operand(call.args[first + 1]));
    const auto &a = plan.lhs.batch_shape, &b = plan.rhs.batch_shape;
    plan.shape = a.size() >= b.size() ? a : b;
    const std::vector<std::int64_t>& other = a.size() >= b.size() ? b : a;
    const std::size_t ahead = plan.shape.size() - other.size();
    bool fits = plan.lhs.cols == plan.rhs.rows;
    for (std::size_t i = 0; i < other.size(); ++i) {
        std::int64_t& d = plan.shape[ahead + i];
        fits = fits && (d == other[i] || d == 1 || other[i] == 1);
        if (d == 1) d = other[i];
    }
    for (const std::int64_t d : plan.shape) {
        const CheckedInt n = d > 0 ? checked_mul(plan.batches, d) : CheckedInt{};
        fits = fits && n && *n <= kMostBatches;
        if (fits) plan.batches = *n;
    }
    if (!fits) {
        return error_at(call.span, "FLATTEN_BATCH",
                        fmt::format("{}x{} times {}x{} in batches [{}] and [{}] is no batched product, or one of more than {} matrices", plan.lhs.rows,
                                    plan.lhs.cols, plan.rhs.rows, plan.rhs.cols, fmt::join(a, ", "), fmt::join(b, ", "), kMostBatches),
                        "batches must be equally many or one, and columns as many as rows; put more batches into a loop");
    }
    const auto *left = as<TileTypeNode>(type_of(call.args[first])), *right = as<TileTypeNode>(type_of(call.args[first + 1]));
    const CheckedInt x = whole_bytes(plan.lhs, left->dtype), y = whole_bytes(plan.rhs, right->dtype);
    const CheckedInt both = x && y ? checked_add(*x, *y) : CheckedInt{};
    const auto capacity = hardware_.capacity_bytes(TileSpace::Mat);
    if (capacity && (!both || *both > *capacity)) plan.lhs.whole = plan.rhs.whole = false;
    return plan;
}

Ref<AssignNode> BatchProducts::store_of(const Stmt& product) const {
    const auto found = stores_.find(product.get());
    return found == stores_.end() ? Ref<AssignNode>{} : found->second;
}

Made tensor_view_2d(const Expr& tensor, const TensorTypeNode& type, const CallNode& from) {
    const std::vector<Expr> shape = flat_dims(type.shape);
    std::optional<TensorView> view = type.view;
    std::vector<Expr> args{tensor, tuple(shape)};
    if (view) {
        view->stride.clear();
        if (view->valid_shape.size() == type.shape.size()) {
            view->valid_shape = flat_dims(view->valid_shape);
            args.push_back(tuple(view->valid_shape));
        }
        if (view->valid_shape.empty() && view->order == TensorOrder::ND && view->pad == PadValue::Null) view.reset();
    }
    Type flat = tensor_type(shape, type.dtype, std::move(view));
    return {call("tensor.view", std::move(args), {}, {}, flat, from.span), flat};
}

std::optional<std::int64_t> product_of_batches(const std::vector<Expr>& shape) {
    return shape.size() < 2 ? std::nullopt : product(shape, 0, shape.size() - 2);
}

} // namespace ls::tile
