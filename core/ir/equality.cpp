#include "core/ir/equality.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/layout/layout.h"

namespace ls::ir {

namespace {

class Comparer {
public:
    explicit Comparer(EqualityOptions options) : options_(options) {}

    std::optional<Difference> result() && { return std::move(found_); }

    bool module(const Module& a, const Module& b) {
        if (!text("name", a->name, b->name, a, b) ||
            !definitions("dynamic", a->dynamic_symbols, b->dynamic_symbols, a, b) ||
            !entries("attrs", a->attrs, b->attrs, a, b)) {
            return false;
        }
        for (std::size_t i = 0; i < std::min(a->functions.size(), b->functions.size()); ++i) {
            if (!function(a->functions[i], b->functions[i])) return false;
        }
        return same("functions", a->functions.size(), b->functions.size(), a, b);
    }

    bool function(const Function& a, const Function& b) {
        const Step step(*this, a->name);
        return text("name", a->name, b->name, a, b) && text("type", name(a->function), name(b->function), a, b) &&
               text("level", a->level, b->level, a, b) && text("role", a->role, b->role, a, b) &&
               same("auto_scope", a->auto_scope, b->auto_scope, a, b) && same("self", a->has_self, b->has_self, a, b) &&
               params(a, b) && entries("options", a->options, b->options, a, b) &&
               entries("attrs", a->attrs, b->attrs, a, b) &&
               list("returns", a->returns, b->returns, a, b, &Comparer::type) && body("body", a->body, b->body, a, b);
    }

    bool stmt(const Stmt& a, const Stmt& b) {
        if (!kinds(a, b) || !comments(a, b)) return false;
        switch (a->kind) {
        case NodeKind::Assign: {
            const auto &x = get<AssignNode>(a), &y = get<AssignNode>(b);
            return child("value", x.value, y.value, a, b) && definitions("target", x.targets, y.targets, a, b);
        }
        case NodeKind::Eval: return child("value", get<EvalNode>(a).value, get<EvalNode>(b).value, a, b);
        case NodeKind::Store:
            return child("target", get<StoreNode>(a).target, get<StoreNode>(b).target, a, b) &&
                   child("value", get<StoreNode>(a).value, get<StoreNode>(b).value, a, b);
        case NodeKind::Return: return exprs("values", get<ReturnNode>(a).values, get<ReturnNode>(b).values, a, b);
        case NodeKind::Yield: return exprs("values", get<YieldNode>(a).values, get<YieldNode>(b).values, a, b);
        case NodeKind::Assert:
            return child("condition", get<AssertNode>(a).condition, get<AssertNode>(b).condition, a, b) &&
                   child("message", get<AssertNode>(a).message, get<AssertNode>(b).message, a, b);
        case NodeKind::Raw: return text("text", get<RawNode>(a).text, get<RawNode>(b).text, a, b);
        case NodeKind::If: {
            const auto &x = get<IfNode>(a), &y = get<IfNode>(b);
            return child("condition", x.condition, y.condition, a, b) && body("then", x.then_body, y.then_body, a, b) &&
                   body("else", x.else_body, y.else_body, a, b) && definitions("results", x.results, y.results, a, b);
        }
        case NodeKind::For: {
            const auto &x = get<ForNode>(a), &y = get<ForNode>(b);
            return text("loop", name(x.loop), name(y.loop), a, b) && child("start", x.start, y.start, a, b) &&
                   child("stop", x.stop, y.stop, a, b) && child("step", x.step, y.step, a, b) &&
                   exprs("extents", x.grid_extents, y.grid_extents, a, b) &&
                   entries("kwargs", x.kwargs, y.kwargs, a, b) && entries("attrs", x.attrs, y.attrs, a, b) &&
                   definition("var", x.var, y.var, a, b) && definitions("vars", x.grid_vars, y.grid_vars, a, b) &&
                   carried(x.iter_args, y.iter_args, a, b) && body("body", x.body, y.body, a, b) &&
                   definitions("results", x.results, y.results, a, b);
        }
        case NodeKind::While: {
            const auto &x = get<WhileNode>(a), &y = get<WhileNode>(b);
            return carried(x.iter_args, y.iter_args, a, b) && child("condition", x.condition, y.condition, a, b) &&
                   body("body", x.body, y.body, a, b) && definitions("results", x.results, y.results, a, b);
        }
        case NodeKind::With: {
            const auto &x = get<WithNode>(a), &y = get<WithNode>(b);
            return child("scope", x.scope, y.scope, a, b) && definition("as", x.var, y.var, a, b) &&
                   body("body", x.body, y.body, a, b);
        }
        case NodeKind::Seq: return list("", get<SeqNode>(a).stmts, get<SeqNode>(b).stmts, a, b, &Comparer::stmt);
        default: return true;
        }
    }

