#include "core/passes/tile/tensor_to_tile.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/passes/tile/tile_result_type.h"
#include "core/support/checked.h"

namespace ls::tile {

using namespace ir;

namespace {

constexpr std::int64_t kReductionColumns = 128; ///< what row reductions need of their scratch tile at least

const TensorTypeNode* tensor_of(const Expr& value) { return as<TensorTypeNode>(type_of(value)); }
const TileTypeNode* tile_of(const Expr& value) { return as<TileTypeNode>(type_of(value)); }
bool is_shaped(const Expr& value) { return tensor_of(value) != nullptr || tile_of(value) != nullptr; }

std::vector<Expr> zeros(std::size_t rank) { return std::vector<Expr>(rank, const_int(0)); }

bool flag(const CallNode& c, std::string_view key) {
    const auto* b = as<ConstBoolNode>(c.kwarg(key));
    return b != nullptr && b->value;
}

std::vector<KeyValue> only(const CallNode& c, std::initializer_list<std::string_view> keys) {
    std::vector<KeyValue> kept;
    for (const KeyValue& k : c.kwargs) {
        if (std::find(keys.begin(), keys.end(), k.key) != keys.end()) kept.push_back(k);
    }
    return kept;
}

bool is_column(const TileTypeNode& t) { return t.shape.size() == 2 && is_constant(t.shape[1], 1); }

} // namespace

Stmt TensorToTile::entry_load(const Var& tensor) {
    current_ = nullptr;
    Var tile = ref_as<VarNode>(load(tensor, TileSpace::Vec, base_name(tensor->name) + "__tile"));
    replace(tensor, tile);
    Stmt made = before_.back();
    before_.clear();
    return made;
}

Stmt TensorToTile::on_stmt(const Stmt& stmt) {
    std::vector<Stmt> outer;
    outer.swap(before_);
    const Stmt enclosing = current_;
    current_ = stmt;
    Stmt after;
    switch (stmt->kind) {
    case NodeKind::Assign: after = finish(on_assign(ref_as<AssignNode>(stmt))); break;
    case NodeKind::Eval: after = finish(on_eval(ref_as<EvalNode>(stmt))); break;
    case NodeKind::For: after = finish(on_for(ref_as<ForNode>(stmt))); break;
    case NodeKind::While: after = finish(on_while(ref_as<WhileNode>(stmt))); break;
    case NodeKind::If: after = finish(on_if(ref_as<IfNode>(stmt))); break;
    default: after = finish(Mutator::on_stmt(stmt)); break;
    }
    current_ = enclosing;
    before_ = std::move(outer);
    return after;
}

Stmt TensorToTile::on_assign(const Ref<AssignNode>& assign) {
    if (assign->targets.size() != 1) return Mutator::on_stmt(assign);
    const Var& target = assign->targets[0];
    const Expr value = spell_out(mutate(assign->value));
    const auto call = ref_as<CallNode>(value);
    auto converted = call != nullptr ? convert(call, target.get()) : std::nullopt;
    if (!converted) {
        // A second name for a value that is now a tile is a name for a tile.
        const Type type = type_of(value);
        const bool became_tile = as<TileTypeNode>(type) != nullptr && as<TensorTypeNode>(target->type) != nullptr;
        if (value == assign->value && !became_tile) return assign;
        auto n = derive(assign);
        n->value = value;
        if (became_tile) {
            auto v = derive(target);
            v->type = type;
            n->targets[0] = seal(std::move(v));
            replace(target, n->targets[0]);
        }
        return seal(std::move(n));
    }
    auto v = derive(target);
    v->name = names_.make(base_name(target->name) + "__tile");
    v->type = converted->type != nullptr ? converted->type : target->type;
    auto n = derive(assign);
    n->targets[0] = seal(std::move(v));
    n->annotated = true;
    n->value = converted->value;
    replace(target, n->targets[0]);
    return seal(std::move(n));
}

Stmt TensorToTile::on_eval(const Ref<EvalNode>& eval) {
    const Expr value = mutate(eval->value);
    const auto call = ref_as<CallNode>(value);
    auto converted = call != nullptr ? convert(call, nullptr) : std::nullopt;
    if (!converted && value == eval->value) return eval;
    auto n = derive(eval);
    n->value = converted ? converted->value : value;
    return seal(std::move(n));
}

void TensorToTile::retype(std::vector<IterArg>& args) {
    for (IterArg& a : args) a.init = mutate(a.init);
    for (IterArg& a : args) {
        const Type type = type_of(a.init);
        if (as<TileTypeNode>(type) == nullptr || as<TensorTypeNode>(a.var->type) == nullptr) continue;
        auto v = derive(a.var);
        v->type = type;
        const Var old = a.var;
        a.var = seal(std::move(v));
        replace(old, a.var);
    }
}

void TensorToTile::retype(std::vector<Var>& results, const std::vector<Expr>& values) {
    for (std::size_t i = 0; i < results.size() && i < values.size(); ++i) {
        const Type type = type_of(values[i]);
        if (as<TileTypeNode>(type) == nullptr || as<TensorTypeNode>(results[i]->type) == nullptr) continue;
        auto v = derive(results[i]);
        v->type = type;
        const Var old = results[i];
        results[i] = seal(std::move(v));
        replace(old, results[i]);
    }
}

namespace {

std::vector<Expr> variables(const std::vector<IterArg>& args) {
    std::vector<Expr> out;
    for (const IterArg& a : args) out.push_back(a.var);
    return out;
}

const std::vector<Expr>* yields(const Seq& body) {
    if (body == nullptr || body->stmts.empty()) return nullptr;
    if (const auto* w = as<WithNode>(body->stmts.back())) return yields(w->body);
    const auto* y = as<YieldNode>(body->stmts.back());
    return y != nullptr ? &y->values : nullptr;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}
bool same(const std::vector<IterArg>& a, const std::vector<IterArg>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const IterArg& x, const IterArg& y) { return x.var == y.var && x.init == y.init; });
}

} // namespace

