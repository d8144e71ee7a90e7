#include "core/check/tirx_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/dialect/tirx/tirx.h"
#include "core/layout/operations.h"
#include "core/support/checked.h"

namespace ls::check {

namespace {

using namespace ir;

constexpr std::int64_t kWholeLoop = 64, kLoopEnds = 4;
constexpr int kMaxCalls = 8;

enum class Flow { Next, Break, Continue, Return };

class Runner {
public:
    Runner(const ModuleNode& module, const TirxThread& thread, TirxTokens& tokens)
        : module_(module), thread_(thread), tokens_(tokens) {}

    void enter(const FunctionNode& f) {
        for (std::size_t i = 0; i < f.params.size(); ++i) {
            const VarNode& v = *f.params[i].var;
            const TirxValue own = tokens_.of(fmt::format("&{}", v.name));
            if (const auto* type = tirx::buffer_type(&v)) {
                bases_[&v] = own;
                note_size(own, *type);
            } else {
                values_[&v] = as<PtrTypeNode>(v.type) != nullptr ? own : tokens_.of(v.name);
            }
        }
        block(f.body);
    }
    TirxRun run;

private:
    // --- statements

    Flow block(const Seq& body) {
        if (body == nullptr) return Flow::Next;
        for (const Stmt& s : body->stmts) {
            if (run.events.size() >= kMaxTirxEvents) {
                run.complete = false;
                return Flow::Return;
            }
            if (const Flow flow = statement(s); flow != Flow::Next) return flow;
        }
        return Flow::Next;
    }

    Flow statement(const Stmt& stmt) {
        const Node* const outer = std::exchange(statement_, stmt.get());
        const Flow flow = execute(stmt);
        statement_ = outer;
        return flow;
    }

    Flow execute(const Stmt& stmt) {
        switch (stmt->kind) {
        case NodeKind::Assign: assign(*as<AssignNode>(stmt)); return Flow::Next;
        case NodeKind::Store: store(*as<StoreNode>(stmt)); return Flow::Next;
        case NodeKind::Eval:
            if (const auto* c = as<CallNode>(as<EvalNode>(stmt)->value)) return call(*c);
            return Flow::Next;
        case NodeKind::If: {
            const auto* i = as<IfNode>(stmt);
            const auto condition = value(i->condition).number();
            Flow flow = Flow::Next;
            if (!condition || *condition != 0) flow = block(i->then_body);
            if (flow == Flow::Next && (!condition || *condition == 0)) flow = block(i->else_body);
            return condition ? flow : Flow::Next;
        }
        case NodeKind::For: return loop(*as<ForNode>(stmt));
        case NodeKind::While: {
            const auto* w = as<WhileNode>(stmt);
            if (value(w->condition).number() == 0) return Flow::Next;
            return block(w->body) == Flow::Return ? Flow::Return : Flow::Next; // once: how often, only a launch says
        }
        case NodeKind::With: {
            const auto* w = as<WithNode>(stmt);
            const auto* c = as<CallNode>(w->scope);
            if (w->var != nullptr && c != nullptr && c->is_op("launch_thread") && c->args.size() == 2) {
                values_[w->var.get()] = tirx_number(thread_number(as<StringNode>(c->args[0]), value(c->args[1])));
            }
            return block(w->body);
        }
        case NodeKind::Seq: return block(ref_as<SeqNode>(stmt));
        case NodeKind::Break: return Flow::Break;
        case NodeKind::Continue: return Flow::Continue;
        case NodeKind::Return: return Flow::Return;
        default: return Flow::Next;
        }
    }

    std::int64_t thread_number(const StringNode* axis, const TirxValue& extent) const {
        const auto asked = axis != nullptr ? thread_.find(axis->value) : thread_.end();
        const std::int64_t wanted = asked == thread_.end() ? 0 : asked->second;
        const auto count = extent.number();
        return count ? std::clamp<std::int64_t>(wanted, 0, std::max<std::int64_t>(*count - 1, 0)) : wanted;
    }