    bool expr(const Expr& a, const Expr& b) {
        if (a == b && renamed_ == 0) return true;
        if (!kinds(a, b)) return false;
        switch (a->kind) {
        case NodeKind::ConstInt: {
            const auto &x = get<ConstIntNode>(a), &y = get<ConstIntNode>(b);
            return same("value", x.value, y.value, a, b) &&
                   text("dtype", info(x.dtype).brief, info(y.dtype).brief, a, b);
        }
        case NodeKind::ConstFloat: {
            const auto &x = get<ConstFloatNode>(a), &y = get<ConstFloatNode>(b);
            const bool both_nan = x.value != x.value && y.value != y.value;
            return (both_nan || same("value", x.value, y.value, a, b)) &&
                   same("dtype", code(x.dtype), code(y.dtype), a, b);
        }
        case NodeKind::ConstBool: return same("value", get<ConstBoolNode>(a).value, get<ConstBoolNode>(b).value, a, b);
        case NodeKind::String: return text("value", get<StringNode>(a).value, get<StringNode>(b).value, a, b);
        case NodeKind::DTypeName:
            return text("dtype", info(get<DTypeNameNode>(a).dtype).brief, info(get<DTypeNameNode>(b).dtype).brief, a,
                        b);
        case NodeKind::Symbol: return text("name", get<SymbolNode>(a).name, get<SymbolNode>(b).name, a, b);
        case NodeKind::Var: return use(ref_as<VarNode>(a), ref_as<VarNode>(b));
        case NodeKind::Unary:
            return text("op", spelling(get<UnaryNode>(a).op), spelling(get<UnaryNode>(b).op), a, b) &&
                   child("operand", get<UnaryNode>(a).operand, get<UnaryNode>(b).operand, a, b);
        case NodeKind::Binary: {
            const auto &x = get<BinaryNode>(a), &y = get<BinaryNode>(b);
            return text("op", spelling(x.op), spelling(y.op), a, b) && child("lhs", x.lhs, y.lhs, a, b) &&
                   child("rhs", x.rhs, y.rhs, a, b);
        }
        case NodeKind::Cast: {
            const auto &x = get<CastNode>(a), &y = get<CastNode>(b);
            return text("dtype", info(x.dtype).brief, info(y.dtype).brief, a, b) &&
                   text("dtype", x.dtype_text, y.dtype_text, a, b) && child("value", x.value, y.value, a, b);
        }
        case NodeKind::Select: {
            const auto &x = get<SelectNode>(a), &y = get<SelectNode>(b);
            return child("condition", x.condition, y.condition, a, b) && child("true", x.on_true, y.on_true, a, b) &&
                   child("false", x.on_false, y.on_false, a, b);
        }
        case NodeKind::Tuple: return exprs("", get<TupleNode>(a).elements, get<TupleNode>(b).elements, a, b);
        case NodeKind::TupleGet:
            return same("index", get<TupleGetNode>(a).index, get<TupleGetNode>(b).index, a, b) &&
                   child("tuple", get<TupleGetNode>(a).tuple, get<TupleGetNode>(b).tuple, a, b);
        case NodeKind::Subscript:
            return child("base", get<SubscriptNode>(a).base, get<SubscriptNode>(b).base, a, b) &&
                   exprs("indices", get<SubscriptNode>(a).indices, get<SubscriptNode>(b).indices, a, b);
        case NodeKind::Slice: {
            const auto &x = get<SliceNode>(a), &y = get<SliceNode>(b);
            return child("begin", x.begin, y.begin, a, b) && child("end", x.end, y.end, a, b) &&
                   child("step", x.step, y.step, a, b);
        }
        case NodeKind::Member:
            return text("member", get<MemberNode>(a).member, get<MemberNode>(b).member, a, b) &&
                   child("base", get<MemberNode>(a).base, get<MemberNode>(b).base, a, b);
        case NodeKind::Dict: return entries("", get<DictNode>(a).entries, get<DictNode>(b).entries, a, b);
        case NodeKind::Lambda:
            return definitions("params", get<LambdaNode>(a).params, get<LambdaNode>(b).params, a, b) &&
                   child("body", get<LambdaNode>(a).body, get<LambdaNode>(b).body, a, b);
        case NodeKind::LayoutValue:
            return get<LayoutValueNode>(a).layout == get<LayoutValueNode>(b).layout ||
                   differ("layout", "another layout", a, b);
        case NodeKind::Call: {
            const auto &x = get<CallNode>(a), &y = get<CallNode>(b);
            return text("op", x.op, y.op, a, b) &&
                   same("callee", static_cast<int>(x.callee), static_cast<int>(y.callee), a, b) &&
                   exprs("args", x.args, y.args, a, b) && entries("kwargs", x.kwargs, y.kwargs, a, b) &&
                   entries("attrs", x.attrs, y.attrs, a, b);
        }
        default: return true;
        }
    }