Stmt TensorToTile::on_for(const Ref<ForNode>& loop) {
    auto n = derive(loop);
    n->start = mutate(loop->start);
    n->stop = mutate(loop->stop);
    n->step = mutate(loop->step);
    retype(n->iter_args);
    n->body = mutate(loop->body);
    retype(n->results, variables(n->iter_args));
    const bool unchanged = n->start == loop->start && n->stop == loop->stop && n->step == loop->step &&
                           n->body == loop->body && same(n->iter_args, loop->iter_args) && same(n->results, loop->results);
    return unchanged ? Stmt(loop) : seal(std::move(n));
}

Stmt TensorToTile::on_while(const Ref<WhileNode>& loop) {
    auto n = derive(loop);
    retype(n->iter_args);
    n->condition = mutate(loop->condition);
    n->body = mutate(loop->body);
    retype(n->results, variables(n->iter_args));
    const bool unchanged = n->condition == loop->condition && n->body == loop->body &&
                           same(n->iter_args, loop->iter_args) && same(n->results, loop->results);
    return unchanged ? Stmt(loop) : seal(std::move(n));
}

Stmt TensorToTile::on_if(const Ref<IfNode>& branch) {
    auto n = derive(branch);
    n->condition = mutate(branch->condition);
    n->then_body = mutate(branch->then_body);
    n->else_body = mutate(branch->else_body);
    const std::vector<Expr>* values = yields(n->then_body);
    if (values == nullptr) values = yields(n->else_body);
    if (values != nullptr) retype(n->results, *values);
    const bool unchanged = n->condition == branch->condition && n->then_body == branch->then_body &&
                           n->else_body == branch->else_body && same(n->results, branch->results);
    return unchanged ? Stmt(branch) : seal(std::move(n));
}