    Flow loop(const ForNode& f) {
        const TirxValue start = value(f.start);
        const TirxValue extent = tirx_add(value(f.stop), start, -1);
        if (f.loop == LoopKind::ThreadBinding) {
            const ExprNode* axis = nullptr;
            for (const KeyValue& k : f.kwargs) {
                if (k.key == "thread") axis = k.value.get();
            }
            values_[f.var.get()] = tirx_add(start, tirx_number(thread_number(as<StringNode>(axis), extent)));
            return block(f.body);
        }
        const std::int64_t count = extent.number().value_or(1); // once, where only a launch says how often
        const std::int64_t step = std::max<std::int64_t>(value(f.step).number().value_or(1), 1);
        loops_.emplace_back(f.var->name, 0);
        Flow out = Flow::Next;
        for (std::int64_t i = 0; i < count; i += step) {
            if (count > kWholeLoop * step && f.loop != LoopKind::Unroll && i >= kLoopEnds * step &&
                i < count - kLoopEnds * step) {
                i += (count - kLoopEnds * step - i) / step * step;
            }
            values_[f.var.get()] = tirx_add(start, tirx_number(i));
            loops_.back().second = i;
            const Flow flow = block(f.body);
            if (flow == Flow::Return) out = flow;
            if (flow == Flow::Break || flow == Flow::Return) break;
        }
        loops_.pop_back();
        return out;
    }

    void assign(const AssignNode& a) {
        if (a.targets.size() != 1) return;
        const VarNode& v = *a.targets[0];
        const auto* type = tirx::buffer_type(&v);
        if (type == nullptr) {
            values_[&v] = value(a.value);
            if (const auto* c = as<CallNode>(a.value)) touched(*c);
            return;
        }
        const auto* how = as<CallNode>(a.value);
        if (how == nullptr || how->is_op("Buffer")) { // never defined
            bases_[&v] = tokens_.of("undefined " + v.name);
            return;
        }
        for (const KeyValue& k : how->kwargs) {
            if (k.key != "data") continue;
            bases_[&v] = value(k.value);
            return;
        }
        bases_[&v] = tokens_.of(fmt::format("&buffer {}", ++allocated_)); // by the order in which they come to be
        if (how->is_op("alloc_buffer")) note_size(bases_[&v], *type);
        names_[bases_[&v].terms.begin()->first] = v.name;
    }

    void store(const StoreNode& s) {
        const auto* target = as<SubscriptNode>(s.target);
        if (target == nullptr) return;
        const TirxValue at = place(*target), what = value(s.value);
        if (!at.unknown && what == load(at, *target, false)) return; // a place into itself
        event("store", {{at, {}}, {what, {}}});
        const auto* type = tirx::buffer_type(target->base);
        forget(at);
        if (type != nullptr && type->scope == "local" && !at.unknown) memory_[root(at)][key(at, *type)] = what;
    }

    Flow call(const CallNode& c) {
        if (c.is_op("call_packed") && !c.args.empty()) {
            const auto* name = as<StringNode>(c.args[0]);
            const FunctionNode* kernel = name != nullptr ? module_.find(name->value) : nullptr;
            if (kernel != nullptr && calls_ < kMaxCalls && kernel->params.size() < c.args.size()) {
                for (std::size_t i = 0; i < kernel->params.size(); ++i) {
                    values_[kernel->params[i].var.get()] = value(c.args[i + 1]);
                }
                ++calls_;
                block(kernel->body);
                --calls_;
                return Flow::Next;
            }
        }
        std::vector<TirxOperand> operands;
        for (const Expr& e : c.args) {
            const auto* element = as<SubscriptNode>(e);
            const bool in_buffer = element != nullptr && tirx::buffer_type(element->base) != nullptr;
            operands.push_back({value(e), in_buffer ? std::optional(place(*element, false)) : std::nullopt});
        }
        if (!operands.empty() || c.callee == CalleeKind::Op) event(c.op, std::move(operands));
        touched(c);
        return Flow::Next;
    }

    /// A call may write what it is given the address of.
    void touched(const CallNode& c) {
        for (const Expr& e : c.args) {
            if (const auto* element = as<SubscriptNode>(e)) {
                forget(place(*element));
            } else if (const auto* inner = as<CallNode>(e)) {
                if (inner->is_op("address_of")) forget(value(e));
                touched(*inner);
            } else if (const auto* m = as<MemberNode>(e)) {
                if (m->member == "data") forget(value(e));
            }
        }
    }

    void event(std::string what, std::vector<TirxOperand> operands) {
        run.events.push_back({std::move(what), std::move(operands), statement_, loops_});
    }

    // --- memory

    void note_size(const TirxValue& base, const BufferTypeNode& type) {
        std::int64_t bits = tirx::element_bits(tirx::dtype_text(type));
        for (const Expr& e : type.shape) {
            const auto n = value(e).number();
            const auto total = n ? checked_mul(bits, *n) : CheckedInt{};
            if (!total) return;
            bits = *total;
        }
        if (type.strides.empty() && base.terms.size() == 1) sizes_[base.terms.begin()->first] = (bits + 7) / 8;
    }