    bool type(const Type& a, const Type& b) {
        if (a == b && renamed_ == 0) return true;
        if (a == nullptr || b == nullptr) return a == b || differ("type", "known on one side only", a, b);
        if (!kinds(a, b)) return false;
        switch (a->kind) {
        case NodeKind::ScalarType: return dtypes(get<ScalarTypeNode>(a).dtype, get<ScalarTypeNode>(b).dtype, a, b);
        case NodeKind::TensorType: {
            const auto &x = get<TensorTypeNode>(a), &y = get<TensorTypeNode>(b);
            return exprs("shape", x.shape, y.shape, a, b) && dtypes(x.dtype, y.dtype, a, b) &&
                   same("distributed", x.distributed, y.distributed, a, b) &&
                   same("has view", x.view.has_value(), y.view.has_value(), a, b) &&
                   (!x.view || tensor_view(*x.view, *y.view, a, b)) && memref(x.memref, y.memref, a, b);
        }
        case NodeKind::TileType: {
            const auto &x = get<TileTypeNode>(a), &y = get<TileTypeNode>(b);
            return exprs("shape", x.shape, y.shape, a, b) && dtypes(x.dtype, y.dtype, a, b) &&
                   text("space", space(x), space(y), a, b) && tile_view(effective_view(x), effective_view(y), a, b) &&
                   memref(x.memref, y.memref, a, b);
        }
        case NodeKind::BufferType: {
            const auto &x = get<BufferTypeNode>(a), &y = get<BufferTypeNode>(b);
            return exprs("shape", x.shape, y.shape, a, b) && dtypes(x.dtype, y.dtype, a, b) &&
                   text("dtype", x.dtype_text, y.dtype_text, a, b) && text("scope", x.scope, y.scope, a, b) &&
                   same("layout", static_cast<int>(x.layout_state), static_cast<int>(y.layout_state), a, b) &&
                   (x.layout == y.layout || differ("layout", "another layout", a, b)) &&
                   exprs("strides", x.strides, y.strides, a, b) &&
                   child("elem_offset", x.elem_offset, y.elem_offset, a, b) && child("data", x.data, y.data, a, b) &&
                   child("allocated_addr", x.allocated_addr, y.allocated_addr, a, b) &&
                   optional("align", x.align, y.align, a, b) &&
                   optional("offset_factor", x.offset_factor, y.offset_factor, a, b);
        }
        case NodeKind::TupleType:
            return list("", get<TupleTypeNode>(a).elements, get<TupleTypeNode>(b).elements, a, b, &Comparer::type);
        case NodeKind::ArrayType:
            return dtypes(get<ArrayTypeNode>(a).dtype, get<ArrayTypeNode>(b).dtype, a, b) &&
                   child("length", get<ArrayTypeNode>(a).length, get<ArrayTypeNode>(b).length, a, b);
        case NodeKind::PtrType:
            return same("pointee", code(get<PtrTypeNode>(a).pointee), code(get<PtrTypeNode>(b).pointee), a, b) &&
                   text("scope", get<PtrTypeNode>(a).scope, get<PtrTypeNode>(b).scope, a, b);
        case NodeKind::NamedType:
            return text("name", get<NamedTypeNode>(a).name, get<NamedTypeNode>(b).name, a, b) &&
                   exprs("arguments", get<NamedTypeNode>(a).arguments, get<NamedTypeNode>(b).arguments, a, b);
        default: return true;
        }
    }

private:
    /// One step of the path to where we are; taken back on leaving.
    class Step {
    public:
        Step(Comparer& owner, std::string_view step) : owner_(owner), length_(owner.path_.size()) {
            if (step.empty()) return;
            if (!owner.path_.empty() && step.front() != '[') owner.path_ += '.';
            owner.path_ += step;
        }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;
        ~Step() { owner_.path_.resize(length_); }