/// Operators between tensors as the operations that they stand for; inner ones become statements of their own.
Expr TensorToTile::spell_out(const Expr& value) {
    const auto* b = as<BinaryNode>(value);
    if (b == nullptr) return value;
    const Expr lhs = spell_out(b->lhs), rhs = spell_out(b->rhs);
    const bool left = is_shaped(lhs) || lhs->kind == NodeKind::Call, right = is_shaped(rhs) || rhs->kind == NodeKind::Call;
    if (!left && !right) return value;
    const char* op = b->op == BinaryOp::Add   ? "tensor.add"
                     : b->op == BinaryOp::Sub ? "tensor.sub"
                     : b->op == BinaryOp::Mul ? "tensor.mul"
                     : b->op == BinaryOp::Div ? "tensor.div"
                                              : nullptr;
    if (op == nullptr || (!is_shaped(lhs) && !is_shaped(rhs))) return value;
    const auto named = [&](const Expr& e) -> Expr {
        const auto inner = ref_as<CallNode>(e);
        auto converted = inner != nullptr ? convert(inner, nullptr) : std::nullopt;
        return converted ? Expr(define("t__tile", *converted)) : e;
    };
    // A scalar on the left of + or * may stand on the right as well.
    const bool turn = !is_shaped(lhs) && (b->op == BinaryOp::Add || b->op == BinaryOp::Mul);
    const Expr first = named(turn ? rhs : lhs), second = named(turn ? lhs : rhs);
    if (!is_shaped(first)) return value;
    return call(op, {first, second}, {}, {}, type_of(first), b->span);
}

Expr TensorToTile::load(const Expr& tensor, TileSpace space, const std::string& name) {
    const TensorTypeNode* type = tensor_of(tensor);
    CallNode at; // only its span
    at.span = current_ != nullptr ? current_->span : tensor->span;
    std::vector<KeyValue> attrs;
    if (space == TileSpace::Mat) attrs.push_back({std::string(kMatBridgeAttr), const_bool(true)});
    return define(name, made("tile.load", {tensor, tuple(zeros(type->shape.size())), tuple(type->shape), tuple(type->shape)},
                             {{"target_memory", space_name(space)}}, at, std::move(attrs)));
}

Expr TensorToTile::as_tile(const Expr& value, TileSpace space) {
    if (tensor_of(value) == nullptr) return value;
    const auto* v = as<VarNode>(value);
    if (v == nullptr) return value;
    return load(value, space, v->name + (space == TileSpace::Mat ? "_mat" : "_vec"));
}

std::optional<TensorToTile::Converted> TensorToTile::convert(const Call& call, const VarNode* target) {
    if (call->callee != CalleeKind::Op) return {};
    const TensorOp* op = tensor_op(call->op);
    if (op == nullptr) {
        if (call->op.substr(0, 7) == "tensor.") {
            warnings_.push_back(warning_at(call->span, "TILE_OP_KEPT",
                                           fmt::format("{} has no tile operation here and stays as it is", call->op),
                                           "write it with tile operations to see where its elements live"));
        }
        return {};
    }
    std::vector<Expr> args = call->args;
    switch (op->conversion) {
    case Conversion::Stays: return {};
    case Conversion::Matmul:
    case Conversion::MatmulAcc: return product(*op, std::move(args), *call);
    case Conversion::Slice: return slice(std::move(args), *call, target);
    case Conversion::Assemble: return assemble(std::move(args), *call);
    case Conversion::Put: return put(*op, std::move(args), *call);
    case Conversion::Create: {
        std::vector<KeyValue> kwargs = only(*call, {"dtype"});
        kwargs.push_back({"target_memory", space_name(TileSpace::Vec)});
        return made("tile.create", std::move(args), std::move(kwargs), *call);
    }
    case Conversion::Element: {
        const bool in_tile = !args.empty() && tile_of(args[0]) != nullptr;
        if (in_tile) return made(std::string(op->tile), std::move(args), call->kwargs, *call);
        return Converted{call, target != nullptr ? target->type : Type{}};
    }
    case Conversion::FillPad:
        if (!args.empty() && tensor_of(args[0]) != nullptr) args[0] = load(args[0], TileSpace::Vec, "fillpad_src");
        return made(std::string(op->tile), std::move(args), call->kwargs, *call);
    case Conversion::RemoteStore:
        if (!args.empty()) args[0] = as_tile(args[0]);
        return made(std::string(op->tile), std::move(args), call->kwargs, *call);
    default: break;
    }
    for (Expr& a : args) a = as_tile(a);
    const TileTypeNode* first = args.empty() ? nullptr : tile_of(args[0]);
    switch (op->conversion) {
    case Conversion::Arithmetic: return arithmetic(*op, std::move(args), *call);
    case Conversion::MinMax: {
        const bool scalar = args.size() > 1 && !is_shaped(args[1]);
        return made(std::string(op->tile) + (scalar ? "s" : ""), std::move(args), call->kwargs, *call);
    }
    case Conversion::Rsqrt:
        if (first != nullptr && flag(*call, "high_precision")) args.push_back(create("rsqrt_tmp", first->shape, first->dtype));
        return made(std::string(op->tile), std::move(args), {}, *call);
    case Conversion::Reduction:
    case Conversion::ArgReduction:
        if (first != nullptr) {
            std::vector<Expr> shape = first->shape;
            const bool pads = op->conversion == Conversion::Reduction && shape.size() >= 2;
            if (pads && constant(shape.back()).value_or(0) < kReductionColumns) shape.back() = const_int(kReductionColumns);
            args.push_back(create("tmp_tile", std::move(shape), first->dtype));
        }
        return made(std::string(op->tile), std::move(args), {}, *call);
    default: break;
    }
    return made(std::string(op->tile), std::move(args), call->kwargs, *call);
}