    static std::vector<std::int64_t> key(const TirxValue& at, const BufferTypeNode& type) {
        std::vector<std::int64_t> k = tirx_key(at);
        k.push_back(tirx::element_bits(tirx::dtype_text(type)));
        return k;
    }

    /// The address that a place counts from; -1 when there is none.
    int root(const TirxValue& at) const {
        for (const auto& [token, coefficient] : at.terms) {
            if (tokens_.name(token).starts_with("&")) return token;
        }
        return -1;
    }

    /// Whatever the same buffer holds may be another now.
    void forget(const TirxValue& at) {
        const int base = at.unknown ? -1 : root(at);
        if (base < 0) return memory_.clear();
        memory_.erase(base);
    }

    TirxValue load(const TirxValue& at, const SubscriptNode& s, bool remembered) {
        if (at.unknown) return at;
        const auto* type = tirx::buffer_type(s.base);
        const auto held = remembered && type != nullptr ? memory_.find(root(at)) : memory_.end();
        if (held != memory_.end()) {
            if (const auto known = held->second.find(key(at, *type)); known != held->second.end()) return known->second;
        }
        return tokens_.held_at(at);
    }

    /// The address of an element, in bytes (bits, for types below a byte).
    TirxValue place(const SubscriptNode& s, bool accessed = true) {
        const auto* type = tirx::buffer_type(s.base);
        const auto base = bases_.find(as<VarNode>(s.base));
        if (type == nullptr || base == bases_.end()) return tirx_unknown();
        const TirxValue index = element(*type, s.indices);
        const std::int64_t bits = tirx::element_bits(tirx::dtype_text(*type));
        const TirxValue offset = type->elem_offset != nullptr ? tirx_add(index, value(type->elem_offset)) : index;
        if (bits % 8 != 0) return tirx_add(tirx_scale(base->second, 8), tirx_scale(offset, bits));
        const TirxValue at = tirx_add(base->second, tirx_scale(offset, bits / 8));
        if (accessed) check_inside(at, bits / 8);
        return at;
    }

    void check_inside(const TirxValue& at, std::int64_t bytes) {
        if (at.unknown || at.terms.size() != 1 || at.terms.begin()->second != 1) return;
        const int root = at.terms.begin()->first;
        const auto size = sizes_.find(root);
        if (size == sizes_.end() || (at.constant >= 0 && at.constant + bytes <= size->second)) return;
        const auto name = names_.find(root);
        run.outside.push_back({statement_, name != names_.end() ? name->second : tokens_.name(root).substr(1),
                               at.constant, size->second});
    }

    TirxValue element(const BufferTypeNode& type, const std::vector<Expr>& indices) {
        std::vector<TirxValue> at;
        for (const Expr& e : indices) {
            const auto* slice = as<SliceNode>(e);
            at.push_back(value(slice != nullptr ? slice->begin : e));
        }
        const auto layout = tirx::layout_of(type);
        const bool plain = !layout || type.layout_state == BufferTypeNode::LayoutState::Default;
        if (plain) return linear(type, at);
        std::vector<Dim> dims, shape;
        for (const TirxValue& v : at) {
            if (!v.number()) return tirx_unknown();
            dims.emplace_back(*v.number());
        }
        for (const Expr& e : type.shape) {
            const auto n = value(e).number();
            if (!n) return tirx_unknown();
            shape.emplace_back(*n);
        }
        const auto mapped = ls::apply(*layout, dims, shape);
        if (!mapped || !layout->is_constant()) return tirx_unknown();
        TirxValue total = tirx_number(0);
        for (const auto& [axis, amount] : *mapped) {
            if (!amount.is_constant()) return tirx_unknown();
            // A place on several axes (lane and column) is one of each; flat memory is bytes alone.
            total = tirx_add(total, axis == axes::m
                                        ? tirx_number(amount.value())
                                        : tirx_scale(tokens_.of(fmt::format("@{}", axis.name())), amount.value()));
        }
        return total;
    }

    TirxValue linear(const BufferTypeNode& type, const std::vector<TirxValue>& at) {
        TirxValue total = tirx_number(0);
        for (std::size_t i = 0; i < at.size(); ++i) {
            const bool strided = type.strides.size() == at.size();
            const auto factor =
                i < type.shape.size() ? value(strided ? type.strides[i] : type.shape[i]).number() : std::nullopt;
            if (!factor && (strided || i > 0)) return tirx_unknown();
            total = strided ? tirx_add(total, tirx_scale(at[i], *factor))
                            : tirx_add(i > 0 ? tirx_scale(total, *factor) : total, at[i]);
        }
        return total;
    }