    private:
        Comparer& owner_;
        std::size_t length_;
    };

    template <class T, class U>
    static const T& get(const Ref<U>& node) {
        return static_cast<const T&>(*node);
    }
    static int code(std::optional<DType> t) { return t ? static_cast<int>(*t) : -1; }
    static std::string_view space(const TileTypeNode& t) { return t.space ? name(*t.space) : std::string_view("none"); }

    bool differ(std::string_view step, std::string why, const Ref<Node>& a, const Ref<Node>& b) {
        if (found_) return false;
        const Step here(*this, step);
        found_ = Difference{path_, std::move(why), a, b};
        return false;
    }
    bool kinds(const Ref<Node>& a, const Ref<Node>& b) {
        return a->kind == b->kind || differ("", "another kind of node", a, b);
    }
    bool text(std::string_view step, std::string_view x, std::string_view y, const Ref<Node>& a, const Ref<Node>& b) {
        return x == y || differ(step, fmt::format("\"{}\" here, \"{}\" there", x, y), a, b);
    }
    template <class V>
    bool same(std::string_view step, const V& x, const V& y, const Ref<Node>& a, const Ref<Node>& b) {
        return x == y || differ(step, fmt::format("{} here, {} there", x, y), a, b);
    }
    bool optional(std::string_view step, std::optional<std::int64_t> x, std::optional<std::int64_t> y,
                  const Ref<Node>& a, const Ref<Node>& b) {
        const auto show = [](std::optional<std::int64_t> v) {
            return v ? fmt::format("{}", *v) : std::string("nothing");
        };
        return x == y || differ(step, fmt::format("{} here, {} there", show(x), show(y)), a, b);
    }
    bool dtypes(DType x, DType y, const Ref<Node>& a, const Ref<Node>& b) {
        return text("dtype", info(x).brief, info(y).brief, a, b);
    }
    bool child(std::string_view step, const Expr& x, const Expr& y, const Ref<Node>& a, const Ref<Node>& b) {
        if (x == nullptr || y == nullptr) return x == y || differ(step, "written on one side only", a, b);
        const Step here(*this, step);
        return expr(x, y);
    }
    bool body(std::string_view step, const Seq& x, const Seq& y, const Ref<Node>& a, const Ref<Node>& b) {
        if (x == nullptr || y == nullptr) return x == y || differ(step, "present on one side only", a, b);
        const Step here(*this, step);
        return stmt(x, y);
    }
    template <class T>
    bool list(std::string_view step, const std::vector<T>& x, const std::vector<T>& y, const Ref<Node>& a,
              const Ref<Node>& b, bool (Comparer::*compare)(const T&, const T&)) {
        const Step here(*this, step);
        for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
            const Step element(*this, fmt::format("[{}]", i));
            if (!(this->*compare)(x[i], y[i])) return false;
        }
        return x.size() == y.size() || differ("", fmt::format("{} elements here, {} there", x.size(), y.size()), a, b);
    }
    bool exprs(std::string_view step, const std::vector<Expr>& x, const std::vector<Expr>& y, const Ref<Node>& a,
               const Ref<Node>& b) {
        return list(step, x, y, a, b, &Comparer::expr);
    }
    bool entries(std::string_view step, const std::vector<KeyValue>& x, const std::vector<KeyValue>& y,
                 const Ref<Node>& a, const Ref<Node>& b) {
        const Step here(*this, step);
        if (x.size() != y.size()) return differ("", fmt::format("{} entries here, {} there", x.size(), y.size()), a, b);
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!text("", x[i].key, y[i].key, a, b) || !child(x[i].key, x[i].value, y[i].value, a, b)) return false;
        }
        return true;
    }
    bool comments(const Stmt& a, const Stmt& b) {
        return !options_.comments || a->comments == b->comments || differ("comments", "other comment lines", a, b);
    }
    bool memref(const std::optional<MemRef>& x, const std::optional<MemRef>& y, const Ref<Node>& a,
                const Ref<Node>& b) {
        if (!x || !y) return x.has_value() == y.has_value() || differ("memref", "present on one side only", a, b);
        return child("base", x->base, y->base, a, b) && child("byte_offset", x->byte_offset, y->byte_offset, a, b) &&
               optional("size_bytes", x->size_bytes, y->size_bytes, a, b) &&
               optional("slots", x->slots, y->slots, a, b) && child("slot", x->slot, y->slot, a, b);
    }
    bool tensor_view(const TensorView& x, const TensorView& y, const Ref<Node>& a, const Ref<Node>& b) {
        return exprs("valid_shape", x.valid_shape, y.valid_shape, a, b) && exprs("stride", x.stride, y.stride, a, b) &&
               text("layout", name(x.order), name(y.order), a, b) && text("pad", name(x.pad), name(y.pad), a, b);
    }
    bool tile_view(const TileView& x, const TileView& y, const Ref<Node>& a, const Ref<Node>& b) {
        return exprs("valid_shape", x.valid_shape, y.valid_shape, a, b) && exprs("stride", x.stride, y.stride, a, b) &&
               child("start_offset", x.start_offset, y.start_offset, a, b) &&
               text("blayout", name(*x.blayout), name(*y.blayout), a, b) &&
               text("slayout", name(*x.slayout), name(*y.slayout), a, b) &&
               same("fractal", *x.fractal_bytes, *y.fractal_bytes, a, b) &&
               text("pad", name(*x.pad), name(*y.pad), a, b) &&
               text("compact", name(*x.compact), name(*y.compact), a, b);
    }

    bool carried(const std::vector<IterArg>& x, const std::vector<IterArg>& y, const Ref<Node>& a, const Ref<Node>& b) {
        if (x.size() != y.size()) {
            return differ("iter_args", fmt::format("{} carried values here, {} there", x.size(), y.size()), a, b);
        }
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!child("init", x[i].init, y[i].init, a, b)) return false;
        }
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!definition("iter_args", x[i].var, y[i].var, a, b)) return false;
        }
        return true;
    }
    bool params(const Function& a, const Function& b) {
        if (a->params.size() != b->params.size()) {
            return differ("params", fmt::format("{} parameters here, {} there", a->params.size(), b->params.size()), a,
                          b);
        }
        for (std::size_t i = 0; i < a->params.size(); ++i) {
            const Step here(*this, a->params[i].var->name);
            if (!same("direction", static_cast<int>(a->params[i].direction), static_cast<int>(b->params[i].direction),
                      a, b) ||
                !definition("", a->params[i].var, b->params[i].var, a, b)) {
                return false;
            }
        }
        return true;
    }

    bool definitions(std::string_view step, const std::vector<Var>& x, const std::vector<Var>& y, const Ref<Node>& a,
                     const Ref<Node>& b) {
        if (x.size() != y.size())
            return differ(step, fmt::format("{} variables here, {} there", x.size(), y.size()), a, b);
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!definition(step, x[i], y[i], a, b)) return false;
        }
        return true;
    }
    bool definition(std::string_view step, const Var& x, const Var& y, const Ref<Node>& a, const Ref<Node>& b) {
        if (x == nullptr || y == nullptr) return x == y || differ(step, "present on one side only", a, b);
        const Step here(*this, step);
        if (options_.names && !text("name", x->name, y->name, x, y)) return false;
        if (options_.types) {
            const Step types(*this, "type");
            if (!type(x->type, y->type)) return false;
        }
        if (x != y) ++renamed_;
        left_to_right_[x.get()] = y.get();
        right_to_left_[y.get()] = x.get();
        return true;
    }
    bool use(const Var& x, const Var& y) {
        const auto l = left_to_right_.find(x.get());
        const auto r = right_to_left_.find(y.get());
        if (l == left_to_right_.end() && r == right_to_left_.end()) {
            // Free on both sides: the same variable if it has the same name.
            if (x->name != y->name) return text("", x->name, y->name, x, y);
            return true;
        }
        const bool same_definition =
            l != left_to_right_.end() && r != right_to_left_.end() && l->second == y.get() && r->second == x.get();
        return same_definition ||
               differ("", fmt::format("{} here, {} there: other definitions", x->name, y->name), x, y);
    }

    EqualityOptions options_;
    std::string path_;
    std::optional<Difference> found_;
    std::unordered_map<const VarNode*, const VarNode*> left_to_right_, right_to_left_;
    std::size_t renamed_ = 0; ///< while 0, equal pointers are equal programs
};