TensorToTile::Converted TensorToTile::arithmetic(const TensorOp& op, std::vector<Expr> args, const CallNode& call) {
    const std::string name(op.tile);
    const std::string verb = name.substr(5);
    const TileTypeNode* a = args.empty() ? nullptr : tile_of(args[0]);
    const TileTypeNode* b = args.size() < 2 ? nullptr : tile_of(args[1]);
    if (a != nullptr && b == nullptr) return made(name + "s", std::move(args), {}, call);
    if (a != nullptr && b != nullptr && is_column(*a) != is_column(*b)) {
        if (is_column(*a)) std::swap(args[0], args[1]);
        return made("tile.row_expand_" + verb, std::move(args), {}, call);
    }
    return made(name, std::move(args), call.kwargs, call);
}

/// Both operands in Mat; a transposed one is read again from the same bytes with rows and columns exchanged.
TensorToTile::Converted TensorToTile::product(const TensorOp& op, std::vector<Expr> args, const CallNode& call) {
    bool batched = false;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const char* keyword = transpose_keyword(op.conversion, i);
        if (keyword == nullptr) {
            args[i] = as_tile(args[i]); // the accumulator
        } else {
            args[i] = as_tile(args[i], TileSpace::Mat);
            const TileTypeNode* tile = tile_of(args[i]);
            const auto* v = as<VarNode>(args[i]);
            if (flag(call, keyword) && tile != nullptr && v != nullptr) {
                std::string from = v->name;
                if (tile->space.value_or(TileSpace::Vec) != TileSpace::Mat) {
                    const Converted moved = made("tile.move", {args[i]}, {{"target_memory", space_name(TileSpace::Mat)}}, call);
                    args[i] = define(from + "_mat", moved.value, moved.type);
                    from += "_mat";
                }
                const Converted view = made("tile.transpose_view", {args[i]}, {}, call);
                args[i] = define(from + "_t", view.value, view.type);
            }
        }
        const TileTypeNode* now = tile_of(args[i]);
        batched = batched || (now != nullptr && now->shape.size() > 2);
    }
    const bool accumulates = op.conversion == Conversion::MatmulAcc;
    return made(std::string("tile.") + (batched ? "batch_" : "") + (accumulates ? "matmul_acc" : "matmul"), std::move(args), {}, call);
}