    // --- expressions

    TirxValue value(const Expr& e) {
        if (e == nullptr) return tirx_number(0);
        switch (e->kind) {
        case NodeKind::ConstInt: return tirx_number(as<ConstIntNode>(e)->value);
        case NodeKind::ConstBool: return tirx_number(as<ConstBoolNode>(e)->value ? 1 : 0);
        case NodeKind::Var: {
            const auto* v = as<VarNode>(e);
            if (const auto found = values_.find(v); found != values_.end()) return found->second;
            if (const auto found = bases_.find(v); found != bases_.end()) return found->second;
            return tokens_.of(v->name);
        }
        case NodeKind::Unary: {
            const auto* u = as<UnaryNode>(e);
            const TirxValue operand = value(u->operand);
            if (u->op == UnaryOp::Neg) return tirx_scale(operand, -1);
            if (const auto n = operand.number(); n && u->op == UnaryOp::Not) return tirx_number(*n == 0 ? 1 : 0);
            return named(spelling(u->op), {operand});
        }
        case NodeKind::Binary: return binary(*as<BinaryNode>(e));
        case NodeKind::Cast: {
            const auto* c = as<CastNode>(e);
            const TirxValue inner = value(c->value);
            if (inner.number() && c->dtype_text.empty()) return inner;
            return named(c->dtype_text.empty() ? info(c->dtype).tirx : std::string_view(c->dtype_text), {inner});
        }
        case NodeKind::Select: {
            const auto* s = as<SelectNode>(e);
            const TirxValue condition = value(s->condition);
            if (const auto n = condition.number()) return value(*n != 0 ? s->on_true : s->on_false);
            return named("select", {condition, value(s->on_true), value(s->on_false)});
        }
        case NodeKind::Tuple: return named("", all(as<TupleNode>(e)->elements));
        case NodeKind::Subscript: {
            const auto* s = as<SubscriptNode>(e);
            return load(place(*s), *s, true);
        }
        case NodeKind::Member: {
            const auto* m = as<MemberNode>(e);
            const auto base = bases_.find(as<VarNode>(m->base));
            if (m->member == "data" && base != bases_.end()) return base->second;
            return named(m->member, {value(m->base)});
        }
        case NodeKind::Call: return call_value(*as<CallNode>(e));
        default: return tokens_.of(tirx::print(*e));
        }
    }

    std::vector<TirxValue> all(const std::vector<Expr>& list) {
        std::vector<TirxValue> out;
        for (const Expr& e : list) out.push_back(value(e));
        return out;
    }

    TirxValue named(std::string_view op, const std::vector<TirxValue>& operands) {
        std::string text(op);
        text += '(';
        for (const TirxValue& v : operands) {
            if (v.unknown) return tirx_unknown();
            text += tokens_.text(v) + ",";
        }
        return tokens_.of(text + ")");
    }

    TirxValue call_value(const CallNode& c) {
        const auto two = [&] { return c.args.size() == 2; };
        if (c.is_op("address_of") && c.args.size() == 1) {
            const auto* s = as<SubscriptNode>(c.args[0]);
            return s != nullptr ? place(*s, false) : value(c.args[0]);
        }
        if (c.is_op("handle_add_byte_offset") && two()) return tirx_add(value(c.args[0]), value(c.args[1]));
        if (c.is_op("tvm_warp_shuffle") && c.args.size() == 5) return value(c.args[1]); // a number that the warp shares
        if (c.is_op("cuda.__shfl_sync") && c.args.size() == 4) return value(c.args[1]);
        if ((c.is_op("Div") || c.is_op("truncmod")) && two()) {
            const TirxValue a = value(c.args[0]), b = value(c.args[1]);
            const auto x = a.number(), y = b.number();
            const bool exact = x && y && *y != 0 && !(*y == -1 && *x == INT64_MIN);
            if (exact) return tirx_number(c.is_op("Div") ? *x / *y : *x % *y);
            return named(c.op, {a, b});
        }
        if (c.is_op("if_then_else") && c.args.size() == 3) {
            const TirxValue condition = value(c.args[0]);
            if (const auto n = condition.number()) return value(c.args[*n != 0 ? 1 : 2]);
            return named(c.op, all(c.args));
        }
        if (c.is_op("Let") && two()) {
            const auto* body = as<LambdaNode>(c.args[1]);
            if (body == nullptr || body->params.size() != 1) return tirx_unknown();
            values_[body->params[0].get()] = value(c.args[0]);
            return value(body->body);
        }
        return named(c.op, all(c.args));
    }