template <class T>
std::optional<Difference> compare(const T& left, const T& right, EqualityOptions options,
                                  bool (Comparer::*method)(const T&, const T&)) {
    if (left == nullptr || right == nullptr) {
        return left == right ? std::nullopt : std::optional(Difference{"", "present on one side only", left, right});
    }
    if (std::max(left->depth, right->depth) > 2 * kMaxDepth) {
        return Difference{"", "nested too deep to compare", left, right};
    }
    Comparer comparer(options);
    (comparer.*method)(left, right);
    return std::move(comparer).result();
}

} // namespace

std::optional<Difference> first_difference(const Module& left, const Module& right, EqualityOptions options) {
    return compare(left, right, options, &Comparer::module);
}
std::optional<Difference> first_difference(const Function& left, const Function& right, EqualityOptions options) {
    return compare(left, right, options, &Comparer::function);
}
std::optional<Difference> first_difference(const Stmt& left, const Stmt& right, EqualityOptions options) {
    return compare(left, right, options, &Comparer::stmt);
}
std::optional<Difference> first_difference(const Expr& left, const Expr& right, EqualityOptions options) {
    return compare(left, right, options, &Comparer::expr);
}
std::optional<Difference> first_difference(const Type& left, const Type& right, EqualityOptions options) {
    return compare(left, right, options, &Comparer::type);
}

} // namespace ls::ir