std::optional<TensorToTile::Converted> TensorToTile::slice(std::vector<Expr> args, const CallNode& call, const VarNode* target) {
    if (args.size() < 3) return {};
    if (tile_of(args[0]) != nullptr) return made("tile.slice", std::move(args), only(call, {"pad_value"}), call);
    const TensorTypeNode* source = tensor_of(args[0]);
    const auto* window = as<TupleNode>(args[1]);
    const auto* offsets = as<TupleNode>(args[2]);
    if (source == nullptr || window == nullptr || offsets == nullptr) return {};
    const auto* asked = args.size() > 3 ? as<TupleNode>(args[3]) : nullptr;
    std::vector<Expr> valid = asked != nullptr && !asked->elements.empty() ? asked->elements : window->elements;
    const bool clamp = flag(call, "clamp");
    const bool narrowed = source->view && !source->view->valid_shape.empty();
    if ((clamp || narrowed) && window->elements.size() == source->shape.size() && offsets->elements.size() == valid.size()) {
        const std::vector<Expr>& whole = narrowed ? source->view->valid_shape : source->shape;
        for (std::size_t i = 0; i < valid.size(); ++i) {
            const auto w = constant(whole[i]), o = constant(offsets->elements[i]), v = constant(valid[i]);
            if (w && o && v) {
                valid[i] = const_int(std::min(*v, std::max<std::int64_t>(*w - std::min(*o, *w), 0)));
            } else if (asked == nullptr || asked->elements.empty()) {
                const Expr rest = is_constant(offsets->elements[i], 0)
                                      ? whole[i]
                                      : binary(BinaryOp::Sub, binary(BinaryOp::Max, whole[i], offsets->elements[i]), offsets->elements[i]);
                valid[i] = binary(BinaryOp::Min, rest, valid[i]);
            }
        }
    }
    const bool mat = target != nullptr && demands_.wants_mat(target);
    std::vector<KeyValue> attrs;
    if (mat) attrs.push_back({std::string(kMatBridgeAttr), const_bool(true)});
    Made loaded = made("tile.load", {args[0], args[2], args[1], tuple(std::move(valid))},
                       {{"target_memory", space_name(mat ? TileSpace::Mat : TileSpace::Vec)}}, call, std::move(attrs));
    const auto* dropped = args.size() > 4 ? as<TupleNode>(args[4]) : nullptr;
    if (dropped == nullptr || dropped->elements.empty()) return loaded;
    std::vector<Expr> kept;
    for (std::size_t axis = 0; axis < window->elements.size(); ++axis) {
        const bool gone = std::any_of(dropped->elements.begin(), dropped->elements.end(),
                                      [&](const Expr& d) { return is_constant(d, static_cast<std::int64_t>(axis)); });
        if (!gone) kept.push_back(window->elements[axis]);
    }
    const std::string name = target != nullptr ? base_name(target->name) + "__tile_full_rank" : "slice_load";
    return made("tile.reshape", {define(name, std::move(loaded)), tuple(std::move(kept))}, {}, call);
}

std::optional<TensorToTile::Converted> TensorToTile::assemble(std::vector<Expr> args, const CallNode& call) {
    if (args.size() < 3) return {};
    if (tile_of(args[0]) != nullptr) {
        args[1] = as_tile(args[1]);
        return made("tile.assemble", std::move(args), {}, call);
    }
    if (tile_of(args[1]) == nullptr) return {}; // from tensor to tensor: nothing on chip has a part in it
    return made("tile.store", {args[1], args[2], args[0]}, only(call, {"atomic"}), call);
}

std::optional<TensorToTile::Converted> TensorToTile::put(const TensorOp& op, std::vector<Expr> args, const CallNode& call) {
    const TensorTypeNode* window = args.size() < 3 ? nullptr : tensor_of(args[0]);
    if (window == nullptr || window->shape.empty()) return {};
    const auto* part = args.size() == 6 ? as<TupleNode>(args[5]) : nullptr;
    std::vector<Expr> moved = part != nullptr ? part->elements : window->shape;
    // The staging tile has rows and columns: leading axes are rows.
    Expr rows = const_int(1);
    for (std::size_t i = 0; i + 1 < moved.size(); ++i) {
        const auto a = constant(rows), b = constant(moved[i]);
        const CheckedInt all = a && b ? checked_mul(*a, *b) : CheckedInt{};
        rows = all ? const_int(*all) : binary(BinaryOp::Mul, rows, moved[i]);
    }
    const bool writes = op.tile == "pld.tile.put";
    const bool pipelined = flag(call, "pipeline");
    const std::string stem = writes ? "tput_stage" : "tget_stage";
    std::vector<Expr> all{args[0], args[1], args[2],
                          create(stem + (pipelined ? "_ping" : ""), {rows, moved.back()}, window->dtype)};
    if (pipelined) all.push_back(create(stem + "_pong", {rows, moved.back()}, window->dtype));
    all.insert(all.end(), args.begin() + 3, args.end());
    std::vector<KeyValue> kwargs = writes ? only(call, {"atomic"}) : std::vector<KeyValue>{};
    return made(std::string(op.tile), std::move(all), std::move(kwargs), call);
}

} // namespace ls::tile