    TirxValue binary(const BinaryNode& b) {
        const TirxValue l = value(b.lhs);
        if (b.op == BinaryOp::And || b.op == BinaryOp::Or) {
            const std::int64_t deciding = b.op == BinaryOp::Or ? 1 : 0;
            if (const auto n = l.number()) return (*n != 0) == (deciding != 0) ? tirx_number(deciding) : value(b.rhs);
            const TirxValue r = value(b.rhs);
            if (const auto n = r.number()) return (*n != 0) == (deciding != 0) ? tirx_number(deciding) : l;
            return named(spelling(b.op), {l, r});
        }
        const TirxValue r = value(b.rhs);
        const auto x = l.number(), y = r.number();
        switch (b.op) {
        case BinaryOp::Add: return tirx_add(l, r);
        case BinaryOp::Sub: return tirx_add(l, r, -1);
        case BinaryOp::Mul:
            if (x) return tirx_scale(r, *x);
            if (y) return tirx_scale(l, *y);
            break;
        case BinaryOp::FloorDiv:
        case BinaryOp::Mod: return divided(b.op, l, r);
        case BinaryOp::Shr:
            if (y && *y >= 0 && *y < 62) return divided(BinaryOp::FloorDiv, l, tirx_number(std::int64_t{1} << *y));
            break;
        case BinaryOp::Shl:
            if (y && *y >= 0 && *y < 62) return tirx_scale(l, std::int64_t{1} << *y);
            break;
        case BinaryOp::BitAnd:
            if (x && y) return tirx_number(*x & *y);
            if (y && *y > 0 && is_power_of_two(*y + 1)) return divided(BinaryOp::Mod, l, tirx_number(*y + 1));
            break;
        case BinaryOp::BitOr:
            if (x && y) return tirx_number(*x | *y);
            break;
        case BinaryOp::BitXor:
            if (x && y) return tirx_number(*x ^ *y);
            break;
        case BinaryOp::Min:
        case BinaryOp::Max:
            if (x && y) return tirx_number(b.op == BinaryOp::Min ? std::min(*x, *y) : std::max(*x, *y));
            break;
        default: break;
        }
        if (is_compare(b.op)) return compared(b.op, l, r);
        return named(spelling(b.op), {l, r});
    }

    TirxValue divided(BinaryOp op, const TirxValue& l, const TirxValue& r) {
        const auto x = l.number(), y = r.number();
        if (x && y && *y > 0) return tirx_number(op == BinaryOp::Mod ? floor_mod(*x, *y) : floor_div(*x, *y));
        return named(spelling(op), {l, r});
    }

    TirxValue compared(BinaryOp op, const TirxValue& l, const TirxValue& r) {
        if (op == BinaryOp::Gt) return compared(BinaryOp::Lt, r, l);
        if (op == BinaryOp::Ge) return compared(BinaryOp::Le, r, l);
        if (const auto d = tirx_add(l, r, -1).number()) {
            switch (op) {
            case BinaryOp::Lt: return tirx_number(*d < 0);
            case BinaryOp::Le: return tirx_number(*d <= 0);
            case BinaryOp::Eq: return tirx_number(*d == 0);
            default: return tirx_number(*d != 0);
            }
        }
        return named(spelling(op), {l, r});
    }

    const ModuleNode& module_;
    const TirxThread& thread_;
    TirxTokens& tokens_;
    std::unordered_map<const VarNode*, TirxValue> values_, bases_;
    /// What a thread's own places hold: by the buffer's base, then by address and width.
    std::unordered_map<int, std::map<std::vector<std::int64_t>, TirxValue>> memory_;
    std::unordered_map<int, std::int64_t> sizes_; ///< bytes behind a base address
    std::unordered_map<int, std::string> names_;
    std::vector<std::pair<std::string, std::int64_t>> loops_;
    const Node* statement_ = nullptr;
    int allocated_ = 0, calls_ = 0;
};

bool is_kernel(const FunctionNode& f) { return constant(f.attr("calling_conv")) == 2; }

} // namespace

TirxRun tirx_run(const ModuleNode& module, const TirxThread& thread, TirxTokens& tokens, bool device) {
    TirxRun all;
    for (const Function& f : module.functions) {
        if (is_kernel(*f) != device) continue;
        Runner runner(module, thread, tokens);
        runner.enter(*f);
        all.events.insert(all.events.end(), runner.run.events.begin(), runner.run.events.end());
        all.outside.insert(all.outside.end(), runner.run.outside.begin(), runner.run.outside.end());
        all.complete = all.complete && runner.run.complete;
    }
    return all;
}

} // namespace ls::check
